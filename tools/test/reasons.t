#!/usr/bin/env python3
# reasons.t - a reason that a passing case contradicts is not given.
#
# SPDX-License-Identifier: Apache-2.0
#
# The reference under a deviation stands for a wrong backend.  In one case
# another deviation gives the same; the cases that pass tell which it is.
import json
import os
import sqlite3
import subprocess
import tempfile

from tap import finish, ok

B = os.environ.get("B", "build")
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
        *(("--backend-option", f"deviation={deviation}") if deviation else ()),
        "--cases",
        f"{folder}/cases", "--database", database, "-j", "2", *options)
    code2, told, err2 = assay("report", "-f", "json", database)
    failures = json.loads(told)["runs"][0]["failures"] if code2 == 0 else []
    return database, out + err, {f["name"]: f["causes"] for f in failures}


def pair(lhs, rhs, of="f32"):
    return {"inputs": [{"shape": f"{of}[{len(x)}]", "data": list(x)}
                       for x in (lhs, rhs)]}


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
# In f64 nothing tells which one it is: the cases of f32 do.
FAR = pair([0, 0], [5, 7], "f64")
for planted, other in ((RIGHT, WRONG), (WRONG, RIGHT)):
    with tempfile.TemporaryDirectory() as folder:
        database, out, found = run(folder, "Sub", [FAR, FAILS, PASSES], planted)
        causes = names(found["Sub/a/c0"])
        ok({planted, other} <= set(causes) and causes[0] == planted,
           f"{planted}: of two, the one of other types is first", causes)
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
       "Held against 2 passing cases of Sub f32 in the form constant." in out,
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
# One of many passing cases contradicts it, wherever that stands.
EQUAL = pair([0, 0], [0, 0])
for at in (1, 34, 61):
    cases = [EQUAL.copy() for _ in range(62)]
    cases[at] = PASSES
    with tempfile.TemporaryDirectory() as folder:
        database, out, found = run(folder, "Sub", [c.copy() for c in cases]
                                   + [FAILS.copy()], RIGHT, "--exclude", "*#*")
        causes = names(found["Sub/a/c62"])
        ok(RIGHT in causes and not any(c.startswith(WRONG) for c in causes),
           f"number {at} of 62 passing cases contradicts one", causes)
        ok("Held against 62 passing cases of Sub f32." in out,
           "each of them is looked at", out)
# One that contradicts it has the place of those that fail, among others.
with tempfile.TemporaryDirectory() as folder:
    both = {"inputs": PASSES["inputs"] + [
        {"shape": "f32[1,1]", "data": [[n]]} for n in (3, 3)]}
    both["module"] = {"entry": "main", "computations": {"main": {
        "parameters": ["f32[2]"] * 2 + ["f32[1,1]"] * 2,
        "body": ["a = Sub(p0, p1)", "b = Sub(p2, p3)", "r = Tuple(a, b)"],
        "result": "r"}}}
    database, out, found = run(folder, "Sub", [FAILS.copy(), both], RIGHT,
                               "--exclude", "*#*")
    causes = names(found["Sub/a/c0"])
    ok(RIGHT in causes and not any(c.startswith(WRONG) for c in causes),
       "a place that a passing case has in part is no place of a reason",
       causes)
# A case that both explain follows one that only one explains, in each order.
for order in (1, -1):
    cases = [pair([0, 0], [5, 7]), pair([1, 2], [5, 7])][::order]
    with tempfile.TemporaryDirectory() as folder:
        database, out, found = run(folder, "Sub", cases, RIGHT)
        code, out, err = assay("explain", "-f", "json", database)
        rows = [r["cause"] for r in json.loads(out)["causes"]]
        ok(rows == [RIGHT] and len(found) > 3, "a group has one reason",
           out + err)

# The size of an error is a number: where it is no matter of accuracy it says
# nothing.  Each change is made to all wrong units of a case that has no cause.
SIZES = [
    ("an error of 4 ulp", "", True),
    ("a wrong sign", "UPDATE wrong SET got = got | 0x80000000", False),
    ("an error of zero", "UPDATE wrong SET error = 0", False),
    ("2^10 ulp", "UPDATE wrong SET error = 1024000000;"
     "UPDATE result SET error = 1024000000", True),
    ("more than 2^10 ulp", "UPDATE wrong SET error = 1024000001", False),
    ("more than 2^10 ulp in a unit that is not listed",
     "UPDATE result SET error = -1024000001", False),
    ("subnormal operands only", "UPDATE operand SET bits = 1 WHERE k = 0",
     False),
    ("one subnormal operand of two units",
     "UPDATE operand SET bits = 1 WHERE n = 0", True),
]
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(
        folder, "Add", [pair([1, 3], ["0x1.8p-24", "0x1.8p-23"])],
        "results.round-down", "--filter", "Add/a/c0")
    ok("Add/a/c0" in found, "a wrong sum", out)
    for what, change, is_size in SIZES:
        with sqlite3.connect(database) as base:
            base.executescript(
                "DELETE FROM cause; UPDATE wrong SET error = -4000000;"
                "UPDATE wrong SET got = got & 0x7fffffff;"
                "UPDATE operand SET bits = 0x3f800000;"
                "UPDATE result SET error = -4000000;" + change)
        base.close()
        code, out, err = assay("explain", database)
        last = out.splitlines()[-1]
        ok(last == ("wrong values: cause 0 of 1 (0.0 %), size only 1 of 1 "
                    "(100.0 %), unexplained 0 of 1 (0.0 %)" if is_size else
                    "wrong values: cause 0 of 1 (0.0 %), size only 0 of 1 "
                    "(0.0 %), unexplained 1 of 1 (100.0 %)"),
           f"{what} is {'a size' if is_size else 'unexplained'}", out + err)

# What has no cause is grouped by what is seen.  The bits of both units (wanted
# first, then returned) are put in; what they are follows by hand.
SEEN = [
    ("a zero has the wrong sign", [0, 0x80000000], [0x80000000, 0]),
    ("a number, where NaN is right", [0x7fc00000] * 2, [0x3f800000, 0]),
    ("NaN, where a number is right", [0x3f800000, 0], [0x7fc00000] * 2),
    ("a finite number, where infinity is right", [0x7f800000] * 2,
     [0x7f7fffff, 0x3f800000]),
    ("infinity, where a finite number is right", [1, 2], [0x7f800000] * 2),
    ("a number has the opposite sign", [0x3f800000, 0xc0000000],
     [0xbf800000, 0x40000000]),
    ("values of other elements", [0x3f800000, 0xc0000000],
     [0xc0000000, 0x3f800000]),
    ("zero, where another number is right", [0x3f800000, 5], [0, 0x80000000]),
    ("another number, of the wrong sign", [0x3f800000, 0xc0000000],
     [0xbf800001, 0x40000001]),
    ("other values, or in several ways", [0x3f800000, 0x7fc00000],
     [0x3f900000, 0x3f800000]),
]
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(
        folder, "Add", [pair([1, 3], ["0x1.8p-24", "0x1.8p-23"])],
        "results.round-down", "--filter", "Add/a/c0")
    for text, want, got in SEEN:
        with sqlite3.connect(database) as base:
            base.execute("DELETE FROM cause")
            base.execute("UPDATE wrong SET error = NULL")
            for n in range(2):
                base.execute("UPDATE wrong SET want = ?, got = ? WHERE n = ?",
                             (want[n], got[n], n))
        base.close()
        code, out, err = assay("explain", database)
        ok(f"1  unexplained: {text}" in out, text, out + err)

# An error that is not measured further is words.
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(folder, "Add", [pair([3], [1], "f64")],
                               "operand.negated(rhs)")
    ok("1000000000000.0" not in out and " >1" not in out
       and ", at most -10^12 ulp" in out and " at most -10^12 " in out,
       "an error that is not measured further is in words", out)
    told = json.loads(assay("report", "-f", "json", database)[1])
    failure = told["runs"][0]["failures"][0]
    ok(failure["wrong"][0]["error_ulps"] is None
       and failure["wrong"][0]["error_ulps_beyond"] == "at most -10^12"
       and failure["worst_error_ulps"] is None
       and failure["worst_error_ulps_beyond"] == "at most -10^12",
       "in JSON it is no number", failure)
    tap = assay("report", "-f", "tap", database)[1]
    ok("at most -10^12" in tap and "-1000000000000" not in tap, "nor in TAP",
       tap)
    code, text, err = assay("expect", database)
    entries = {e["pattern"]: e for e in json.loads(text)["expect"]}
    whole = entries["Add/a/c0*"]
    ok(whole["nature"] == "error" and "ulps" not in whole and "cause" in whole
       and whole["reason"].startswith(
           "error of 10^12 ulp or more: got 2, expected 4 at 3, 1;"),
       "in an expectation it is no limit", text)
    # Without the cause, an entry names one case.
    with sqlite3.connect(database) as base:
        base.execute("delete from cause")
    base.close()
    code, text, err = assay("expect", database)
    ok({e["pattern"] for e in json.loads(text)["expect"]}
       == {"Add/a/c0", "Add/a/c0#constant"}
       and '"ulps"' not in text, "nor is it shared without a cause", text)
    with open(f"{folder}/own.json", "w") as f:
        f.write(text)
    ok(assay("lint", f"{folder}/own.json")[0] == 0, "which lint accepts")
    database, out, found = run(folder, "Add", [pair([3], [1], "f64")],
                               "operand.negated(rhs)", "--expectations",
                               f"{folder}/own.json")
    ok("2 cases: 2 xfail" in out, "and a run foresees", out)
    with open(f"{folder}/own.json", "w") as f:
        f.write(text.replace('"error"', '"error", "ulps": 1000000000000'))
    code, text, err = assay("lint", f"{folder}/own.json")
    ok(code == 1 and "larger errors than 10^12 are not measured" in text + err,
       "a limit of 10^12 is refused", text + err)
    database, out, found = run(folder, "Add", [pair([3], [1], "f64")],
                               "operand.negated(rhs)", "--json", "--filter",
                               "Add/a/c0")
    ok('"error_micro_ulps": null, "error_micro_ulps_beyond": "at most -10^18"'
       in out, "nor in what a run prints as JSON", out)

# A loop that never ends under a deviation at a place is refused, and does not
# take all memory.
ENDLESS = "operand.zero(lhs)@constant-operand"
for deviation in (ENDLESS, f"{ENDLESS} + results.zero-sign",
                  f"results.zero-sign + {ENDLESS}"):
    with tempfile.TemporaryDirectory() as folder:
        code, out, err = assay(
            "run", "--backend", "reference", "--backend-option",
            f"deviation={deviation}", "--filter", "Sub/crossed/control",
            "--memory", "1024", "--form", "none", "--database",
            f"{folder}/r.db")
        ok("\n1 case: 1 refused\n" in out and "no end within" in out
           and f"under {ENDLESS}" in out, f"an endless loop: {deviation}",
           out + err)



def check_search_ended(database, ended):
    """Each report says that a search ended early, if and only if it did."""
    for form in ("text", "html", "markdown", "junit"):
        code, out, err = assay("report", "-f", form, database)
        ok(code == 0 and ("ot all deviations were tried" in out) == bool(ended),
           f"report, {form}: search ended {ended}", out[:2000] + err)
    code, out, err = assay("report", "-f", "json", database)
    ok([f["search_ended"] for f in json.loads(out)["runs"][0]["failures"]]
       == [bool(ended)], f"report, json: search ended {ended}", out[:2000])
    code, out, err = assay("explain", database)
    ok(("(not all deviations were tried in 1 of 1)" in out) == bool(ended),
       f"explain: search ended {ended}", out)
    code, out, err = assay("explain", "-f", "json", database)
    ok([c["search_ended"] for c in json.loads(out)["causes"]] == [ended],
       f"explain, json: search ended {ended}", out)


# A search that ends early says so: 2^24 units are fewer than 17 evaluations of
# 2^20 units, and more deviations than that may apply.  Of two operations that
# move data no unit shows what the results of the first one become.
def moved_twice(shape):
    return {"inputs": [{"shape": shape, "random": {"seed": 1, "dist": "bits"}}],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": [shape],
                "body": ["a = Transpose(p0) {permutation = [1, 0]}",
                         "b = Transpose(a) {permutation = [1, 0]}"],
                "result": "b"}}}}


with tempfile.TemporaryDirectory() as folder:
    large = [moved_twice("f32[1024,1024]")]
    database, out, found = run(folder, "Transpose", large, "memory.half",
                               "--form", "none")
    ok("ot all deviations were tried" in out and "explained" in out,
       "a search that ended early", out)
    check_search_ended(database, 1)
    database, out, found = run(folder, "Transpose", large, "memory.half",
                               "--form", "none", "--json")
    ok('"search_ended": true' in out, "in JSON too", out)
    database, out, found = run(folder, "Transpose", [moved_twice("f32[8,8]")],
                               "memory.half", "--form", "none")
    ok("ot all deviations were tried" not in out and "explained" in out,
       "one that did not end early", out)
    check_search_ended(database, 0)

# A long program is wrong under a deviation, too.
with tempfile.TemporaryDirectory() as folder:
    long = {"inputs": [{"shape": "s32[]", "data": x} for x in (5, 3)],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": ["s32[]", "s32[]"],
                "body": ["d = Sub(p0, p1)",
                         "a = Broadcast(d) {broadcast_sizes = [300, 400]}",
                         "b = Broadcast(p0) {broadcast_sizes = [400, 300]}",
                         "c = Dot(a, b)"],
                "result": "c"}}}}
    database, out, found = run(folder, "Sub", [long],
                               "operands.swapped(lhs,rhs)", "--form", "none")
    ok("1 case: 1 fail" in out, "more steps than a loop without an end may take",
       out)

# The set that is printed is the set: with flushing permitted 2^-130 / 1 is
# 2^-130 or a zero, and nothing between.
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(
        folder, "Div", [pair(["0x1p-130"], [1])], "operand.negated(rhs)",
        "--filter", "Div/a/c0", "--profile", "spec")
    words = "[-0, 0] | 7.34684e-40"
    ok(f": {words}" in out and "within -0" not in out, "in the text", out)
    with sqlite3.connect(database) as base:
        rows = base.execute("SELECT low, high, accept FROM wrong").fetchall()
    base.close()
    ok(len(rows) == 1 and rows[0][:2] == (None, None)
       and rows[0][2].endswith(words), "in the database", rows)
    code, out, err = assay("report", "-f", "json", database)
    wrong = json.loads(out)["runs"][0]["failures"][0]["wrong"][0]
    ok("low" not in wrong and "high" not in wrong
       and wrong["accept"].endswith(words), "in JSON", wrong)
    # One range is printed by its ends.
    database, out, found = run(
        folder, "Exp", [{"inputs": [{"shape": "f32[1]", "data": [1]}]}],
        "operand.negated(operand)", "--filter", "Exp/a/c0", "--profile",
        "spec")
    ok(", within 2.7182" in out and " | " not in out, "one range has ends",
       out)

# A result of another type breaks the rule of the result, not that of its value.
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(folder, "Sqrt", [
        {"inputs": [{"shape": "f32[1]", "data": [4]}]}], None,
        "--backend", f"{B}/backends/evil/wrong_type.so", "--filter",
        "Sqrt/a/c0")
    told = assay("report", "-f", "markdown", database)[1]
    for text in (out, told):
        ok("element type" in text and "Sqrt.value" not in text
           and "violates Sqrt" in text and "out.type = operand.type" in text,
           "the rule of the result", text)

# An operation in a module of its own, as `assay import` writes it, and in each
# form, breaks its own rule; one beside another operation that of its value.
for body, due, forms in (
        (["r = Max(p0, p1)"], "Max.nan", ("", "rank-2", "reversed", "joined")),
        (["a = Abs(p0)", "r = Max(a, p1)"], "Max.value", ("",))):
    with tempfile.TemporaryDirectory() as folder:
        case = pair(["nan", 1], [1, "nan"])
        case["module"] = {"entry": "main", "computations": {"main": {
            "parameters": ["f32[2]"] * 2, "body": body, "result": "r"}}}
        for form in forms:
            database, out, found = run(
                folder, "Max", [{**case}], "formula.max-number", "--filter",
                f"Max/a/c0{'#' if form else ''}{form}")
            told = assay("report", "-f", "json", database)[1]
            cited = [v["requirement"]
                     for f in json.loads(told)["runs"][0]["failures"]
                     for v in f["violates"]]
            ok(cited == [due], f"{body[-1]} {form}: {due}", f"{cited}\n{out}")

# A policy that takes either zero is no reason why one is wrong.
with tempfile.TemporaryDirectory() as folder:
    database, out, found = run(folder, "Reduce", [
        {"inputs": [{"shape": "f16[2]", "data": ["-0", -1]},
                    {"shape": "f16[]", "data": "-inf"}],
         "attributes": {"computation": "max", "dimensions_to_reduce": [0]}}],
        "results.zero-sign", "--filter", "Reduce/a/c0", "--profile", "spec")
    ok(found and "violates Reduce" in out and "accumulate.zero-sign" not in out,
       "no policy that permits the result is named", out)

# Nor is one on sums where a maximum is wrong; beside a sum it is.
for name, data, init, about in (("max", ["-0", -3], "-inf", False),
                                ("add", ["-0", "-0"], "-0", True)):
    with tempfile.TemporaryDirectory() as folder:
        database, out, found = run(folder, "Reduce", [
            {"inputs": [{"shape": "f32[2]", "data": data},
                        {"shape": "f32[]", "data": init}],
             "attributes": {"computation": name,
                            "dimensions_to_reduce": [0]}}],
            "results.zero-sign", "--filter", "Reduce/a/c0")
        ok(found and ("(policy accumulate.zero-sign: ieee)" in out) == about,
           f"a policy on sums beside {name}: {about}", out)

# The operation of a file is one of its modules'.
for op, own, good in (("Neg", None, True), ("Sqrt", None, False),
                      ("Sqrt", "Neg", True), ("Parameter", None, True)):
    case = {"id": "c0", "why": "an operation shows",
            "inputs": [{"shape": "f32[1]", "data": [4]}],
            "module": {"computations": {"main": {
                "parameters": ["f32[1]"], "body": ["a = Neg(p0)"],
                "result": "a"}}, "entry": "main"}}
    case.update({"op": own} if own else {})
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/a.json", "w") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": [case]}, f)
        code, out, err = assay("lint", f"{folder}/a.json")
        text = "the module has no Sqrt, the operation of its file"
        ok((text in out + err) != good and "no other" not in err,
           f"{op}, {own}: {'right' if good else 'refused'}", out + err)

# Rows that real backends need: each explains its own result in a case of values
# that tell, and not that of an array of zeros.
NAN = "nan"
ROWS = [
    ("formula.max-number", "Max", "f32", [[NAN, 1, 2], [3, NAN, -2]]),
    ("formula.min-number", "Min", "f32", [[NAN, 1, 2], [3, NAN, -2]]),
    ("formula.zero-second", "Max", "f32", [["-0", 0, 5], [0, "-0", 4]]),
    ("formula.clamp-lower-last", "Clamp", "f32", [[5, 1], [3, 2], [4, 4]]),
    ("formula.clamp-lower-last", "Clamp", "pred",
     [[True, False], [False, True], [False, True]]),
    ("formula.exp-clamped", "Exp", "f32", [[100, 88.5, -95]]),
    ("formula.log-least-normal", "Log", "f32", [["0x1p-140", "0x1p-130", 2]]),
    ("formula.pow-least-normal", "Pow", "f32",
     [["0x1p-140", "0x1p-130", 2], ["0.5", "0.25", 3]]),
    ("memory.nibbles", "Neg", "s4", [[1, 2, 3, 4, -5]]),
    ("formula.asin-half", "Asin", "f32", [["0x1p-149", "0x3p-149", "0.5"]]),
    ("formula.cosh-half", "Cosh", "f32", [["0.1", "3.3", "-7.7", 11]]),
    ("formula.sinh-half", "Sinh", "f32", [["0.001", "0.2", "-0.3"]]),
    ("formula.in-f32", "Exp", "f64", [["0.1", "3.3", "-7.7"]]),
    ("formula.in-f32", "Mul", "f64", [["0.1", "1e30", "-7.7"],
                                      ["0.7", "1e30", "1e-40"]]),
    ("formula.cut-zero", "Sqrt", "c64", [[[-4, "-0"], [-9, "-0"]]]),
    ("integers.low-32-bits", "Max", "s64",
     [[2 ** 40 + 5, 7, 2 ** 33], [3, 2 ** 35 + 1, 1]]),
    ("integers.clamped-32-bits", "Add", "s64",
     [[2 ** 40 + 5, 7, -2 ** 33], [-3, 2 ** 35 + 1, 1]]),
]
for name, op, of, operands in ROWS:
    case = {"inputs": [{"shape": f"{of}[{len(x)}]", "data": x}
                       for x in operands]}
    for deviation in (name, "memory.zeros"):
        with tempfile.TemporaryDirectory() as folder:
            database, out, found = run(folder, op, [case], deviation,
                                       "--filter", f"{op}/a/c0")
            causes = names(found.get(f"{op}/a/c0", []))
            ok(found and (name in causes) == (deviation == name),
               f"{name} explains {deviation}: {deviation == name}",
               out + str(causes))

# Rows of two instructions, with what they return, by hand: x itself; and of
# 10, 11, ... 17 two elements from min(9 - 3, 6) on, where clamping each start
# gives those from 4 on.
PAIRS = [
    ("formula.sum-undone", "Sub", [("f32[2]", ["0.75", "0x1p-30"]),
                                   ("f32[2]", ["0x1p24", 1])],
     ["a = Add(p0, p1)", "r = Sub(a, p1)"], [0x3f400000, 0x30800000]),
    ("formula.sum-undone", "Sub", [("f32[2]", ["0.75", "0x1p-30"]),
                                   ("f32[2]", ["0x1p24", 1])],
     ["a = Add(p1, p0)", "r = Sub(a, p1)"], [0x3f400000, 0x30800000]),
    ("formula.difference-undone", "Sub", [("f32[1]", ["0x1p-30"]),
                                          ("f32[1]", [1])],
     ["a = Sub(p0, p1)", "r = Add(a, p1)"], [0x30800000]),
    ("starts.added", "DynamicSlice", [("s32[8]", list(range(10, 18))),
                                      ("s32[]", 9), ("s32[]", -3)],
     ["a = DynamicSlice(p0, p1) {slice_sizes = [4]}",
      "r = DynamicSlice(a, p2) {slice_sizes = [2]}"], [16, 17]),
]
for name, op, inputs, body, due in PAIRS:
    case = {"inputs": [{"shape": s, "data": x} for s, x in inputs],
            "module": {"computations": {"main": {
                "parameters": [s for s, _ in inputs], "body": body,
                "result": "r"}}, "entry": "main"}}
    with tempfile.TemporaryDirectory() as folder:
        database, out, found = run(folder, op, [case], name, "--filter",
                                   f"{op}/a/c0")
        with sqlite3.connect(database) as base:
            got = [r[0] for r in base.execute(
                "SELECT got FROM wrong ORDER BY n")]
        base.close()
        ok(name in names(found.get(f"{op}/a/c0", [])) and got == due,
           f"{name} explains its result", out + str((found, got)))
# ---- Places ----------------------------------------------------------------------
# NaN is lost beside a scalar only.  Beside an array it is kept, which refutes the
# deviation, but not at that place.
def beside(shape, data, value="nan"):
    return {"inputs": [{"shape": "f32[2]", "data": [value, 1]},
                       {"shape": shape, "data": data}]}


LOST, PLACE = "results.nan-dropped", "results.nan-dropped@scalar-operand"
SCALARS = [lambda v=v: beside("f32[]", v) for v in (1, 2, 3)]
ARRAYS = [lambda v=v: beside("f32[2]", [v, v]) for v in (1, 2)]
WHOLE = ("--exclude", "*#*")
with tempfile.TemporaryDirectory() as folder:
    cases = [c() for c in SCALARS + ARRAYS]
    database, out, found = run(folder, "Add", cases, PLACE, *WHOLE)
    ok(len(found) == 3 and all(names(c)[:1] == [PLACE]
                               for c in found.values()),
       "the place that all failed cases have, and none that passes", found)
    ok(all("beside a scalar operand: 3 of 3." in c[0]["text"]
           for c in found.values()), "in words", found)
    code, out, err = assay("explain", database)
    ok(f"{PLACE}: " in out and "beside a scalar operand: 3 of 3." in out,
       "assay explain prints it", out)
    database, out, found = run(folder, "Add", [c() for c in SCALARS + ARRAYS],
                               LOST, *WHOLE)
    ok(len(found) == 5 and all(names(c)[:1] == [LOST] for c in found.values()),
       "where all fail there is no place", found)
    database, out, found = run(
        folder, "Add", [c() for c in SCALARS] + [beside("f32[2]", [1, 1], 4)],
        PLACE, *WHOLE)
    ok(len(found) == 3 and all(names(c)[:1] == [LOST] for c in found.values()),
       "nor where no passing case refutes the deviation", found)
    database, out, found = run(folder, "Add", [c() for c in SCALARS + ARRAYS],
                               "results.nan-dropped@remainder-8", *WHOLE)
    ok(not found, "a place that no case has changes nothing", found)

finish()
