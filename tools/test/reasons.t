#!/usr/bin/env python3
# reasons.t - a reason that a passing case contradicts is not given.
#
# SPDX-License-Identifier: Apache-2.0
#
# The reference under a deviation stands for a wrong backend.  In one case
# another deviation gives the same; the cases that pass tell which it is.
import json
import os
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def assay(*arguments):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout, done.stderr


def run(folder, op, cases, deviation, *options):
    os.makedirs(f"{folder}/cases/{op}", exist_ok=True)
    for i, case in enumerate(cases):
        case.update(id=f"c{i}", why="a reason shows")
    with open(f"{folder}/cases/{op}/a.json", "w") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)
    database = f"{folder}/r.db"
    if os.path.exists(database):
        os.unlink(database)
    code, out, err = assay(
        "run", "--backend", "reference", "--profile", "strict",
        "--backend-option", f"deviation={deviation}", "--cases",
        f"{folder}/cases", "--database", database, "-j", "2", *options)
    code2, told, err2 = assay("report", "-f", "json", database)
    failures = json.loads(told)["runs"][0]["failures"] if code2 == 0 else []
    return database, out + err, {f["name"]: f["causes"] for f in failures}


def floats(*values):
    return {"shape": f"f32[{len(values)}]", "data": list(values)}


def pair(lhs, rhs):
    return {"inputs": [floats(*lhs), floats(*rhs)]}


def names(causes):
    return [c["deviation"] for c in causes]


# 0 - b is wrong in the same way if the operands are exchanged and if the second
# one is negated; a - a tells them apart.
FAILS, PASSES = pair([0, 0], [5, 7]), pair([3, 4], [3, 4])
RIGHT, WRONG = "operands.swapped(lhs,rhs)", "operand.negated(rhs)"
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(folder, "Sub", [FAILS], RIGHT)
    ok({RIGHT, WRONG} <= set(names(found["Sub/a/c0"])),
       "one case alone has both reasons", found)
    ok("Held against 0 passing cases of Sub f32." in out,
       "and the text says that nothing was there to contradict it", out)
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(folder, "Sub", [FAILS, PASSES, PASSES.copy()],
                               RIGHT)
    for name in ("Sub/a/c0", "Sub/a/c0#constant"):
        causes = names(found[name])
        ok(WRONG not in causes, f"{name}: a passing case contradicts one",
           causes)
        ok(RIGHT in causes, "the right one survives", causes)
    ok(WRONG not in out, "the run's own text has it not", out)
    ok(f"by {RIGHT}" in out and
       "Held against 2 passing cases of Sub f32." in out and
       "Held against 2 passing cases of Sub f32 (#constant)." in out,
       "but says how many cases the other was held against", out)
    code, out, err = assay("explain", database)
    ok(WRONG not in out and "Held against 2" in out,
       "explain says the same", out + err)
    code, out, err = assay("expect", database)
    ok({e.get("cause") for e in json.loads(out)["expect"]} == {RIGHT},
       "and so do expectations", out + err)
    database, out, found = run(
        folder, "Sub", [FAILS, PASSES.copy()], RIGHT, "--filter", "Sub/a/c1*")
    ok(not found and "explained" not in out, "a green run has no reason", out)
# A case that both explain follows one that only one explains, in each order.
for order in (1, -1):
    cases = [pair([0, 0], [5, 7]), pair([1, 2], [5, 7])][::order]
    with tempfile.TemporaryDirectory() as folder:
        database, out, found = run(folder, "Sub", cases, RIGHT)
        code, out, err = assay("explain", "-f", "json", database)
        rows = [r["cause"] for r in json.loads(out)["causes"]]
        ok(rows == [RIGHT] and len(found) == 4, "a group has one reason",
           out + err)
finish()
