#!/usr/bin/perl
# pjrt.t - the PJRT adapter: a plugin that misbehaves on demand, and a sample
# of the suite on two shipping XLA:CPU plugins.
#
# SPDX-License-Identifier: Apache-2.0
#
# `make xla-cpu` fetches the plugins and the header that the mock needs; tests
# without theirs are skipped, by name.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );
my $mock  = "$build/runner/test/mock_pjrt.so";

my $built = -e "$build/backends/pjrt.so" && -e $mock;

# ---- The mock ---------------------------------------------------------------

# How it misbehaves; the status that is expected, or "open" if the backend cannot
# even be opened; and what the message says.
my @rows = (
    [ 'ok',                            'pass',        qr/^$/ ],
    [ 'old',                           'pass',        qr/^$/ ],
    [ 'minor=40',                      'pass',        qr/^$/ ],
    [ 'minor=999',                     'pass',        qr/^$/ ],
    [ 'major=1',                       'open',        qr/PJRT API is 1\.\d+, this adapter's 0\.x/ ],
    [ 'null-table',                    'open',        qr/GetPjrtApi returned NULL/ ],
    [ 'lack-Client_Compile',           'open',        qr/lacks PJRT_Client_Compile/ ],
    [ 'lack-LoadedExecutable_Execute', 'open',        qr/lacks PJRT_LoadedExecutable_Execute/ ],
    [ 'lack-Buffer_ToHostBuffer',      'open',        qr/lacks PJRT_Buffer_ToHostBuffer/ ],
    [ 'lack-Event_Await',              'open',        qr/lacks PJRT_Event_Await/ ],
    [ 'lack-Plugin_Attributes',        'pass',        qr/^$/ ],
    [ 'lack-Plugin_Initialize',        'pass',        qr/^$/ ],
    [ 'lack-Error_GetCode;compile=12', 'refused',     qr/compile: code 0: as was ordered/ ],
    [ 'lack-Error_Message;compile=3',  'refused',     qr/compile: code 3: / ],
    [ 'initialize=13',                 'open',        qr/initialize: code 13: as was ordered/ ],
    [ 'attributes=13',                 'pass',        qr/^$/ ],
    [ 'create=13',                     'open',        qr/create client: code 13/ ],
    [ 'devices=5',                     'open',        qr/devices: code 5/ ],
    [ 'devices-are=0',                 'open',        qr/the client has no device/ ],
    [ 'outputs-are=2',                 'refused',     qr/2 outputs, the program 1/ ],
    [ 'execute=12',                    'unsupported', qr/execute: code 12/ ],
    [ 'event=12',                      'unsupported', qr/execution event: code 12/ ],
    [ 'executable=13',                 'refused',     qr/get executable: code 13/ ],
    [ 'outputs=13',                    'refused',     qr/number of outputs: code 13/ ],
    [ 'input=8',                       'refused',     qr/buffer from host: code 8/ ],
    [ 'input-event=13',                'refused',     qr/input event: code 13/ ],
    [ 'execute=3',                     'refused',     qr/execute: code 3/ ],
    [ 'event=13',                      'refused',     qr/execution event: code 13/ ],
    [ 'type=13',                       'refused',     qr/element type: code 13/ ],
    [ 'dimensions=13',                 'refused',     qr/dimensions: code 13/ ],
    [ 'read=13',                       'refused',     qr/read back: code 13/ ],
    [ 'read-event=13',                 'refused',     qr/read-back event: code 13/ ],
    [ 'type-is=4',                     'fail',        qr/element type s32, expected f32/ ],
    [ 'type-is=99',                    'refused',     qr/element type 99/ ],
    [ 'dims-are=3',                    'fail',        qr/size 3 of dimension 0, expected 4/ ],
    [ 'dims-are=100',                  'fail',        qr/size 100 of dimension 0, expected 4/ ],
    [ 'dims-are=-1',                   'fail',        qr/size -1 of dimension 0/ ],
    [ 'dims-are=0',                    'fail',        qr/size 0 of dimension 0/ ],
    [ 'short=8',                       'fail',        qr/2 of 4 units are wrong/ ],
    [ 'wrong',                         'fail',        qr/4 of 4 units are wrong/ ],
    [ 'crash',                         'crash',       qr/signal 6 .*last words: mock: last words/ ],
    [ 'exit',                          'crash',       qr/exited with status 9/ ],
    [ 'hang',                          'timeout',     qr/no result within 6 s in which it slept/ ],
    [ 'message;compile=13',            'refused',     qr/code 13: first line second line/ ],
);
# Each of absl's codes, from compile: UNIMPLEMENTED is "unsupported", and so is
# NOT_FOUND (a custom call that the plugin does not have).
push @rows, [ "compile=$_", $_ == 12 || $_ == 5 ? 'unsupported' : 'refused', qr/compile: code $_: as was ordered/ ]
  for 1 .. 16;

mkdir "$dir/cases";
mkdir "$dir/cases/Neg";
open my $f, '>', "$dir/cases/Neg/mock.json" or die $!;
print $f <<'END';
{"format": "assay-case/1", "op": "Neg", "cases": [
 {"id": "four", "why": "four numbers", "inputs": [{"shape": "f32[4]", "data": [1, 2, 3, 4]}]},
 {"id": "error", "why": "a type that cannot be negated",
  "inputs": [{"shape": "pred[4]", "data": [true, true, false, false]}], "expect": {"error": "type"}}]}
END
close $f;

# Status and message of a case.
sub judge {
    my ( $mode, $name ) = @_;
    my $out = `'$assay' run --backend 'pjrt:$mock' --backend-option 'env.MOCK_PJRT=$mode' --cases '$dir/cases' --filter $name --json --jobs 1 --timeout 1 --database '$dir/mock.db' 2>'$dir/err' </dev/null`;
    my ($line) = grep { /^\{/ } split /\n/, $out;
    if ($line) {
        my $row = decode_json($line);
        return ( $row->{status}, $row->{text} // '' );
    }
    open my $e, '<', "$dir/err" or die $!;
    local $/;
    return ( 'open', <$e> );
}

SKIP: {
    skip 'mock: the PJRT header is not there (make xla-cpu)', 2 * @rows + 6 unless $built;
    for my $row (@rows) {
        my ( $mode, $due, $says ) = @$row;
        my ( $status, $text ) = judge( $mode, 'Neg/mock/four' );
        is( $status, $due, "mock $mode: $due" );
        like( $text, $says, "mock $mode: the message" );
    }
    my ( $status, $text ) = judge( 'compile=3', 'Neg/mock/error' );
    is( $status, 'pass', 'an invalid program that is refused as invalid' );
    ( $status, $text ) = judge( 'compile=13', 'Neg/mock/error' );
    is( $status, 'wrong-class', 'an invalid program that ends in an internal error' );
    ( $status, $text ) = judge( 'ok', 'Neg/mock/error' );
    is( $status, 'accepted', 'an invalid program that is taken' );
    my $facts = `sqlite3 '$dir/mock.db' "SELECT key || '=' || value FROM property" 2>/dev/null`;
    like( $facts, qr/^plugin\.mock_version=1\.2\.3$/m, 'attributes are recorded' );
    like( $facts, qr/^pjrt\.api=0\.\d+$/m,             'the version of the API is recorded' );
    like( $facts, qr/^env\.MOCK_PJRT=ok$/m,            'options are recorded' );
}

# ---- Two shipping plugins -----------------------------------------------------

my @sample = map { ( '--filter', "'$_'" ) } (
    'Add/rules/*',      'Abs/special/*', 'AllReduce/rules/*', 'Broadcast/rules/*',
    'ReplicaId/*',      'Exp/sweep/16*', 'Gather/rules/*',    'Max/rules/*',
    'DotGeneral/rules/*', 'Atan/rules/*',  'Sign/rules/*',      'While/rules/*',
);
for my $version ( '0.0.1', '0.11.2' ) {
  SKIP: {
        skip "xla-cpu\@$version: the plugin is not there (make xla-cpu)", 3
            unless $built && -e "$build/xla-cpu/$version/plugin.so";
        my $run = "timeout 300 '$assay' run --backend xla-cpu\@$version --database '$dir/xla.db' -q @sample";
        my $expect = "report/expectations/xla-cpu-$version.json";
        my $out = `$run --expectations $expect 2>&1 </dev/null`;
        is( $? >> 8, 0, "xla-cpu\@$version: a sample of the suite, as expected" ) or diag($out);
        like( $out, qr/ xfail\b/, "xla-cpu\@$version: what is known to be wrong is" );
        my $sweep = `timeout 120 '$assay' sweep Exp --type bf16 --backend xla-cpu\@$version --database '$dir/xla.db' --json 2>&1 </dev/null`;
        my $line = eval { decode_json($sweep) } || {};
        is( $line->{count}, 65536, "xla-cpu\@$version: a sweep of all bf16 numbers" ) or diag($sweep);
    }
}
done_testing();
