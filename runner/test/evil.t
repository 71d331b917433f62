#!/usr/bin/perl
# evil.t - every backend that is wrong gets the verdict that it deserves.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each plugin of runner/backends/evil is wrong in one way.  It is run over a
# few cases, and for each case the status is compared with what is expected; a case
# that is not named in its row passes.
use strict;
use warnings;
use File::Temp qw(tempdir);
use JSON::PP qw(decode_json);
use Test::More;

my $build = $ENV{B}     || 'build';
my $assay = $ENV{ASSAY} || "$build/assay";
my $dir   = tempdir( CLEANUP => 1 );

# 1 + 2^-30 is 1, and its upper neighbour if rounded up; the f64 lies just above
# a midpoint of f16, and on it once it is an f32.
my %cases = (
    Add => <<'END',
{ "id": "plain", "why": "numbers",
  "inputs": [{"shape": "f32[3]", "data": [1, 2, 3]},
             {"shape": "f32[3]", "data": [10, 20, 30]}] },
{ "id": "other", "why": "other numbers in the same program",
  "inputs": [{"shape": "f32[3]", "data": [4, 5, 6]},
             {"shape": "f32[3]", "data": [10, 20, 30]}] },
{ "id": "inexact", "why": "a result that is rounded",
  "inputs": [{"shape": "f32[1]", "data": [1]},
             {"shape": "f32[1]", "data": ["0x1p-30"]}] },
{ "id": "infinity", "why": "infinity",
  "inputs": [{"shape": "f32[1]", "data": ["inf"]},
             {"shape": "f32[1]", "data": [1]}] },
{ "id": "nan", "why": "NaN",
  "inputs": [{"shape": "f32[1]", "data": ["inf"]},
             {"shape": "f32[1]", "data": ["-inf"]}] },
{ "id": "subnormal", "why": "a subnormal number",
  "inputs": [{"shape": "f32[1]", "bits": ["00012345"]},
             {"shape": "f32[1]", "data": [0]}] },
{ "id": "zero", "why": "zero",
  "inputs": [{"shape": "f32[1]", "data": [0]},
             {"shape": "f32[1]", "data": [0]}] },
{ "id": "error", "why": "shapes that do not fit",
  "inputs": [{"shape": "f32[2]", "data": [1, 2]},
             {"shape": "f32[3]", "data": [1, 2, 3]}],
  "expect": {"error": "shape"} }
END
    ConvertElementType => <<'END',
{ "id": "narrow", "why": "a result that is rounded twice via f32",
  "inputs": [{"shape": "f64[1]", "data": ["0x1.0020000001p-1"]}],
  "attributes": {"new_element_type": "f16"} }
END
    Rev => <<'END',
{ "id": "moved", "why": "a subnormal number that only moves",
  "inputs": [{"shape": "f32[2]", "bits": ["00012345", "00054321"]}],
  "attributes": {"dimensions": [0]} }
END
);
# Samples; only what is wrong with samples is run on them.
my %samples = (
    RngUniform => <<'END',
{ "id": "uniform", "why": "a sample",
  "inputs": [{"shape": "f32[]", "data": 0}, {"shape": "f32[]", "data": 1}],
  "attributes": {"shape": "f32[16384]"} }
END
    RngBitGenerator => <<'END',
{ "id": "bits", "why": "words of an algorithm",
  "inputs": [{"shape": "u64[2]", "data": [3, 4]}],
  "attributes": {"algorithm": "RNG_THREE_FRY", "shape": "u32[1000]"} },
{ "id": "own", "why": "words of no algorithm",
  "inputs": [{"shape": "u64[2]", "data": [3, 4]}],
  "attributes": {"algorithm": "RNG_DEFAULT", "shape": "u32[1000]"} }
END
);

# More programs than the host keeps; the data of all lie at the same place.
my %programs = (
    Add => join( ",\n", map { <<"END" } 10 .. 49 ),
{ "id": "n$_", "why": "a program of its own",
  "inputs": [{"shape": "f32[$_]", "random": {"seed": $_, "dist": "bits"}},
             {"shape": "f32[$_]", "random": {"seed": 1, "dist": "bits"}}] }
END
);

sub spell {
    my ( $folder, %of ) = @_;
    mkdir "$dir/$folder";
    for my $op ( keys %of ) {
        mkdir "$dir/$folder/$op";
        open my $f, '>', "$dir/$folder/$op/evil.json" or die $!;
        print $f qq({"format": "assay-case/1", "op": "$op",\n "cases": [\n$of{$op}]}\n);
        close $f;
    }
}

# An outfeed beside a result.
my %outfeeds = (
    Outfeed => join( ",\n", map { <<"END" } 1 .. 40 ),
{ "id": "n$_", "why": "a program of its own",
  "inputs": [{"shape": "s32[$_]", "random": {"seed": $_, "dist": "bits"}}],
  "module": {"entry": "main", "computations": {"main": {
    "parameters": ["s32[$_]"], "result": "r",
    "body": ["t = AfterAll()",
             "a = Outfeed(p0, t) {shape_with_layout = s32[$_]}",
             "r = Not(p0)"]}}} }
END
);
spell( 'outfeeds', %outfeeds );
spell( 'cases',   %cases );
spell( 'samples', %samples );
spell( 'programs', %programs );
my $folder = 'cases';
my @values = qw(plain other inexact infinity nan subnormal zero narrow moved);

my %text;    # of the latest run, by the case's id

# Run one plugin; statuses by the case's id, and the command's exit status.
sub judge {
    my ( $name, @options ) = @_;
    my $path = $name =~ /^native$/ ? $name : "$build/backends/evil/$name.so";
    my $command = join ' ', $assay, 'run', '--backend', $path, '--cases',
      "$dir/$folder", '--database', "$dir/$name.db", '--json', '--jobs', 1,
      '--timeout', 10, '--sleep-timeout', 10, '--memory', 512, @options;
    my %status;
    %text = ();
    for ( qx{timeout 100 $command 2>$dir/stderr} ) {
        my $row = decode_json($_);
        next if $row->{name} !~ m{/(\w+)$};    # constants are another path
        $status{$1} = $row->{status};
        $text{$1}   = $row->{text};
    }
    return ( \%status, $? >> 8 );
}

sub all { my $status = shift; return map { $_ => $status } @values }

my $x86 = `uname -m` =~ /x86_64/;

# What is wrong, and what must be said of it.
my %due = (
    native           => {},
    intruder         => {},
    flip_bit         => { all('fail') },
    only_alone       => { all('fail'), nan => 'pass' },    # another NaN
    one_element      => { all('fail') },
    zero_sign        => { zero => 'fail' },
    max_for_infinity => { infinity => 'fail' },
    nan_made         => { map { $_ => 'fail' } qw(zero subnormal narrow moved) },
    nan_lost         => { nan => 'fail' },
    flush            => { subnormal => 'warn', moved => 'fail' },
    flush_mode       => { subnormal => 'warn' },
    double_rounding  => { narrow => 'fail' },
    narrow           => {}, # no case of this test has such an input: hunt.t
    periodic         => {}, # nor one of these
    stale            => { map { $_ => 'flake' } @values[ 1 .. $#values ] },
    partial          => { all('fail') },
    no_op            => { all('fail') },
    overrun          => { all('fail') },
    overrun_far      => { all('fail') },
    underrun         => { all('fail') },
    write_plan       => { all('crash') },
    scribble         => { all('crash') },
    wrong_shape      => { all('fail') },
    wrong_type       => { all('fail') },
    write_inputs     => { all('fail') },
    refuse           => { all('refused') },
    no_executable    => { all('refused') },
    accept           => { error => 'accepted' },
    modest           => { map { $_ => 'unsupported' } qw(narrow moved) },
    wrong_class      => { error => 'wrong-class' },
    abort            => { all('crash') },
    segfault         => { all('crash') },
    exit_quietly     => { all('crash') },
    stack_overflow   => { all('crash') },
    kill             => { all('crash') },
    huge_size        => {},
    close_crash      => {},
    all_wrong        => { all('fail') },
    fork_child       => {},
    close_files      => {},
    rounding_mode    => { all('fail') },
    flush_left       => { all('fail') },
    error_overrun    => { all('fail') },
    dims_overrun     => { all('fail') },
    wild_dims        => { all('fail') },
    wild_rank        => { all('fail') },
    negative_dims    => { all('fail') },
    other_place      => { all('fail') },
    empty_output     => { all('fail') },
    late_write       => {},
    low_limits       => {},
    kill_others      => {},
    timer            => {},
    loud             => {},
    become           => { all('crash') },
    write_program    => { all('fail') },
    input_overrun    => { all('fail') },
    input_underrun   => { all('fail') },
    write_host       => { all('crash') },
    hostile          => {
        all('fail'), moved => 'refused', narrow => 'crash'
    },
    flaky            => { plain => 'flake' },
    fickle           => { plain => 'flake' },
    earlier_words    => { other => 'flake' },
    hang_once        => {},    # a time-out is believed if it comes again alone
    slow             => {},
    slow_refuse      => {},
    twin             => {},
    late_outfeed     => {},
    scribble_open    => {},
    left_behind      => {},
    beside           => {},
    hang_one         => { moved => 'timeout' },
    aftermath        => { moved => 'flake' },
    mode_on_reject   => { error => 'fail' },
    backwards        => { $x86 ? all('fail') : () },
);
# In one batch, which begins with plain and other; the rest is due as above.
my %together = (
    # The third of a batch: equal programs are first, here those of two cases.
    beside => { inexact => 'fail' },
    only_alone => {},
    # What happens once happens to the whole batch,
    fickle => { all('flake') },
    aftermath     => {},
    flaky         => {},
    earlier_words => {},
    # and to its first output, or not at all if there are several.
    dims_overrun    => { plain => 'fail' },
    double_rounding => {},
);
# A NaN whose first byte changes is a NaN.
delete $due{one_element}{nan};
delete $together{fickle}{nan};
# These take long: one case each.
my %slow = (
    ( map { $_ => 'crash' }
          qw(memory_eater memory_children memory_shared memory_file) ),
    map { $_ => 'timeout' } qw(hang_compile hang_execute endless_log stop)
);
# These cannot be used at all: exit status 2, and a reason.
my %unusable = (
    open_fails    => qr/no device found/,
    open_null     => qr/lacks compile/,
    tiny_size     => qr/lacks compile/,
    too_new       => qr/needs version 2\.0/,
    error_garbage => qr/cannot be opened/,
);

my %failure = map { $_ => 1 }
  qw(fail refused accepted wrong-class crash timeout flake);
for my $batch ( 1, 64 ) {
    for my $name ( sort keys %due ) {
        my @time = $name eq 'hang_one' ? ( '--sleep-timeout', 1 ) : ();
        my ( $got, $exit ) = judge( $name, '--batch', $batch, @time );
        my $due = $batch > 1 && $together{$name} || $due{$name};
        my %want = ( ( map { $_ => 'pass' } @values, 'error' ), %$due );
        is_deeply $got, \%want, "$name: each verdict, batches of $batch"
          or diag explain $got;
        is $exit, ( grep { $failure{$_} } values %want ) ? 1 : 0,
          "$name: exit status";
        is $text{other}, 'crash at first (killed by signal 6 (Aborted)), then pass',
          "$name: the words of an earlier case are not its last"
          if $name eq 'earlier_words' && $batch == 1;
    }
}

# Each change of the process that is allowed changes nothing, and each of the
# processor's state is blamed on the cases that left it.
my %left = (
    x87_stack => qr/^left x87 registers in use/,
    mmx       => qr/^left x87 registers in use/,
    direction => qr/^left the direction flag set/,
    alignment => qr/^left the alignment check flag set/,
);
{
    open my $f, '<', 'runner/backends/evil/left_behind.c' or die $!;
    my $source = do { local $/; <$f> };
    $source =~ s/^#if defined __x86_64__.*?^#endif//gms if !$x86;
    my @changes = $source =~ /^ *\{"(\w+)", \w+, ([01])\}/gm;
    ok @changes > 40, 'left_behind: its table';
    while ( my ( $name, $allowed ) = splice @changes, 0, 2 ) {
        for my $batch ( 1, 64 ) {
            local $ENV{ASSAY_EVIL_HOW} = $name;
            my ( $got, $exit ) = judge( 'left_behind', '--batch', $batch );
            my $due = $allowed ? 'pass' : 'fail';
            is_deeply $got, { all($due), error => $due },
              "left_behind $name: each verdict, batches of $batch" or diag explain $got, \%text;
            my $says = $left{$name} || qr/^changed the floating-point environment/;
            ok $allowed || !( grep { $text{$_} !~ $says } @values ),
              "left_behind $name: why" or diag explain \%text;
        }
    }
}

# What is expected to crash is the last case of its process, even if it does not.
open my $known, '>', "$dir/known.json" or die $!;
print $known '{"format": "assay-expectations/1", "expect": [{"pattern":'
  . ' "ConvertElementType/*", "kind": "crash?", "reason": "it writes outside'
  . ' of its result"}]}';
close $known;
for my $batch ( 1, 64 ) {
    my ( $got, $exit ) =
      judge( 'aftermath', '--batch', $batch, '--expectations',
        "$dir/known.json" );
    is_deeply $got, { map { $_ => 'pass' } @values, 'error' },
      "aftermath: no harm after a case that may crash, batches of $batch"
      or diag explain $got;
    is $exit, 0, 'aftermath: exit status';
}

# What only the first or only the second of two executions gets wrong: of some
# cases both are seen at once, and the others are tried again.
$folder = 'outfeeds';
for my $name (qw(native outfeed_later)) {
    my ( $got, $exit ) = judge($name);
    my $due = $name eq 'native' ? 'pass' : 'flake';
    is_deeply $got, { map { ( "n$_" => $due ) } 1 .. 40 },
      "$name: each outfeed, of both executions" or diag explain $got;
    my @at_once =
      grep { defined && /^wrong at first \(replica 0 wrote 0 outfeed items/ } values %text;
    ok $name eq 'native' || @at_once, "$name: some at once";
}
{
    my ( $got, $exit ) = judge('outfeed_malformed');
    is_deeply $got, { map { ( "n$_" => 'fail' ) } 1 .. 40 }, 'outfeed_malformed: each outfeed'
      or diag explain $got;
    is $text{n1}, 'outfeed 0 of replica 0: element type malformed, expected s32',
      'outfeed_malformed: it was written';
}
$folder = 'programs';
{
    my ( $got, $exit ) = judge('second_refused');
    my @flakes = grep { $got->{$_} eq 'flake' } keys %$got;
    my @other  = grep { $got->{$_} !~ /^(pass|flake)$/ } keys %$got;
    ok @flakes > 0 && @flakes < 40 && !@other,
      'second_refused: of what is executed twice, the second refusal' or diag explain $got;
    is $text{$_}, 'right at first, then refused: once is enough', "second_refused: $_"
      for @flakes;
}

$folder = 'samples';
my %random = (
    few_bits    => { uniform => 'fail' },
    other_words => { bits    => 'fail' },
    same_words  => { bits    => 'fail' },
);
for my $name ( sort keys %random ) {
    my ( $got, $exit ) = judge($name);
    my %want =
      ( ( map { $_ => 'pass' } qw(uniform bits own) ), %{ $random{$name} } );
    is_deeply $got, \%want, "$name: each verdict" or diag explain $got;
    is $exit, 1, "$name: exit status";
}

# A stray write into the inputs of another case is not that case's fault, nor is
# a fault in releasing another case's program.
$folder = 'programs';
for my $name (qw(write_released)) {
    my ( $got, $exit ) = judge( $name, '--filter', 'Add/evil/n??' );
    is_deeply $got, { map { ( "n$_" => 'pass' ) } 10 .. 49 },
      "$name: each verdict" or diag explain $got;
    is $exit, 0, "$name: exit status";
    open my $f, '<', "$dir/stderr" or die $!;
    my $said = do { local $/; <$f> };
    like $said, qr/^\d+ cases? (?:was|were) run again alone: an earlier case or a thread/m,
      "$name: and it is reported";
}
$folder = 'cases';
for my $name ( sort keys %slow ) {
    # The address sanitizer needs more address space than any limit leaves.
    next if $slow{$name} eq 'crash' && ( $ENV{B} || '' ) =~ /\baddress\b/;
    my ( $got, $exit ) = judge( $name, '--filter', 'Add/evil/plain', '--timeout',
        $slow{$name} eq 'crash' ? ( 20, '--sleep-timeout', 20 ) : ( 1, '--sleep-timeout', 1 ) );
    is_deeply $got, { plain => $slow{$name} }, "$name: verdict";
    is $exit, 1, "$name: exit status";
    next if $slow{$name} ne 'crash';
    # Who was faster, the runner, which knows how much it was, or the kernel?
    my ($took) = $text{plain} =~
      /took (\d+ MiB of|more) memory,? (?:more )?than the limit of 512 MiB \(--memory\)/;
    ok defined $took && ( $took eq 'more' || $took =~ /^(\d+)/ && $1 > 512 ),
      "$name: what it took, and the limit"
      or diag $text{plain};
}
{
    my ( $got, $exit ) = judge( 'fill_scratch', '--filter', 'Add/evil/plain' );
    is_deeply $got, { plain => 'crash' }, 'fill_scratch: verdict' or diag explain $got;
    like $text{plain}, qr/^filled its scratch directory with more than 512 MiB \(--memory\)/,
      'fill_scratch: why';
    ( $got, $exit ) = judge('fill_scratch');
    is_deeply $got, { all('pass'), error => 'pass', plain => 'crash' },
      'fill_scratch: others have their own' or diag explain $got;
}
for my $name ( sort keys %unusable ) {
    my ( $got, $exit ) = judge($name);
    is_deeply $got, {}, "$name: no case runs";
    is $exit, 2, "$name: exit status";
    open my $f, '<', "$dir/stderr" or die $!;
    my $text = do { local $/; <$f> };
    like $text, $unusable{$name}, "$name: the reason";
    unlike $text, qr/[^\x20-\x7e\n]/, "$name: nothing unprintable";
}

# Second tries run side by side, each in processes of its own, and one at a time
# where they would disturb each other.
for my $name (qw(abort become exit_quietly kill scribble stack_overflow write_plan)) {
    my ( $got, $exit ) = judge( $name, '--jobs', 4 );
    my %want = ( ( map { $_ => 'pass' } @values, 'error' ), %{ $due{$name} } );
    is_deeply $got, \%want, "$name: each verdict, 4 jobs" or diag explain $got;
    is $exit, 1, "$name: exit status";
}

# What writes into the memory that it shares with the runner does no harm to
# others, whatever it writes.
for my $byte ( 0, 1, 127, 255 ) {
    for my $jobs ( 1, 2 ) {
        local $ENV{ASSAY_EVIL_BYTE} = $byte;
        my ( $got, $exit ) = judge( 'scribble', '--jobs', $jobs );
        is_deeply $got, { all('crash'), error => 'pass' },
          "scribble $byte, $jobs jobs: each verdict" or diag explain $got;
        is $exit, 1, 'and it is not a fault of the run';
    }
}

# Nor does one stray word, in whichever place: the run has an end, each case a
# verdict, and none is wrong but by the backend's crash.
for my $word ( 0 .. 24 ) {
    local $ENV{ASSAY_EVIL_WORD}   = $word;
    local $ENV{ASSAY_EVIL_VALUE}  = -1;
    local $ENV{ASSAY_EVIL_THREAD} = 1;
    delete $ENV{ASSAY_EVIL_THREAD} if $word % 2;
    my ( $got, $exit ) = judge( 'poke', '--filter', 'Add/*' );
    my @bad = grep { $got->{$_} !~ /^(pass|crash|flake)$/ } keys %$got;
    ok $exit <= 1 && keys %$got == 8 && !@bad, "word $word: the run ends"
      or diag explain [ $exit, $got ];
}

# Every plugin that is there is judged here.
my @there = do {
    local @ARGV = glob 'runner/backends/evil/*.c';
    map { /^EVIL_[A-Z]+\((\w+)/ } <>;
};
is_deeply [ sort @there ],
  [ sort grep { $_ ne 'native' } keys %due, keys %random, keys %slow,
    keys %unusable, qw(cache fill_scratch trespass), 'poke', 'write_released', 'outfeed_later',
    'outfeed_malformed', 'second_refused', 'low_bits', 'release_crash' ],
  'every evil backend has its row'; # trespass in sandbox.t, low_bits in sweep.t, release_crash in closing.t, the others above
print '# figure: evil backends: ', scalar @there, "\n";
done_testing;
