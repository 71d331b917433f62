# Files.pm - files and lines of shell, for tests in Perl.
#
# SPDX-License-Identifier: Apache-2.0
package Files;
use strict;
use warnings;
use Exporter qw(import);

our @EXPORT_OK = qw(put get sh);

sub put {
    my ($path, $text) = @_;
    open my $f, '>', $path or die "$path: $!";
    print $f $text;
    close $f;
}

# All of a file; nothing if there is none.
sub get {
    my ($path) = @_;
    open my $f, '<:raw', $path or return '';
    local $/;
    return <$f> // '';
}

# Exit code (128 + n by signal n), standard output and error of a line of Bash,
# which are left in the files out and err.
sub sh {
    my ($line) = @_;
    my $status = system('timeout', '100', 'bash', '-c', "($line) >out 2>err </dev/null");
    my $code = $status & 127 ? 128 + ($status & 127) : $status >> 8;
    return ($code, get('out'), get('err'));
}

1;
