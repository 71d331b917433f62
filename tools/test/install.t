#!/usr/bin/perl
# install.t - what `make install` leaves works from where it is: the
# command, the library with its page's program, headers, completions.
#
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Temp qw(tempdir);
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Files qw(put get);

my $home = getcwd();
my $dir  = tempdir(CLEANUP => 1);
my $at   = "$dir/opt/assay";

# Exit code, and all output together, of a shell line in the new folder.
sub sh {
    my ($line) = @_;
    my $status = system('sh', '-c', "cd '$dir' && ($line) >'$dir/log' 2>&1 </dev/null");
    return ($status >> 8 | $status & 127, get("$dir/log"));
}

sub works {
    my ($name, $line) = @_;
    my ($code, $log) = sh($line);
    return ok($code == 0, $name) || diag("exit $code: $log");
}

# What `make test` was told (SAN, COV, CC) is in MAKEFLAGS.
my $make = 'make -j1 -C ' . quotemeta($home);
put("$dir/opt/assay/share/assay/cases/Gone/old.json", '') if system('mkdir', '-p', "$at/share/assay/cases/Gone") == 0;
works('make install with DESTDIR and PREFIX, with a strict umask',
    "umask 077; $make install DESTDIR='$dir' PREFIX=/opt/assay") or BAIL_OUT('nothing to look at');
is(`find '$at/bin' '$at/lib' '$at/include' '$at/share' ! -perm -444 -o -type d ! -perm -555`, '',
    'everybody can read what it leaves');
ok(!-e "$at/share/assay/cases/Gone", 'cases of an earlier version are gone');

# A name of a folder is a word of the recipes: each that would be several, or
# something else, is refused, and nothing is touched.
my @odd = map { my $f = $_; map { [$f, $_] } "$dir/o pt", "$dir/o\tpt", "$dir/o\npt", "$dir/o;pt", "$dir/o'pt", "$dir/o\$\$pt", "$dir/*" }
    qw(DESTDIR PREFIX B XLA_CPU);
mkdir "$dir/o";
put("$dir/o/kept", '');
for my $odd (@odd) {
    my ($setting, $name) = @$odd;
    open my $p, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', qw(make -C), $home, 'uninstall', "$setting=$name" or die $!;
    my $said = do { local $/; <$p> // '' };
    close $p;
    my $code = $? >> 8;
    ok($code == 2 && $said =~ /\Q$setting='\E.* the name of a folder must not contain blanks/s && -e "$dir/o/kept",
        "make uninstall refuses $setting=" . $name =~ s/\s/ /gr) or diag("exit $code: $said");
}
like(`make -C '$home' uninstall B= 2>&1`, qr/B='': the build folder must have a name/, 'and an empty B');

# ---- What is built for it ------------------------------------------------------

my $plan = `make -n -B -C '$home' run B='$dir/new' 2>&1`;
like($plan, qr{backends/native\.so}, 'make run builds what it runs');
unlike($plan, qr{evil}, 'and not the backends of the tests');
like(`make -n -B -C '$home' all B='$dir/new' 2>&1`, qr{evil}, 'which make all does');
my $flags = $ENV{MAKEFLAGS} // '';
my $extra = join ' ', $flags =~ /\bSAN=([\w,]+)/ ? "-fsanitize=$1" : (),
    $flags =~ /\bCOV=1/ ? '--coverage' : ();

# ---- The command ----------------------------------------------------------

works('the installed command finds its cases and a backend',
    "'$at/bin/assay' run --backend reference --filter 'Abs/*' --tier quick -q");
my ($code, $out) = sh("'$at/bin/assay' run --list --tier full --filter 'Abs/*' | head -1");
like($out, qr{^Abs/}, 'they are those of the suite');
works('lint of the installed cases', "'$at/bin/assay' lint -q -s '$at/share/assay/cases/Abs'");
ok(-s "$at/share/man/man1/assay.1", 'there is a manual page');
ok(-e "$at/lib/assay/backends/native.expect", 'and what native gets wrong');

# ---- The library ------------------------------------------------------------

my @headers = split /\n/, `cd '$at/include' && find . -name '*.h' -printf '%P\\n' | sort`;
is_deeply(\@headers,
    [qw(assay/backend.h assay/ext/custom_call.h assay/ext/earlier.h assay/ext/program_json.h
        assay/ext/stablehlo_text.h assay/kernel.h assay/reference.h)],
    'the headers are those that are a contract');

put("$dir/three.py", <<'END');
import os, shutil, assay, assay.library, numpy as np
library = os.path.dirname(shutil.which("assay")) + "/../lib/assay/libassay.so"
assert os.path.samefile(assay.library._beside_command(), library)
os.environ["ASSAY_LIBRARY"] = library
x = np.float32([0.5, 2, -0.0])
assay.assert_conforms(np.sqrt, "Sqrt", x)
END
# The sanitizer's runtime has to be there first; Python's leaks do not count.
my $first = $flags =~ /\bSAN=\S*address/
    ? 'LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0 ' : '';
works('Python finds and calls the installed library',
    "${first}PATH='$at/bin':\$PATH PYTHONPATH='$home/tools/python' /usr/bin/python3 three.py");

$ENV{PKG_CONFIG_PATH} = "$at/lib/pkgconfig";
chomp(my $pkg = `pkg-config --define-variable=prefix='$at' --cflags --libs assay 2>&1`);
like($pkg, qr/-lassay/, 'pkg-config knows the library') or diag($pkg);
works('the program of spec/embed.md builds as C99, without a warning',
    "cc -std=c99 -Wall -Wextra -Wpedantic -Werror $extra -o embed"
        . " '$home/tools/example/embed.c' $pkg");
SKIP: {
    skip 'cmake is not installed', 4 if system('command -v cmake >/dev/null 2>&1') != 0;
    mkdir "$dir/cmake";
    my $lists = sub {
        put("$dir/cmake/CMakeLists.txt", <<"END");
cmake_minimum_required(VERSION 3.10)
project(embed C)
find_package(assay $_[0] REQUIRED)
add_executable(embed "$home/tools/example/embed.c")
target_link_libraries(embed assay::assay)
END
    };
    my ($now) = `'$at/bin/assay' --version` =~ /^assay (\S+)/;
    my $make = "cmake -S cmake -B cmake/build -DCMAKE_PREFIX_PATH='$at'"
        . " -DCMAKE_C_FLAGS='$extra' && cmake --build cmake/build";
    $lists->($now);
    works('find_package(assay) finds the library', $make);
    works('and what it links runs', "./cmake/build/embed '$at/share/assay/cases/Abs/rules.json'");
    for my $other ('9.9', '0.1') {
        $lists->($other);
        my ($bad) = sh("rm -rf cmake/build; $make");
        isnt($bad, 0, "version $other is another one");
    }
}
for my $h (@headers) {
    put("$dir/one.cc", "#include <$h>\nint main() { return 0; }\n");
    works("$h from C++",
        "c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only one.cc $pkg");
}
put("$dir/link.cc", <<'END');
#include <assay/reference.h>
#include <cstdio>
/* Names of the interpreter: a program may have its own. */
int json_parse = 1, arena_alloc = 2, spec_load = 3, shape_text = 4;
int main()
{
    assay_error error = assay_error();
    error.size = sizeof error;
    assay_reference *r;
    assay_code code = assay_reference_parse("here", "{", 1, NULL, &r, &error);
    std::printf("%d %s\n", (int)code, error.text);
    return r != NULL || json_parse + arena_alloc + spec_load + shape_text != 10;
}
END
works('C++ links, with names of its own', "c++ -Werror $extra -o link link.cc $pkg && ./link");
like(get("$dir/log"), qr/^7 here:1:\d+: /, 'and an error says where it is');

my @names = map { (split)[2] } grep { / [A-Z] / }
    split /\n/, `nm -g --defined-only '$at/lib/libassay.a'`;
my $declared = get("$at/include/assay/reference.h");
my @missing = grep { my $n = $_; $declared !~ /\b\Q$n\E\(/ } @names;
ok(@names >= 17 && !@missing, 'the library defines what its header declares')
    or diag("not declared: @missing (of " . @names . ')');

# ---- The page's program -----------------------------------------------------

put("$dir/case.json", <<'END');
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "sum", "why": "adds",
   "inputs": [{"shape": "f32[2]", "data": [1, "1e-45"]}, {"shape": "f32[2]", "data": [2, "1e-45"]}],
   "expect": [{"shape": "f32[2]", "data": [4, "3e-45"]}]},
  {"id": "bad", "why": "shapes that do not fit",
   "inputs": [{"shape": "f32[2]", "splat": 1}, {"shape": "f32[3]", "splat": 1}],
   "expect": {"error": "shape"}}]}
END
($code, $out) = sh("./embed case.json");
is($code, 0, 'the program runs');
# 1 + 2 = 3 by hand; 2^-148 may be flushed to zero (spec/policies.json).
like($out, qr{^case/sum\n  output 0: f32\[2\], 8 bytes\n    3  accept 3\n}, 'values');
like($out, qr{3e-45  accept \[-0, 0\] \| 3e-45\n}, 'what else is accepted');
like($out, qr{flipped: 1 of 2 units are wrong}, 'a wrong result is found');
like($out, qr{differs from the case.s expect: .*0}, 'an expectation that is wrong too');
like($out, qr{case/bad\n  invalid: .*\n\z}, 'and an invalid program, as expected');
($code, $out) = sh("./embed nowhere.json");
ok($code == 2 && $out =~ /^embed: nowhere.json: .*No such file/, 'a file that is missing')
    or diag($out);
for my $file (glob "$home/cases/{AllReduce,Sort,While,Infeed,Complex}/*.json") {
    my ($code, $out) = sh("timeout 100 ./embed '$file'");
    my $short = $file =~ s{.*/cases/}{}r;
    ok($code == 0 && $out !~ /differs from the case.s expect/, "the values of $short")
        or diag("exit $code: " . substr $out, -300);
}

my $page = get("$home/spec/embed.md");
my $program = get("$home/tools/example/embed.c");
$program =~ s/^(?=.)/    /mg;
ok(index($page, $program) >= 0, 'spec/embed.md shows this very program');

# ---- Completion ---------------------------------------------------------------

put("$dir/try.bash", <<'END');
source opt/assay/share/bash-completion/completions/assay || exit
touch case.json run.db
mkdir -p folder
while read -r line; do
    COMP_WORDS=($line)
    [ "${COMP_WORDS[-1]}" != . ] || COMP_WORDS[-1]=
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _assay
    echo "$line > ${COMPREPLY[*]}"
done
END
my @tries = (
    ['assay re'                 => qr/^report$/],
    ['assay help sw'            => qr/^sweep$/],
    ['assay run --prof'         => qr/^--profile$/],
    ['assay run --profile s'    => qr/^spec stablehlo strict$/],
    ['assay run --profile = xla-e' => qr/^xla-exhaustive$/],
    ['assay run --backend re'   => qr/^reference$/],
    ['assay run -b n'           => qr/^native$/],
    ['assay run --tier = .'     => qr/^quick default full$/],
    ['assay run --tier ='       => qr/^quick default full$/],
    ['assay run --tier d'       => qr/^default$/],
    ['assay report -f .'        => qr/^text html json markdown junit tap badge$/],
    ['assay report --format = ju' => qr/^junit$/],
    ['assay report r'           => qr{(^| )run\.db\b}],
    ['assay diff run.db ru'     => qr{(^| )run\.db\b}],
    ['assay bisect run.db ru'   => qr{(^| )run\.db\b}],
    ['assay bisect --fr'        => qr/^--fresh$/],
    ['assay eval ca'            => qr/^case\.json$/],
    ['assay lint fo'            => qr/^folder$/],
    ['assay sweep Log'          => qr/^Log Log1p Logistic$/],
    ['assay sweep --type bf'    => qr/^bf16$/],
    ['assay cover -f m'         => qr/^markdown$/],
);
put("$dir/lines", join '', map { "$_->[0]\n" } @tries);
($code, $out) = sh('bash --norc try.bash <lines');
for my $t (@tries) {
    my ($got) = $out =~ /^\Q$t->[0]\E > (.*)$/m;
    like($got // "none: $out", $t->[1], "bash completes: $t->[0]");
}
for my $shell (['zsh', 'zsh/site-functions/_assay'],
    ['fish', 'fish/vendor_completions.d/assay.fish']) {
    my $text = get("$at/share/$shell->[1]");
    like($text, qr/'?quick default full'/, "$shell->[0] knows the tiers");
    like($text, qr/'spec stablehlo strict /, "$shell->[0] knows the profiles");
  SKIP: {
        skip("no $shell->[0] here", 1) if system("command -v $shell->[0] >/dev/null");
        works("$shell->[0] reads its completions", "$shell->[0] -n '$at/share/$shell->[1]'");
    }
}

works('make uninstall', "$make uninstall DESTDIR='$dir' PREFIX=/opt/assay");
is(`find '$at' -type f`, '', 'it leaves no file');

done_testing();
