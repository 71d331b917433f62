"""Wrong kernels in NumPy, written without knowledge of the gate's data.

SPDX-License-Identifier: Apache-2.0

In the form of planted.py.  Each was seen to be wrong without the gate: on some
operands its error is above four times that of every right kernel.
"""
import numpy as np

from planted import (RESULT, RIGHT, conv, erf, log, rowmax, sigmoid, up, wrong)


def bf16(x):
    """Rounded to the 8 bits of bf16, ties to even, in the same type."""
    y = np.ascontiguousarray(x, np.float32)
    b = y.view(np.uint32)
    made = (b + np.uint32(0x7fff) + ((b >> 16) & 1)) & np.uint32(0xffff0000)
    return np.where(np.isfinite(y), made.view(np.float32), y).astype(x.dtype)


def f16(x):
    return x.astype(np.float16).astype(x.dtype)


def packed(x):
    """What a kernel reads that ignores the strides."""
    extent = sum((n - 1) * s for n, s in zip(x.shape, x.strides)) + x.itemsize
    if not x.size or min(x.strides, default=1) <= 0 or extent < x.nbytes:
        return x
    strides = [x.itemsize * int(np.prod(x.shape[i + 1:]))
               for i in range(x.ndim)]
    return np.lib.stride_tricks.as_strided(x, x.shape, strides)


def blocks(n, size):
    return [slice(i, min(i + size, n)) for i in range(0, n, size)]


# ---- Softmax and its relatives ---------------------------------------------

@wrong("softmax", "e^x as 2^(x log2 e), the product in f32")
def _(x):
    y = up(x)
    t = y.dtype.type
    e = np.exp2((y - rowmax(y)) * t(np.log2(np.e)))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "beyond 128 columns the tile is padded with zeros")
def _(x):
    y, n = up(x), x.shape[1]
    pad = -n % 128 if n > 128 else 0
    p = np.pad(y, ((0, 0), (0, pad)))
    e = np.exp(p - rowmax(p))
    return (e[:, :n] / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax",
       "a new maximum in the last tile of 64 does not rescale the sum")
def _(x):
    y = up(x)
    m = np.full((len(y), 1), -np.inf, y.dtype)
    s = np.zeros_like(m)
    for b in blocks(y.shape[1], 64):
        new = np.maximum(m, rowmax(y[:, b]))
        scale = np.exp(m - new) if b.start and b.stop < y.shape[1] else 1
        s = s * scale + np.exp(y[:, b] - new).sum(1, keepdims=True)
        m = new
    return (np.exp(y - m) / s).astype(x.dtype)


@wrong("softmax", "the sum is accumulated in f16")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    s = np.zeros((len(y), 1), np.float16)
    for i in range(y.shape[1]):
        s = (s + e[:, i:i + 1]).astype(np.float16)
    return (e / s.astype(y.dtype)).astype(x.dtype)


@wrong("softmax", "differences are clamped to -30 before exp")
def _(x):
    y = up(x)
    e = np.exp(np.maximum(y - rowmax(y), -30))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "a row of -inf gives zeros")
def _(x):
    made = RIGHT["softmax"](x)
    dead = (up(x) == -np.inf).all(1)
    made[dead] = 0
    return made


@wrong("softmax", "the axis is found by its length")
def _(x):
    y, axis = up(x), x.shape.index(x.shape[-1])
    e = np.exp(y - y.max(axis, keepdims=True, initial=-np.inf))
    return (e / e.sum(axis, keepdims=True)).astype(x.dtype)


@wrong("log-softmax", "the logarithm of softmax + 1e-30")
def _(x):
    p = RIGHT["softmax"](up(x))
    return log(p + p.dtype.type(1e-30)).astype(x.dtype)


@wrong("log-softmax", "one maximum for each tile of four rows")
def _(x):
    y, made = up(x), np.empty(x.shape, up(x).dtype)
    for b in blocks(len(y), 4):
        d = y[b] - y[b].max(initial=-np.inf)
        made[b] = d - log(np.exp(d).sum(1, keepdims=True))
    return made.astype(x.dtype)


@wrong("log-softmax", "only the first 512 columns are added")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - log(np.exp(d[:, :512]).sum(1, keepdims=True))).astype(x.dtype)


@wrong("log-softmax", "1e-6 is added before the logarithm")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    s = np.exp(d).sum(1, keepdims=True)
    return (d - log(s + s.dtype.type(1e-6))).astype(x.dtype)


@wrong("log-softmax", "-inf elements are given the lowest finite number")
def _(x):
    made = RIGHT["log-softmax"](x)
    return np.where(made == -np.inf, np.finfo(np.float32).min, made).astype(
        x.dtype)


@wrong("logsumexp", "a row with +inf gives NaN")
def _(x):
    y = up(x)
    m = rowmax(y)
    m = np.where(m == -np.inf, 0, m)
    return (log(np.exp(y - m).sum(1)) + m[:, 0]).astype(x.dtype)


@wrong("logsumexp", "the maximum starts at 0")
def _(x):
    y = up(x)
    m = y.max(1, keepdims=True, initial=0)
    m = np.where(np.isfinite(m), m, 0)
    return (log(np.exp(y - m).sum(1)) + m[:, 0]).astype(x.dtype)


@wrong("logsumexp", "an empty row gives 0")
def _(x):
    if not x.shape[1]:
        return np.zeros(len(x), x.dtype)
    return RIGHT["logsumexp"](x)


@wrong("logsumexp", "NaN is skipped")
def _(x):
    return RIGHT["logsumexp"](np.where(np.isnan(x), -np.inf, x).astype(x.dtype))


@wrong("logsumexp",
       "a last tile of fewer than 32 after tiles of 256 is left out")
def _(x):
    n = x.shape[1]
    if n > 256 and n % 256 < 32:
        x = x[:, :n - n % 256]
    return RIGHT["logsumexp"](x)


# ---- Normalisations --------------------------------------------------------

@wrong("layer-norm",
       "beyond 64 columns, the variance is the mean of the tiles' own")
def _(x, g, h):
    y = up(x)
    t = y.dtype.type
    u = np.zeros((len(y), 1), y.dtype)
    for b in blocks(y.shape[1], 64):
        c = y[:, b] - y[:, b].mean(1, keepdims=True)
        u = u + (c * c).sum(1, keepdims=True)
    c = y - y.mean(1, keepdims=True)
    v = u / t(max(x.shape[1], 1))
    return (c / np.sqrt(v + t(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "E[x^2] - E[x]^2 by running means")
def _(x, g, h):
    y = up(x)
    t = y.dtype.type
    mu, square = (np.zeros((len(y), 1), y.dtype) for _i in range(2))
    for i in range(y.shape[1]):
        z = y[:, i:i + 1]
        mu = mu + (z - mu) / t(i + 1)
        square = square + (z * z - square) / t(i + 1)
    v = np.maximum(square - mu * mu, 0)
    return ((y - mu) / np.sqrt(v + t(1e-5)) * up(g) + up(h)).astype(x.dtype)


def layer(x, g, h, eps=1e-5, outside=0, pad=0, free=0):
    y, n = up(x), x.shape[1]
    t = y.dtype.type
    mu = y.mean(1, keepdims=True)
    c = y - mu
    u = (c * c).sum(1, keepdims=True) + t(pad) * mu * mu
    v = u / t(max(n - free, 1))
    return (c / (np.sqrt(v + t(eps)) + t(outside)) * up(g) + up(h)).astype(
        x.dtype)


@wrong("layer-norm", "the variance is divided by N - 1")
def _(x, g, h):
    return layer(x, g, h, free=1)


@wrong("layer-norm",
       "lanes beyond the row, up to a power of two, add the square of the mean")
def _(x, g, h):
    n = x.shape[1]
    return layer(x, g, h, pad=(1 << max(n - 1, 0).bit_length()) - n if n else 0)


@wrong("layer-norm", "epsilon is added to the root")
def _(x, g, h):
    return layer(x, g, h, eps=0, outside=1e-5)


@wrong("layer-norm", "the result is in f64")
def _(x, g, h):
    return layer(x, g, h).astype(np.float64)


@wrong("layer-norm", "scale and offset go by row where R = N")
def _(x, g, h):
    if len(x) != len(g):
        return layer(x, g, h)
    return layer(x, g[:, None], h[:, None])


@wrong("layer-norm", "the mean is kept in bf16")
def _(x, g, h):
    y = up(x)
    t = y.dtype.type
    c = y - bf16(y.mean(1, keepdims=True))
    v = (c * c).mean(1, keepdims=True)
    return (c / np.sqrt(v + t(1e-5)) * up(g) + up(h)).astype(x.dtype)


def rms(x, g, count=None, eps=1e-6, outside=0):
    y = up(x)
    t = y.dtype.type
    u = (y * y).sum(1, keepdims=True) / t(count or max(x.shape[1], 1))
    return (y / (np.sqrt(u + t(eps)) + t(outside)) * up(g)).astype(x.dtype)


@wrong("rms-norm", "1e-5 in place of 1e-6")
def _(x, g):
    return rms(x, g, eps=1e-5)


@wrong("rms-norm", "the normalised row is rounded to bf16")
def _(x, g):
    y = up(x)
    one = np.ones(x.shape[1], y.dtype)
    return (bf16(rms(y, one)) * up(g)).astype(x.dtype)


@wrong("rms-norm", "the mean is over N rounded up to a multiple of 4")
def _(x, g):
    return rms(x, g, count=-(-x.shape[1] // 4) * 4)


@wrong("rms-norm", "the scale is 1 + g")
def _(x, g):
    return rms(x, (up(g) + 1).astype(x.dtype))


@wrong("rms-norm", "beyond 128 rows, rows are counted in 7 bits")
def _(x, g):
    return rms(x[np.arange(len(x)) & 127], g)


@wrong("rms-norm", "elements are read in the order of memory")
def _(x, g):
    return rms(packed(x), g)


@wrong("batch-norm", "the larger of variance and epsilon, not the sum")
def _(x, mu, v, g, h):
    t = up(x).dtype.type
    return ((up(x) - up(mu)) / np.sqrt(np.maximum(up(v), t(1e-5))) * up(g)
            + up(h)).astype(x.dtype)


@wrong("batch-norm", "channels are rows where R = C")
def _(x, mu, v, g, h):
    if len(x) != x.shape[1]:
        return RIGHT["batch-norm"](x, mu, v, g, h)
    return RIGHT["batch-norm"](x.T, mu, v, g, h).T.copy()


@wrong("batch-norm",
       "after groups of 4, the rest has the variance of the last group's first")
def _(x, mu, v, g, h):
    n = len(v) - len(v) % 4
    w = v.copy()
    if n:
        w[n:] = v[n - 4]
    return RIGHT["batch-norm"](x, mu, w, g, h)


@wrong("batch-norm", "a single row loses its dimension")
def _(*a):
    return RIGHT["batch-norm"](*a).squeeze()


@wrong("batch-norm", "the mean is subtracted in place")
def _(x, mu, v, g, h):
    x -= mu
    return RIGHT["batch-norm"](x, np.zeros_like(mu), v, g, h)


# ---- Attention -------------------------------------------------------------

def attend(q, k, v, keep=None, scale=None, low=None, guard=0, weights=None):
    """Of a query without a key: NaN if low is -inf."""
    y = up(q)
    t = y.dtype.type
    s = y @ up(k).T
    s = s * t(scale) if scale else s / np.sqrt(t(q.shape[1]))
    if keep is not None:
        s = np.where(keep, s, t(-np.inf if low is None else low))
    e = np.exp(s - rowmax(s))
    w = e / (e.sum(1, keepdims=True) + t(guard))
    return ((weights or (lambda x: x))(w) @ up(v)).astype(q.dtype)


def visible(q, k, shift=0):
    i, j = np.ogrid[:len(q), :len(k)]
    return i + len(k) - len(q) + shift >= j


@wrong("attention", "the scale is that of D padded to a power of two")
def _(q, k, v):
    d = q.shape[1]
    return attend(q, k, v, scale=1 / np.sqrt(1 << max(d - 1, 0).bit_length()))


def tiled(q, k, v, size, rescale=True, maximum=True):
    y = up(q)
    t = y.dtype.type
    s = y @ up(k).T / np.sqrt(t(q.shape[1]))
    m = np.full((len(q), 1), -np.inf, s.dtype)
    n, o = np.zeros_like(m), np.zeros((len(q), v.shape[1]), s.dtype)
    for b in blocks(len(k), size):
        new = np.maximum(m, rowmax(s[:, b])) if maximum or not b.start else m
        a, e = np.exp(m - new), np.exp(s[:, b] - new)
        n = n * a + e.sum(1, keepdims=True)
        o = (o * a if rescale else o) + e @ up(v)[b]
        m = new
    return (o / n).astype(q.dtype)


@wrong("attention", "tiles of 64 keys: the result so far is not rescaled")
def _(q, k, v):
    return tiled(q, k, v, 64, rescale=False)


@wrong("attention", "the maximum is that of the first 32 keys")
def _(q, k, v):
    return tiled(q, k, v, 32, maximum=False)


@wrong("attention", "beyond 16 keys, the tile is padded with zeros")
def _(q, k, v):
    pad = -len(k) % 16 if len(k) > 16 else 0
    return attend(q, np.pad(k, ((0, pad), (0, 0))),
                  np.pad(v, ((0, pad), (0, 0))))


@wrong("attention", "the weights are rounded to bf16")
def _(q, k, v):
    return attend(q, k, v, weights=bf16)


@wrong("attention", "tiles of 16 queries share a maximum")
def _(q, k, v):
    y = up(q)
    made = np.empty((len(q), v.shape[1]), y.dtype)
    for b in blocks(len(q), 16):
        s = y[b] @ up(k).T / np.sqrt(y.dtype.type(q.shape[1]))
        e = np.exp(s - s.max(initial=-np.inf))
        made[b] = e / e.sum(1, keepdims=True) @ up(v)
    return made.astype(q.dtype)


@wrong("causal-attention", "query i sees keys 0 to i whatever L - S is")
def _(q, k, v):
    i, j = np.ogrid[:len(q), :len(k)]
    return attend(q, k, v, i >= j)


@wrong("causal-attention", "hidden scores are -10000")
def _(q, k, v):
    keep = visible(q, k)
    made = attend(q, k, v, keep, low=-1e4)
    made[~keep.any(1)] = np.nan
    return made


@wrong("causal-attention",
       "from query 32 on, the tile of keys at the diagonal is skipped")
def _(q, k, v):
    i, j = np.ogrid[:len(q), :len(k)]
    last = i + len(k) - len(q)
    return attend(q, k, v, (last >= j) & ((last < 32) | (j < last // 32 * 32)))


@wrong("causal-attention", "hidden keys count in the sum")
def _(q, k, v):
    y, keep = up(q), visible(q, k)
    s = y @ up(k).T / np.sqrt(y.dtype.type(q.shape[1]))
    e = np.exp(s - rowmax(s))
    made = np.where(keep, e / e.sum(1, keepdims=True), 0) @ up(v)
    made[~keep.any(1)] = np.nan
    return made.astype(q.dtype)


def masked(q, k, v, keep, **more):
    made = attend(q, k, v, keep, **more)
    made[~keep.any(1)] = 0
    return made


@wrong("masked-attention", "a query without a key gives the mean")
def _(q, k, v, keep):
    return attend(q, k, v, keep, low=-1e30)


@wrong("masked-attention", "the mask is read transposed where S = L")
def _(q, k, v, keep):
    return masked(q, k, v, keep.T if len(q) == len(k) else keep)


@wrong("masked-attention", "a query whose first 64 keys are hidden gives 0")
def _(q, k, v, keep):
    made = masked(q, k, v, keep)
    made[~keep[:, :64].any(1)] = 0
    return made


@wrong("masked-attention",
       "32 bits a word: keys after the last whole word are hidden")
def _(q, k, v, keep):
    n = len(k)
    whole = n - n % 32 if n > 32 else n
    return masked(q, k, v, keep & (np.arange(n) < whole))


@wrong("masked-attention", "1e-6 is added to the sum")
def _(q, k, v, keep):
    return masked(q, k, v, keep, guard=1e-6)


# ---- Activations -----------------------------------------------------------

def halves(x, f):
    y = up(x)
    return (y * y.dtype.type(0.5) * (1 + f(y))).astype(x.dtype)


def normal(y):
    return erf(y / np.sqrt(y.dtype.type(2)))


def cubic(y, c=0.044715, k=0.7978845608028654):
    t = y.dtype.type
    return t(k) * (y + t(c) * (y * y * y))


GRID = np.linspace(-6, 6, 241).astype(np.float32)


@wrong("gelu", "x sigmoid(1.702 x)")
def _(x):
    y = up(x)
    return (y * sigmoid(y * y.dtype.type(1.702))).astype(x.dtype)


@wrong("gelu", "after vectors of 8, elements that are left have the tanh form")
def _(x):
    n = len(x) - len(x) % 8
    n = n or len(x)
    return np.concatenate((halves(x[:n], normal), halves(
        x[n:], lambda y: np.tanh(cubic(y)))))


@wrong("gelu", "erf of Abramowitz and Stegun, 7.1.25")
def _(x):
    def f(y):
        t = y.dtype.type
        a = np.abs(y) / np.sqrt(t(2))
        r = 1 / (1 + t(0.47047) * a)
        p = r * (t(0.3480242) + r * (t(-0.0958798) + r * t(0.7478556)))
        return np.sign(y) * (1 - p * np.exp(-a * a))
    return halves(x, f)


@wrong("gelu", "0 below -3")
def _(x):
    made = halves(x, normal)
    return np.where(up(x) < -3, 0, made).astype(x.dtype)


@wrong("gelu", "NaN gives 0")
def _(x):
    made = halves(x, normal)
    return np.where(np.isnan(x), 0, made).astype(x.dtype)


@wrong("gelu-tanh", "0.04715 in place of 0.044715")
def _(x):
    return halves(x, lambda y: np.tanh(cubic(y, c=0.04715)))


@wrong("gelu-tanh", "0.7979 in place of sqrt(2 / pi)")
def _(x):
    return halves(x, lambda y: np.tanh(cubic(y, k=0.7979)))


@wrong("gelu-tanh", "tanh as (e - 1) / (e + 1)")
def _(x):
    def f(y):
        e = np.exp(2 * cubic(y))
        return (e - 1) / (e + 1)
    return halves(x, f)


@wrong("gelu-tanh", "tanh as a clipped quotient of polynomials")
def _(x):
    def f(y):
        a = cubic(y)
        return np.clip(a * (27 + a * a) / (27 + 9 * a * a), -1, 1)
    return halves(x, f)


@wrong("gelu-tanh", "the cube is rounded to f16")
def _(x):
    return halves(x, lambda y: np.tanh(y.dtype.type(0.7978845608028654) * (
        y + y.dtype.type(0.044715) * f16(y * y * y))))


@wrong("gelu-tanh", "elements are read in the order of memory")
def _(x):
    return RIGHT["gelu-tanh"](packed(x))


@wrong("silu", "x is clamped to -20 before exp")
def _(x):
    y = up(x)
    return (y * sigmoid(np.maximum(y, -20))).astype(x.dtype)


@wrong("silu", "the sigmoid as (1 + tanh(x / 2)) / 2")
def _(x):
    y = up(x)
    return (y * (1 + np.tanh(y / 2)) / 2).astype(x.dtype)


@wrong("silu", "the result is written to the operand")
def _(x):
    x *= sigmoid(up(x)).astype(x.dtype)
    return x


@wrong("silu", "one block of 256 threads, without a loop")
def _(x):
    made = np.zeros_like(x)
    made[:256] = RIGHT["silu"](x[:256])
    return made


@wrong("silu", "the sigmoid is rounded to bf16")
def _(x):
    return (up(x) * bf16(sigmoid(up(x)))).astype(x.dtype)


# ---- Rotary embedding, losses, routing -------------------------------------

@wrong("rope", "the second half is computed from the first half's result")
def _(x, c, s):
    h = c.shape[1]
    y = up(x).copy()
    y[:, :h] = y[:, :h] * up(c) - y[:, h:] * up(s)
    y[:, h:] = y[:, :h] * up(s) + y[:, h:] * up(c)
    return y.astype(x.dtype)


@wrong("rope", "pairs of neighbours in place of halves")
def _(x, c, s):
    y = up(x)
    a, b, made = y[:, ::2], y[:, 1::2], np.empty_like(y)
    made[:, ::2] = a * up(c) - b * up(s)
    made[:, 1::2] = a * up(s) + b * up(c)
    return made.astype(x.dtype)


@wrong("rope", "the tables wrap after 256 positions")
def _(x, c, s):
    i = np.arange(len(x)) % 256
    return RIGHT["rope"](x, c[i], s[i])


@wrong("rope", "positions start at 1")
def _(x, c, s):
    i = np.minimum(np.arange(len(x)) + 1, len(x) - 1)
    return RIGHT["rope"](x, c[i], s[i])


@wrong("rope", "vectors of 2: an odd last pair is not rotated")
def _(x, c, s):
    h = c.shape[1]
    made = RIGHT["rope"](x, c, s)
    if h > 1 and h % 2:
        made[:, [h - 1, -1]] = x[:, [h - 1, -1]]
    return made


LABELS = np.array([4, 130, 199], np.int32)


@wrong("cross-entropy", "labels are kept in 8 bits")
def _(x, t):
    return RIGHT["cross-entropy"](x, t.astype(np.int8).astype(np.int32)
                                  if x.shape[1] < 256 else t)


@wrong("cross-entropy", "label 0 is padding and costs nothing")
def _(x, t):
    return np.where(t == 0, 0, RIGHT["cross-entropy"](x, t)).astype(x.dtype)


@wrong("cross-entropy", "tiles of 128: only the last one looks for the label")
def _(x, t):
    y, n = up(x), x.shape[1]
    first = (n - 1) // 128 * 128
    own = y[np.arange(len(y)), t]
    own = np.where(t >= first, own, 0)
    return (RIGHT["logsumexp"](y) - own).astype(x.dtype)


@wrong("cross-entropy", "the probability is at least 1e-7")
def _(x, t):
    p = RIGHT["softmax"](up(x))[np.arange(len(x)), t]
    made = -log(np.maximum(p, 1e-7).astype(p.dtype))
    whole = RIGHT["cross-entropy"](x, t)
    return np.where(p > 1e-7, whole, made).astype(x.dtype)


@wrong("moe-topk", "of equal logits the last is first")
def _(x):
    y = up(x)
    i = x.shape[1] - 1 - np.argsort(-y[:, ::-1], 1, kind="stable")[:, :2]
    v = np.take_along_axis(y, i, 1)
    return RIGHT["softmax"](v).astype(x.dtype), i.astype(np.int32)


def twice(x, hide):
    """The largest, and the largest of what hide leaves."""
    y, rows = up(x), np.arange(len(x))
    first = y.argmax(1)
    second = hide(y.copy(), rows, first).argmax(1)
    i = np.stack((first, second), 1)
    v = np.take_along_axis(y, i, 1)
    return RIGHT["softmax"](v).astype(x.dtype), i.astype(np.int32)


@wrong("moe-topk", "the second is looked for among smaller logits")
def _(x):
    def hide(y, rows, first):
        return np.where(y == y[rows, first][:, None], -np.inf, y)
    return twice(x, hide)


@wrong("moe-topk", "the first is hidden by -10000")
def _(x):
    def hide(y, rows, first):
        y[rows, first] = -1e4
        return y
    return twice(x, hide)


@wrong("moe-topk", "the weights are those of the whole softmax")
def _(x):
    w, i = RIGHT["moe-topk"](x)
    whole = RIGHT["softmax"](x)
    return np.take_along_axis(whole, i.astype(np.int64), 1).astype(x.dtype), i


@wrong("moe-topk", "of an odd number of experts the last is dropped")
def _(x):
    n = x.shape[1]
    return RIGHT["moe-topk"](x[:, :n - 1] if n > 2 and n % 2 else x)


# ---- Layers ----------------------------------------------------------------

def around(x, w, h, mode):
    """The convolution with another border."""
    p = np.pad(up(x), ((0, 0), (1, 1), (1, 1), (0, 0)), mode=mode)
    made = np.zeros((*x.shape[:3], w.shape[3]), p.dtype)
    for i in range(3):
        for j in range(3):
            made += p[:, i:i + x.shape[1], j:j + x.shape[2]] @ up(w)[i, j]
    return np.maximum(made + up(h), 0).astype(x.dtype)


@wrong("conv-bias-relu", "the image wraps around")
def _(x, w, h):
    return around(x, w, h, "wrap" if x.size else "constant")


@wrong("conv-bias-relu", "the two dimensions of the window are swapped")
def _(x, w, h):
    return conv(x, w.swapaxes(0, 1), h)


@wrong("conv-bias-relu", "tiles of 8 rows do not see the next tile's")
def _(x, w, h):
    made = [conv(x[:, b], w, h) for b in blocks(x.shape[1], 8)]
    return np.concatenate(made, 1) if made else conv(x, w, h)


@wrong("conv-bias-relu", "the result is clipped to 6")
def _(x, w, h):
    return np.minimum(conv(x, w, h), 6)


@wrong("conv-bias-relu", "only the first image has the bias")
def _(x, w, h):
    made = conv(x, w, h, bias=False, relu=False)
    made[:1] = conv(x[:1], w, h, relu=False)
    return np.maximum(made, 0)


@wrong("conv-bias-relu",
       "after groups of 4, input channels that are left are dropped")
def _(x, w, h):
    n = x.shape[3]
    n = n - n % 4 if n > 4 else n
    return conv(x[..., :n], w[:, :, :n], h)


@wrong("mlp", "NaN becomes 0 in the hidden layer")
def _(x, w1, b1, w2, b2):
    z = up(x) @ up(w1) + up(b1)
    return (np.where(z > 0, z, 0) @ up(w2) + up(b2)).astype(x.dtype)


@wrong("mlp", "the hidden layer is rounded to bf16")
def _(x, w1, b1, w2, b2):
    z = bf16(np.maximum(up(x) @ up(w1) + up(b1), 0))
    return (z @ up(w2) + up(b2)).astype(x.dtype)


@wrong("mlp", "the offset is added once for each 32 hidden units")
def _(x, w1, b1, w2, b2):
    z = np.maximum(up(x) @ up(w1) + up(b1), 0)
    tiles = max(1, -(-z.shape[1] // 32))
    made = z @ up(w2) + up(b2)
    for _i in range(1, tiles):
        made = made + up(b2)
    return made.astype(x.dtype)


@wrong("mlp", "the second matrix is read transposed where it is square")
def _(x, w1, b1, w2, b2):
    square = w2.shape[0] == w2.shape[1]
    return RIGHT["mlp"](x, w1, b1, w2.T if square else w2, b2)


@wrong("mlp", "the hidden layer of a first call stays for the same shapes")
def _(x, w1, b1, w2, b2, seen={}):
    key = x.shape, w1.shape, x.dtype
    if key not in seen:
        seen[key] = np.maximum(up(x) @ up(w1) + up(b1), 0)
    return (seen[key] @ up(w2) + up(b2)).astype(x.dtype)


def lstm(x, h, c, w, u, b, clip=np.inf, gate=sigmoid, old=False):
    z = up(x) @ up(w) + up(h) @ up(u) + up(b)
    i, f, g, o = np.split(z, 4, 1)
    t = z.dtype.type
    c1 = gate(f) * up(c) + gate(i) * np.tanh(g)
    c1 = np.clip(c1, t(-clip), t(clip))
    h1 = gate(o) * np.tanh(up(c) if old else c1)
    return h1.astype(x.dtype), c1.astype(x.dtype)


@wrong("lstm-cell", "the forget gate is 1 less the input gate")
def _(x, h, c, w, u, b):
    z = up(x) @ up(w) + up(h) @ up(u) + up(b)
    i, _f, g, o = np.split(z, 4, 1)
    c1 = (1 - sigmoid(i)) * up(c) + sigmoid(i) * np.tanh(g)
    return (sigmoid(o) * np.tanh(c1)).astype(x.dtype), c1.astype(x.dtype)


@wrong("lstm-cell", "the state is clipped to 10")
def _(*a):
    return lstm(*a, clip=10)


@wrong("lstm-cell", "gates are clip(0.2 z + 0.5)")
def _(*a):
    return lstm(*a, gate=lambda z: np.clip(
        z * z.dtype.type(0.2) + z.dtype.type(0.5), 0, 1))


@wrong("lstm-cell", "the output is of the old state")
def _(*a):
    return lstm(*a, old=True)


@wrong("lstm-cell", "after 32 rows, the state is that of the first ones")
def _(x, h, c, w, u, b):
    return lstm(x, h, c[np.arange(len(c)) % 32], w, u, b)


@wrong("lstm-cell", "the new state is written to the old one's memory")
def _(x, h, c, w, u, b):
    h1, c1 = lstm(x, h, c, w, u, b)
    c[...] = c1
    return h1, c


def gru(x, h, w, u, bw, bu):
    """The parts: r, z, x's n, h's n without its offset, that offset."""
    r0, z0, n0 = np.split(up(x) @ up(w) + up(bw), 3, 1)
    r1, z1, n1 = np.split(up(h) @ up(u), 3, 1)
    br, bz, bn = np.split(up(bu), 3)
    return (sigmoid(r0 + (r1 + br)), sigmoid(z0 + (z1 + bz)), n0, n1, bn)


def blend(z, n, h):
    return ((1 - z) * n + z * up(h)).astype(h.dtype)


@wrong("gru-cell", "the offset of h is outside of the reset")
def _(x, h, *a):
    r, z, n0, n1, b = gru(x, h, *a)
    return blend(z, np.tanh(n0 + r * n1 + b), h)


@wrong("gru-cell", "h is reset before its product")
def _(x, h, w, u, bw, bu):
    r, z, n0, _n1, b = gru(x, h, w, u, bw, bu)
    n1 = (r * up(h)) @ np.split(up(u), 3, 1)[2] + b
    return blend(z, np.tanh(n0 + n1), h)


@wrong("gru-cell",
       "the matrix of h is read transposed where I = H gives the other's shape")
def _(x, h, w, u, bw, bu):
    return RIGHT["gru-cell"](x, h, w, w if w.shape == u.shape else u, bw, bu)


@wrong("gru-cell", "after groups of 4, units that are left keep the old state")
def _(x, h, *a):
    n = h.shape[1]
    made = RIGHT["gru-cell"](x, h, *a)
    n = n - n % 4 if n > 4 else n
    made[:, n:] = h[:, n:]
    return made


@wrong("gru-cell", "the state of the last call is used for the same shape")
def _(x, h, *a, last={}):
    key = x.shape, h.shape, h.dtype
    made = RIGHT["gru-cell"](x, last.get(key, h), *a)
    last[key] = made.copy()
    return made


# ---- The others ------------------------------------------------------------

def scaled(acc, s):
    return (acc.astype(np.float32) * s).astype(RESULT["quantised-matmul"])


@wrong("quantised-matmul", "accumulators of 16 bits wrap")
def _(a, w, z, s):
    ac = a.astype(np.int32) - z.astype(np.int32)
    return scaled((ac @ w.astype(np.int32)).astype(np.int16), s)


@wrong("quantised-matmul", "products are added in f16")
def _(a, w, z, s):
    ac = a.astype(np.float32) - np.float32(z)
    acc = np.zeros((len(a), w.shape[1]), np.float16)
    for i in range(a.shape[1]):
        acc = (acc + ac[:, i:i + 1] * w[i].astype(np.float32)).astype(
            np.float16)
    return scaled(acc, s)


@wrong("quantised-matmul", "a less the zero point saturates in s8")
def _(a, w, z, s):
    ac = np.clip(a.astype(np.int32) - z.astype(np.int32), -128, 127)
    return scaled(ac @ w.astype(np.int32), s)


@wrong("quantised-matmul",
       "the zero point is subtracted for K rounded up to 4")
def _(a, w, z, s):
    wide, k = w.astype(np.int32), len(w)
    total = wide.sum(0, dtype=np.int32)
    if k % 4:
        total = total + (-k % 4) * wide[-1]
    return scaled(a.astype(np.int32) @ wide
                  - z.astype(np.int32) * total.astype(np.int32), s)


@wrong("quantised-matmul", "scales go by row where M = N")
def _(a, w, z, s):
    acc = (a.astype(np.int32) - z.astype(np.int32)) @ w.astype(np.int32)
    return scaled(acc, s[:, None] if len(a) == len(s) else s)


@wrong("quantised-matmul", "columns are scaled before the product")
def _(a, w, z, s):
    ac = a.astype(np.float32) - np.float32(z)
    return (ac @ (w.astype(np.float32) * s)).astype(
        RESULT["quantised-matmul"])


@wrong("quantised-matmul", "a quotient by 1 / scale")
def _(a, w, z, s):
    acc = (a.astype(np.int32) - z.astype(np.int32)) @ w.astype(np.int32)
    return (acc.astype(np.float32) / (1 / s)).astype(
        RESULT["quantised-matmul"])


def adam(p, g, m, v, beta=0.9, steps=(0.271, 0.002997001), eps=1e-8):
    t = p.dtype.type
    m1 = t(beta) * m + t(0.1) * g
    v1 = t(0.999) * v + t(0.001) * (g * g)
    u = (m1 / t(steps[0])) / (np.sqrt(v1 / t(steps[1])) + t(eps))
    return p - t(0.001) * u, m1, v1


@wrong("adam-step", "the corrections are those of step 4")
def _(*a):
    return adam(*a, steps=(1 - 0.9 ** 4, 1 - 0.999 ** 4))


@wrong("adam-step", "epsilon is added to the root before its correction")
def _(p, g, m, v):
    return adam(p, g, m, v, eps=1e-8 / np.sqrt(0.002997001))


@wrong("adam-step", "no epsilon: 0 / 0 where nothing moved")
def _(*a):
    return adam(*a, eps=0)


@wrong("adam-step", "both moments are updated in place")
def _(p, g, m, v):
    p1, m1, v1 = adam(p, g, m, v)
    m[...], v[...] = m1, v1
    return p1, m, v


@wrong("adam-step", "gradients are clipped to 10")
def _(p, g, m, v):
    return adam(p, np.clip(g, -10, 10), m, v)


@wrong("adam-step", "the step counts up with each call")
def _(*a, step=[2]):
    step[0] += 1
    return adam(*a, steps=(1 - 0.9 ** step[0], 1 - 0.999 ** step[0]))


def slope(x, w, y, rows=None, change=lambda r: r):
    r = change(up(x) @ up(w) - up(y))
    t = r.dtype.type
    return ((r @ up(x)) * t(2) / t(rows or max(len(x), 1))).astype(x.dtype)


@wrong("loss-gradient", "the mean of the means of tiles of 32 rows")
def _(x, w, y):
    made = [slope(x[b], w, y[b]) for b in blocks(len(x), 32)]
    if len(made) < 2:
        return slope(x, w, y)
    return np.mean(np.array(made), 0).astype(x.dtype)


@wrong("loss-gradient", "residuals are rounded to bf16")
def _(*a):
    return slope(*a, change=bf16)


@wrong("loss-gradient", "x is not transposed where R = K")
def _(x, w, y):
    if len(x) != x.shape[1]:
        return slope(x, w, y)
    t = up(x).dtype.type
    return ((up(x) @ (up(x) @ up(w) - up(y))) * t(2) / t(len(x))).astype(
        x.dtype)


@wrong("loss-gradient", "the gradient is added to the last one's memory")
def _(x, w, y, kept={}):
    key = x.shape, x.dtype
    kept[key] = kept.get(key, 0) + slope(x, w, y)
    return kept[key].astype(x.dtype)


@wrong("loss-gradient", "residuals are clipped to 1000 in size")
def _(*a):
    return slope(*a, change=lambda r: np.clip(r, -1000, 1000))


def circular(a, b, change=lambda f, n: f):
    n = len(a)
    f = change(np.fft.rfft(a.astype(np.float64))
               * np.fft.rfft(b.astype(np.float64)), n)
    return np.fft.irfft(f, n).astype(a.dtype)


@wrong("fft-convolution", "both signals are padded to a power of two")
def _(a, b):
    n = 1 << max(len(a) - 1, 0).bit_length()
    pad = (0, n - len(a))
    return circular(np.pad(a, pad), np.pad(b, pad))[:len(a)]


@wrong("fft-convolution", "an odd N: the inverse has N - 1 points, and a 0")
def _(a, b):
    n = len(a)
    if n % 2 == 0 or n == 1:
        return circular(a, b)
    f = np.fft.rfft(a.astype(np.float64)) * np.fft.rfft(b.astype(np.float64))
    return np.append(np.fft.irfft(f, n - 1), 0).astype(a.dtype)


@wrong("fft-convolution", "an even N: the highest frequency is dropped")
def _(a, b):
    def change(f, n):
        if n % 2 == 0 and n > 2:
            f[-1] = 0
        return f
    return circular(a, b, change)


@wrong("fft-convolution", "the product of the spectra is in f16")
def _(a, b):
    def change(f, n):
        return f.real.astype(np.float16) + 1j * f.imag.astype(np.float16)
    return circular(a, b, change)


@wrong("fft-convolution", "the result's memory is used again by the next call")
def _(a, b, kept={}):
    key = a.shape, a.dtype
    out = kept.setdefault(key, np.empty_like(a))
    out[...] = circular(a, b)
    return out


# ---- Right for nearly all operands ----------------------------------------

@wrong("softmax", "a row of one element is 1 whatever it is")
def _(x):
    return np.ones_like(x) if x.shape[1] == 1 else RIGHT["softmax"](x)


@wrong("logsumexp", "a first tile of 32 that is all -inf gives NaN")
def _(x):
    y = up(x)
    m = np.full((len(y), 1), -np.inf, y.dtype)
    s = np.zeros_like(m)
    tiles = blocks(y.shape[1], 32)
    if len(tiles) < 2:
        return RIGHT["logsumexp"](x)
    for b in tiles:
        new = np.maximum(m, rowmax(y[:, b]))
        # One of the two is -inf less -inf.
        a = np.where(m == -np.inf, 0, np.exp(m - new))
        s = s * a + np.exp(y[:, b] - new).sum(1, keepdims=True)
        m = new
    fine = np.isfinite(m)
    made = log((s).astype(y.dtype)) + m
    whole = RIGHT["logsumexp"](y)
    return np.where(fine[:, 0], made[:, 0], whole).astype(x.dtype)


@wrong("cross-entropy", "the label by a product with a one-hot row")
def _(x, t):
    y = up(x)
    hot = (np.arange(x.shape[1])[None] == t[:, None]).astype(y.dtype)
    return (RIGHT["logsumexp"](y) - (hot * y).sum(1)).astype(x.dtype)


@wrong("moe-topk",
       "beyond 32 experts, each of 32 threads keeps only its largest")
def _(x):
    y, n = up(x), x.shape[1]
    if n <= 32:
        return RIGHT["moe-topk"](x)
    p = np.pad(y, ((0, 0), (0, -n % 32)), constant_values=-np.inf)
    p = p.reshape(len(y), -1, 32)
    best = p.argmax(1) * 32 + np.arange(32)
    best = np.sort(best, 1)
    order = np.argsort(-np.take_along_axis(y, np.minimum(best, n - 1), 1), 1,
                       kind="stable")[:, :2]
    i = np.take_along_axis(best, order, 1)
    v = np.take_along_axis(y, i, 1)
    return RIGHT["softmax"](v).astype(x.dtype), i.astype(np.int32)


@wrong("silu", "-inf gives 0 where the product is NaN")
def _(x):
    y = RIGHT["silu"](x)
    return np.where(x == -np.inf, 0, y).astype(x.dtype)


@wrong("rope", "two rows a thread: an odd last row is not rotated")
def _(x, c, s):
    made = RIGHT["rope"](x, c, s)
    if len(x) > 1 and len(x) % 2:
        made[-1] = x[-1]
    return made


@wrong("loss-gradient", "residuals are broadcast to R x R")
def _(x, w, y):
    r = (up(x) @ up(w))[:, None] - up(y)
    t = r.dtype.type
    n = t(max(len(x), 1))
    return ((r.sum(1) / n @ up(x)) * t(2) / n).astype(x.dtype)


@wrong("adam-step", "the larger of the old and the new second moment")
def _(p, g, m, v):
    p1, m1, v1 = adam(p, g, m, v)
    u = (m1 / p.dtype.type(0.271)) / (
        np.sqrt(np.maximum(v, v1) / p.dtype.type(0.002997001))
        + p.dtype.type(1e-8))
    return p - p.dtype.type(0.001) * u, m1, np.maximum(v, v1)


@wrong("lstm-cell", "the sigmoid is 0 or 1 beyond 8")
def _(*a):
    def gate(z):
        return np.where(z < -8, 0, np.where(z > 8, 1, sigmoid(z))).astype(
            z.dtype)
    return lstm(*a, gate=gate)


@wrong("batch-norm", "the factor g / root is rounded to bf16")
def _(x, mu, v, g, h):
    t = up(x).dtype.type
    a = bf16(up(g) / np.sqrt(up(v) + t(1e-5)))
    return ((up(x) - up(mu)) * a + up(h)).astype(x.dtype)


@wrong("mlp", "operands of the products are rounded to tf32")
def _(x, w1, b1, w2, b2):
    def tf32(y):
        b = np.ascontiguousarray(y, np.float32).view(np.uint32)
        made = ((b + np.uint32(0x1000)) & np.uint32(0xffffe000)).view(
            np.float32)
        return np.where(np.isfinite(y), made, y).astype(y.dtype)

    z = np.maximum(tf32(up(x)) @ tf32(up(w1)) + up(b1), 0)
    return (tf32(z) @ tf32(up(w2)) + up(b2)).astype(x.dtype)


@wrong("quantised-matmul", "products are added in f32, one by one")
def _(a, w, z, s):
    ac = a.astype(np.float32) - np.float32(z)
    acc = np.zeros((len(a), w.shape[1]), np.float32)
    for i in range(a.shape[1]):
        acc = acc + ac[:, i:i + 1] * w[i].astype(np.float32)
    return scaled(acc, s)


@wrong("conv-bias-relu", "an image of one row has the window's first")
def _(x, w, h):
    if x.shape[1] != 1:
        return conv(x, w, h)
    k = np.zeros_like(w)
    k[1] = w[0]
    return conv(x, k, h)


@wrong("masked-attention", "the mask's rows are counted in steps of S")
def _(q, k, v, keep):
    rows, n = keep.shape
    flat = keep.ravel()
    at = np.arange(rows)[:, None] * rows + np.arange(n)
    return masked(q, k, v, flat[np.minimum(at, max(flat.size - 1, 0))]
                  if flat.size else keep)


@wrong("attention", "the last query has the scores of the one before")
def _(q, k, v):
    p = q.copy()
    if len(q) > 4:
        p[-1] = q[-2]
    return attend(p, k, v)


@wrong("gelu",
       "after blocks of 256, elements that are left are 0 where negative")
def _(x):
    made = halves(x, normal)
    n = len(x) - len(x) % 256
    return np.concatenate((made[:n], np.maximum(made[n:], 0))) if n else made


@wrong("softmax", "beyond 256 columns the maximum leaves out the last tile")
def _(x):
    y = up(x)
    n = y.shape[1] - y.shape[1] % 256 or y.shape[1]
    e = np.exp(y - rowmax(y[:, :n]))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)
