#!/usr/bin/python3
# intervals.t - sums of products of inexact operands, in programs.
#
# SPDX-License-Identifier: Apache-2.0
#
# What an operand may be is what assay says of it alone; the least and the
# greatest sum of such values is computed here in rational numbers, term by
# term.  A right sum in f32 is at most gamma = k u / (1 - k u), u = 2^-24, times
# the sum of the magnitudes off, with k roundings (Higham, Accuracy and Stability
# of Numerical Algorithms, 3.1).
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
folder = tempfile.mkdtemp()

X = [[0.25, -1.5, 3], [1, 0.125, -7]]
Y = [[2, -0.3], [-5, 0.7], [0.01, 11]]


def single(x):
    return struct.unpack("<f", struct.pack("<f", float(x)))[0]


def evaluate(inputs, body):
    """The ends of each element of the last value, or why there are none."""
    case = {"id": "one", "why": "an interval through a sum", "inputs": inputs,
            "module": {"entry": "main", "computations": {"main": {
                "parameters": [i["shape"] for i in inputs], "body": body,
                "result": body[-1]["name"]}}}}
    path = f"{folder}/case.json"
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": body[-1]["op"],
                   "cases": [case]}, f)
    done = subprocess.run([ASSAY, "eval", "--json", path], text=True,
                          capture_output=True, timeout=100)
    made = (json.loads(done.stdout)["cases"] or [{"text": done.stderr}])[0]
    if "replicas" not in made:
        return made["text"]
    ends = {}
    for e in made["replicas"][0][0]["elements"]:
        found = re.fullmatch(r"\[(.*), (.*)\]", e["accept"])
        pair = found.groups() if found else (e["accept"],) * 2
        ends[tuple(e["index"])] = ["nan"] if "nan" in e["accept"] else \
            [Fraction(single(p)) for p in pair]
    return ends


def texts(data):
    """A string is rounded once."""
    return [texts(x) for x in data] if isinstance(data, list) else str(data)


def array(data):
    shape, inner = [], data
    while isinstance(inner, list):
        shape.append(len(inner))
        inner = inner[0]
    return {"shape": f"f32[{','.join(map(str, shape))}]", "data": texts(data)}


def op(name, kind, *operands, **attributes):
    made = {"name": name, "op": kind, "operands": list(operands)}
    return {**made, "attributes": attributes} if attributes else made


def check(name, got, terms, attained=True):
    """terms: of each element, the pairs of ends of its factors."""
    good = bool(got) and not isinstance(got, str)
    for index, pairs in terms.items():
        if not good:
            break
        corners = [[a * b for a in p for b in q] for p, q in pairs]
        low, high = sum(map(min, corners)), sum(map(max, corners))
        size = sum(max(map(abs, c)) for c in corners)
        k = len(pairs) + 2
        room = 2 * Fraction(k, 2**24 - k) * size + Fraction(1, 2**120)
        if not attained:
            room += high - low
        good = low - room <= got[index][0] <= low \
            and high <= got[index][1] <= high + room
    ok(good, name, f"{got} {terms}")


def dot_terms(a, b):
    rows, columns = 1 + max(i for i, _ in a), 1 + max(j for _, j in b)
    inner = 1 + max(j for _, j in a)
    return {(i, j): [(a[i, k], b[k, j]) for k in range(inner)]
            for i in range(rows) for j in range(columns)}


def exact(data):
    return {(i, j): [Fraction(single(x))] * 2 for i, row in enumerate(data)
            for j, x in enumerate(row)}


NUMBERS = {"dimension_numbers": {
    "lhs_contracting_dimensions": [1], "rhs_contracting_dimensions": [0],
    "lhs_batch_dimensions": [], "rhs_batch_dimensions": []}}
EXP = op("a", "Exp", "p0")
x, y = array(X), array(Y)
a = evaluate([x], [EXP])
for kind, attributes in (("Dot", {}), ("DotGeneral", NUMBERS)):
    check(f"{kind} of an inexact operand", evaluate(
        [x, y], [EXP, op("c", kind, "a", "p1", **attributes)]),
        dot_terms(a, exact(Y)))

# Of types whose only zero is positive (and of one that has both).
SMALL = [[0, -0.5, 1], [-0.25, 0.75, 0]], [[2, 0], [-0.5, 1], [0, -1]]
for kind in ("f8e4m3fnuz", "f8e4m3b11fnuz", "f8e5m2fnuz", "f8e5m2"):
    small = [{**array(data), "shape": f"{kind}[{len(data)},{len(data[0])}]"}
             for data in SMALL]
    tanh = op("a", "Tanh", "p0")
    a8 = evaluate(small[:1], [tanh])
    check(f"Dot of an inexact {kind}", evaluate(small, [tanh, op(
        "c", "Dot", "a", "p1", preferred_element_type="f32")]),
        dot_terms(a8, exact(SMALL[1])))
    ok(any(low < high for low, high in a8.values()), "it is inexact", a8)

# Of both signs: 1 - exp(y).
SECOND = [op("e", "Exp", "p1"), op("b", "Sub", "p2", "e")]
ones = array([[1.0] * 2] * 3)
b = evaluate([x, y, ones], SECOND)
check("of two", evaluate([x, y, ones], [EXP, *SECOND,
                                        op("c", "Dot", "a", "b")]),
      dot_terms(a, b))

# Intervals around zero: exp(x) less its nearest number, in both.
near = array([[float((low + high) / 2) for low, high in
               [a[i, j] for j in range(3)]] for i in range(2)])
AROUND = [EXP, op("z", "Sub", "a", "p1"), op("t", "Transpose", "z",
                                              permutation=[1, 0])]
z = evaluate([x, near], AROUND[:2])
t = evaluate([x, near], AROUND)
ok(all(low <= 0 <= high for low, high in z.values()), "they are around zero", z)
check("of values around zero", evaluate(
    [x, near], [*AROUND, op("c", "Dot", "z", "t")]), dot_terms(z, t), False)

# A product of these with numbers of both signs: all corners are in it, and it is
# no wider than the largest magnitude of either sign, some roundings later.
FACTORS = [-2.5, 3, 0.5]
side = evaluate([x, near, array([FACTORS] * 2), {"shape": "f32[]", "data": "1"}], [
    *AROUND[:2], op("u", "Mul", "z", "p2"),
    op("c", "ConcatInDim", "u", "p2", dimension=1),
    op("m", "Reduce", "c", "p3", computation="mul", dimensions_to_reduce=[1])])
good, LOOSE = isinstance(side, dict), Fraction(1 + 2**-18)
for i in range(2) if good else ():
    corners = [Fraction(1)]
    for j, f in enumerate(FACTORS):
        corners = [c * end * Fraction(f)**2 for c in corners for end in z[i, j]]
    most = max(map(abs, corners)) * LOOSE
    good = good and -most <= side[i,][0] <= min(corners) / LOOSE \
        and max(corners) / LOOSE <= side[i,][1] <= most
ok(good, "a product of values around zero", f"{side} {z}")

# A window of 3 over 5 elements and padding.
line, kernel = array([[[0.5, -1, 2, 0.25, 3]]]), array([[[1, -2.5, 0.75]]])
e = evaluate([line], [EXP])
w = [Fraction(1), Fraction("-2.5"), Fraction("0.75")]
check("Conv", evaluate([line, kernel], [EXP, op(
    "c", "Conv", "a", "p1", window_strides=[1], padding="SAME")]),
    {(0, 0, i): [(e[0, 0, i + k - 1], [w[k]] * 2) for k in range(3)
                 if 0 <= i + k - 1 < 5] for i in range(5)})

# A NaN among the terms is the sum (IEEE 754-2019, 6.2), whatever the others are;
# the other sums are as they were.
WITH_NAN = [[2, -0.3], [-5, "nan"], [0.01, 11]]
got = evaluate([x, array(WITH_NAN)], [EXP, op("c", "Dot", "a", "p1")])
ok(isinstance(got, dict) and [got[i, 1] for i in range(2)] == [["nan"]] * 2,
   "sums with a NaN are NaN", got)
check("the sums beside them", got, {
    at: terms for at, terms in dot_terms(a, exact(Y)).items() if at[1] == 0})
got = evaluate([array([[0.25, "nan", 3], [1, 0.125, -7]]), y],
               [EXP, op("c", "Dot", "a", "p1")])
ok(isinstance(got, dict) and [got[0, j] for j in range(2)] == [["nan"]] * 2,
   "so are those with a NaN of the inexact operand", got)
check("the sums of other rows", got, {
    at: terms for at, terms in dot_terms(a, exact(Y)).items() if at[0] == 1})

for value, why in ((3e38, "inadmissible: a sum of Dot may overflow"),
                   ("inf", "inadmissible: an operand of Dot is inexact, and not "
                    "every element is finite or NaN")):
    got = evaluate([x, array([[value, 1], [1, 1], [1, 1]])],
                   [EXP, op("c", "Dot", "a", "p1")])
    ok(got == why, f"refused: {why}", got)
finish()
