# functions.py - functions of real and complex numbers, by mpmath.
#
# SPDX-License-Identifier: Apache-2.0
#
# A value is computed with more and more bits until it is clear which number of
# the type is nearest.  mpmath does not use MPFR: the two are independent.
from fractions import Fraction

import mpmath
import numpy as np

from .elementwise import FLOATS, floats, result, shapes
from .formats import COMPLEX, FORMATS
from .harness import Array, Case, of, store_of

mp = mpmath.mp
PRECISIONS = 160, 700, 2600
FAR = 40000  # beyond 2^-FAR and 2^FAR no type has numbers


def fraction(x):
    """An mpf as a Fraction, brought near where it is far out."""
    sign, man, exp, bits = x._mpf_
    if not man:
        return Fraction(0)
    if exp + bits > FAR:
        man, exp = 1, FAR
    elif exp + bits < -FAR:
        man, exp = 1, -FAR
    y = Fraction(man << exp) if exp >= 0 else Fraction(man, 1 << -exp)
    return -y if sign else y


def number(x):
    """A Fraction as an mpf, exactly: floats are dyadic."""
    return mpmath.ldexp(mpmath.mpf(x.numerator), 1 - x.denominator.bit_length())


def nearest(form, f, negative=False):
    """The pattern nearest to what f() computes, whatever the precision."""
    for bits in PRECISIONS:
        with mp.workprec(bits):
            y = f()
            if isinstance(y, tuple):
                y, scale = y
            else:
                scale = y
            if mpmath.isinf(y):
                return form.infinity(y < 0)
            y, slack = fraction(y), abs(fraction(scale))
        slack = slack / 2 ** (bits - 40)
        low, high = form.round(y - slack, negative), form.round(y + slack,
                                                                negative)
        if low == high:
            return low
    # Precision does not tell a number or a tie itself from its neighbours.
    return form.round(Fraction(int(y * 2 ** 1300), 2 ** 1300)
                      if abs(y) < 2 ** 1300 else y, negative)


ODD = {"0": "same", "inf": "inf", "-inf": "-inf"}
HALF_PI = {"0": "same", "inf": lambda: mp.pi / 2, "-inf": lambda: -mp.pi / 2}
ONE = {"0": "same", "inf": 1, "-inf": -1}
NONE = {"inf": "nan", "-inf": "nan"}


def erfc(x):
    """mpmath gives up far out, where no type has numbers any more."""
    if abs(x) < 10000:
        return mpmath.erfc(x)
    return mpmath.ldexp(1, -FAR) if x > 0 else mpmath.mpf(2)


def within(low, high):
    return lambda x: (low is None or x > low) and (high is None or x < high)


def everywhere(x):
    return True


# The function, where it is defined inside, its values at special numbers
# (IEEE 754-2019 9.2.1): "same" is the operand itself, with its sign.
FUNCTIONS = {
    "Exp": (mpmath.exp, everywhere, {"inf": "inf", "-inf": 0}),
    "Expm1": (mpmath.expm1, everywhere, {"0": "same", "inf": "inf", "-inf": -1}),
    "Log": (mpmath.log, within(0, None), {"0": "-inf", "inf": "inf"}),
    "Log1p": (mpmath.log1p, within(-1, None), {"0": "same", "-1": "-inf",
                                              "inf": "inf"}),
    "Logistic": (lambda x: 1 / (1 + mpmath.exp(-x)), everywhere,
                 {"inf": 1, "-inf": 0}),
    "Tanh": (mpmath.tanh, everywhere, ONE),
    "Sin": (mpmath.sin, everywhere, {"0": "same", **NONE}),
    "Cos": (mpmath.cos, everywhere, NONE),
    "Tan": (mpmath.tan, everywhere, {"0": "same", **NONE}),
    "Sqrt": (mpmath.sqrt, within(0, None), {"0": "same", "inf": "inf"}),
    "Rsqrt": (lambda x: 1 / mpmath.sqrt(x), within(0, None),
              {"0": "pole", "inf": 0}),
    "Cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), everywhere, ODD),
    "Erf": (mpmath.erf, everywhere, ONE),
    "Erfc": (erfc, everywhere, {"inf": 0, "-inf": 2}),
    "Asin": (mpmath.asin, within(-1, 1), {"0": "same", "1": HALF_PI["inf"],
                                         "-1": HALF_PI["-inf"]}),
    "Acos": (mpmath.acos, within(-1, 1), {"1": 0, "-1": lambda: +mp.pi}),
    "Atan": (mpmath.atan, everywhere, HALF_PI),
    "Sinh": (mpmath.sinh, everywhere, ODD),
    "Cosh": (mpmath.cosh, everywhere, {"inf": "inf", "-inf": "inf"}),
    "Asinh": (lambda x: mpmath.sign(x) * mpmath.log1p(
        abs(x) + x * x / (1 + mpmath.sqrt(x * x + 1))), everywhere, ODD),
    "Acosh": (lambda x: mpmath.log1p(x - 1 + mpmath.sqrt((x - 1) * (x + 1))),
              within(1, None), {"1": 0, "inf": "inf"}),
    "Atanh": (lambda x: mpmath.log1p(2 * x / (1 - x)) / 2, within(-1, 1),
              {"0": "same", "1": "inf", "-1": "-inf"}),
}


def special(form, a, y):
    if y == "same":
        return a
    if y == "pole":
        return form.infinity(form.negative(a))
    if y == "nan" and form.nan() is None:
        return None
    if callable(y):
        return nearest(form, y)
    return form.round(Fraction(y) if isinstance(y, int) else y)


def value(name, t, a):
    f, inside, table = FUNCTIONS[name]
    form = FORMATS[t]
    x = form.number(a)
    key = str(x)
    if key in table:
        return special(form, a, table[key])
    if isinstance(x, str) or not inside(x):
        return special(form, a, "nan")
    return nearest(form, lambda: f(number(x)))


def real(name):
    def make(s):
        t = s.choice(FLOATS)
        x = floats(s, t, s.dims(high=4, most=2))
        if name in ("Asin", "Acos", "Atanh") and s.random() < 0.6:
            # Between -1 and 1: numbers of any exponent.
            x = Array(t, np.array([FORMATS[t].round(
                Fraction(s.randint(-2 ** 60, 2 ** 60), 2 ** s.randint(60, 90)))
                for _ in x.bits.flat], dtype=store_of(t)).reshape(x.shape))
        bits = [value(name, t, int(a)) for a in x.bits.flat]
        return result(name, [x], {}, t, x.shape, bits)
    return make


def power(form, a, b):
    """x^y of two numbers; the special values are left to the cases."""
    x, y = form.number(a), form.number(b)
    if isinstance(x, str) or isinstance(y, str) or x == 0:
        return None
    if x < 0 and y.denominator != 1:
        return special(form, a, "nan")
    sign = -1 if x < 0 and y.numerator % 2 else 1
    if y.denominator == 1 and abs(y) < 40:
        return form.round(x ** int(y))
    if y.denominator == 2 and abs(y) < 20 and x > 0:
        # Perhaps a tie, which no precision decides.
        u = x ** abs(y.numerator)
        n, d = mpmath.libmp.isqrt(u.numerator), mpmath.libmp.isqrt(u.denominator)
        if (n * n, d * d) == (u.numerator, u.denominator):
            return form.round(Fraction(n, d) if y > 0 else Fraction(d, n))
    return nearest(form, lambda: sign * mpmath.exp(
        number(y) * precise_log(abs(x), y)), sign < 0)


def precise_log(x, y):
    """log x, with bits enough that y times it can be an exponent."""
    extra = max(0, abs(y).__floor__().bit_length()) + 80
    with mp.workprec(mp.prec + min(extra, 1400)):
        return mpmath.log(number(x))


def angle(form, a, b):
    y, x = form.number(a), form.number(b)
    if isinstance(x, str) or isinstance(y, str) or x == 0 or y == 0:
        return None
    return nearest(form, lambda: mpmath.atan2(number(y), number(x)))


def pairwise(name, f):
    def make(s):
        t = s.choice(FLOATS)
        a, b, wide_a, wide_b, dims, attributes = shapes(s)
        x, y = floats(s, t, a), floats(s, t, b)
        p = np.broadcast_to(x.bits.reshape(wide_a), dims)
        q = np.broadcast_to(y.bits.reshape(wide_b), dims)
        bits = [f(FORMATS[t], int(i), int(j)) for i, j in zip(p.flat, q.flat)]
        return result(name, [x, y], attributes, t, dims, bits)
    return make


# ---- Complex numbers --------------------------------------------------------

def one_over(f):
    return lambda z: 1 / f(z)


def complex_log1p(z):
    """log|1 + z|, without cancellation, and the angle."""
    x, y = z.real, z.imag
    return mpmath.mpc(mpmath.log1p(2 * x + x * x + y * y) / 2,
                      mpmath.atan2(y, 1 + x))


COMPLEX_FUNCTIONS = {
    "Exp": mpmath.exp, "Expm1": lambda z: mpmath.exp(z) - 1,
    "Log": mpmath.log, "Log1p": complex_log1p,
    "Logistic": lambda z: 1 / (1 + mpmath.exp(-z)), "Tanh": mpmath.tanh,
    "Sin": mpmath.sin, "Cos": mpmath.cos, "Tan": mpmath.tan,
    "Sqrt": mpmath.sqrt, "Rsqrt": one_over(mpmath.sqrt),
    "Asin": mpmath.asin, "Acos": mpmath.acos, "Atan": mpmath.atan,
    "Sinh": mpmath.sinh, "Cosh": mpmath.cosh, "Asinh": mpmath.asinh,
    "Acosh": mpmath.acosh, "Atanh": mpmath.atanh,
    "Sign": lambda z: z / abs(z), "Abs": abs,
}
COMPLEX_BINARY = {
    "Add": lambda z, w: z + w, "Sub": lambda z, w: z - w,
    "Mul": lambda z, w: z * w, "Div": lambda z, w: z / w,
    "Pow": lambda z, w: mpmath.exp(w * mpmath.log(z)),
}


def complex_data(s, t, dims):
    """Numbers on no axis, so on no branch cut, and of middling size."""
    form = FORMATS[COMPLEX[t]]

    def one():
        x = Fraction(s.choice([-1, 1]) * s.randint(1, 2 ** 26),
                     2 ** s.randint(22, 34))
        if s.random() < 0.3:
            x = Fraction(s.choice([-3, -2, -1, 1, 2, 3]), s.choice([1, 2, 4]))
        return float(form.number(form.round(x)))
    n = int(np.prod(dims))
    return of(t, np.array([complex(one(), one()) for _ in range(n)],
                          dtype=complex).reshape(dims))


def component(form, f, which):
    """One component, whose error is as small as the whole number is large."""
    def compute():
        with mp.workprec(mp.prec + 120):
            z = f()
            y = z.real if which == 0 else z.imag
            return y, abs(z)
    return float(form.number(nearest(form, compute)))


def complex_case(name, f, arity):
    def make(s):
        t = s.choice(list(COMPLEX))
        form = FORMATS[COMPLEX[t]]
        dims = s.dims(high=3, most=2)
        xs = [complex_data(s, t, dims) for _ in range(arity)]
        out = COMPLEX[t] if name == "Abs" else t
        y = []
        for z in zip(*(x.bits.flat for x in xs)):
            def compute(z=z):
                return f(*(mpmath.mpc(float(c.real), float(c.imag))
                           for c in z))
            re = component(form, compute, 0)
            y.append(re if out != t else complex(re, component(
                form, compute, 1)))
        return Case(name, xs, {}, [of(out, np.array(
            y, dtype=complex if out == t else float).reshape(dims))])
    return make


REALS = {name: real(name) for name in FUNCTIONS}
REALS["Pow"] = pairwise("Pow", power)
REALS["Atan2"] = pairwise("Atan2", angle)
COMPLEXES = {f"{name} (complex)": complex_case(name, f, n)
             for n, table in ((1, COMPLEX_FUNCTIONS), (2, COMPLEX_BINARY))
             for name, f in table.items()}
OPS = {**REALS, **COMPLEXES}
