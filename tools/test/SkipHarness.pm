# SkipHarness.pm - a harness for prove that names what failed or was skipped.
#
# SPDX-License-Identifier: Apache-2.0
#
#     PERL5LIB=tools/test prove --harness SkipHarness FILE...
#
# prove itself is silent about skips inside a file.  Before its closing lines,
# each is listed with its file, its name and its reason, then their number; so a
# run that passed says what it did not look at.  Skips of one file and reason
# that have no name are one line.  Lines of the variable SKIPPED are checks outside
# of prove that were skipped as a whole.  Failed checks follow, each with the
# first lines that its test printed of it.
package SkipHarness;
use strict;
use warnings;
use parent 'TAP::Harness';

my ( @lines, %count, %in );
push @lines, split /\n/, $ENV{SKIPPED} // '';
my $whole = @lines;
my %failed;      # lines by file
use constant REASONS => 5;

sub _note {
    my ( $line, $file ) = @_;
    push @lines, $line unless $count{$line}++;
    $in{$file}++;
}

sub make_parser {
    my ( $self, $job ) = @_;
    my ( $parser, $session ) = $self->SUPER::make_parser($job);
    my $file = $job->description;
    my $left = 0;    # lines of the reason that are still shown
    $parser->callback(
        test => sub {
            my ($check) = @_;
            $left = $check->is_ok ? 0 : REASONS;
            $failed{$file} .= "  $file: " . join( ' ', grep { length } $check->number, $check->description ) . "\n" unless $check->is_ok;
            return unless $check->has_skip;
            my $name = $check->description =~ s/^- //r;
            _note( join( ': ', grep { length } $file, $name, $check->explanation ), $file );
        }
    );
    $parser->callback(
        comment => sub {
            my ($comment) = @_;
            $failed{$file} .= '    ' . substr( $comment->as_string, 0, 300 ) . "\n" if $left-- > 0;
        }
    );
    $parser->callback(
        plan => sub {
            my ($plan) = @_;
            return unless $plan->has_skip;
            $whole++;
            push @lines, "$file: the whole file: " . $plan->explanation;
        }
    );
    return ( $parser, $session );
}

sub _counted {
    my ( $n, $what ) = @_;
    return "$n $what" . ( $n == 1 ? '' : 's' );
}

sub summary {
    my ( $self, @rest ) = @_;
    my $checks = 0;
    $checks += $_ for values %in;
    my $text = join '', map { "  $_" . ( ( $count{$_} // 1 ) > 1 ? " ($count{$_} checks)" : '' ) . "\n" } sort @lines;
    print "\nSkipped:\n$text" if @lines;
    print 'Skipped: ' . _counted( $checks, 'check' ) . ' in ' . _counted( scalar keys %in, 'file' ) . ", and $whole as a whole\n";
    print "\nFailed:\n", @failed{ sort keys %failed } if %failed;
    return $self->SUPER::summary(@rest);
}

1;
