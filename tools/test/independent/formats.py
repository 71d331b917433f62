# formats.py - the element types, from their definitions.
#
# SPDX-License-Identifier: Apache-2.0
#
# A pattern is a Python integer, a number a Fraction; "nan", "inf" and "-inf"
# stand for themselves.  Nothing here is read from the interpreter's tables.
from fractions import Fraction
from functools import lru_cache

SIGNED = {f"s{n}": n for n in (1, 2, 4, 8, 16, 32, 64)}
UNSIGNED = {f"u{n}": n for n in (1, 2, 4, 8, 16, 32, 64)}
INTEGERS = SIGNED | UNSIGNED
COMPLEX = {"c64": "f32", "c128": "f64"}


class Format:
    """A binary format: exponent and fraction bits, bias, special values.

    special: "ieee": infinities and NaNs in the last exponent; "fn": the
    pattern of all ones is a NaN, no infinity; "fnuz": the NaN is where -0
    would be, no infinity; "finite": neither.
    """

    def __init__(self, exponent, fraction, bias, special, signed=True):
        self.exponent, self.fraction, self.bias = exponent, fraction, bias
        self.special, self.signed = special, signed
        self.bits = exponent + fraction + signed
        self.zero = signed  # only f8e8m0fnu has none
        self.least = 1 - bias if self.zero else -bias
        top = (1 << exponent) - 1
        if special == "ieee":
            self.most = Fraction(2) ** (top - 1 - bias) * (
                2 - Fraction(1, 1 << fraction))
        elif special == "fn" and fraction == 0:
            self.most = Fraction(2) ** (top - 1 - bias)
        elif special == "fn":
            self.most = Fraction(2) ** (top - bias) * (
                2 - Fraction(2, 1 << fraction))
        else:
            self.most = Fraction(2) ** (top - bias) * (
                2 - Fraction(1, 1 << fraction))

    def number(self, pattern):
        """The number that a pattern stands for."""
        field = pattern & ((1 << self.fraction) - 1)
        e = pattern >> self.fraction & ((1 << self.exponent) - 1)
        negative = self.signed and pattern >> (self.bits - 1)
        top = (1 << self.exponent) - 1
        if self.special == "ieee" and e == top:
            return "nan" if field else "-inf" if negative else "inf"
        if (self.special == "fn" and e == top
                and field == (1 << self.fraction) - 1):
            return "nan"
        if self.special == "fnuz" and pattern == 1 << (self.bits - 1):
            return "nan"
        if e == 0 and self.zero:
            value = Fraction(field, 1 << self.fraction) * Fraction(2) ** self.least
        else:
            value = (1 + Fraction(field, 1 << self.fraction)) * (
                Fraction(2) ** (e - self.bias))
        return -value if negative else value

    def negative(self, pattern):
        return bool(self.signed and pattern >> (self.bits - 1))

    def nan(self):
        if self.special == "ieee":
            return (((1 << self.exponent) - 1) << self.fraction
                    | 1 << (self.fraction - 1))
        if self.special == "fn":
            return (1 << (self.exponent + self.fraction)) - 1
        return 1 << (self.bits - 1) if self.special == "fnuz" else None

    def infinity(self, negative):
        """What a number beyond the range becomes."""
        sign = int(negative) << (self.bits - 1)
        if self.special == "ieee":
            return sign | ((1 << self.exponent) - 1) << self.fraction
        if self.special == "finite":
            return sign | ((1 << (self.bits - 1)) - 1)
        return self.nan() if self.special == "fnuz" else sign | self.nan()

    def nothing(self, negative):
        """A zero of that sign."""
        if self.special == "fnuz":
            return 0
        return int(negative) << (self.bits - 1)

    def round(self, x, negative=False):
        """The pattern nearest to x, halves to even; negative: of a zero."""
        if x == "nan":
            return self.nan()
        if x in ("inf", "-inf"):
            return self.infinity(x == "-inf")
        if x == 0:
            return self.nothing(negative)
        sign, x = x < 0, abs(x)
        e = x.numerator.bit_length() - x.denominator.bit_length()
        if x < Fraction(2) ** e:
            e -= 1
        e = max(e, self.least)
        shift = self.fraction - e
        n = x.numerator << max(shift, 0)
        d = x.denominator << max(-shift, 0)
        q, r = divmod(n, d)
        q += 2 * r > d or (2 * r == d and q & 1)
        if q == 0:
            return self.nothing(sign)
        if q >> (self.fraction + 1):
            q >>= 1
            e += 1
        if Fraction(q) * Fraction(2) ** (e - self.fraction) > self.most:
            return self.infinity(sign)
        if not q >> self.fraction:
            return int(sign) << (self.bits - 1) | q
        field = q - (1 << self.fraction)
        place = (e + self.bias) << self.fraction
        return (int(sign) << (self.bits - 1) if sign else 0) | place | field


FORMATS = {
    "f4e2m1fn": Format(2, 1, 1, "finite"),
    "f6e2m3fn": Format(2, 3, 1, "finite"),
    "f6e3m2fn": Format(3, 2, 3, "finite"),
    "f8e3m4": Format(3, 4, 3, "ieee"),
    "f8e4m3": Format(4, 3, 7, "ieee"),
    "f8e4m3fn": Format(4, 3, 7, "fn"),
    "f8e4m3fnuz": Format(4, 3, 8, "fnuz"),
    "f8e4m3b11fnuz": Format(4, 3, 11, "fnuz"),
    "f8e5m2": Format(5, 2, 15, "ieee"),
    "f8e5m2fnuz": Format(5, 2, 16, "fnuz"),
    "f8e8m0fnu": Format(8, 0, 127, "fn", signed=False),
    "f16": Format(5, 10, 15, "ieee"),
    "bf16": Format(8, 7, 127, "ieee"),
    "f32": Format(8, 23, 127, "ieee"),
    "f64": Format(11, 52, 1023, "ieee"),
}
SMALL = [t for t, f in FORMATS.items() if f.bits <= 8]


@lru_cache(maxsize=None)
def is_nan(type, pattern):
    return type in FORMATS and FORMATS[type].number(pattern) == "nan"


def bits_of(type):
    if type == "pred":
        return 8
    if type in COMPLEX:
        return 2 * FORMATS[COMPLEX[type]].bits
    return INTEGERS[type] if type in INTEGERS else FORMATS[type].bits


def size_of(type):
    """The bytes of an element of a binary format."""
    return (FORMATS[type].bits + 7) // 8


def literal(type, patterns, dims=None):
    """An input of a case; a vector, if no sizes are given."""
    dims = [len(patterns)] if dims is None else dims
    return {"shape": f"{type}[{','.join(map(str, dims))}]",
            "hex": b"".join(p.to_bytes(size_of(type), "little")
                            for p in patterns).hex()}


def wrap(type, n):
    """The pattern of an integer modulo the type's range."""
    return n & ((1 << INTEGERS[type]) - 1)


def unwrap(type, pattern):
    """The integer that a pattern of an integer type stands for."""
    n = INTEGERS[type]
    return pattern - (1 << n) if type in SIGNED and pattern >> (n - 1) else pattern
