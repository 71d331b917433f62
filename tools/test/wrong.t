#!/usr/bin/env python3
# wrong.t - a backend with one deviation is caught and named, blind.
#
# SPDX-License-Identifier: Apache-2.0
#
# The reference under a deviation stands for a wrong backend; the judge knows
# nothing of the option.  The inputs are those of interp/test/deviations.json,
# whose results are worked out by hand; explain.t has the other classes.
import json
import os
import subprocess
import sys
import tempfile

from tap import finish, ok

sys.path.insert(0, "tools")
import specification  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
CLASSES = ("integers.", "shifts.", "conversions.", "contracted.", "sums.",
           "starts.", "ties.", "exponents.", "results.operand-type",
           "results.overflow-to-", "formula.reduce-precision-",
           "formula.atanh-log1p", "formula.atan2-complex",
           "formula.pow-complex", "formula.mul-complex",
           "formula.div-complex-scaled", "formula.cos-complex",
           "formula.sin-complex", "attribute.equality-flipped",
           "attribute.order-flipped", "attribute.first-argument",
           "attribute.second-argument")
# Where the documents leave a result open these choices do not.
POLICIES = {"div.int.by-zero": "xla", "div.int.overflow": "xla",
            "rem.int.by-zero": "xla", "integer.overflow": "wrap",
            "shift.out-of-range": "saturate",
            "convert.float-to-int.out-of-range": "saturate"}
OPS = specification.operations()


def assay(*arguments):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          timeout=300, check=False)


def write(folder, row):
    op = row["op"]
    case = {k: v for k, v in row.items()
            if k not in ("deviation", "op", "expect")}
    case.update(id="c", why="a wrong backend shows")
    policies = {k: v for k, v in POLICIES.items()
                if k in OPS[op].get("policies", [])}
    if policies:
        case["policies"] = policies
    os.makedirs(f"{folder}/cases/{op}")
    with open(f"{folder}/cases/{op}/a.json", "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": [case]}, f)


def is_named(failure, name):
    """First, or tied with the first."""
    causes = failure["causes"]
    return any(c["deviation"] == name
               and (c["exact"], c["moved"]) == (causes[0]["exact"],
                                                causes[0]["moved"])
               for c in causes)


def check(row):
    name = row["deviation"]
    with tempfile.TemporaryDirectory() as folder:
        write(folder, row)
        database = f"{folder}/r.db"
        options = ("--backend", "reference", "--profile", "strict", "--cases",
                   f"{folder}/cases", "--database", database)
        done = assay("run", *options)
        ok(done.returncode == 0, f"{name} {row['op']}: right without it",
           done.stdout + done.stderr)
        os.unlink(database)
        done = assay("run", *options, "--backend-option", f"deviation={name}")
        ok(done.returncode == 1, f"{name} {row['op']}: caught",
           done.stdout + done.stderr)
        report = json.loads(assay("report", "-f", "json", database).stdout)
        failures = report["runs"][0]["failures"]
        ok(failures and all(is_named(f, name) for f in failures),
           f"{name} {row['op']}: named", [f["causes"] for f in failures])


with open("interp/test/deviations.json", encoding="utf-8") as f:
    for row in json.load(f):
        if row["deviation"].startswith(CLASSES):
            check(row)
finish()
