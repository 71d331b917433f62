#!/usr/bin/env python3
# pairs.t - two deviations are one cause where neither alone is; a permitted
# flush beside a deviation is none.
#
# SPDX-License-Identifier: Apache-2.0
#
# A backend replays bits that are worked out by hand, from the documents named
# beside them.
import json
import os
import sqlite3
import struct
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
NAN, INF = float("nan"), float("inf")
TINY = 2.0 ** -130  # subnormal in f32
PACK = {"f32": "f", "s32": "i"}


def assay(*arguments):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def packed(dtype, values):
    return struct.pack(f"<{len(values)}{PACK[dtype]}", *values).hex()


def text(x):
    return x.hex() if isinstance(x, float) and x == x else str(x)


def run(folder, op, dtype, cases, *options, backend=None, policies=None):
    """Cases are operands, then the returned result."""
    os.makedirs(f"{folder}/cases/{op}", exist_ok=True)
    rows, results = [], {}
    for i, (*operands, result) in enumerate(cases):
        shape = f"{dtype}[{len(result)}]"
        rows.append({"id": f"c{i}", "why": "a pair shows", "inputs": [
            {"shape": shape, "data": [text(x) for x in o]} for o in operands],
            **({"policies": policies} if policies else {})})
        results["".join(packed(dtype, o) for o in operands)] = [
            {"dtype": dtype, "dims": [len(result)],
             "hex": packed(dtype, result)}]
    with open(f"{folder}/cases/{op}/a.json", "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": rows}, f)
    with open(f"{folder}/told.json", "w", encoding="utf-8") as f:
        json.dump({"ops": [op], "results": results}, f)
    database = f"{folder}/r.db"
    if os.path.exists(database):
        os.unlink(database)
    backend = backend or ("--backend", "process:python3 tools/test/"
                          f"replay_backend.py {folder}/told.json")
    code, out, err = assay("run", *backend, "--cases", f"{folder}/cases",
                           "--database", database, "-j", "1", *options)
    told = assay("report", "-f", "json", database)[1]
    failures = json.loads(told)["runs"][0]["failures"] if told else []
    return code, out + err, {
        f["name"]: [c["deviation"] for c in f["causes"]] for f in failures}


def check(what, due, op, dtype, cases, *options, **more):
    with tempfile.TemporaryDirectory() as folder:
        code, out, found = run(folder, op, dtype, cases, *options, **more)
        causes = found.get(f"{op}/a/c0", "the case did not fail")
        good = due in causes if due else causes == []
        ok(good, f"{what}: {due or 'unexplained'}", f"{causes}\n{out}")


# fmax(NaN, 1) = 1 (C11 F.10.9.2), where XLA propagates NaN.  The other unit is
# max(2^-130, -1), of which the subnormal operand may be flushed under spec.
NUMBER = "formula.max-number"
LHS, RHS = [NAN, 1.0, TINY, 3.0], [1.0, NAN, -1.0, 2.0]
check("beside a permitted flush", NUMBER, "Max", "f32",
      [(LHS, RHS, [1.0, 1.0, 0.0, 3.0])], "--profile", "spec")
check("beside what is no flush", None, "Max", "f32",
      [(LHS, RHS, [1.0, 1.0, TINY / 2, 3.0])], "--profile", "spec")
with tempfile.TemporaryDirectory() as folder:
    code, out, found = run(folder, "Max", "f32",
                           [(LHS, RHS, [1.0, 1.0, 0.0, 3.0])], "--profile",
                           "strict")
    ok(found["Max/a/c0"] and NUMBER not in found["Max/a/c0"],
       "where no flush is permitted, it alone is no cause", found)

# And of two zeros the second one (Intel SDM, MAXPS), where XLA's is +0.
ZERO = "formula.zero-second"
PAIR = f"{NUMBER} + {ZERO}"
LHS, RHS = [NAN, 1.0, 0.0, -0.0, 5.0], [1.0, NAN, -0.0, 0.0, 2.0]
GOT = [1.0, 1.0, -0.0, 0.0, 5.0]
STRICT = ("--profile", "strict")
check("two formulas", PAIR, "Max", "f32", [(LHS, RHS, GOT)], *STRICT)
check("a wrong unit that neither gives", None, "Max", "f32",
      [(LHS, RHS, GOT[:4] + [4.0])], *STRICT)
check("a right unit contradicts one", None, "Max", "f32",
      [(LHS + [0.0], RHS + [-0.0], GOT + [0.0])], *STRICT)
check("a passing case contradicts one", None, "Max", "f32",
      [(LHS, RHS, GOT), ([0.0], [-0.0], [0.0])], *STRICT)
check("a passing case contradicts none", PAIR, "Max", "f32",
      [(LHS, RHS, GOT), ([0.0, 2.0], [-1.0, 1.0], [0.0, 2.0])], *STRICT)
check("one of them alone explains all", NUMBER, "Max", "f32",
      [(LHS[:2], RHS[:2], GOT[:2])], *STRICT)

# A zero of the wrong sign is no difference of 0.
with tempfile.TemporaryDirectory() as folder:
    run(folder, "Max", "f32", [([0.0], [-0.0], [-0.0])], *STRICT)
    for form in ("text", "html", "junit"):
        told = assay("report", "-f", form, f"{folder}/r.db")[1]
        ok("the sign of zero" in told and "(absolute)" not in told,
           f"report -f {form} says that the sign of zero is wrong", told)

# XLA: x / 0 is -1, and INT_MIN / -1 is INT_MIN.
LEAST = -2 ** 31
check("two kinds of integer division",
      "integers.div-by-zero-dividend + integers.div-overflow-max", "Div",
      "s32", [([7, LEAST, 9, -3], [0, -1, 3, 0], [7, 2 ** 31 - 1, 3, -3])],
      *STRICT, policies={"div.int.by-zero": "xla", "div.int.overflow": "xla"})

# Whatever reads causes reads a pair.
with tempfile.TemporaryDirectory() as folder:
    cases = [(LHS, RHS, GOT), ([3.0], [2.0], [3.0])]
    code, out, found = run(folder, "Max", "f32", cases, *STRICT)
    database = f"{folder}/r.db"
    ok(f"bit for bit) by {PAIR}: Some units: " in out
       and " The others: " in out
       and "Held against 1 passing case of Max f32." in out,
       "a run prints both reasons", out)
    told = assay("explain", database)[1]
    ok(f"      1  {PAIR}: Some units: " in told and "cause 1 of 1" in told,
       "explain counts it as a cause", told)
    for form in ("text", "html", "markdown", "junit"):
        told = assay("report", "-f", form, database)[1]
        ok(PAIR in told, f"report -f {form} has it")
    told = assay("expect", database)[1]
    ok([e.get("cause") for e in json.loads(told)["expect"]] == [PAIR],
       "expect writes it", told)
    path = f"{folder}/own.json"
    for cause, good in ((PAIR, True), (f"{NUMBER} + nosuch", False),
                        (f"{NUMBER} + ", False)):
        with open(path, "w", encoding="utf-8") as f:
            f.write(told.replace(PAIR, cause))
        code, out, err = assay("lint", path)
        ok((code == 0) == good and (good or "unknown deviation" in out + err),
           f"lint: {cause}", out + err)
    for cause, due in ((PAIR, 0), (NUMBER, 1), (f"{NUMBER} + operands.f16", 1)):
        with open(path, "w", encoding="utf-8") as f:
            f.write(told.replace(PAIR, cause))
        code, out, found = run(folder, "Max", "f32", cases, *STRICT,
                               "--expectations", path)
        ok(code == due, f"expectations with {cause}: {due}", out)
    # The reference under the pair returns what the backend did.
    code, out, found = run(folder, "Max", "f32", cases, *STRICT,
                           backend=("--backend", "reference",
                                    "--backend-option", f"deviation={PAIR}"))
    with sqlite3.connect(database) as base:
        got = base.execute(
            "SELECT n, got FROM wrong JOIN plan ON plan.id = plan"
            " WHERE variant = 0 ORDER BY n").fetchall()
    base.close()
    ok(PAIR in found["Max/a/c0"]
       and [bits & 0xffffffff for _, bits in got][:3]
       == [0x3f800000, 0x3f800000, 0x80000000],
       "the reference returns what the pair gives", f"{got}\n{out}")
    code, out, found = run(
        folder, "Max", "f32", cases, *STRICT,
        backend=("--backend", "reference", "--backend-option",
                 f"deviation={NUMBER} + integers.div-f32"))
    ok(code == 2 and "'integers.div-f32' changes no planned case" in out,
       "a pair of which one cannot apply", out)
finish()
