"""polynomials - the polynomials of interp/fast, and what each stands for.

SPDX-License-Identifier: Apache-2.0

A row is a function g that is analytic around 0, where it has a power series
with the coefficients series(n).  make-kernels asks Sollya for a polynomial p with
coefficients in double, and check-kernels proves how far lead + x p(x) is from
lead + x g(x), relatively.
"""
import collections
from fractions import Fraction as F
import math

from mpmath import bernfrac

Row = collections.namedtuple("Row", "name degree low high sollya series lead")


def _binomial_half(n):
    """(2n)! / (4^n n!^2): the coefficients of asin."""
    return F(math.comb(2 * n, n), 4 ** n)


ROWS = (
    # expm1(r) = r (1 + r g(r)), |r| <= ln 2 / 2 and the rounding of it.
    Row("expm1", 9, -0.3467, 0.3467, "(expm1(x)/x-1)/x",
        lambda n: F(1, math.factorial(n + 2)), 1),
    # log((1 + s) / (1 - s)) = s (2 + z g(z)), z = s^2, |s| <= 3 - sqrt 8.
    Row("log", 6, 0, 0.0296,
        "(log((1+sqrt(x))/(1-sqrt(x)))/sqrt(x)-2)/x",
        lambda n: F(2, 2 * n + 3), 2),
    # sin(r) = r (1 + z g(z)) and cos(r) = 1 + z g(z), |r| <= pi / 4.
    Row("sin", 5, 0, 0.6169, "(sin(sqrt(x))/sqrt(x)-1)/x",
        lambda n: F((-1) ** (n + 1), math.factorial(2 * n + 3)), 1),
    Row("cos", 5, 0, 0.6169, "(cos(sqrt(x))-1)/x",
        lambda n: F((-1) ** (n + 1), math.factorial(2 * n + 2)), 1),
    # atan(w) = w (1 + z g(z)), |w| <= tan(pi / 8), a little more.
    Row("atan", 10, 0, 0.172, "(atan(sqrt(x))/sqrt(x)-1)/x",
        lambda n: F((-1) ** (n + 1), 2 * n + 3), 1),
    # asin(w) = w (1 + z g(z)), |w| <= 1/2.
    Row("asin", 11, 0, 0.25, "(asin(sqrt(x))/sqrt(x)-1)/x",
        lambda n: _binomial_half(n + 1) / (2 * n + 3), 1),
    # asinh(w) = w (1 + z g(z)), |w| <= 0.35.
    Row("asinh", 8, 0, 0.1226, "(asinh(sqrt(x))/sqrt(x)-1)/x",
        lambda n: (-1) ** (n + 1) * _binomial_half(n + 1) / (2 * n + 3), 1),
    # erf(x) = 2 / sqrt(pi) x (1 + z g(z)), |x| <= 1/2.
    Row("erf", 8, 0, 0.25, "(erf(sqrt(x))*sqrt(pi)/(2*sqrt(x))-1)/x",
        lambda n: F((-1) ** (n + 1), math.factorial(n + 1) * (2 * n + 3)), 1),
)

# erfc(x) = e^(-x^2) g(x): g in intervals from first to last of 1 / per_unit,
# each as a polynomial of the distance from its middle.
ERFCX = collections.namedtuple("Pieces", "per_unit first last degree")(
    4, 2, 44, 11)

# The binades of f32 for which 2/pi is reduced by multiples of 4: their exponents.
TURNS = collections.namedtuple("Turns", "first last")(-1, 127)

# Two polynomials that are evaluated as one: a name, and those for 0 and 1.
PAIRS = {"circle": ("sin", "cos")}


# ---- Limits -------------------------------------------------------------------

def _tangent(n):
    """|coefficient| of x^(2n + 1) in tan and tanh, by Bernoulli's numbers."""
    m = n + 1
    return abs(F(*bernfrac(2 * m))) * 4 ** m * (4 ** m - 1) / math.factorial(2 * m)


def _turns(n):
    return (-1) ** n


# What fast_near.c's table stands for: y = limit + w^k g(z), by operation and
# kind of limit, and the coefficients of g.
LIMITS = {
    ("Acos", "CONSTANT"): lambda n: -_binomial_half(n) / (2 * n + 1),
    ("Asin", "X"): lambda n: _binomial_half(n + 1) / (2 * n + 3),
    ("Asinh", "X"): lambda n: -_turns(n) * _binomial_half(n + 1) / (2 * n + 3),
    ("Atan", "X"): lambda n: F(-_turns(n), 2 * n + 3),
    ("Atan", "INFINITY"): lambda n: F(-_turns(n), 2 * n + 1),
    ("Atanh", "X"): lambda n: F(1, 2 * n + 3),
    ("Cos", "CONSTANT"): lambda n: F(-_turns(n), math.factorial(2 * n + 2)),
    ("Cosh", "CONSTANT"): lambda n: F(1, math.factorial(2 * n + 2)),
    ("Exp", "CONSTANT"): lambda n: F(1, math.factorial(n + 1)),
    ("Expm1", "X"): lambda n: F(1, math.factorial(n + 2)),
    ("Log1p", "X"): lambda n: F(-_turns(n), n + 2),
    ("Logistic", "CONSTANT"): lambda n: _turns(n) * _tangent(n) / 4 ** (n + 1),
    ("Sin", "X"): lambda n: F(-_turns(n), math.factorial(2 * n + 3)),
    ("Sinh", "X"): lambda n: F(1, math.factorial(2 * n + 3)),
    ("Tan", "X"): lambda n: _tangent(n + 1),
    ("Tanh", "X"): lambda n: -_turns(n) * _tangent(n + 1),
}
