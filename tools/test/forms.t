#!/usr/bin/env python3
# forms.t - cases in other forms: what is planned, run, judged and told.
#
# SPDX-License-Identifier: Apache-2.0
#
# form_backend.py evaluates formed programs in NumPy, without the interpreter's
# code: what it gives must be right by the plain case.  FORMS=10000 in the
# environment makes that many of them instead of those of a few files.
import json
import os
import re
import sqlite3
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
BUILD = os.environ.get("B", "build")
FORMS = int(os.environ.get("FORMS", "0"))
# Operations that form_backend.py evaluates exactly.
EXACT = ("@(Add|And|Broadcast|ConcatInDim|Eq|Ge|Gt|Iota|Le|Lt|Max|Min|Mul|Ne|Or"
         "|Pad|Reshape|Rev|Select|Slice|Sub|Transpose|Tuple|Xor)")

# What form_backend.py knows of the formed programs of these; the rest, such as
# arithmetic of complex numbers, it refuses.
JUDGED = 0.65


def assay(*arguments, **more):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          timeout=1200, **more)
    return done.returncode, done.stdout, done.stderr


def listed(*arguments):
    return assay("run", "--list", *arguments)[1].split()


# ---- Names and options -------------------------------------------------------

def check_options():
    found = listed("-f", "Max/rules/*#*")
    ok(all("#" in n for n in found) and len(found) > 5,
       "--list shows cases in forms", found[:3])
    name = next(n for n in listed("-f", "Max/special/*")
                if "#" not in n and "T=f32" in n)
    ok(listed("-f", name + "#loop-3") == [name + "#loop-3"],
       "a filter that is a name selects a form that the tier does not plan")
    ok(listed("-f", name + "#transposed") == [],
       "but none that does not apply")
    forms = listed("-f", name + "*", "--form", "scalar(*", "--form", "loop-?")
    ok({n.partition("#")[2] for n in forms}
       == {"", "scalar(lhs)", "scalar(rhs)", "loop-1", "loop-3"},
       "--form plans each form that matches", forms)
    ok(listed("-f", "Max/*") == listed("-f", "Max/*"), "the same each time")
    one = [n for n in listed("-f", "Max/*") if "+" in n]
    both = [n for n in listed("-f", "Max/*", "-f", "Min/*")
            if "+" in n and n.startswith("Max/")]
    ok(one == both, "another operation changes nothing")
    code, _, err = assay("eval", "-c", "pred#revresed", "cases/Max/rules.json")
    ok(code == 2 and "reversed" in err, "an unknown form has a hint", err)


def check_texts():
    path = "cases/Xor/rules.json"
    case = json.load(open(path, encoding="utf-8"))["cases"][0]["id"]
    _, plain, _ = assay("eval", "--json", path)
    name = json.loads(plain)["cases"][0]["name"].partition("rules/")[2]
    code, out, err = assay("eval", "--json", "-c", name + "#called", path)
    formed = json.loads(out)["cases"][0] if code == 0 else {}
    ok(formed.get("name", "").endswith("#called"), "eval takes CASE#form", err)
    _, text, _ = assay("emit", "--form", "reversed+loop-3", "-c",
                       f"*/{name}", path)
    ok("stablehlo.reverse" in text and "stablehlo.while" in text,
       f"the text of {case} is that of the rewritten program", text[:300])


# ---- A backend that is wrong in a form ---------------------------------------

def check_told(folder):
    """Add saturates: what it wraps and takes back is wrong, Xor alone is not."""
    database = f"{folder}/told.db"
    plain = "Xor/rules/*"
    code, out, _ = assay("run", "--backend", "reference", "--backend-option",
                         "deviation=integers.add-saturating",
                         "-f", plain, "--form", "wrapped",
                         "--form", "called", "-j1", "--batch=1",
                         f"--database={database}")
    told = re.findall(r"^fail (\S+?):.*\n.*right plain, wrong in this form",
                      out, re.M)
    ok(code == 1 and told and all(n.endswith("#wrapped") for n in told),
       "a failure says that the case is right as it stands", out[:600])
    ok("#called" not in "".join(re.findall(r"^fail.*", out, re.M)),
       "a form without what is wrong is right")
    _, text, _ = assay("explain", database)
    ok(re.search(r"right plain, wrong in a form:\n +\d+ of \d+  wrapped: ",
                 text), "explain has the forms", text[-600:])
    _, text, _ = assay("explain", "--format", "json", database)
    forms = json.loads(text)["forms"]
    ok([f["form"] for f in forms] == ["wrapped"] and forms[0]["failed"] > 0,
       "as JSON", forms)
    row = sqlite3.connect(database).execute(
        "SELECT program, command FROM detail JOIN outcome USING (plan)"
        " WHERE name LIKE '%#wrapped' AND status = 'fail'").fetchone()
    written = json.loads(row[0])["written"] if row else {}
    ops = [i["op"] for c in written.get("module", {})
           .get("computations", {}).values() for i in c["body"]]
    ok("Sub" in ops, "the program that failed is recorded as it was written",
       row)
    again = subprocess.run(row[1].replace("build/assay", ASSAY), shell=True,
                           cwd=os.getcwd(), capture_output=True, text=True,
                           env=dict(os.environ)) if row else None
    ok(again and "1 fail" in again.stdout, "its command runs that form again",
       again and again.stdout)


# ---- Another evaluator -------------------------------------------------------

def python_with_numpy():
    for path in (f"{BUILD}/numpy/bin/python", "python3"):
        try:
            if subprocess.run([path, "-c", "import numpy"],
                              capture_output=True).returncode == 0:
                return path
        except OSError:
            pass
    return None


def check_numpy(folder):
    python = python_with_numpy()
    if not python:
        ok(True, "formed programs in NumPy # SKIP no NumPy (make numpy)")
        return
    choice = (["--form", "*", "-f", EXACT + "/*"] if FORMS
              else ["-f", EXACT + "/@(rules|special)/*#*"])
    names = listed(*choice)
    names = [n for n in names if "#" in n]
    backend = f"process:{python} tools/test/form_backend.py"
    _, out, err = assay("run", "--backend", backend, *choice,
                        f"--database={folder}/numpy.db",
                        "--shard",
                        f"1/{max(1, int(JUDGED * len(names)) // FORMS)}"
                        if FORMS else "1/1")
    counts = dict((k, int(n)) for n, k in re.findall(r"(\d+) (\w+)", "".join(
        re.findall(r"^\d+ cases?: .*", out, re.M))))
    bad = re.findall(r"^(?:fail|crash|refused|flake) (\S*#\S*)", out, re.M)
    ok(counts.get("pass", 0) >= (FORMS or 300) and not bad,
       f"NumPy gives what the plain case must: {counts.get('pass')} cases",
       (bad[:5], err[-300:], out[-500:]))


def check_kinds(folder):
    """Cases in which types meet special values have no expected values."""
    python = python_with_numpy()
    if not python:
        ok(True, "types and special values in NumPy # SKIP no NumPy")
        return
    _, out, err = assay(
        "run", "--backend", f"process:{python} tools/test/form_backend.py",
        "--form", "none", "-f", EXACT + "/crossed/kinds-*",
        f"--database={folder}/kinds.db")
    counts = dict((k, int(n)) for n, k in re.findall(r"(\d+) (\w+)", "".join(
        re.findall(r"^\d+ cases?: .*", out, re.M))))
    bad = re.findall(r"^(?:fail|crash|refused|flake) (\S*)", out, re.M)
    ok(counts.get("pass", 0) >= 60 and not bad,
       f"NumPy gives what types and special values must: "
       f"{counts.get('pass')} programs", (bad[:5], err[-300:], out[-500:]))


# ---- The matrix of values ----------------------------------------------------

# Cells that are empty, and why.  No others, and no more.
SIZES = "operands are sizes, which most numbers cannot be"
CONSTANTS = "the only constants are of types that lack such numbers"
ONE = "a scalar is gathered in one case, of one small number for each type"
EMPTY = {"CustomCall": (2, "the scalar beside arrays is a float"), "DynamicReshape": (4, SIZES), "Gather": (12, ONE), "Outfeed": (2, CONSTANTS),
         "RaggedDot": (4, SIZES), "RemoveDynamicDimension": (2, CONSTANTS), "SetDimensionSize": (8, SIZES)}
# Likewise with the element type.
TYPED = {"Gather": (59, ONE), "RaggedDot": (20, SIZES), "ScaledDot": (30, "f64 is rejected as unsupported"), "SetDimensionSize": (4, SIZES)}


def check_values():
    _, out, _ = assay("cover", "--values", "--format", "json")
    operations = json.loads(out)["operations"]
    for cells, most, least, what in (("cells", EMPTY, 6500, "class of values and place"),
                                     ("types", TYPED, 36000, "type, class of values and rank")):
        left = {op["op"]: [c for c in op[cells] if c["cases"] == 0] for op in operations}
        wrong = {op: e for op, e in left.items() if len(e) != most.get(op, (0,))[0]}
        count = sum(len(op[cells]) for op in operations)
        ok(count > least and not wrong, f"operations fill the cells of {what} that they can, of {count}", str(wrong)[:2000])
    ok(len(operations) > 120, "of nearly all operations", len(operations))
    _, out, _ = assay("cover", "--values", "--filter", "Div/rules/*")
    ok("nan        " in out and "empty" in out, "of fewer cases some are empty")
    ok("empty for f64: " in out, "and of the types, each with its values and ranks", out[:900])
    code, _, _ = assay("cover", "--values", "--filter", "Div/rules/*",
                       "--require", "100")
    ok(code == 1, "which --require refuses")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_options()
        check_texts()
        check_told(folder)
        check_numpy(folder)
        check_kinds(folder)
    check_values()
    finish()


if __name__ == "__main__":
    main()
