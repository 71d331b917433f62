#!/usr/bin/python3
# transforms.t - programs of Fourier transforms and complex numbers against legal
# evaluations.
#
# SPDX-License-Identifier: Apache-2.0
#
# A transform of n numbers may be off by a vector of length
# 8 log2(n) u times that of its result (spec/verdicts.md).  NumPy evaluates each
# program with transforms in f32, by halves or term by term, with products of
# complex numbers of three or four real ones, and with transforms each of which is
# off by all it may be in the direction that moves one result most.  All results
# must be in the sets that `assay eval` prints, and the last kind must come near
# to their ends.
#
# ASSAY_SEED: other data.  ASSAY_SAMPLES: evaluations, 300.
import itertools
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accepts import evaluate_all  # noqa: E402
from legal import draw, function  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SAMPLES = int(os.environ.get("ASSAY_SAMPLES", "300"))
F, C, U = np.float32, np.complex64, 2.0 ** -24


# ---- Transforms in f32 --------------------------------------------------------

def times(x, y, ways):
    """A complex product of four real products, or of three."""
    a, b, c, d = x.real, x.imag, y.real, y.imag
    if ways == 3:
        k = c * (a + b)
        return ((k - b * (c + d)) + 1j * (k + a * (d - c))).astype(C)
    return ((a * c - b * d) + 1j * (a * d + b * c)).astype(C)


def root(n, k, sign, cut):
    w = np.exp(sign * 2j * np.pi * np.asarray(k) / n)
    return cut(w.real).astype(F) + 1j * cut(w.imag).astype(F)


def halves(x, sign, ways, cut):
    n = len(x)
    if n == 1:
        return x
    if n % 2:
        return terms(x, sign, ways, cut)
    even, odd = (halves(x[k::2], sign, ways, cut) for k in (0, 1))
    odd = times(root(n, range(n // 2), sign, cut).astype(C), odd, ways)
    return np.concatenate([even + odd, even - odd]).astype(C)


def terms(x, sign, ways, cut):
    n = len(x)
    total = np.zeros(n, C)
    for j in draw.permutation(n):
        w = root(n, np.arange(n) * j % n, sign, cut).astype(C)
        total = (total + times(w, x[j], ways)).astype(C)
    return total


class Machine:
    """A backend: how it transforms; cut: what it takes for roots of unity."""

    def __init__(self, by, ways, cut=F):
        self.by, self.ways, self.cut = by, ways, cut

    def fft(self, x, _place):
        return self.by(x.astype(C), -1, self.ways, self.cut)

    def ifft(self, x, _place):
        return (self.by(x.astype(C), 1, self.ways, self.cut) / F(len(x))).astype(C)

    def mul(self, x, y):
        return times(x, y, 4)

    exp = staticmethod(lambda x: function(np.exp, x[None])[0])


class Pushed(Machine):
    """Exact but for what its transforms are off, by place."""

    def __init__(self, errors):
        self.errors, self.seen = errors, {}

    def put(self, y, place, inverse):
        n = len(y)
        k = 8 * int(np.ceil(np.log2(n))) + 2 * inverse
        self.seen[place] = y, k * U / (1 - k * U) * np.linalg.norm(y)
        return y + self.errors.get(place, 0)

    def fft(self, x, place):
        return self.put(np.fft.fft(x.astype(complex)), place, False)

    def ifft(self, x, place):
        return self.put(np.fft.ifft(x.astype(complex)), place, True)

    def mul(self, x, y):
        return x * y

    exp = staticmethod(lambda x: np.exp(x.astype(np.float64)))


def rfft(m, x, place):
    return m.fft(x, place)[:len(x) // 2 + 1]


def irfft(m, x, n, place):
    """The real frequencies have no imaginary parts; the rest has a mirror."""
    x = x.copy()
    x.imag[[0] + ([n // 2] if n % 2 == 0 else [])] = 0
    return m.ifft(np.concatenate([x, np.conj(x[1:(n + 1) // 2][::-1])]),
                  place).real


# ---- Programs -----------------------------------------------------------------

def convolution(m, x, y):
    return irfft(m, m.mul(rfft(m, x, 0), rfft(m, y, 1)), len(x), 2)


def in_parts(m, x, y):
    a, b = rfft(m, x, 0), rfft(m, y, 1)
    c = (a.real * b.real - a.imag * b.imag) + 1j * (a.real * b.imag
                                                    + a.imag * b.real)
    return irfft(m, c, len(x), 2)


def back(m, x, _y):
    return irfft(m, rfft(m, x, 0), len(x), 2)


def spectrum(m, x, _y):
    return np.abs(rfft(m, m.exp(x), 0))


def difference(m, x, y):
    a, b = m.fft(m.exp(x), 0), m.fft(m.exp(y) + 1j * x, 1)
    return m.ifft(-(a - b), 2).imag


R = "{fft_type = RFFT, fft_length = [N]}"
I = "{fft_type = IRFFT, fft_length = [N]}"  # noqa: E741
PROGRAMS = {
    "convolution": (convolution, [
        f"a = Fft(p0) {R}", f"b = Fft(p1) {R}", "c = Mul(a, b)",
        f"r = Fft(c) {I}"]),
    "convolution in parts": (in_parts, [
        f"a = Fft(p0) {R}", f"b = Fft(p1) {R}", "ar = Real(a)", "ai = Imag(a)",
        "br = Real(b)", "bi = Imag(b)", "s = Mul(ar, br)", "t = Mul(ai, bi)",
        "u = Sub(s, t)", "v = Mul(ar, bi)", "w = Mul(ai, br)", "x = Add(v, w)",
        "c = Complex(u, x)", f"r = Fft(c) {I}"]),
    "back": (back, [f"a = Fft(p0) {R}", f"r = Fft(a) {I}"]),
    "spectrum": (spectrum, ["e = Exp(p0)", f"a = Fft(e) {R}", "r = Abs(a)"]),
    "difference": (difference, [
        "e = Exp(p0)", "z = Constant() {literal = f32[] 0}",
        "zz = Broadcast(z) {broadcast_sizes = [N]}", "ec = Complex(e, zz)",
        "f = Exp(p1)", "fc = Complex(f, p0)",
        "a = Fft(ec) {fft_type = FFT, fft_length = [N]}",
        "b = Fft(fc) {fft_type = FFT, fft_length = [N]}", "s = Sub(a, b)",
        "n = Neg(s)", "i = Fft(n) {fft_type = IFFT, fft_length = [N]}",
        "r = Imag(i)"]),
}
NOTHING = ["e = Exp(p0)", f"a = Fft(e) {R}", "d = Sub(a, a)", "r = Abs(d)"]


def case(n, body, arrays):
    body = [line.replace("[N]", f"[{n}]") for line in body]
    return {"op": re.search(r"= (\w+)\(", body[0])[1],
            "inputs": [{"shape": f"f32[{n}]", "hex": a.tobytes().hex()}
                       for a in arrays],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": [f"f32[{n}]"] * 2, "body": body,
                "result": "r"}}}}


def sets(cases):
    found = []
    made, said = evaluate_all(cases, "Fft", "spec")
    if len(made) != len(cases):
        sys.exit(said)
    for one in made:
        numbers = [[float(x) for x in re.split(r"[][, |]+", e["accept"]) if x]
                   for e in one["replicas"][0][0]["elements"]]
        found.append(np.array([[min(n), max(n)] for n in numbers]).T)
    return found


def worst(run, arrays, at):
    """Of each transform the error that moves that unit most, by place."""
    base, found = Pushed({}), {}
    start = run(base, *arrays)[at]
    for place, (y, far) in base.seen.items():
        by, size = np.zeros(len(y), complex), np.linalg.norm(y) * 1e-4
        for k, part in itertools.product(range(len(y)), (1, 1j)):
            e = np.zeros(len(y), complex)
            e[k] = part * size
            by[k] += part * (run(Pushed({place: e}), *arrays)[at] - start)
        found[place] = 0.999 * far * by / np.linalg.norm(by)
    return found


def outside(got, ends):
    return ~((got >= ends[0]) & (got <= ends[1]))


def check(name, n, arrays, ends):
    run = PROGRAMS[name][0]
    wrong, near = [], 0
    kinds = [Machine(by, ways) for by in (halves, terms) for ways in (3, 4)]
    for k in range(SAMPLES // 15):
        got = run(kinds[k % 4], *arrays).astype(F)
        wrong += [f"{got[i]!r} at {i}, not in {ends[:, i]}"
                  for i in np.flatnonzero(outside(got, ends))]
    for at in draw.choice(ends.shape[1], 2, replace=False):
        errors = worst(run, arrays, at)
        for sign in (1, -1):
            got = F(run(Pushed({k: sign * e for k, e in errors.items()}),
                        *arrays)[at])
            if not ends[0, at] <= got <= ends[1, at]:
                wrong.append(f"{got!r} at {at}, not in {ends[:, at]}")
            middle, half = ends[:, at].mean(), np.ptp(ends[:, at]) / 2
            near = max(near, abs(got - middle) / half)
    ok(not wrong, f"{name} of {n}: legal results are right",
       "\n".join(wrong[:4]))
    ok(near > 0.5, f"{name} of {n}: some come near to an end", near)
    print(f"# {name} of {n}: {near:.2f} of a half-width")
    bad = Machine(halves, 4, lambda x: np.round(np.asarray(x) * 256) / 256)
    ok(np.any(outside(run(bad, *arrays).astype(F), ends)),
       f"{name} of {n}: the control, with roots of 8 bits, is wrong")


drawn = [(name, n, [(draw.standard_normal(n) * spread).astype(F)
                    for _ in range(2)])
         for name in PROGRAMS for n in (8, 31, 64) for spread in (0.3, 1)]
found = sets([case(n, PROGRAMS[name][1], arrays)
              for name, n, arrays in drawn])
for one, own in zip(drawn, found):
    check(*one, own)
figure("evaluations of transforms", len(drawn) * SAMPLES // 15)
x = [(draw.standard_normal(31)).astype(F) for _ in range(2)]
zero, = sets([case(31, NOTHING, x)])
ok(np.all(np.abs(zero) < 1e-37), "a transform less itself is 0", zero)
finish()
