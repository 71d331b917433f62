#!/usr/bin/env python3
# orders.t - sums and products: what some order gives is right, and for few
# terms of narrow types nothing else.
#
# SPDX-License-Identifier: Apache-2.0
#
# Every step is evaluated in rational arithmetic and rounded once to the type of
# the accumulator (independent/formats.py, from the types' definitions): in any
# order, with products rounded or fused, with overflow as the type or the policy
# convert.overflow has it.
#
# ASSAY_SEED: other data.  ASSAY_LONG: more of them.
import os
import random
import sys
import tempfile
from fractions import Fraction
from functools import lru_cache

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{HERE}/independent"]

from formats import FORMATS, literal, size_of  # noqa: E402
from judging import library, profile  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = os.environ.get("ASSAY_SEED", "1")
LONG = bool(os.environ.get("ASSAY_LONG"))
TINY = ["f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e3m4", "f8e4m3", "f8e4m3fn",
        "f8e4m3fnuz", "f8e4m3b11fnuz", "f8e5m2", "f8e5m2fnuz", "f8e8m0fnu"]
# The accumulators of accumulate.type: element where the result is wider, or is
# the other type of 16 bits, from the text of the policy; f32 is right, too.
MIXED = [("f16", "f32", ["f16"]), ("f16", "f64", ["f16"]),
         ("bf16", "f32", ["bf16"]), ("f32", "f64", ["f32"]),
         ("f8e4m3fn", "f32", ["f16", "bf16"]),
         ("f8e5m2", "f32", ["f16", "bf16"]), ("f8e5m2", "f16", ["f16"]),
         ("f6e2m3fn", "f32", ["f16", "bf16"]),
         ("f16", "bf16", ["f16", "bf16"]), ("bf16", "f16", ["f16", "bf16"]),
         ("f4e2m1fn", "bf16", ["bf16"]), ("f8e3m4", "f64", ["f16", "bf16"])]

CANCEL = (5 / 2 ** 16, -28672, 28672)  # more than 24 bits from end to end


def rounded(kind, x, saturates=False):
    """The value of the pattern that x is rounded to."""
    f = FORMATS[kind]
    if isinstance(x, str):
        return x
    if f.signed is False and x <= 0:
        return "nan"
    if f.fraction == 0:  # one digit: a tie goes up
        e = 0
        while Fraction(2) ** (e + 1) <= x:
            e += 1
        while Fraction(2) ** e > x:
            e -= 1
        e = max(e + (x * 2 >= 3 * Fraction(2) ** e), f.least)
        y = Fraction(2) ** e
        return y if y <= f.most else f.most if saturates else "nan"
    y = f.number(f.round(x))
    if isinstance(y, str) and saturates and f.special != "ieee":
        return f.most if x > 0 else -f.most
    return y


def combined(x, y, product):
    if "nan" in (x, y):
        return "nan"
    texts = [v for v in (x, y) if isinstance(v, str)]
    if not texts:
        return x * y if product else x + y
    if product:
        if x == 0 or y == 0:
            return "nan"
        signs = [v == "-inf" if isinstance(v, str) else v < 0 for v in (x, y)]
        return "-inf" if signs[0] != signs[1] else "inf"
    return "nan" if len(set(texts)) == 2 else texts[0]


def every_order(kind, terms, product=False, saturates=False, fused=False):
    """Values of all trees over these exact terms; the terms themselves are
    rounded first, or where fused, when they are added."""
    @lru_cache(maxsize=None)
    def results(which):
        if len(which) == 1:
            return {rounded(kind, terms[which[0]], saturates)}
        got = set()
        for mask in range(1, 2 ** (len(which) - 1)):
            left = tuple(w for k, w in enumerate(which) if mask >> k & 1)
            right = tuple(w for w in which if w not in left)
            for a, b in ((left, right), (right, left)):
                first = set(results(a))
                if fused and len(a) == 1:
                    first.add(terms[a[0]])
                got |= {rounded(kind, combined(x, y, product), saturates)
                        for x in first for y in results(b)}
        return got
    return results(tuple(range(len(terms))))


def candidates(kind):
    """Of the NaNs only the usual one."""
    f = FORMATS[kind]
    return [p for p in range(1 << f.bits)
            if f.number(p) != "nan" or p == f.nan()]


def patterns(kind, values):
    """All patterns of these values, of zero both."""
    f = FORMATS[kind]
    return {p for p in candidates(kind) if f.number(p) in values}


def scalar(kind, pattern):
    return literal(kind, [pattern], [])


def draw(r, kind, n, low=None, high=None):
    """n finite patterns that are not zero."""
    f, got = FORMATS[kind], []
    while len(got) < n:
        p = r.randrange(1 << f.bits)
        x = f.number(p)
        if isinstance(x, str) or x == 0:
            continue
        if low is None or low <= abs(x) <= high:
            got.append(p)
    return got


def statuses(op, case, mine, kind, among):
    """The verdict on each pattern."""
    got = {}
    with library.Evaluation(op, case, mine) as evaluation:
        output = evaluation.outputs()[0]
        for p in among:
            told = evaluation.judgement(
                [output._replace(data=p.to_bytes(size_of(kind), "little"))])
            got[p] = told.status
    return got


def check_narrow(folder):
    """Sums and products in types of at most 8 bits: exactly every order."""
    r = random.Random(f"{SEED} narrow")
    count = checked = 0
    lost, more = [], []
    for kind in TINY:
        f = FORMATS[kind]
        for product in (False, True):
            for saturates in (False, True):
                mine = profile(folder, f"{kind}", choices={
                    "convert.overflow": "saturate" if saturates else "type",
                    "reduce.init": "any", "accumulate.zero-sign": "any"},
                    permits={"convert.nan-to-finite": "any"})
                for turn in range(20 if LONG else 3):
                    n = r.randint(2, 5)
                    data = draw(r, kind, n)
                    if turn == 0 and kind == "f8e5m2fnuz":
                        data = [f.round(Fraction(x)) for x in CANCEL]
                    terms = [f.number(p) for p in data]
                    if kind == "f8e8m0fnu" and not product:
                        continue  # its zero, where a sum begins, is none
                    due = every_order(kind, terms, product,
                                      saturates or f.special == "finite")
                    whole = Fraction(product)
                    for t in terms:
                        whole = combined(whole, t, product)
                    wide = set() if product else every_order("f32", terms)
                    due |= {rounded(kind, x, saturates) for x in
                            {whole, *wide}}
                    case = {"inputs": [literal(kind, data), scalar(
                        kind, f.round(Fraction(product)) if f.signed else 127)],
                        "attributes": {"computation": "mul" if product
                                       else "add", "dimensions_to_reduce": [0]}}
                    got = statuses("Reduce", case, mine, kind,
                                   candidates(kind))
                    got = {p for p in got if got[p] != "fail"}
                    due = patterns(kind, due)
                    zeros = patterns(kind, {Fraction(0)})
                    count += 1
                    checked += 1 << f.bits
                    what = (kind, product, saturates, [float(t) for t in terms])
                    lost += [(what, float_of(f, p)) for p in due - got - zeros]
                    more += [(what, float_of(f, p)) for p in got - due - zeros]
                    if zeros & due and not zeros & got:
                        lost.append((what, 0))
                    if zeros & got and not zeros & due:
                        more.append((what, 0))
    ok(count > 100 and not lost, f"{count} sums and products in narrow types: "
       "every order is right", "\n".join(map(str, lost)))
    ok(not more, "and nothing else", "\n".join(map(str, more)))
    figure("results judged", checked)


def float_of(f, p):
    x = f.number(p)
    return x if isinstance(x, str) else float(x)


def sequence(r, kind, terms):
    """One order: a random tree, products rounded or fused."""
    nodes = [(t, True) for t in terms]
    while len(nodes) > 1:
        x, y = (nodes.pop(r.randrange(len(nodes))) for _ in range(2))
        if y[1] and (x[1] or r.random() < 0.5):
            y = (rounded(kind, y[0]), False)
        if x[1] and r.random() < 0.5:
            x = (rounded(kind, x[0]), False)
        if x[1] and y[1]:
            x = (rounded(kind, x[0]), False)
        nodes.append((rounded(kind, combined(x[0], y[0], False)), False))
    return rounded(kind, nodes[0][0])


def check_mixed():
    """Dots with a wider result: each order is right where an element's type is
    enough, and where f32 is due only with the remark; zero, half of the sum and
    its double are wrong."""
    r = random.Random(f"{SEED} mixed")
    lost, more, count = [], [], 0
    for unit, result, kinds in MIXED:
        f, g = FORMATS[unit], FORMATS[result]
        low = Fraction(1, 256)
        for _ in range(30 if LONG else 6):
            n = r.choice([2, 3, 4, 5, 6, 20, 64])
            most = min(f.most, 4)
            sides = [draw(r, unit, n, low, most) for _ in range(2)]
            if r.random() < 0.5:
                sides = [[p & ~(1 << (f.bits - 1)) for p in s] for s in sides]
            terms = [f.number(a) * f.number(b) for a, b in zip(*sides)]
            case = {"inputs": [literal(unit, s) for s in sides],
                    "attributes": {"preferred_element_type": result}}
            right = {}
            for kind in kinds + ["f32"]:
                for _ in range(8):
                    right[g.round(sequence(r, kind, terms))] = kind
            whole = sum(terms)
            right[g.round(whole)] = "exact"
            wrong = set()
            if n <= 6 and min(terms) > 0:
                wrong = {g.round(whole / 2), g.round(whole * 2), 0}
                for kind in kinds + ["f32"]:
                    wrong -= {g.round(v) for v in every_order(
                        kind, terms, fused=True) if v != "nan"}
            elif min(terms) > 0:
                wrong = {0}
            for mine in ("spec", "xla-gpu-default", "xla-cpu-default"):
                got = statuses("Dot", case, mine, result, set(right) | wrong)
                count += len(got)
                what = (unit, result, mine, n)
                lost += [(what, right[p], hex(p)) for p in right
                         if got[p] == "fail"]
                more += [(what, float_of(g, p), float(whole)) for p in wrong
                         if got[p] != "fail"]
            got = statuses("Dot", case, "strict", result, right)
            lost += [((unit, result, "strict", n), right[p], hex(p))
                     for p in right if right[p] == "f32" and got[p] == "fail"
                     and result == "f32"]
    ok(count > 500 and not lost, f"{count} dots with a wider result: every "
       "order is right", "\n".join(map(str, lost)))
    ok(not more, "zero, a half and the double are wrong",
       "\n".join(map(str, more)))


def check_tiny_products():
    """64 products of 0.001 and 0.01, all of them normal in f32: no part of the
    sum can be flushed; subnormal products of f32 can, in f32."""
    def case(kind, a, b, result, n=64):
        f = FORMATS[kind]
        return {"inputs": [literal(kind, [f.round(Fraction(x))] * n)
                           for x in (a, b)],
                "attributes": {"preferred_element_type": result}}
    for kind, result in (("f16", "f32"), ("f16", "f64"), ("f16", "bf16")):
        for mine in ("spec", "stablehlo", "xla-cpu-default"):
            got = statuses("Dot", case(kind, 0.001, 0.01, result), mine, result,
                           [0])
            ok(got[0] == "fail", f"{kind} to {result}: 0 under {mine}", got)
    got = statuses("Dot", case("bf16", 1e-20, 1e-20, "f32", 3), "spec", "f32",
                   [0])
    ok(got[0] == "warn", "three products of 1e-40 in f32 may be flushed", got)
    got = statuses("Dot", case("bf16", 1e-20, 1e-20, "f32", 3), "stablehlo",
                   "f32", [0])
    ok(got[0] == "fail", "not where nothing may", got)
    scaled = {"inputs": [{"shape": "f8e4m3fn[1,4]", "data": [[1, 2, 3, 1.5]]},
                         {"shape": "f8e8m0fnu[1,1]", "data": [[2 ** -10]]},
                         {"shape": "f8e4m3fn[4,1]", "data": [[1]] * 4},
                         {"shape": "f8e8m0fnu[1,1]", "data": [[2 ** -10]]}],
              "attributes": {"preferred_element_type": "f32",
                             "dimension_numbers": {
                                 "lhs_contracting_dimensions": [1],
                                 "rhs_contracting_dimensions": [0]}}}
    got = statuses("ScaledDot", scaled, "spec", "f32", [0, 0x36f00000])
    ok(got == {0: "fail", 0x36f00000: "pass"}, "ScaledDot: 7.5 * 2^-20", got)


def check_long_products():
    """129 factors of bf16 next to 1, one after the other: each step is rounded
    correctly, so the result is right under every profile."""
    f = FORMATS["bf16"]
    for factor in (1 + Fraction(1, 128), 1 + Fraction(3, 128),
                   1 - Fraction(1, 256)):
        for n in (100, 129, 257, 600):
            x = Fraction(1)
            for _ in range(n):
                x = rounded("bf16", combined(x, factor, True))
            case = {"inputs": [literal("bf16", [f.round(factor)] * n),
                               scalar("bf16", f.round(Fraction(1)))],
                    "attributes": {"computation": "mul",
                                   "dimensions_to_reduce": [0]}}
            for mine in ("strict", "spec", "stablehlo", "xla-cpu-default",
                         "xla-gpu-default", "xla-exhaustive"):
                p = f.round(x)
                got = statuses("Reduce", case, mine, "bf16",
                               [p, p ^ 0x8000, 0])
                ok(got[p] != "fail" and got[p ^ 0x8000] == "fail"
                   and (x == "inf" or got[0] == "fail" or x < 2 ** -100),
                   f"{n} factors {float(factor)} under {mine}", (got, x))


with tempfile.TemporaryDirectory() as directory:
    check_narrow(directory)
check_mixed()
check_tiny_products()
check_long_products()
finish()
