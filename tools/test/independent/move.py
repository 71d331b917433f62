# move.py - shape and movement, by NumPy on bit patterns.
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np

from .formats import COMPLEX, FORMATS, INTEGERS, bits_of
from .harness import ANY_TYPES, NUMPY, Array, Case, of, store_of


def anything(s, **dims):
    return s.pattern(s.choice(ANY_TYPES), s.dims(**dims))


def broadcast(s):
    x = anything(s, most=3)
    sizes = list(s.dims(most=3))
    return Case("Broadcast", [x], {"broadcast_sizes": sizes},
                [x.moved(np.broadcast_to(x.bits, sizes + list(x.shape)))])


def broadcast_in_dim(s):
    rank = s.randint(0, 5)
    out = list(s.dims(rank))
    kept = s.subset(rank)
    x = s.pattern(s.choice(ANY_TYPES),
                  [s.choice([1, out[d]]) for d in kept])
    full = [1] * rank
    for k, d in enumerate(kept):
        full[d] = x.shape[k]
    y = np.broadcast_to(x.bits.reshape(full), out)
    return Case("BroadcastInDim", [x], {"out_dim_size": out,
                "broadcast_dimensions": kept}, [x.moved(y)])


def factors(s, n):
    """Sizes of which n is the product."""
    if n == 0:
        return s.permuted(3) if s.random() < 0.5 else [0]
    sizes = []
    while n > 1:
        f = s.choice([d for d in range(2, n + 1) if n % d == 0])
        sizes.append(f)
        n //= f
    for _ in range(s.randint(0, 2)):
        sizes.insert(s.randint(0, len(sizes)), 1)
    s.shuffle(sizes)
    return sizes


def reshape(s):
    x = anything(s, high=6)
    sizes = factors(s, x.bits.size)
    attributes = {"new_sizes": sizes}
    y = x.bits
    if s.random() < 0.5:
        order = s.permuted(len(x.shape))
        attributes["dimensions"] = order
        y = y.transpose(order)
    return Case("Reshape", [x], attributes, [x.moved(y.reshape(sizes))])


def collapse(s):
    x = anything(s, low=1, most=5)
    n = len(x.shape)
    first = s.randint(0, n - 1)
    last = s.randint(first, n - 1)
    size = int(np.prod(x.shape[first:last + 1]))
    sizes = x.shape[:first] + (size,) + x.shape[last + 1:]
    return Case("Collapse", [x], {"dimensions": list(range(first, last + 1))},
                [x.moved(x.bits.reshape(sizes))])


def transpose(s):
    x = anything(s, most=6, high=4)
    order = s.permuted(len(x.shape))
    return Case("Transpose", [x], {"permutation": order},
                [x.moved(np.transpose(x.bits, order))])


def rev(s):
    x = anything(s)
    dims = s.subset(len(x.shape))
    s.shuffle(dims)
    return Case("Rev", [x], {"dimensions": dims},
                [x.moved(np.flip(x.bits, tuple(dims)))])


def slice_(s):
    x = anything(s, high=8)
    start = [s.randint(0, n) for n in x.shape]
    limit = [s.randint(a, n) for a, n in zip(start, x.shape)]
    stride = [s.randint(1, 4) for _ in x.shape]
    y = x.bits[tuple(map(slice, start, limit, stride))]
    return Case("Slice", [x], {"start_indices": start, "limit_indices": limit,
                "strides": stride}, [x.moved(y)])


def pad(s):
    x = anything(s)
    value = s.pattern(x.type, ())
    config, spread, cut = [], [], []
    for n in x.shape:
        inner = s.choice([0, 0, 1, 2])
        size = n + max(n - 1, 0) * inner
        low = s.randint(-3, 3)
        high = s.randint(max(-3, -size - low), 4)
        config.append({"edge_padding_low": low, "edge_padding_high": high,
                       "interior_padding": inner})
        spread.append(inner + 1)
        cut.append((low, high, size))
    # Interior first, then edges: cut off what is negative, add the rest.
    y = np.full([c[2] for c in cut], value.bits)
    y[tuple(slice(None, None, k) for k in spread)] = x.bits
    grown = np.pad(y, [(max(a, 0), max(b, 0)) for a, b, _ in cut],
                   constant_values=value.bits) if cut else y
    ends = [slice(max(-a, 0), size + max(a, 0) + b if b < 0 else None)
            for a, b, size in cut]
    return Case("Pad", [x, value], {"padding_config": config},
                [x.moved(grown[tuple(ends)])])


def concat(s):
    t = s.choice(ANY_TYPES)
    dims = list(s.dims(low=1))
    d = s.randrange(len(dims))
    xs = []
    for _ in range(s.randint(1, 5)):
        dims[d] = s.randint(0, 4)
        xs.append(s.pattern(t, dims))
    y = np.concatenate([x.bits for x in xs], axis=d)
    return Case("ConcatInDim", xs, {"dimension": d}, [xs[0].moved(y)])


def iota(s):
    t = s.choice([t for t in ANY_TYPES if t not in ("pred", "f8e8m0fnu")
                  and bits_of(t) >= 4])
    dims = s.dims(low=1)
    d = s.randrange(len(dims))
    at = np.indices(dims)[d]
    if t in FORMATS:
        # Halves to even; sizes are below where any type but f4e2m1fn ends.
        f = FORMATS[t]
        y = Array(t, np.array([f.round(int(i)) for i in at.flat],
                              dtype=store_of(t)).reshape(dims))
    else:
        y = of(t, at)
    return Case("Iota", [], {"shape": y.name, "iota_dimension": d}, [y])


def select(s):
    t = s.choice(ANY_TYPES)
    dims = s.dims()
    p = s.pattern("pred", s.choice([dims, ()]))
    x, y = s.pattern(t, dims), s.pattern(t, dims)
    return Case("Select", [p, x, y], {},
                [x.moved(np.where(p.values(), x.bits, y.bits))])


def bitcast(s):
    """By NumPy's view of bytes; a byte is two nibbles, four pairs."""
    real = [t for t in ANY_TYPES if t != "pred" and t not in COMPLEX
            and bits_of(t) in (2, 4, 8, 16, 32, 64)]
    a = s.choice(real)
    b = s.choice([t for t in real if bits_of(t) in (
        bits_of(a), s.choice([2, 4, 8, 16, 32, 64]))])
    m, n = bits_of(a), bits_of(b)
    dims = list(s.dims())
    if n > m:
        dims.append(n // m)
    x = s.pattern(a, dims)
    # As a string of bits, the lowest first.
    shifts = np.arange(m, dtype=x.bits.dtype)
    line = (x.bits[..., None] >> shifts & x.bits.dtype.type(1))
    if n > m:
        line = line.reshape(dims[:-1] + [n])
    elif n < m:
        line = line.reshape(dims + [m // n, n])
    store = store_of(b)
    y = np.zeros(line.shape[:-1], dtype=store)
    for k in range(n):
        y |= line[..., k].astype(store) << store(k)
    if a in NUMPY and b in NUMPY and dims:
        # NumPy's own view must agree.
        view = x.bits.view(store)
        y = y.reshape(y.shape)
        assert np.array_equal(view.reshape(y.shape), y)
    return Case("BitcastConvertType", [x], {"new_element_type": b},
                [Array(b, y)])


def optimization_barrier(s):
    x = anything(s)
    return Case("OptimizationBarrier", [x], {}, [x])


def dynamic_starts(s, dims, sizes):
    """Start indices, the operands that hold them, and where they end up."""
    t = s.choice([t for t in INTEGERS if INTEGERS[t] >= 4])
    v = s.index(t, (len(dims),), -2, max(dims, default=0) + 2)
    held = [v] if s.random() < 0.3 and dims else [v.moved(b) for b in v.bits]
    at = [min(max(int(i), 0), d - n)
          for i, d, n in zip(v.values(), dims, sizes)]
    return held, tuple(slice(i, i + n) for i, n in zip(at, sizes))


def dynamic_slice(s):
    x = anything(s, high=7)
    sizes = [s.randint(min(n, 1), n) for n in x.shape]
    held, where = dynamic_starts(s, x.shape, sizes)
    return Case("DynamicSlice", [x] + held, {"slice_sizes": sizes},
                [x.moved(x.bits[where])])


def dynamic_update_slice(s):
    x = anything(s, high=7)
    u = s.pattern(x.type, [s.randint(min(n, 1), n) for n in x.shape])
    held, where = dynamic_starts(s, x.shape, u.shape)
    y = x.bits.copy()
    y[where] = u.bits
    return Case("DynamicUpdateSlice", [x, u] + held, {}, [x.moved(y)])


OPS = {"Broadcast": broadcast, "BroadcastInDim": broadcast_in_dim,
       "Reshape": reshape, "Collapse": collapse, "Transpose": transpose,
       "Rev": rev, "Slice": slice_, "Pad": pad, "ConcatInDim": concat,
       "Iota": iota, "Select": select, "BitcastConvertType": bitcast,
       "OptimizationBarrier": optimization_barrier,
       "DynamicSlice": dynamic_slice,
       "DynamicUpdateSlice": dynamic_update_slice}
