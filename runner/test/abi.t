#!/usr/bin/perl
# abi.t - the plugin ABI in other hands: the example to copy, old standards.
#
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;

my $build = $ENV{B}  || 'build';
my $cc    = $ENV{CC} || 'cc';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );

sub run_quietly {
    my $out = qx{@_ 2>&1};
    diag $out if $?;
    return $? == 0;
}

# The example to copy compiles as each standard that the header promises, and
# is right about everything that it says it does.
my $flags = '-Wall -Wextra -Wpedantic -Werror -Ispec -fPIC -shared -fvisibility=hidden';
for my $std (qw(c99 c11 c17)) {
    ok run_quietly("$cc -std=$std $flags -o $dir/example.so runner/backends/example/example.c -lm"),
      "the example compiles as $std";
}
my @counts = qx{$assay run --backend $dir/example.so --database $dir/example.db --filter 'Add/*' --filter 'Sqrt/*' --filter 'Div/*' 2>&1};
is $?, 0, 'no case fails on the example' or diag @counts;
like "@counts", qr/ cases: [1-9]\d* pass \d+ unsupported$/m, 'the example passes cases';

# A plugin shows its one symbol and nothing else.
for my $plugin ( "$dir/example.so", "$build/backends/native.so",
    "$build/backends/reference.so" )
{
    my @symbols = map { (split)[-1] } qx{nm -D --defined-only $plugin};
    is_deeply [ grep { !/^(_|__)/ } @symbols ], ['assay_backend_open'],
      "$plugin exports one symbol";
}

# The template uses the ABI's headers and C99 alone.
for my $file ( glob 'runner/backends/native/*.c' ) {
    ok run_quietly(
        "$cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Ispec -fsyntax-only $file"),
      "$file is C99";
    open my $f, '<', $file or die $!;
    my @odd = grep { /^#\s*include/ && !/"(native\.h|ops\.def)"|<[a-z]+\.h>|<assay\/[a-z_\/]+\.h>/ } <$f>;
    is "@odd", '', "$file includes the ABI and the C library";
}

# The header is C++ too.
my $cxx = $ENV{CXX} || 'c++';
open my $f, '>', "$dir/header.cc" or die $!;
print $f "#include <assay/backend.h>\n";
close $f;
ok run_quietly(
    "$cxx -std=c++11 -Wall -Wextra -Wpedantic -Wpadded -Werror -Ispec -fsyntax-only $dir/header.cc"),
  'the header compiles as C++11';
done_testing;
