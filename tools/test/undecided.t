#!/usr/bin/env python3
# undecided.t - a choice that is left open makes no right result wrong.
#
# SPDX-License-Identifier: Apache-2.0
#
# Zeros of both signs are one number for a comparison (IEEE 754-2019 5.11), and
# rounding to an integer keeps a zero (5.9).  From 2^(p-1) on, every number of
# a type of p bits is an integer.  Sums are added up here, in random order, in
# f32 or in the result's type, as the policy accumulate.type lets a backend do.
#
# ASSAY_SEED: other orders.
import os
import random
import struct
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{HERE}/independent"]

from accepts import program  # noqa: E402
from formats import FORMATS  # noqa: E402
from ieee import Value, add  # noqa: E402
from judging import library  # noqa: E402
from tap import finish, ok  # noqa: E402

SEED = int(os.environ.get("ASSAY_SEED", "1"))
draw = random.Random(SEED)
print(f"# seed {SEED}")


def numbers(kind, *data):
    return {"shape": f"{kind}[{len(data)}]", "data": list(data)}


def verdict(evaluation, data):
    """right, wrong, or why it is not judged."""
    output = evaluation.outputs()[0]._replace(data=data)
    try:
        return "wrong" if evaluation.judge([output]) else "right"
    except library.EvaluationError as error:
        return str(error)


def verdicts(op, case, profile, results):
    """The verdict on each result, or why the program is refused."""
    try:
        with library.Evaluation(op, case, profile) as evaluation:
            return [verdict(evaluation, data) for data in results]
    except (library.InvalidProgram, library.EvaluationError) as error:
        return str(error)


def single(*values):
    return struct.pack(f"<{len(values)}f", *values)


# ---- Zeros of either sign ----------------------------------------------------

ZERO = ["z = Sub(p0, p0)"]
NEAR = ["e = Exp(p0)", "z = Sub(e, p1)"]  # e is a rounded 2.718...


def of_zero(body, results, first=ZERO, profile="xla-exhaustive"):
    case = program([numbers("f32", 1), numbers("f32", "0x1.5bf0a8p+1")],
                   first + body, "r")
    return verdicts("Sub", case, profile, results)


def check_zeros():
    for op in ("Floor", "Ceil", "RoundNearestEven", "Round", "Sign"):
        got = of_zero([f"r = {op}(z)"], [single(x) for x in (0.0, -0.0, 1, -1)])
        ok(got == ["right", "right", "wrong", "wrong"], f"{op} of a zero", got)
        got = of_zero([f"r = {op}(z)"], [single(0.0)], NEAR)
        ok(got == ["right"] if op.startswith("Round")
           else "depends on a rounding" in got,
           f"{op} of a small number of either sign", got)
    got = of_zero(["r = Floor(z)"], [single(-0.0)], profile="strict")
    ok(got == ["wrong"], "where the sign of the zero is not open", got)
    # C11 F.10.7.1, F.10.4.4; zero.sign: either zero.
    for body, due in ((["r = Rem(z, p1)"], ["right", "right", "wrong"]),
                      (["t = Mul(p0, p0)", "r = Rem(t, z)"], ["wrong"] * 3),
                      (["t = Add(p0, p0)", "r = Pow(z, t)"],
                       ["right", "right", "wrong"])):
        got = of_zero(body, [single(x) for x in (0.0, -0.0, 1)])
        ok(got == due, f"{body[-1]} of a zero", got)
    for body in (["r = Pow(z, z)", "f = Sign(r)"], ["r = Rem(p1, z)"]):
        got = of_zero(body, [single(x) for x in (1, float("nan"))])
        ok(got == (["right", "wrong"] if "Pow" in body[0]
                   else ["wrong", "right"]), f"{body[0]} of zeros", got)
    got = of_zero(["n = Neg(p1)", "r = Atan2(z, n)"], [single(0.0)])
    ok("is inexact" in got, "pi or -pi: refused", got)
    got = of_zero(["r = Rsqrt(z)"], [single(float("inf"))])
    ok("is inexact" in got, "a quotient by either zero: refused", got)


def check_comparisons():
    for op, due in (("Eq", 1), ("Ne", 0), ("Lt", 0), ("Ge", 1)):
        body = ["o = Mul(z, p1)", f"r = {op}(o, z)"]
        got = of_zero(body, [bytes([due]), bytes([1 - due])])
        ok(got == ["right", "wrong"], f"{op} of zeros", got)
    for op, due in (("Eq", 1), ("Ne", 0)):
        body = ["c = Complex(z, p1)", "n = Neg(z)", "d = Complex(n, p1)",
                f"r = {op}(c, d)"]
        got = of_zero(body, [bytes([due]), bytes([1 - due])])
        ok(got == ["right", "wrong"], f"{op} of complex zeros", got)
        got = of_zero(body, [bytes([due])], NEAR)
        ok("is inexact" in got, f"{op} of what may differ: refused", got)


# ---- Permitted choices -------------------------------------------------------

F16, F32 = FORMATS["f16"], FORMATS["f32"]
DATA = (-6.375, 4.1875, -5.78125, -30.625, -7.875, 0.859375)


def rounded(kind, value):
    """A number that is not zero, in a type."""
    return Value(kind.number(kind.round(value.x)))


def add_up(kind, terms):
    """Any two at a time, or from left to right, with fused additions."""
    terms = draw.sample(terms, len(terms))
    fused = draw.random() < 0.5
    total = rounded(kind, terms.pop())
    if not fused:
        terms = [rounded(kind, x) for x in terms]
    while terms:
        total = rounded(kind, add(total, terms.pop()))
        if not fused and terms and draw.random() < 0.5:
            terms[0], total = total, terms[0]
    return total


def floor_of_dot(scale, body, results, profile):
    case = program([numbers("bf16", *(x * scale for x in DATA))],
                   ["s = Dot(p0, p0) {preferred_element_type = f16}"] + body,
                   "r")
    return verdicts("Dot", case, profile, results)


def check_permitted():
    """The exact sum is 1092.24, where f16 has integers alone."""
    terms = [Value(Fraction(x) * Fraction(x)) for x in DATA]
    sums = {float(rounded(F16, add_up(kind, terms)).x)
            for kind in (F16, F32) for _ in range(500)}
    ok(len(sums) > 1, "orders give several sums", sorted(sums))
    packed = [struct.pack("<e", x) for x in sorted(sums)]
    for body in (["r = Abs(s)"], ["r = Floor(s)"], ["r = Ceil(s)"]):
        got = floor_of_dot(1, body, packed, "stablehlo")
        ok(got == ["right"] * len(packed), f"{body[0]}: each sum is right",
           (got, sorted(sums)))
        got = floor_of_dot(1, body, [struct.pack("<e", x) for x in
                                     (1000, 1200, -1092)], "stablehlo")
        ok(got == ["wrong"] * 3, f"{body[0]}: others are not", got)
    got = floor_of_dot(1, ["r = Floor(s)"], packed, "strict")
    ok(got.count("right") == 1, "strict permits f32 alone", got)


def check_open():
    """A quarter of that: a sum in f16 may lie on either side of an integer."""
    several = [struct.pack("<e", x) for x in (273, 272, 274)]
    got = floor_of_dot(0.5, ["r = Floor(s)"], several, "stablehlo")
    ok(got[0] == "right" and all("by a choice that the profile permits" in x
                                 for x in got[1:]),
       "a step that a permitted choice leaves open is not judged", got)
    got = floor_of_dot(0.5, ["r = Floor(s)"], several, "strict")
    ok(got == ["right", "wrong", "wrong"], "it is where none is permitted", got)
    got = floor_of_dot(0.5, ["r = Abs(s)"],
                       [struct.pack("<e", x) for x in (260, 290)], "stablehlo")
    ok(got == ["wrong"] * 2, "and without a step", got)


check_zeros()
check_comparisons()
check_permitted()
check_open()
finish()
