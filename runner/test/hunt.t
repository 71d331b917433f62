#!/usr/bin/perl
# hunt.t - assay hunt, from outside.
#
# SPDX-License-Identifier: Apache-2.0
#
# What is to be found was put there: evil/narrow adds 8 ulps at 1, and less up
# to 1 + 2^-24; evil/periodic adds 2 near multiples of (log 3) / 3, and 9 near
# those from 512 to 1024.  All else follows from the formats: -x is exact, a quotient and a
# square root are correctly rounded by every processor, a round has 512 parts of 4096
# inputs, of which at most 4 are judged if they are screened (f64, without --slow).
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );
my $db    = "$dir/results.db";
my $parts = 512;
my $round = $parts * 4096;

sub hunt {
    my $out = `timeout 300 '$assay' hunt --database '$db' --json @_ 2>'$dir/err' </dev/null`;
    return ( $? >> 8, $out =~ /^\{/ ? decode_json($out) : {} );
}

sub said { return scalar `cat '$dir/err'` }

sub rows {
    return scalar `sqlite3 '$_[0]' 'SELECT first, count, correct, bad, special, error, worst_input, worst_second FROM sweep_part ORDER BY first' 'SELECT bin, count FROM sweep_bin ORDER BY bin' 2>&1`;
}

sub query {
    my $out = `sqlite3 -cmd '.timeout 5000' '$db' "$_[0]" 2>/dev/null`;
    chomp $out;
    return $out;
}

sub begin_anew { unlink glob "$db*"; return }

# ---- What it finds ---------------------------------------------------------------

my @narrow = qw(Sqrt --backend evil/narrow --seed 1);
my ( $code, $row ) = hunt( @narrow, qw(--rounds 6 --svg), "$dir/picture.svg" );
is( $code,        1,           'a result outside its set' );
is( $row->{type}, 'f64',       'of f64 unless another type is asked for' );
is( $row->{searched}, 6 * $round, 'six rounds' );
cmp_ok( $row->{count}, '>=', 6 * $parts, 'of each part something is judged' );
cmp_ok( $row->{count}, '<=', 6 * $parts * 4, 'and little' );
is( query('SELECT sum(count) FROM sweep_part'), $row->{count}, 'as the database says' );
is( query('SELECT sum(count) FROM sweep_bin'),  $row->{count}, 'of its errors, too' );
cmp_ok( $row->{max_ulp}, '>', 7, 'a fault of few inputs is found, and nearly where it is largest' );
like( $row->{max_ulp_input}, qr/^3ff000000[0-9a-f]{7}$/, 'the input' );
my ($worst) = grep { $_->{first} eq '3ff0000000000000' } @{ $row->{binades} };
is( $worst && $worst->{max_ulp_input}, $row->{max_ulp_input}, 'its binade names it' );
like( scalar `cat '$dir/picture.svg'`, qr/^<svg .*<\/svg>\s*$/s, 'a picture' );
is( said(), '', 'no progress where there is no terminal' );
begin_anew();
my ( undef, $slow ) = hunt( @narrow, qw(--rounds 1 --slow) );
is( "$slow->{count} $slow->{searched}", "$round $round", '--slow: all are judged' );
( $code, $row ) = hunt( @narrow, qw(--rounds 1 --resume) );
is( query('SELECT count(*) FROM run'), 2, 'a hunt that screens does not go on with one that does not' );
begin_anew();
( $code, $row ) = hunt(qw(Sqrt --backend evil/periodic --seed 2 --rounds 30));
cmp_ok( $row->{max_ulp}, '>', 9, 'errors with a period lead to larger ones far away' );
begin_anew();
( $code, $row ) = hunt(qw(Neg --rounds 2));
is( "$code $row->{bad} $row->{correctly_rounded} " . ( $row->{max_ulp} // 'null' ), '0 0 1 null', 'a backend that is right' );

begin_anew();
( $code, $row ) = hunt(qw(Div --type f32 --rounds 1));
is( "$code $row->{count} $row->{correctly_rounded}", "0 $round 1", 'pairs of f32' );
cmp_ok( $row->{max_ulp}, '<=', 0.5, 'no error above half an ulp' );
cmp_ok( $row->{max_ulp}, '>', 0.4999, 'and one near it' );
like( $row->{max_ulp_input}, qr/^[0-9a-f]{8} [0-9a-f]{8}$/, 'the largest error has two operands' );
is( query('SELECT hunt FROM sweep'), 1, 'the database says that it is a hunt' );
is( query('SELECT count(*) FROM sweep_part WHERE error IS NOT NULL AND worst_second IS NULL'), 0, 'and has both operands' );
begin_anew();
( $code, $row ) = hunt(qw(Sub --type f64 --rounds 1));
is( "$code $row->{correctly_rounded}", '0 1', 'pairs of f64' );

# ---- The same inputs -------------------------------------------------------------

my %rows;
for my $what ( [ first => 5 ], [ again => 5 ], [ other => 6 ] ) {
    my ( $name, $seed ) = @$what;
    begin_anew();
    hunt( qw(Sqrt --rounds 2 --seed), $seed );
    $rows{$name} = rows($db);
}
cmp_ok( length $rows{first}, '>', 10000, 'rows' );
is( $rows{again}, $rows{first}, 'the same seed gives the same inputs' );
isnt( $rows{other}, $rows{first}, 'another seed others' );

begin_anew();
( $code, my $whole ) = hunt( @narrow, qw(--rounds 3 -j 1) );
my $due = rows($db);
begin_anew();
hunt( @narrow, qw(--rounds 1) );
is( query('SELECT state FROM run'), 'stopped', 'a hunt is never complete' );
( $code, $row ) = hunt( @narrow, qw(--rounds 3 --resume -j 3) );
is_deeply( $row, $whole, 'gone on with after one round: what is printed' );
is( rows($db), $due, 'and the rows' );
is( query('SELECT count(*) FROM run'), 1, 'in one run' );
( $code, $row ) = hunt( @narrow, qw(--rounds 3 --resume) );
is_deeply( $row, $whole, 'gone on with when all is done' );

begin_anew();
my $pid = fork;
if ( !$pid ) {
    open STDOUT, '>', '/dev/null';
    exec $assay, 'hunt', '--database', $db, @narrow, qw(--rounds 3 -j 1);
}
for ( 1 .. 400 ) {
    last if ( query('SELECT count(*) FROM sweep_part') || 0 ) > 600;
    select undef, undef, undef, 0.02;
}
kill 9, $pid;
waitpid $pid, 0;
( $code, $row ) = hunt( @narrow, qw(--rounds 3 --resume) );
is_deeply( $row, $whole, 'killed, and gone on with' );
is( rows($db), $due, 'each part once' );

begin_anew();
( $code, $row ) = hunt(qw(Neg --seconds 0.001));
is( "$code $row->{rounds}", '0 1', 'at least one round, however little time' );
( $code, $row ) = hunt(qw(Neg --seconds 0.001 --resume));
is( "$code $row->{rounds}", '0 2', 'and another when gone on with' );
mkdir "$dir/empty";
( $code, $row ) = hunt( qw(Neg --rounds 1 --cases), "$dir/empty" );
is( $code, 0, 'without cases' );

# ---- What it refuses -------------------------------------------------------------

mkdir "$dir/bad";
mkdir "$dir/bad/Neg";
open my $f, '>', "$dir/bad/Neg/x.json" or die $!;
print $f '{';
close $f;
begin_anew();
for my $bad (
    [ 'no operation',        qr/expected an operation/ ],
    [ 'an unknown one',      qr/unknown operation 'Nonsense'/,      'Nonsense' ],
    [ 'two operations',      qr/expected one operation/,            'Exp', 'Log' ],
    [ 'three operands',      qr/one or two operands/,               'Clamp' ],
    [ 'a conversion',        qr/assay sweep --to/,                  'ConvertElementType' ],
    [ 'a narrow type',       qr/expected f32 or f64/,               'Exp', '--type', 'f16' ],
    [ 'an integer type',     qr/s32 is not a float type of 32 or 64 bits: expected f32/,               'Neg', '--type', 's32' ],
    [ 'a complex type',      qr/expected/,                          'Exp', '--type', 'c64' ],
    [ 'an unknown type',     qr/unknown element type 'f17' \(nearest: 'f16'\)/,          'Exp', '--type', 'f17' ],
    [ 'no round',            qr/rounds/,                            'Exp', '--rounds', '0' ],
    [ 'no time',             qr/seconds/,                           'Exp', '--seconds', '0' ],
    [ 'a negative seed',     qr/seed/,                              'Exp', '--seed', '-1' ],
    [ 'an option of sweeps', qr/unrecognized option/,               'Exp', '--exhaustive' ],
    [ 'a bad case file',     qr{bad/Neg/x\.json},                   'Neg', '--cases', "$dir/bad" ],
    [ 'no folder of cases',  qr{nonexist: No such file or directory}, 'Neg', '--rounds', '1', '--cases', "$dir/nonexist" ],
    [ 'a file of cases',     qr{err: Not a directory},              'Neg', '--rounds', '1', '--cases', "$dir/err" ],
    [ 'no folder for the picture', qr/--svg/,                       'Neg', '--svg', "$dir/nowhere/x.svg" ],
  )
{
    my ( $what, $why, @arguments ) = @$bad;
    ($code) = hunt(@arguments);
    is( $code, 2, $what );
    like( said(), $why, 'and why' );
}
ok( !-e $db, 'and nothing is begun' );
( $code, $row ) = hunt( qw(Exp --type f32 --rounds 1 --backend evil/wrong_shape --database), "$dir/shape.db" );
is( "$code $row->{count} $row->{failed_parts}", "1 0 $parts", 'results of another shape are none' );
like( $row->{why}, qr/rank 2, expected 1/, 'and why' );
($code) = hunt( qw(Neg --rounds 1 --database), "$dir/nowhere/x.db" );
is( $code, 2, 'a database in no folder' );
like( scalar `'$assay' hunt --help`, qr/--seconds=N/, 'its help' );
done_testing;
