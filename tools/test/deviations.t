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
ok(rows["results.round-up"]["outcome"] == "survives"
   and rows["results.round-up"]["differing"] == 0
   and rows["results.round-up"]["cases"] == 3,
   "exact differences need no rounding", rows["results.round-up"])
ok(rows["memory.zeros"]["first"] == "a/order", "zeros are right where they are "
   "the result", rows["memory.zeros"])
ok("formula.div-reciprocal" not in rows, "what does not apply is not listed")
ok(not any(n.startswith("attribute.inverted") for n in rows),
   "no permutation, nothing to invert")

two = [case("order", "f32[2]", [5, 7], [2, 3], "3, 4 and not -3, -4"),
       case("again", "f32[2]", [5, 7], [1, 1], "4, 6 and not -4, -6")]
for count, found in ("--count", 2), ("--count=2", 2), ("--count=1", 1):
    row = outcomes(two, "Sub", count)["operands.swapped(lhs,rhs)"]
    ok(row["rejected"] == found
       and sorted(row["by"]) == ["a/again", "a/order"][-found:],
       f"{count} counts and names {found}", row)
ok("by" not in outcomes(two, "Sub")["operands.swapped(lhs,rhs)"],
   "without it, the first is named alone")

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

# ---- Places -----------------------------------------------------------------
# Element 8 of 9 is the remainder of 8; no element is a NaN.
nine = [case("nine", "f32[9]", [1, 2, 3, 4, 5, 6, 7, 8, 9],
             [1, 1, 1, 1, 1, 1, 1, 1, 2], "0 to 7, and 7"),
        case("scalars", "f32[]", 3, 1, "2")]
rows = outcomes(nine, "Sub", "--places")
at = {p["place"]: p for p in rows["memory.zeros"]["places"]}
ok(at["remainder-8"]["outcome"] == "rejected"
   and at["remainder-8"]["first"] == "a/nine"
   and at["rank-0"]["first"] == "a/scalars"
   and at["rank-1"]["first"] == "a/nine", "the first case at each place", at)
ok("nan" not in at and "rank-2" not in at, "what no case has cannot occur", at)
at = {p["place"]: p for p in rows["operands.swapped(lhs,rhs)"]["places"]}
ok(at["rank-0"]["outcome"] == "rejected"
   and "remainder-16" not in at,
   "each place counts alone", at)
# The difference of elements 0 to 7 is 0 where both operands are one and the same.
rows = outcomes([case("tail", "f32[9]", [1] * 8 + [3], [1] * 9,
                      "0 but for the last, 2")], "Sub", "--places")
at = {p["place"]: p["outcome"] for p in rows["operands.swapped(lhs,rhs)"]["places"]}
ok(at["rank-1"] == at["remainder-8"] == "rejected", "a place that shows it", at)
rows = outcomes([case("head", "f32[9]", [3] + [1] * 8, [1] * 9,
                      "2, then 0")], "Sub", "--places")
at = {p["place"]: p["outcome"] for p in rows["operands.swapped(lhs,rhs)"]["places"]}
ok(at["rank-1"] == "rejected" and at["remainder-8"] == "survives",
   "and one that does not", at)
rows = outcomes(nine[:1], "Sub", "--places", "--deviations=memory.tail-8")
ok("places" not in rows.get("memory.zeros", {})
   and rows["memory.tail-8"]["outcome"] == "rejected",
   "only the deviations that were asked for", rows)
# The reference under it, beside a scalar and beside an array.
nan = [{"id": name, "why": "NaN", "covers": [],
        "inputs": [{"shape": "f32[2]", "data": ["nan", 1]},
                   {"shape": shape, "data": data}]}
       for name, shape, data in (("array", "f32[2]", [1, 1]),
                                 ("scalar", "f32[]", 1))]
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(f"{folder}/cases/Add")
    with open(f"{folder}/cases/Add/a.json", "w") as f:
        json.dump({"format": "assay-case/1", "op": "Add", "cases": nan}, f)
    for place, names in (("scalar-operand", ["Add/a/scalar"]),
                         ("rank-1", ["Add/a/array", "Add/a/scalar"]),
                         ("remainder-8", [])):
        database = f"{folder}/{place}.db"
        done = subprocess.run(
            [ASSAY, "run", "--cases", f"{folder}/cases", "--backend",
             "reference", "--backend-option",
             f"deviation=results.nan-dropped@{place}", "--database", database,
             "--exclude", "*#*"], capture_output=True, text=True, check=False)
        report = subprocess.run([ASSAY, "report", "-f", "json", database],
                                capture_output=True, text=True, check=False)
        failed = sorted(f["name"] for r in json.loads(report.stdout)["runs"]
                        for f in r["failures"])
        ok(done.returncode == (1 if names else 0) and failed == names,
           f"a backend that is wrong at {place}", done.stderr + str(failed))

code, out, err = cover("--places")
ok(code == 2 and "--places: expected --deviations" in err, "only of deviations",
   err)

code, out, err = cover("--deviations=results.rond")
ok(code == 2 and not out and len(err.splitlines()) == 1
   and "no deviation matches" in err, "an unknown deviation", err)
# The page: exp(2^-24) again, of the suite's own special values.
code, out, err = cover("--deviations=@(memory.zeros|results.round-up)",
                       "--filter", "Exp/special/*", "-f", "html")
ok(code == 0 and not err and '<code>Exp</code>' in out
   and '<td class="ok" title="Exp memory.zeros: rejected by 1"'
   ' data-label="Exp"><a href="#Exp">' in out and "prefers-color-scheme: dark" in out
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
