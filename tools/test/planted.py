"""Kernels in NumPy: a right one for each program, and wrong ones.

SPDX-License-Identifier: Apache-2.0

RIGHT[program] is computed in f32 (or f64) as people write it, and rounded once
to the operands' type.  WRONG is a list of (program, what is wrong, kernel), each
with one mistake that has been made in kernels.  kernel.t asks which of them the
gate catches, and `make judges` what other judges let through of the same.

The table was written before the gate was tried on any kernel, those of
planted_more.py, planted_blind.py and planted_fourth.py before it was tried on
any of theirs.  A mistake that the gate misses stays in it.
"""
import math

import numpy as np

RIGHT, WRONG = {}, []
_vector_erf = np.vectorize(math.erf, otypes=[np.float64])


def erf(x):
    return _vector_erf(x.astype(np.float64)).astype(x.dtype)


def log(x):
    """NumPy's own of f32 is off by more than the specification allows."""
    return np.log(x.astype(np.float64)).astype(x.dtype)


def up(x):
    """In the type of the computation."""
    return x.astype(np.float32) if x.dtype.itemsize < 4 else x


def right(program):
    def take(f):
        RIGHT[program] = f
        return f
    return take


def wrong(program, text):
    def take(f):
        WRONG.append((program, text, f))
        return f
    return take


def whole(n, block):
    """The elements of whole blocks, of all if there is none."""
    return n - n % block if n > block else n


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e)).astype(x.dtype)


# ---- Softmax and its relatives -----------------------------------------------

def rowmax(x):
    return x.max(1, keepdims=True, initial=-np.inf)


@right("softmax")
def softmax(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "no maximum is subtracted")
def _(x):
    e = np.exp(up(x))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "the last element is not in the sum")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    n = max(x.shape[1] - 1, min(1, x.shape[1]))
    return (e / e[:, :n].sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "the sum drops the last incomplete block of 64")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    return (e / e[:, :whole(x.shape[1], 64)].sum(1, keepdims=True)).astype(
        x.dtype)


@wrong("softmax", "the maximum ignores the last incomplete block of 128")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y[:, :whole(x.shape[1], 128)]))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "one maximum for the whole array")
def _(x):
    y = up(x)
    e = np.exp(y - y.max(initial=-np.inf))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "1e-6 is added to the sum")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    return (e / (e.sum(1, keepdims=True) + y.dtype.type(1e-6))).astype(x.dtype)


@wrong("softmax", "the sum is kept in f16")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    s = np.zeros((x.shape[0], 1), np.float16)
    for j in range(x.shape[1]):
        s[:, 0] = s[:, 0] + e[:, j].astype(np.float16)
    return (e / s.astype(y.dtype)).astype(x.dtype)


@wrong("softmax", "everything is computed in f16")
def _(x):
    y = x.astype(np.float16)
    e = np.exp(y - rowmax(y))
    return (e / e.sum(1, keepdims=True, dtype=np.float16)).astype(x.dtype)


@wrong("softmax", "the exponential is a cubic polynomial of 2^f")
def _(x):
    y = up(x)
    t = (y - rowmax(y)) * y.dtype.type(1.4426950408889634)
    with np.errstate(all="ignore"):
        i = np.floor(t)
        f = t - i
        p = 1 + f * (0.6951786 + f * (0.2276128 + f * 0.0771922))
        e = np.where(np.isnan(t), t, np.ldexp(p, np.maximum(
            np.nan_to_num(i, nan=0, neginf=-200), -200).astype(np.int32)))
    e = e.astype(y.dtype)
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "the online maximum is updated without rescaling the sum")
def _(x):
    y = up(x)
    m = np.full((x.shape[0], 1), -np.inf, y.dtype)
    s = np.zeros_like(m)
    for j in range(0, x.shape[1], 32):
        part = y[:, j:j + 32]
        m = np.maximum(m, rowmax(part))
        s = s + np.exp(part - m).sum(1, keepdims=True)
    return (np.exp(y - m) / s).astype(x.dtype)


@wrong("softmax", "a row of -inf is 0 instead of NaN")
def _(x):
    y = softmax(x)
    return np.where((up(x) == -np.inf).all(1, keepdims=True), 0, y).astype(
        x.dtype)


@wrong("softmax", "NaN is replaced by 0")
def _(x):
    return softmax(np.nan_to_num(x, nan=0, posinf=np.inf, neginf=-np.inf))


@wrong("softmax", "scores below the maximum by 20 and more are dropped")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    e = np.where(d < -20, 0, np.exp(d)).astype(y.dtype)
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@right("log-softmax")
def log_softmax(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - log(np.exp(d).sum(1, keepdims=True))).astype(x.dtype)


@wrong("log-softmax", "the logarithm of the softmax")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    return np.log(e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("log-softmax", "no maximum is subtracted")
def _(x):
    y = up(x)
    return (y - np.log(np.exp(y).sum(1, keepdims=True))).astype(x.dtype)


@wrong("log-softmax", "1e-8 is added to the softmax in the logarithm")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    return np.log(e / e.sum(1, keepdims=True) + y.dtype.type(1e-8)).astype(
        x.dtype)


@right("logsumexp")
def logsumexp(x):
    y = up(x)
    m = rowmax(y)
    m = np.where(np.isfinite(m), m, 0)
    return (log(np.exp(y - m).sum(1)) + m[:, 0]).astype(x.dtype)


@wrong("logsumexp", "no maximum is subtracted")
def _(x):
    return np.log(np.exp(up(x)).sum(1)).astype(x.dtype)


@wrong("logsumexp", "an infinite maximum is subtracted")
def _(x):
    y = up(x)
    m = rowmax(y)
    return (np.log(np.exp(y - m).sum(1)) + m[:, 0]).astype(x.dtype)


@wrong("logsumexp", "an empty row is 0")
def _(x):
    return logsumexp(x) if x.shape[1] else np.zeros(x.shape[0], x.dtype)


@wrong("logsumexp", "the sum drops the last incomplete block of 16")
def _(x):
    return logsumexp(x[:, :whole(x.shape[1], 16)])


@wrong("logsumexp", "pairwise maximum plus the mean exponent")
def _(x):
    y = up(x)
    m = rowmax(y)
    m = np.where(np.isfinite(m), m, 0)
    return (np.log1p(np.exp(y - m).sum(1) - 1 + y.dtype.type(1e-5))
            + m[:, 0]).astype(x.dtype)


# ---- Norms ---------------------------------------------------------------------

def layer(x, g, h, eps=1e-5, outside=0, ddof=0, one_pass=False, part=None):
    y, g, h = up(x), up(g), up(h)
    n = y.dtype.type(x.shape[1])
    m = y[:, :part].sum(1, keepdims=True) / n
    c = y - m
    v = (c * c).sum(1, keepdims=True) / (n - ddof)
    if one_pass:
        v = (y * y).sum(1, keepdims=True) / n - m * m
    t = y.dtype.type
    return (c / (np.sqrt(v + t(eps)) + t(outside)) * g + h).astype(x.dtype)


right("layer-norm")(layer)


@wrong("layer-norm", "eps is outside of the root")
def _(x, g, h):
    return layer(x, g, h, 0, 1e-5)


@wrong("layer-norm", "eps is 1e-6")
def _(x, g, h):
    return layer(x, g, h, 1e-6)


@wrong("layer-norm", "eps is 1e-12")
def _(x, g, h):
    return layer(x, g, h, 1e-12)


@wrong("layer-norm", "no eps")
def _(x, g, h):
    return layer(x, g, h, 0)


@wrong("layer-norm", "the variance is divided by n - 1")
def _(x, g, h):
    return layer(x, g, h, ddof=1)


@wrong("layer-norm", "the variance is E[x^2] - E[x]^2")
def _(x, g, h):
    return layer(x, g, h, one_pass=True)


@wrong("layer-norm", "the mean drops the last incomplete block of 128")
def _(x, g, h):
    return layer(x, g, h, part=whole(x.shape[1], 128))


@wrong("layer-norm", "the zeros of a block of 128 count in the variance")
def _(x, g, h):
    y = up(x)
    n = x.shape[1]
    pads = -n % 128
    m = y.sum(1, keepdims=True) / y.dtype.type(n)
    c = y - m
    v = ((c * c).sum(1, keepdims=True) + pads * m * m) / y.dtype.type(n)
    return (c / np.sqrt(v + y.dtype.type(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "scale and offset are swapped")
def _(x, g, h):
    return layer(x, h, g)


@wrong("layer-norm", "the mean is rounded to f16")
def _(x, g, h):
    y = up(x)
    m = y.mean(1, keepdims=True).astype(np.float16).astype(y.dtype)
    c = y - m
    v = (c * c).mean(1, keepdims=True)
    return (c / np.sqrt(v + y.dtype.type(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "a fast inverse root with one step of Newton's method")
def _(x, g, h):
    y = up(x)
    c = y - y.mean(1, keepdims=True)
    v = ((c * c).mean(1, keepdims=True) + y.dtype.type(1e-5)).astype(np.float32)
    r = (np.int32(0x5f3759df) - (v.view(np.int32) >> 1)).view(np.float32)
    r = r * (np.float32(1.5) - np.float32(0.5) * v * r * r)
    return (c * r * up(g) + up(h)).astype(x.dtype)


def rms(x, g, eps=1e-6, outside=0, part=None, n=None):
    y, t = up(x), up(x).dtype.type
    s = (y * y)[:, :part].sum(1, keepdims=True) / t(n or x.shape[1])
    return (y / (np.sqrt(s + t(eps)) + t(outside)) * up(g)).astype(x.dtype)


right("rms-norm")(rms)


@wrong("rms-norm", "eps is outside of the root")
def _(x, g):
    return rms(x, g, 0, 1e-6)


@wrong("rms-norm", "eps is 1e-5")
def _(x, g):
    return rms(x, g, 1e-5)


@wrong("rms-norm", "eps is 1e-8")
def _(x, g):
    return rms(x, g, 1e-8)


@wrong("rms-norm", "the scale is 1 + scale")
def _(x, g):
    return rms(x, up(g) + up(g).dtype.type(1))


@wrong("rms-norm", "the mean drops the last incomplete block of 32")
def _(x, g):
    return rms(x, g, part=whole(x.shape[1], 32))


@wrong("rms-norm", "the mean divides by n rounded up to a multiple of 128")
def _(x, g):
    return rms(x, g, n=max(1, -(-x.shape[1] // 128) * 128))


@wrong("rms-norm", "squares are added in f16")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    z = y.astype(np.float16)
    s = (z * z).sum(1, keepdims=True, dtype=np.float16).astype(y.dtype)
    return (y / np.sqrt(s / t(max(1, x.shape[1])) + t(1e-6)) * up(g)).astype(
        x.dtype)


@wrong("rms-norm", "the normalized value is rounded to f16 before the scale")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    s = (y * y).mean(1, keepdims=True)
    z = (y / np.sqrt(s + t(1e-6))).astype(np.float16).astype(y.dtype)
    return (z * up(g)).astype(x.dtype)


# ---- Attention -------------------------------------------------------------------

def attend(q, k, v, mask=None, scale=None, pads=0, maximum=True, weights=None,
           off=None):
    t = up(q).dtype.type
    s = up(q) @ up(k).T
    s = s / np.sqrt(t(q.shape[1])) if scale is None else s * t(scale)
    if mask is not None:
        s = np.where(mask, s, -np.inf).astype(s.dtype)
    m = rowmax(s) if maximum else t(0)
    if pads:
        m = np.maximum(m, t(0))
    if mask is not None:
        m = np.where(np.isfinite(m), m, t(0))
    e = np.exp(s - m)
    n = e.sum(1, keepdims=True)
    if pads:
        n = n + t(pads) * np.exp(-m)
    if mask is not None:
        n = np.where(n == 0, t(1), n)
    w = e / n
    if weights is not None:
        w = w.astype(weights).astype(s.dtype)
    o = w @ up(v)
    if off is not None:
        o = np.where(np.asarray(mask).any(1, keepdims=True), o, off(up(v)))
    return o.astype(q.dtype)


right("attention")(attend)


@wrong("attention", "no scale")
def _(q, k, v):
    return attend(q, k, v, scale=1)


@wrong("attention", "the scale is 1 / D")
def _(q, k, v):
    return attend(q, k, v, scale=1 / q.shape[1])


@wrong("attention", "no maximum is subtracted")
def _(q, k, v):
    return attend(q, k, v, maximum=False)


@wrong("attention", "the last incomplete block of 32 keys is dropped")
def _(q, k, v):
    n = whole(k.shape[0], 32)
    return attend(q, k[:n], v[:n])


@wrong("attention", "keys of zero that pad a block of 128 are not masked")
def _(q, k, v):
    return attend(q, k, v, pads=-k.shape[0] % 128)


@wrong("attention", "the weights are rounded to f16")
def _(q, k, v):
    return attend(q, k, v, weights=np.float16)


@wrong("attention", "the operands are rounded to f16")
def _(q, k, v):
    q16, k16, v16 = (x.astype(np.float16).astype(up(x).dtype)
                     for x in (q, k, v))
    return attend(q16, k16, v16).astype(q.dtype)


@wrong("attention", "the online sum is not rescaled at a new maximum")
def _(q, k, v):
    t = up(q).dtype.type
    s = up(q) @ up(k).T / np.sqrt(t(q.shape[1]))
    m = np.full((s.shape[0], 1), -np.inf, s.dtype)
    total = np.zeros_like(m)
    o = np.zeros((s.shape[0], v.shape[1]), s.dtype)
    for j in range(0, s.shape[1], 16):
        new = np.maximum(m, rowmax(s[:, j:j + 16]))
        with np.errstate(all="ignore"):
            scale = np.where(np.isfinite(m), np.exp(m - new), 0)
        e = np.exp(s[:, j:j + 16] - new)
        o = o * scale + e @ up(v)[j:j + 16]
        total = total + e.sum(1, keepdims=True)
        m = new
    return (o / total).astype(q.dtype)


def triangle(s, l, shift=0):
    return np.arange(l)[None] <= np.arange(s)[:, None] + (l - s) + shift


@right("causal-attention")
def causal(q, k, v):
    return attend(q, k, v, triangle(len(q), len(k)))


@wrong("causal-attention", "the mask excludes a query's own position")
def _(q, k, v):
    return attend(q, k, v, triangle(len(q), len(k), -1))


@wrong("causal-attention", "the mask admits one position too many")
def _(q, k, v):
    return attend(q, k, v, triangle(len(q), len(k), 1))


@wrong("causal-attention", "the mask is aligned to the first key")
def _(q, k, v):
    return attend(q, k, v, triangle(len(q), len(k), len(q) - len(k)))


@wrong("causal-attention", "nothing is masked")
def _(q, k, v):
    return attend(q, k, v)


@wrong("causal-attention", "masked scores are -10 instead of -inf")
def _(q, k, v):
    t = up(q).dtype.type
    s = up(q) @ up(k).T / np.sqrt(t(q.shape[1]))
    s = np.where(triangle(len(q), len(k)), s, t(-10))
    e = np.exp(s - rowmax(s))
    return (e / e.sum(1, keepdims=True) @ up(v)).astype(q.dtype)


@wrong("causal-attention", "the mask ignores blocks of 16 that it cuts")
def _(q, k, v):
    rows = np.arange(len(q))[:, None] + len(k) - len(q)
    return attend(q, k, v, np.arange(len(k))[None] // 16 <= rows // 16)


@right("masked-attention")
def masked(q, k, v, mask):
    return attend(q, k, v, mask)


@wrong("masked-attention", "a query without keys is the mean of the values")
def _(q, k, v, mask):
    return attend(q, k, v, mask, off=lambda v: v.mean(0, keepdims=True))


@wrong("masked-attention", "a query without keys is NaN")
def _(q, k, v, mask):
    return attend(q, k, v, mask, off=lambda v: np.nan)


@wrong("masked-attention", "the mask is inverted")
def _(q, k, v, mask):
    return attend(q, k, v, ~mask)


@wrong("masked-attention", "the mask is applied after the softmax")
def _(q, k, v, mask):
    t = up(q).dtype.type
    s = up(q) @ up(k).T / np.sqrt(t(q.shape[1]))
    e = np.exp(s - rowmax(s))
    return (np.where(mask, e / e.sum(1, keepdims=True), 0).astype(s.dtype)
            @ up(v)).astype(q.dtype)


@wrong("masked-attention", "the first query's mask is used for all")
def _(q, k, v, mask):
    return attend(q, k, v, np.broadcast_to(mask[:1], mask.shape)
                  if len(mask) else mask)


# ---- Elementwise -----------------------------------------------------------------

def gelu_by(x, f):
    y = up(x)
    t = y.dtype.type
    return (y * t(0.5) * (t(1) + f(y, t))).astype(x.dtype)


def by_tanh(c=0.044715, k=math.sqrt(2 / math.pi)):
    return lambda y, t: np.tanh(t(k) * (y + t(c) * y * y * y))


@right("gelu")
def gelu(x):
    return gelu_by(x, lambda y, t: erf(y / np.sqrt(t(2))))


@wrong("gelu", "the form with tanh")
def _(x):
    return gelu_by(x, by_tanh())


@wrong("gelu", "x * sigmoid(1.702 x)")
def _(x):
    y = up(x)
    return (y * sigmoid(y * y.dtype.type(1.702))).astype(x.dtype)


@wrong("gelu", "erf by a polynomial with an error of 1.5e-7")
def _(x):
    def f(y, t):
        a = np.abs(y / np.sqrt(t(2)))
        u = t(1) / (t(1) + t(0.3275911) * a)
        p = u * (t(0.254829592) + u * (t(-0.284496736) + u * (
            t(1.421413741) + u * (t(-1.453152027) + u * t(1.061405429)))))
        return np.copysign(t(1) - p * np.exp(-a * a), y)
    return gelu_by(x, f)


@wrong("gelu", "results beyond -3 are 0")
def _(x):
    return np.where(up(x) < -3, 0, gelu(x)).astype(x.dtype)


@right("gelu-tanh")
def gelu_tanh(x):
    return gelu_by(x, by_tanh())


@wrong("gelu-tanh", "the form with erf")
def _(x):
    return gelu(x)


@wrong("gelu-tanh", "the constant is 0.0447")
def _(x):
    return gelu_by(x, by_tanh(0.0447))


@wrong("gelu-tanh", "the root of 2 / pi is 0.79788")
def _(x):
    return gelu_by(x, by_tanh(k=0.79788))


@wrong("gelu-tanh", "the constant 0.5 is missing")
def _(x):
    y = up(x)
    return (y * (1 + by_tanh()(y, y.dtype.type))).astype(x.dtype)


@right("silu")
def silu(x):
    return (up(x) * sigmoid(up(x))).astype(x.dtype)


@wrong("silu", "the sigmoid is that of 1.702 x")
def _(x):
    y = up(x)
    return (y * sigmoid(y * y.dtype.type(1.702))).astype(x.dtype)


@wrong("silu", "the sigmoid is rounded to f16")
def _(x):
    y = up(x)
    return (y * sigmoid(y).astype(np.float16).astype(y.dtype)).astype(x.dtype)


@wrong("silu", "the sigmoid is piecewise linear")
def _(x):
    y = up(x)
    t = y.dtype.type
    return (y * np.clip(y / t(6) + t(0.5), 0, 1)).astype(x.dtype)


def turn(x, c, s, sign=1):
    y, c, s = up(x), up(c), up(s)
    a, b = np.split(y, 2, 1)
    return np.concatenate([a * c - sign * b * s, sign * a * s + b * c],
                          1).astype(x.dtype)


right("rope")(turn)


@wrong("rope", "the rotation goes the other way")
def _(x, c, s):
    return turn(x, c, s, -1)


@wrong("rope", "pairs of neighbours are rotated")
def _(x, c, s):
    y, c, s = up(x), up(c), up(s)
    out = np.empty_like(y)
    out[:, ::2] = y[:, ::2] * c - y[:, 1::2] * s
    out[:, 1::2] = y[:, ::2] * s + y[:, 1::2] * c
    return out.astype(x.dtype)


@wrong("rope", "sine and cosine are swapped")
def _(x, c, s):
    return turn(x, s, c)


@wrong("rope", "sine and cosine are rounded to f16")
def _(x, c, s):
    return turn(x, c.astype(np.float16).astype(up(c).dtype),
                s.astype(np.float16).astype(up(c).dtype))


@wrong("rope", "all rows take the angle of the first")
def _(x, c, s):
    return turn(x, c[:1], s[:1]) if len(x) else x


# ---- Losses, routing ---------------------------------------------------------------

@right("cross-entropy")
def entropy(x, labels, shift=0, part=None):
    y = up(x)
    lse = logsumexp(y[:, :part])
    return (lse - y[np.arange(len(y)), (labels + shift) % x.shape[1]]).astype(
        x.dtype)


@wrong("cross-entropy", "no maximum is subtracted")
def _(x, labels):
    y = up(x)
    return (np.log(np.exp(y).sum(1)) - y[np.arange(len(y)), labels]).astype(
        x.dtype)


@wrong("cross-entropy", "the label is one too large")
def _(x, labels):
    return entropy(x, labels, 1)


@wrong("cross-entropy", "the sum drops the last incomplete block of 128")
def _(x, labels):
    return entropy(x, labels, part=whole(x.shape[1], 128))


@wrong("cross-entropy", "1e-7 is added in the logarithm")
def _(x, labels):
    p = softmax(up(x))[np.arange(len(x)), labels]
    return -np.log(p + p.dtype.type(1e-7)).astype(x.dtype)


@wrong("cross-entropy", "the mean is returned for each row")
def _(x, labels):
    y = entropy(x, labels)
    return np.full_like(y, y.mean() if len(y) else 0)


@right("moe-topk")
def route(x, order=None):
    y = up(x)
    i = np.argsort(-y, 1, kind="stable")[:, :2] if order is None else order(y)
    v = np.take_along_axis(y, i, 1)
    return softmax(v).astype(x.dtype), i.astype(np.int32)


@wrong("moe-topk", "equal logits: the last comes first")
def _(x):
    return route(x, lambda y: np.argsort(y, 1, kind="stable")[:, ::-1][:, :2])


@wrong("moe-topk", "weights are not divided by their sum")
def _(x):
    w, i = route(x)
    return np.take_along_axis(softmax(x), i, 1), i


@wrong("moe-topk", "weights and experts are in the order of the experts")
def _(x):
    w, i = route(x)
    at = np.argsort(i, 1)
    return np.take_along_axis(w, at, 1), np.take_along_axis(i, at, 1)


# ---- Layers ------------------------------------------------------------------------

@right("batch-norm")
def batch(x, mu, v, g, h, eps=1e-5, outside=0):
    t = up(x).dtype.type
    return ((up(x) - up(mu)) / (np.sqrt(up(v) + t(eps)) + t(outside)) * up(g)
            + up(h)).astype(x.dtype)


@wrong("batch-norm", "eps is 1e-3")
def _(x, mu, v, g, h):
    return batch(x, mu, v, g, h, 1e-3)


@wrong("batch-norm", "eps is outside of the root")
def _(x, mu, v, g, h):
    return batch(x, mu, v, g, h, 0, 1e-5)


@wrong("batch-norm", "folded scale is rounded to f16")
def _(x, mu, v, g, h):
    y = up(x)
    t = y.dtype.type
    k = (up(g) / np.sqrt(up(v) + t(1e-5))).astype(np.float16).astype(y.dtype)
    return ((y - up(mu)) * k + up(h)).astype(x.dtype)


@right("conv-bias-relu")
def conv(x, w, h, before=1, relu=True, bias=True, flip=False, zero_last=False):
    y, k = up(x), up(w)
    if flip:
        k = k[::-1, ::-1]
    b, rows, columns, _i = x.shape
    p = np.pad(y, ((0, 0), (before, 2 - before), (before, 2 - before), (0, 0)))
    out = np.zeros((b, rows, columns, w.shape[3]), y.dtype)
    for i in range(3):
        for j in range(3):
            if not (zero_last and i == j == 2):
                out = out + p[:, i:i + rows, j:j + columns] @ k[i, j]
    out = out + up(h) if bias else out
    return (np.maximum(out, 0) if relu else out).astype(x.dtype)


@wrong("conv-bias-relu", "the kernel is flipped")
def _(x, w, h):
    return conv(x, w, h, flip=True)


@wrong("conv-bias-relu", "the padding is one-sided")
def _(x, w, h):
    return conv(x, w, h, before=0)


@wrong("conv-bias-relu", "no rectification")
def _(x, w, h):
    return conv(x, w, h, relu=False)


@wrong("conv-bias-relu", "the last tap is skipped")
def _(x, w, h):
    return conv(x, w, h, zero_last=True)


@wrong("conv-bias-relu", "no bias")
def _(x, w, h):
    return conv(x, w, h, bias=False)


@right("mlp")
def mlp(x, w1, b1, w2, b2, hidden=lambda h: np.maximum(h, 0)):
    return (hidden(up(x) @ up(w1) + up(b1)) @ up(w2) + up(b2)).astype(x.dtype)


@wrong("mlp", "no first bias")
def _(x, w1, b1, w2, b2):
    return mlp(x, w1, np.zeros_like(b1), w2, b2)


@wrong("mlp", "hidden values are rounded to f16")
def _(x, w1, b1, w2, b2):
    return mlp(x, w1, b1, w2, b2, lambda h: np.maximum(h, 0).astype(
        np.float16).astype(h.dtype))


@wrong("mlp", "negative hidden values are multiplied by 0.01")
def _(x, w1, b1, w2, b2):
    return mlp(x, w1, b1, w2, b2, lambda h: np.maximum(
        h, h * h.dtype.type(0.01)))


@wrong("mlp", "products from the last whole block of 16 on are dropped")
def _(x, w1, b1, w2, b2):
    n = whole(x.shape[1], 16)
    return mlp(x[:, :n], w1[:n], b1, w2, b2)


@right("lstm-cell")
def lstm(x, h, c, w, u, b, order="ifgo", state=np.tanh):
    z = np.split(up(x) @ up(w) + up(h) @ up(u) + up(b), 4, 1)
    gate = {name: z[i] for i, name in enumerate(order)}
    c1 = sigmoid(gate["f"]) * up(c) + sigmoid(gate["i"]) * np.tanh(gate["g"])
    return ((sigmoid(gate["o"]) * state(c1)).astype(x.dtype),
            c1.astype(x.dtype))


@wrong("lstm-cell", "the gates are in the order i, f, o, g")
def _(*a):
    return lstm(*a, order="ifog")


@wrong("lstm-cell", "the state does not pass tanh")
def _(*a):
    return lstm(*a, state=lambda c: c)


@wrong("lstm-cell", "1 is added to the forget gate")
def _(x, h, c, w, u, b):
    n = h.shape[1]
    return lstm(x, h, c, w, u, up(b) + np.repeat(
        np.array([0, 1, 0, 0], up(b).dtype), n))


@right("gru-cell")
def gru(x, h, w, u, bw, bu, inverted=False, reset=True):
    r0, z0, n0 = np.split(up(x) @ up(w) + up(bw), 3, 1)
    r1, z1, n1 = np.split(up(h) @ up(u) + up(bu), 3, 1)
    r, z = sigmoid(r0 + r1), sigmoid(z0 + z1)
    n = np.tanh(n0 + (r * n1 if reset else n1))
    z = 1 - z if inverted else z
    return ((1 - z) * n + z * up(h)).astype(x.dtype)


@wrong("gru-cell", "the update gate is inverted")
def _(*a):
    return gru(*a, inverted=True)


@wrong("gru-cell", "no reset gate")
def _(*a):
    return gru(*a, reset=False)


@right("quantised-matmul")
def quantised(a, w, z, s, total=np.int32, zero=np.int32):
    ac = (a.astype(zero) - z.astype(zero)).astype(np.int32)
    acc = (ac @ w.astype(np.int32)).astype(total)
    return (acc.astype(np.float32) * s).astype(RESULT["quantised-matmul"])


#: The result's type, where it does not follow from the operands.
RESULT = {"quantised-matmul": np.float32}


@wrong("quantised-matmul", "sums wrap in 16 bits")
def _(*a):
    return quantised(*a, total=np.int16)


@wrong("quantised-matmul", "sums are rounded to f16")
def _(*a):
    with np.errstate(all="ignore"):
        return quantised(*a, total=np.float16)


@wrong("quantised-matmul", "the zero point is subtracted in s8")
def _(*a):
    return quantised(*a, zero=np.int8)


@wrong("quantised-matmul", "the zero point is not subtracted")
def _(a, w, z, s):
    return quantised(a, w, np.zeros_like(z), s)


@wrong("quantised-matmul", "products are added in f32 after the scale")
def _(a, w, z, s):
    ac = a.astype(np.int32) - z.astype(np.int32)
    out = np.zeros((len(a), w.shape[1]), np.float32)
    for k in range(a.shape[1]):
        out = out + (ac[:, k:k + 1] * w[k].astype(np.int32)).astype(
            np.float32) * s
    return out.astype(RESULT["quantised-matmul"])


@wrong("quantised-matmul", "the last incomplete block of 64 is dropped")
def _(a, w, z, s):
    n = whole(a.shape[1], 64)
    return quantised(a[:, :n], w[:n], z, s)


@right("adam-step")
def adam(p, g, m, v, step=3, inside=0, outside=1e-8, decay=0):
    t = p.dtype.type
    m1 = t(0.9) * m + t(0.1) * g
    v1 = t(0.999) * v + t(0.001) * (g * g)
    mh, vh = m1 / t(1 - 0.9 ** step), v1 / t(1 - 0.999 ** step)
    u = mh / (np.sqrt(vh + t(inside)) + t(outside))
    return p - t(0.001) * u - (t(decay) * p if decay else 0), m1, v1


@wrong("adam-step", "eps is inside of the root")
def _(*a):
    return adam(*a, inside=1e-8, outside=0)


@wrong("adam-step", "the bias is that of step 4")
def _(*a):
    return adam(*a, step=4)


@wrong("adam-step", "parameters decay by 1e-5")
def _(*a):
    return adam(*a, decay=1e-5)


@right("loss-gradient")
def gradient(x, w, y, factor=2):
    t = up(x).dtype.type
    r = up(x) @ up(w) - up(y)
    return ((r @ up(x)) * t(factor) / t(max(1, len(x)))).astype(x.dtype)


@wrong("loss-gradient", "the factor 2 is missing")
def _(*a):
    return gradient(*a, factor=1)


@wrong("loss-gradient", "the last incomplete block of 64 rows is dropped")
def _(x, w, y):
    n = whole(len(x), 64)
    t = up(x).dtype.type
    r = up(x)[:n] @ up(w) - up(y)[:n]
    return ((r @ up(x)[:n]) * t(2) / t(max(1, len(x)))).astype(x.dtype)


@right("fft-convolution")
def convolve(a, b, conjugate=False):
    fb = np.fft.rfft(b)
    fb = fb.conj() if conjugate else fb
    return np.fft.irfft(np.fft.rfft(a) * fb, len(a)).astype(a.dtype)


@wrong("fft-convolution", "the correlation")
def _(a, b):
    return convolve(a, b, True)


@wrong("fft-convolution", "the convolution is not circular")
def _(a, b):
    return np.convolve(a, b)[:len(a)].astype(a.dtype)


import planted_more  # noqa: E402,F401  which adds to WRONG
import planted_blind  # noqa: E402,F401  and so does this
import planted_fourth  # noqa: E402,F401  and this
