# algorithms.py - Fft, Cholesky, TriangularSolve and the batch normalizations.
#
# SPDX-License-Identifier: Apache-2.0
from fractions import Fraction

import mpmath
import numpy as np
import scipy.fft
import scipy.linalg

from .formats import COMPLEX, FORMATS
from .functions import nearest, number
from .harness import FLOAT_TYPES, Array, Case, of, same_number, store_of

mp = mpmath.mp


# ---- Fft ----------------------------------------------------------------------

def transform(s, points):
    """Kind, lengths, and an operand of so many points or fewer."""
    kind = s.choice(["FFT", "IFFT", "RFFT", "IRFFT"])
    lengths = []
    for _ in range(s.randint(1, 3)):
        lengths.append(s.randint(1, points))
        points = max(1, points // lengths[-1])
    s.shuffle(lengths)
    dims = list(lengths)
    if kind == "IRFFT":
        dims[-1] = dims[-1] // 2 + 1
    if s.random() < 0.3:
        dims.insert(0, s.randint(1, 2))
    t = s.choice(["f32", "f64"] if kind == "RFFT" else list(COMPLEX))
    out = (COMPLEX[t] if kind == "IRFFT"
           else {r: c for c, r in COMPLEX.items()}[t] if kind == "RFFT" else t)
    return kind, lengths, s.small(t, dims, -9, 9), out


def theirs(kind, lengths, v):
    axes = list(range(v.ndim - len(lengths), v.ndim))
    f = {"FFT": scipy.fft.fftn, "IFFT": scipy.fft.ifftn,
         "RFFT": scipy.fft.rfftn, "IRFFT": scipy.fft.irfftn}[kind]
    wide = v.astype(float if kind == "RFFT" else complex)
    return f(wide, s=lengths if kind == "IRFFT" else None, axes=axes)


def near(got, want):
    """Within what a double transform may be off, and one rounding to f32."""
    a, b = got.values(), want.values()
    unit = 2.0 ** -24 if got.type in ("f32", "c64") else 0
    norm = np.abs(b).max(initial=0)
    return bool((np.abs(a - b) <= 2 * unit * np.abs(b) + 1e-13 * norm).all())


def fft(s):
    """Of lengths up to 100, to 1e-13 of the largest number."""
    kind, lengths, x, out = transform(s, 100)
    y = theirs(kind, lengths, x.values())
    y = y.astype({"f32": np.float32, "c64": np.complex64}.get(out, y.dtype))
    return Case("Fft", [x], {"fft_type": kind, "fft_length": lengths},
                [of(out, y)], equal=near)


def along(matrix, v, axis):
    return np.moveaxis(np.tensordot(matrix, v, axes=([1], [axis])), 0, axis)


def dft(n, rows, columns, sign):
    """Roots of unity: rows x columns of the matrix."""
    return np.array([[mpmath.expjpi(mpmath.mpf(sign * 2 * (j * k % n)) / n)
                      for k in range(columns)] for j in range(rows)],
                    dtype=object).reshape(rows, columns)


def definition(kind, lengths, v):
    """The transform by matrices of mpmath's numbers."""
    first = v.ndim - len(lengths)
    sign = -1 if kind in ("FFT", "RFFT") else 1
    for d, n in enumerate(lengths[:-1]):
        v = along(dft(n, n, n, sign), v, first + d)
    n, axis = lengths[-1], v.ndim - 1
    if kind == "IRFFT":
        half = n // 2 + 1
        m = dft(n, n, half, 1)
        # Conjugates stand for what is missing: real parts count twice, but
        # those of the zero and of the Nyquist frequency.
        v = along(m * np.array([1 if k == 0 or 2 * k == n else 2
                                for k in range(half)], dtype=object), v, axis)
    else:
        v = along(dft(n, n // 2 + 1 if kind == "RFFT" else n, n, sign), v, axis)
    return v if sign < 0 else v / int(np.prod(lengths))


def fft_rounded(s):
    """Small ones, each component correctly rounded."""
    kind, lengths, x, out = transform(s, 12)
    form = FORMATS[out if kind == "IRFFT" else COMPLEX[out]]
    exact = np.frompyfunc(lambda c: mpmath.mpc(int(c.real), int(c.imag)), 1, 1)(
        x.values().astype(complex))
    known = {}

    def values():
        if mp.prec not in known:
            known[mp.prec] = definition(kind, lengths, exact).ravel()
        return known[mp.prec]
    norm = int(np.abs(x.values()).sum()) + 1
    shape = list(x.shape[:x.bits.ndim - len(lengths)]) + list(lengths)
    if kind == "RFFT":
        shape[-1] = shape[-1] // 2 + 1
    parts = [[float(form.number(nearest(form, lambda i=i, part=part: (
        getattr(values()[i], part), mpmath.mpf(norm)))))
        for i in range(int(np.prod(shape)))]
        for part in (["real"] if kind == "IRFFT" else ["real", "imag"])]
    y = np.array(parts[0]) if len(parts) == 1 else (
        np.array(parts[0]) + 1j * np.array(parts[1]))
    return Case("Fft", [x], {"fft_type": kind, "fft_length": lengths},
                [of(out, y.reshape(shape))], equal=same_number)


# ---- Matrices -------------------------------------------------------------------

MATRIX = FLOAT_TYPES + list(COMPLEX)


def lower_factor(s, t, batch, n, diagonal):
    """Integers below the diagonal, on it those given."""
    x = s.small(t, batch + [n, n], -2, 2).values()
    x = np.tril(x.astype(complex if t in COMPLEX else float), -1)
    for i in np.ndindex(*batch, n):
        x[i + (i[-1],)] = s.choice(diagonal)
    return x


def junk(s, t, x, lower):
    """x with anything in the triangle that is not read."""
    j = s.small(t, x.shape, -9, 9).values()
    return of(t, np.tril(x) + np.triu(j, 1) if lower
              else np.triu(x) + np.tril(j, -1))


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def cholesky(s):
    t = s.choice(MATRIX)
    n, batch = s.randint(0, 5), [s.randint(1, 2) for _ in range(s.randint(0, 2))]
    lower = s.random() < 0.5
    x = lower_factor(s, t, batch, n, [1, 2, 3])
    a = x @ adjoint(x)
    y = x if lower else adjoint(x)
    if n and not batch:
        assert np.allclose(scipy.linalg.cholesky(a, lower=lower), y)
    inside = np.broadcast_to(np.tri(n, dtype=bool), x.shape)
    care = inside if lower else np.swapaxes(inside, -1, -2)
    return Case("Cholesky", [junk(s, t, a, lower)], {"lower": lower},
                [of(t, y)], equal=lambda got, want: same_number(
                    Array(got.type, got.bits[care]),
                    Array(want.type, want.bits[care])))


def triangular_solve(s):
    t = s.choice(MATRIX)
    n, m = s.randint(0, 5), s.randint(0, 3)
    batch = [s.randint(1, 2) for _ in range(s.randint(0, 2))]
    left, lower, unit = (s.random() < 0.5 for _ in "abc")
    flag = s.choice(["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"])
    pivots = [1, -1, 2, -2, 3] + ([1j, 1 + 1j] if t in COMPLEX else [])
    a = lower_factor(s, t, batch, n, [1] if unit else pivots)
    a = a if lower else np.swapaxes(a, -1, -2)
    full = {"NO_TRANSPOSE": a, "TRANSPOSE": np.swapaxes(a, -1, -2),
            "ADJOINT": adjoint(a)}[flag]
    x = s.small(t, batch + ([n, m] if left else [m, n]), -3, 3)
    wide = x.values().astype(a.dtype)
    b = full @ wide if left else wide @ full
    if n and m and not batch and left:
        assert np.allclose(scipy.linalg.solve_triangular(
            a, b, trans={"NO_TRANSPOSE": 0, "TRANSPOSE": 1, "ADJOINT": 2}[flag],
            lower=lower, unit_diagonal=unit), wide)
    given = junk(s, t, a, lower)
    if unit:
        v = given.values().copy()
        for i in np.ndindex(*batch, n):
            v[i + (i[-1],)] = s.randint(2, 9)
        given = of(t, v)
    return Case("TriangularSolve", [given, of(t, b)],
                {"left_side": left, "lower": lower, "unit_diagonal": unit,
                 "transpose_a": flag}, [x], equal=same_number)


# ---- Batch normalization --------------------------------------------------------

EPSILONS = {"0": Fraction(0), "0.5": Fraction(1, 2), "0.001": FORMATS[
    "f32"].number(FORMATS["f32"].round(Fraction(1, 1000)))}


class Norm:
    """Operands of a batch normalization, exactly."""

    def __init__(self, s):
        self.t = s.choice(FLOAT_TYPES)
        self.form = FORMATS[self.t]
        self.dims = [s.randint(1, 4) for _ in range(s.randint(1, 4))]
        self.feature = s.randrange(len(self.dims))
        self.s, self.n = s, self.dims[self.feature]
        self.count = int(np.prod(self.dims)) // self.n
        self.name = s.choice(list(EPSILONS))
        self.epsilon = EPSILONS[self.name]
        self.x = s.small(self.t, self.dims, -20, 20)
        self.attributes = {"epsilon": self.name, "feature_index": self.feature}

    def vector(self, low, high):
        return self.s.small(self.t, [self.n], low, high)

    def lines(self, x):
        """For each feature its elements as Fractions."""
        v = np.moveaxis(x.values(), self.feature, 0).reshape(self.n, -1)
        return [[Fraction(int(e)) for e in row] for row in v]

    def whole(self, lines):
        """An array of the operand's shape from its lines of patterns."""
        rest = [d for k, d in enumerate(self.dims) if k != self.feature]
        v = np.array(lines, dtype=store_of(self.t)).reshape([self.n] + rest)
        return Array(self.t, np.moveaxis(v, 0, self.feature))

    def numbers(self, values):
        return Array(self.t, np.array([self.form.round(x) for x in values],
                                      dtype=store_of(self.t)))

    def over_root(self, n, w, offset=Fraction(0)):
        """offset + n / sqrt(w), rounded once."""
        if n == 0:
            return self.form.round(offset)

        def compute():
            # Quotients of integers: a Fraction need not be dyadic here.
            q = mpmath.mpf(n.numerator) / n.denominator
            root = mpmath.sqrt(mpmath.mpf(w.numerator) / w.denominator)
            y = q / root
            return y + number(offset), abs(y) + abs(number(offset))
        return nearest(self.form, compute)


def batch_norm(s, training):
    b = Norm(s)
    scale, offset = b.vector(-3, 3), b.vector(-5, 5)
    lines = b.lines(b.x)
    if training:
        mean = [sum(x) / b.count for x in lines]
        var = [sum((e - m) ** 2 for e in x) / b.count
               for x, m in zip(lines, mean)]
        more = []
    else:
        more = [b.vector(-9, 9), b.vector(1, 9)]
        mean, var = ([Fraction(int(e)) for e in v.values()] for v in more)
    if any(v + b.epsilon == 0 for v in var):
        return batch_norm(s, training)
    y = b.whole([[b.over_root((e - m) * int(k), v + b.epsilon, Fraction(int(o)))
                  for e in x] for x, m, v, k, o in zip(
                      lines, mean, var, scale.values(), offset.values())])
    op = "BatchNormTraining" if training else "BatchNormInference"
    return Case(op, [b.x, scale, offset] + more, b.attributes,
                [y] + ([b.numbers(mean), b.numbers(var)] if training else []),
                equal=same_number)


def batch_norm_grad(s):
    b = Norm(s)
    dy = s.small(b.t, b.dims, -9, 9)
    scale, mean, var = b.vector(-3, 3), b.vector(-9, 9), b.vector(1, 9)
    rows, grads = [], []
    lines = list(zip(b.lines(b.x), b.lines(dy), *(
        [Fraction(int(e)) for e in v.values()] for v in (scale, mean, var))))
    for x, d, k, m, v in lines:
        w = v + b.epsilon
        dot = sum(p * (e - m) for p, e in zip(d, x))
        grads.append(b.over_root(dot, w))
        rows.append([b.over_root(k * (p - sum(d) / b.count - (e - m) * dot
                                      / b.count / w), w)
                     for p, e in zip(d, x)])
    vector = Array(b.t, np.array(grads, dtype=store_of(b.t)))
    return Case("BatchNormGrad", [b.x, scale, mean, var, dy], b.attributes,
                [b.whole(rows), vector, b.numbers([sum(d) for _, d, *_ in
                                                   lines])], equal=same_number)


OPS = {"Fft": fft, "Fft (rounded)": fft_rounded, "Cholesky": cholesky,
       "TriangularSolve": triangular_solve,
       "BatchNormTraining": lambda s: batch_norm(s, True),
       "BatchNormInference": lambda s: batch_norm(s, False),
       "BatchNormGrad": batch_norm_grad}
