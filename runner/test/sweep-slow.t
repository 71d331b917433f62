#!/usr/bin/perl
# sweep-slow.t - sweeps by kernels report what sweeps by MPFR report.
#
# SPDX-License-Identifier: Apache-2.0
#
# Random intervals of each function that has a kernel, of which some are near a
# limit of the function, and of each operation of two operands; every part and
# every bin is compared.  ASSAY_SEED=N repeats them.
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );
my $seed  = $ENV{ASSAY_SEED} || time;
my $count = $ENV{ASSAY_TEST_LONG} ? 400_000 : 3_000;
my $times = $ENV{ASSAY_TEST_LONG} ? 10 : 1;
srand $seed;
diag "ASSAY_SEED=$seed";

# What two sweeps of the same inputs leave in the database.
sub sweep {
    my ( $db, @options ) = @_;
    my $said = `timeout 300 '$assay' sweep --database '$db' --json @options 2>&1 </dev/null`;
    my $rows = `sqlite3 '$db' 'SELECT bin, count FROM sweep_bin ORDER BY bin' 'SELECT first, count, correct, bad, special, error, worst_input FROM sweep_part ORDER BY first' 2>&1`;
    $? == 0 or die $rows;
    return $said . $rows;
}

sub value { return sprintf '%.9g', unpack 'f', pack 'L', $_[0] }

sub compare {
    my ( $op, $what, @options ) = @_;
    my $fast = sweep( "$dir/fast.db", $op, @options );
    my $slow = sweep( "$dir/slow.db", $op, @options, '--slow' );
    like( $fast, qr/"count": [1-9]/, "$op of $what" ) or return;
    is( $fast, $slow, "$op of $what, and --slow" );
    unlink glob "$dir/*.db*";
}

open my $table, '<', 'interp/fast/fast.c' or die $!;
# Name, source or NULL, function of one operand or NULL.
my @kernels = map { /^    \{"(\w+)", (?:"[^"]*"|NULL), (\w+)/ ? [ $1, $2 ne 'NULL' ] : () } <$table>;
is( scalar @kernels, 29, 'the kernels' );
for my $kernel (@kernels) {
    my ( $op, $unary ) = @$kernel;
    for my $near ( (0) x $times, (1) x $times ) {
        # Anywhere, or from 2^-50 on, where functions are near their limits.
        my $exponent = $near ? 77 + int rand 50 : int rand 254;
        my $first    = $exponent << 23 | int rand 1 << 23;
        my @bounds   = ( value($first), value( $first + $count ) );
        @bounds = ( "-$bounds[1]", "-$bounds[0]" ) if rand 2 < 1;
        my @second = $unary ? () : ( '--second', value( 127 << 23 | int rand 1 << 23 ) );
        compare( $op, "$bounds[0] to $bounds[1]@second",
            '--stride', 1, '--form', int( $count / 3 ), "--low=$bounds[0]", "--high=$bounds[1]", @second );
    }
}
done_testing();
