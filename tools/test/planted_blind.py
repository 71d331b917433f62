"""Wrong kernels in NumPy, of kinds that neither other table has.

SPDX-License-Identifier: Apache-2.0

All were written before the gate's data were read, and before the gate was tried
on any of them; one that the gate misses stays.  Many are
right for most operands: they are wrong for long rows, for square ones, for
ties, for strided arrays, or from the second call on.
"""
import numpy as np

from planted import (RESULT, adam, attend, batch, by_tanh, conv, convolve,
                     entropy, gelu, gelu_by, gelu_tanh, gradient, gru, layer,
                     log_softmax, logsumexp, lstm, masked, mlp, quantised, rms,
                     route, rowmax, sigmoid, silu, softmax, triangle, turn, up,
                     whole, wrong)
from planted_more import bf16, softly, unwritten


def bits(x, n):
    """Rounded to n bits of significand: 11 are tf32's."""
    y = np.ascontiguousarray(x, np.float32)
    lost = 24 - n
    b = y.view(np.uint32)
    made = (b + np.uint32((1 << (lost - 1)) - 1) + ((b >> lost) & 1)) \
        & np.uint32((0xffffffff << lost) & 0xffffffff)
    return np.where(np.isfinite(y), made.view(np.float32), y).astype(x.dtype)


def tf32(x):
    return bits(up(x), 11).astype(x.dtype)


def as_packed(x):
    """What a kernel reads that ignores the strides of x."""
    if x.ndim < 2 and x.flags.c_contiguous or 0 in x.strides or not x.size:
        return x
    strides = [x.itemsize]
    for n in x.shape[:0:-1]:
        strides.insert(0, strides[0] * n)
    return np.lib.stride_tricks.as_strided(x, x.shape, strides)


def like_last_time(f, mix):
    """A kernel that keeps its first result of each shape."""
    kept = {}

    def kernel(*a):
        y = f(*a)
        old = kept.setdefault(y.shape, y.copy())
        return mix(y, old)
    return kernel


def in_blocks(p, v, n):
    """p @ v, added up in bf16 after each block of n."""
    total = np.zeros((len(p), v.shape[1]), p.dtype)
    for j in range(0, p.shape[1], n):
        total = bf16(total + p[:, j:j + n] @ v[j:j + n])
    return total


# ---- Softmax and its relatives -----------------------------------------------

@wrong("softmax", "elements from 1024 on are ignored")
def _(x):
    y = np.zeros_like(x)
    y[:, :1024] = softmax(x[:, :1024])
    return y


@wrong("softmax", "the operands are rounded to tf32")
def _(x):
    return softmax(tf32(x))


@wrong("softmax", "strides are ignored")
def _(x):
    return softmax(as_packed(x))


@wrong("softmax", "the logarithm of e to base 2 is 1.4427")
def _(x):
    y = up(x)
    e = np.exp2((y - rowmax(y)) * y.dtype.type(1.4427))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


@wrong("softmax", "the reciprocal of the sum has 12 bits")
def _(x):
    y = up(x)
    e = np.exp(y - rowmax(y))
    return (e * bits(1 / e.sum(1, keepdims=True), 12)).astype(x.dtype)


@wrong("softmax", "a row that begins with 32 times -inf is NaN")
def _(x):
    y = softmax(x)
    if x.shape[1] > 32:
        y[(up(x)[:, :32] == -np.inf).all(1)] = np.nan
    return y


@wrong("softmax", "differences are clamped at -10")
def _(x):
    y = up(x)
    e = np.exp(np.maximum(y - rowmax(y), y.dtype.type(-10)))
    return (e / e.sum(1, keepdims=True)).astype(x.dtype)


def first_of(y, old):
    y.flat[:1] = old.flat[:1]
    return y


wrong("softmax", "the first element of the second call is the first call's")(
    like_last_time(softmax, first_of))


@wrong("log-softmax", "results are clamped at -100")
def _(x):
    return np.maximum(log_softmax(x), x.dtype.type(-100))


@wrong("log-softmax", "square arrays are reduced along the other axis")
def _(x):
    return log_softmax(x.T).T.copy() if x.shape[0] == x.shape[1] \
        else log_softmax(x)


@wrong("log-softmax", "-inf is replaced by -1e9")
def _(x):
    y = up(x)
    return log_softmax(np.where(y == -np.inf, y.dtype.type(-1e9),
                                y).astype(x.dtype))


@wrong("log-softmax", "exponentials are rounded to bf16")
def _(x):
    y = up(x)
    d = y - rowmax(y)
    return (d - np.log(bf16(np.exp(d)).sum(1, keepdims=True))).astype(x.dtype)


@wrong("logsumexp", "a row with +inf is NaN")
def _(x):
    y = logsumexp(x)
    y[(up(x) == np.inf).any(1)] = np.nan
    return y


@wrong("logsumexp", "the largest magnitude is subtracted")
def _(x):
    y = up(x)
    m = rowmax(np.abs(y))
    m = np.where(np.isfinite(m), m, 0)
    return (np.log(np.exp(y - m).sum(1)) + m[:, 0]).astype(x.dtype)


@wrong("logsumexp", "indices of columns wrap in 8 bits")
def _(x):
    return logsumexp(x[:, np.arange(x.shape[1]) % 256])


@wrong("logsumexp", "one row gives a scalar")
def _(x):
    return logsumexp(x).squeeze()


# ---- Norms ---------------------------------------------------------------------

@wrong("layer-norm", "the reciprocal root has 12 bits")
def _(x, g, h):
    y = up(x)
    c = y - y.mean(1, keepdims=True)
    r = bits(1 / np.sqrt((c * c).mean(1, keepdims=True)
                         + y.dtype.type(1e-5)), 12)
    return (c * r * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "the variance is the mean of the variances of blocks of 64")
def _(x, g, h):
    y = up(x)
    n = y.shape[1]
    if not n:
        return layer(x, g, h)
    v = sum(y[:, j:j + 64].var(1, keepdims=True) * y[:, j:j + 64].shape[1]
            for j in range(0, n, 64)) / y.dtype.type(n)
    c = y - y.mean(1, keepdims=True)
    return (c / np.sqrt(v + y.dtype.type(1e-5)) * up(g) + up(h)).astype(
        x.dtype)


@wrong("layer-norm", "eps is a lower limit of the variance")
def _(x, g, h):
    y = up(x)
    c = y - y.mean(1, keepdims=True)
    v = np.maximum((c * c).mean(1, keepdims=True), y.dtype.type(1e-5))
    return (c / np.sqrt(v) * up(g) + up(h)).astype(x.dtype)


@wrong("layer-norm", "elements from 1024 on are ignored")
def _(x, g, h):
    y = np.zeros_like(x)
    y[:, :1024] = layer(x[:, :1024], g[:1024], h[:1024])
    return y


@wrong("layer-norm", "scale and offset are read by row where it is square")
def _(x, g, h):
    if x.shape[0] != x.shape[1]:
        return layer(x, g, h)
    y = layer(x, np.ones_like(g), np.zeros_like(h))
    return (up(y) * up(g)[:, None] + up(h)[:, None]).astype(x.dtype)


@wrong("layer-norm", "the scale is rounded to bf16")
def _(x, g, h):
    return layer(x, bf16(up(g)), h)


@wrong("rms-norm", "eps is a lower limit of the mean")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    s = np.maximum((y * y).mean(1, keepdims=True), t(1e-6))
    return (y / np.sqrt(s) * up(g)).astype(x.dtype)


@wrong("rms-norm", "the sum in place of the mean")
def _(x, g):
    return rms(x, g, n=1)


@wrong("rms-norm", "a row is divided by its largest magnitude first")
def _(x, g):
    y = up(x)
    m = rowmax(np.abs(y))
    s = ((y / m) * (y / m)).mean(1, keepdims=True)
    return (y / (np.sqrt(s) * m) * up(g)).astype(x.dtype)


@wrong("rms-norm", "NaN does not count")
def _(x, g):
    y, t = up(x), up(x).dtype.type
    s = np.nansum(y * y, 1, keepdims=True) / t(max(1, x.shape[1]))
    return (y / np.sqrt(s + t(1e-6)) * up(g)).astype(x.dtype)


@wrong("rms-norm", "strides are ignored")
def _(x, g):
    return rms(as_packed(x), as_packed(g))


def handed_out(y, old):
    old[...] = y
    return old


wrong("rms-norm", "each result is in the memory of the one before")(
    like_last_time(rms, handed_out))


# ---- Attention -------------------------------------------------------------------

@wrong("attention", "the scale is that of D rounded up to a power of two")
def _(q, k, v):
    d = 1 << max(0, q.shape[1] - 1).bit_length()
    return attend(q, k, v, scale=1 / np.sqrt(d))


@wrong("attention", "square keys are not transposed")
def _(q, k, v):
    return attend(q, k.T if k.shape[0] == k.shape[1] else k, v)


@wrong("attention", "scores are products of tf32")
def _(q, k, v):
    return attend(tf32(q), tf32(k), v)


@wrong("attention", "the maximum of scores that are not scaled is subtracted")
def _(q, k, v):
    t = up(q).dtype.type
    s = up(q) @ up(k).T
    e = np.exp(s / np.sqrt(t(q.shape[1])) - rowmax(s))
    return (e / e.sum(1, keepdims=True) @ up(v)).astype(q.dtype)


@wrong("attention", "powers of 2 in place of e")
def _(q, k, v):
    return attend(q, k, v, scale=np.log(2) / np.sqrt(max(1, q.shape[1])))


@wrong("attention", "the last incomplete block of 16 queries is not written")
def _(q, k, v):
    return unwritten(attend(q, k, v), whole(len(q), 16), 0)


@wrong("attention", "the result is added up in bf16 in blocks of 32 keys")
def _(q, k, v):
    t = up(q).dtype.type
    s = up(q) @ up(k).T / np.sqrt(t(q.shape[1]))
    e = np.exp(s - rowmax(s))
    return (in_blocks(e, up(v), 32) / e.sum(1, keepdims=True)).astype(q.dtype)


@wrong("attention", "strides are ignored")
def _(q, k, v):
    return attend(as_packed(q), as_packed(k), as_packed(v))


@wrong("causal-attention", "only as many keys as queries are read")
def _(q, k, v):
    n = -(-len(q) // 32) * 32
    mask = triangle(len(q), len(k)) & (np.arange(len(k)) < n)[None]
    return attend(q, k, v, mask)


@wrong("causal-attention", "masked scores are less by 1e4")
def _(q, k, v):
    t = up(q).dtype.type
    s = up(q) @ up(k).T / np.sqrt(t(q.shape[1]))
    s = s + np.where(triangle(len(q), len(k)), t(0), t(-1e4))
    e = np.exp(s - rowmax(s))
    return (e / e.sum(1, keepdims=True) @ up(v)).astype(q.dtype)


@wrong("causal-attention", "positions are compared as signed bytes")
def _(q, k, v):
    with np.errstate(all="ignore"):
        rows = (np.arange(len(q))[:, None] + len(k) - len(q)).astype(np.int8)
        return attend(q, k, v, np.arange(len(k)).astype(np.int8)[None] <= rows)


@wrong("causal-attention", "the scale is that of the number of keys")
def _(q, k, v):
    return attend(q, k, v, triangle(len(q), len(k)),
                  scale=1 / np.sqrt(max(1, len(k))))


@wrong("causal-attention", "one query sees all but the last key")
def _(q, k, v):
    mask = triangle(len(q), len(k))
    if len(q) == 1 and len(k) > 1:
        mask[:, -1] = False
    return attend(q, k, v, mask)


@wrong("masked-attention", "a key is seen by all if one query sees it")
def _(q, k, v, mask):
    return attend(q, k, v, np.broadcast_to(mask.any(0, keepdims=True),
                                           mask.shape))


@wrong("masked-attention", "a query without keys sees all")
def _(q, k, v, mask):
    return attend(q, k, v, mask | ~mask.any(1, keepdims=True))


@wrong("masked-attention", "keys beyond whole bytes of the packed mask are seen")
def _(q, k, v, mask):
    mask = mask.copy()
    mask[:, mask.shape[1] // 8 * 8:] = True
    return attend(q, k, v, mask)


@wrong("masked-attention", "the first key is always seen")
def _(q, k, v, mask):
    mask = mask.copy()
    mask[:, :1] = True
    return attend(q, k, v, mask)


@wrong("masked-attention", "the strides of the mask are ignored")
def _(q, k, v, mask):
    return masked(q, k, v, as_packed(mask))


# ---- Elementwise -----------------------------------------------------------------

@wrong("gelu", "erf by a polynomial with an error of 2.5e-5")
def _(x):
    def f(y, t):
        a = np.abs(y / np.sqrt(t(2)))
        u = t(1) / (t(1) + t(0.47047) * a)
        p = u * (t(0.3480242) + u * (t(-0.0958798) + u * t(0.7478556)))
        return np.copysign(t(1) - p * np.exp(-a * a), y)
    return gelu_by(x, f)


@wrong("gelu", "the operand is rounded to tf32")
def _(x):
    return gelu(tf32(x))


@wrong("gelu", "elements from 1024 on are copied")
def _(x):
    y = x.copy()
    y[:1024] = gelu(x[:1024])
    return y


@wrong("gelu", "the last of vectors of 4 is not halved")
def _(x):
    y = gelu(x)
    y[len(x) // 4 * 4:] *= 2
    return y


@wrong("gelu-tanh", "the root does not multiply the cube")
def _(x):
    return gelu_by(x, lambda y, t: np.tanh(
        t(0.7978845608) * y + t(0.044715) * y * y * y))


@wrong("gelu-tanh", "tanh by exp(2 x), which overflows")
def _(x):
    def f(y, t):
        e = np.exp(t(2) * t(0.7978845608)
                   * (y + t(0.044715) * y * y * y))
        return (e - t(1)) / (e + t(1))
    return gelu_by(x, f)


@wrong("gelu-tanh", "tanh is a quotient of polynomials")
def _(x):
    def f(y, t):
        z = np.clip(t(0.7978845608) * (y + t(0.044715) * y * y * y), -3, 3)
        return z * (t(27) + z * z) / (t(27) + t(9) * z * z)
    return gelu_by(x, f)


@wrong("gelu-tanh", "tanh has 11 bits")
def _(x):
    return gelu_by(x, lambda y, t: bits(by_tanh()(y, t), 11))


@wrong("silu", "the logarithm of e to base 2 is 1.4427")
def _(x):
    y = up(x)
    t = y.dtype.type
    return (y / (t(1) + np.exp2(-y * t(1.4427)))).astype(x.dtype)


@wrong("silu", "the sigmoid by a tanh with 11 bits")
def _(x):
    y = up(x)
    t = y.dtype.type
    return (y * (t(0.5) + t(0.5) * bits(np.tanh(y * t(0.5)), 11))).astype(
        x.dtype)


@wrong("silu", "the operand is overwritten")
def _(x):
    x[...] = silu(x)
    return x


def tail_of(y, old):
    n = len(y) // 4 * 4
    y[n:] = old[n:]
    return y


wrong("silu", "the last incomplete vector of 4 keeps an earlier call's values")(
    like_last_time(silu, tail_of))


@wrong("rope", "angles from 128 rows on begin again")
def _(x, c, s):
    at = np.arange(len(x)) % 128
    return turn(x, c[at], s[at])


@wrong("rope", "the second half takes the angles in reverse order")
def _(x, c, s):
    y, z = turn(x, c, s), turn(x, c[:, ::-1], s[:, ::-1])
    n = c.shape[1]
    return np.concatenate([y[:, :n], z[:, n:]], 1)


@wrong("rope", "the operands are rounded to tf32")
def _(x, c, s):
    return turn(tf32(x), tf32(c), tf32(s))


@wrong("rope", "strides are ignored")
def _(x, c, s):
    return turn(as_packed(x), as_packed(c), as_packed(s))


# ---- Losses, routing ---------------------------------------------------------------

@wrong("cross-entropy", "the logarithm of the softmax")
def _(x, labels):
    p = softmax(up(x))[np.arange(len(x)), labels]
    return -np.log(p).astype(x.dtype)


@wrong("cross-entropy", "rows whose label is 0 are ignored")
def _(x, labels):
    return np.where(labels == 0, 0, entropy(x, labels)).astype(x.dtype)


@wrong("cross-entropy", "labels are read as an unsigned byte")
def _(x, labels):
    return entropy(x, labels % 256)


@wrong("cross-entropy", "labels are read as 64 bits")
def _(x, labels):
    n = len(labels)
    wide = np.zeros(n, labels.dtype)
    wide[:-(-n // 2)] = labels[::2]
    return entropy(x, wide)


@wrong("cross-entropy", "labels are smoothed by 1e-3")
def _(x, labels):
    y = up(x)
    t = y.dtype.type
    lp = log_softmax(y)
    return (t(-0.999) * lp[np.arange(len(y)), labels]
            - t(1e-3) * lp.mean(1)).astype(x.dtype)


@wrong("moe-topk", "all logits equal to the largest are removed for the second")
def _(x):
    def order(y):
        first = y.argmax(1)
        rest = np.where(y == rowmax(y), -np.inf, y)
        return np.stack([first, rest.argmax(1)], 1)
    return route(x, order)


@wrong("moe-topk", "the chosen logit becomes 0, not -inf")
def _(x):
    def order(y):
        first = y.argmax(1)
        rest = y.copy()
        rest[np.arange(len(y)), first] = 0
        return np.stack([first, rest.argmax(1)], 1)
    return route(x, order)


@wrong("moe-topk", "the search starts at -1e4")
def _(x):
    def order(y):
        y = np.where(y > -1e4, y, -1e4)
        return np.argsort(-y, 1, kind="stable")[:, :2]
    return route(x, order)


@wrong("moe-topk", "weights are rounded to bf16")
def _(x):
    w, i = route(x)
    return bf16(w), i


@wrong("moe-topk", "experts from 32 on are ignored")
def _(x):
    return route(x[:, :32])


# ---- Layers ------------------------------------------------------------------------

@wrong("batch-norm", "eps is a lower limit of the variance")
def _(x, mu, v, g, h):
    return batch(x, mu, np.maximum(up(v), up(v).dtype.type(1e-5)), g, h, 0)


@wrong("batch-norm", "the statistics are those of the batch")
def _(x, mu, v, g, h):
    y = up(x)
    return batch(x, y.mean(0), y.var(0), g, h)


@wrong("batch-norm", "channels are rows where it is square")
def _(x, mu, v, g, h):
    if x.shape[0] != x.shape[1]:
        return batch(x, mu, v, g, h)
    return batch(x.T, mu, v, g, h).T.copy()


@wrong("batch-norm", "the reciprocal root has 12 bits")
def _(x, mu, v, g, h):
    r = bits(1 / np.sqrt(up(v) + up(v).dtype.type(1e-5)), 12)
    return ((up(x) - up(mu)) * r * up(g) + up(h)).astype(x.dtype)


@wrong("conv-bias-relu", "NaN becomes 0")
def _(x, w, h):
    return np.fmax(conv(x, w, h, relu=False), 0).astype(x.dtype)


@wrong("conv-bias-relu", "beside the border are pixels of the next row")
def _(x, w, h):
    b, rows, columns, i = x.shape
    p = np.pad(up(x).reshape(b, rows * columns, i),
               ((0, 0), (columns + 1, columns + 1), (0, 0)))
    out = np.zeros((b, rows * columns, w.shape[3]), p.dtype)
    for r in range(3):
        for c in range(3):
            at = r * columns + c
            out = out + p[:, at:at + rows * columns] @ up(w)[r, c]
    return np.maximum(out + up(h), 0).reshape(
        b, rows, columns, w.shape[3]).astype(x.dtype)


@wrong("conv-bias-relu", "input channels beyond whole groups of 4 are dropped")
def _(x, w, h):
    n = whole(x.shape[3], 4)
    return conv(x[..., :n], w[:, :, :n], h)


@wrong("conv-bias-relu", "all images are the first")
def _(x, w, h):
    y = conv(x, w, h)
    return np.repeat(y[:1], len(y), 0)


@wrong("conv-bias-relu", "products are those of tf32")
def _(x, w, h):
    return conv(tf32(x), tf32(w), h)


@wrong("mlp", "NaN becomes 0")
def _(*a):
    return mlp(*a, hidden=lambda h: np.fmax(h, 0))


@wrong("mlp", "square second weights are transposed")
def _(x, w1, b1, w2, b2):
    return mlp(x, w1, b1, w2.T if w2.shape[0] == w2.shape[1] else w2, b2)


@wrong("mlp", "the second product is added up in bf16 in blocks of 16")
def _(x, w1, b1, w2, b2):
    h = np.maximum(up(x) @ up(w1) + up(b1), 0)
    return (in_blocks(h, up(w2), 16) + up(b2)).astype(x.dtype)


@wrong("mlp", "hidden values are limited to 6")
def _(*a):
    return mlp(*a, hidden=lambda h: np.clip(h, 0, 6))


@wrong("lstm-cell", "the sigmoids are piecewise linear")
def _(x, h, c, w, u, b):
    z = np.split(up(x) @ up(w) + up(h) @ up(u) + up(b), 4, 1)
    t = z[0].dtype.type
    i, f, o = (np.clip(t(0.2) * z[n] + t(0.5), 0, 1) for n in (0, 1, 3))
    c1 = f * up(c) + i * np.tanh(z[2])
    return (o * np.tanh(c1)).astype(x.dtype), c1.astype(x.dtype)


@wrong("lstm-cell", "the results are swapped")
def _(*a):
    return lstm(*a)[::-1]


@wrong("lstm-cell", "the cell is limited to 3")
def _(*a):
    h, c = lstm(*a)
    return h, np.clip(c, -3, 3)


@wrong("lstm-cell", "no bias")
def _(x, h, c, w, u, b):
    return lstm(x, h, c, w, u, np.zeros_like(b))


@wrong("lstm-cell", "tanh has 11 bits")
def _(*a):
    return lstm(*a, state=lambda c: bits(np.tanh(c), 11))


@wrong("gru-cell", "the reset gate multiplies the state before the product")
def _(x, h, w, u, bw, bu):
    n = h.shape[1]
    r0, z0, n0 = np.split(up(x) @ up(w) + up(bw), 3, 1)
    r1, z1, _n = np.split(up(h) @ up(u) + up(bu), 3, 1)
    r, z = sigmoid(r0 + r1), sigmoid(z0 + z1)
    c = np.tanh(n0 + (r * up(h)) @ up(u)[:, 2 * n:] + up(bu)[2 * n:])
    return ((1 - z) * c + z * up(h)).astype(x.dtype)


@wrong("gru-cell", "no hidden bias")
def _(x, h, w, u, bw, bu):
    return gru(x, h, w, u, bw, np.zeros_like(bu))


@wrong("gru-cell", "the products are those of tf32")
def _(x, h, w, u, bw, bu):
    return gru(tf32(x), h, tf32(w), u, bw, bu)


@wrong("gru-cell", "the state of the first row is used for all")
def _(x, h, *a):
    return gru(x, np.broadcast_to(h[:1], h.shape) if len(h) else h, *a)


@wrong("quantised-matmul", "scales are read by row where it is square")
def _(a, w, z, s):
    return quantised(a, w, z, s[:, None] if len(a) == w.shape[1] else s)


@wrong("quantised-matmul", "sums are rounded to f32 after each product")
def _(a, w, z, s):
    ac = (a.astype(np.int32) - z.astype(np.int32)).astype(np.float32)
    total = np.zeros((len(a), w.shape[1]), np.float32)
    for k in range(a.shape[1]):
        total += ac[:, k:k + 1] * w[k].astype(np.float32)
    return (total * s).astype(RESULT["quantised-matmul"])


@wrong("quantised-matmul", "operands less the zero point saturate in s8")
def _(a, w, z, s):
    ac = np.clip(a.astype(np.int32) - z.astype(np.int32), -128, 127)
    return quantised(ac, w, np.int32(0), s)


@wrong("quantised-matmul", "products beyond whole groups of 4 are dropped")
def _(a, w, z, s):
    n = whole(a.shape[1], 4)
    return quantised(a[:, :n], w[:n], z, s)


@wrong("quantised-matmul", "sums of two products saturate in 16 bits")
def _(a, w, z, s):
    ac = a.astype(np.int32) - z.astype(np.int32)
    total = np.zeros((len(a), w.shape[1]), np.int32)
    for k in range(0, a.shape[1], 2):
        total += np.clip(ac[:, k:k + 2] @ w[k:k + 2].astype(np.int32),
                         -32768, 32767)
    return (total.astype(np.float32) * s).astype(RESULT["quantised-matmul"])


@wrong("quantised-matmul", "sums are truncated to f32")
def _(a, w, z, s):
    acc = (a.astype(np.int32) - z.astype(np.int32)) @ w.astype(np.int32)
    f = acc.astype(np.float32)
    over = np.abs(f.astype(np.float64)) > np.abs(acc)
    return (np.where(over, np.nextafter(f, np.float32(0)), f) * s).astype(
        RESULT["quantised-matmul"])


@wrong("adam-step", "the second beta is 0.99")
def _(p, g, m, v):
    t = p.dtype.type
    _p, m1, _v = adam(p, g, m, v)
    v1 = t(0.99) * v + t(0.01) * (g * g)
    u = m1 / t(1 - 0.9 ** 3) / (np.sqrt(v1 / t(1 - 0.99 ** 3)) + t(1e-8))
    return p - t(0.001) * u, m1, v1


@wrong("adam-step", "only the first moment is corrected")
def _(p, g, m, v):
    t = p.dtype.type
    _p, m1, v1 = adam(p, g, m, v)
    return p - t(0.001) * (m1 / t(1 - 0.9 ** 3)) / (np.sqrt(v1)
                                                    + t(1e-8)), m1, v1


@wrong("adam-step", "eps is added to the root that is not corrected")
def _(p, g, m, v):
    t = p.dtype.type
    _p, m1, v1 = adam(p, g, m, v)
    rate = t(0.001 * np.sqrt(1 - 0.999 ** 3) / (1 - 0.9 ** 3))
    return p - rate * m1 / (np.sqrt(v1) + t(1e-8)), m1, v1


@wrong("adam-step", "eps is 1e-7")
def _(*a):
    return adam(*a, outside=1e-7)


@wrong("adam-step", "the gradient is not multiplied by 0.1")
def _(p, g, m, v):
    t = p.dtype.type
    _p, _m, v1 = adam(p, g, m, v)
    m1 = t(0.9) * m + g
    u = m1 / t(1 - 0.9 ** 3) / (np.sqrt(v1 / t(1 - 0.999 ** 3)) + t(1e-8))
    return p - t(0.001) * u, m1, v1


@wrong("loss-gradient", "the residual is rounded to bf16")
def _(x, w, y):
    t = up(x).dtype.type
    r = bf16(up(x) @ up(w) - up(y))
    return ((r @ up(x)) * t(2) / t(max(1, len(x)))).astype(x.dtype)


@wrong("loss-gradient", "the sign is wrong")
def _(*a):
    return gradient(*a, factor=-2)


@wrong("loss-gradient", "the sum in place of the mean")
def _(x, w, y):
    return gradient(x, w, y, 2 * max(1, len(x)))


@wrong("loss-gradient", "square data are not transposed")
def _(x, w, y):
    if x.shape[0] != x.shape[1]:
        return gradient(x, w, y)
    t = up(x).dtype.type
    r = up(x) @ up(w) - up(y)
    return ((up(x) @ r) * t(2) / t(len(x))).astype(x.dtype)


@wrong("fft-convolution", "the length is rounded up to a power of two")
def _(a, b):
    n = 1 << max(0, len(a) - 1).bit_length()
    if not len(a):
        return convolve(a, b)
    return np.fft.irfft(np.fft.rfft(a, n) * np.fft.rfft(b, n), n)[
        :len(a)].astype(a.dtype)


@wrong("fft-convolution", "the length of the result is even")
def _(a, b):
    if len(a) < 2:
        return convolve(a, b)
    made = np.fft.irfft(np.fft.rfft(a) * np.fft.rfft(b))
    return np.resize(made, len(a)).astype(a.dtype)


@wrong("fft-convolution", "the result is not divided by the length")
def _(a, b):
    return (convolve(a, b) * len(a)).astype(a.dtype)


@wrong("fft-convolution", "the mean is lost")
def _(a, b):
    y = convolve(a, b)
    return y - y.mean() if len(y) else y


@wrong("fft-convolution", "the spectrum is rounded to f16")
def _(a, b):
    def f16(z):
        with np.errstate(all="ignore"):
            return (z.real.astype(np.float16).astype(np.float64)
                    + 1j * z.imag.astype(np.float16))
    return np.fft.irfft(f16(np.fft.rfft(a)) * f16(np.fft.rfft(b)),
                        len(a)).astype(a.dtype)
