#!/usr/bin/env python3
# complex-zeros.t - a part of a complex result that is zero has no tolerance.
#
# SPDX-License-Identifier: Apache-2.0
#
# Which parts are zero, and of which sign, says Python's cmath, an independent
# implementation of C11's Annex G; for functions that it lacks, an identity
# stated beside each.  On the grid no part is zero by underflow.
import cmath
import math

from accepts import accepts, complexes, parts
from tap import finish, ok

AXIS = (-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0)
GRID = [complex(x, y) for x in AXIS for y in AXIS]


def expm1(z):
    w = cmath.exp(z)  # the real part is 0 only at 0, as that of its operand
    return complex(w.real - 1 if z else z.real, w.imag)


def rsqrt(z):
    w = cmath.sqrt(z)  # 1 / w = conj(w) / |w|^2
    return w.conjugate() / 1.0


UNARY = {
    "Acos": cmath.acos, "Acosh": cmath.acosh, "Asin": cmath.asin,
    "Asinh": cmath.asinh, "Atan": cmath.atan, "Atanh": cmath.atanh,
    "Cbrt": lambda z: z ** (1 / 3), "Cos": cmath.cos, "Cosh": cmath.cosh, "Exp": cmath.exp, "Expm1": expm1,
    "Log": cmath.log,
    "Log1p": lambda z: cmath.log(complex(1 + z.real, z.imag)),
    "Logistic": lambda z: complex(1, z.imag),  # rises along the real axis
    "Rsqrt": rsqrt, "Sign": lambda z: z, "Sin": cmath.sin,
    "Sinh": cmath.sinh, "Sqrt": cmath.sqrt, "Tan": cmath.tan,
    "Tanh": cmath.tanh,
}

# No document gives a sign to the zeros of quotients and of cube roots.  Beside
# log(1 + z) and exp(z) - 1 the functions of -0 may also be -0.
NO_SIGN = ("Cbrt", "Logistic", "Rsqrt")
AT_ZERO = ("Expm1", "Log1p")

# Two operands, and the sets of both parts; None: a range, since what is zero
# there is a difference of rounded terms (fused, it leaves a rounding error).
BINARY = [
    # (+-2 + 0 i)(3 + 0 i): x x' - y y' and x y' + y x', C11 G.5.1
    ("Mul", 2 + 0j, 3 + 0j, None, "0"),
    ("Mul", 0j, 3 + 2j, "0", "0"),
    ("Mul", complex(2, -0.0), complex(3, -0.0), None, "-0"),
    ("Mul", 1 + 1j, 1 + 1j, None, None),  # 1 - 1
    ("Mul", 1 + 2j, 1 - 2j, None, None),  # -2 + 2
    ("Div", 4 + 0j, 2 + 0j, None, "[-0, 0]"),  # (y x' - x y') / |z'|^2
    ("Div", complex(4, -0.0), 2 + 0j, None, "[-0, 0]"),
    ("Div", 4j, 2 + 0j, "[-0, 0]", None),
    ("Div", 1 + 3j, 1 + 3j, None, None),  # 3 - 3
    # e^(c log z): the angle is 0; no document gives the sign of its sine
    ("Pow", 2 + 0j, 3 + 0j, None, "[-0, 0]"),
    ("Pow", 1 + 1j, 2 + 0j, None, None),  # cos(pi / 2)
    ("Pow", -2 + 0j, 2 + 0j, None, None),  # sin(2 pi)
    ("Atan2", 0j, 2 + 0j, "[-0, 0]", None),  # ln|2 / sqrt(4)|
    ("Atan2", 1 + 0j, 1 + 0j, None, None),
]


def zero(x):
    return "-0" if math.copysign(1, x) < 0 else "0"


def wrong(op, f, points):
    for z, accept in zip(points, accepts(op, complexes("c64", points))):
        w = f(z)
        for k, (due, got) in enumerate(zip((w.real, w.imag), parts(accept))):
            right = zero(due)
            if op in NO_SIGN or (op in AT_ZERO and k == z == 0
                                   and zero(z.real) == "-0"):
                right = "[-0, 0]"
            if due == 0 and got != right:
                return f"{op}{z}: {got}, {right} is right"
            if due != 0 and got in ("0", "-0"):
                return f"{op}{z}: {got}, but the part is {due}"
    return ""


def is_pole(op, z):
    """Where Annex G speaks of no number, or cmath of an error."""
    return (op in ("Log", "Rsqrt") and z == 0 or op == "Log1p" and z in (0, -1)
            or op == "Atanh" and z in (1, -1) or op == "Atan" and z in (1j, -1j))


for name, function in UNARY.items():
    why = wrong(name, function, [z for z in GRID if not is_pole(name, z)])
    ok(not why, f"{name}: exact zeros", why)
for name, a, b, re, im in BINARY:
    sets = parts(accepts(name, complexes("c64", [a]), complexes("c64", [b]))[0])
    good = all(s == due if due else s.startswith("[")
               for due, s in zip((re, im), sets))
    ok(good, f"{name} of {a} and {b}", sets)

# C11 G.5.2 and 6.5.3.3: sums, differences and negations are those of each
# part, whose zeros have their signs by IEEE 754-2019 6.3 and 5.5.1 (as Python's
# have); policy complex.zero-sign, here "either", is about the others.
ZEROS = [complex(x, y) for x in (-1.0, -0.0, 0.0, 1.0)
         for y in (-1.0, -0.0, 0.0, 1.0)]
PAIRS = [(a, b) for a in ZEROS for b in ZEROS]
EITHER = {"profile": "xla-gpu-default"}
for name, function in (("Add", lambda a, b: a + b), ("Sub", lambda a, b: a - b)):
    sets = accepts(name, *(complexes("c64", x) for x in zip(*PAIRS)), **EITHER)
    why = [(a, b, got) for (a, b), got in zip(PAIRS, sets)
           if 0 in (function(a, b).real, function(a, b).imag)
           and [g for g, due in zip(parts(got), (function(a, b).real,
                                                 function(a, b).imag))
                if due == 0 and g != zero(due)]]
    ok(not why, f"{name}: zeros of each part", why[:3])
sets = accepts("Neg", complexes("c64", ZEROS), **EITHER)
ok(all(g == zero(-x) for z, got in zip(ZEROS, sets)
       for x, g in zip((z.real, z.imag), parts(got)) if x == 0),
   "Neg: zeros of each part", sets)
ok(accepts("Abs", complexes("c64", [complex(-0.0, -0.0)]), **EITHER) == ["0"],
   "Abs: a zero modulus is positive (C11 F.10.4.3)")
got = parts(accepts("Mul", complexes("c64", [0j]), complexes("c64", [3 + 2j]),
                    **EITHER)[0])
ok(got == ("[-0, 0]", "[-0, 0]"), "Mul: either zero", got)
finish()
