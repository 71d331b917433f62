#!/usr/bin/env python3
# bounds.t - results at their bounds: complex numbers, sums, linear algebra.
#
# SPDX-License-Identifier: Apache-2.0
#
# The bounds of spec/verdicts.md are worked out here with exact fractions.  What
# lies within them, or comes from a right algorithm whose operations are
# rounded one by one, in several orders, must be right; the next number beyond a
# bound must be wrong.
import itertools
import math
import random
import struct
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True

from judging import library, profile
from tap import finish, ok

U = Fraction(1, 1 << 24)  # of f32


def f32(x):
    """The f32 nearest to a number: double rounding of what these tests add and
    multiply does no harm (53 >= 2 * 24 + 2)."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def step(x, n):
    """n numbers further from zero (n < 0: nearer)."""
    return struct.unpack("<f", struct.pack("<I", bits(x) + n))[0]


def pack(values):
    return struct.pack(f"<{len(values)}f", *values)


def f32_array(values, *dims):
    return {"shape": f"f32[{','.join(map(str, dims))}]",
            "hex": pack(values).hex()}


def c64(*parts):
    return {"shape": f"c64[{len(parts) // 2}]", "hex": pack(parts).hex()}


def right(evaluation, data):
    outputs = evaluation.outputs()
    outputs[0] = outputs[0]._replace(data=data)
    return evaluation.judge(outputs) is None


def ulp(y):
    """The distance of f32 numbers in the binade of y."""
    e, y = 0, abs(y)
    while y >= 2:
        y, e = y / 2, e + 1
    while y < 1:
        y, e = y * 2, e - 1
    return Fraction(2) ** (e - 23)


# ---- Complex numbers ---------------------------------------------------------

BUDGETS = {"two ulps": {"ulps": "2"}, "relative": {"rel": "0.0000005"},
           "absolute": {"abs": "0.000001"}}


def allowance(budget, size, unit):
    out = Fraction(0)
    if "ulps" in budget:
        out = Fraction(budget["ulps"]) * unit
    if "rel" in budget:
        out = max(out, Fraction(budget["rel"]) * size)
    return max(out, Fraction(budget.get("abs", 0)))


def check_complex(folder):
    """(a + bi)(c + di) = 2.75 + 17.5i and a bit, by parts and as a whole."""
    a, b, c, d = 2.5, 3.25, 4.0, step(1.8, 0)
    x = [Fraction(v) for v in (a, b, c, d)]
    y = (x[0] * x[2] - x[1] * x[3], x[0] * x[3] + x[1] * x[2])
    near = [f32(float(v)) for v in y]
    case = {"inputs": [c64(a, b), c64(c, d)]}
    size2 = y[0] ** 2 + y[1] ** 2
    for policy, (name, budget) in itertools.product(("component", "norm"),
                                                    BUDGETS.items()):
        mine = profile(folder, "c", choices={"complex.accuracy": policy},
                       budgets=[{"class": "Mul.complex", "types": ["f32"],
                                 "budget": {"kind": "ulp", **budget},
                                 "source": "a test"}])
        wrong, inside = [], 0
        with library.Evaluation("Mul", case, mine) as evaluation:
            for i, k in itertools.product(range(-24, 25, 2), range(-6, 7)):
                z = (step(near[0], i), step(near[1], k))
                e = [abs(Fraction(z[n]) - y[n]) for n in (0, 1)]
                due = all(z[n] == near[n] or e[n] <= allowance(
                    budget, abs(y[n]), ulp(y[n])) for n in (0, 1))
                if policy == "norm":
                    # |e| <= max(ulps 2u |y|, abs, rel |y|), squared
                    most = [(Fraction(budget["ulps"]) * 2 * U) ** 2 * size2
                            if "ulps" in budget else 0,
                            Fraction(budget.get("abs", 0)) ** 2,
                            Fraction(budget.get("rel", 0)) ** 2 * size2]
                    due = due or e[0] ** 2 + e[1] ** 2 <= max(most)
                    # One part may be right by itself, the other one not.
                    due = due or all(
                        e[n] <= allowance(budget, abs(y[n]), ulp(y[n]))
                        or e[0] ** 2 + e[1] ** 2 <= max(most) for n in (0, 1))
                inside += due
                if right(evaluation, pack(z)) != due:
                    wrong.append(f"{i} {k}: {not due}")
        ok(not wrong and 0 < inside < 325,
           f"complex.accuracy {policy}, {name}: {inside} of 325",
           "\n".join(wrong[:9]))


def check_special(folder):
    """Log(0): -inf + 0i by C11 G.6.3.2, or anything; Max by parts, or none."""
    case = {"inputs": [c64(0.0, 0.0)]}
    inf = float("inf")
    for choice, due in (("annex-g", {(-inf, 0.0)}), ("any", None)):
        for permits in (False, True):
            members = {"choices": {"complex.special": choice}}
            if permits:
                members = {"choices": {"complex.special": "annex-g"},
                           "permits": {"complex.special": choice}}
            if permits and choice == "annex-g":
                continue
            mine = profile(folder, "s", **members)
            with library.Evaluation("Log", case, mine) as evaluation:
                wrong = [z for z in itertools.product(
                    (-inf, inf, 0.0, 1.5, float("nan")), repeat=2)
                    if right(evaluation, pack(z)) != (not due or z in due)]
            ok(not wrong, f"complex.special {choice}"
               + (", permitted" if permits else ""), wrong)
    numbers = [(1.0, -0.0), (1.0, 2.0), (1.0, -3.0), (-2.0, 5.0)]
    for x, y in itertools.permutations(numbers, 2):
        case = {"inputs": [c64(*x), c64(*y)]}
        mine = profile(folder, "o", choices={
            "complex.order": "lexicographic"})
        for op, due in (("Max", max(x, y)), ("Min", min(x, y))):
            with library.Evaluation(op, case, mine) as evaluation:
                got = [z for z in numbers if right(evaluation, pack(z))]
            ok(got == [due], f"complex.order: {op} {x} {y}", got)
        with library.Evaluation("Lt", case, mine) as evaluation:
            got = [p for p in (0, 1) if right(evaluation, bytes([p]))]
        ok(got == [int(x < y)], f"complex.order: Lt {x} {y}", got)
    mine = profile(folder, "o", choices={"complex.order": "reject"})
    for op in ("Max", "Min", "Lt", "Ge", "Clamp"):
        case = {"inputs": [c64(1.0, 2.0)] * (3 if op == "Clamp" else 2)}
        try:
            with library.Evaluation(op, case, mine) as evaluation:
                evaluation.outputs()
                refused = False
        except library.InvalidProgram:
            refused = True
        ok(refused, f"complex.order reject: {op}")


# ---- Sums --------------------------------------------------------------------

def bf16(x):
    """To nearest even, for what is far from both ends of the range."""
    n = bits(x)
    return struct.unpack("<f", struct.pack(
        "<I", (n + 0x7fff + (n >> 16 & 1)) & 0xffff0000))[0]


def trees(values, rounded):
    """The sums of values in every order and grouping."""
    if len(values) == 1:
        return {values[0]}
    out = set()
    for mask in range(1, 1 << (len(values) - 1)):
        left = [v for i, v in enumerate(values) if mask >> i & 1]
        rest = [v for i, v in enumerate(values) if not mask >> i & 1]
        out |= {rounded(a + b) for a in trees(left, rounded)
                for b in trees(rest, rounded)}
    return out


def check_types(folder):
    """256, 1, 1, 1, 1 in bf16: 1 is half an ulp of 256, so a sum of bf16 may
    stay there; in f32 there is one sum, 260."""
    terms = [256.0, 1.0, 1.0, 1.0, 1.0]
    half = [struct.pack("<I", bits(t))[2:].hex() for t in terms]
    one = struct.pack("<I", bits(1.0))[2:].hex()
    case = {"inputs": [{"shape": "bf16[5]", "hex": "".join(half)},
                       {"shape": "bf16[5]", "hex": one * 5}]}
    narrow = trees(terms, bf16)
    ok(narrow == {256.0, 258.0, 260.0}, "sums of bf16", narrow)
    for members, due in (
            ({"choices": {"accumulate.type": "f32"}}, {260.0}),
            ({"choices": {"accumulate.type": "element"}}, narrow),
            ({"choices": {"accumulate.type": "f32"},
              "permits": {"accumulate.type": "element"}}, narrow)):
        mine = profile(folder, "t", **members)
        # E = g (M + U) + U with M = 260, k = 4, u = 2^-8: 4.127
        among = {bf16(x) for x in range(240, 290, 2)}
        if len(due) > 1:
            within = {x for x in among if abs(x - 260) <= 260 * Fraction(4, 252)}
            due = due | within
        with library.Evaluation("Dot", case, mine) as evaluation:
            got = {x for x in among if right(
                evaluation, struct.pack("<I", bits(x))[2:])}
        ok(got == due, f"accumulate.type {members}", sorted(got))


def check_precision(folder):
    """1 + 2^-12 times 1.  TF32 has 11 bits, so that is 1; the bound of
    verdicts.md is (2^-9 + 2^-20) times the magnitude."""
    x = 1 + 2.0 ** -12
    case = {"inputs": [f32_array([x], 1), f32_array([1.0], 1)]}
    bound = (Fraction(1, 512) + Fraction(1, 1 << 20)) * Fraction(x)
    for members, due in (
            ({"choices": {"precision.default": "operand"}}, False),
            ({"choices": {"precision.default": "tf32"}}, True),
            ({"choices": {"precision.default": "operand"},
              "permits": {"precision.default": "tf32"}}, True)):
        mine = profile(folder, "p", **members)
        with library.Evaluation("Dot", case, mine) as evaluation:
            got = [right(evaluation, pack([v])) for v in (x, 1.0)]
            most = Fraction(x) + bound
            far = right(evaluation, pack([f32(float(most)) + 2.0 ** -16]))
        ok(got == [True, due] and not far, f"precision.default {members}", got)
    exact = {"inputs": [f32_array([1.5], 1), f32_array([1.25], 1)]}
    mine = profile(folder, "p", choices={"precision.default": "tf32"})
    with library.Evaluation("Dot", exact, mine) as evaluation:
        got = [right(evaluation, pack([v]))
               for v in (1.875, step(1.875, 1), step(1.875, -1))]
    ok(got == [True, False, False], "operands that fit are not rounded", got)


# ---- Linear algebra ----------------------------------------------------------

def gamma(k):
    return k * U / (1 - k * U)


def add(a, b):
    return f32(a + b)


def total(values, order):
    """Rounded after each addition, from the left or from the right."""
    out = 0.0
    for v in values if order > 0 else reversed(values):
        out = add(out, v)
    return out


def cholesky(a, n, way):
    """Row by row with the sum of products first, from either end (1, -1), or
    subtracting each product at once (0)."""
    low = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            products = [f32(low[i][k] * low[j][k]) for k in range(j)]
            s = a[i][j]
            if way:
                s = add(s, -total(products, way))
            else:
                for p in products:
                    s = add(s, -p)
            low[i][j] = f32(s ** 0.5) if i == j else f32(s / low[j][j])
    return low


def beyond(residual, bound, x):
    """By how many numbers x moves from zero until the residual exceeds its
    bound: the first that does; n - 1 does not."""
    low, high = 0, 1
    while residual(step(x, high)) <= bound(step(x, high)):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        inside = residual(step(x, middle)) <= bound(step(x, middle))
        low, high = (middle, high) if inside else (low, middle)
    return high


def check_cholesky(folder, source):
    n = 4
    b = [[f32(source.uniform(-1, 1)) for _ in range(n)] for _ in range(n)]
    a = [[0.0] * n for _ in range(n)]
    for i, j in itertools.product(range(n), repeat=2):
        a[max(i, j)][min(i, j)] = f32(sum(
            b[max(i, j)][k] * b[min(i, j)][k] for k in range(n))
            + (n if i == j else 0))
    for i, j in itertools.combinations(range(n), 2):
        a[i][j] = a[j][i]
    case = {"inputs": [f32_array(sum(a, []), n, n)],
            "attributes": {"lower": True}}
    g = gamma(n + 1)
    with library.Evaluation("Cholesky", case, profile(folder, "l")) as e:
        for way in (1, -1, 0):
            ok(right(e, pack(sum(cholesky(a, n, way), []))),
               f"Cholesky: sums {way}")
        low = cholesky(a, n, 1)
        for i in range(n):
            # Only the diagonal element moves: one residual, a_ii - sum l_ik^2.
            rest = sum(Fraction(low[i][k]) ** 2 for k in range(i))
            if any(low[k][i] for k in range(i + 1, n)) and i < n - 1:
                continue  # it takes part in others too
            m = beyond(lambda v: abs(Fraction(a[i][i]) - rest - Fraction(v) ** 2),
                       lambda v: g / (1 - g) * Fraction(a[i][i]), low[i][i])
            moved = [row[:] for row in low]
            moved[i][i] = step(low[i][i], m - 1)
            ok(right(e, pack(sum(moved, []))), f"Cholesky: {m - 1} numbers off")
            moved[i][i] = step(low[i][i], m)
            ok(not right(e, pack(sum(moved, []))), f"Cholesky: {m} are too many")
        for fault in ("sign", "swapped"):
            moved = [row[:] for row in low]
            if fault == "sign":
                moved[2][1] = -moved[2][1]
            else:
                moved[3][0], moved[3][1] = moved[3][1], moved[3][0]
            ok(not right(e, pack(sum(moved, []))), f"Cholesky: {fault}")


def solve(t, b, way):
    """By substitution, each sum from either end, or subtracted at once."""
    x = []
    for i, row in enumerate(t):
        products = [f32(row[k] * x[k]) for k in range(i)]
        s = b[i]
        if way:
            s = add(s, -total(products, way))
        else:
            for p in products:
                s = add(s, -p)
        x.append(f32(s / row[i]))
    return x


def check_solve(folder, source):
    n = 5
    t = [[f32(source.uniform(0.5, 2)) if k <= i else 0.0 for k in range(n)]
         for i in range(n)]
    b = [f32(source.uniform(1, 3)) for _ in range(n)]
    case = {"inputs": [f32_array(sum(t, []), n, n), f32_array(b, n, 1)],
            "attributes": {"left_side": True, "lower": True,
                           "unit_diagonal": False,
                           "transpose_a": "NO_TRANSPOSE"}}
    g = gamma(n)
    mine = profile(folder, "r",
                   choices={"triangular-solve.residual": "row"})
    with library.Evaluation("TriangularSolve", case, mine) as e:
        for way in (1, -1, 0):
            ok(right(e, pack(solve(t, b, way))), f"TriangularSolve: sums {way}")
        x = solve(t, b, 1)
        exact = [[Fraction(v) for v in row] for row in t]

        def residual(v):
            return abs(Fraction(b[-1]) - exact[-1][-1] * Fraction(v) - sum(
                exact[-1][k] * Fraction(x[k]) for k in range(n - 1)))

        def bound(v):
            return g * (abs(exact[-1][-1] * Fraction(v)) + sum(
                abs(exact[-1][k] * Fraction(x[k])) for k in range(n - 1)))
        m = beyond(residual, bound, x[-1])
        ok(right(e, pack(x[:-1] + [step(x[-1], m - 1)])),
           f"TriangularSolve: {m - 1} numbers off")
        ok(not right(e, pack(x[:-1] + [step(x[-1], m)])),
           f"TriangularSolve: {m} are too many")
        ok(not right(e, pack(x[:1] + x[2:] + x[1:2])), "TriangularSolve: order")
        t[2][1] = -t[2][1]
        ok(not right(e, pack(solve(t, b, 1))), "TriangularSolve: a sign")


def check_not_finite(source):
    """NaN and infinities in b: substitution, and a product by an inverse, keep
    them where they are, and in the rows below whose factors are not zero; a
    finite number in their place is wrong."""
    n, nan, inf = 4, math.nan, math.inf
    for trial in range(12):
        t = [[f32(source.uniform(0.5, 2)) if k <= i else 0.0 for k in range(n)]
             for i in range(n)]
        lower = trial % 2 == 0
        apart = trial % 3 == 0  # the last row is without the others
        if apart:
            t[-1][:-1] = [0.0] * (n - 1)
        b = [f32(source.uniform(1, 3)) for _ in range(n)]
        at = source.randrange(n - 1)
        b[at] = source.choice((nan, inf, -inf))
        given = t if lower else [row[::-1] for row in t[::-1]]
        turned = (lambda x: x) if lower else (lambda x: x[::-1])
        case = {"inputs": [f32_array(sum(given, []), n, n),
                           f32_array(turned(b), n, 1)],
                "attributes": {"left_side": True, "lower": lower,
                               "unit_diagonal": False,
                               "transpose_a": "NO_TRANSPOSE"}}
        for mine in ("strict", "spec"):
            with library.Evaluation("TriangularSolve", case, mine) as e:
                x = solve(t, b, 0)
                inv = inverse(t, False)
                product = [sum(f32(v * w) for v, w in zip(row, b))
                           for row in inv]
                ok(right(e, pack(turned(x))) and right(e, pack(turned(product))),
                   f"TriangularSolve, {mine}: {b[at]} in b", (x, product))
                lost = x[:at] + [1.0] + x[at + 1:]
                other = x[:at] + [inf] + x[at + 1:]
                ok(not right(e, pack(turned(lost)))
                   and right(e, pack(turned(other))) == (b[at] == b[at]),
                   f"TriangularSolve, {mine}: {b[at]} in b is lost", lost)
                for i in range(at + 1, n):
                    below = x[:i] + [1.0] + x[i + 1:]
                    ok(right(e, pack(turned(below))) == (apart and i == n - 1),
                       f"TriangularSolve, {mine}: {b[at]} in b, below", below)


def check_cancelled():
    """The inverse of a matrix of ones has zeros where the matrix has none, and
    a product by it may leave these out.  Substitution may not."""
    n = 4
    t = [[1.0 if k <= i else 0.0 for k in range(n)] for i in range(n)]
    for bad in (math.nan, math.inf):
        b = [bad, 1.0, 2.0, 4.0]
        case = {"inputs": [f32_array(sum(t, []), n, n), f32_array(b, n, 1)],
                "attributes": {"left_side": True, "lower": True,
                               "unit_diagonal": False,
                               "transpose_a": "NO_TRANSPOSE"}}
        product = [sum(v * w for v, w in zip(row, b) if v)
                   for row in inverse(t, False)]
        ok(math.isfinite(product[2]), "the product leaves zeros out", product)
        for mine in ("strict", "spec"):
            with library.Evaluation("TriangularSolve", case, mine) as e:
                ok(right(e, pack(product)) == (mine == "spec"),
                   f"TriangularSolve, {mine}: {bad} times a zero left out",
                   product)
                ok(right(e, pack(solve(t, b, 0))),
                   f"TriangularSolve, {mine}: {bad} of b in all rows")
                ok(not right(e, pack(product[:1] + [1.0] + product[2:])),
                   f"TriangularSolve, {mine}: {bad} of b is lost below")


def inverse(t, rows):
    """By substitution, of T x = e column by column, or of y T = e by rows."""
    n = len(t)
    if rows:
        turned = [[t[n - 1 - j][n - 1 - i] for j in range(n)] for i in range(n)]
        x = inverse(turned, False)
        return [[x[n - 1 - j][n - 1 - i] for j in range(n)] for i in range(n)]
    columns = [solve(t, [float(i == j) for i in range(n)], 0)
               for j in range(n)]
    return [[columns[j][i] for j in range(n)] for i in range(n)]


def check_scaled(folder, source):
    """Rows of very different sizes: the norm of T says little about most."""
    n = 4
    mine = profile(folder, "s",
                   choices={"triangular-solve.residual": "norm"})
    for trial in range(10):
        scale = [2.0 ** s for s in source.sample((12, 4, -4, -12), n)]
        t = [[f32(source.uniform(-1, 1) + 2 * (k == i)) * scale[i]
              if k <= i else 0.0 for k in range(n)] for i in range(n)]
        b = [f32(source.choice((-1, 1)) * source.uniform(3, 5)) * scale[i]
             for i in range(n)]
        case = {"inputs": [f32_array(sum(t, []), n, n), f32_array(b, n, 1)],
                "attributes": {"left_side": True, "lower": True,
                               "unit_diagonal": False,
                               "transpose_a": "NO_TRANSPOSE"}}
        with library.Evaluation("TriangularSolve", case, mine) as e:
            x = solve(t, b, 1)
            found = [x] + [
                [total([f32(v * w) for v, w in zip(row, b)], 1) for row in inv]
                for inv in (inverse(t, False), inverse(t, True))]
            ok(all(right(e, pack(v)) for v in found),
               f"TriangularSolve, trial {trial}: substitution, two inverses")
            passed = [i for i in range(n) for wrong in (
                f32(x[i] * (1 + 2.0 ** -9)), f32(x[i] * (1 - 2.0 ** -9)),
                -x[i]) if right(e, pack(x[:i] + [wrong] + x[i + 1:]))]
            ok(not passed, f"TriangularSolve, trial {trial}: one part in 512",
               passed)


def check_fft(folder, source):
    """Four points have twiddle factors 1, i, -1, -i, so exact sums; the bound by
    norm is g |y| with k = 8 log2(4) = 16."""
    x = [(source.randint(-9, 9), source.randint(-9, 9)) for _ in range(4)]
    turn = ((1, 0), (0, -1), (-1, 0), (0, 1))
    y = []
    for k in range(4):
        parts = [(a * turn[j * k % 4][0] - b * turn[j * k % 4][1],
                  a * turn[j * k % 4][1] + b * turn[j * k % 4][0])
                 for j, (a, b) in enumerate(x)]
        y += [float(sum(p[0] for p in parts)), float(sum(p[1] for p in parts))]
    case = {"inputs": [c64(*map(float, sum(x, ())))],
            "attributes": {"fft_type": "FFT", "fft_length": [4]}}
    norm2 = sum(Fraction(v) ** 2 for v in y)
    with library.Evaluation("Fft", case, profile(folder, "f")) as e:
        ok(right(e, pack(y)), "Fft: the exact transform")
        for at in range(8):
            if not y[at]:
                continue
            m = beyond(lambda v: (Fraction(v) - Fraction(y[at])) ** 2,
                       lambda v: gamma(16) ** 2 * norm2, y[at])
            moved = y[:]
            moved[at] = step(y[at], m - 1)
            inside = right(e, pack(moved))
            moved[at] = step(y[at], m)
            ok(inside and not right(e, pack(moved)),
               f"Fft: {m} numbers off in part {at}", inside)
        ok(not right(e, pack(y[2:] + y[:2])), "Fft: rotated")


# Operands of two elements in f16, and what the first element of the result may
# be beside the number: an infinity, if a step of the passage's formula (XLA,
# StableHLO) exceeds 65504 when it is written down from left to right.
STEPS = [
    # 100 * 1000 of 100 (1000 - 0) / sqrt(40000); 10 * 1000 is a number.
    ("BatchNormInference", [[1000, 0], [100], [0], [0], [40000]], True),
    ("BatchNormInference", [[1000, 0], [10], [0], [0], [40000]], False),
    # 700 * 100 of 700 (100 - 0) / sqrt(10000); 50 * 100 is a number.
    ("BatchNormTraining", [[100, -100], [700], [0]], True),
    ("BatchNormTraining", [[100, -100], [50], [0]], False),
    # (x - mean) C = 256 * 4096, which is then divided by 4096; 16 * 256.
    ("BatchNormGrad", [[256, 0], [64], [0], [4096], [16, 0]], True),
    ("BatchNormGrad", [[16, 0], [64], [0], [4096], [16, 0]], False),
    # n dy = 2 * 40000, of which D / n is subtracted later; 2 * 10000.
    ("BatchNormGrad", [[0, 0], [1], [0], [1], [40000, -10000]], True),
    ("BatchNormGrad", [[0, 0], [1], [0], [1], [10000, -2500]], False)]


def check_steps():
    for op, operands, infinite in STEPS:
        inputs = [{"shape": f"f16[{len(x)}{',1' * (len(x) > 1)}]",
                   "hex": struct.pack(f"<{len(x)}e", *x).hex()}
                  for x in operands]
        case = {"inputs": inputs, "attributes": {
            "epsilon": 2 ** -10, "feature_index": 1}}
        with library.Evaluation(op, case, "stablehlo") as e:
            outputs = e.outputs()
            for sign in (1, -1):
                value = struct.pack("<e", sign * math.inf)
                moved = outputs[:]
                moved[0] = outputs[0]._replace(
                    data=value + outputs[0].data[2:])
                ok((e.judge(moved) is None) == infinite, f"{op} of {operands}: "
                   f"{sign * math.inf} is {'right' if infinite else 'wrong'}")
            ok(e.judge(outputs) is None, "the number is right")


def check_vanished():
    """A partial product that is flushed is 0, and so is what follows on it: 1.1
    times 2^-70 times 1.1 times 2^-60 is subnormal, all three are 2^-60."""
    factors = [f32(1.1) * 2.0 ** e for e in (-70, -60, 70)]
    case = {"inputs": [f32_array(factors, 3), f32_array([1.0])],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": ["f32[3]", "f32[]"], "result": "r", "body": [
                    "m = Reduce(p0, p1) {computation = mul, "
                    "dimensions_to_reduce = [0]}",
                    "c = Constant() {literal = f32[] 0.75}",
                    "r = Mul(m, c)"]}}}}
    for mine in ("spec", "strict"):
        with library.Evaluation("Mul", case, mine) as e:
            y, = struct.unpack("<f", e.outputs()[0].data)
            ok(y > 2.0 ** -61, f"{mine}: the product is no tiny number", y)
            ok(right(e, pack([y])), f"{mine}: it is right")
            ok(right(e, pack([0.0])) == (mine == "spec"),
               f"{mine}: it is 0 where a partial product may be flushed")
            ok(not right(e, pack([2 * y])), f"{mine}: twice it is wrong")


def main():
    source = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        check_complex(folder)
        check_special(folder)
        check_types(folder)
        check_precision(folder)
        for _ in range(4):
            check_cholesky(folder, source)
            check_solve(folder, source)
            check_fft(folder, source)
        check_scaled(folder, source)
        check_not_finite(source)
    check_cancelled()
    check_steps()
    check_vanished()
    finish()


main()
