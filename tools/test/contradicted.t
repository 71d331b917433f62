#!/usr/bin/env python3
# contradicted.t - no reason of a run is contradicted by a case that passes.
#
# SPDX-License-Identifier: Apache-2.0
#
# A deviation is planted in the reference, for one operation.  Each reason that
# the run gives is planted in turn: a small case of the same operation, type and
# form that passed, and is wrong under the reason, contradicts it.  Runs alone
# are compared, so nothing of what holds the reasons is used again.
# ASSAY_COUNT: how many are planted (2; 24 with ASSAY_LONG); ASSAY_SEED.
import json
import os
import random
import re
import sqlite3
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
COUNT = int(os.environ.get("ASSAY_COUNT", "24" if "ASSAY_LONG" in os.environ
                           else "2"))
SEED = int(os.environ.get("ASSAY_SEED", "20"))
OPS = ["Max", "Sub", "Div", "Clamp", "Sign", "Select", "Pad", "DynamicSlice",
       "Round", "Rem", "Atan2", "Cosh"]
UNITS = 1024  # of a case; larger ones may be left out
RIGHT, WRONG = ("pass", "warn"), ("fail",)


def run(database, op, deviation):
    done = subprocess.run(
        [ASSAY, "run", "-q", "-j", "2", "--backend", "reference", "--profile",
         "strict", "--backend-option", f"deviation={deviation}", "--filter",
         f"{op}/*", "--expectations", os.devnull, "--database", database],
        capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1):
        return None  # no case of the operation can show it
    with sqlite3.connect(database) as base:
        rows = base.execute("SELECT name, coalesce(type, ''), plan, status,"
                            " coalesce(units, 0) FROM outcome").fetchall()
    base.close()
    return {name: rest for name, *rest in rows}


def form(name):
    return name.partition("#")[2]


def contradicted(folder, op, cases, reasons):
    """(reason, failed case, passing case) of each reason that a case of its
    group contradicts; reasons: {name of a deviation: cases that it explains}"""
    for k, (reason, explained) in enumerate(sorted(reasons.items())):
        other = run(f"{folder}/{k}.db", op, reason)
        groups = {(cases[n][0], form(n)): n for n in explained}
        for name, (of, _, status, units) in sorted((other or {}).items()):
            if ((of, form(name)) in groups and status in WRONG
                    and units <= UNITS and cases[name][2] in RIGHT):
                yield reason, groups[of, form(name)], name
                break


def reasons_of(database, cases):
    numbers = {number: name for name, (_, number, _, _) in cases.items()}
    found = {}
    with sqlite3.connect(database) as base:
        for number, name in base.execute("SELECT plan, name FROM cause"):
            found.setdefault(name, []).append(numbers[number])
    base.close()
    return found


def deviations(rng):
    """Deviations without a target, in any order."""
    with open("spec/deviations.json", encoding="utf-8") as f:
        rows = [d["id"] for d in json.load(f)["deviations"]]
    rows = [d for d in rows if not re.match(
        "operand\\.|operands\\.swapped|attribute\\.|contracted\\.", d)]
    rows += [f"operand.{w}({o})" for w in ("zero", "negated", "plus-one")
             for o in ("lhs", "rhs", "operand")] + ["operands.swapped(lhs,rhs)"]
    rng.shuffle(rows)
    return rows


rng = random.Random(SEED)
print(f"# ASSAY_SEED={SEED}")
ops, planted = rng.sample(OPS, len(OPS)), 0
for op, deviation in zip(ops * 99, deviations(rng)):
    if planted == COUNT:
        break
    with tempfile.TemporaryDirectory() as folder:
        cases = run(f"{folder}/r.db", op, deviation)
        reasons = reasons_of(f"{folder}/r.db", cases) if cases else {}
        if not reasons:
            continue
        planted += 1
        bad = list(contradicted(folder, op, cases, reasons))
        ok(not bad, f"{op} under {deviation}: {len(reasons)} reasons", bad)
        if planted == 1:  # a reason that is not the backend's
            passed = [n for n, c in cases.items() if c[2] in RIGHT]
            ok(passed and list(contradicted(
                folder, op, cases, {"memory.zeros": passed})),
               "the control is contradicted", passed[:3])
ok(planted == COUNT, f"{COUNT} deviations show", planted)
finish()
