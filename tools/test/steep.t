#!/usr/bin/python3
# steep.t - complex functions of numbers that are inexact, in a program.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each part of an operand is a difference of an exponential, whose set assay
# gives for it alone, and a known number.  Operands drawn from what these may be
# are taken by cmath in f64, and rounded: each result must be accepted.  One that
# is off by 2^-7 must not be, and neither must a program be judged whose
# operand meets a pole or a branch cut.
#
# ASSAY_SEED: other data.
import cmath
import os
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accepts import accepts  # noqa: E402
from judging import library, profile  # noqa: E402
from legal import draw  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

F = np.float32
N, ROUNDS, DRAWS = 6, 3, 12

FUNCTIONS = {
    "Exp": cmath.exp, "Expm1": lambda z: cmath.exp(z) - 1, "Log": cmath.log,
    "Log1p": lambda z: cmath.log(1 + z), "Sqrt": cmath.sqrt,
    "Rsqrt": lambda z: 1 / cmath.sqrt(z), "Sin": cmath.sin, "Cos": cmath.cos,
    "Sinh": cmath.sinh, "Cosh": cmath.cosh, "Tan": cmath.tan,
    "Tanh": cmath.tanh, "Logistic": lambda z: 1 / (1 + cmath.exp(-z)),
    "Div": lambda z, w: z / w, "Pow": lambda z, w: cmath.exp(w * cmath.log(z))}


def program(op, x, c):
    """op of operands whose parts are exp(x[k]) - c[k]."""
    inputs = [{"shape": f"f32[{N}]", "data": [str(v) for v in a]}
              for k in range(len(x)) for a in (x[k], c[k])]
    body = []
    for k in range(len(x)):
        body += [f"e{k} = Exp(p{2 * k})", f"d{k} = Sub(e{k}, p{2 * k + 1})"]
    names = [f"z{k}" for k in range(len(x) // 2)]
    body += [f"{z} = Complex(d{2 * k}, d{2 * k + 1})"
             for k, z in enumerate(names)]
    body.append(f"r = {op}({', '.join(names)})")
    return {"inputs": inputs, "module": {"entry": "main", "computations": {
        "main": {"parameters": [i["shape"] for i in inputs], "body": body,
                 "result": "r"}}}}


def ends(x):
    """What exp(x) may be: its least and its greatest values."""
    sets = accepts("Exp", {"shape": f"f32[{N}]", "data": [str(v) for v in x]})
    pairs = [[float(n) for n in s.strip("[]").split(", ")] for s in sets]
    return [np.array([p[k] for p in pairs], F) for k in (0, -1)]


def is_right(evaluation, result):
    outputs = evaluation.outputs()
    bits = np.array(result).astype(np.complex64).tobytes()
    outputs[0] = outputs[0]._replace(data=bits)
    return evaluation.judge(outputs) is None


def off_by(result, at):
    other = list(result)
    other[at] *= 1 + 2.0 ** -7 * cmath.exp(2j * cmath.pi * draw.random())
    return other


def check(op, mine, name):
    parts = 4 if op in ("Div", "Pow") else 2
    good = wrong = tried = judged = 0
    for _ in range(ROUNDS):
        x = [draw.uniform(-1, 1, N).astype(F) for _ in range(parts)]
        c = [draw.uniform(-1, 3, N).astype(F) for _ in range(parts)]
        made = [ends(v) for v in x]
        try:
            with library.Evaluation(op, program(op, x, c), mine) as evaluation:
                evaluation.outputs()
                judged += 1
                for k in range(DRAWS):
                    d = [(np.where(draw.random(N) < 0.5, *m) - s).astype(float)
                         for m, s in zip(made, c)]
                    z = [[complex(*pair) for pair in zip(d[i], d[i + 1])]
                         for i in range(0, parts, 2)]
                    right = [FUNCTIONS[op](*w) for w in zip(*z)]
                    tried += 1
                    good += is_right(evaluation, right)
                    wrong += not is_right(evaluation, off_by(right, k % N))
        except library.InvalidProgram as e:
            print(f"# {op}: {e}")
    ok(good == tried and judged > 0, f"{op}, {name}: each result is accepted",
       f"{good} of {tried}, {judged} programs judged")
    ok(wrong == tried, f"{op}, {name}: one that is off is not", f"{wrong} of {tried}")
    figure("results of complex functions of inexact operands", tried)


def check_refused(op, x, c, mine):
    """The operand is near exp(x) - c, on a cut or at a pole."""
    try:
        with library.Evaluation(op, program(
                op, [np.full(N, v, F) for v in x],
                [np.full(N, v, F) for v in c]), mine) as evaluation:
            evaluation.outputs()
            got = "judged"
    except library.InvalidProgram as e:
        got = str(e)
    ok("may have no derivative" in got, f"{op} at a pole or a cut", got)


def main():
    e = np.exp(F(0.5))
    with tempfile.TemporaryDirectory() as folder:
        for judged in ("norm", "component"):
            mine = profile(folder, "mine", extends="spec",
                           choices={"complex.accuracy": judged})
            for op in FUNCTIONS:
                check(op, mine, judged)
        for op in ("Log", "Sqrt", "Rsqrt"):
            check_refused(op, [0.5, 0.5], [3, e], mine)
        check_refused("Log1p", [0.5, 0.5], [4, e], mine)
        check_refused("Div", [0.5] * 4, [3, 3, e, e], mine)
        check_refused("Pow", [0.5] * 4, [3, e, 0, 0], mine)
        half = e - F(np.pi / 2)
        check_refused("Tan", [0.5, 0.5], [half, e], mine)
        check_refused("Tanh", [0.5, 0.5], [e, half], mine)
    finish()


main()
