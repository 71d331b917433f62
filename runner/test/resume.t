#!/usr/bin/env python3
# resume.t - a run that is killed anywhere, and resumed, ends as one that is not.
#
# SPDX-License-Identifier: Apache-2.0
#
# The expected database is that of a run that nothing disturbs.  The runner gets
# SIGTERM, or it and all of its processes SIGKILL, at random parts of the time
# that this run took, again and again until one reaches its end.
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tools/test"))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
SEED = int(os.environ.get("ASSAY_SEED", "1"))
KILLS = 8
print(f"# seed {SEED}")
draw = random.Random(SEED)
# All but times, and what names the run.
TABLES = {
    "run": "state, note, plan_first, plan_count, case_set_hash, plan_hash",
    "result": "plan, status, attempt, units, correct, bad, special, error,"
              " share, worst_unit, worst_input, flags",
    "detail": "plan, message, requirements, at, inputs, program",
    **{t: "*" for t in ("file", "plan", "wrong", "operand", "remark", "cause",
                        "bin", "identity")}}


def write(folder):
    """Some pass under each deviation, and contradict what others share."""
    for op, types in (("Sub", ("f32", "s32")), ("Max", ("f32", "f16"))):
        os.makedirs(f"{folder}/{op}")
        cases = [{"id": f"{t}-{i}", "why": "numbers", "inputs": [
            {"shape": f"{t}[{n}]",
             "random": {"seed": i * (k if i % 5 else 1) + 1,
                        "dist": "integers", "low": -9, "high": 9}}
            for k in (1, 2)]}
            for t in types for i, n in enumerate(range(3, 23))]
        cases.append({"id": "special", "why": "NaN", "inputs": [
            {"shape": "f32[3]", "data": ["nan", "-0", 1]},
            {"shape": "f32[3]", "data": [2, 0, "nan"]}]})
        with open(f"{folder}/{op}/a.json", "w") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)


def content(path):
    base = sqlite3.connect(path)
    rows = {t: sorted(repr(r) for r in base.execute(f"SELECT {c} FROM {t}"))
            for t, c in TABLES.items()}
    base.close()
    return rows


def state(path):
    """Of a run that was killed; None: it has not begun."""
    try:
        base = sqlite3.connect(path)
        rows = base.execute("SELECT state FROM run").fetchall()
        base.close()
    except sqlite3.Error:
        return None
    return rows[0][0] if rows else None


def go(words, after, number, whole):
    """Its exit code; None if it was killed first."""
    run = subprocess.Popen(words, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, text=True,
                           start_new_session=True)
    try:
        return run.communicate(timeout=after)[1], run.returncode
    except subprocess.TimeoutExpired:
        (os.killpg if whole else os.kill)(run.pid, number)
        said = run.communicate()[1]
    return said, run.returncode if run.returncode in (0, 1) else None


def trial(folder, deviation, options):
    words = [ASSAY, "run", "-q", "-j", "2", "--cases", f"{folder}/cases",
             "--backend", "reference", "--backend-option",
             f"deviation={deviation}", *options, "--database"]
    left, killed = f"{folder}/left.db", f"{folder}/killed.db"
    for path in os.listdir(folder):
        if path.startswith(("left.db", "killed.db")):
            os.unlink(f"{folder}/{path}")
    began = time.monotonic()
    subprocess.run([*words, left], capture_output=True, check=False)
    took = time.monotonic() - began
    kills, code, said = 0, None, ""
    while code is None:
        whole = draw.random() < 0.4
        after = took * draw.uniform(0.1, 1) if kills < KILLS else 300
        resume = ["--resume"] if state(killed) in ("running", "stopped") else []
        if state(killed) == "complete":
            break  # it was killed after its end
        if state(killed) == "planning":
            os.unlink(killed)
        said, code = go([*words, killed, *resume], after,
                        signal.SIGKILL if whole else signal.SIGTERM, whole)
        kills += code is None
    want, got = content(left), content(killed)
    bad = [(t, [r for r in want[t] if r not in got[t]][:2],
            [r for r in got[t] if r not in want[t]][:2])
           for t in TABLES if want[t] != got[t]]
    ok(not bad and code in (None, 1),
       f"{deviation} {' '.join(options)}: killed {kills} times, all is equal",
       f"{code} {said} {bad}")


with tempfile.TemporaryDirectory() as temporary:
    write(f"{temporary}/cases")
    for name in ("operands.swapped(lhs,rhs)", "operand.negated(rhs)",
                 "memory.tail-8", "results.nan-dropped",
                 "formula.max-compares + results.nan-dropped"):
        for more in ((), ("--profile", "strict", "--seed", "3")):
            trial(temporary, name, more)
finish()
