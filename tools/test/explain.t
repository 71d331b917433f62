#!/usr/bin/env python3
# explain.t - wrong backends, each with one deviation, are caught and named.
#
# SPDX-License-Identifier: Apache-2.0
#
# The reference under a deviation stands for a wrong backend; the judge knows
# nothing of the option.  A cause that the judge finds must be that deviation,
# or one that no unit of the case tells from it.
import json
import os
import random
import sqlite3
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")
SEED = int(os.environ.get("ASSAY_SEED", "12"))
print(f"# seed {SEED}")
draw = random.Random(SEED)


def assay(*arguments):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          timeout=300)
    return done.returncode, done.stdout, done.stderr


def literal(shape, n, low=1, high=100):
    return {"shape": shape,
            "data": [f"{draw.uniform(low, high):.6f}" for _ in range(n)]}


def ints(shape, values):
    return {"shape": shape, "data": values}


def square(n):
    return [[draw.randrange(1000) for _ in range(n)] for _ in range(n)]


V = "f32[37]"
FILES = {
    "Add": [{"inputs": [literal(V, 37), literal(V, 37)]}],
    # Several results, of which a transform may leave one as it is.
    "Sub": [{"inputs": [literal(V, 37), literal(V, 37)]},
            {"inputs": [literal("f32[8]", 8), literal("f32[8]", 8),
                        literal(V, 37), literal(V, 37)],
             "module": {"entry": "main", "computations": {"main": {
                 "parameters": ["f32[8]", "f32[8]", V, V],
                 "body": ["a = Sub(p0, p1)", "b = Sub(p2, p3)",
                          "t = Tuple(a, b)"], "result": "t"}}}}],
    "Div": [{"inputs": [literal(V, 37), literal(V, 37)]}],
    "Rem": [{"inputs": [literal(V, 37, -99, 99), literal(V, 37, 1, 9)]}],
    "Max": [{"inputs": [ints("f32[4]", ["nan", 1, 5, -2]),
                        ints("f32[4]", [1, "nan", 2, 7])]}],
    "Dot": [{"inputs": [literal(V, 37), literal(V, 37)]}],
    "Transpose": [{"inputs": [ints("s32[3,3,3]",
                                   [square(3), square(3), square(3)])],
                   "attributes": {"permutation": [1, 2, 0]}}],
    "Slice": [{"inputs": [ints("s32[9]", list(range(10, 19)))],
               "attributes": {"start_indices": [2], "limit_indices": [6],
                              "strides": [1]}}],
    "DynamicSlice": [{"inputs": [ints("s32[9]", list(range(10, 19))),
                                 ints("s32[]", -2)],
                      "attributes": {"slice_sizes": [4]}},
                     {"inputs": [ints("s32[9]", list(range(10, 19))),
                                 ints("s32[]", 3)],
                      "attributes": {"slice_sizes": [4]}}],
    "Sort": [{"inputs": [ints("s32[4,4]", square(4))],
              "attributes": {"comparator": "lt", "dimension": 0,
                             "is_stable": False}}],
    "Reduce": [{"inputs": [ints("s32[5]", [1, 2, 4, 8, 16]),
                           ints("s32[]", 1000)],
                "attributes": {"computation": "add",
                               "dimensions_to_reduce": [0]},
                "policies": {"reduce.init": "once"}}],
    "Pad": [{"inputs": [ints("s32[3]", [1, 2, 3]), ints("s32[]", 9)],
             "attributes": {"padding_config": [{
                 "edge_padding_low": 2, "edge_padding_high": 1,
                 "interior_padding": 0}]}}],
}
WRONG = [
    "results.round-toward-zero", "results.round-down", "results.round-up",
    "results.round-away", "results.via-bf16", "results.via-f16",
    "results.nan-dropped", "operands.bf16", "operands.f16", "operands.tf32",
    "operands.swapped(lhs,rhs)", "operand.negated(rhs)",
    "formula.div-reciprocal", "formula.rem-floor", "formula.max-compares",
    "operand.plus-one(1)", "operand.absolute(1)", "operand.zero(1)",
    "attribute.inverted(permutation)", "attribute.ignored(dimension)",
    "attribute.arguments-swapped(comparator)",
    "attribute.pairs-swapped(padding_config)",
    "memory.operand", "memory.zeros", "memory.first", "memory.shifted",
    "memory.reversed", "memory.half", "memory.lanes-8", "memory.tail-8",
]


def write(folder):
    for op, cases in FILES.items():
        os.makedirs(f"{folder}/cases/{op}")
        for i, case in enumerate(cases):
            case.update(id=f"c{i}", why="a wrong backend shows")
        with open(f"{folder}/cases/{op}/a.json", "w") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)


def run(folder, *options):
    database = f"{folder}/r.db"
    if os.path.exists(database):
        os.unlink(database)
    # Under spec narrower operands of sums of products are permitted.
    code, out, err = assay("run", "--backend", "reference", "--profile",
                           "strict", *options, "--cases", f"{folder}/cases", "--database", database, "-j", "2")
    return database, code, out + err


def tied(failure):
    causes = failure["causes"]
    return [c["deviation"] for c in causes
            if (c["exact"], c["moved"]) == (causes[0]["exact"],
                                            causes[0]["moved"])]


with tempfile.TemporaryDirectory() as folder:
    write(folder)
    database, code, out = run(folder)
    ok(code == 0, "the right one is not caught", out)
    code, out, err = assay("explain", database)
    ok(code == 0 and "0 failed cases" in out, "and nothing is explained",
       out + err)
    cases = named = 0
    several = []
    for name in WRONG:
        database, code, out = run(folder, "--backend-option",
                                  f"deviation={name}")
        ok(code == 1, f"{name} is caught", out)
        code, out, err = assay("report", "-f", "json", database)
        failures = json.loads(out)["runs"][0]["failures"]
        right = [f for f in failures if name in tied(f)]
        cases += len(failures)
        named += len(right)
        several += [name for f in right if f["name"] == "Sub/a/c1"]
        ok(right, f"{name} is named, in {len(right)} of {len(failures)} cases",
           [(f["name"], [c["deviation"] for c in f["causes"]])
            for f in failures if f not in right])
    ok({"operands.swapped(lhs,rhs)", "operand.negated(rhs)", "memory.shifted",
        "memory.tail-8"} <= set(several), "of several results, too", several)
    ok(named >= 0.95 * cases, f"{named} of {cases} cases name their deviation")

    database, code, out = run(folder, "--backend-option",
                              "deviation=attribute.inverted(permutation)")
    ok("bit for bit) by attribute." in out, "run says so under the verdict",
       out)
    code, out, err = assay("explain", "-f", "json", database)
    rows = json.loads(out)["causes"]
    ok(len(rows) == 1 and rows[0]["operations"] == ["Transpose"]
       and rows[0]["types"] == ["s32"] and rows[0]["cases"] >= 1
       and rows[0]["smallest"].startswith("Transpose/a/c0")
       and "--filter" in rows[0]["command"], "one cause, one row", rows)
    code, out, err = assay("explain", "--case", "Add/*", database)
    ok(code == 0 and out == "0 failed cases\n",
       "--case chooses", out)
    page = f"{folder}/page.html"
    code, out, err = assay("report", "-f", "html", "-o", page, database)
    with open(page, encoding="utf-8") as f:
        ok('<p class="cause">Explained' in f.read(), "the page says so", err)
    code, out, err = assay("explain", f"{folder}/none.db")
    ok(code == 2 and not out and len(err.splitlines()) == 1,
       "a database that is none", err)
    # Only the first wrong units of a case are listed, with errors of 4 ulps
    # here; that of the whole case, which is kept with it, is 9.
    database, code, out = run(folder, "--backend-option",
                              "deviation=results.round-toward-zero")
    with sqlite3.connect(database) as base:
        base.execute("DELETE FROM cause")
        base.execute("UPDATE wrong SET error = -4000000 "
                     "WHERE error IS NOT NULL")
        base.execute("UPDATE result SET error = -9000000, "
                     "worst_input = 'f32:40000000' WHERE error IS NOT NULL")
    base.close()
    code, out, err = assay("explain", "--case", "Add/*", database)
    ok(code == 0 and "  accuracy: largest error 9 ulp at f32:40000000 in "
       "Add/a/c0" in out, "the largest error of a group is that of all units",
       out + err)
    # A NaN that Max loses breaks the sentence on NaN, not that of the value:
    # XLA's passage says that a NaN operand is propagated.
    database, code, out = run(folder, "--backend-option",
                              "deviation=formula.max-compares")
    sentence = "If a floating-point operand is a NaN, so is the result."
    line = f"violates Max.nan: {sentence} (policy max.nan: propagate)"
    ok(line in out, "run names the violated rule", out)
    for form, name in (("html", "Max.nan"), ("markdown", "violates Max.nan"),
                       ("junit", line), ("json", '"requirement": "Max.nan"')):
        code, out, err = assay("report", "-f", form, database)
        ok(code == 0 and name in out and sentence in out,
           f"{form} names the violated rule", out[:2000] + err)
    # Expectations name the deviation: another one is a new failure.
    flipped = ("--backend-option", "deviation=attribute.inverted(permutation)")
    database, code, out = run(folder, *flipped)
    code, out, err = assay("expect", database)
    cause = json.loads(out)["expect"][0].get("cause")
    # For a permutation of three dimensions both give the same.
    ok(cause in ("attribute.inverted(permutation)",
                 "attribute.rotated(permutation)"), "expect writes the cause",
       out + err)
    path = f"{folder}/expectations.json"
    with open(path, "w", encoding="utf-8") as f:
        f.write(out)
    database, code, out = run(folder, *flipped, "--expectations", path)
    ok(code == 0, "failures with the expected cause are expected", out)
    # A long reason does not push out how many units are wrong, which tells
    # that the failure has a nature.
    with open(path, encoding="utf-8") as f:
        wrong = json.load(f)
    for line in wrong["expect"]:
        line["reason"] = "long " * 80
    with open(path, "w", encoding="utf-8") as f:
        json.dump(wrong, f)
    database, code, out = run(folder, *flipped, "--expectations", path)
    code, out, err = assay("expect", database)
    again = [(x["pattern"], x["nature"]) for x in json.loads(out)["expect"]]
    ok(code == 0 and again == [(x["pattern"], x["nature"])
                               for x in wrong["expect"]],
       "a long reason hides nothing", out + err)
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps({"format": "assay-expectations/1", "expect": [
            {"pattern": "*", "kind": "fail", "reason": "flushes",
             "cause": "operands.flushed"}]}))
    database, code, out = run(folder, *flipped, "--expectations", path)
    ok(code == 1 and "not the expectation at" in out
       and "operands.flushed, which it names, does not explain it" in out,
       "failures with another cause are not", out)
    # A result of another type has no units that a deviation could explain.
    database, code, out = run(folder, "--backend",
                              f"{B}/backends/evil/wrong_type.so")
    code, out, err = assay("explain", database)
    ok(code == 0 and "  form: " in out and "0 unexplained" in out
       and "element type" in out, "a wrong element type is a cause", out)
    database, code, out = run(folder, "--backend-option", "deviation=lost")
    ok(code != 0 and "unknown deviation 'lost'" in out,
       "an unknown deviation is refused", out)
finish()
