#!/usr/bin/perl
# skips.t - `make test` names each skip, with its file and reason, says how many
# there are, and repeats what failed: SkipHarness.pm, with one job and several.
#
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use File::Temp qw(tempdir);
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Files qw(put get);

delete $ENV{SKIPPED};
my $dir = tempdir( CLEANUP => 1 );

put( "$dir/some.t", <<'END' );
print "ok 1 - one\nok 2 - two # SKIP no two\nok 3 # skip no rest\nok 4 # skip no rest\n1..4\n";
END
put( "$dir/all.t",  "print qq{1..0 # SKIP nothing there\\n};\n" );
put( "$dir/none.t", "print qq{ok 1 - skip is a word here\\n1..1\\n};\n" );
put( "$dir/bad.t",  "print qq{ok 1 # skip one\\nnot ok 2 - wrong\\n# a\\n# b\\n# c\\n# d\\n# e\\n# f\\nok 3 - right\\n# g\\nnot ok 4\\n1..4\\n};\n" );

# Exit code and output of prove as the Makefile calls it.
my ($prove) = get('Makefile') =~ /^PROVE = (.*)$/m;
like( $prove, qr/--harness SkipHarness/, 'the Makefile uses the harness' );

sub prove {
    my ( $jobs, @files ) = @_;
    my $out = `cd '$dir' && PERL5LIB='$FindBin::Bin' prove --harness SkipHarness -j $jobs @files 2>&1`;
    return ( $? >> 8, $out );
}

for my $jobs ( 1, 3 ) {
    my ( $code, $out ) = prove( $jobs, qw(some.t none.t all.t) );
    is( $code, 0, "$jobs: a skip is no failure" );
    like( $out, qr/^  all\.t: the whole file: nothing there\n  some\.t: no rest \(2 checks\)\n  some\.t: two: no two\nSkipped: 3 checks in 1 file, and 1 as a whole\nAll tests successful\.\nFiles=3, Tests=5,.*\nResult: PASS\n\z/m,
        "$jobs: file, name, reason and number, then prove's own lines" );
    ( $code, $out ) = prove( $jobs, qw(none.t) );
    like( $out, qr/^Skipped: 0 checks in 0 files, and 0 as a whole\nAll tests/m, "$jobs: none" );
    unlike( $out, qr/^Skipped:$/m, "$jobs: and no list" );
    ( $code, $out ) = prove( $jobs, qw(bad.t none.t) );
    ok( $code == 1 && $out =~ /^  bad\.t: one\nSkipped: 1 check in 1 file/m && $out =~ /^Result: FAIL$/m, "$jobs: a failure is one" )
        or diag($out);
    like( $out, qr/^\nFailed:\n  bad\.t: 2 - wrong\n    # a\n    # b\n    # c\n    # d\n    # e\n  bad\.t: 4\n\nTest Summary/m,
        "$jobs: what failed, and the first lines of why" );
}
$ENV{SKIPPED} = 'check-x: needs x';
my ( undef, $out ) = prove( 1, 'none.t' );
like( $out, qr/^  check-x: needs x\nSkipped: 0 checks in 0 files, and 1 as a whole\n/m, 'a check outside of prove' );
done_testing();
