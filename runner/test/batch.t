#!/usr/bin/env python3
# batch.t - cases that are compiled together get the verdicts they get alone.
#
# SPDX-License-Identifier: Apache-2.0
#
# What is expected is the database of the same run with each case alone, row by
# row but for times; and for backends that are wrong in one way what their files
# (runner/backends/evil) say.  evil.t runs all of those in batches, too.
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tools/test"))
from tap import finish, ok  # noqa: E402
import rows  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")
DIR = tempfile.mkdtemp()
CASES = os.path.join(DIR, "cases")


def db(name):
    return os.path.join(DIR, name + ".db")


def words(name, *more):
    return [ASSAY, "run", "--database", db(name), *more]


def assay(name, *more):
    return subprocess.run(words(name, *more), text=True, capture_output=True,
                          check=False)


def same(name, *names):
    """Are all rows of these databases equal, the run's own excepted?"""
    want = rows.content(db(name))
    return [f"{other}: {table}: "
            f"{[r for r in got[table] if r not in want[table]][:3]}"
            for other, got in ((n, rows.content(db(n))) for n in names)
            for table in rows.ROWS if got[table] != want[table]]


# ---- Right backends: every kind of program, in and out of batches.
CHOICE = ["--filter", "Sub/special*", "--filter", "Reduce/exact*",
          "--filter", "Sort/*", "--filter", "While/*", "--filter", "Map/*",
          "--filter", "AllReduce/*", "--filter", "Infeed/*",
          "--filter", "RngUniform/*", "--filter", "TopK/*",
          "--filter", "DynamicReshape/*", "--filter", "CustomCall/*"]
for size in (1, 7, 64, 2000):
    got = assay(f"native{size}", "-q", *CHOICE, "--batch", str(size))
    ok(got.returncode in (0, 1) and "cases: " in got.stdout,
       f"native in batches of {size}", got.stdout + got.stderr)
bad = same("native1", "native7", "native64", "native2000")
ok(not bad, "the tables are equal, row by row", "\n".join(bad))

SOME = ["--filter", "Select/exact*", "--filter", "Reduce/empty*",
        "--filter", "Call/*"]
for size in (1, 64):
    assay(f"r{size}", "-q", *SOME, "--backend", "reference", "--batch",
          str(size))
bad = same("r1", "r64")
ok(not bad, "reference: the tables are equal", "\n".join(bad))

# A process adapter's other side reads the joined program as JSON, or not at all:
# the one of the tests knows one operation.
PROCESS = ["--filter", "Neg/special*", "--filter", "Abs/special*", "--backend",
           "runner/test/process/backend.py"]
for size in (1, 64):
    assay(f"p{size}", "-q", *PROCESS, "--batch", str(size))
bad = same("p1", "p64")
ok(not bad, "a process: the tables are equal", "\n".join(bad))

# ---- Wrong in one way.
def spell(op, cases, folder=CASES):
    os.makedirs(os.path.join(folder, op), exist_ok=True)
    with open(os.path.join(folder, op, "some.json"), "w",
              encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)


def unary(n):
    return {"id": f"n{n}", "why": "a program of its own",
            "inputs": [{"shape": f"f32[{n}]", "data": list(range(n))}]}


ADD = [unary(n) | {"inputs": unary(n)["inputs"]
                   + [{"shape": f"f32[{n}]", "data": [1] * n}]}
       for n in range(1, 21)]
spell("Add", ADD)
spell("Rev", [{"id": "rev", "why": "the one that is refused, or hangs",
               "inputs": [{"shape": "f32[2]", "data": [1, 2]}],
               "attributes": {"dimensions": [0]}}])


def judge(name, plugin, *more):
    """Results by the case's name without constants, and the exit status."""
    got = assay(name, "--json", "--cases", CASES, "--jobs", "1", "--backend",
                os.path.join(B, f"backends/evil/{plugin}.so"), *more)
    return {r["name"]: r for r in map(json.loads, got.stdout.splitlines())
            if not r["name"].endswith("#constant")}, got


def statuses(results):
    return {name: r["status"] for name, r in results.items()}


# Without the constant forms.
PLAIN = ["--filter", "Add/some/n?", "--filter", "Add/some/n??",
         "--filter", "Rev/some/rev"]
ALL = {f"Add/some/n{n}": "pass" for n in range(1, 21)} | {
    "Rev/some/rev": "pass"}
got, _ = judge("beside1", "beside", *PLAIN, "--batch", "1")
ok(statuses(got) == ALL, "beside: alone all are right", statuses(got))
for size in (64, 7):
    got, _ = judge(f"beside{size}", "beside", *PLAIN, "--batch", str(size))
    # The third of each batch.
    due = ALL | {list(ALL)[n]: "fail" for n in range(2, 21, size)}
    ok(statuses(got) == due, f"beside: in batches of {size} the third is"
       " wrong", statuses(got))
got, _ = judge("default", "beside", *PLAIN)
ok(statuses(got) == ALL | {"Add/some/n3": "fail"},
   "a backend that says that compiling is slow gets batches", statuses(got))
wrong = judge("b64", "beside", *PLAIN, "--batch", "64")[0]["Add/some/n3"]
ok(wrong["text"].startswith("only in a batch with other operations (case 3 of a batch"
                            " of 21, Add/some/n1 to Rev/some/rev): "),
   "its form, its place, and the batch", wrong["text"])
again = subprocess.run([ASSAY, *shlex.split(wrong["command"])[1:], "--json",
                        "--database", db("again")],
                       text=True, capture_output=True, check=False)
results = {r["name"]: r for r in map(json.loads, again.stdout.splitlines())}
ok(statuses(results) == ALL | {"Add/some/n3": "fail"}
   and results["Add/some/n3"]["text"] == wrong["text"],
   "the command shows it again", again.stdout + again.stderr)
tap = assay("tap", "--tap", "--cases", CASES, "--jobs", "1", "--backend",
            os.path.join(B, "backends/evil/beside.so"), *PLAIN, "--batch", "64")
ok(tap.stdout.count("not ok") == 1
   and "--batch 21 --filter Add/some/n1 --filter" in tap.stdout,
   "and so does that of a TAP stream", tap.stdout)

got, _ = judge("hang64", "hang_one", *PLAIN, "--batch", "64", "--timeout", "1",
               "--sleep-timeout", "0.5")
ok(statuses(got) == ALL | {"Rev/some/rev": "timeout"},
   "hang_one: it hangs, and nobody else", statuses(got))
ok(got["Rev/some/rev"]["text"]
   == "no result within 0.5 s in which it slept",
   "by the time limit of a case", got["Rev/some/rev"])

# ---- A timeout that is expected has less time.
known = os.path.join(DIR, "known.expect")
with open(known, "w", encoding="utf-8") as f:
    f.write("timeout Rev/* it hangs\n")
for name, more, seconds in (("tenth", ("--timeout", "20", "--sleep-timeout", "5"), "0.5"),
                            ("given", ("--timeout", "2", "--sleep-timeout", "8",
                                       "--expected-timeout", "0.25"), "1"),
                            ("least", ("--timeout", "2", "--sleep-timeout", "1"), "0.5")):
    got, run = judge(name, "hang_one", *PLAIN, "--expectations", known, *more)
    ok(statuses(got) == ALL | {"Rev/some/rev": "xfail"} and run.returncode == 0
       and got["Rev/some/rev"]["attempt"] == 1
       and f"no result within {seconds} s in which" in got["Rev/some/rev"]["text"],
       f"an expected timeout: {name}", got["Rev/some/rev"])

# ---- A case that is known to be wrong is run alone if it is right in its batch.
with open(known, "w", encoding="utf-8") as f:
    f.write("fail Add/some/n1 the last bit\nfail? Add/some/n2 the last bit\n")
got, run = judge("alone", "only_alone", *PLAIN, "--batch", "64",
                 "--expectations", known)
ok(statuses(got) == ALL | {"Add/some/n1": "xfail", "Add/some/n2": "xfail"}
   and run.returncode == 0, "only_alone: a case that is right in its batch only is no xpass",
   statuses(got))
got, run = judge("right", "twin", *PLAIN, "--batch", "64",
                 "--expectations", known)
ok(got["Add/some/n1"]["status"] == "xpass", "twin: one that is right alone as well is",
   statuses(got))

# hostile refuses each program with a Rev, and spoils the types of all results.
expect = os.path.join(DIR, "hostile.expect")
with open(expect, "w", encoding="utf-8") as f:
    f.write("refused Rev/* it cannot\nfail Add/* its types are no types\n")
for size in (1, 64):
    got, run = judge(f"x{size}", "hostile", *PLAIN, "--batch", str(size),
                     "--expectations", expect)
    ok(set(statuses(got).values()) == {"xfail"} and run.returncode == 0,
       f"what is expected in batches of {size} is xfail", statuses(got))
bad = same("x1", "x64")
ok(not bad, "and the tables are equal", "\n".join(bad))

# ---- slow_refuse compiles in 200 ms, and refuses each program with an Abs.
# What a case takes is its share of its batch: 12.5 ms of 16.  The search for those that are
# refused may take half of 32 * 200 ms: enough to find out that all Abs are
# refused, which takes some five programs, not to find each of the twelve alone.
OTHER = os.path.join(DIR, "other")
spell("Abs", [unary(n) for n in range(1, 13)], OTHER)
spell("Add", ADD, OTHER)
got = [json.loads(line) for line in assay(
    "search", "--json", "--cases", OTHER, "--jobs", "1", "--batch", "64",
    "--filter", "Abs/some/n?", "--filter", "Abs/some/n??", "--filter",
    "Add/some/n?", "--filter", "Add/some/n??", "--backend",
    os.path.join(B, "backends/evil/slow_refuse.so")).stdout.splitlines()]
late = [r["name"] for r in got
        if r["name"].startswith("Add/") and r["time_ns"] > 100e6]
ok(len(got) == 32 and all(
    r["status"] == ("pass" if r["name"].startswith("Add/") else "refused")
    for r in got), "slow_refuse: twelve of 32 are refused", got)
ok(len(late) <= 4, "and the others are not run alone for their sake", late)

# ---- A run that is killed in a batch goes on.
SLOW = ["-q", "--cases", CASES, "--jobs", "1", "--backend",
        os.path.join(B, "backends/evil/slow.so"), "--batch", "4"]
run = subprocess.Popen(words("killed", *SLOW), stdout=subprocess.DEVNULL)
time.sleep(1)
run.send_signal(signal.SIGKILL)
run.wait()
got = assay("killed", *SLOW[:-2], "--batch", "5", "--resume")
ok(got.returncode == 2 and "size of batches differ" in got.stderr,
   "with other batches it is another run", got.stderr)
got = assay("killed", *SLOW, "--resume")
assay("unkilled", *SLOW)
bad = same("unkilled", "killed")
ok(got.returncode == 0 and not bad, "killed and resumed: all rows are equal",
   got.stdout + got.stderr + "\n".join(bad))

for size in ("0", "2001", "x"):
    got = assay("none", "--batch", size)
    ok(got.returncode == 2 and "--batch" in got.stderr,
       f"--batch {size} is refused", got.stderr)
finish()
