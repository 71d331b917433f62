"""More wrong kernels in NumPy, of kinds that planted.py has not.

SPDX-License-Identifier: Apache-2.0

What is wrong by a position (axes, tails, rows, state that is kept, padding),
by a type (bf16, f16, wrapping indices) or by a term (a bias twice, a factor).
All were written before the gate was tried on any of them; one that the gate
misses stays.
"""
import math

import numpy as np

from planted import (RESULT, adam, attend, batch, by_tanh, conv, convolve,
                     entropy, erf, gelu, gelu_by, gelu_tanh, gradient, gru,
                     layer, log_softmax, lstm, masked, mlp, quantised, rms,
                     route, rowmax, sigmoid, silu, softmax, triangle, turn, up,
                     whole, wrong)


def bf16(x):
    """Rounded to bf16, in the type that it has."""
    y = np.ascontiguousarray(x, np.float32)
    bits = y.view(np.uint32)
    made = ((bits + np.uint32(0x7fff) + ((bits >> 16) & 1))
            & np.uint32(0xffff0000)).view(np.float32)
    return np.where(np.isfinite(y), made, y).astype(x.dtype)


def unwritten(y, n, axis=-1):
    """Zero from n on, as where a kernel never writes."""
    y = y.copy()
    if axis == 0:
        y[n:] = 0
    else:
        y[..., n:] = 0
    return y


def last(y, axis=-1):
    """All but one."""
    return max(y.shape[axis] - 1, 0)


def running(s):
    """Sums that are not reset between rows."""
    return np.cumsum(s, 0, dtype=s.dtype)


def f16_sum(e):
    s = np.zeros((len(e), 1), np.float16)
    for j in range(e.shape[1]):
        s[:, 0] = s[:, 0] + e[:, j].astype(np.float16)
    return s.astype(e.dtype)


# ---- Softmax and its relatives -----------------------------------------------

def softly(x, high=rowmax, total=lambda e: e.sum(1, keepdims=True),
           each=lambda e: e):
    y = up(x)
    e = each(np.exp(y - high(y)))
    return (e / total(e)).astype(x.dtype)


@wrong("softmax", "exponentials are rounded to bf16")
def _(x):
    return softly(x, each=bf16)


@wrong("softmax", "the sum is rounded to bf16")
def _(x):
    return softly(x, total=lambda e: bf16(e.sum(1, keepdims=True)))


@wrong("softmax", "the last column is not written")
def _(x):
    return unwritten(softmax(x), last(x))


@wrong("softmax", "the last incomplete block of 128 is not written")
def _(x):
    return unwritten(softmax(x), whole(x.shape[1], 128))


@wrong("softmax", "the sum is over rows")
def _(x):
    return softly(x, total=lambda e: e.sum(0, keepdims=True))


@wrong("softmax", "the sum is not reset between rows")
def _(x):
    return softly(x, total=lambda e: running(e.sum(1, keepdims=True)))


@wrong("softmax", "the minimum is subtracted")
def _(x):
    return softly(x, high=lambda y: y.min(1, keepdims=True, initial=np.inf))


@wrong("softmax", "all rows are divided by the first one's sum")
def _(x):
    return softly(x, total=lambda e: e.sum(1, keepdims=True)[:1]) \
        if len(x) else x


@wrong("softmax", "the online sum is rescaled by the maximum before the last")
def _(x):
    y = up(x)
    m = old = np.full((len(x), 1), -np.inf, y.dtype)
    s = np.zeros_like(m)
    for j in range(0, x.shape[1], 32):
        part = y[:, j:j + 32]
        new = np.maximum(m, rowmax(part))
        with np.errstate(all="ignore"):
            s = s * np.where(np.isfinite(old), np.exp(old - m), 0) \
                + np.exp(part - new).sum(1, keepdims=True)
        old, m = m, new
    return (np.exp(y - m) / s).astype(x.dtype)


@wrong("log-softmax", "the logarithm is that of base 2")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - np.log2(np.exp(d).sum(1, keepdims=True))).astype(x.dtype)


@wrong("log-softmax", "the sum drops the last incomplete block of 64")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - np.log(np.exp(d[:, :whole(x.shape[1], 64)]).sum(
        1, keepdims=True))).astype(x.dtype)


@wrong("log-softmax", "the sum is kept in f16")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - np.log(f16_sum(np.exp(d)))).astype(x.dtype)


@wrong("log-softmax", "the last row is not written")
def _(x):
    return unwritten(log_softmax(x), last(x, 0), 0)


@wrong("logsumexp", "the maximum is not added back")
def _(x):
    y = up(x)
    return np.log(np.exp(y - rowmax(y)).sum(1)).astype(x.dtype)


@wrong("logsumexp", "the logarithm is that of base 2")
def _(x):
    y = up(x)
    m = rowmax(y)
    m = np.where(np.isfinite(m), m, 0)
    return (np.log2(np.exp(y - m).sum(1)) + m[:, 0]).astype(x.dtype)


@wrong("logsumexp", "the sum is kept in f16")
def _(x):
    y = up(x)
    m = rowmax(y)
    m = np.where(np.isfinite(m), m, 0).astype(y.dtype)
    return (np.log(f16_sum(np.exp(y - m)))[:, 0] + m[:, 0]).astype(x.dtype)


# ---- Norms ---------------------------------------------------------------------

@wrong("layer-norm", "the offset is added twice")
def _(x, g, h):
    return layer(x, g, up(h) + up(h))


@wrong("layer-norm", "the offset is added before the scale")
def _(x, g, h):
    y = up(layer(x, np.ones_like(g), h))
    return (y * up(g)).astype(x.dtype)


@wrong("layer-norm", "no offset")
def _(x, g, h):
    return layer(x, g, np.zeros_like(h))


@wrong("layer-norm", "the mean is over rows")
def _(x, g, h):
    y = up(x)
    c = y - y.sum(0, keepdims=True) / y.dtype.type(max(1, len(y)))
    v = (c * c).mean(1, keepdims=True)
    return (c / np.sqrt(v + y.dtype.type(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "the sum of squares is not reset between rows")
def _(x, g, h):
    y = up(x)
    c = y - y.mean(1, keepdims=True)
    v = running((c * c).sum(1, keepdims=True)) / y.dtype.type(x.shape[1])
    return (c / np.sqrt(v + y.dtype.type(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "the variance is rounded to bf16")
def _(x, g, h):
    y = up(x)
    c = y - y.mean(1, keepdims=True)
    v = bf16((c * c).mean(1, keepdims=True))
    return (c / np.sqrt(v + y.dtype.type(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "the last row is not normalised")
def _(x, g, h):
    y = layer(x, g, h)
    y[last(x, 0):] = x[last(x, 0):]
    return y


@wrong("rms-norm", "the mean is subtracted")
def _(x, g):
    y = up(x)
    return rms((y - y.mean(1, keepdims=True)).astype(x.dtype), g)


@wrong("rms-norm", "the last element is not scaled")
def _(x, g):
    k = up(g).copy()
    k[-1:] = 1
    return rms(x, k)


@wrong("rms-norm", "the root is rounded to bf16")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    r = bf16(np.sqrt((y * y).mean(1, keepdims=True) + t(1e-6)))
    return (y / r * up(g)).astype(x.dtype)


@wrong("rms-norm", "the sum is not reset between rows")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    s = running((y * y).sum(1, keepdims=True)) / t(max(1, x.shape[1]))
    return (y / np.sqrt(s + t(1e-6)) * up(g)).astype(x.dtype)


@wrong("rms-norm", "the last incomplete block of 64 is not written")
def _(x, g):
    return unwritten(rms(x, g), whole(x.shape[1], 64))


@wrong("rms-norm", "the mean of magnitudes in place of that of squares")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    return (y / (np.abs(y).mean(1, keepdims=True) + t(1e-6)) * up(g)).astype(
        x.dtype)


# ---- Attention -------------------------------------------------------------------

def scores(q, k):
    return up(q) @ up(k).T / np.sqrt(up(q).dtype.type(q.shape[1]))


def weigh(s, v, dtype, axis=1):
    e = np.exp(s - s.max(axis, keepdims=True, initial=-np.inf))
    return (e / e.sum(axis, keepdims=True) @ up(v)).astype(dtype)


@wrong("attention", "the softmax is over queries")
def _(q, k, v):
    return weigh(scores(q, k), v, q.dtype, 0)


@wrong("attention", "the values are rounded to bf16")
def _(q, k, v):
    return attend(q, k, bf16(up(v))).astype(q.dtype)


@wrong("attention", "the first key counts twice")
def _(q, k, v):
    return attend(q, np.concatenate([k[:1], k]), np.concatenate([v[:1], v]))


@wrong("attention", "the last query is not written")
def _(q, k, v):
    return unwritten(attend(q, k, v), last(q, 0), 0)


@wrong("attention", "the online maximum starts at 0")
def _(q, k, v):
    s = scores(q, k)
    e = np.exp(s - np.maximum(rowmax(s), 0))
    return (e / e.sum(1, keepdims=True) @ up(v)).astype(q.dtype)


@wrong("attention", "blocks of 16 keys are averaged, whatever their sums")
def _(q, k, v):
    parts = [up(attend(q, k[j:j + 16], v[j:j + 16]))
             for j in range(0, len(k), 16)]
    return (sum(parts) / up(q).dtype.type(max(1, len(parts)))).astype(q.dtype) \
        if parts else attend(q, k, v)


@wrong("attention", "the sum of weights is kept in f16")
def _(q, k, v):
    s = scores(q, k)
    e = np.exp(s - rowmax(s))
    return (e / f16_sum(e) @ up(v)).astype(q.dtype)


@wrong("attention", "the last value column is not written")
def _(q, k, v):
    return unwritten(attend(q, k, v), last(v))


@wrong("causal-attention", "the mask is off by one for the last query")
def _(q, k, v):
    m = triangle(len(q), len(k))
    m[-1:] = triangle(len(q), len(k), -1)[-1:]
    return attend(q, k, v, m)


@wrong("causal-attention", "keys more than 64 back are dropped")
def _(q, k, v):
    rows = np.arange(len(q))[:, None] + len(k) - len(q)
    return attend(q, k, v, triangle(len(q), len(k))
                  & (np.arange(len(k))[None] > rows - 64))


@wrong("causal-attention", "masked scores are 0")
def _(q, k, v):
    return weigh(np.where(triangle(len(q), len(k)), scores(q, k), 0).astype(
        up(q).dtype), v, q.dtype)


@wrong("causal-attention", "the mask is that of later keys")
def _(q, k, v):
    rows = np.arange(len(q))[:, None] + len(k) - len(q)
    return attend(q, k, v, np.arange(len(k))[None] >= rows)


@wrong("causal-attention", "masked keys count in the sum")
def _(q, k, v):
    s, m = scores(q, k), triangle(len(q), len(k))
    e = np.exp(s - rowmax(s))
    return (np.where(m, e, 0).astype(s.dtype) / e.sum(1, keepdims=True)
            @ up(v)).astype(q.dtype)


@wrong("masked-attention", "the mask of the last key is ignored")
def _(q, k, v, mask):
    m = mask.copy()
    m[:, -1:] = True
    return masked(q, k, v, m)


@wrong("masked-attention", "the mask is read column by column")
def _(q, k, v, mask):
    return masked(q, k, v, mask.reshape(-1).reshape(
        mask.shape[::-1]).T.copy())


@wrong("masked-attention", "a query without keys is the first value")
def _(q, k, v, mask):
    return attend(q, k, v, mask, off=lambda v: v[:1])


@wrong("masked-attention", "masked scores are less by 1")
def _(q, k, v, mask):
    s = scores(q, k)
    return weigh(np.where(mask, s, s - 1).astype(s.dtype), v, q.dtype)


@wrong("masked-attention", "the maximum is that of all keys, and 1e-6 is added")
def _(q, k, v, mask):
    s = scores(q, k)
    e = np.where(mask, np.exp(s - rowmax(s)), 0).astype(s.dtype)
    return (e / (e.sum(1, keepdims=True) + s.dtype.type(1e-6)) @ up(v)).astype(
        q.dtype)


# ---- Elementwise -----------------------------------------------------------------

@wrong("gelu", "erf of x instead of x / sqrt(2)")
def _(x):
    return gelu_by(x, lambda y, t: erf(y))


@wrong("gelu", "results beyond 3 are x")
def _(x):
    return np.where(up(x) > 3, x, gelu(x)).astype(x.dtype)


@wrong("gelu", "the last incomplete block of 128 is not written")
def _(x):
    return unwritten(gelu(x), whole(len(x), 128))


@wrong("gelu", "erf is rounded to bf16")
def _(x):
    return gelu_by(x, lambda y, t: bf16(erf(y / np.sqrt(t(2)))))


@wrong("gelu-tanh", "x squared in place of x cubed")
def _(x):
    return gelu_by(x, lambda y, t: np.tanh(
        t(math.sqrt(2 / math.pi)) * (y + t(0.044715) * y * y)))


@wrong("gelu-tanh", "tanh is 1 from 3 on")
def _(x):
    def f(y, t):
        z = by_tanh()(y, t)
        return np.where(np.abs(z) > math.tanh(3), np.sign(z), z).astype(y.dtype)
    return gelu_by(x, f)


@wrong("gelu-tanh", "the result is rounded to bf16")
def _(x):
    return bf16(up(gelu_tanh(x))).astype(x.dtype)


@wrong("silu", "exp(x) / (1 + exp(x)) without a care for overflow")
def _(x):
    y = up(x)
    e = np.exp(y)
    return (y * (e / (1 + e))).astype(x.dtype)


@wrong("silu", "results below -10 are 0")
def _(x):
    return np.where(up(x) < -10, 0, silu(x)).astype(x.dtype)


@wrong("silu", "the result is rounded to bf16")
def _(x):
    return bf16(up(silu(x))).astype(x.dtype)


@wrong("silu", "the sigmoid alone")
def _(x):
    return sigmoid(up(x)).astype(x.dtype)


@wrong("rope", "the second half is not rotated")
def _(x, c, s):
    y = turn(x, c, s)
    n = x.shape[1] // 2
    y[:, n:] = x[:, n:]
    return y


@wrong("rope", "the second half is computed from the rotated first")
def _(x, c, s):
    a, b = np.split(up(x), 2, 1)
    a = a * up(c) - b * up(s)
    return np.concatenate([a, a * up(s) + b * up(c)], 1).astype(x.dtype)


@wrong("rope", "each row takes the angle of the next")
def _(x, c, s):
    return turn(x, np.roll(c, -1, 0), np.roll(s, -1, 0))


@wrong("rope", "the last pair is not rotated")
def _(x, c, s):
    c, s = c.copy(), s.copy()
    c[:, -1:], s[:, -1:] = 1, 0
    return turn(x, c, s)


# ---- Losses, routing ---------------------------------------------------------------

@wrong("cross-entropy", "the label is read as a signed byte")
def _(x, labels):
    return entropy(x, labels.astype(np.int8).astype(np.int32))


@wrong("cross-entropy", "all labels are 0")
def _(x, labels):
    return entropy(x, np.zeros_like(labels))


@wrong("cross-entropy", "the sum is kept in f16")
def _(x, labels):
    y = up(x)
    m = rowmax(y)
    return (np.log(f16_sum(np.exp(y - m)))[:, 0] + m[:, 0]
            - y[np.arange(len(y)), labels]).astype(x.dtype)


@wrong("cross-entropy", "the sign is that of the log-likelihood")
def _(x, labels):
    return -entropy(x, labels)


@wrong("moe-topk", "the same expert is chosen twice")
def _(x):
    return route(x, lambda y: np.argsort(-y, 1, kind="stable")[:, [0, 0]])


@wrong("moe-topk", "experts are counted from 1")
def _(x):
    w, i = route(x)
    return w, i + np.int32(1)


@wrong("moe-topk", "the two weights are swapped")
def _(x):
    w, i = route(x)
    return w[:, ::-1].copy(), i


@wrong("moe-topk", "experts are chosen by logits rounded to bf16")
def _(x):
    return route(x, lambda y: np.argsort(-bf16(y), 1, kind="stable")[:, :2])


# ---- Layers ------------------------------------------------------------------------

@wrong("batch-norm", "the variance is not rooted")
def _(x, mu, v, g, h):
    t = up(x).dtype.type
    return ((up(x) - up(mu)) / (up(v) + t(1e-5)) * up(g) + up(h)).astype(x.dtype)


@wrong("batch-norm", "the offset is added twice")
def _(x, mu, v, g, h):
    return batch(x, mu, v, g, up(h) + up(h))


@wrong("batch-norm", "each channel takes the statistics of the next")
def _(x, mu, v, g, h):
    return batch(x, np.roll(mu, -1), np.roll(v, -1), g, h)


@wrong("batch-norm", "the last incomplete block of 64 channels is not written")
def _(x, mu, v, g, h):
    return unwritten(batch(x, mu, v, g, h), whole(x.shape[1], 64))


@wrong("conv-bias-relu", "rows and columns of the kernel are swapped")
def _(x, w, h):
    return conv(x, w.transpose(1, 0, 2, 3), h)


@wrong("conv-bias-relu", "the bias is added after the rectification")
def _(x, w, h):
    return (up(conv(x, w, np.zeros_like(h))) + up(h)).astype(x.dtype)


@wrong("conv-bias-relu", "input channels are in reverse order")
def _(x, w, h):
    return conv(x[..., ::-1], w, h)


@wrong("conv-bias-relu", "the last row is not written")
def _(x, w, h):
    y = conv(x, w, h)
    y[:, -1:] = 0
    return y


@wrong("conv-bias-relu", "the border is repeated in place of zeros")
def _(x, w, h):
    if 0 in x.shape:
        return conv(x, w, h)
    p = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
    return conv(p, w, h)[:, 1:-1, 1:-1]


@wrong("conv-bias-relu", "results are clipped at 6")
def _(x, w, h):
    return np.minimum(conv(x, w, h), x.dtype.type(6))


@wrong("mlp", "the second bias is added twice")
def _(x, w1, b1, w2, b2):
    return mlp(x, w1, b1, w2, up(b2) + up(b2))


@wrong("mlp", "the result is rectified")
def _(*a):
    return np.maximum(mlp(*a), 0)


@wrong("mlp", "the last hidden unit is dropped")
def _(x, w1, b1, w2, b2):
    n = last(b1)
    return mlp(x, w1[:, :n], b1[:n], w2[:n], b2)


@wrong("mlp", "the first weights are rounded to bf16")
def _(x, w1, b1, w2, b2):
    return mlp(x, bf16(up(w1)), b1, w2, b2)


@wrong("mlp", "the first row's result is written to all")
def _(*a):
    y = mlp(*a)
    return np.broadcast_to(y[:1], y.shape).copy() if len(y) else y


def cell(x, h, c, w, u, b, candidate=np.tanh, forget=True, old=False):
    i, f, g, o = np.split(up(x) @ up(w) + up(h) @ up(u) + up(b), 4, 1)
    c1 = (sigmoid(f) if forget else 1) * up(c) + sigmoid(i) * candidate(g)
    return ((sigmoid(o) * np.tanh(up(c) if old else c1)).astype(x.dtype),
            c1.astype(x.dtype))


@wrong("lstm-cell", "the candidate is a sigmoid")
def _(*a):
    return cell(*a, candidate=sigmoid)


@wrong("lstm-cell", "the old state is not multiplied by the forget gate")
def _(*a):
    return cell(*a, forget=False)


@wrong("lstm-cell", "the output is that of the old state")
def _(*a):
    return cell(*a, old=True)


@wrong("lstm-cell", "the bias is added twice")
def _(x, h, c, w, u, b):
    return lstm(x, h, c, w, u, up(b) + up(b))


@wrong("gru-cell", "reset and update gates are swapped")
def _(x, h, w, u, bw, bu):
    def swap(a):
        r, z, n = np.split(a, 3, -1)
        return np.concatenate([z, r, n], -1)
    return gru(x, h, swap(w), swap(u), swap(bw), swap(bu))


@wrong("gru-cell", "the hidden bias is outside of the reset gate")
def _(x, h, w, u, bw, bu):
    n = h.shape[1]
    inner, outer = up(bu).copy(), up(bw).copy()
    outer[2 * n:] += inner[2 * n:]
    inner[2 * n:] = 0
    return gru(x, h, w, u, outer, inner)


@wrong("gru-cell", "the candidate is rounded to bf16")
def _(x, h, w, u, bw, bu):
    r0, z0, n0 = np.split(up(x) @ up(w) + up(bw), 3, 1)
    r1, z1, n1 = np.split(up(h) @ up(u) + up(bu), 3, 1)
    z, n = sigmoid(z0 + z1), bf16(np.tanh(n0 + sigmoid(r0 + r1) * n1))
    return ((1 - z) * n + z * up(h)).astype(x.dtype)


@wrong("quantised-matmul", "the zero point is added")
def _(a, w, z, s):
    ac = a.astype(np.int32) + z.astype(np.int32)
    return ((ac @ w.astype(np.int32)).astype(np.float32) * s).astype(
        RESULT["quantised-matmul"])


@wrong("quantised-matmul", "the zero point is subtracted once from each sum")
def _(a, w, z, s):
    acc = a.astype(np.int32) @ w.astype(np.int32) - z.astype(np.int32)
    return (acc.astype(np.float32) * s).astype(RESULT["quantised-matmul"])


@wrong("quantised-matmul", "sums saturate in 16 bits")
def _(a, w, z, s):
    ac = a.astype(np.int32) - z.astype(np.int32)
    acc = np.clip(ac @ w.astype(np.int32), -2**15, 2**15 - 1)
    return (acc.astype(np.float32) * s).astype(RESULT["quantised-matmul"])


@wrong("quantised-matmul", "weights are unsigned")
def _(a, w, z, s):
    return quantised(a, w.view(np.uint8), z, s)


@wrong("quantised-matmul", "the scale of the first column is used for all")
def _(a, w, z, s):
    return quantised(a, w, z, np.broadcast_to(s[:1], s.shape))


@wrong("quantised-matmul", "scales are rounded to bf16")
def _(a, w, z, s):
    return quantised(a, w, z, bf16(s))


@wrong("adam-step", "no correction of the bias")
def _(p, g, m, v):
    t = p.dtype.type
    m1 = t(0.9) * m + t(0.1) * g
    v1 = t(0.999) * v + t(0.001) * (g * g)
    return p - t(0.001) * (m1 / (np.sqrt(v1) + t(1e-8))), m1, v1


@wrong("adam-step", "the second moment is that of |g|")
def _(p, g, m, v):
    _p, m1, _v = adam(p, g, m, v)
    t = p.dtype.type
    v1 = t(0.999) * v + t(0.001) * np.abs(g)
    u = m1 / t(1 - 0.9 ** 3) / (np.sqrt(v1 / t(1 - 0.999 ** 3)) + t(1e-8))
    return p - t(0.001) * u, m1, v1


@wrong("adam-step", "parameters move by the old moment")
def _(p, g, m, v):
    _p, m1, v1 = adam(p, g, m, v)
    t = p.dtype.type
    u = m / t(1 - 0.9 ** 3) / (np.sqrt(v1 / t(1 - 0.999 ** 3)) + t(1e-8))
    return p - t(0.001) * u, m1, v1


@wrong("adam-step", "the last incomplete block of 128 is not updated")
def _(p, g, m, v):
    n = whole(len(p), 128)
    return tuple(np.concatenate([new[:n], old[n:]]) for new, old in
                 zip(adam(p, g, m, v), (p, m, v)))


@wrong("adam-step", "moments are rounded to bf16")
def _(p, g, m, v):
    p1, m1, v1 = adam(p, g, m, v)
    return p1, bf16(m1), bf16(v1)


@wrong("loss-gradient", "the target is not subtracted")
def _(x, w, y):
    return gradient(x, w, np.zeros_like(y))


@wrong("loss-gradient", "the mean divides by the number of columns")
def _(x, w, y):
    t = up(x).dtype.type
    return (gradient(x, w, y) * t(max(1, len(x))) / t(max(1, x.shape[1]))
            ).astype(x.dtype)


@wrong("loss-gradient", "one of two updates of the last pair of rows is lost")
def _(x, w, y):
    t = up(x).dtype.type
    r = up(x) @ up(w) - up(y)
    r[len(r) - 2:len(r) - 1 if len(r) > 1 else 0] = 0
    return ((r @ up(x)) * t(2) / t(max(1, len(x)))).astype(x.dtype)


@wrong("fft-convolution", "the result is shifted by one")
def _(a, b):
    return np.roll(convolve(a, b), 1)


@wrong("fft-convolution", "the last term of the spectrum is dropped")
def _(a, b):
    f = np.fft.rfft(a) * np.fft.rfft(b)
    f[-1] = 0
    return np.fft.irfft(f, len(a)).astype(a.dtype)


@wrong("fft-convolution", "the result is divided by the length again")
def _(a, b):
    return (convolve(a, b) / a.dtype.type(len(a))).astype(a.dtype)
