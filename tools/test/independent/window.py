# window.py - Reduce, ReduceWindow, SelectAndScatter, Scan and Map.
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np
import scipy.ndimage
from numpy.lib.stride_tricks import sliding_window_view

from .formats import COMPLEX, FORMATS, INTEGERS, SIGNED
from .harness import FLOAT_TYPES, INT_TYPES, Array, Case, of, same_number

WIDE = [t for t in INT_TYPES if INTEGERS[t] >= 8]
UFUNCS = {"add": np.add, "mul": np.multiply, "min": np.minimum,
          "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or,
          "xor": np.bitwise_xor}
SPELLED = {"add": "Add", "mul": "Mul", "min": "Min", "max": "Max",
           "and": "And", "or": "Or", "xor": "Xor"}


def dilate(x, by, fill):
    """With by - 1 holes between elements."""
    y = np.full([(n - 1) * k + 1 if n else 0 for n, k in zip(x.shape, by)],
                fill, dtype=x.dtype)
    y[tuple(slice(None, None, k) for k in by)] = x
    return y


def pad(x, padding, fill):
    """Negative edges are cut off."""
    x = np.pad(x, [(max(a, 0), max(b, 0)) for a, b in padding],
               constant_values=fill) if x.ndim else x
    return x[tuple(slice(max(-a, 0), n - max(-b, 0))
                   for n, (a, b) in zip(x.shape, padding))]


def same_padding(base, span, strides):
    sums = [max((-(-n // k) - 1) * k + w - n, 0)
            for n, w, k in zip(base, span, strides)]
    return [[p // 2, p - p // 2] for p in sums]


def windows(x, fill, size, strides, padding, base, reach):
    """The positions' dimensions, then one of all elements of a window."""
    y = pad(dilate(x, base, fill), padding, fill)
    span = [(w - 1) * k + 1 for w, k in zip(size, reach)]
    if any(n < w for n, w in zip(y.shape, span)):
        out = [max(0, (n - w) // k + 1) if n >= w else 0
               for n, w, k in zip(y.shape, span, strides)]
        return np.zeros(out + [int(np.prod(size))], dtype=x.dtype)
    v = sliding_window_view(y, span) if x.ndim else y
    v = v[tuple(slice(None, None, k) for k in list(strides) + list(reach))]
    return v.reshape(v.shape[:x.ndim] + (int(np.prod(size)),))


def reducible(s, dims, names="add mul min max and or xor"):
    """A computation, data on which it is exact, and its identity."""
    f = s.choice(names.split())
    if f in ("and", "or", "xor"):
        t = s.choice(INT_TYPES + ["pred"])
    elif f in ("add", "mul"):
        t = s.choice(INT_TYPES + ["f32", "f64"] + (
            list(COMPLEX) if f == "add" else []))
    else:
        t = s.choice(INT_TYPES + FLOAT_TYPES)
    x = (s.pattern(t, dims) if t in INTEGERS
         else s.small(t, dims, *((-2, 2) if f == "mul" else (-9, 9))))
    if f in ("min", "max"):
        # Idempotent, so any value may be the first.
        start = s.small(t, (), -4, 4)
    else:
        start = of(t, {"mul": 1, "and": -1}.get(f, 0) if t != "pred"
                   else f == "and")
    return f, x, start


def wrapped(x):
    """Values in a type in which sums and products are exact or wrap."""
    v = x.values()
    if x.type in COMPLEX:
        return v.astype(np.complex128)
    if x.type in FORMATS:
        return v.astype(np.float64)
    if x.type == "pred":
        return v
    return v.astype(np.uint64 if x.type == "u64" else np.int64)


def fold(f, x, start, axes):
    v = wrapped(x) if isinstance(x, Array) else x
    first = wrapped(start)[()]
    return of(start.type, UFUNCS[f].reduce(v, axis=axes, initial=first)
              if axes else UFUNCS[f](v, first))


def reduce(s):
    f, x, start = reducible(s, s.dims(most=5, high=4))
    axes = s.subset(x.bits.ndim)
    named = s.sample(axes, len(axes))
    return Case("Reduce", [x, start],
                {"computation": f, "dimensions_to_reduce": named},
                [fold(f, x, start, tuple(axes))], equal=same_number)


def pair(t, i):
    """The greater value, of equal ones that with the lower index."""
    body = [{"name": "g", "op": "Gt", "operands": ["p0", "p2"]},
            {"name": "e", "op": "Eq", "operands": ["p0", "p2"]},
            {"name": "l", "op": "Le", "operands": ["p1", "p3"]},
            {"name": "a", "op": "And", "operands": ["e", "l"]},
            {"name": "o", "op": "Or", "operands": ["g", "a"]},
            {"name": "v", "op": "Select", "operands": ["o", "p0", "p2"]},
            {"name": "i", "op": "Select", "operands": ["o", "p1", "p3"]},
            {"name": "r", "op": "Tuple", "operands": ["v", "i"]}]
    return {"parameters": [f"{u}[]" for u in (t, i, t, i)], "body": body,
            "result": "r", "algebra": "associative"}


def arg_max(s):
    dims = [s.randint(1, 6) for _ in range(s.randint(1, 4))]
    axis = s.randrange(len(dims))
    t, i = s.choice(WIDE + FLOAT_TYPES), s.choice(["s32", "s64"])
    x = s.small(t, dims, -3, 3)
    at = of(i, np.indices(dims)[axis])
    least = s.small(t, (), -9, -9) if t in FORMATS or t in SIGNED else of(t, 0)
    starts = [least, of(i, 99)]
    best = np.argmax(x.values(), axis=axis)
    return Case("Reduce", [x, at] + starts,
                {"computation": "best", "dimensions_to_reduce": [axis]},
                [x.moved(np.max(x.values(), axis=axis).astype(
                    x.values().dtype).view(x.bits.dtype)
                    if t != "bf16" else np.take_along_axis(
                        x.bits, np.expand_dims(best, axis), axis).squeeze(axis)),
                 of(i, best)],
                computations={"best": pair(t, i)})


def affine(s):
    """Composition of x -> a x + b: associative, but no order else will do."""
    dims = [s.randint(0, 5) for _ in range(s.randint(1, 3))]
    axis = s.randrange(len(dims))
    t = s.choice(WIDE)
    a, b = s.pattern(t, dims), s.pattern(t, dims)
    p = np.moveaxis(wrapped(a), axis, 0)
    q = np.moveaxis(wrapped(b), axis, 0)
    m = np.ones(p.shape[1:], dtype=p.dtype)
    c = np.zeros(p.shape[1:], dtype=p.dtype)
    for k in range(dims[axis]):
        m, c = m * p[k], c * p[k] + q[k]
    body = [{"name": "m", "op": "Mul", "operands": ["p0", "p2"]},
            {"name": "n", "op": "Mul", "operands": ["p1", "p2"]},
            {"name": "c", "op": "Add", "operands": ["n", "p3"]},
            {"name": "r", "op": "Tuple", "operands": ["m", "c"]}]
    return Case("Reduce", [a, b, of(t, 1), of(t, 0)],
                {"computation": "then", "dimensions_to_reduce": [axis]},
                [of(t, m), of(t, c)],
                computations={"then": {"parameters": [f"{t}[]"] * 4,
                                       "body": body, "result": "r",
                                       "algebra": "associative"}})


class Frame:
    """A random window."""

    def __init__(self, s, dims, dilated=True):
        n = len(dims)
        self.size = [s.randint(1, 3) for _ in dims]
        self.strides = [s.randint(1, 3) for _ in dims]
        self.base = [s.choice([1, 1, 2, 3]) if dilated else 1 for _ in dims]
        self.reach = [s.choice([1, 1, 2, 3]) if dilated else 1 for _ in dims]
        span = [(w - 1) * r + 1 for w, r in zip(self.size, self.reach)]
        held = [(d - 1) * b + 1 if d else 0 for d, b in zip(dims, self.base)]
        self.spelled = s.choice(["SAME", "VALID", None, None])
        if self.spelled == "SAME":
            self.padding = same_padding(held, span, self.strides)
        elif self.spelled == "VALID":
            self.padding = [[0, 0]] * n
        else:
            self.padding = [[s.randint(-1, 2), s.randint(-1, 2)] for _ in dims]
            self.padding = [p if sum(p) + d >= 0 else [0, 0]
                            for p, d in zip(self.padding, held)]
            self.spelled = self.padding

    def attributes(self, dilated=True):
        a = {"window_dimensions": self.size, "window_strides": self.strides,
             "padding": self.spelled}
        if dilated:
            a.update(base_dilations=self.base, window_dilations=self.reach)
        return a

    def of(self, x, fill):
        return windows(x, fill, self.size, self.strides, self.padding,
                       self.base, self.reach)


def reduce_window(s):
    f, x, start = reducible(s, s.dims(most=3, high=6))
    w = Frame(s, x.shape)
    v = w.of(wrapped(x), wrapped(start)[()])
    return Case("ReduceWindow", [x, start],
                {"computation": f, **w.attributes()},
                [fold(f, v, start, (-1,))], equal=same_number)


def ndimage(s):
    """scipy.ndimage's filters, of odd sizes."""
    t = s.choice(["s8", "s32", "s64", "f32", "f64"])
    x = s.small(t, [s.randint(1, 6) for _ in range(s.randint(1, 3))], -9, 9)
    size = [s.choice([1, 3]) for _ in x.shape]
    f = s.choice(["min", "max"])
    start = s.small(t, ())
    apply = (scipy.ndimage.minimum_filter if f == "min"
             else scipy.ndimage.maximum_filter)
    y = apply(x.values(), size, mode="constant", cval=start.values()[()])
    y = UFUNCS[f](y, start.values())
    return Case("ReduceWindow", [x, start],
                {"computation": f, "window_dimensions": size,
                 "window_strides": [1] * x.bits.ndim, "padding": "SAME"},
                [of(t, y)])


def select_and_scatter(s):
    t = s.choice(WIDE + FLOAT_TYPES)
    x = s.small(t, [s.randint(1, 6) for _ in range(s.randint(1, 3))], -3, 3)
    w = Frame(s, x.shape, dilated=False)
    # Padding is never selected: each position's number, or -1.
    number = np.arange(x.bits.size).reshape(x.shape)
    held = w.of(number, -1)
    if held.size and (held.max(axis=-1) < 0).any():
        w.padding = w.spelled = [[0, 0]] * x.bits.ndim
        held = w.of(number, -1)
    select, scatter = s.choice(["ge", "le"]), s.choice(["add", "max", "min"])
    values = x.values().astype(np.float64).ravel()
    flat = held.reshape(-1, held.shape[-1]) if held.size else held[:0]
    source = s.small(t, held.shape[:-1])
    start = s.small(t, ())
    out = np.full(x.bits.size, start.values().astype(np.float64))
    for row, u in zip(flat, source.values().ravel()):
        row = row[row >= 0]
        keys = values[row]
        # The first of the greatest or least: select(first, later) is true.
        best = np.argmax(keys) if select == "ge" else np.argmin(keys)
        out[row[best]] = UFUNCS[scatter](out[row[best]], float(u))
    if t in INTEGERS:
        out = out.astype(np.int64)
    return Case("SelectAndScatter", [x, source, start],
                {"select": select, "scatter": scatter,
                 **w.attributes(dilated=False)},
                [of(t, out.reshape(x.shape))], equal=same_number)


def carried(f, x, start, axis, reverse):
    """numpy.ufunc.accumulate with a first value."""
    v = np.moveaxis(wrapped(x), axis, 0)
    v = v[::-1] if reverse else v
    v = np.concatenate([wrapped(start)[None].astype(v.dtype), v])
    v = UFUNCS[f].accumulate(v, axis=0)
    out = v[:0:-1] if reverse else v[1:]
    return of(x.type, np.moveaxis(out, 0, axis)), of(x.type, v[-1])


def scan(s):
    dims = s.dims(low=1, most=3, high=6)
    axis = s.randrange(len(dims))
    rest = dims[:axis] + dims[axis + 1:]
    f, x, start = reducible(s, dims)
    first = (s.pattern if x.type in INTEGERS else s.small)(x.type, rest)
    reverse = s.random() < 0.5
    shape = first.name
    body = [{"name": "s", "op": SPELLED[f], "operands": ["p1", "p0"]},
            {"name": "r", "op": "Tuple", "operands": ["s", "s"]}]
    attributes = {"computation": "step", "num_inputs": 1,
                  "scan_dimension": axis, "is_reverse": reverse}
    if s.random() < 0.4 and f in ("add", "min", "max"):
        attributes["is_associative"] = s.random() < 0.5
    return Case("Scan", [x, first], attributes,
                list(carried(f, x, first, axis, reverse)), equal=same_number,
                computations={"step": {"parameters": [shape] * 2,
                                       "body": body, "result": "r"}})


def scan_pair(s):
    """c' = c x + y, and k' = k + x: two inputs, two carries, three outputs."""
    dims = s.dims(low=1, most=3, high=6)
    axis = s.randrange(len(dims))
    rest = dims[:axis] + dims[axis + 1:]
    t = s.choice(WIDE)
    x, y = s.pattern(t, dims), s.pattern(t, dims)
    c, k = s.pattern(t, rest), s.pattern(t, rest)
    reverse = s.random() < 0.5
    shape = c.name
    body = [{"name": "m", "op": "Mul", "operands": ["p2", "p0"]},
            {"name": "c", "op": "Add", "operands": ["m", "p1"]},
            {"name": "k", "op": "Add", "operands": ["p3", "p0"]},
            {"name": "z", "op": "Sub", "operands": ["p2", "k"]},
            {"name": "r", "op": "Tuple",
             "operands": ["z", "p3", "c", "c", "k"]}]
    v, w = (np.moveaxis(wrapped(a), axis, 0) for a in (x, y))
    outs = [np.zeros_like(v) for _ in range(3)]
    p, q = wrapped(c), wrapped(k)
    steps = range(dims[axis])
    for i in reversed(steps) if reverse else steps:
        outs[1][i] = q
        outs[0][i] = p - (q + v[i])
        p, q = p * v[i] + w[i], q + v[i]
        outs[2][i] = p
    return Case("Scan", [x, y, c, k],
                {"computation": "step", "num_inputs": 2,
                 "scan_dimension": axis, "is_reverse": reverse},
                [of(t, np.moveaxis(o, 0, axis)) for o in outs]
                + [of(t, p), of(t, q)],
                computations={"step": {"parameters": [shape] * 4,
                                       "body": body, "result": "r"}})


def map_(s):
    """(a + b) b < c, on integers: as NumPy's, with its wrapping."""
    dims = s.dims()
    t = s.choice(list(t for t in WIDE))
    a, b, c = (s.pattern(t, dims) for _ in "abc")
    with np.errstate(over="ignore"):
        m = (a.values() + b.values()) * b.values()
    test = s.random() < 0.5
    body = [{"name": "s", "op": "Add", "operands": ["p0", "p1"]},
            {"name": "m", "op": "Mul", "operands": ["s", "p1"]},
            {"name": "l", "op": "Lt", "operands": ["m", "p2"]}]
    want = of("pred", m < c.values()) if test else of(t, m)
    attributes = {"computation": "f"}
    if s.random() < 0.5:
        attributes["dimensions"] = list(range(len(dims)))
    return Case("Map", [a, b, c], attributes, [want],
                computations={"f": {"parameters": [f"{t}[]"] * 3, "body": body,
                                    "result": "l" if test else "m"}})


OPS = {"Reduce": reduce, "Reduce (argmax)": arg_max, "Reduce (affine)": affine,
       "ReduceWindow": reduce_window, "ReduceWindow (ndimage)": ndimage,
       "SelectAndScatter": select_and_scatter, "Scan": scan,
       "Scan (several)": scan_pair, "Map": map_}
