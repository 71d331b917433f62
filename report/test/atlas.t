#!/usr/bin/perl
# atlas.t - assay atlas, on databases that are made by hand.
#
# SPDX-License-Identifier: Apache-2.0
#
# What is expected follows from the rows that are put in: bf16 has 65536
# patterns, 3f80 is 1 and 4000 is 2.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );

sub atlas {
    my $out = `'$assay' atlas @_ 2>'$dir/err' </dev/null`;
    return ( $? >> 8, $out );
}

sub said { return scalar `cat '$dir/err'` }

# A database of one backend.  A sweep is [op, type, variant, hunt, parts...], a
# part "count, correct, bad, special, error, worst_input, worst_second".
sub make {
    my ( $name, $backend, @sweeps ) = @_;
    my $sql = do { local ( @ARGV, $/ ) = 'spec/results.sql'; <> };
    $sql .= "BEGIN; INSERT INTO backend VALUES (1, '$backend', '1.0', 'x.so', '');
        INSERT INTO run (id, uuid, started, state, suite_version, case_set_hash,
            plan_hash, seed, jobs, profile, profile_json, command, host,
            plan_first, plan_count)
        VALUES (1, '00000000-0000-0000-0000-000000000000', 'x', 'complete', '1',
            '', 'h', '0', 1, 'spec', '[]', 'assay sweep', '{}', 1, 0);\n";
    my $id = 0;
    for my $sweep (@sweeps) {
        my ( $op, $type, $variant, $hunt, @parts ) = @$sweep;
        $id++;
        $sql .= "INSERT OR IGNORE INTO op (name) VALUES ('$op');
            INSERT OR IGNORE INTO type (name) VALUES ('$type');
            INSERT INTO sweep (id, run, op, type, variant, points, hunt)
            SELECT $id, 1, op.id, type.id, '$variant', '0', $hunt FROM op, type
            WHERE op.name = '$op' AND type.name = '$type';\n";
        my $first = 0;
        $sql .= "INSERT INTO sweep_part (sweep, first, count, correct, bad,
            special, error, worst_input, worst_second, time)
            VALUES ($id, " . $first++ . ", $_, 7);\n" for @parts;
    }
    unlink "$dir/$name";
    open my $f, '|-', "sqlite3 '$dir/$name' >'$dir/sql' 2>&1" or die $!;
    print $f $sql, "COMMIT;\n";
    close $f or die `cat '$dir/sql'`;
    return "$dir/$name";
}

my @whole = ( 'Exp', 'bf16', 'stride=1 length=32768', 0,
    '32768, 32000, 2, 1, 600000, 16256, NULL',     # 3f80
    '32768, 32768, 0, 0, -700000, 49024, NULL' );  # bf80
my @some = ( 'Exp', 'f32', 'stride=4194304 length=1024', 0,
    '1024, 768, 0, 0, 800000, 1065353216, NULL' );    # 3f800000
my @hunt = ( 'Exp', 'f32', 'hunt seed=1 points=00', 1,
    '1024, 10, 0, 0, -900000, 1073741824, NULL' );    # 40000000
my @pairs = ( 'Pow', 'bf16', 'pairs', 0,
    '65536, 65536, 0, 0, 499999, 1065369600, NULL' ); # 3f80 4000
my @second = ( 'Pow', 'bf16', 'stride=1 length=65536 second=2.5', 0,
    '65536, 65000, 0, 0, 510000, 16384, NULL' );      # 4000
my @both = ( 'Atan2', 'f64', 'hunt seed=1 points=00', 1,
    '1024, 1000, 0, 0, 530000, 4607182418800017408, 4611686018427387904' );
my @exact = ( 'Neg', 'bf16', 'stride=1 length=65536', 0,
    '65536, 65536, 0, 0, NULL, NULL, NULL' );

my $one = make( 'one.db', '<one>', \( @whole, @some, @hunt, @pairs, @second, @both, @exact ) );
my ( $code, $out ) = atlas( '--format', 'json', $one );
is( $code, 0, 'an atlas' );
my $list = eval { decode_json($out) } || {};
is( $list->{format}, 'assay-atlas/1', 'its format' );
my %row = map { ( "$_->{op} $_->{type} $_->{of}" => $_ ) } @{ $list->{functions} };
is( join( ', ', map { "$_->{op} $_->{type} $_->{of}" } @{ $list->{functions} } ),
    'Atan2 f64 pairs, Exp bf16 , Exp f32 , Neg bf16 , Pow bf16 pairs, Pow bf16 second=2.5',
    'one row for each function, in order' ) or diag $out;

sub row {
    my ( $name, @members ) = @_;
    return join ' ', map { $row{$name}{$_} // 'null' } @members;
}
my @all = qw(evidence inputs max_ulp max_ulp_input correctly_rounded special_mismatches bad);
# 64768 of 65536 are 0.98828125.
is( row( 'Exp bf16 ', @all ), 'certified 65536 0.7 bf80 0.98828125 1 2', 'every input: certified' );
is( row( 'Exp f32 ', @all ), 'lower bound 2048 0.9 40000000 0.75 0 0',
    'a sweep and a hunt: the larger error; what is correctly rounded is of the sweep alone' );
is( row( 'Pow bf16 pairs', @all ), 'lower bound 65536 0.499999 3f80 4000 1 0 0', 'some of the pairs' );
is( row( 'Pow bf16 second=2.5', @all[ 0 .. 3 ] ), 'certified 65536 0.51 4000', 'a fixed operand is a function of one' );
is( row( 'Atan2 f64 pairs', @all ), 'lower bound 1024 0.53 3ff0000000000000 4000000000000000 null 0 0', 'a hunt of pairs' );
is( row( 'Neg bf16 ', @all[ 0 .. 4 ] ), 'certified 65536 null null 1', 'no error at all' );

my $two = make( 'two.db', 'two', \@some, [ @whole[ 0 .. 2 ], 1, $whole[4] ] );
( $code, $out ) = atlas( $one, $two );
is( $code, 0, 'two backends, as text' );
like( $out, qr/^Exp bf16 +<one> 1\.0: 0\.7 ulp at bf80, certified, 65,536 inputs, 98\.8 % correctly rounded, wrong special values 1, outside their set 2$/m, 'certified' );
like( $out, qr/^Exp bf16 +two 1\.0: 0\.6 ulp at 3f80, a lower bound, 32,768 inputs, wrong special values 1, outside their set 2$/m, 'hunted' );

# A certified sweep says how many are right, and none hides what another found,
# whichever comes first.
for my $order ( [ \@whole, \@hunt ], [ \@hunt, \@whole ] ) {
    my @other = ( 'Exp', 'bf16', 'hunt seed=1 points=00', 1, '1024, 0, 0, 9, 950000, 16256, NULL' );
    my $db = make( 'three.db', 'three', map { $_ == \@hunt ? \@other : $_ } @$order );
    ( $code, $out ) = atlas($db);
    like( $out, qr/0\.95 ulp at 3f80, certified, 65,536 inputs, 98\.8 % correctly rounded, wrong special values 9/, 'certified by one of two' );
}
my @length = ( 'Exp', 'bf16', 'stride=1 length=1024', 0, '65536, 65000, 1, 3, 600000, 16256, NULL' );
my @part   = ( 'Exp', 'bf16', 'stride=2 length=1024', 0, '32768, 1, 4, 0, 700000, 16257, NULL' );
for my $order ( [ 0 .. 2 ], [ 0, 2, 1 ], [ 1, 0, 2 ], [ 1, 2, 0 ], [ 2, 0, 1 ], [ 2, 1, 0 ] ) {
    my $db = make( 'lengths.db', 'lengths', ( \@whole, \@length, \@part )[@$order] );
    ( $code, $out ) = atlas( '--format', 'json', $db );
    %row = map { ( "$_->{op} $_->{type} $_->{of}" => $_ ) } @{ ( eval { decode_json($out) } || {} )->{functions} };
    # 3f81 is less than bf80, and 64768 less than 65000.
    is( row( 'Exp bf16 ', @all ), 'certified 65536 0.7 3f81 0.98828125 3 4', "the worst of three, in the order @$order" );
}

( $code, $out ) = atlas( '--format=html', '-o', "$dir/atlas.html", $one, $two );
is( "$code$out", '0', 'a page' );
my $page = do { local ( @ARGV, $/ ) = "$dir/atlas.html"; <> };
is( scalar( () = $page =~ /<tr><th [^>]*scope="row">/g ), 8, 'a row for each function and backend' );
is( scalar( () = $page =~ /<svg /g ), 7, 'a plot for each that has an error' );
like( $page, qr/&lt;one&gt;/, 'names are text' );
unlike( $page, qr/<one>/, 'and nothing else' );
like( $page, qr/<td class="ok"[^>]*>certified<.*<td class="warn"[^>]*>lower bound, hunted</s, 'certified, and lower bounds' );
like( $page, qr/fill="var\(--bar-bad\)"/, 'red where a result is outside its set' );

# ---- Profiles --------------------------------------------------------------------

( $code, $out ) = atlas( '--budgets', $one );
is( $code, 0, 'a profile' );
my $profile = eval { decode_json($out) } || {};
is( $profile->{extends}, 'spec', 'extends spec' );
is( join( '; ', map { "$_->{class} @{$_->{types}} $_->{budget}{kind} $_->{budget}{ulps}" } @{ $profile->{budgets} } ),
    'Atan2 f64 ulp 0.530001; Exp bf16 ulp 0.700001; Exp f32 ulp 0.900001; Pow bf16 ulp 0.510001',
    'as wide as measured, rounded up; the larger of two for one class; Neg has no budget' );
is( $profile->{budgets}[1]{source}, 'measured: all inputs, 65536 inputs', 'where it comes from' );
like( $profile->{budgets}[2]{source}, qr/a lower bound/, 'what is no proof is said to be none' );
# All but one of 2^32, and one.
for my $share ( [ 4294967295, '0.999999999' ], [ 1, '0.000000001' ], [ 4294967296, '1.000000000' ], [ 0, '0.000000000' ] ) {
    my $made = make( 'share.db', 'share', [ 'Neg', 'f32', 'stride=1 length=65536', 0, "4294967296, $share->[0], 0, 0, NULL, NULL, NULL" ] );
    ( $code, $out ) = atlas( '--format', 'json', $made );
    like( $out, qr/"correctly_rounded": \Q$share->[1]\E,/, "$share->[0] of 2^32" );
}
# All pairs of 16 patterns, with a row for each left operand.
my @all_pairs = ( 'Pow', 'f4e2m1fn', 'pairs', 0, map { "16, 16, 0, 0, 400000, $_, NULL" } 0 .. 15 );
my @fixed = ( 'Pow', 'f4e2m1fn', 'stride=1 length=16 second=2', 0, '16, 16, 0, 0, 300000, 1, NULL' );
for my $sweeps ( [ \@all_pairs ], [ \@fixed, \@all_pairs ], [ \@fixed ] ) {
    ( $code, $out ) = atlas( '--budgets', make( 'pairs.db', 'pairs', @$sweeps ) );
    my $inputs = 256 * ( $sweeps->[-1] == \@all_pairs ) + 16 * ( $sweeps->[0] == \@fixed );
    my $what = $sweeps->[-1] == \@fixed ? 'a lower bound' : 'all inputs';
    like( $out, qr/"source": "measured: $what, $inputs inputs"/, "pairs: $what" );
}
( $code, $out ) = atlas( '--budgets', $one, $two );
is( $code, 2, 'of two backends' );
like( said(), qr/a profile is of one backend; these are .* and two 1\.0/, 'is refused' );
( $code, $out ) = atlas( '--budgets', make( 'four.db', 'four', \@exact ) );
is( $code, 2, 'without a function' );

# A profile of what was measured passes, and no narrower one.
my $db = "$dir/real.db";
system("'$assay' sweep Erf --type bf16 --exhaustive --backend evil/flip_bit --database '$db' >/dev/null 2>&1 </dev/null");
( $code, $out ) = atlas( '--format=profile', '--output', "$dir/measured.json", $db );
is( $code, 0, 'a profile of a sweep' );
my $text = do { local ( @ARGV, $/ ) = "$dir/measured.json"; <> };
my ($ulps) = $text =~ /"ulps": "([\d.]+)"/;
cmp_ok( $ulps, '>', 1, 'whose errors are large' );
my @again = ( '--type', 'bf16', '--backend', 'evil/flip_bit', '--exhaustive', '--json', '--profile' );
sub bad_values {
    my $row = eval { decode_json(`'$assay' sweep Erf @again '$_[0]' --database '$dir/again.db' 2>'$dir/err' </dev/null`) };
    return $row ? $row->{bad} : 'none: ' . said();
}
my $left = bad_values("$dir/measured.json");
my $narrow = $ulps - 0.000002;
$text =~ s/"$ulps"/"$narrow"/;
open my $f, '>', "$dir/narrow.json" or die $!;
print $f $text;
close $f;
cmp_ok( bad_values("$dir/narrow.json"), '>', $left, 'a narrower one refuses more' );

# Two lengths, of which the first has the larger error and the second more breaks.
my @lengths = map { "$dir/length$_.db" } 1, 1024;
my @found   = map {
    decode_json(scalar `'$assay' sweep Exp --type f16 --form $_ --backend evil/one_element --json --database '$dir/length$_.db' 2>'$dir/err' </dev/null`)
} 1, 1024;
cmp_ok( $found[0]{max_ulp}, '>', $found[1]{max_ulp}, 'the error at one length' );
cmp_ok( $found[0]{monotonicity_breaks}, '<', $found[1]{monotonicity_breaks}, 'the breaks at another' );
for my $order ( [ 0, 1 ], [ 1, 0 ] ) {
    ( $code, $out ) = atlas( @lengths[@$order] );
    like( $out, qr/: $found[0]{max_ulp} ulp at .*, certified, 65,536 inputs.*, monotonicity breaks $found[1]{monotonicity_breaks} /, 'both are told' );
    ( $code, $out ) = atlas( '--budgets', @lengths[@$order] );
    my $wide = sprintf '%.6f', $found[0]{max_ulp} + 0.000001;
    like( $out, qr/"ulps": "$wide"/, 'and in the profile' );
}

# Order: sweep.t says why there are 508 breaks.
system("'$assay' sweep $_ --type bf16 --exhaustive --backend evil/flip_bit --database '$dir/order.db' >/dev/null 2>&1 </dev/null") for qw(Neg IsFinite);
( $code, $out ) = atlas("$dir/order.db");
like( $out, qr/^Neg bf16 .*, monotonicity breaks 508 \(first 007f 0080\)$/m, 'results out of order' );
like( $out, qr/^IsFinite bf16 [^\n]*, certified, 65,536 inputs[^\n]*$/m, 'a function that is not monotone' );
unlike( $out, qr/^IsFinite [^\n]*monotonicity/m, 'has none' );
( $code, $out ) = atlas( '--format', 'json', "$dir/order.db" );
my %order = map { ( $_->{op} => $_ ) } @{ ( eval { decode_json($out) } || {} )->{functions} };
is( "$order{Neg}{monotonicity_breaks} $order{Neg}{monotonicity_break_inputs}", '508 007f 0080', 'as JSON' );
ok( exists $order{IsFinite}{monotonicity_breaks} && !defined $order{IsFinite}{monotonicity_breaks}, 'or null' );
( $code, $out ) = atlas( '--format', 'html', "$dir/order.db" );
like( $out, qr/<th [^>]*scope="col">Out of order<\/th>/, 'a column of the page' );
like( $out, qr/>508<\/td>/, 'which has them' );

# ---- What it refuses -------------------------------------------------------------

for my $bad (
    [ 'no database',       qr/expected a results database/ ],
    [ 'one that is none',  qr/spec\/results\.sql: not a results database/, 'spec/results.sql' ],
    [ 'a missing one',     qr/nowhere/, "$dir/nowhere.db" ],
    [ 'one without sweeps', qr/empty\.db: has no sweep/, make( 'empty.db', 'x' ) ],
    [ 'an unknown format', qr/format/, '--format', 'pdf', $one ],
    [ 'no folder',         qr/--output/, '-o', "$dir/nowhere/x", $one ],
    [ 'more that are right than there are', qr/bad1\.db: is damaged/,
        make( 'bad1.db', 'x', [ @some[ 0 .. 3 ], '10, 11, 0, 0, NULL, NULL, NULL' ] ) ],
    [ 'an input of another type', qr/bad2\.db: is damaged/,
        make( 'bad2.db', 'x', [ @whole[ 0 .. 3 ], '10, 10, 0, 0, 5, 65536, NULL' ] ) ],
    [ 'an unknown type', qr/bad3\.db: is damaged: a sweep of type 'f17'/,
        make( 'bad3.db', 'x', [ 'Exp', 'f17', '', 0, '10, 10, 0, 0, 5, 1, NULL' ] ) ],
  )
{
    my ( $what, $why, @arguments ) = @$bad;
    ($code) = atlas(@arguments);
    is( $code, 2, $what );
    like( said(), $why, 'and why' );
}
done_testing;
