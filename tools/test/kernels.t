#!/usr/bin/perl
# kernels.t - the kernels of interp/fast are those that were checked.
#
# SPDX-License-Identifier: Apache-2.0
#
# spec/kernels.json has the hash of the source that was proved and compared on
# every input with a second kernel (tools/checks/check_twice.h).  Here each kernel and
# each second kernel is compared with MPFR on a sample of inputs, drawn anew
# (ASSAY_SEED=N repeats them; ASSAY_SAMPLES=N takes more).
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $build = $ENV{B} || 'build';
my $seed  = $ENV{ASSAY_SEED} || time;
srand $seed;
diag "ASSAY_SEED=$seed";

my $changed = `python3 tools/kernels/signed.py 2>&1`;
is( $changed, '', 'every kernel is the one that was checked' );
is( $?,       0,  'and that can be told' );

# Every input of f32.
my $left = q{import sys; sys.path.insert(0, 'tools/kernels'); import signed; }
  . q{print(len(signed.unary()) >= 22, signed.unchecked())};
is( `python3 -c "$left"`, "True []\n", 'every kernel of one operand was compared on every input' );

# An edited kernel is noticed; an edited comment changes no value.
my $copy = tempdir( CLEANUP => 1 );
system("mkdir -p $copy/interp $copy/tools $copy/spec && cp -R interp/fast $copy/interp"
      . " && cp -R tools/kernels $copy/tools && cp spec/kernels.json $copy/spec") == 0
  or die;
sub edit {
    my ( $file, $from, $to ) = @_;
    local @ARGV = ($file);
    local $^I = '';
    my $edits = 0;
    while (<>) { $edits += s/\Q$from\E/$to/; print }
    is( $edits, 1, "one edit of $file" );
    return `python3 $copy/tools/kernels/signed.py 2>&1`;
}
is( edit( "$copy/interp/fast/fast_root.c", 'One step of', 'A step of' ), '', 'a comment' );
is( edit( "$copy/interp/fast/fast_bits.h", 'defined(__x86_64__)', 'defined(__i386__)' ),
    '', 'where a loop is also compiled' );
like( edit( "$copy/interp/fast/fast_root.c", '1 - m * (y * y * y)', '1 - m * y * y * y' ),
    qr/^Cbrt: fast_root\.c is not the source that was checked/m, 'an operation' );
like( edit( "$copy/interp/fast/fast_polynomial.h", '0x1.5555555555558p-3', '0x1.5555555555559p-3' ),
    qr/^Exp: fast_exp\.c is not/m, 'a coefficient' );
like( edit( "$copy/interp/fast/fast_bits.h", '"default")))', '"default"), hot))' ),
    qr/^Sin: fast_circle\.c is not/m, 'what else a loop is compiled with' );
like( edit( "$copy/interp/fast/fast_near.c", '-17.0 / 80640', '-17.0 / 80641' ),
    qr/^fast_near\.c is not/m, 'a term of a series' );

my $check = "'$build/tools/checks/check_kernel'";
open my $table, '<', 'interp/fast/fast.c' or die $!;
my @ops = map { /^    \{"(\w+)", "fast_\w+\.c", fast/ ? $1 : () } <$table>;

# A stride from 2^32 / n on comes round to the start.
sub draw {
    my ($n) = @_;
    my $stride = ( 2**32 / $n | 1 ) + 2 * int rand 1000;
    return sprintf( '%x', int rand 2**32 ), $n, $stride;
}
my $n = $ENV{ASSAY_SAMPLES} || ( $ENV{ASSAY_TEST_LONG} ? 1 << 22 : 1 << 17 );
for my $op (@ops) {
    my ( $first, $count, $stride ) = draw($n);
    my $said = `$check $op $first $count $stride`;
    is( $?, 0, "$op from $first, every $stride" ) or diag $said;
}

# The second kernels, within 2^-100.
for my $op (@ops) {
    my ( $first, $count, $stride ) = draw( $n / 2 );
    my $said = `$check $op $first $count $stride itself`;
    is( $?, 0, "second kernel of $op from $first, every $stride" ) or diag $said;
}

# An error of twice what is allowed, at one of 2^16 inputs, is noticed.
for my $op (@ops) {
    my $first = $op eq 'Acosh' ? 0x3fa00000 : 0x3e800000;
    for my $by (qw(mpfr twice itself)) {
        my $fault = sprintf '%08x', $first + int rand 2**16;
        my $said = sprintf "$check $op %x 65536 1 $by $fault", $first;
        like( `$said`, qr/^65536 (?:1\.[5-9]|2\.)\d+ $fault$/m, "$op by $by at $fault" );
        is( $? >> 8, 1, 'and fails' );
    }
}

done_testing;
