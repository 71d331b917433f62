# elementwise.py - exact and arithmetic element-wise operations.
#
# SPDX-License-Identifier: Apache-2.0
#
# Integers by Python's, floats by Fractions and the rules of IEEE 754-2019: 6.1
# infinities, 6.2 NaNs, 6.3 signs, 4.3 rounding.  None: any value will do.
import math
import operator
from fractions import Fraction

import numpy as np

from .formats import (COMPLEX, FORMATS, INTEGERS, SIGNED, SMALL, is_nan,
                      unwrap, wrap)
from .harness import (FLOAT_TYPES, INT_TYPES, NUMPY, Array, Case, Source, of,
                      same, store_of)

# f8e8m0fnu has neither a sign nor a zero.
FLOATS = FLOAT_TYPES * 3 + [t for t in SMALL if t != "f8e8m0fnu"]


def masked(care):
    """Compare only where somebody says what is right."""
    def equal(got, want):
        return same(Array(got.type, got.bits[care]),
                    Array(want.type, want.bits[care]))
    return equal


def result(op, inputs, attributes, t, shape, bits):
    care = np.array([b is not None for b in bits], dtype=bool).reshape(shape)
    y = Array(t, np.array([b or 0 for b in bits],
                          dtype=store_of(t)).reshape(shape))
    return Case(op, inputs, attributes, [y], equal=masked(care))


def shapes(s):
    """Two shapes, how they go together, and the result's."""
    out = list(s.lines(s.dims(high=4, most=3)))
    kind = s.choice(["same", "same", "stretch", "scalar", "numpy", "dims"])

    def ones(dims):
        return [1 if s.random() < 0.3 else n for n in dims]
    a, b, attributes = out, out, {}
    if kind == "stretch":
        a, b = ones(out), ones(out)
    elif kind == "scalar":
        b = []
    elif kind == "numpy":
        a, b = ones(out), ones(out)[s.randint(0, len(out)):]
        attributes["broadcasting"] = "numpy"
    elif kind == "dims":
        kept = s.subset(len(out))
        b = ones([out[d] for d in kept])
        attributes["broadcast_dimensions"] = kept
    places = attributes.get("broadcast_dimensions",
                            range(len(out) - len(b), len(out)))
    full = [1] * len(out)
    for n, d in zip(b, places):
        full[d] = n
    y = list(np.broadcast_shapes(tuple(a), tuple(full)))
    if s.random() < 0.5:
        return a, b, a, full, y, attributes
    return b, a, full, a, y, attributes


def binary(op, types, function, out=None, rhs=None):
    """function(type, pattern, pattern) gives a pattern or None."""
    def make(s):
        t = s.choice(types)
        a, b, wide_a, wide_b, dims, attributes = shapes(s)
        x, y = draw(s, t, a), (rhs or draw)(s, t, b)
        p = np.broadcast_to(x.bits.reshape(wide_a), dims)
        q = np.broadcast_to(y.bits.reshape(wide_b), dims)
        bits = [function(t, int(i), int(j)) for i, j in zip(p.flat, q.flat)]
        return result(op, [x, y], attributes, out or t, dims, bits)
    return make


def draw(s, t, dims):
    return floats(s, t, dims) if t in FORMATS else s.pattern(t, dims)


def unary(op, types, function, out=None):
    def make(s):
        t = s.choice(types)
        x = draw(s, t, s.lines(s.dims()))
        bits = [function(t, int(i)) for i in x.bits.flat]
        return result(op, [x], {}, out or t, x.shape, bits)
    return make


def floats(s, t, dims):
    """Any patterns, halves, numbers near each other, specials."""
    f = FORMATS[t]
    n = int(np.prod(dims))
    bits = []
    for _ in range(n):
        kind = s.random()
        if kind < 0.4 or f.bits <= 8:
            bits.append(s.randrange(1 << f.bits))
        elif kind < 0.6:
            bits.append(f.round(Fraction(s.randint(-40, 40), 2 ** s.randint(0, 3)),
                                s.random() < 0.5))
        elif kind < 0.9:
            x = Fraction(s.randint(-2 ** 60, 2 ** 60), 2 ** s.randint(50, 70))
            bits.append(f.round(x))
        elif kind < 0.95:
            bits.append(s.choice([f.infinity(False), f.infinity(True), f.nan(),
                                  f.nothing(True), 1, f.round(f.most)]))
        else:
            bits.append(f.round(Fraction(s.randint(-99, 99))
                                * Fraction(2) ** (f.least - s.randint(0, 9))))
    return Array(t, np.array(bits, dtype=store_of(t)).reshape(dims))


# ---- Integers ---------------------------------------------------------------

def on_integers(f):
    def apply(t, a, b):
        if t == "pred":
            return int(f(a, b)) & 1
        y = f(unwrap(t, a), unwrap(t, b))
        return None if y is None else wrap(t, y)
    return apply


def quotient(a, b):
    """Truncated toward zero; what is out of range is anybody's."""
    return None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0)
                                                   else -1)


def integer_div(t, a, b):
    q = on_integers(quotient)(t, a, b)
    # The smallest integer by -1.
    return None if t in SIGNED and unwrap(t, b) == -1 and a == wrap(
        t, -a) and a else q


def integer_rem(t, a, b):
    if integer_div(t, a, b) is None:
        return None
    x, y = unwrap(t, a), unwrap(t, b)
    return wrap(t, x - quotient(x, y) * y)


def integer_pow(t, a, b):
    n = unwrap(t, b)
    return None if n < 0 else pow(a, n, 1 << INTEGERS[t])


def shift(f):
    """The amount counts as unsigned; beyond the width all is shifted out."""
    def apply(t, a, b):
        return wrap(t, f(t, a, min(b, INTEGERS[t])))
    return apply


SHIFTS = {"ShiftLeft": shift(lambda t, a, n: a << n),
          "ShiftRightLogical": shift(lambda t, a, n: a >> n),
          "ShiftRightArithmetic": shift(lambda t, a, n: (
              a - (a >> (INTEGERS[t] - 1) << INTEGERS[t])) >> n)}


def amounts(s, t, dims):
    n = INTEGERS[t]
    return of(t, np.array([min(s.randint(0, n + 1), 2 ** (n - 1) - 1)
                           if s.random() < 0.9 else -1
                           for _ in range(int(np.prod(dims)))],
                          dtype=object).reshape(dims))


def clz(t, a):
    return wrap(t, INTEGERS[t] - a.bit_length())


# ---- Floats -----------------------------------------------------------------

def on_floats(f):
    """f(x, y, sign of x, sign of y) gives a number, or that and its sign."""
    def apply(t, a, b):
        form = FORMATS[t]
        x, y = form.number(a), form.number(b)
        if "nan" in (x, y):
            return finish(form, "nan")
        return finish(form, f(x, y, form.negative(a), form.negative(b)))
    return apply


def finish(form, y):
    y, negative = y if isinstance(y, tuple) else (y, False)
    if y == "nan" and form.nan() is None:
        return None
    return form.round(y, negative)


INF = ("inf", "-inf")


def infinity(negative):
    return "-inf" if negative else "inf"


def add(x, y, p, q):
    if x in INF or y in INF:
        return "nan" if x in INF and y in INF and x != y else x if x in INF else y
    # Of two zeros of one sign a zero of it, else +0.
    return x + y, p and q and x == 0 and y == 0


def sub(x, y, p, q):
    negated = {"inf": "-inf", "-inf": "inf"}
    return add(x, negated[y] if y in INF else -y, p, not q)


def mul(x, y, p, q):
    if x in INF or y in INF:
        return "nan" if 0 in (x, y) else infinity(p != q)
    return x * y, p != q


def div(x, y, p, q):
    if x in INF:
        return "nan" if y in INF else infinity(p != q)
    if y in INF:
        return Fraction(0), p != q
    if y == 0:
        return "nan" if x == 0 else infinity(p != q)
    return x / y, p != q


def rem(x, y, p, q):
    if x in INF or y == 0:
        return "nan"
    if y in INF:
        return x, p
    r = abs(x) % abs(y)
    return -r if p else r, p


def order(form, a):
    """A key by which numbers compare, -0 below +0."""
    x = form.number(a)
    return {"inf": math.inf, "-inf": -math.inf}.get(x, x), not form.negative(a)


def extreme(which):
    def apply(t, a, b):
        if t not in FORMATS:
            return on_integers(which)(t, a, b)
        form = FORMATS[t]
        if is_nan(t, a) or is_nan(t, b):
            return form.nan()
        return which(a, b, key=lambda p: order(form, p))
    return apply


def compare(f):
    """A NaN is unordered; zeros are equal."""
    def apply(t, a, b):
        if t in FORMATS:
            if is_nan(t, a) or is_nan(t, b):
                return int(f is operator.ne)
            return int(f(order(FORMATS[t], a)[0], order(FORMATS[t], b)[0]))
        return int(f(a, b) if t == "pred" else f(unwrap(t, a), unwrap(t, b)))
    return apply


def total(f):
    def key(t, a):
        n = FORMATS[t].bits
        return -(a & ((1 << (n - 1)) - 1)) - 1 if a >> (n - 1) else a
    return lambda t, a, b: int(f(key(t, a), key(t, b)))


def integral(f):
    """A function to integers; a zero has the operand's sign."""
    def apply(t, a):
        form = FORMATS[t]
        x = form.number(a)
        return a if x in INF or x == "nan" else form.round(
            Fraction(f(x)), form.negative(a))
    return apply


def half_away(x):
    return math.floor(abs(x) + Fraction(1, 2)) * (-1 if x < 0 else 1)


def absolute(t, a):
    if t in INTEGERS:
        return wrap(t, abs(unwrap(t, a)))
    # fnuz's one NaN is where -0 would be.
    return a if is_nan(t, a) else a & ((1 << (FORMATS[t].bits - 1)) - 1)


def negate(t, a):
    if t in INTEGERS:
        return wrap(t, -unwrap(t, a))
    form = FORMATS[t]
    if is_nan(t, a) or (a == 0 and form.special == "fnuz"):
        return a
    return a ^ 1 << (form.bits - 1)


def sign(t, a):
    if t in INTEGERS:
        x = unwrap(t, a)
        return wrap(t, (x > 0) - (x < 0))
    x = FORMATS[t].number(a)
    if x == "nan" or x == 0:
        return a
    return FORMATS[t].round(Fraction(-1 if FORMATS[t].negative(a) else 1))


def clamp(s):
    t = s.choice(INT_TYPES + FLOATS)
    dims = s.dims()
    low, high = (s.choice([(), dims]) for _ in "ab")
    a, x, b = draw(s, t, low), draw(s, t, dims), draw(s, t, high)
    least, most = extreme(min), extreme(max)
    bits = [least(t, most(t, int(i), int(j)), int(k)) for i, j, k in zip(
        np.broadcast_to(a.bits, dims).flat, x.bits.flat,
        np.broadcast_to(b.bits, dims).flat)]
    return result("Clamp", [a, x, b], {}, t, dims, bits)


def reduce_precision(s):
    t = s.choice(FLOAT_TYPES + ["f8e5m2", "f8e4m3"])
    form = FORMATS[t]
    e = s.randint(2, form.exponent)
    m = s.randint(1, form.fraction)
    narrow = type(form)(e, m, (1 << (e - 1)) - 1, "ieee")
    x = floats(s, t, s.dims())
    bits = []
    for a in x.bits.flat:
        y = form.number(int(a))
        if y != "nan":
            y = narrow.number(narrow.round(y, form.negative(int(a))))
        bits.append(form.round(y, form.negative(int(a))))
    return result("ReducePrecision", [x], {"exponent_bits": e,
                  "mantissa_bits": m}, t, x.shape, bits)


# ---- Conversions ------------------------------------------------------------

REAL = ["pred"] + INT_TYPES + FLOAT_TYPES * 4 + SMALL


def halfway(x):
    """Is x three times a power of two?"""
    return x.numerator % 3 == 0 and all(
        n & (n - 1) == 0 for n in (x.numerator // 3, x.denominator))


def convert_one(a, b, p):
    """The pattern of type b for the pattern p of type a."""
    x, negative = p, False
    if a in INTEGERS:
        x = unwrap(a, p)
    elif a in FORMATS:
        x, negative = FORMATS[a].number(p), FORMATS[a].negative(p)
    if b == "pred":
        return int(x != 0)  # a NaN is not
    if b in INTEGERS:
        if x == "nan" or x in INF:
            return None
        y = math.trunc(x)
        return wrap(b, y) if a not in FORMATS or unwrap(b, wrap(b, y)) == y else None
    form = FORMATS[b]
    if x == "nan" and form.nan() is None:
        return None
    if not form.zero and x != "nan" and (
            x in INF or x < Fraction(2) ** form.least or halfway(Fraction(x))):
        return None  # nothing is near, or two powers of two are alike
    if x in INF:
        return form.infinity(x == "-inf")
    return form.round(x if x == "nan" else Fraction(x), negative)


def convert(s):
    a, b = s.choice(REAL), s.choice(REAL)
    dims = s.lines(s.dims())
    x = (floats if a in FORMATS and FORMATS[a].zero
         else Source.pattern)(s, a, dims)
    bits = [convert_one(a, b, int(p)) for p in x.bits.flat]
    if a in NUMPY and b in NUMPY:
        with np.errstate(all="ignore"):
            theirs = x.values().astype(NUMPY[b]).view(store_of(b))
        for p, q in zip(theirs.flat, bits):
            assert q is None or p == q or is_nan(b, q), (a, b, p, q)
    return result("ConvertElementType", [x], {"new_element_type": b}, b,
                  x.shape, bits)


def convert_complex(s):
    a, b = s.choice(list(COMPLEX)), s.choice(list(COMPLEX) * 2 + [
        "f32", "f64"] + [t for t in INT_TYPES if t in SIGNED])
    if s.random() < 0.5 and b in NUMPY:
        a, b = b, a
    dims = s.dims()
    x = s.small(a, dims, -1, 1)
    v = x.values()
    y = of(b, v if b in COMPLEX else v.real.astype(int))
    return Case("ConvertElementType", [x], {"new_element_type": b}, [y])


def parts(s):
    """Complex, or Real or Imag of one."""
    t = s.choice(list(COMPLEX))
    x = s.small(t, s.dims(), -99, 99)
    re, im = of(COMPLEX[t], x.bits.real), of(COMPLEX[t], x.bits.imag)
    return s.choice([Case("Complex", [re, im], {}, [x]),
                     Case("Real", [x], {}, [re]), Case("Imag", [x], {}, [im])])


NUMERIC = INT_TYPES + FLOATS
BITS = INT_TYPES + ["pred"] * 2
TOTAL = FLOAT_TYPES + ["f8e5m2", "f8e4m3", "f8e4m3fn"]
SIGNS = [t for t in INT_TYPES if t in SIGNED] + FLOATS


def both(integers, numbers):
    i, f = on_integers(integers) if integers else None, on_floats(numbers)
    return lambda t, a, b: (f if t in FORMATS else i)(t, a, b)


OPS = {
    "Add": binary("Add", NUMERIC, both(operator.add, add)),
    "Sub": binary("Sub", NUMERIC, both(operator.sub, sub)),
    "Mul": binary("Mul", NUMERIC, both(operator.mul, mul)),
    "Div": binary("Div", NUMERIC, lambda t, a, b: (
        on_floats(div) if t in FORMATS else integer_div)(t, a, b)),
    "Rem": binary("Rem", NUMERIC, lambda t, a, b: (
        on_floats(rem) if t in FORMATS else integer_rem)(t, a, b)),
    "Pow (integers)": binary("Pow", INT_TYPES, integer_pow),
    "Max": binary("Max", NUMERIC + ["pred"], extreme(max)),
    "Min": binary("Min", NUMERIC + ["pred"], extreme(min)),
    "And": binary("And", BITS, on_integers(operator.and_)),
    "Or": binary("Or", BITS, on_integers(operator.or_)),
    "Xor": binary("Xor", BITS, on_integers(operator.xor)),
    "Not": unary("Not", BITS, lambda t, a: a ^ 1 if t == "pred"
                 else wrap(t, ~a)),
    "PopulationCount": unary("PopulationCount", INT_TYPES,
                             lambda t, a: wrap(t, bin(a).count("1"))),
    "Clz": unary("Clz", INT_TYPES, clz),
    "Abs": unary("Abs", SIGNS, absolute),
    "Neg": unary("Neg", NUMERIC, negate),
    "Sign": unary("Sign", SIGNS, sign),
    "Floor": unary("Floor", FLOATS, integral(math.floor)),
    "Ceil": unary("Ceil", FLOATS, integral(math.ceil)),
    "Round": unary("Round", FLOATS, integral(half_away)),
    "RoundNearestEven": unary("RoundNearestEven", FLOATS, integral(round)),
    "IsFinite": unary("IsFinite", FLOATS, lambda t, a: int(
        not isinstance(FORMATS[t].number(a), str)), out="pred"),
    "Clamp": clamp, "ReducePrecision": reduce_precision,
    "ConvertElementType": convert,
    "ConvertElementType (complex)": convert_complex,
    "Complex, Real, Imag": parts,
}
OPS.update({op: binary(op, INT_TYPES, f, rhs=amounts)
            for op, f in SHIFTS.items()})
for name, f in (("Eq", operator.eq), ("Ne", operator.ne), ("Lt", operator.lt),
                ("Le", operator.le), ("Gt", operator.gt), ("Ge", operator.ge)):
    OPS[name] = binary(name, NUMERIC + ["pred"], compare(f), out="pred")
    OPS[name + "TotalOrder"] = binary(name + "TotalOrder", TOTAL, total(f),
                                      out="pred")
