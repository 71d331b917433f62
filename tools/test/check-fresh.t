#!/usr/bin/perl
# check-fresh.t - tools/checks/check-fresh: the README's commands are found, and where
# there can be no bare Debian it says why.  A whole run takes many minutes and
# is CI's (.ci/run).
#
# SPDX-License-Identifier: Apache-2.0
use strict;
use warnings;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Files qw(put get);

my $home  = getcwd();
my $dir   = tempdir( CLEANUP => 1 );
my $fresh = "'$home/tools/checks/check-fresh'";

sub run {
    my ($line) = @_;
    my $out = `cd '$dir' && ($line) 2>&1 </dev/null`;
    return ( $? >> 8, $out );
}

my ( $code, $out ) = run("$fresh --help");
ok( $code == 0 && $out =~ /^Usage: .*^Exit codes:\n    0 /ms, '--help' ) or diag($out);
( $code, $out ) = run("$fresh --nosuch");
ok( $code == 2 && $out eq "check-fresh: unknown argument '--nosuch' (see --help)\n", 'an unknown option' ) or diag($out);

# ---- The README ------------------------------------------------------------------

( $code, $out ) = run("$fresh --list");
is( $code, 0, '--list' );
my @commands = split /\n/, $out;
is( "@commands[0, 1]", 'make run make test', 'the two commands first' );
my $readme = get("$home/README.md");
my @missing = grep { my $c = $_; !grep { index( $_, $c ) == 0 } @commands }
    $readme =~ m{^    ((?:make|build/\S+) .*)$}mg;
is( "@missing", '', 'then every command of the README' );

mkdir "$dir/$_" for qw(copy copy/tools copy/tools/checks);
put( "$dir/copy/tools/checks/check-fresh", get("$home/tools/checks/check-fresh") );
put( "$dir/copy/README.md",         "# A page\n\nThus:\n\n    make run\n\nAnd:\n\n    sudo make\n" );
( $code, $out ) = run('bash copy/tools/checks/check-fresh --list');
ok( $code == 1 && $out =~ /README\.md:9:sudo make: not the beginning/, 'no block is left out in silence' ) or diag($out);

# ---- Where it cannot run ------------------------------------------------------------

# A search path with what it needs, but for one command.
mkdir "$dir/bin";
for my $name (qw(bash sh awk grep sed dirname id cat git mkdir tar)) {
    my ($path) = grep { -x } map { "$_/$name" } split /:/, $ENV{PATH};
    symlink $path, "$dir/bin/$name";
}
( $code, $out ) = run("PATH='$dir/bin' $fresh --dir='$dir/work'");
my $why = $> == 0 ? qr/there is no command debootstrap/ : qr/need root/;
ok( $code == 3 && $out =~ /^check-fresh: cannot run here: $why/, 'a command that is missing is named' ) or diag("$code $out");
ok( !-e "$dir/work", 'and nothing is written' );
SKIP: {
    skip 'not root, or no setpriv', 1 if $> != 0 || system('command -v setpriv >/dev/null');
    chmod 0755, $dir, "$dir/copy", "$dir/copy/tools", "$dir/copy/tools/checks";
    put( "$dir/copy/README.md", "    make run\n    make wheel\n" );
    ( $code, $out ) = run('setpriv --reuid 65534 --clear-groups bash copy/tools/checks/check-fresh');
    ok( $code == 3 && $out =~ /need root/, 'nobody is told that it needs root' ) or diag("$code $out");
}
done_testing();
