#!/usr/bin/perl
# sweep.t - assay sweep and assay expect, from outside.
#
# SPDX-License-Identifier: Apache-2.0
#
# The numbers that are expected follow from the formats: f16 has 65536 patterns, of
# which 2046 are NaNs and 2 infinities; square root is correctly rounded by
# every C library.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json encode_json);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );
my $db    = "$dir/results.db";

sub sweep {
    my $out = `timeout 100 '$assay' sweep --database '$db' --json @_ 2>'$dir/err' </dev/null`;
    return ( $? >> 8, map { decode_json($_) } split /\n/, $out );
}

sub query {
    my $out = `sqlite3 -cmd '.timeout 5000' '$db' "$_[0]" 2>/dev/null`;
    chomp $out;
    return $out;
}

my ( $code, $row ) = sweep(qw(Sqrt --type f16 --backend reference --svg), "'$dir/square root.svg'");
is( $code,                        0,     'a sweep that is right' );
is( $row->{op},                   'Sqrt', 'op' );
is( $row->{type},                 'f16', 'type' );
is( $row->{backend},              'reference', 'backend' );
is( $row->{count},                65536, 'every pattern of f16' );
is( $row->{correctly_rounded},    1,     'all are correctly rounded' );
is( $row->{special_mismatches},   0,     'no wrong special value' );
cmp_ok( $row->{max_ulp}, '<=', 0.5, 'no error above half an ulp' );
like( $row->{max_ulp_input}, qr/^[0-9a-f]{4}$/, 'the input of the largest error' );
like( query('SELECT command FROM run'), qr{^\S*assay sweep .*--svg '\S+/square root\.svg'},
    'the command is kept as it can be entered again' );
open my $svg, '<', "$dir/square root.svg" or die $!;
my $picture = do { local $/; <$svg> };
like( $picture, qr/^<svg .*<\/svg>\s*$/s,    'a picture' );
like( $picture, qr/error in ulps, log scale/, 'its axis of errors has a label' );
like( $picture, qr/input \(f16/,              'its axis of inputs has a label' );

( $code, $row ) = sweep(qw(Abs --type bf16 --backend evil/flip_bit));
is( $code, 1, 'a backend that is wrong' );

# A result of another shape, type or size says nothing of any input.
for my $evil ( [ wrong_shape => 'rank 2, expected 1' ], [ wrong_type => 'element type s32, expected bf16' ],
    [ empty_output => '0 bytes, expected 256' ], [ negative_dims => 'size -\d+' ], [ wild_rank => 'rank \d+' ], ['hostile', 'element type'] )
{
    my ( $name, $why ) = @$evil;
    my $own = "$dir/$name.db";
    ( $code, $row ) = sweep( qw(Exp --type bf16 --exhaustive --backend), "evil/$name", '--database', $own );
    is( "$code $row->{count} $row->{failed_parts}", '1 0 512', "no part of $name has a result" );
    like( $row->{why}, qr/^fail: output 0 of replica 0: $why/, 'and why' );
    is( scalar `sqlite3 '$own' 'SELECT state FROM run' 'SELECT count(*) FROM sweep_part'`, "stopped\n0\n", 'it is not finished' );
    unlike( scalar `'$assay' atlas '$own' 2>&1`, qr/certified/, 'and not certified' );
}

( $code, $row ) = sweep(qw(Exp --type f32 --backend reference --stride 65536 --low -1 --high 2));
# +0 to 2.0 is 0x40000000 patterns, -0 to -1.0 is 0x3f800000, both ends included.
is( $row->{count}, 0x4000 + 1 + 0x3f80 + 1, 'bounds' );
# A sample has no structure: a fault that needs low bits is found, in one of
# eight inputs.  The control is a stride of a power of two, which misses it.
mkdir "$dir/$_" for 'strided', 'strided/Neg';
for my $way ( [ 'every 4096th pattern', '"stride": 4096', 0, 'pass' ],
    [ 'one of each 4096', '"block": 4096, "last": "7f7fffff"', 1, 'fail' ] )
{
    my ( $name, $member, $exit, $verdict ) = @$way;
    open my $f, '>', "$dir/strided/Neg/sample.json" or die $!;
    print $f qq[{"format": "assay-case/1", "op": "Neg", "cases": [{"id": "a", "why": "a sample", "inputs":
        [{"shape": "f32[65536]", "sweep": {"first": "00000000", $member}}]}]}];
    close $f;
    unlink glob "$dir/strided.db*";
    system "'$assay' run --cases '$dir/strided' --backend evil/low_bits --jobs 1 --database '$dir/strided.db' >/dev/null 2>&1 </dev/null";
    is( $? >> 8, $exit, "low bits, $name: $verdict" );
}
( $code, $row ) = sweep(qw(Neg --stride 4096 --backend evil/low_bits));
is( "$code $row->{count}", '1 1048576', 'and by a sweep' );
my $expected = $row->{count} * ( 1 - 2 / 256 ) / 8; # without infinities and NaNs
cmp_ok( abs( $row->{bad} - $expected ), '<', 5 * sqrt $expected, 'as often as it occurs' );
# Each binade of f32 (2^23 patterns) has as many points.
is( query('SELECT count(*), min(n), max(n) FROM (SELECT sum(count) AS n FROM sweep_part WHERE sweep = (SELECT max(sweep) FROM sweep_part) GROUP BY first >> 23)'),
    '512|2048|2048', 'as many in each binade' );
# The same inputs in parts of any length.
my %seen;
for my $length ( 64, 1024 ) {
    unlink glob "$db*";
    ( $code, $row ) = sweep( qw(Exp --stride 262144 --form), $length );
    $seen{ join ' ', @$row{qw(count max_ulp max_ulp_input correctly_rounded)} }++;
}
is( scalar keys %seen, 1, 'the same inputs at each length' ) or diag join "\n", keys %seen;
( $code, $row ) = sweep(qw(Neg --backend evil/low_bits --stride 4096 --low 1 --high 1));
is( "$code $row->{count}", '0 1', 'a range shorter than a block has a point of its own' );

( $code, $row ) = sweep(qw(Neg --type s8 --backend reference --low -3 --high 4));
is( $row->{count}, 8, 'bounds of an integer type' );
# f8e8m0fnu has 2^-127 to 2^127, and no sign: 00 to fe, and 1 is 7f.
my @scale = qw(ConvertElementType --type f8e8m0fnu --to f32 --backend reference);
( $code, $row ) = sweep( @scale, qw(--high 1) );
is( $row->{count}, 128, 'an upper bound of a type without a sign' );
( $code, $row ) = sweep( @scale, qw(--low 1) );
is( $row->{count}, 128, 'a lower one' );
($code) = sweep( @scale, '--low', '-1' );
is( $code, 2, 'a negative one' );
like( scalar `cat '$dir/err'`, qr/: -1 is negative, and f8e8m0fnu has no sign/, 'is said to be negative' );
($code) = sweep( @scale, '--low', '0' );
like( scalar `cat '$dir/err'`, qr/: expected a number of f8e8m0fnu, got 0/, 'nor has it a zero' );
# f8e4m3fnuz: 1 is 40 and -1 c0; 00 to 40 and 81 to c0, as 80 is the NaN.
( $code, $row ) = sweep(qw(ConvertElementType --type f8e4m3fnuz --to f32 --low -1 --high 1 --backend reference));
is( "$code $row->{count} $row->{special_mismatches}", '0 129 0', 'bounds of a type without -0' );
( $code, $row ) = sweep(qw(ConvertElementType --type f8e4m3fn --to f32 --low -1 --high 1 --backend reference));
is( "$code $row->{count}", '0 114', 'and of one with it' ); # 1 is 38
( $code, $row ) = sweep(qw(Pow --type f16 --backend reference --stride 64 --second 2));
is( $row->{count}, 1024, 'a second operand' );
( $code, my @rows ) = sweep( qw(Abs --type f16 --backend reference --stride 997 --form), '1,7,64' );
is( join( ' ', map { $_->{length} } @rows ), '1 7 64', 'several lengths' );
is( join( ' ', map { $_->{count} } @rows ),  '66 66 66', 'the same inputs at each' );
( $code, @rows ) = sweep(qw(--all-unary --type s8 --backend reference));
ok( scalar( grep { $_->{op} eq 'Clz' } @rows ), 'all functions of one element' );
ok( !scalar( grep { $_->{op} eq 'Exp' } @rows ), 'but not those without the type' );

# All inputs of f16: 31 exponents of positive numbers, and -0 among the negative
# ones, have a square root; 63488 - 31744 - 1 negative numbers have none.
( $code, $row ) = sweep(qw(Sqrt --type f16 --backend reference --exhaustive));
is( $code, 0, 'an exhaustive sweep' );
is( $row->{count}, 65536, 'of every pattern' );
is( scalar @{ $row->{binades} }, 32, 'each binade that has a number' );
is( ( grep { hex $_->{max_ulp_input} >= hex($_->{first}) && hex $_->{max_ulp_input} < hex($_->{first}) + 1024 }
          @{ $row->{binades} } ), 32, 'with an input of its own' );
( $code, my $short ) = sweep(qw(Sqrt --type f16 --backend reference --exhaustive --form 256));
is_deeply( $short->{binades}, $row->{binades}, 'whatever part of a binade is an array' );
# 16 patterns of f4e2m1fn, so 256 pairs; 256 of f8e5m2.
( $code, $row ) = sweep(qw(Mul --type f4e2m1fn --backend reference --pairs));
is( "$code $row->{count}", '0 256', 'all pairs' );
( $code, $row ) = sweep(qw(Sub --type f8e5m2 --backend reference --pairs));
is( "$code $row->{count} $row->{correctly_rounded}", '0 65536 1', 'of 8 bits' );
like( $row->{max_ulp_input}, qr/^[0-9a-f]{2} [0-9a-f]{2}$/, 'the largest error has two operands' );
( $code, $row ) = sweep(qw(Lt --type f8e4m3fn --backend reference --pairs));
is( "$code $row->{count} $row->{correctly_rounded}", '0 65536 1', 'a comparison' );

# All types of 4 to 8 bits: 2^(2 bits) pairs, and the reference is right.
for my $type (qw(f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3b11fnuz f8e5m2fnuz s4 u4 s8)) {
    my $pairs = 4**( $type =~ /(\d)/ )[0];
    for my $op (qw(Mul Ge)) {
        ( $code, $row ) = sweep( $op, '--type', $type, qw(--backend reference --pairs) );
        is( "$code $row->{count} $row->{correctly_rounded}", "0 $pairs 1", "$op of all pairs of $type" );
    }
}

# native and the judge find remainders by methods of their own; with --slow the
# judge asks MPFR.  A shard has some operands on the left, far apart, each with
# all on the right.
for my $type (qw(bf16 f16)) {
    for my $slow ( [], ['--slow'] ) {
        my @part = ( qw(Rem --backend native --pairs --shard 20/10000 --type), $type, @$slow );
        ( $code, $row ) = sweep(@part);
        is( "$code $row->{correctly_rounded} $row->{special_mismatches}", '0 1 0', "@part" );
    }
}

# One wrong result of 2^22 + 1: flip_bit changes the last one of each part.
( $code, $row ) = sweep(qw(Neg --type f32 --stride 1 --low 1 --high 1.5 --form 4194305 --backend evil/flip_bit --database), "$dir/one.db");
is( "$code $row->{count} $row->{bad} $row->{correctly_rounded}", '1 4194305 1 0.999999', 'not all are correctly rounded' );
system("sqlite3 '$dir/one.db' \"UPDATE run SET state = 'stopped'; UPDATE sweep_part SET correct = 1\"");
my @again = ( qw(Neg --type f32 --stride 1 --low 1 --high 1.5 --form 4194305 --backend evil/flip_bit --resume --database), "$dir/one.db" );
( $code, $row ) = sweep(@again);
is( $row->{correctly_rounded}, 0.000001, 'one is' );
system("sqlite3 '$dir/one.db' \"UPDATE run SET state = 'stopped'\"");
like( scalar `'$assay' sweep @again 2>&1 </dev/null`, qr/correctly rounded 0\.000001,/, 'as text, too' );

# Order.  Neg falls.  flip_bit changes bit 8 of the last result of each part.  In
# f16 that is a bit of the fraction, which was set: in each of 31 binades a sign
# the result is smaller than the one before.
( $code, $row ) = sweep(qw(Neg --type f16 --exhaustive --backend evil/flip_bit));
is( "$row->{monotonicity_breaks} $row->{monotonicity_break_inputs}", '62 03fe 03ff', 'results out of order' );
# In bf16 it is the exponent's second bit.  Exponent fields e of 0 to 254: where
# that bit is set (127 of them) the result is out of order with the one before;
# elsewhere (128) it grows, and is with the one after, in the next part, except
# for e = 253, which becomes a NaN.
( $code, $row ) = sweep(qw(Neg --type bf16 --exhaustive --backend evil/flip_bit));
is( "$row->{monotonicity_breaks} $row->{monotonicity_break_inputs}", 2 * ( 127 + 127 ) . ' 007f 0080', 'between two parts, too' );
# Every other part has e = 0, 2, ..., of which 64 have the bit, and no neighbours.
my @halves = map { "$dir/order$_.db" } 1, 2;
for my $i ( 1, 2 ) {
    ( $code, $row ) = sweep( qw(Neg --type bf16 --exhaustive --backend evil/flip_bit), '--shard', "$i/2", '--database', $halves[ $i - 1 ] );
    is( $row->{monotonicity_breaks}, $i == 1 ? 2 * 64 : 2 * 63, "of shard $i" );
}
( $code, $row ) = sweep( qw(Neg --type bf16 --exhaustive --backend evil/flip_bit --database), "$dir/order.db", map { ( '--join', $_ ) } @halves );
is( $row->{monotonicity_breaks}, 508, 'of both, joined' );
( $code, @rows ) = sweep(qw(--all-unary --type f8e5m2 --backend reference));
my @ordered = grep { defined $_->{monotonicity_breaks} } @rows;
cmp_ok( scalar @ordered, '>=', 28, 'functions that are monotone' );
is( join( ' ', map { $_->{op} } grep { $_->{monotonicity_breaks} } @ordered ), '', 'keep their order in the reference' );
( $code, $row ) = sweep(qw(Sin --type f16 --backend reference));
is( $row->{monotonicity_breaks}, 0, 'from -pi/2 to pi/2' );
( $code, $row ) = sweep(qw(ConvertElementType --type bf16 --to f8e4m3fn --backend reference));
is( $row->{monotonicity_breaks}, 0, 'to a type in which large numbers become NaN' );
( $code, $row ) = sweep(qw(Sin --type f16 --stride 2 --backend reference));
is( $row->{monotonicity_breaks}, undef, 'inputs that are not neighbours are not compared' );

# Conversions.  f4e2m1fn has 4 and 6: 5 is half an ulp from both.
( $code, $row ) = sweep(qw(ConvertElementType --type s8 --to f4e2m1fn --backend reference));
is( "$code $row->{count} $row->{max_ulp} $row->{max_ulp_input}", '0 256 0.5 05', 'from s8 to f4e2m1fn' );
( $code, $row ) = sweep(qw(ConvertElementType --type f16 --to f32));
is( "$code $row->{count} $row->{max_ulp} $row->{to}", '0 65536 0 f32', 'from f16 to f32: every value is exact' );

# Shards have the rows of the whole, however often each is given.
sub rows {
    my ($file) = @_;
    return scalar `sqlite3 '$file' 'SELECT first, count, correct, bad, special, error, worst_input FROM sweep_part ORDER BY first' 'SELECT bin, count FROM sweep_bin ORDER BY bin' 'SELECT state, shard FROM run ORDER BY id'`;
}
my @sqrt = qw(Sqrt --type f16 --form 1000);
sub shard { return "$dir/shard$_[0].db" }
for my $i ( 1 .. 3 ) {
    ( $code, $row ) = sweep( @sqrt, '--shard', "$i/3", '--database', shard($i) );
    is( "$code $row->{shard}/$row->{shards}", "0 $i/3", "shard $i" );
}
unlink glob "$db*";
( $code, my $whole ) = sweep(@sqrt);
my $due = rows($db);
for my $given ( [ 3, 1, 2, 1 ], [ 2, 3 ] ) {
    unlink glob "$dir/joined.db*";
    ( $code, $row ) = sweep( @sqrt, '--database', "$dir/joined.db", map { ( '--join', shard($_) ) } @$given );
    is_deeply( $row, $whole, "shards @$given joined: what is printed" );
    is( rows("$dir/joined.db"), $due, 'and the rows' );
}
( $code, $row ) = sweep(qw(Not --type u4 --shard 9/9));
is( "$code $row->{count}", '0 0', 'a shard without a part' );
( $code, $row ) = sweep( qw(Exp --type f16 --form 1000 --database), "$dir/other.db", '--join', shard(1) );
is( $code, 2, 'a shard of another sweep' );
like( `cat '$dir/err'`, qr{shard1\.db: has no part of this sweep}, 'is named' );
ok( !-e "$dir/other.db", 'and nothing is begun' );
( $code, $row ) = sweep( @sqrt, qw(--shard 1/2 --database), "$dir/other.db", '--join', shard(1) );
is( $code, 2, 'a shard takes over nothing' );
like( `cat '$dir/err'`, qr{--shard cannot be combined with --join}, 'as is told' );
ok( !-e "$dir/other.db", 'before anything is begun' );

# An interrupted shard is resumed, but not as a shard of another number of them.
my $third = "$dir/third.db";
sub states { return scalar `sqlite3 '$_[0]' "SELECT state, shard || '/' || shards FROM run ORDER BY id"` }
sweep( @sqrt, qw(--shard 1/3 --database), $third );
system("sqlite3 '$third' \"UPDATE run SET state = 'stopped'; DELETE FROM sweep_part WHERE first > 32768\"");
# 66 parts: of 64 shards the first has parts 1 and 65, the 22 of 1/3 are 1, 4, ...
( $code, $row ) = sweep( @sqrt, qw(--shard 1/64 --resume --database), $third );
is( "$code $row->{count}", '0 2000', 'a shard of more' );
is( states($third), "stopped|1/3\ncomplete|1/64\n", 'is a run of its own' );
( $code, $row ) = sweep( @sqrt, qw(--shard 1/3 --resume --database), $third );
is( "$code $row->{count}", '0 22000', 'the interrupted one is gone on with' );
is( states($third), "complete|1/3\ncomplete|1/64\n", 'and ends' );

# Pairs, too: the largest error has its right operand, as in the whole.
my @atan2 = qw(Atan2 --type f8e5m2 --pairs --backend reference);
( $code, $whole ) = sweep( @atan2, '--database', "$dir/atan2.db" );
is( $whole->{max_ulp_input}, '01 40', 'two operands' );
sweep( @atan2, '--shard', "$_/3", '--database', "$dir/atan2-$_.db" ) for 1 .. 3;
( $code, $row ) = sweep( @atan2, '--database', "$dir/atan2-joined.db", map { ( '--join', "$dir/atan2-$_.db" ) } 1 .. 3 );
is_deeply( $row, $whole, 'shards of pairs joined' );
system("sqlite3 '$dir/atan2.db' \"UPDATE run SET state = 'stopped'; DELETE FROM sweep_part WHERE first = 200\"");
( $code, $row ) = sweep( @atan2, '--resume', '--database', "$dir/atan2.db" );
is( "$row->{count} $row->{max_ulp_input}", '65536 01 40', 'and resumed' );

# The first wrong values are those of the first parts, in any order of workers.
my @first = map {
    unlink glob "$db*";
    scalar `timeout 100 '$assay' sweep Neg --type f16 --form 64 --backend evil/flip_bit -j $_ --database '$db' 2>/dev/null </dev/null`
} 1, 4;
like( $first[0], qr/wrong values:\n(?:    .*\n){8}/, 'eight wrong values' );
is( $first[0], $first[1], 'whatever the number of workers' );

# The exact, slow path gives the same, in every part and bin.
for my $sweep (
    [qw(Exp --stride 65521)],
    [qw(Tan --stride 65521 --profile strict)],
    [qw(Log1p --type bf16 --exhaustive)],
    [qw(Tanh --stride 262139 --backend evil/flush --profile strict)],
    [qw(Add --type f16 --second 0.1)],
    [qw(Floor --type bf16)],
  )
{
    my @rows;
    for my $slow ( [], ['--slow'] ) {
        unlink glob "$db*";
        my ( $code, $row ) = sweep( @$sweep, @$slow );
        push @rows, join "\n", $code, JSON::PP->new->canonical->encode($row),
          query('SELECT first, count, correct, bad, special, error, worst_input FROM sweep_part'),
          query('SELECT bin, count FROM sweep_bin');
    }
    cmp_ok( length $rows[0], '>', 200, "@$sweep" );
    is( $rows[0], $rows[1], 'and --slow' );
}

# A run, too: sums and products in the processor's arithmetic, or in MPFR.
my @verdicts;
for my $slow ( '', '--slow' ) {
    unlink glob "$db*";
    system("timeout 100 '$assay' run --backend evil/double_rounding --filter 'Mul/random*'"
          . " --filter 'DotGeneral/exact/*' --database '$db' -q $slow >/dev/null 2>&1 </dev/null");
    push @verdicts, query('SELECT name, status, units, correct, bad, error, worst_input FROM outcome ORDER BY name');
}
cmp_ok( scalar( split /\n/, $verdicts[0] ), '>', 3, 'a run' );
is( $verdicts[0], $verdicts[1], 'and --slow' );

for my $bad (
    [ 'pairs of a function of one operand', qw(Exp --type f16 --pairs) ],
    [ 'a conversion to nothing', qw(ConvertElementType --type f16) ],
    [ 'a function to another type', qw(Exp --type f16 --to f32) ],
    [ 'an unknown type', qw(ConvertElementType --to f17) ],
    [ 'a shard that is none', qw(Exp --type f16 --shard 4/3) ],
    [ 'a database that is none', qw(Exp --type f16 --join /dev/null) ],
    [ 'pairs of a wide type',   qw(Add --pairs) ],
    [ 'pairs with a step',      qw(Add --type f16 --pairs --stride 2) ],
    [ 'pairs with an operand',  qw(Add --type f16 --pairs --second 2) ],
    [ 'all inputs of a wide type', qw(Exp --type f64 --exhaustive) ],
    [ 'all inputs with bounds', qw(Exp --exhaustive --low 1) ],
    [ 'no operation',       'Nonsense' ],
    [ 'too many operands',  'Clamp' ],
    [ 'no such type',       'Exp', '--type', 's32' ],
    [ 'no second operand',  'Add' ],
    [ 'one operand',        'Exp', '--second', '1' ],
    [ 'arrays of several binades',   qw(Exp --type f16 --exhaustive --form 4099) ],
    [ 'arrays of parts of binades',  qw(Exp --type f16 --exhaustive --form), '1024,1000' ],
    [ 'bounds the wrong way', 'Exp', '--low', '2', '--high', '1' ],
    [ 'too many parts',     'Exp', '--stride', '1', '--form', '1' ],
  )
{
    my ( $what, @arguments ) = @$bad;
    ($code) = sweep( @arguments, '--backend', 'reference' );
    is( $code, 2, $what );
}

# Of all functions only those without the type are left out.
sweep( qw(Exp --type f8e5m2 --backend reference --database), "$dir/exp.db" );
for my $bad (
    [ qr/unknown backend 'nosuch'/,           qw(--type s8 --backend nosuch) ],
    [ qr/unknown profile 'nosuch'/,           qw(--type s8 --profile nosuch) ],
    [ qr/'abc' is not a number/,              qw(--type s8 --low abc) ],
    [ qr/lower bound is above the upper one/, qw(--low 5 --high 1) ],
    [ qr/too many inputs/,                    qw(--type f64 --exhaustive) ],
    [ qr/cannot be combined with --second/,   qw(--type f16 --second 2) ],
    [ qr/cannot be combined with --second or --to/, qw(--type f16 --to f32) ],
    [ qr/exp\.db: has no part of this sweep/, qw(--type f8e5m2 --join), "$dir/exp.db" ],
  )
{
    my ( $why, @arguments ) = @$bad;
    ( $code, @rows ) = sweep( '--backend', 'reference', '--all-unary', @arguments );
    is( "$code " . @rows, '2 0', "all functions, @arguments" );
    like( `cat '$dir/err'`, $why, 'and why not' );
}

# From -1e308 to infinity are nearly 2^64 numbers of f64, from 1 to 2 2^52 + 1.
for my $many ( [ 'more than 2^60', qw(--low -1e308) ], [ 'more than 2^60' ], [ 'more than 2^60', qw(--form 1) ], [ '4503599627370497', qw(--low 1 --high 2) ] ) {
    my ( $count, @bounds ) = @$many;
    ($code) = sweep( qw(Exp --type f64 --stride 1 --backend reference), @bounds );
    is( $code, 2, "$count points" );
    like( scalar `cat '$dir/err'`, qr/: \Q$count\E points in arrays of \d+ are too many parts/, 'are too many' );
}
($code) = sweep(qw(Sin --type f8e4m3 --backend native));
is( $code, 1, 'nothing was judged' );
like( `cat '$dir/err'`, qr/^assay sweep: nothing was judged$/m, 'and that is told' );
($code) = sweep(qw(--all-unary --type f8e4m3 --backend native));
is( $code, 1, 'nor of all functions' );
( $code, @rows ) = sweep( qw(Neg --type s8 --backend reference --svg), "$dir/nowhere/x.svg" );
is( "$code " . @rows, '2 0', 'a picture that cannot be written is told before the sweep' );
( $code ) = sweep( qw(Neg --type s8 --backend reference --database), "$dir/nowhere/x.db" );
is( $code, 2, 'a database in no folder' );

# Killed, and gone on with: every part is there once.
unlink glob "$db*";
my @long = qw(Exp --type f32 --backend reference --stride 4096 --form 512 --jobs 1);
my $pid = fork;
if ( !$pid ) {
    open STDOUT, '>', '/dev/null';
    exec $assay, 'sweep', '--database', $db, '--json', @long;
}
for ( 1 .. 200 ) {
    last if ( query('SELECT count(*) FROM sweep_part') || 0 ) > 20;
    select undef, undef, undef, 0.05;
}
kill 9, $pid;
waitpid $pid, 0;
my $before = query('SELECT count(*) FROM sweep_part');
cmp_ok( $before, '<', 2048, 'killed on the way' );
( $code, $row ) = sweep( @long, '--resume' );
is( $code,          0,       'it continues' );
is( $row->{count},  1048576, 'all inputs are judged' );
is( query('SELECT count(*) FROM sweep'),      1,       'one sweep' );
is( query('SELECT count(*) FROM sweep_part'), 2048,    'each part once' );
is( query('SELECT sum(count) FROM sweep_bin'), 1048576, 'each input in one bin' );
my $files = eval { decode_json( query('SELECT profile_json FROM run') ) } || [];
is( join( ' ', map { $_->{profile} } @$files ), 'spec strict', 'the profile is kept' );

# ---- Expectations ---------------------------------------------------------------

unlink glob "$db*";
my $run = "timeout 100 '$assay' run --backend evil/zero_sign --filter 'Neg/special/*' --filter 'Mul/special/*' --database '$db' -q";
system("$run >'$dir/out' 2>&1 </dev/null");
is( $? >> 8, 1, 'a run that fails' );
my $made = `'$assay' expect '$db' 2>'$dir/err'`;
is( $? >> 8, 0, 'assay expect' );
my $list = eval { decode_json($made) } || {};
is( $list->{format}, 'assay-expectations/1', 'it writes expectations' );
cmp_ok( scalar @{ $list->{expect} || [] }, '>', 0, 'with entries' );
open my $f, '>', "$dir/known.json" or die $!;
print $f $made;
close $f;
system("$run --expectations '$dir/known.json' >'$dir/out' 2>&1 </dev/null");
is( $? >> 8, 0, 'the same run is green with them' );
# What the backend does is the sign of zero, and nothing else.
my @natures = grep { $_->{kind} eq 'fail' && $_->{nature} ne 'zero-sign' } @{ $list->{expect} };
is( scalar @natures, 0, 'each with the nature of its failures' );
like( $list->{expect}[0]{reason}, qr/^sign of zero: got -?0, expected -?0.*; \d+ of [\d,]+ units in \d+ cases?$/,
    'and a reason in figures' );
my %own = (
    reference => 'elsewhere#1', url => 'https://example.org/1', until => '2999-12-31',
    owner => 'ann', note => 'by hand', versions => [ '*', 'never "1"' ],
);
$_ = { %$_, %own, reason => 'an old friend' } for @{ $list->{expect} };
open $f, '>', "$dir/old.json" or die $!;
print $f encode_json($list);
close $f;
my $again = `'$assay' expect --keep '$dir/old.json' '$db'`;
my @kept = @{ decode_json($again)->{expect} };
for my $key ( sort keys %own ) {
    is_deeply( [ map { $_->{$key} } @kept ], [ ( $own{$key} ) x @kept ], "--keep keeps $key" );
}
unlike( $again, qr/an old friend/, 'but no reason' );
# Entries of another version stay, and say nothing of this one.
$_->{versions} = ['never'] for @{ $list->{expect} };
open $f, '>', "$dir/other.json" or die $!;
print $f encode_json($list);
close $f;
my @both = @{ decode_json( scalar `'$assay' expect --keep '$dir/other.json' '$db'` )->{expect} };
is_deeply( [ map { $_->{reason} eq 'an old friend' ? $_ : () } @both ], $list->{expect},
    'entries of another version stay as they are' );
is( scalar( grep { !$_->{versions} && !$_->{note} } @both ), scalar @kept,
    'and the new ones have none of what they say' );
# Two runs that disagree.
system("timeout 100 '$assay' run --backend reference --filter 'Neg/special/*' --filter 'Mul/special/*' --database '$dir/right.db' -q >'$dir/out' 2>&1 </dev/null");
unlike( $made, qr/\?/, 'no question mark from one run' );
my $text = `'$assay' expect '$db' '$dir/right.db'`;
my $both = decode_json($text);
is( scalar( grep { $_->{kind} ne 'fail?' } @{ $both->{expect} } ), 0, 'a question mark where two runs disagree' );
like( $both->{expect}[0]{reason}, qr/; right in another run or attempt$/, 'and why' );
system("timeout 100 '$assay' run --backend reference --filter 'Neg/special/*' --filter 'Mul/special/*' --database '$db' -q --expectations '$dir/known.json' >'$dir/out' 2>&1 </dev/null");
is( $? >> 8, 1, 'what went away turns it red' );
done_testing();
