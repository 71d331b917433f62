#!/usr/bin/perl
# robust.t - the command line under bad input: one clear message, the exit
# code that is documented, no crash, no file harmed.
#
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use POSIX qw(WNOHANG);
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Files qw(put get sh);

my $build = $ENV{B} // 'build';
my $assay = abs_path($ENV{ASSAY} // "$build/assay");
my $dir   = tempdir(CLEANUP => 1);
chdir $dir or die;
delete @ENV{qw(NO_COLOR)};
my $home = $dir;

# The command ends with that code, and says so in one line that matches.
sub refuses {
    my ($want, $like, $line) = @_;
    my ($code, $out, $err) = sh("'$assay' $line");
    my @lines = grep { !/^Try `/ } split /\n/, $err;
    my $good = $code == $want && @lines == 1 && $err =~ $like
        && $err !~ /null\)|:0:0|\n\n/;
    ok($good, "assay $line") or diag("exit $code, wanted $want: $err");
}

make_path('cases/Add', 'cases/Exp', 'folder');
put('cases/Add/few.json', <<'END');
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "plain", "why": "adds", "each": {"T": ["f32", "s32", "u8"]},
   "inputs": [{"shape": "$T[3]", "data": [1, 2, 3]},
              {"shape": "$T[3]", "data": [10, 20, 30]}]}]}
END
put('cases/Exp/few.json', <<'END');
{"format": "assay-case/1", "op": "Exp", "cases": [
  {"id": "many", "why": "takes a while", "each": {"N": [1, 2, 3, 4, 5, 6, 7, 8]},
   "inputs": [{"shape": "f32[$N]", "splat": 1}]}]}
END
put('empty', '');
put('words', "these are not cases\n");
symlink 'loop', 'loop';
my $case = 'cases/Add/few.json';
my $run  = 'run --cases cases --jobs 1 --database';

# ---- Options -----------------------------------------------------------------

refuses(2, qr/^assay run: --jobs: '0'/,      "$run x.db --jobs 0");
refuses(2, qr/^assay run: --jobs: ''/,       "$run x.db --jobs=");
refuses(2, qr/^assay run: --timeout: 'nan'/, "$run x.db --timeout nan");
refuses(2, qr/^assay run: --seed: '-1'/,     "$run x.db --seed=-1");
refuses(2, qr/^assay run: --color: expected/,       "$run x.db --color blue");
refuses(2, qr/unknown tier 'none'; expected one of/, "$run x.db --tier none");
refuses(2, qr/unknown profile 'none'/,            "$run x.db --profile none");
refuses(2, qr/none\.json: cannot open/,      "$run x.db --profile ./none.json");
refuses(2, qr/unknown backend ''/,      "$run x.db --backend=");
refuses(2, qr/no such backend file/,         "$run x.db --backend ./none.so");
refuses(2, qr/is a directory/i,              "$run x.db --expectations folder");
refuses(2, qr/symbolic links/,               "$run x.db --expectations loop");
refuses(2, qr/--database: expected/,             'run --cases cases --database=');
refuses(2, qr/:memory:: expected the name of a file/,       "$run :memory:");
refuses(2, qr/:memory:: expected the name of a file/,
        'hunt Exp -t f32 --database :memory:');
# What SQLite takes for an address is the name of a file.
my ($named) = sh("'$assay' $run file:y.db --filter Add/*");
ok($named == 0 && -e 'file:y.db' && !-e 'y.db', 'a file with a name like file:y.db');
($named) = sh("'$assay' report file:y.db");
is($named, 0, '... is read under this name');
refuses(2, qr/folder: not a regular file/, "$run folder");
refuses(2, qr/no such results database/,                 "$run none.db --resume");
refuses(2, qr/no such results database/,
        'sweep Exp -t f8e5m2 --database none.db --resume');
refuses(2, qr/no such results database/,
        'hunt Exp -t f32 --database none.db --resume');
ok(!-e 'none.db', 'nothing is made to be resumed');
refuses(2, qr/--html: folder: /,             "$run x.db --html folder");
ok(!-e 'x.db', 'nothing was run');
refuses(2, qr/'\[': no case of tier default in cases/, "$run x.db --filter '['");
refuses(2, qr/--limit-file-bytes/,           "$run x.db --limit-file-bytes 1");
refuses(2, qr/--limit-file-cases/,           "$run x.db --limit-file-cases 1");
refuses(2, qr/^assay eval: --json cannot/, "eval --json --expect $case");
refuses(2, qr/^assay run: --tap cannot/,     "$run x.db --tap --json");
refuses(2, qr/nowhere\/x\.db: .*No such file/,  "$run nowhere/x.db");
refuses(2, qr/--svg: nowhere/,                  'sweep Neg --svg nowhere/x.svg');
for my $line ('help', 'help run', '--help', '--version', 'run --help', 'lint -?') {
    my ($code, $out, $err) = sh("'$assay' $line >/dev/full");
    is($code, 3, "assay $line >/dev/full");
    like($err, qr/\A[^\n]*standard output: No space left on device\n\z/, 'and why');
}
is((sh("'$assay' $_ >/dev/null"))[0], 0, "assay $_") for 'help', 'run --help';

# ---- Files -------------------------------------------------------------------

refuses(2, qr/none: No such file/,    "$_ none")  for qw(lint eval emit);
refuses(2, qr/loop: Too many levels/, "$_ loop")  for qw(lint eval emit);
refuses(2, qr/empty:1:1: .*is empty/, "$_ empty") for qw(eval emit);
refuses(2, qr/words:1:1/,             "$_ words") for qw(eval emit);
refuses(2, qr/folder has no case file$/, "$_ folder") for qw(eval emit lint cover);
refuses(2, qr/no such results database/, "$_ none") for qw(report gate expect);
refuses(2, qr/not a regular file/,  "$_ folder") for qw(report gate expect);
refuses(2, qr/words: /,               "$_ words") for qw(report gate expect);
refuses(2, qr/none: /,                'diff none none');
ok(get('empty') eq '' && get('words') =~ /^these/, 'no file was changed');

# ---- A run, its streams ----------------------------------------------------------

my ($code, $out, $err) = sh("'$assay' $run good.db");
is($code, 0, 'a run') or diag($err);
unlike($out, qr/\e/, 'no colour in a file');
($code, $out) = sh("TERM=dumb LC_ALL=C HOME= '$assay' report good.db");
is($code, 0, 'a report without a home');
unlike($out, qr/\e/, 'no colour in a report to a file');
SKIP: {
    skip 'there is no /dev/full', 4 unless -c '/dev/full';
    for ("eval $case", "emit $case", 'report good.db') {
        ($code, $out, $err) = sh("'$assay' $_ >/dev/full");
        ok($code == 3 && $err =~ /written|No space left/, "a full disk: $_") or diag("$code $err");
    }
    sh("ln -s /dev/full device; '$assay' report -o device good.db");
    ok(-l 'device' && -c '/dev/full', 'a device is not replaced by a report');
}
for ("run --cases cases --database shut.db", "eval $case", 'report good.db', "lint $case") {
    ($code, $out, $err) = sh("'$assay' $_ | head -c 1 >/dev/null");
    is($code, 0, "a pipe that closes: $_");
    ($code) = sh("'$assay' $_ >&-");
    ok($code < 128, "no standard output: $_");
}

# ---- A system without /proc ---------------------------------------------------------

SKIP: {
    my $bare = 'unshare -rm sh -c "mount -t tmpfs none /proc && exec \"\$@\"" sh';
    skip 'no mount namespace (unshare -rm) here', 1 if system("$bare true 2>/dev/null") != 0;
    ($code, $out, $err) = sh("$bare '$assay' $run noproc.db --backend native");
    is($code, 0, 'a backend is found by its name without /proc') or diag($err);
}
make_path('alone', 'prefix/bin', 'prefix/lib/assay/backends');
copy($assay, $_), chmod 0755, $_ for 'alone/assay', 'prefix/bin/assay';
put('prefix/lib/assay/backends/theirs.so', '');
for (
    ['alone/assay'      => qr{unknown backend 'native': there is none in \S+/alone/backends or in \.\./lib/assay/backends}],
    ['prefix/bin/assay' => qr{unknown backend 'native'; expected one of theirs, or}])
{
    ($code, $out, $err) = sh("./$_->[0] $run alone.db --backend native");
    ok($code == 2 && $err =~ $_->[1], "$_->[0]: where named backends were looked for") or diag("$code $err");
}

# ---- A database with wrong bytes --------------------------------------------------

# One clear message or a report; the file stays as it is.
my $whole = get('good.db');
srand 1;
my ( @wrong, $opened );
for my $trial (0 .. 11) {
    my $bytes = $whole;
    if ($trial < 3) {
        $bytes = substr $bytes, 0, (10, 100, length($bytes) / 2)[$trial];
    } else {
        substr($bytes, $trial < 6 ? int rand 100 : int rand length $bytes, 1) =
            chr int rand 256
            for 1 .. 1 + $trial;
    }
    for my $line ('report bad.db', 'report -f json bad.db', 'gate bad.db',
        'diff good.db bad.db', 'expect bad.db') {
        put('bad.db', '');
        open my $f, '>:raw', 'bad.db';
        print $f $bytes;
        close $f;
        ($code, $out, $err) = sh("'$assay' $line");
        $opened++;
        push @wrong, "$trial, $line: exit $code: $err"
            if $code > 3 || $code == 2 && $err !~ /^assay \w+: [^\n]+\n$/;
        push @wrong, "$trial, $line: changed the file" if get('bad.db') ne $bytes;
    }
    ($code, $out, $err) = sh("'$assay' $run bad.db");
    push @wrong, "$trial, run: exit $code: $err" if $code > 3;
    unlink glob 'bad.db*';
}
is("@wrong", '', 'databases with wrong bytes');
print "# figure: damaged databases opened: $opened\n";

# ---- Ends ------------------------------------------------------------------------

my $kills = 0;
my @signals = (INT => 130, TERM => 130, KILL => 137);
while (my ($name, $want) = splice @signals, 0, 2) {
    for my $wait (0.05, 0.4) {
        unlink glob 'end.db*';
        my $pid = fork;
        if (!$pid) {
            open STDOUT, '>', 'out';
            open STDERR, '>', 'err';
            exec $assay, split(/ /, $run), 'end.db';
        }
        select undef, undef, undef, $wait;
        kill $name, $pid;
        $kills++;
        waitpid $pid, 0;
        my $got = $? & 127 ? 128 + ($? & 127) : $? >> 8;
        my $early = $name ne 'KILL' && $got == 128 + ($name eq 'INT' ? 2 : 15);
        ok($got == $want || $got == 0 || $early, "$name after $wait s") or diag("exit $got");
        next unless -s 'end.db';
        ($code, $out, $err) = sh("'$assay' $run end.db --resume");
        ok($code == 0 || $code == 2 && $err =~ /no unfinished run/, "$name after $wait s: goes on")
            or diag("exit $code: $err");
        ($code) = sh("'$assay' report end.db");
        ok($code == 0 || $code == 2, "$name after $wait s: has a report");
    }
}
print "# figure: processes killed (runner, judges, workers): $kills\n";
my ($both) = sh("'$assay' $run two.db & '$assay' $run two.db; a=\$?; wait \$!; b=\$?; [ \$a = 0 ] && [ \$b = 0 ] || { [ \$((a + b)) -le 3 ]; }");
is($both, 0, 'two runs on one database: both, or one is told to wait');
($code) = sh("'$assay' report two.db\@all");
is($code, 0, 'and the database is whole');

# ---- Names -----------------------------------------------------------------------

my $odd = "it's a \"name\" \xc3\xa4";
make_path("$odd/Add");
copy($case, "$odd/Add/few.json");
my $quoted = $odd =~ s/'/'\\''/gr;
($code, $out, $err) = sh("LC_ALL=C '$assay' run --cases '$quoted' --database '$quoted.db' --jobs 1");
is($code, 0, 'spaces, quotes and letters beyond ASCII in names') or diag($err);
($code, $out) = sh("'$assay' report '$quoted.db'");
is($code, 0, 'and in a report');
($code, $out, $err) = sh("mkdir -p pipes; mkfifo pipes/wait.json; cp '$case' pipes; '$assay' run --cases pipes --database pipes.db --jobs 1; '$assay' lint pipes");
is($code, 0, 'a pipe in a folder of cases is not waited for') or diag($err);
my $long = join '/', ('d' x 200) x 8;
make_path($long);
copy($case, "$long/few.json");
($code, $out, $err) = sh("'$assay' eval '$long/few.json'");
is($code, 0, 'a path of 1600 bytes') or diag($err);
refuses(2, qr/too long/i, "eval '" . ('d' x 300) . "'");
done_testing;
