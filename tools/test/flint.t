#!/usr/bin/env python3
# flint.t - real and complex functions against FLINT's ball arithmetic.
#
# SPDX-License-Identifier: Apache-2.0
#
# python-flint (Arb) encloses each value in a ball, with more and more bits
# until the whole ball rounds to one number of the type.  It is not a Debian
# package, so the test is skipped where it is not installed:
#     python3 -m pip install python-flint
#
# ASSAY_SAMPLES: values for each function and type.  ASSAY_SEED: other ones.
import os
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import flint
    import numpy as np
except ImportError as e:
    print(f"1..0 # SKIP {e.name} is not installed")
    sys.exit(0)

from independent import harness  # noqa: E402
from independent.formats import COMPLEX, FORMATS  # noqa: E402
from independent.harness import Array, Case, of, store_of  # noqa: E402

SAMPLES = int(os.environ.get("ASSAY_SAMPLES") or 40)
SEED = os.environ.get("ASSAY_SEED", "1")
PRECISIONS = 128, 400, 1300, 4000
FAR = 40000  # beyond 2^-FAR and 2^FAR no type has numbers
arb, acb = flint.arb, flint.acb


def ball(x):
    """A dyadic Fraction as an exact ball."""
    shift = x.denominator.bit_length() - 1
    return arb(x.numerator) * arb(2) ** -shift


def end(x):
    """An end of a ball as a Fraction, brought near where it is far out."""
    man, exp = (int(v) for v in x.man_exp())
    size = abs(man).bit_length() + exp
    if man and size > FAR:
        man, exp = (1 if man > 0 else -1), FAR
    if man and size < -FAR:
        man, exp = (1 if man > 0 else -1), -FAR
    return Fraction(man) * Fraction(2) ** exp


def nearest(form, compute):
    """The one pattern that the ball rounds to; None if there is no telling."""
    for bits in PRECISIONS:
        flint.ctx.prec = bits
        y = compute()
        if not y.is_finite():
            continue
        low, high = end(y.lower()), end(y.upper())
        if low <= 0 <= high:
            continue  # zero has a sign, which no ball tells
        low, high = form.round(low), form.round(high)
        if low == high:
            return low
    return None


REAL = {
    "Exp": arb.exp, "Expm1": arb.expm1, "Log": arb.log, "Log1p": arb.log1p,
    "Sin": arb.sin, "Cos": arb.cos, "Tan": arb.tan, "Tanh": arb.tanh,
    "Sinh": arb.sinh, "Cosh": arb.cosh, "Asin": arb.asin, "Acos": arb.acos,
    "Atan": arb.atan, "Asinh": arb.asinh, "Acosh": arb.acosh,
    "Atanh": arb.atanh, "Sqrt": arb.sqrt, "Rsqrt": arb.rsqrt,
    "Erf": arb.erf, "Erfc": arb.erfc,
    "Logistic": lambda x: 1 / (1 + (-x).exp()),
    "Cbrt": lambda x: x.root(3) if x > 0 else -((-x).root(3)),
}


def odd(f):
    """f of a positive number, for numbers of both signs."""
    return lambda x: f(x) if x > 0 else -f(-x)


def lgamma(x):
    if x > 0:
        return x.lgamma()
    return abs(arb.pi() / x.sin_pi()).log() - (1 - x).lgamma()


def is_integer(x):
    return x.floor() == x


def hurwitz(s, q):
    """The sum of (q + k)^-s; python-flint has it for q > 0."""
    if not s > 1 or is_integer(q) and not q > 0:
        return arb.nan()
    if q > 0:
        return s.zeta(q)
    n = -q.floor()
    if not is_integer(s):
        return arb.nan()
    below = s.zeta(1 - (q + n))
    return s.zeta(q + n) + (1 if is_integer(s / 2) else -1) * (
        below - s.zeta(1 - q))


def polygamma(n, x):
    if n == 0:
        return x.digamma()
    if not is_integer(n):
        return arb.nan()
    y = (n + 1).gamma() * hurwitz(n + 1, x)
    return -y if is_integer(n / 2) else y


REAL.update({"Lgamma": lgamma, "Digamma": arb.digamma, "ErfInv": arb.erfinv,
             "BesselI1e": odd(lambda x: x.bessel_i(1, scaled=True))})
PAIRS = {"Zeta": hurwitz, "Polygamma": polygamma,
         "Pow": lambda x, y: x ** y, "Atan2": arb.atan2}
WHOLE = {
    "Exp": acb.exp, "Log": acb.log, "Sin": acb.sin, "Cos": acb.cos,
    "Tan": acb.tan, "Tanh": acb.tanh, "Sinh": acb.sinh, "Cosh": acb.cosh,
    "Asin": acb.asin, "Acos": acb.acos, "Atan": acb.atan,
    "Asinh": acb.asinh, "Acosh": acb.acosh, "Atanh": acb.atanh,
    "Sqrt": acb.sqrt, "Rsqrt": acb.rsqrt, "Expm1": acb.expm1,
    "Log1p": acb.log1p,
}
WHOLE_PAIRS = {"Mul": lambda z, w: z * w, "Div": lambda z, w: z / w,
               "Pow": lambda z, w: (w * z.log()).exp()}


def near(s, form):
    """A number of the size for which a zeta function says something."""
    whole = s.randint(0, 12)
    part = s.choice([0, 0, Fraction(s.randint(1, 2 ** 30), 2 ** 30)])
    pattern = form.round(whole + part)
    return pattern, form.number(pattern)


# Operands of which only some have a value.
DRAWS = {"Zeta": [near, None], "Polygamma": [near, None]}


def draw(s, form):
    """A finite number that is not 0: of middling size, or of any."""
    while True:
        pattern = (s.getrandbits(form.bits) if s.random() < 0.4 else
                   form.round(Fraction(s.randint(-2 ** 40, 2 ** 40),
                                       2 ** s.randint(25, 60))))
        x = form.number(pattern)
        if isinstance(x, Fraction) and x != 0:
            return pattern, x


def sample(s, name, t, f, arity):
    """Operands and results of as many values as can be told."""
    form, rows = FORMATS[t], []
    for _ in range(SAMPLES):
        args = [(d or draw)(s, form)
                for d in DRAWS.get(name, [None] * arity)]
        y = nearest(form, lambda: f(*(ball(x) for _, x in args)))
        if y is not None:
            rows.append([p for p, _ in args] + [y])
    return rows


def real_case(s, name, t, f, arity):
    rows = sample(s, name, t, f, arity)
    columns = [np.array([r[i] for r in rows], dtype=store_of(t))
               for i in range(arity + 1)]
    return Case(name, [Array(t, c) for c in columns[:-1]], {},
                [Array(t, columns[-1])])


def complex_case(s, name, t, f, arity):
    form, given, due = FORMATS[COMPLEX[t]], [], []
    for _ in range(SAMPLES):
        zs = [[draw(s, form)[1] for _ in range(2)] for _ in range(arity)]

        def compute():
            return f(*(acb(ball(re), ball(im)) for re, im in zs))
        parts = [nearest(form, lambda: compute().real),
                 nearest(form, lambda: compute().imag)]
        if None in parts or not all(isinstance(form.number(p), Fraction)
                                    for p in parts):
            continue
        given.append([complex(float(re), float(im)) for re, im in zs])
        # By way of patterns, which keep the sign of a zero.
        due.append(complex(*Array(COMPLEX[t], np.array(
            parts, dtype=store_of(COMPLEX[t]))).values()))
    inputs = [of(t, np.array([g[i] for g in given], dtype=complex))
              for i in range(arity)]
    return Case(name, inputs, {}, [of(t, np.array(due, dtype=complex))])


def cases():
    s = harness.Source(f"flint {SEED}")
    for table, arity in ((REAL, 1), (PAIRS, 2)):
        for name, f in table.items():
            for t in harness.FLOAT_TYPES:
                yield f"{name} {t}", real_case(s, name, t, f, arity)
    for table, arity in ((WHOLE, 1), (WHOLE_PAIRS, 2)):
        for name, f in table.items():
            for t in COMPLEX:
                yield f"{name} {t}", complex_case(s, name, t, f, arity)


def main():
    names, made = zip(*cases())
    told = dict(sorted(harness.evaluate(made).items()))
    failed = 0
    for number, (name, c, node) in enumerate(
            zip(names, made, told.values()), 1):
        wrong = harness.compare(c, node)
        count = int(np.prod(c.want[0].shape))
        good = not wrong and count > SAMPLES // 8
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {name}: {count} values")
        for line in (wrong or "").splitlines()[:5]:
            print(f"# {line[:300]}")
    print(f"# seed {SEED}")
    print(f"1..{len(made)}")
    return failed != 0


sys.exit(main())
