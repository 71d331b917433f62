#!/usr/bin/env python3
# deviations.t - assay cover --deviations: what the cases would reject.
#
# SPDX-License-Identifier: Apache-2.0
#
# The outcomes follow from the inputs by hand; "why" of each case says how.
import json
import os
import re
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def cover(*arguments):
    done = subprocess.run([ASSAY, "cover", *arguments], capture_output=True,
                          text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def case(name, shape, a, b, why):
    return {"id": name, "why": why, "inputs": [{"shape": shape, "data": a},
                                               {"shape": shape, "data": b}]}


def outcomes(cases, op, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.json"
        with open(path, "w") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)
        code, out, err = cover("--deviations", "-f", "json", *options, path)
    ok(code == 0 and not err, f"{op}: status 0", err)
    return {r["deviation"]: r for r in json.loads(out)["deviations"]}


rows = outcomes([
    case("same", "f32[2]", [2, 3], [2, 3], "a - a is 0 in either order"),
    case("order", "f32[2]", [5, 7], [2, 3], "3, 4 and not -3, -4"),
    case("again", "f32[2]", [5, 7], [1, 1], "4, 6 and not -4, -6")], "Sub")
swap = rows["operands.swapped(lhs,rhs)"]
ok(swap["outcome"] == "rejected" and swap["first"] == "a/order"
   and swap["rejected"] == 1, "the first rejecting case is named", swap)
ok(rows["results.round-up"]["outcome"] == "no difference seen"
   and rows["results.round-up"]["cases"] == 3,
   "exact differences need no rounding", rows["results.round-up"])
ok(rows["memory.zeros"]["first"] == "a/order", "zeros are right where they are "
   "the result", rows["memory.zeros"])
ok("formula.div-reciprocal" not in rows, "what does not apply is not listed")
ok(not any(n.startswith("attribute.inverted") for n in rows),
   "no permutation, nothing to invert")

rows = outcomes([
    case("order", "f32[2]", [5, 7], [2, 3], "3, 4 and not -3, -4"),
    case("again", "f32[2]", [5, 7], [1, 1], "4, 6 and not -4, -6")], "Sub",
    "--count")
ok(rows["operands.swapped(lhs,rhs)"]["rejected"] == 2, "--count counts all",
   rows["operands.swapped(lhs,rhs)"])

# 2^-126 - 1.5 * 2^-126 is subnormal: the profile spec permits a zero.
tiny = [case("tiny", "f32[1]", ["0x1p-126"], ["0x1.8p-126"], "-2^-127")]
rows = outcomes(tiny, "Sub")
ok(rows["results.flushed"]["outcome"] == "permitted"
   and rows["results.flushed"]["policy"] == "flush",
   "a flushed result is permitted", rows["results.flushed"])
rows = outcomes(tiny, "Sub", "--profile", "strict")
ok(rows["results.flushed"]["outcome"] == "rejected", "but not by strict",
   rows["results.flushed"])

# 1 + 2^-24 is a tie: exp(2^-24) = 1 + 2^-24 + 2^-49 is just above it, and the
# budget of Exp admits both neighbours, so 1 (exp(0)) too. A directed rounding
# gives one of them in any case: the table says so.
with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/a.json"
    with open(path, "w") as f:
        json.dump({"format": "assay-case/1", "op": "Exp", "cases": [
            {"id": "a", "why": "w",
             "inputs": [{"shape": "f32[1]", "data": ["0x1p-24"]}]}]}, f)
    code, out, err = cover("--deviations=operand.zero", path)
    ok(code == 0 and "Exp operand.zero(operand): survives, 1 of 1 cases differ"
       in out, "a survivor is listed", out)
    code, out, err = cover("--deviations=results.round-down", path)
    ok(code == 0 and "Exp results.round-down: equivalent, 1 of 1 cases differ, "
       "one of the two numbers" in out, "with the reason that the table has",
       out)
    code, out, err = cover("--deviations=operand.zero", "--require", "1",
                           path)
    ok(code == 1, "--require fails: nothing is rejected", code)

code, out, err = cover("--deviations=results.rond")
ok(code == 2 and not out and len(err.splitlines()) == 1
   and "no deviation matches" in err, "an unknown deviation", err)
# The page: exp(2^-24) again, of the suite's own special values.
code, out, err = cover("--deviations=@(memory.zeros|results.round-up)",
                       "--filter", "Exp/special/*", "-f", "html")
ok(code == 0 and not err and '<span>Exp</span>' in out
   and 'title="Exp memory.zeros: rejected by 1"><a class="ok" href="#Exp">'
   in out and "prefers-color-scheme: dark" in out
   and '<h2 id="Exp">' in out
   and re.search(r'href="file:///[^"]*/cases/Exp/special\.json">Exp/special/',
                 out), "a matrix with links to the first cases", out + err)
code, out, err = cover("-f", "html")
ok(code == 2 and not out and "expected --deviations" in err, "only of those",
   err)
code, out, err = cover("--deviations", "-f", "markdown")
ok(code == 2 and not out and "expected --format text, json or html" in err,
   "no Markdown", err)
finish()
