"""Right kernels in NumPy that compute in other legal ways.

SPDX-License-Identifier: Apache-2.0

RIGHTS is a list of (program, how it computes, kernel), in the form of WRONG of
planted.py.  Most round as the definition does, in another order of adding, with
fused products and sums, or with functions within their budgets.  A few are
another form of it (Welford, online softmax): equal in real numbers.
"""
import math

import numpy as np

from planted import RESULT, RIGHT, rowmax, up

RIGHTS = []


def right(program, text):
    def take(f):
        RIGHTS.append((program, text, f))
        return f
    return take


def near(f, step=0):
    """A function in f64, rounded, and then off by step ulps of the type, in
    turns up and down; exact values at zero and infinity stay."""
    def g(x):
        with np.errstate(all="ignore"):
            y = f(x.astype(np.float64)).astype(x.dtype)
        if not step:
            return y
        up_, down = y, y
        for _i in range(step):
            up_ = np.nextafter(up_, x.dtype.type(np.inf))
            down = np.nextafter(down, x.dtype.type(-np.inf))
        odd = (np.arange(x.size).reshape(x.shape) & 1).astype(bool)
        keep = ~np.isfinite(y) | (y == 0) | (x == 0) | (y == 1) | (y == -1)
        return np.where(keep, y, np.where(odd, up_, down)).astype(x.dtype)
    return g


erf = np.vectorize(math.erf, otypes=[np.float64])
EXP, LOG, TANH = near(np.exp), near(np.log), near(np.tanh)


def logistic(x):
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


SIGMOID = near(logistic)


def fma(a, b, c):
    """a b + c of f32, rounded once: the sum in f64 is rounded to odd."""
    a, b, c = np.broadcast_arrays(a, b, c)
    if a.dtype != np.float32:
        return a * b + c
    p, d = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    with np.errstate(all="ignore"):
        s = p + d
        t = s - p
        lost = (p - (s - t)) + (d - t)
        even = (s.view(np.int64) & 1) == 0
        fix = np.isfinite(s) & (lost != 0) & even
        odd = np.nextafter(s, np.where(lost > 0, np.inf, -np.inf))
        return np.where(fix, odd, s).astype(np.float32)


def pairwise(x):
    """The sums of rows, as a tree: halves are added."""
    while x.shape[1] > 1:
        half = x.shape[1] // 2
        rest = x[:, 2 * half:]
        x = np.concatenate((x[:, :half] + x[:, half:2 * half], rest), 1)
    return x if x.shape[1] else np.zeros((len(x), 1), x.dtype)


def backward(x):
    """The sums of rows, one by one from the last."""
    s = np.zeros((len(x), 1), x.dtype)
    for i in range(x.shape[1])[::-1]:
        s = s + x[:, i:i + 1]
    return s


def lanes(x, n=32):
    """The sums of rows by n threads, each with every n-th element, and then
    as a tree."""
    s = np.zeros((len(x), n), x.dtype)
    for i in range(0, x.shape[1], n):
        part = x[:, i:i + n]
        s[:, :part.shape[1]] += part
    return pairwise(s)


def exactly(x):
    """The sums of rows in f64, rounded once."""
    return x.sum(1, keepdims=True, dtype=np.float64).astype(x.dtype)


def tiles(n, size):
    return [slice(i, min(i + size, n)) for i in range(0, n, size)]


def product(a, b, size=16):
    """A product of matrices, added tile by tile of the common dimension."""
    made = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for t in tiles(a.shape[1], size):
        made = made + a[:, t] @ b[t]
    return made


def wide(a, b):
    return (a.astype(np.float64) @ b.astype(np.float64)).astype(a.dtype)


def chain(a, b):
    """A product of matrices as one chain of fused operations, backwards."""
    made = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    for i in range(a.shape[1])[::-1]:
        made = fma(a[:, i:i + 1], b[i][None], made)
    return made


# ---- Softmax and its relatives ---------------------------------------------

def softmax(x, total=pairwise, exp=EXP):
    y = up(x)
    e = exp(y - rowmax(y))
    return (e / total(e)).astype(x.dtype)


for _text, _total in (("as a tree", pairwise), ("by 32 lanes", lanes),
                      ("backwards", backward), ("in f64", exactly)):
    right("softmax", f"the sum {_text}")(
        lambda x, total=_total: softmax(x, total))


@right("softmax", "exp is off by 2 ulps")
def _(x):
    return softmax(x, lanes, near(np.exp, 2))


@right("softmax", "a product with the sum's reciprocal")
def _(x):
    y = up(x)
    e = EXP(y - rowmax(y))
    return (e * (1 / exactly(e))).astype(x.dtype)


@right("softmax", "online, in tiles of 64 columns")
def _(x):
    y = up(x)
    m = np.full((len(y), 1), -np.inf, y.dtype)
    s = np.zeros_like(m)
    for t in tiles(y.shape[1], 64):
        new = np.maximum(m, rowmax(y[:, t]))
        # Until a number is found, nothing is to be rescaled.
        a = np.where(m == -np.inf, 0, EXP(m - new)).astype(y.dtype)
        e = np.where(new == -np.inf, 0, EXP(y[:, t] - new)).astype(y.dtype)
        s, m = s * a + pairwise(e), new
    return (EXP(y - m) / s).astype(x.dtype)


@right("log-softmax", "the sum as a tree, exact functions")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - LOG(pairwise(EXP(d)))).astype(x.dtype)


@right("log-softmax", "the sum backwards, exp off by 1 ulp")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - LOG(backward(near(np.exp, 1)(d)))).astype(x.dtype)


@right("logsumexp", "the sum by 32 lanes, exact functions")
def _(x):
    y = up(x)
    m = rowmax(y)
    m = np.where(np.isfinite(m), m, 0).astype(y.dtype)
    return (LOG(lanes(EXP(y - m))) + m)[:, 0].astype(x.dtype)


@right("cross-entropy", "the sum as a tree, the label by a comparison")
def _(x, labels):
    y = up(x)
    m = rowmax(y)
    m = np.where(np.isfinite(m), m, 0).astype(y.dtype)
    hot = np.arange(x.shape[1])[None] == labels[:, None]
    own = np.where(hot, y, 0).sum(1, keepdims=True, dtype=y.dtype)
    return (LOG(pairwise(EXP(y - m))) + m - own)[:, 0].astype(x.dtype)


@right("moe-topk", "chosen by a sort of pairs, the sum in the other order")
def _(x):
    y = up(x)
    place = np.broadcast_to(np.arange(x.shape[1]), y.shape)
    i = np.lexsort((place, -y), 1)[:, :2]
    v = np.take_along_axis(y, i, 1)
    e = EXP(v - rowmax(v))
    return (e / (e[:, 1:] + e[:, :1])).astype(x.dtype), i.astype(np.int32)


# ---- Normalisations --------------------------------------------------------

ROOT = near(lambda v: 1 / np.sqrt(v))


def layer(x, g, h, total, fused=False):
    y = up(x)
    t = y.dtype.type
    n = t(x.shape[1])
    c = y - total(y) / n
    z = c * ROOT(total(c * c) / n + t(1e-5))
    if fused:
        return fma(z, up(g), up(h)).astype(x.dtype)
    return (z * up(g) + up(h)).astype(x.dtype)


@right("layer-norm", "sums as a tree")
def _(x, g, h):
    return layer(x, g, h, pairwise)


@right("layer-norm", "sums by 32 lanes, the last step fused")
def _(x, g, h):
    return layer(x, g, h, lanes, True)


@right("layer-norm", "Welford")
def _(x, g, h):
    y = up(x)
    t = y.dtype.type
    mu = np.zeros((len(y), 1), y.dtype)
    u = np.zeros_like(mu)
    for i in range(y.shape[1]):
        d = y[:, i:i + 1] - mu
        mu = mu + d / t(i + 1)
        u = u + d * (y[:, i:i + 1] - mu)
    z = (y - mu) * ROOT(u / t(max(x.shape[1], 1)) + t(1e-5))
    return (z * up(g) + up(h)).astype(x.dtype)


def rms(x, g, total, root=ROOT):
    y = up(x)
    t = y.dtype.type
    r = root(total(y * y) / t(x.shape[1]) + t(1e-6))
    return (y * r * up(g)).astype(x.dtype)


@right("rms-norm", "the sum backwards")
def _(x, g):
    return rms(x, g, backward)


@right("rms-norm", "the sum in f64, 1 / sqrt in two steps")
def _(x, g):
    return rms(x, g, exactly, lambda v: 1 / np.sqrt(v))


@right("rms-norm", "a quotient by the root")
def _(x, g):
    y = up(x)
    t = y.dtype.type
    r = np.sqrt(lanes(y * y) / t(x.shape[1]) + t(1e-6))
    return (y / r * up(g)).astype(x.dtype)


@right("batch-norm", "rsqrt, the last step fused")
def _(x, mu, v, g, h):
    t = up(x).dtype.type
    z = (up(x) - up(mu)) * ROOT(up(v) + t(1e-5))
    return fma(z, up(g), up(h)).astype(x.dtype)


# ---- Attention -------------------------------------------------------------

def attend(q, k, v, dot=product, total=pairwise, keep=None, exp=EXP):
    y = up(q)
    s = dot(y, up(k).T) / np.sqrt(y.dtype.type(q.shape[1]))
    if keep is not None:
        s = np.where(keep, s, y.dtype.type(-np.inf))
    e = exp(s - rowmax(s))
    return dot((e / total(e)).astype(y.dtype), up(v)).astype(q.dtype)


@right("attention", "products in tiles of 16, the sum as a tree")
def _(q, k, v):
    return attend(q, k, v)


@right("attention", "products in f64, the sum backwards, exp off by 1 ulp")
def _(q, k, v):
    return attend(q, k, v, wide, backward, exp=near(np.exp, 1))


@right("attention", "online, in tiles of 64 keys")
def _(q, k, v):
    y = up(q)
    s = product(y, up(k).T) / np.sqrt(y.dtype.type(q.shape[1]))
    m = np.full((len(q), 1), -np.inf, s.dtype)
    n, o = np.zeros_like(m), np.zeros((len(q), v.shape[1]), s.dtype)
    for t in tiles(len(k), 64):
        new = np.maximum(m, rowmax(s[:, t]))
        a = np.where(m == -np.inf, 0, EXP(m - new)).astype(s.dtype)
        e = np.where(new == -np.inf, 0, EXP(s[:, t] - new)).astype(s.dtype)
        n, o, m = n * a + pairwise(e), o * a + e @ up(v)[t], new
    return (o / n).astype(q.dtype)


@right("causal-attention", "chains of fused products, from the last")
def _(q, k, v):
    i, j = np.ogrid[:len(q), :len(k)]
    return attend(q, k, v, chain, lanes, i + len(k) - len(q) >= j)


@right("masked-attention", "products in tiles of 16, the sum by 32 lanes")
def _(q, k, v, mask):
    y, some = up(q), mask.any(1, keepdims=True)
    t = y.dtype.type
    s = product(y, up(k).T) / np.sqrt(t(q.shape[1]))
    m = np.where(some, rowmax(np.where(mask, s, t(-np.inf))), t(0))
    e = np.where(mask, EXP(np.where(mask, s, t(0)) - m), t(0))
    w = e / np.where(some, lanes(e), t(1))
    return product(w.astype(y.dtype), up(v)).astype(q.dtype)


# ---- Activations, elementwise ----------------------------------------------

def half(x, f):
    y = up(x)
    return (y * y.dtype.type(0.5) * (f(y) + 1)).astype(x.dtype)


@right("gelu", "erf is off by 1 ulp")
def _(x):
    return half(x, lambda y: near(erf, 1)(y / np.sqrt(y.dtype.type(2))))


@right("gelu-tanh", "the polynomial is fused, tanh off by 1 ulp")
def _(x):
    def f(y):
        t = y.dtype.type
        return near(np.tanh, 1)(t(0.7978845608028654) * fma(
            t(0.044715), y * y * y, y))
    return half(x, f)


@right("silu", "the sigmoid correctly rounded")
def _(x):
    return (up(x) * SIGMOID(up(x))).astype(x.dtype)


@right("silu", "the sigmoid off by 2 ulps")
def _(x):
    f = np.clip(near(logistic, 2)(up(x)), 0, 1)
    return (up(x) * f).astype(x.dtype)


@right("rope", "one product of each sum is fused")
def _(x, c, s):
    h = c.shape[1]
    a, b, c, s = up(x)[:, :h], up(x)[:, h:], up(c), up(s)
    return np.concatenate((fma(a, c, -(b * s)), fma(b, c, a * s)), 1).astype(
        x.dtype)


@right("adam-step", "the moments by fused operations")
def _(p, g, m, v):
    t = p.dtype.type
    m1 = fma(t(0.9), m, t(0.1) * g)
    v1 = fma(t(0.001), g * g, t(0.999) * v)
    u = (m1 / t(0.271)) / (np.sqrt(v1 / t(0.002997001)) + t(1e-8))
    return p - t(0.001) * u, m1, v1


@right("adam-step", "in f64, constants as well, rounded once")
def _(*arrays):
    p, g, m, v = (a.astype(np.float64) for a in arrays)
    m1, v1 = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * (g * g)
    u = (m1 / (1 - 0.9 ** 3)) / (np.sqrt(v1 / (1 - 0.999 ** 3)) + 1e-8)
    return tuple(x.astype(arrays[0].dtype) for x in (p - 0.001 * u, m1, v1))


# ---- Products of matrices --------------------------------------------------

@right("conv-bias-relu", "a product with a matrix of all windows, in f64")
def _(x, w, h):
    b, rows, columns, i = x.shape
    p = np.pad(up(x), ((0, 0), (1, 1), (1, 1), (0, 0)))
    all_ = np.concatenate([p[:, r:r + rows, c:c + columns]
                           for r in range(3) for c in range(3)], 3)
    y = wide(all_.reshape(b * rows * columns, 9 * i),
             up(w).reshape(9 * i, w.shape[3]))
    y = np.maximum(y + up(h), 0).astype(x.dtype)
    return y.reshape(b, rows, columns, w.shape[3])


@right("conv-bias-relu", "channel by channel, the window backwards")
def _(x, w, h):
    _b, rows, columns, channels = x.shape
    p = np.pad(up(x), ((0, 0), (1, 1), (1, 1), (0, 0)))
    y = np.zeros((*x.shape[:3], w.shape[3]), p.dtype)
    for i in range(channels):
        for r in (2, 1, 0):
            for c in (2, 1, 0):
                y += p[:, r:r + rows, c:c + columns, i, None] * up(w)[r, c, i]
    return np.maximum(y + up(h), 0).astype(x.dtype)


@right("mlp", "products in tiles of 16")
def _(x, w1, b1, w2, b2):
    z = np.maximum(product(up(x), up(w1)) + up(b1), 0)
    return (product(z, up(w2)) + up(b2)).astype(x.dtype)


@right("mlp", "chains of fused products, from the last")
def _(x, w1, b1, w2, b2):
    z = np.maximum(chain(up(x), up(w1)) + up(b1), 0)
    return (chain(z, up(w2)) + up(b2)).astype(x.dtype)


def cell(x, h, c, z):
    i, f, g, o = np.split(z, 4, 1)
    c1 = SIGMOID(f) * up(c) + SIGMOID(i) * TANH(g)
    return (SIGMOID(o) * TANH(c1)).astype(x.dtype), c1.astype(x.dtype)


@right("lstm-cell", "products in f64, exact functions")
def _(x, h, c, w, u, b):
    z = wide(up(x), up(w)) + wide(up(h), up(u)) + up(b)
    return cell(x, h, c, z)


@right("lstm-cell", "one product of x and h side by side")
def _(x, h, c, w, u, b):
    z = np.concatenate((up(x), up(h)), 1) @ np.concatenate((up(w), up(u)))
    return cell(x, h, c, z + up(b))


@right("gru-cell", "gate by gate, products in tiles of 16")
def _(x, h, w, u, bw, bu):
    def side(a, matrix, offset, gate):
        n = h.shape[1]
        part = slice(gate * n, gate * n + n)
        return product(up(a), up(matrix)[:, part]) + up(offset)[part]

    r = SIGMOID(side(x, w, bw, 0) + side(h, u, bu, 0))
    z = SIGMOID(side(x, w, bw, 1) + side(h, u, bu, 1))
    n = TANH(side(x, w, bw, 2) + r * side(h, u, bu, 2))
    return ((1 - z) * n + z * up(h)).astype(x.dtype)


@right("quantised-matmul", "the zero point by sums of columns")
def _(a, w, z, s):
    v = w.astype(np.int64)
    acc = a.astype(np.int64) @ v - np.int64(z) * v.sum(0)
    return (acc.astype(np.int32).astype(np.float32) * s).astype(
        RESULT["quantised-matmul"])


@right("quantised-matmul", "the product in f64, which is exact")
def _(a, w, z, s):
    acc = (a.astype(np.float64) - np.float64(z)) @ w.astype(np.float64)
    return (acc.astype(np.float32) * s).astype(RESULT["quantised-matmul"])


@right("loss-gradient", "tiles of 16 rows, products in f64")
def _(x, w, y):
    t = up(x).dtype.type
    r = wide(up(x), up(w)[:, None]) - up(y)[:, None]
    g = product(np.ascontiguousarray(up(x).T), r)[:, 0]
    return (g * t(2) / t(len(x))).astype(x.dtype)


@right("fft-convolution", "the transforms in f64, rounded once")
def _(a, b):
    f = np.fft.rfft(a.astype(np.float64)) * np.fft.rfft(b.astype(np.float64))
    return np.fft.irfft(f, len(a)).astype(a.dtype)


@right("fft-convolution", "the sum of products in f64, without a transform")
def _(a, b):
    n = np.arange(len(a))
    shifted = b.astype(np.float64)[(n[:, None] - n) % max(len(a), 1)]
    with np.errstate(all="ignore"):
        return (shifted @ a.astype(np.float64)).astype(a.dtype)
