# contract.py - Dot, DotGeneral and the convolutions.
#
# SPDX-License-Identifier: Apache-2.0
#
# Sums are taken by numpy.einsum in int64, where they are exact or wrap as those
# of integer types must, and rounded once to the type.
from fractions import Fraction

import numpy as np
import scipy.signal

from .formats import COMPLEX, FORMATS, INTEGERS, SIGNED
from .harness import (FLOAT_TYPES, INT_TYPES, Case, of, rounded,
                      same_number)
from .window import dilate, same_padding, windows

FLOATS = FLOAT_TYPES + ["f8e5m2", "f8e4m3fn", "f8e4m3fnuz", "f8e3m4"]
TYPES = INT_TYPES + FLOATS + list(COMPLEX)


def data(s, t, dims):
    """Data whose sums need rounding in the narrow types only."""
    if t in INTEGERS and s.random() < 0.5:
        return s.pattern(t, dims)
    most = 12 if t in ("f16", "bf16") else 4
    return s.small(t, dims, -most, most)


def exact(x):
    v = x.values()
    if x.type in COMPLEX:
        return v.real.astype(np.int64), v.imag.astype(np.int64)
    return v.astype(np.int64)


def contract(t, preferred, x, y, how):
    """how: the sum of products of two arrays of integers."""
    out = preferred or t
    if t in COMPLEX:
        (a, b), (c, d) = exact(x), exact(y)
        return of(out, (how(a, c) - how(b, d)) + 1j * (how(a, d) + how(b, c)))
    return rounded(out, how(exact(x), exact(y)))


def preferred(s, t, attributes):
    """Perhaps another type of the result, no narrower."""
    wider = ([u for u in INT_TYPES if (u in SIGNED) == (t in SIGNED)
              and INTEGERS[u] >= INTEGERS[t]] if t in INTEGERS
             else ["f32", "f64"] if t in FORMATS and t != "f64" else [])
    if not wider or s.random() < 0.6:
        return None
    attributes["preferred_element_type"] = s.choice(wider)
    return attributes["preferred_element_type"]


def dot(s):
    t = s.choice(TYPES)
    k = s.lines(s.dims(1, high=9))
    x = data(s, t, s.dims(s.randint(0, 1)) + k)
    y = data(s, t, k + s.dims(s.randint(0, 1)))
    attributes = {}
    p = preferred(s, t, attributes)
    return Case("Dot", [x, y], attributes, [contract(t, p, x, y, np.dot)],
                equal=same_number)


class Product:
    """Random dimension numbers: a name for each dimension, and its size."""

    def __init__(self, s, least=0):
        names, self.size = iter("abcdefghijkl"), {}

        def some(n):
            group = [next(names) for _ in range(n)]
            for c in group:
                self.size[c] = max(least, s.dims(1, high=4)[0])
            return group
        batch, inner = some(s.randint(0, 2)), some(s.randint(0, 2))
        left, right = some(s.randint(0, 2)), some(s.randint(0, 2))
        self.a = a = s.sample(batch + inner + left, len(batch + inner + left))
        self.b = b = s.sample(batch + inner + right,
                              len(batch + inner + right))
        self.numbers = {
            "lhs_batch_dimensions": [a.index(c) for c in batch],
            "rhs_batch_dimensions": [b.index(c) for c in batch],
            "lhs_contracting_dimensions": [a.index(c) for c in inner],
            "rhs_contracting_dimensions": [b.index(c) for c in inner]}
        # The free dimensions keep the order of their operand.
        free = [c for c in a if c in left] + [c for c in b if c in right]
        self.rule = f"{''.join(a)},{''.join(b)}->{''.join(batch + free)}"

    def dims(self, names):
        return [self.size[c] for c in names]

    def of(self, v, w):
        return np.einsum(self.rule, v, w)


def dot_general(s):
    t, d = s.choice(TYPES), Product(s)
    x, y = data(s, t, d.dims(d.a)), data(s, t, d.dims(d.b))
    attributes = {"dimension_numbers": d.numbers}
    p = preferred(s, t, attributes)
    return Case("DotGeneral", [x, y], attributes,
                [contract(t, p, x, y, d.of)], equal=same_number)


def scaled_dot(s):
    """Each scale holds for a block of elements, as numpy.kron repeats it."""
    types = [t for t in FLOATS if t != "f64"] + ["f4e2m1fn"]
    t, d = s.choice(types), Product(s, least=1)
    operands, exacts = [], []
    for names in (d.a, d.b):
        coarse = [s.choice([k for k in range(1, n + 1) if n % k == 0])
                  for n in d.dims(names)]
        powers = np.array([s.randint(-2, 3) for _ in range(int(np.prod(
            coarse)))], dtype=int).reshape(coarse)
        x = s.small(t, d.dims(names), -3, 3)
        fine = np.kron(powers, np.ones([n // k for n, k in zip(
            d.dims(names), coarse)], dtype=int))
        operands += [x, of("f8e8m0fnu", 2.0 ** powers)]
        # Four times as large, a whole number.
        exacts.append(x.values().astype(np.int64) << (fine + 2))
    out = s.choice(["f32", "f64"])
    z = np.asarray(d.of(*exacts))
    return Case("ScaledDot", operands, {
        "dimension_numbers": d.numbers, "preferred_element_type": out},
        [rounded(out, np.array([Fraction(int(v), 16) for v in z.flat],
                               dtype=object).reshape(z.shape))],
        equal=same_number)


def split(n, k, total):
    """Part k of n equal ones, as a slice."""
    size = total // n
    return slice(k * size, (k + 1) * size)


class Conv:
    """A random convolution; members say what it may have."""

    def __init__(self, s, numbers, dilated, general):
        self.n = n = s.randint(0 if general else 1, 3)
        self.groups = g = s.choice([1, 1, 2, 3])
        self.batches = b = s.choice([1, 2]) if g == 1 else 1
        self.batch = s.randint(1, 2) * b
        self.features = s.randint(1, 2)
        self.outputs = s.randint(1, 2) * g * b
        self.area = [s.randint(1, 6) for _ in range(n)]
        self.kernel = [s.randint(1, 3) for _ in range(n)]
        self.strides = [s.randint(1, 3) for _ in range(n)]
        one = [1] * n
        self.holes = [s.randint(1, 3) for _ in range(n)] if dilated else one
        self.reach = [s.randint(1, 3) for _ in range(n)] if dilated else one
        self.reverse = [dilated and s.random() < 0.3 for _ in range(n)]
        self.orders = [s.permuted(n + 2) if numbers else list(range(n + 2))
                       for _ in range(3)]
        span = [(k - 1) * r + 1 for k, r in zip(self.kernel, self.reach)]
        self.base = [(a - 1) * h + 1 for a, h in zip(self.area, self.holes)]
        if general:
            self.padding = [[s.randint(-2, 3), s.randint(-2, 3)]
                            for _ in range(n)]
            self.padding = [p if sum(p) + a >= 0 else [0, 0]
                            for p, a in zip(self.padding, self.base)]
            self.spelled = self.padding
        else:
            self.spelled = s.choice(["SAME", "VALID"])
            self.padding = (same_padding(self.base, span, self.strides)
                            if self.spelled == "SAME" else [[0, 0]] * n)

    def numbers(self):
        """orders[i][k]: where axis k of (batch, feature, spatial) stands."""
        names = [("input_batch_dimension", "input_feature_dimension",
                  "input_spatial_dimensions"),
                 ("kernel_output_feature_dimension",
                  "kernel_input_feature_dimension",
                  "kernel_spatial_dimensions"),
                 ("output_batch_dimension", "output_feature_dimension",
                  "output_spatial_dimensions")]
        d = {}
        for (a, b, c), at in zip(names, self.orders):
            d[a], d[b], d[c] = at[0], at[1], at[2:]
        return d

    def shapes(self):
        """Of both operands, in the order of the program."""
        lhs = [self.batch, self.features * self.groups] + self.area
        rhs = [self.outputs, self.features] + self.kernel
        return [[dims[at.index(k)] for k in range(len(dims))]
                for dims, at in zip((lhs, rhs), self.orders)]

    def of(self, x, y):
        """By the definition, on arrays of integers."""
        x, y = x.transpose(self.orders[0]), y.transpose(self.orders[1])
        n, two = self.n, [[0, 0]] * 2
        y = dilate(y, [1, 1] + self.reach, 0)
        y = y[(slice(None), slice(None)) + tuple(
            slice(None, None, -1 if r else 1) for r in self.reverse)]
        spatial = list(y.shape[2:])
        w = windows(x, 0, [1, 1] + spatial, [1, 1] + self.strides,
                    two + self.padding, [1, 1] + self.holes, [1] * (n + 2))
        w = w.reshape(w.shape[:n + 2] + tuple(spatial))
        parts = []
        for k in range(self.batches):
            rows = split(self.batches, k, self.batch)
            for g in range(self.groups):
                inputs = split(self.groups, g, w.shape[1])
                which = split(self.batches * self.groups,
                              k * self.groups + g, self.outputs)
                parts.append(self.sum(w[rows, inputs], y[which]))
        return np.concatenate(parts, axis=1).transpose(
            np.argsort(self.orders[2]))

    def sum(self, w, y):
        """w: batch, feature, positions, window; y: output, feature, window."""
        out, inside = "pqr"[:self.n], "xyz"[:self.n]
        return np.einsum(f"ni{out}{inside},oi{inside}->no{out}", w, y)


def convolution(name, numbers, dilated, general):
    def make(s):
        t = s.choice(TYPES)
        c = Conv(s, numbers, dilated, general)
        x, y = (data(s, t, dims) for dims in c.shapes())
        attributes = {"window_strides": c.strides, "padding": c.spelled}
        if c.groups > 1:
            attributes["feature_group_count"] = c.groups
        if c.batches > 1:
            attributes["batch_group_count"] = c.batches
        if numbers:
            attributes["dimension_numbers"] = c.numbers()
        if dilated:
            attributes.update(lhs_dilation=c.holes, rhs_dilation=c.reach,
                              window_reversal=c.reverse)
        p = preferred(s, t, attributes)
        return Case(name, [x, y], attributes,
                    [contract(t, p, x, y, c.of)], equal=same_number)
    return make


def correlate(s):
    """scipy.signal.correlate, of one channel."""
    t = s.choice(["s32", "s64", "f32", "f64"])
    n = s.randint(1, 3)
    area = [s.randint(3, 7) for _ in range(n)]
    x = s.small(t, [1, 1] + area)
    y = s.small(t, [1, 1] + [s.randint(1, 3) for _ in range(n)])
    mode = s.choice(["valid", "full"])
    z = scipy.signal.correlate(x.values()[0, 0], y.values()[0, 0], mode,
                               method="direct")
    edge = [[k - 1, k - 1] if mode == "full" else [0, 0] for k in y.shape[2:]]
    return Case("ConvWithGeneralPadding", [x, y],
                {"window_strides": [1] * n, "padding": edge},
                [of(t, z[None, None])], equal=same_number)


OPS = {"Dot": dot, "DotGeneral": dot_general, "ScaledDot": scaled_dot,
       "Conv": convolution("Conv", False, False, False),
       "ConvWithGeneralPadding": convolution(
           "ConvWithGeneralPadding", False, False, True),
       "ConvWithGeneralDimensions": convolution(
           "ConvWithGeneralDimensions", True, False, False),
       "ConvGeneral": convolution("ConvGeneral", True, False, True),
       "ConvGeneralDilated": convolution(
           "ConvGeneralDilated", True, True, True),
       "Conv (correlate)": correlate}
