# ieee.py - exact results of arithmetic, with the signs of zeros.
#
# SPDX-License-Identifier: Apache-2.0
from fractions import Fraction


class Value:
    """An exact number: a fraction, or text; and the sign of a zero."""

    def __init__(self, x, negative=False):
        self.x, self.negative = x, negative if x == 0 else False

    def key(self):
        return self.x, self.negative


def is_number(v):
    return not isinstance(v.x, str)


def negate(v):
    if v.x == "nan":
        return v
    if not is_number(v):
        return Value("inf" if v.x == "-inf" else "-inf")
    return Value(-v.x, not v.negative)


def is_below(v):
    """The sign bit of anything but a NaN."""
    return v.x == "-inf" if not is_number(v) else v.x < 0 or v.negative


def add(a, b):
    """IEEE 754-2019 6.1, 6.3, 7.2."""
    if "nan" in (a.x, b.x) or {a.x, b.x} == {"inf", "-inf"}:
        return Value("nan")
    for v in (a, b):
        if not is_number(v):
            return v
    s = a.x + b.x
    return Value(s, s == 0 and a.negative and b.negative)


def mul(a, b):
    if "nan" in (a.x, b.x):
        return Value("nan")
    minus = is_below(a) != is_below(b)
    if not is_number(a) or not is_number(b):
        if 0 in (a.x, b.x):
            return Value("nan")
        return Value("-inf" if minus else "inf")
    return Value(a.x * b.x, minus)


def div(a, b):
    """IEEE 754-2019 6.1, 7.3."""
    if "nan" in (a.x, b.x) or not is_number(a) and not is_number(b):
        return Value("nan")
    minus = is_below(a) != is_below(b)
    if not is_number(b):
        return Value(Fraction(0), minus)
    if b.x == 0 and a.x == 0:
        return Value("nan")
    if b.x == 0 or not is_number(a):
        return Value("-inf" if minus else "inf")
    return Value(a.x / b.x, minus)


def order(v):
    """Of numbers, -0 before 0."""
    x = {"inf": 10 ** 9, "-inf": -10 ** 9}.get(v.x, v.x)
    return x, not v.negative
