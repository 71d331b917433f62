#!/usr/bin/python3
# corners.t - an interval that ends at a special value.
#
# SPDX-License-Identifier: Apache-2.0
#
# A program may give whatever its last function may give for any one value of its
# operand.  So for each function of real numbers, and for operands that lie
# between a special value (0, 1, an infinity) and another one, the set of the
# program must contain that of each value between them: what assay accepts of the
# function alone, and the value correctly rounded, by the C library's functions
# of f64 where these are far enough from a tie.  A comparison of such a result is
# decided only if it is the same for all of these.
import math
import os
import random
import re
import struct
import sys

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path[:0] = [f"{ROOT}/tools", f"{ROOT}/tools/test"]
from accepts import evaluate_all, filed  # noqa: E402
from specification import names, operation  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = int(os.environ.get("ASSAY_SEED", "1"))
POINTS = max(24, int(os.environ.get("ASSAY_SAMPLES", "0")) // 40)
draw = random.Random(SEED)
print(f"# seed {SEED}")
CODES = {"f16": ("<e", "<H", 16), "f32": ("<f", "<I", 32)}


# ---- Numbers ----------------------------------------------------------------

def key(t, text):
    """An integer in the order of the numbers, -0 just below 0."""
    code, whole, bits = CODES[t]
    x = struct.unpack(whole, struct.pack(code, float(text)))[0]
    return -1 - (x ^ 1 << bits - 1) if x >> bits - 1 else x


def number(t, k):
    """The text of the number with that key."""
    code, whole, bits = CODES[t]
    x = k if k >= 0 else (-1 - k) | 1 << bits - 1
    return repr(struct.unpack(code, struct.pack(whole, x))[0])


def keys(t, accept):
    """Ranges of keys; None: anything, or a NaN."""
    made = []
    for part in accept.split(" | "):
        found = re.fullmatch(r"\[(.*), (.*)\]", part)
        if part in ("any", "nan"):
            return None
        ends = found.groups() if found else (part, part)
        made.append(tuple(key(t, e) for e in ends))
    return made


LIBRARY = {"Exp": math.exp, "Expm1": math.expm1, "Log": math.log,
           "Log1p": math.log1p, "Sin": math.sin, "Cos": math.cos,
           "Tan": math.tan, "Tanh": math.tanh, "Sinh": math.sinh,
           "Cosh": math.cosh, "Erf": math.erf, "Erfc": math.erfc,
           "Sqrt": math.sqrt, "Atan": math.atan, "Asin": math.asin,
           "Acos": math.acos, "Asinh": math.asinh,
           "Logistic": lambda x: 1 / (1 + math.exp(-x))}


def nearest(t, name, x):
    """The key of the correctly rounded value, None where that is not known: a
    good C library is within 2^-45 of itself."""
    try:
        y = LIBRARY[name](float(x))
        below, above = (key(t, y * (1 + e)) for e in (-2**-45, 2**-45))
    except (ArithmeticError, KeyError, ValueError):
        return None
    return below if below == above else None


# ---- Asking assay -----------------------------------------------------------

def evaluate(profile, cases):
    """One answer a case: the texts of its elements' sets, or why not."""
    made, said = evaluate_all([filed("Exp", c) for c in cases], "Exp", profile,
                              elements=4096)
    if len(made) != len(cases):
        sys.exit(said)
    return [[e["accept"] for e in c["replicas"][0][0]["elements"]]
            if "replicas" in c else c.get("text", "") for c in made]


def program(t, inputs, body):
    shapes = [f"{t}[{len(i)}]" for i in inputs]
    return {"inputs": [{"shape": s, "data": [str(x) for x in i]}
                       for s, i in zip(shapes, inputs)],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": shapes, "body": body,
                "result": body[-1].split(" ")[0]}}}}


# ---- Operands between two ends ----------------------------------------------

def operands(t):
    """Bodies that end in m: inexact, one end is special or exact."""
    small = {"f16": "0.0001", "f32": "1e-9"}[t]
    huge = {"f16": "11.09", "f32": "88.7228"}[t]
    near = ["e = Exp(p0)", "d = Sub(e, p1)"]  # around 1, around 0
    made = []
    for pick in ("Max", "Min"):
        made.append(([small, "1", "0"], near + [f"m = {pick}(d, p2)"]))
        made.append(([small, "1", "1"], near[:1] + [f"m = {pick}(e, p2)"]))
        for scale in ("0.0078125", "64", "-1024"):
            made.append(([small, "1", "0", scale],
                         near + [f"r = {pick}(d, p2)", "m = Mul(r, p3)"]))
    made.append(([small, "1", "-1"], near[:1] + ["r = Max(e, p1)",
                                                 "m = Mul(r, p2)"]))
    made.append(([huge], ["m = Exp(p0)"]))  # up to infinity
    made.append(([huge, "-1"], ["e = Exp(p0)", "m = Mul(e, p1)"]))
    return made


def points(t, ranges):
    """Values between the ends: all, or the first, the last and some others."""
    chosen = set()
    for low, high in ranges:
        if high - low <= 4 * POINTS:
            chosen.update(range(low, high + 1))
            continue
        for k in range(POINTS):
            chosen.update((low + k, high - k, draw.randint(low, high)))
        zero = [k for k in range(-3, 4) if low <= k <= high]
        chosen.update(zero)
    return [number(t, k) for k in sorted(chosen)]


def functions():
    """Those of one or two real numbers that give a number."""
    for name in names():
        spec = operation(name)
        exact = spec.get("family", "").startswith((
            "elementwise-signed", "elementwise-rounding",
            "elementwise-extremum"))
        if ((spec.get("accuracy") in ("function", "arithmetic") or exact)
                and len(spec["operands"]) in (1, 2)
                and not any(a["name"] not in (
                    "result_accuracy", "broadcast_dimensions", "broadcasting")
                    for a in spec["attributes"])):
            yield name, len(spec["operands"])


FUNCTIONS = list(functions())
ok(len(FUNCTIONS) > 25, "functions of real numbers", FUNCTIONS)
OTHERS = ["0", "-0", "1", "-1", "2", "0.5", "3", "inf"]


def calls():
    for name, arity in FUNCTIONS:
        if arity == 1:
            yield name, None, name + "({m})"
        for other in OTHERS if arity == 2 else []:
            yield name, (other, 0), name + "({m}, {q})"
            yield name, (other, 1), name + "({q}, {m})"


def check(profile, t):
    """Each function on each operand: what is missing, by function."""
    bodies = operands(t)
    ends = evaluate(profile, [program(t, [[x] for x in i], b)
                              for i, b in bodies])
    plan, cases, alone = [], [], []
    for (inputs, body), accept in zip(bodies, ends):
        ranges = isinstance(accept, list) and keys(t, accept[0])
        if not ranges or all(low == high for low, high in ranges):
            continue
        at = points(t, ranges)
        for name, other, last in calls():
            extra = [[other[0]]] if other else []
            cases.append(program(
                t, [[x] for x in inputs] + extra,
                body + ["y = " + last.format(m="m", q=f"p{len(inputs)}")]))
            both = [at] + ([[other[0]] * len(at)] if other else [])
            alone.append(program(t, both,
                                 ["y = " + last.format(m="p0", q="p1")]))
            plan.append((name, other, inputs, body[-1], at))
    told, single = evaluate(profile, cases), evaluate(profile, alone)
    missing, judged, refused = [], 0, 0
    for about, accept, elements in zip(plan, told, single):
        if isinstance(accept, str) or isinstance(elements, str):
            refused += 1
            continue
        whole = keys(t, accept[0])
        judged += 1
        if about[1] is None and whole:
            missing += [(about[:4], x, "rounded", accept) for x in about[4]
                        for near in [nearest(t, about[0], x)]
                        if near is not None
                        and not any(a <= near <= b for a, b in whole)][:1]
        for x, own in zip(about[4], elements):
            inner = keys(t, own)
            if whole is None or (inner is not None and all(
                    any(a <= low and high <= b for a, b in whole)
                    for low, high in inner)):
                continue
            missing.append((about[:4], x, own, accept))
            break
    return missing, judged, refused


COMPARE = {"Ge": lambda low, high, q: (low >= q, high < q),
           "Gt": lambda low, high, q: (low > q, high <= q),
           "Le": lambda low, high, q: (high <= q, low > q),
           "Lt": lambda low, high, q: (high < q, low >= q),
           "Eq": lambda low, high, q: (low == high == q, low > q or high < q),
           "Ne": lambda low, high, q: (low > q or high < q, low == high == q)}


def decide(profile, t):
    """Decided comparisons that are not, of functions of one operand."""
    ends = {}
    plan, cases = [], []
    for inputs, body in operands(t):
        for name in [n for n, arity in FUNCTIONS if arity == 1]:
            whole = body + [f"y = {name}(m)"]
            plan.append((name, inputs, body[-1], None, None))
            cases.append(program(t, [[x] for x in inputs], whole))
            for q in ("0", "1", "0.5", "2"):
                for op in COMPARE:
                    plan.append((name, inputs, body[-1], op, q))
                    cases.append(program(t, [[x] for x in inputs + [q]],
                                         whole + [f"c = {op}(y, "
                                                  f"p{len(inputs)})"]))
    wrong, decided, open_ = [], 0, 0
    for (name, inputs, last, op, q), accept in zip(plan,
                                                   evaluate(profile, cases)):
        at = (name, tuple(inputs), last)
        if op is None:
            ranges = isinstance(accept, list) and keys(t, accept[0])
            ends[at] = ranges and [float(number(t, k)) for k in
                                   (ranges[0][0], ranges[-1][1])]
        elif isinstance(accept, str) or not ends[at]:
            open_ += isinstance(accept, str)
        else:
            decided += 1
            if not COMPARE[op](*ends[at], float(q))[accept[0] == "false"]:
                wrong.append((at, op, q, accept, ends[at]))
    return wrong, decided, open_


for t in CODES:
    wrong, decided, open_ = decide("spec", t)
    ok(not wrong and decided > 400 and open_ > 100,
       f"{t}: comparisons are decided where they are ({decided}, {open_} are "
       "not)", "\n".join(map(str, wrong[:12])))

LONG = ("xla-cpu-default", "xla-exhaustive", "stablehlo")
for profile in ("spec", "strict") + (LONG if os.environ.get("ASSAY_LONG")
                                     else ()):
    for t in CODES:
        missing, judged, refused = check(profile, t)
        figure(f"intervals with a special end, {profile}, {t}", judged)
        ok(not missing and judged > refused,
           f"{profile}, {t}: what is right for one value is right "
           f"({judged} judged, {refused} refused)",
           "\n".join(map(str, missing[:12])) + f"\n{len(missing)} missing")
finish()
