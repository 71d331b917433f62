#!/usr/bin/perl
# places.t - a run where writing ends: a reader that goes away, a limit on the
# size of files, a folder that is read-only.
#
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Files qw(put get sh);

my $build = $ENV{B} // 'build';
my $assay = abs_path($ENV{ASSAY} // "$build/assay");
my $dir   = tempdir(CLEANUP => 1);
chdir $dir or die;
chmod 0755, $dir;

mkdir 'cases';
mkdir 'cases/Add';
put('cases/Add/many.json', <<'END');
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "n", "why": "adds", "each": {"N": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]},
   "inputs": [{"shape": "f32[$N]", "splat": 1}, {"shape": "f32[$N]", "splat": 2}]}]}
END
my $run = "'$assay' run --cases cases --backend reference --jobs 1";

# How many results a database has, by SQLite itself.
sub results {
    my ($db) = @_;
    my $n = `sqlite3 '$db' 'SELECT count(*) FROM result' 2>&1`;
    chomp $n;
    return $n;
}

# ---- A reader that goes away --------------------------------------------------

# Into a pipe that nobody can read: every write fails.
sub unread {
    my ($line) = @_;
    local $^F = 100;
    pipe my $read, my $write or die "pipe: $!";
    close $read;
    my ($code, $out, $err) = sh("$line >&" . fileno $write);
    return ($code, $err);
}
my ($code, $err) = unread("$run --tap --database tap.db");
# Twelve bindings, one of them with constants too.
is(results('tap.db'), 13, 'a run whose reader went away runs to its end');
is($code, 3, 'and is not a success: not everything was said');
like($err, qr/standard output: closed by the reader$/m, 'as it says');
($code) = sh("'$assay' gate tap.db");
is($code, 0, 'the database tells that every case passed');
($code, $err) = unread("$run --json --database json.db");
ok($code == 3 && results('json.db') == 13, 'the same for --json');
($code, $err) = unread("$run --tap --database fail.db"
        . " --backend '" . abs_path_of('evil/flip_bit.so') . "'");
is($code, 1, 'failures keep their exit code') or diag($err);
($code, my $out) = sh("'$assay' report -f tap tap.db | head -1; exit \${PIPESTATUS[1]}");
ok($code == 0 && $out =~ /^TAP/, 'a report may be cut off by head');
($code) = sh("$run -q --database full.db >/dev/full");
ok($code == 3 && results('full.db') == 13, 'the same where the disk is full');

sub abs_path_of {
    my ($name) = @_;
    my ($folder) = $assay =~ m{^(.*)/};
    return "$folder/backends/$name";
}

# ---- The size of files --------------------------------------------------------

for my $kib (4, 60, 100) {
    ($code, $out, $err) = sh("ulimit -f $kib; $run --database limit$kib.db");
    ok($code == 3, "ulimit -f $kib: the run fails, and is not killed")
        or diag("exit $code: $err");
    like($err, qr/^assay run: .*limit$kib\.db: .*File too large/m, "ulimit -f $kib: and says why");
}
($code, $out, $err) = sh("ulimit -f 1; '$assay' report -f html tap.db");
ok($code == 3 && $err =~ /standard output: File too large/, 'so does a report')
    or diag("exit $code: $err");

# ---- A folder that is read-only -------------------------------------------------

# What a killed run leaves: a log that holds the newest rows.
system("$run -q --database killed.db >/dev/null");
put('kill.py', <<'END');
import os, sqlite3
db = sqlite3.connect('killed.db')
db.execute('PRAGMA journal_mode = WAL')
db.execute("UPDATE backend SET name = 'marked'")
db.execute('DELETE FROM result WHERE plan IN (SELECT max(plan) FROM result)')
db.commit()
os._exit(0)
END
system('python3', 'kill.py') == 0 or die;
ok(-s 'killed.db-wal', 'a log is left');
mkdir 'ro';
for my $log (1, 0) {
    my $what = $log ? 'with its log' : 'without';
    chmod 0755, 'ro';
    unlink glob 'ro/*';
    copy('killed.db', 'ro/killed.db');
    copy('killed.db-wal', 'ro/killed.db-wal') if $log;
    copy($assay, 'ro/assay');
    chmod 0555, 'ro/assay', 'ro';
    chmod 0444, glob 'ro/killed*';
    mkdir 'tmp';
    chmod 0777, 'tmp';
    # Root may write anywhere.
    my $as = $> == 0 ? 'setpriv --reuid=65534 --regid=65534 --clear-groups' : '';
    my $go = "TMPDIR='$dir/tmp' $as ro/assay";
    ($code, $out, $err) = sh("$go report -f json ro/killed.db");
    ok($code == 0 && $err eq '', "$what: a report from a folder that is read-only")
        or diag("exit $code: $err");
    like($out, qr/marked/, 'it has what the log says') if $log;
    for my $verb ('expect', 'diff tap.db', 'gate --allow-unfinished') {
        ($code, $out, $err) = sh("$go $verb ro/killed.db");
        ok($code < 2, "$what: $verb") or diag("exit $code: $err");
    }
    is_deeply([glob 'tmp/*'], [], 'nothing is left behind');
    next unless $log;
    ($code, $out, $err) = sh("TMPDIR=/nowhere $as ro/assay report ro/killed.db");
    ok($code == 2 && $err =~ m{killed\.db: its folder is not writable, and it cannot be copied to /nowhere/},
        'without a place for a copy it says what is wrong') or diag("exit $code: $err");
}
chmod 0755, 'ro';

done_testing();
