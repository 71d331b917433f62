#!/usr/bin/python3
# process.t - backends that are programs: what they say wrong, and how they end.
#
# SPDX-License-Identifier: Apache-2.0
#
# process/backend.py misbehaves in one way a mode, each of which is one verdict
# with a text that says what is wrong.  Expected results were written down from
# spec/protocol.md.
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = f"{ROOT}/../../tools/test", f"{ROOT}/../../tools/checks"
from processes import running  # noqa: E402
from tap import finish, ok  # noqa: E402

BUILD = os.environ.get("B", "build")
ASSAY = os.environ.get("ASSAY", f"{BUILD}/assay")
BACKEND = f"{ROOT}/process/backend.py"

folder = tempfile.mkdtemp()
db = f"{folder}/results.db"


def case(op, *cases):
    os.makedirs(f"{folder}/cases/{op}")
    with open(f"{folder}/cases/{op}/a.json", "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": list(cases)}, f)


case("Neg",
     {"id": "three", "why": "three numbers",
      "inputs": [{"shape": "f32[3]", "data": [1, 2, 3]}]},
     {"id": "large", "why": "more than a pipe holds",
      "inputs": [{"shape": "f32[200000]", "iota": 0}]},
     {"id": "none", "why": "no element",
      "inputs": [{"shape": "f32[0]", "data": []}]},
     {"id": "error", "why": "a type that cannot be negated",
      "inputs": [{"shape": "pred[1]", "data": [True]}],
      "expect": {"error": "type"}})
case("TopK", {"id": "least", "why": "the text form has no word for it",
              "inputs": [{"shape": "f32[2]", "data": [1, 2]}],
              "attributes": {"k": 1, "largest": False}})
case("Abs", {"id": "other", "why": "an operation that it lacks",
             "inputs": [{"shape": "f32[1]", "data": [1]}]})


SHORT = "--timeout", "1", "--sleep-timeout", "2"  # where the limit must come


def run(backend, *options, filter="Neg/a/three", timeout=300):
    """Verdicts by the case's name, and the messages."""
    done = subprocess.run(
        [ASSAY, "run", "--backend", backend, "--cases", f"{folder}/cases",
         "--memory", "512", "--database", db, "--json", "--jobs", "1",
         "--timeout", "20", "--sleep-timeout", "60", "--filter", filter,
         *options],
        capture_output=True, text=True, timeout=timeout,
        stdin=subprocess.DEVNULL)
    rows = [json.loads(x) for x in done.stdout.splitlines() if x[0] == "{"]
    return {r["name"]: r for r in rows}, done.stdout + done.stderr


def check(backend, status, text, name, *options):
    rows, messages = run(backend, *options)
    row = rows.get("Neg/a/three", {"status": "open", "text": messages})
    ok(row["status"] == status and re.search(text, row.get("text", "")),
       f"{name}: {status}", f"{row}\n{messages}")


# ---- Ways to be named ---------------------------------------------------------

check(BACKEND, "pass", "^$", "an executable file")
check(f"process:{BACKEND}", "pass", "^$", "a command")
check(f"process:MODE=good; python3 '{BACKEND}' \"$MODE\"", "pass", "^$",
      "a command of the shell")
check(f"process:{BACKEND} good 'a,b%2C'", "pass", "^$", "a command with commas")
told = sqlite3.connect(db).execute(
    "select value from property where key = 'process.command'").fetchall()
ok((f"{BACKEND} good 'a,b%2C'",) in told, "the command is recorded", told)
plain = f"{folder}/plain.py"
shutil.copyfile(BACKEND, plain)
check(plain, "open", r"plain\.py: not executable", "a file that is none")
check("process:", "open", "expected a command", "no command")
check("process:no-such-program", "open",
      "exited with status 127", "no such program")
check(BACKEND, "pass", "^$", "an option", "--backend-option", "colour=red")
told = sqlite3.connect(db).execute(
    "select value from property where key = 'option.colour'").fetchall()
ok(told == [("red",)], "an option reaches it, a property comes back", told)

# ---- Well-behaved --------------------------------------------------------------

rows, messages = run(BACKEND, filter="*")
statuses = {n: r["status"] for n, r in rows.items() if "#" not in n}
ok(statuses == {"Neg/a/three": "pass", "Neg/a/large": "pass",
                "Neg/a/none": "pass", "Neg/a/error": "accepted",
                "TopK/a/least": "unsupported",
                "Abs/a/other": "unsupported"}, "six cases", rows)
check(f"process:{BACKEND} both", "pass", "^$", "both forms of a program")
rows, messages = run(f"process:{BACKEND} both", filter="TopK/*")
ok(rows["TopK/a/least"]["text"] == "chlo.top_k returns the largest elements "
   "only", "why a form is missing", rows)
check(f"process:{BACKEND} stablehlo", "pass", "^$", "StableHLO alone")

check(f"process:{BACKEND} schema", "pass", "^$", "frames fit the schema")

# ---- Errors ----------------------------------------------------------------------

for mode, status, text in (
        ("class-unsupported", "unsupported", "as was ordered"),
        ("class-failed", "refused", "failed: as was ordered"),
        ("class-shape", "refused", "as was ordered"),
        ("class-rejected", "refused", "as was ordered"),
        ("class-ok", "refused", "error is 'ok', which is not an error class"),
        ("no-class", "refused", "error is 'fatal', which is not an error class"),
        ("no-text", "refused", "no reason given"),
        ("unsupported", "unsupported", "not today"),
        ("failed", "refused", r"failed: no\?\[31m memory"),
        ("wrong", "fail", "3 of 3 units are wrong"),
        ("dtype", "fail", "element type s32, expected f32"),
        ("longer", "fail", "size 9 of dimension 0, expected 3"),
        ("shorter", "fail", "size 2 of dimension 0, expected 3"),
        ("no-outputs", "refused", "'outputs' is not a list"),
        ("two-outputs", "refused", "2 outputs, the program 1"),
        ("float32", "refused", r"outputs\[0\].dtype is 'float32', not an elem"),
        ("no-dtype", "refused", r"outputs\[0\].dtype is not an element type"),
        ("negative", "refused", r"outputs\[0\].dims is not a list of sizes"),
        ("fraction", "refused", r"outputs\[0\].dims is not a list of sizes"),
        ("rank", "refused", r"outputs\[0\].dims is not a list of sizes"),
        ("huge-dims", "refused", r"outputs\[0\] has more than 1073741824 bytes"),
        ("body", "refused", "body has 13 bytes, its header describes 12"),
        ("open-body", "open", "body has 3 bytes, its header describes 0"),
        ("compile-body", "refused", "body has 3 bytes, its header describes 0"),
        ("failed-body", "refused", "body has 5 bytes, its header describes 0"),
        ("two-errors", "refused", "header has the member 'error' twice"),
        ("two-dims", "refused", "header has the member 'dims' twice"),
        ("no-body", "refused", "body has 0 bytes, its header describes 12"),
        ("outfeed", "refused", "'outfeed' is not a list"),
        ("outfed", "fail", "outfeed of a nonexistent replica"),
        ("protocol-3", "open", r"is not a version that this assay speaks \(1 to 2\)"),
        ("no-name", "open", "the reply has no 'name'"),
        ("bad-forms", "open", "'hlo' is not a form of programs"),
        ("bad-capability", "open", "'replicas' of the reply's 'capabilities' is "
         "not a string"),
        ("says:dtypes=f32_float32", "open",
         r"capability 'dtypes': unknown type 'float32' \(nearest: 'f32'\)"),
        ("says:dtypes=F32", "open", r"unknown type 'F32' \(nearest: 'f32'\)"),
        ("says:ops=Neg_Trasnpose", "open",
         r"unknown operation 'Trasnpose' \(nearest: 'Transpose'\)"),
        ("says:replicas=four", "open", "expected a whole number, 1 or more"),
        ("says:replicas=0", "open", "expected a whole number, 1 or more"),
        ("says:rejects-without-class=true", "open",
         "unknown word 'true'.*expected one of: yes no"),
        ("says:compile=slwo", "open", r"unknown word 'slwo' \(nearest: 'slow'\)"),
        ("says:dtype=f32", "open",
         r"unknown capability 'dtype' \(nearest: 'dtypes'\)"),
        ("bad-property", "open", "'x' of the reply's 'properties' is not a str"),
        ("declines", "open", "no device")):
    check(f"process:{BACKEND} {mode}", status, text, mode)

# A message longer than what is kept after a reason: expectations from the run,
# and from one with these expectations, are the same.
written = f"{folder}/written.json"
for mode in "long-", "long-1":
    check(f"process:{BACKEND} {mode}", "refused", "\u00e9{100}$", mode)
    texts = []
    for again in range(2):
        done = subprocess.run([ASSAY, "expect", db], capture_output=True,
                              text=True)
        texts.append(done.stdout)
        with open(written, "w", encoding="utf-8") as f:
            f.write(done.stdout)
        check(f"process:{BACKEND} {mode}", "xfail", "\u00e9", f"{mode} is known",
              "--expectations", written)
    ok(texts[0] == texts[1] and "\u00e9" in texts[0] and "?" not in texts[0],
       f"{mode}: refreshing changes nothing", texts)

# ---- Frames that are none, and ends ------------------------------------------------

for call, status in ("open", "open"), ("compile", "crash"), \
        ("execute", "crash"):
    for mode, text in (
            ("text", "expected a frame on standard output, found 'hello, world"),
            ("half-prefix", "ends after 6 of 16 bytes of its prefix"),
            ("half-header", "ends after 4 of 15 bytes of its header"),
            ("long-header", "a header of 4294967295 bytes, more than 1048576"),
            ("long-body", "a body of 4294967295 bytes, more than 1073741824"),
            ("longest-body", "a body of 18446744073709551615 bytes"),
            ("no-json", "header is not JSON: expected a member name "
             r"\(line 1, column 2 of '{outputs: 1'\)"),
            ("binary-header", "header is not JSON"),
            ("list", "header is not a JSON object"),
            ("trailing", "header is not JSON"),
            ("deep", "header is not JSON"),
            ("empty-header", "header is not JSON"),
            ("exit", "exited with status 7"),
            ("quietly", "exited with status 0"),
            ("segfault", "killed by signal 11"),
            ("kill", "killed by signal 9"),
            ("raise", "RuntimeError: as was ordered"),
            ("flood", "expected a frame on standard output, found 'yyyyyyyyyy"),
            ("closed", "the backend closed its standard output")):
        # A few suffice where the same code reads the reply.
        if call == "execute" or mode in ("text", "exit", "kill", "closed"):
            check(f"process:{BACKEND} {call}-{mode}", status, text,
                  f"{call}: {mode}")
check(f"process:{BACKEND} execute-half-body", "crash",
      "ends after 8 of 12 bytes of its body", "execute: half-body")
check(f"process:{BACKEND} execute-exit", "crash", "last words: giving up",
      "standard error is kept")
for mode in "silent", "spin":
    check(f"process:{BACKEND} execute-{mode}", "timeout", "no result within",
          f"execute: {mode}", *SHORT)
    # What is killed is there until it has given back its memory.
    for _ in range(200):
        left = running(f"{BACKEND} execute-{mode}")
        if not left:
            break
        time.sleep(0.1)
    ok(not left, f"{mode}: nothing is left running", left)
ok(running(os.path.basename(__file__)) != [], "what runs would be seen")
known = f"{folder}/known.expect"
with open(known, "w", encoding="utf-8") as f:
    f.write("timeout Neg/* it spins\n")
check(f"process:{BACKEND} execute-spin", "xfail",
      "no result within 0.2 s of processor time", "an expected timeout",
      "--expectations", known, "--expected-timeout", "0.2", *SHORT)

# ---- The sandbox ----------------------------------------------------------------

target = f"{folder}/written"
check(f"process:touch {target}; exec {BACKEND}", "pass", "^$",
      "a program that wants to write")
ok(not os.path.exists(target), "it cannot write outside its scratch directory")
check(f'process:: > "$TMPDIR/x" && exec {BACKEND}', "pass", "^$",
      "it can write inside")

shutil.rmtree(folder)
finish()
