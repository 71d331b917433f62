#!/bin/sh
# run.t - assay run, from outside: verdicts of bad backends, exit codes,
# interruption, resuming, streams.
#
# SPDX-License-Identifier: Apache-2.0
set -u
B=${B:-build}
ASSAY=${ASSAY:-$B/assay}
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
n=0
failed=0

# ok STATUS NAME
ok() {
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$T/out" 2>/dev/null | head -20
        failed=1
    fi
}

# eq GOT WANT NAME
eq() {
    [ "$1" = "$2" ]
    ok $? "$3 (got '$1', want '$2')"
}

run() {
    timeout 100 "$ASSAY" run --cases "$T/cases" --database "$T/results.db" \
        --jobs 1 "$@" >"$T/out" 2>&1 </dev/null
    code=$?
}

# How many cases ended so.
count() {
    sed -n 's/^[0-9]* cases\{0,1\}://p' "$T/out" | grep -oE "[0-9]+ $1\\b" |
        cut -d' ' -f1 | grep . || echo 0
}

mkdir -p "$T/cases/Add" "$T/cases/Neg" "$T/long/Add"
cat >"$T/cases/Add/rules.json" <<'END'
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "plain", "why": "adds", "each": {"T": ["f32", "s32"]},
   "inputs": [{"shape": "$T[3]", "data": [1, 2, 3]},
              {"shape": "$T[3]", "data": [10, 20, 30]}],
   "expect": [{"shape": "$T[3]", "data": [11, 22, 33]}]},
  {"id": "shapes", "why": "shapes differ",
   "inputs": [{"shape": "f32[3]", "data": [1, 2, 3]},
              {"shape": "f32[4]", "data": [1, 2, 3, 4]}],
   "expect": {"error": "shape"}}
]}
END
cat >"$T/cases/Neg/special.json" <<'END'
{"format": "assay-case/1", "op": "Neg", "cases": [
  {"id": "zero", "why": "the sign of zero",
   "inputs": [{"shape": "f32[4]", "data": [0, "-0", "inf", "nan"]}]}
]}
END
cat >"$T/long/Add/many.json" <<'END'
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "n", "why": "many cases", "each": {"S": [@S@]},
   "inputs": [{"shape": "f32[4]", "random": {"seed": "$S", "dist": "bits"}},
              {"shape": "f32[4]", "random": {"seed": 9, "dist": "bits"}}]}
]}
END
seeds=$(seq -s, 1 20000)
sed -i "s/@S@/$seeds/" "$T/long/Add/many.json"

# ---- All is well -----------------------------------------------------------
run --backend reference
eq $code 0 "the reference passes"
eq "$(count pass)" 7 "every case of it"
run --backend native
eq $code 0 "native passes"

# ---- Usage and bad input ---------------------------------------------------
deep=$(printf '%05000d' 0 | sed 's/0/@(/g')a$(printf '%05000d' 0 | tr 0 ')')
run --list --filter "$deep"
eq $code 2 "a filter of 5000 lists in one another is refused"
grep -q '^assay run: --filter: .*: a glob may have at most 2000 bytes and 20 lists' \
    "$T/out"
ok $? "with the limits"
run --list --filter '@(*@(*@(*@(*|*)|*)|*)|*)q'
eq $code 2 "one of a few ends soon, without a match"
run --no-such-option
eq $code 2 "an unknown option is wrong usage"
run --backend no-such-backend
eq $code 2 "an unknown backend is wrong usage"
run --filter 'No/such*'
eq $code 2 "no case chosen is wrong"
run --timeout 0
eq $code 2 "a timeout of 0 is wrong usage"
run --jobs 0
eq $code 2 "no jobs is wrong usage"
run --profile no-such-profile
eq $code 2 "an unknown profile is wrong"
mkdir -p "$T/broken/Add"
echo '{"format": "assay-case/1", "op": ' >"$T/broken/Add/x.json"
run --cases "$T/broken"
eq $code 2 "a file that is not JSON stops the run"
grep -q 'x.json:' "$T/out"
ok $? "and is named"
run --list
eq "$code $(wc -l <"$T/out")" "0 7" "--list prints every case"
run --list --filter 'Add/rules/plain@T=s32*'
eq "$(tr '\n' ' ' <"$T/out")" \
    "Add/rules/plain@T=s32 Add/rules/plain@T=s32#constant " "--filter chooses"
run --list --filter 'Add/rules/plain@T=s32#constant' --filter 'Neg/*zero'
eq "$(wc -l <"$T/out")" 2 "--filter may be repeated, and matches to the end"
rm -f "$T/results.db"
run --dry-run
ok $code "--dry-run succeeds"
[ ! -e "$T/results.db" ]
ok $? "and leaves nothing behind"

mkdir -p "$T/other/Sin"
cat >"$T/other/Sin/x.json" <<'END'
{"format": "assay-case/1", "op": "Sin", "cases": [
  {"id": "narrow", "why": "a type that native lacks",
   "inputs": [{"shape": "f8e5m2[1]", "data": [1]}]}
]}
END
run --cases "$T/other"
eq "$code $(count unsupported)" "1 2" "a run in which no case was judged fails"
grep -q 'no case was judged' "$T/out"
ok $? "and says so"
run --tap --json
eq $code 2 "TAP or JSON, not both"
run --json --backend evil/hang_execute --filter 'Add/rules/plain*' --timeout 1 \
    --sleep-timeout 1 --give-up 2
grep -o '"name": [^}]*"status": "missing"' "$T/out" >"$T/missing"
eq "$code $(grep -c '^{"name"' "$T/out") $(wc -l <"$T/missing")" "1 4 2" \
    "JSON has the cases that a run gives up"
run --database "$T/nowhere/x.db"
eq $code 2 "a database in no folder is wrong usage"
run --database "$T/results.db/x.db"
eq $code 2 "so is one below a file"
calls="$B/custom-calls.so"
run --custom-call "myfnc=$calls" --custom-call "tuples=$calls"
eq "$code $(grep -c 'no chosen case calls myfnc, tuples$' "$T/out")" "0 1" \
    "functions that no case calls are told"
timeout 100 "$ASSAY" run --cases cases --filter 'CustomCall/*' \
    --custom-call "myfunc=$calls" --database "$T/results.db" \
    >"$T/out" 2>&1 </dev/null
eq "$(grep -c 'no chosen case calls' "$T/out")" 0 "but not one that is called"
mkdir "$T/calls"
cp "$calls" "$T/calls/here.so"
for from in native evil/left_behind; do
    (
        build=$(realpath "$B") && assay=$(realpath "$ASSAY") &&
            suite=$(realpath cases) && cd "$T/calls" &&
            ASSAY_EVIL_HOW=working_directory timeout 100 "$assay" run \
                --backend "$build/backends/$from.so" --cases "$suite" \
                --filter 'CustomCall/*' --custom-call myfunc=here.so \
                --json --database "$(basename $from).db"
    ) 2>/dev/null </dev/null | sed 's/"time_ns.*//' | sort >"$T/$(basename $from)"
done
[ "$(grep -c '"pass"' "$T/native")" -gt 0 ]
eq $? 0 "a function's path is relative to where the run starts"
diff "$T/native" "$T/left_behind" >"$T/out"
eq $? 0 "and not to where a backend goes"

# ---- The reference is wrong ------------------------------------------------
mkdir -p "$T/wrong/Add"
sed 's/11, 22, 33/11, 22, 34/' "$T/cases/Add/rules.json" >"$T/wrong/Add/x.json"
run --cases "$T/wrong" --backend native
eq $code 3 "a case that contradicts the reference is the run's failure"
eq "$(count fail)" 0 "and not the backend's"

# ---- Bad backends ----------------------------------------------------------
# evil.t has them all; these are what a run says of them.
run --backend evil/segfault --filter Add/rules/plain@T=f32
grep -q 'killed by signal 11' "$T/out"
ok $? "a crash names its signal"
grep -q -- '--backend evil/segfault .*--filter Add/rules/plain@T=f32' "$T/out"
ok $? "and the command that runs the case again"
for name in open_fails open_null too_new; do
    run --backend evil/$name
    eq $code 2 "evil/$name cannot be opened"
done
case $ASSAY in
*address*) ;; # the sanitizer needs more address space than any limit leaves
*)
    run --backend evil/memory_eater --memory 256 --filter Add/rules/plain@T=f32
    eq "$code $(count crash)" "1 1" "--memory ends what takes more"
    # Two operands and a result of 64 MiB each.
    mkdir -p "$T/large/Add"
    echo '{"format": "assay-case/1", "op": "Add", "cases": [{"id": "a",
      "why": "large", "inputs": [{"shape": "f32[16777216]", "splat": 1},
      {"shape": "f32[16777216]", "splat": 2}]}]}' >"$T/large/Add/x.json"
    for most in 100 400 1024; do
        run --backend evil/refuse --memory $most --cases "$T/large" \
            --filter Add/x/a
        case $most in 1024) due="1 0 1" ;; *) due="1 1 0" ;; esac
        eq "$code $(count limit) $(count refused)" "$due" \
            "a case of 192 MiB with --memory $most"
    done
    ;;
esac
run --backend evil/hang_compile --timeout 0.2 --filter Add/rules/shapes
eq "$code $(count timeout)" "1 1" "--timeout ends what takes longer"
mkdir -p "$T/endless/While"
cat >"$T/endless/While/x.json" <<'END'
{"format": "assay-case/1", "op": "While",
 "computations": {
   "yes": {"parameters": ["s32[]"], "result": "t", "body": [
     {"name": "t", "op": "Constant", "operands": [],
      "attributes": {"literal": {"shape": "pred[]", "data": true}}}]},
   "turn": {"parameters": ["s32[]"], "result": "n", "body": [
     {"name": "n", "op": "Neg", "operands": ["p0"]}]}},
 "cases": [{"id": "endless", "why": "no condition ends it",
   "inputs": [{"shape": "s32[]", "data": 1}],
   "attributes": {"condition": "yes", "body": "turn"}}]}
END
run --cases "$T/endless" --filter '*endless' --timeout 0.5
eq "$code $(count limit) $(count timeout)" "1 1 0" \
    "what the reference cannot finish either is not a fault of the backend"
run --backend evil/flaky \
    --filter Add/rules/plain@T=f32
eq "$code $(count flake)" "1 1" "a crash that does not recur is a flake"
# A wrong program is counted under the operation that it names, Div, although
# its file is one of Add.
mkdir -p "$T/programs/programs"
cat >"$T/programs/programs/own.json" <<'END'
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "third", "why": "names its operation", "op": "Div",
   "inputs": [{"shape": "f32[]", "data": 1}],
   "module": {"entry": "m", "computations": {"m": {
     "parameters": ["f32[]"], "result": "q",
     "body": ["c = Constant() {literal = f32[] 4}", "q = Div(p0, c)"]}}}}
]}
END
run --cases "$T/programs" --backend evil/flip_bit
grep -q '^      violates Div.value' "$T/out"
ok $? "a wrong program violates the rule of its own operation"
grep -q '^Div  *1  *0  *0  *1 ' "$T/out"
ok $? "and is counted as its own"
run --backend evil/flip_bit --fail-fast
eq "$code $(count fail) $(count missing)" "1 1 6" "--fail-fast stops"

# ---- A budget for some operands alone --------------------------------------
# 1 + 2 = 2 + 1 = 3 (40400000), of which it makes 12 (41400000).
mkdir -p "$T/domain/Add"
cat >"$T/domain/Add/x.json" <<'END'
{"format": "assay-case/1", "op": "Add", "cases": [
  {"id": "low", "why": "an operand below the bound",
   "inputs": [{"shape": "f32[2]", "data": [2, 1]},
              {"shape": "f32[2]", "data": [1, 2]}]},
  {"id": "high", "why": "an operand on the bound",
   "inputs": [{"shape": "f32[2]", "data": [1, 2]},
              {"shape": "f32[2]", "data": [2, 1]}]}
]}
END
cat >"$T/domain.json" <<'END'
{"profile": "domain", "extends": "strict", "budgets": [
  {"class": "arithmetic", "types": ["f32"],
   "if": {"operand": 0, "abs-below": "2"},
   "budget": {"kind": "xla", "abs": "10"}, "source": "a test"}]}
END
run --cases "$T/domain" --backend evil/flip_bit --profile "$T/domain.json"
eq "$code $(count pass) $(count fail)" "1 2 2" "9 off, below the bound"
grep -q 'Add/x/high' "$T/out"
ok $? "and not on it"
run --cases "$T/domain" --backend evil/flip_bit --profile strict
eq "$(count fail)" 4 "without the entry both fail"
run --cases "$T/domain" --backend evil/flip_bit --profile "$T/domain.json"
"$ASSAY" report --format html "$T/results.db" >"$T/out" 2>&1
grep -q 'tolerance if |lhs| &lt; 2, else 0.5' "$T/out"
ok $? "the report's column of budgets says both"
python3 - "$T/results.db" "$T/domain.json" >"$T/json" <<'END'
import json, sqlite3, sys
(text,) = sqlite3.connect(sys.argv[1]).execute(
    "SELECT profile_json FROM run ORDER BY id DESC LIMIT 1").fetchone()
own, strict = json.loads(text)
print(own == json.load(open(sys.argv[2])),
      strict == json.load(open("spec/profiles/strict.json")))
END
eq "$(cat "$T/json")" "True True" \
    "the database has the profile's file and those that it extends"

# ---- Expectations ----------------------------------------------------------
echo 'fail * every result has a wrong bit' >"$T/expect"
run --backend evil/flip_bit --expectations "$T/expect"
eq "$code $(count xfail) $(count xpass)" "1 6 1" \
    "expected failures, and one that passes after all"
echo 'fail? * every result has a wrong bit' >"$T/expect"
run --backend evil/flip_bit --expectations "$T/expect"
eq "$code $(count xfail)" "0 6" "a question mark lets it pass"
echo 'fail<=0.5 * every result has a wrong bit' >"$T/expect"
run --backend evil/flip_bit --expectations "$T/expect"
eq "$code $(count xfail)" "1 0" "what is further off than expected fails"
grep -qF "; exceeds the expectation at $T/expect:1" "$T/out"
ok $? "and says which line it exceeds"
echo 'fail *' >"$T/expect"
run --expectations "$T/expect"
eq $code 2 "an expectation needs a reason"
# Once is enough where an expectation foresees it; anything else is tried again.
attempts() {
    python3 - "$T/tries.db" <<'END'
import sqlite3, sys
print(*(n for n, in sqlite3.connect(sys.argv[1]).execute(
    "select distinct attempt from result order by attempt")))
END
}
for wrong in 'fail flip_bit' 'crash abort' 'timeout hang_execute'; do
    set -- $wrong
    for kind in "$1" accepted; do
        echo "$kind * seen in an earlier run" >"$T/expect"
        rm -f "$T/tries.db"
        run --backend "evil/$2" --expectations "$T/expect" --timeout 1 \
            --sleep-timeout 1 --filter '*@T=f32' --database "$T/tries.db"
        eq "$(attempts)" "$([ "$kind" = "$1" ] && echo 1 || echo 2)" \
            "a $1 where the expectation is $kind: attempts"
    done
done
# What `assay expect` writes is JSON, under any name and from a pipe.
run --backend evil/flip_bit
"$ASSAY" expect "$T/results.db" >"$T/mine.expect" 2>"$T/out"
run --backend evil/flip_bit --expectations "$T/mine.expect"
eq "$code $(count xfail)" "0 6" "expectations as assay expect writes them"
entries=$(grep -c '"pattern"' "$T/mine.expect")
grep -qE "^expectations: $T/mine.expect \($entries entr(y|ies)\)$" "$T/out"
ok $? "the summary names the file and counts its entries"
mkfifo "$T/pipe"
cat "$T/mine.expect" >"$T/pipe" &
run --backend evil/flip_bit --expectations "$T/pipe"
eq "$code $(count xfail)" "0 6" "and from a pipe"
run --backend evil/flip_bit
"$ASSAY" expect --keep "$T/mine.expect" "$T/results.db" >"$T/out" 2>&1
eq "$? $(grep -c '"pattern"' "$T/out")" "0 $entries" "--keep takes it too"
# The reason of an expectation ends where the case's own message begins.
echo 'refused Add/* rounds twice (xla#123): see the tracker' >"$T/by-hand"
run --backend evil/refuse --filter 'Add/rules/plain*' --expectations "$T/by-hand"
eq "$code $(count xfail)" "0 4" "a reason by hand"
"$ASSAY" expect --keep "$T/by-hand" "$T/results.db" >"$T/new.json"
run --backend evil/refuse --filter 'Add/rules/plain*' --expectations "$T/new.json"
eq "$code $(count xfail)" "0 4" "its refreshed file excuses the same cases"
# Wrong in one of two tries, or of two executions of one (by the seed): either
# way it may be a failure or a flake in other runs, or be right.
for row in "1 fail pass" "6 wrong right"; do
    set -- $row
    run --backend evil/fickle --filter Add/rules/plain@T=f32 --seed "$1"
    grep -q "^flake .*: $2 at first (1 of 3 units are wrong), then $3\$" "$T/out"
    ok $? "$2 at first, then $3"
    "$ASSAY" expect "$T/results.db" >"$T/out"
    eq "$? $(grep -o '"kind": "[^"]*"' "$T/out")" '0 "kind": "fail,flake?"' \
        "its entry has a question mark"
done
run --backend evil/second_refused --filter Add/rules/plain@T=f32 --seed 6
"$ASSAY" expect "$T/results.db" >"$T/out"
eq "$? $(grep -o '"kind": "[^"]*"' "$T/out")" '0 "kind": "refused,flake?"' \
    "what is refused in its second execution was refused, not wrong"
# What is right this time stays in the file only if it was unsteady.
run
printf 'fail? Add/* at times\nfail Add/* always\n' >"$T/steady"
printf 'fail Add/* always\nfail? Add/* at times\n' >"$T/unsteady"
"$ASSAY" expect --keep "$T/steady" "$T/results.db" >"$T/out"
eq "$? $(grep -c '"pattern"' "$T/out")" "0 0" \
    "an entry that no case needs any more is left out"
"$ASSAY" expect --keep "$T/unsteady" "$T/results.db" >"$T/kept.json"
eq "$? $(grep -c '"pattern": "Add/\*", "kind": "fail?"' "$T/kept.json")" "0 1" \
    "one with a question mark stays"
run --backend evil/flip_bit --expectations "$T/kept.json"
eq "$code $(count xfail)" "1 4" "and excuses the additions, no more"
# NAME.expect beside NAME.so is read, and told.
cp "$B/backends/native.so" "$T/mine.so"
echo 'fail Add/* what native gets right' >"$T/mine.expect"
run --backend "$T/mine.so"
eq "$code $(count xpass)" "1 5" "expectations beside the plugin"
grep -qxF "expectations: $T/mine.expect (1 entry)" "$T/out"
ok $? "are named"
run
grep -q '^expectations: .*native\.expect ([0-9]* entries)$' "$T/out"
ok $? "and so are native's own"
run --backend reference
grep -q '^expectations:' "$T/out"
[ $? -eq 1 ]
ok $? "without any there is no such line"

# ---- Streams ---------------------------------------------------------------
run --backend evil/flip_bit --tap
grep -v '^[0-9]* cases\|^results:' "$T/out" >"$T/stream.tap"
grep -q '^1\.\.7' "$T/stream.tap"
ok $? "TAP has its plan"
eq "$(grep -oE '^(not )?ok [0-9]+' "$T/stream.tap" | grep -oE '[0-9]+' |
    tr '\n' ' ')" "1 2 3 4 5 6 7 " "TAP numbers are in order"
eq "$(grep -c '^not ok' "$T/stream.tap")" 6 "TAP tells the failures"
run --backend evil/flip_bit --json
grep '^{' "$T/out" |
    python3 -c 'import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(len(rows), sum(r["status"] == "fail" for r in rows))' >"$T/json"
eq "$(cat "$T/json")" "7 6" "--json gives one object a case"

# ---- Programs --------------------------------------------------------------
# A compiled program is kept: not for one whose constants have other sizes.
mkdir -p "$T/sizes/Neg"
cat >"$T/sizes/Neg/rules.json" <<'END'
{"format": "assay-case/1", "op": "Neg", "cases": [
  {"id": "one", "why": "constants of the same bits",
   "inputs": [{"shape": "s32[<=2]", "data": [1, 2], "dynamic_sizes": [1]}]},
  {"id": "two", "why": "constants of the same bits",
   "inputs": [{"shape": "s32[<=2]", "data": [1, 2], "dynamic_sizes": [2]}]}
]}
END
timeout 100 "$ASSAY" run --cases "$T/sizes" --database "$T/sizes.db" \
    --backend reference --jobs 1 >"$T/out" 2>&1 </dev/null
eq "$(count pass)" 4 "programs differ by the sizes of constants"

# ---- Interruption and resuming ---------------------------------------------
many() {
    timeout 100 "$ASSAY" run --cases "$T/long" --database "$T/many.db" \
        --backend native --jobs 1 "$@" >"$T/out" 2>&1 </dev/null
    code=$?
}
# Both signals find the run in its midst: when its first results are committed.
stopped() {
    rm -f "$T"/many.db*
    signal=$1
    shift
    python3 - "$signal" "$T/many.db" "$ASSAY" run --cases "$T/long" \
        --database "$T/many.db" --backend native --jobs 1 "$@" \
        >"$T/out" 2>&1 <<'END'
import signal, sqlite3, subprocess, sys, time
run = subprocess.Popen(sys.argv[3:])
while run.poll() is None:
    try:
        db = sqlite3.connect(f"file:{sys.argv[2]}?mode=ro", uri=True)
        if db.execute("SELECT 1 FROM result LIMIT 1").fetchone():
            break
    except sqlite3.Error:
        pass
    time.sleep(0.002)
run.send_signal(getattr(signal, "SIG" + sys.argv[1]))
code = run.wait()
sys.exit(code if code >= 0 else 128 - code)
END
    code=$?
}
stopped INT
eq $code 130 "SIGINT ends a run with 130"
many --resume
eq "$code $(count pass)" "0 20001" "and --resume completes it"
many --resume
eq $code 2 "a complete run cannot be resumed"
: >"$T/blank.db"
many --database "$T/blank.db" --resume
eq "$code $(wc -c <"$T/blank.db")" "2 0" "nor an empty file, which stays empty"
stopped KILL
many --resume
eq "$code $(count pass)" "0 20001" "nor does SIGKILL lose a finished case"
stopped INT
many --resume --seed 5
eq $code 2 "another plan cannot be resumed"
echo '{"profile": "mine", "extends": "spec"}' >"$T/mine.json"
stopped INT --profile "$T/mine.json"
echo '{"profile": "mine", "extends": "strict"}' >"$T/mine.json"
many --resume --profile "$T/mine.json"
eq $code 2 "nor one under a profile that was edited meanwhile"

# A pipe that nobody reads: the run ends and is recorded; then its reader finds
# every line.
mkfifo "$T/unread"
(
    exec 3<"$T/unread"
    while [ ! -e "$T/read" ]; do sleep 0.05; done
    wc -l <&3 >"$T/lines"
) &
"$ASSAY" run --cases "$T/long" --database "$T/pipe.db" --backend native \
    --jobs 1 --json >"$T/unread" 2>"$T/out" &
tries=0
state=
while [ "$state" != complete ] && [ $tries -lt 600 ]; do
    sleep 0.2
    tries=$((tries + 1))
    state=$(sqlite3 -readonly "$T/pipe.db" 'select state from run' 2>/dev/null)
done
touch "$T/read"
wait
eq "$state" complete "a run whose output is not read is recorded to its end"
eq "$(cat "$T/lines")" 20001 "and its reader gets all of it later"

# Reading 360,000 cases takes over a second; an interrupt does not wait for it.
numbers() { seq -s, 1 "$1"; }
mkdir -p "$T/slow-read/Add"
for i in 1 2 3 4 5 6; do
    cat >"$T/slow-read/Add/f$i.json" <<END
{ "format": "assay-case/1", "op": "Add", "cases": [
  { "id": "n", "why": "many", "each": {"A": [$(numbers 200)], "B": [$(numbers 300)]},
    "inputs": [{"shape": "f32[1]", "data": ["\$A"]},
               {"shape": "f32[1]", "data": ["\$B"]}] } ] }
END
done
timeout --preserve-status -s INT 0.2 "$ASSAY" run --cases "$T/slow-read" \
    --database "$T/slow-read.db" >"$T/out" 2>&1
eq $? 130 "SIGINT ends a run that still reads its cases"
[ ! -e "$T/slow-read.db" ]
ok $? "and no database was made"

echo "1..$n"
exit $failed
