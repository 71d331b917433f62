"""approx - numbers with bounds on their rounding errors; C that makes them.

SPDX-License-Identifier: Apache-2.0

A Number is what one expression of a kernel computes: an interval of its ideal
value, which is that of the same expression without any rounding, and bounds
on how far the computed value is from it, absolutely and relatively.  Each
operation of binary64 adds a relative error of at most U.  Bounds are computed
in 200 bits and rounded up by a factor that covers that.
"""
import re

from mpmath import iv, mp, mpf

mp.prec = iv.prec = 200
U = mpf(2) ** -53
UP = 1 + mpf(2) ** -100


def low_of(x):
    """The ends of an interval, as numbers."""
    return mp.make_mpf(x._mpi_[0])


def high_of(x):
    return mp.make_mpf(x._mpi_[1])


def is_point(x):
    return low_of(x) == high_of(x)


class Number:
    def __init__(self, low, high=None, rel=0, abs_=None):
        self.i = low if isinstance(low, iv.mpf) \
            else iv.mpf([low, low if high is None else high])
        self.rel = mpf(rel)
        most = self.most() * self.rel * UP
        self.abs = most if abs_ is None else min(mpf(abs_), most)

    def most(self):
        return max(abs(low_of(self.i)), abs(high_of(self.i)))

    def least(self):
        low, high = low_of(self.i), high_of(self.i)
        return mpf(0) if low <= 0 <= high else min(abs(low), abs(high))

    def _rounded(self, ideal, before, rel):
        """A result with those errors before its own rounding."""
        n = Number.__new__(Number)
        n.i = ideal
        n.rel = ((1 + rel) * (1 + U) - 1) * UP
        n.abs = (before * (1 + U) + U * n.most()) * UP
        n.abs = min(n.abs, n.most() * n.rel * UP)
        return n

    def __mul__(self, other):
        other = lift(other)
        before = (self.most() * other.abs + other.most() * self.abs
                  + self.abs * other.abs)
        rel = (1 + self.rel) * (1 + other.rel) - 1
        # By a power of two it is exact.
        n = self._rounded(self.i * other.i, before, rel)
        for a, b in ((self, other), (other, self)):
            if a.rel == 0 and is_point(a.i) and mp.frexp(a.least())[0] == 0.5:
                n.rel, n.abs = b.rel, b.abs * a.least()
        return n

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = lift(other)
        assert other.least() > 0 and other.rel < 0.5
        rel = (1 + self.rel) / (1 - other.rel) - 1
        ideal = self.i / other.i
        most = max(abs(low_of(ideal)), abs(high_of(ideal)))
        return self._rounded(ideal, most * rel, rel)

    def __rtruediv__(self, other):
        return lift(other) / self

    def __add__(self, other):
        other = lift(other)
        ideal = self.i + other.i
        before = self.abs + other.abs
        one_sign = (low_of(self.i) >= 0 and low_of(other.i) >= 0) \
            or (high_of(self.i) <= 0 and high_of(other.i) <= 0)
        low, high = low_of(ideal), high_of(ideal)
        least = mpf(0) if low <= 0 <= high else min(abs(low), abs(high))
        if before == 0:
            rel = mpf(0)
        elif one_sign:
            rel = max(self.rel, other.rel)
        else:
            rel = before / least if least > 0 else mpf("inf")
        if least > 0:
            rel = min(rel, before / least)
        return self._rounded(ideal, before, rel)

    __radd__ = __add__

    def __neg__(self):
        n = Number.__new__(Number)
        n.i, n.rel, n.abs = -self.i, self.rel, self.abs
        return n

    def __sub__(self, other):
        return self + -lift(other)

    def __rsub__(self, other):
        return lift(other) - self

    def __gt__(self, other):
        """Of an exact number; the cell must not contain the bound."""
        bound = lift(other)
        assert self.rel == 0 and is_point(bound.i)
        if low_of(self.i) > low_of(bound.i):
            return True
        assert high_of(self.i) <= low_of(bound.i), "a cell on both sides"
        return False


def lift(x):
    return x if isinstance(x, Number) else Number(mpf(x))


def root(x):
    """sqrt, correctly rounded; half of the operand's relative error."""
    x = lift(x)
    rel = x.rel / 2 * (1 + x.rel)
    ideal = iv.sqrt(x.i)
    return x._rounded(ideal, high_of(ideal) * rel, rel)


# ---- Reading C ----------------------------------------------------------------

FUNCTION = re.compile(r"static inline double (\w+)\(([^)]*)\)\n\{\n(.*?)\n\}",
                      re.S)
CONSTANT = re.compile(r"^#define (\w+) +(-?0x[0-9a-fp.+-]+|[0-9.]+)$", re.M)
HEX = re.compile(r"-?0x[0-9a-f.]+p[+-]?[0-9]+")
CHOICE = re.compile(r"^(.*?=|return)\s*(.+?)\s*\?\s*(.+?)\s*:\s*(.+)$")


def _expression(text):
    text = HEX.sub(lambda m: f"K('{m[0]}')", text)
    return re.sub(r"\bsqrt\(", "ROOT(", text)


def _statement(text):
    text = re.sub(r"^double ", "", " ".join(text.split()))
    parts = [text]
    if not text.startswith("return") and "?" not in text:
        # double a = x, b = y;
        parts = re.split(r", (?=\w+ = )", text)
    for part in parts:
        found = CHOICE.match(part)
        if found:
            part = f"{found[1]} ({found[3]}) if {found[2]} else ({found[4]})"
        yield _expression(part)


def read(*paths):
    """The straight-line functions and constants of C files, as Python.

    A function that is not straight-line (it has braces, or casts) is left out,
    so a proof that asks for it fails."""
    scope = {"K": lambda t: lift(mpf(float.fromhex(t))), "ROOT": root,
             "fast_polynomial_choose": lambda mask, a, b: a if mask else b}
    for path in paths:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
        for name, value in CONSTANT.findall(text):
            number = float.fromhex(value) if "x" in value else float(value)
            scope[name] = lift(mpf(number))
        for name, parameters, body in FUNCTION.findall(text):
            if re.search(r"[{}]|uint64|bool |int |struct|\(void\)|\(int|fast_double|&|FAST_", body):
                continue
            names = ", ".join(p.split()[-1].lstrip("*")
                              for p in parameters.split(","))
            lines = [s for t in body.split(";") if t.strip()
                     for s in _statement(t)]
            code = f"def {name}({names}):\n    " + "\n    ".join(lines)
            exec(code, scope)
    return scope


def cells(low, high, n=64):
    """An interval in n parts, as exact numbers."""
    low, high = mpf(low), mpf(high)
    for i in range(n):
        yield Number(low + (high - low) * i / n, low + (high - low) * (i + 1) / n)


def worst(function, domain):
    """The largest relative error of a function over exact arguments."""
    return max(function(x).rel for x in domain)
