#!/bin/sh
# sandbox.t - a backend cannot harm the run's results, and is seen if it does.
#
# SPDX-License-Identifier: Apache-2.0
#
# test_sandbox.c tries each thing that is refused; this is about whole runs.
T=$(mktemp -d) || exit 1
trap 'rm -rf "$T"' EXIT
n=0
ok() { # STATUS NAME
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$T/out"
    fi
}
run() {
    rm -f "$T/results.db"
    ASSAY_EVIL_VICTIM="$T/results.db" "$ASSAY" run --quiet \
        --database "$T/results.db" --filter 'Add/rules*' "$@" >"$T/out" 2>&1
    code=$?
}
evil=$B/backends/evil/intruder.so

files() { # NAME: what is in the way of a backend that is after the results
    run --backend native
    host=$(sqlite3 "$T/results.db" 'select host from run')
    case $host in
    *'"sandbox": "Landlock '* | *'"sandbox": "namespaces'*)
        for how in remove replace overwrite; do
            ASSAY_EVIL_HOW=$how run --backend "$evil"
            [ "$code" = 0 ]
            ok $? "$1: a backend cannot $how the results"
        done
        ;;
    *)
        echo "# $1: files are not protected on this kernel"
        run --backend native
        grep -q 'warning: this kernel offers neither' "$T/out"
        ok $? "$1: and it is reported"
        ;;
    esac
}
files "in the sandbox"
export ASSAY_TEST_SANDBOX=namespaces
files "in the sandbox without Landlock"
unset ASSAY_TEST_SANDBOX
for how in remove replace; do
    ASSAY_EVIL_HOW=$how run --backend "$evil" --no-sandbox
    [ "$code" = 3 ] && grep -q 'removed or replaced' "$T/out"
    ok $? "without it, to $how them ends the run with 3"
done
ASSAY_EVIL_HOW=overwrite run --backend "$evil" --no-sandbox
[ "$code" = 3 ] && grep -q 'damaged while it was written: [^*]' "$T/out"
ok $? "without it, to overwrite them ends the run with 3"
run --backend native --no-sandbox
[ "$(sqlite3 "$T/results.db" 'select host from run' |
    grep -c '"sandbox": "off"')" = 1 ]
ok $? "a run records that it had none"
level() { # LEVEL NAME: what the results and the end of the run say
    [ "$(sqlite3 "$T/results.db" \
        "select value from identity where member = 'sandbox'")" = "$1" ] &&
        case $1 in
        full) ! grep 'forge' "$T/out" ;;
        *) grep -q "^sandbox: $1: .*forge verdicts" "$T/out" ;;
        esac
    ok $? "$2: level $1"
}
level none "without it"
ASSAY_TEST_SANDBOX=seccomp run --backend native
level partial "seccomp alone"
run --backend native
case $(sqlite3 "$T/results.db" 'select host from run') in
*'"sandbox": "seccomp"'*) level partial "this kernel" ;;
*)
    level full "this kernel"
    # A failure says what the sandbox refused, and so does the end of the run.
    mkdir "$T/victim"
    : >"$T/victim/file"
    for batch in 1 64; do
        ASSAY_EVIL_CACHE=$T/victim/file run --backend "$B/backends/evil/cache.so" \
            --batch $batch --json
        [ "$code" = 1 ] &&
            grep -q "no cache; the sandbox refused write to $T/victim/file" "$T/out" &&
            grep -q "^the sandbox refused write to $T/victim/file (the first of" "$T/out"
        ok $? "batches of $batch: a failure says that the sandbox refused it"
    done
    ASSAY_EVIL_CACHE=$T/victim/none/file run --backend "$B/backends/evil/cache.so"
    [ "$code" = 1 ] && ! grep 'the sandbox refused' "$T/out"
    ok $? "and nothing of what fails anyway"
    ASSAY_EVIL_CACHE=$T/victim/file run --backend "$B/backends/evil/cache.so" --no-sandbox
    [ "$code" = 0 ]
    ok $? "without a sandbox it succeeds"
    ;;
esac
# What each attempt to get out of it comes to.
"$(dirname "$0")/../../tools/checks/check-sandbox" "$B" --tap >"$T/attempts" 2>"$T/out"
ok $? "the attempts are made"
while read -r how rest; do
    case $how in
    ok) n=$((n + 1)) && echo "ok $n - $rest" ;;
    not) n=$((n + 1)) && echo "not ok $n - ${rest#ok }" ;;
    *) echo "$how $rest" ;;
    esac
done <"$T/attempts"
[ "$(grep -c '^ok' "$T/attempts")" -gt 200 ]
ok $? "and are many"
# What a backend leaves behind goes with the run.
mkdir "$T/tmp"
TMPDIR=$T/tmp run --backend evil/flaky
[ -z "$(ls "$T/tmp")" ]
ok $? "the scratch directory is removed"
echo "1..$n"
