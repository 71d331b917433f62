#!/usr/bin/perl
# slow.t - what a run reports is what it reports with --slow.
#
# SPDX-License-Identifier: Apache-2.0
#
# A fast path must give the same verdicts, and the same figures: units, counts,
# the largest error and its input, the histogram, the wrong units.  All tables
# with results are compared, over cases of the suite of every operation, and
# over element-wise operations of numbers near both ends of the exponents, where
# factors of scale overflow or vanish.  ASSAY_SEED=N repeats them;
# ASSAY_TEST_LONG: the default tier, and more numbers.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );
my $long  = $ENV{ASSAY_TEST_LONG};
my $seed  = $ENV{ASSAY_SEED} || time;
srand $seed;
diag "ASSAY_SEED=$seed";

# By plan, all that is said of a result but how long it took, and but causes,
# the search for which may end by the clock.
my @tables = (
    'SELECT name, status, units, correct, bad, special, error, share, worst_unit, worst_input, flags & ~32 FROM result JOIN plan ON plan.id = plan ORDER BY plan',
    'SELECT plan, message, requirements, inputs FROM detail ORDER BY plan',
    'SELECT * FROM wrong ORDER BY plan, n',
    'SELECT * FROM operand ORDER BY plan, n, k',
    'SELECT * FROM remark ORDER BY plan, name',
    'SELECT * FROM bin ORDER BY plan, bin',
);

sub rows {
    my ( $db, @options ) = @_;
    unlink glob "$dir/$db*";
    system "timeout 3000 '$assay' run --expectations /dev/null -q --database '$dir/$db' @options >'$dir/out' 2>&1 </dev/null";
    $? >> 8 <= 1 or die `cat '$dir/out'`, `sqlite3 '$dir/$db' 'SELECT name, message FROM detail JOIN plan ON plan.id = plan JOIN result USING (plan) WHERE status > 3 LIMIT 5'`;
    return map { [ split /\n/, scalar `sqlite3 '$dir/$db' '$_'` ] } @tables;
}

sub compare {
    my ( $what, @options ) = @_;
    my @fast = rows( 'fast.db', @options );
    my @slow = rows( 'slow.db', @options, '--slow' );
    cmp_ok( scalar @{ $fast[0] }, '>', 0, "$what: cases" );
    for my $k ( 0 .. $#tables ) {
        my ($table) = $tables[$k] =~ /FROM (\w+)/;
        my $n = @{ $fast[$k] } > @{ $slow[$k] } ? @{ $fast[$k] } : @{ $slow[$k] };
        my ($at) = grep { ( $fast[$k][$_] // '' ) ne ( $slow[$k][$_] // '' ) } 0 .. $n - 1;
        ok( !defined $at, "$what: $table" )
          or diag "fast: ", $fast[$k][$at] // 'none', "\nslow: ", $slow[$k][$at] // 'none';
    }
}

# ---- Numbers near the ends ----------------------------------------------------

my %format = ( f16 => [ 16, 10 ], bf16 => [ 16, 7 ], f32 => [ 32, 23 ], f64 => [ 64, 52 ] );

# A pattern with that biased exponent, or the nearest there is.
sub pattern {
    my ( $type, $e ) = @_;
    my ( $bits, $fraction ) = @{ $format{$type} };
    my $most = 2**( $bits - 1 - $fraction ) - 1;
    $e = $e < 0 ? 0 : $e > $most ? $most : $e;
    my $m = int rand 2**( $fraction < 30 ? $fraction : 26 );
    $m = $m << 26 | int rand 1 << 26 if $fraction > 30;
    $m &= ~( ( 1 << int rand $fraction ) - 1 ) if rand 2 < 1;
    return sprintf '%0*x', $bits / 4, int( rand 2 ) << ( $bits - 1 ) | $e << $fraction | $m;
}

# Two operands that are near one place: an end, where an ulp is the least
# number, or where it is the least normal one.
sub operands {
    my ( $type, $place, $count, $n ) = @_;
    my ( $bits, $fraction ) = @{ $format{$type} };
    my $most  = 2**( $bits - 1 - $fraction ) - 1;
    my $about = ( 1, $most - 2, $fraction + 1, 2 * $fraction + 2, ( $most - 1 ) / 2 )[$place];
    return map {
        my $list = join ',', map { '"' . pattern( $type, $about - 3 + int rand 6 ) . '"' } 1 .. $n;
        qq({"shape": "${type}\[$n]", "bits": [$list]})
    } 1 .. $count;
}

sub read_json {
    my ($file) = @_;
    open my $f, '<', $file or die "$file: $!";
    return decode_json( do { local $/; <$f> } );
}

# The operands of an operation, as it or one of its families has them.
sub operands_of {
    my ($spec) = @_;
    return $spec->{operands} if $spec->{operands};
    for my $family ( @{ $spec->{extends} // [] }, exists $spec->{op} ? $spec->{family} // () : () ) {
        my $found = operands_of( read_json("spec/families/$family.json") );
        return $found if $found;
    }
    return;
}

mkdir "$dir/cases";
my $made = 0;
for my $file ( sort glob 'spec/ops/*.json' ) {
    my $spec = read_json($file);
    my $op   = $spec->{op};
    # Those of floats that need no attribute.
    next if ( $spec->{family} // '' ) !~ /^elementwise-(?!bit|shift)/ || $op =~ /^(Complex|ConvertElementType|Not|ReducePrecision)$/;
    my $count = @{ operands_of($spec) };
    my @cases;
    for my $type ( $long ? sort keys %format : qw(f32 f64) ) {
        for my $place ( 0 .. 4 ) {
            # Of few numbers the largest error is not always half an ulp.
            for my $n ( $long ? ( 3, 5, 300 ) : 3 ) {
                my $inputs = join ',', operands( $type, $place, $count, $n );
                push @cases, qq[{"id": "$type-$place-$n", "why": "ends", "inputs": [$inputs]}];
            }
        }
    }
    mkdir "$dir/cases/$op";
    open my $f, '>', "$dir/cases/$op/ends.json" or die $!;
    print $f qq({"format": "assay-case/1", "op": "$op", "cases": [\n), join( ",\n", @cases ), "]}\n";
    close $f;
    $made++;
}
cmp_ok( $made, '>=', 43, 'element-wise operations of floats' );

my @ends = ( '--cases', "$dir/cases", '--form none' ); # in no other form
my @wrong = qw(--backend reference --backend-option deviation=results.round-toward-zero);
compare( 'ends, right',       @ends, '--backend reference --profile strict' );
compare( 'ends, a C library', @ends, '--backend native --profile strict' );
compare( 'ends, truncated',   @ends, @wrong );
my $tier = $long ? 'default' : 'quick';
compare( "tier $tier, a C library", "--tier $tier --backend native --profile strict" );
compare( "tier $tier, truncated",   "--tier $tier", @wrong );
done_testing;
