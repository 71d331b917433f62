# index.py - Gather, Scatter, Sort and TopK.
#
# SPDX-License-Identifier: Apache-2.0

import numpy as np

from .formats import COMPLEX, FORMATS, INTEGERS, bits_of
from .harness import (ANY_TYPES, FLOAT_TYPES, INT_TYPES, Case, of,
                      same_number)


class Windows:
    """Random dimension numbers, as Gather and Scatter share them.

    at: for each dimension of the operand an array over the result of a Gather
    (the updates of a Scatter): which element it is, before any clamping.
    """

    def __init__(self, s):
        rank = s.randint(1, 4)
        self.dims = [s.randint(1, 5) for _ in range(rank)]
        role = [s.choice("bccooo") for _ in range(rank)]
        self.batching = [d for d in range(rank) if role[d] == "b"]
        self.collapsed = [d for d in range(rank) if role[d] == "c"]
        self.offset = [d for d in range(rank) if role[d] == "o"]
        self.sizes = [s.randint(1, n) if r == "o" else 1
                      for n, r in zip(self.dims, role)]
        free = self.collapsed + self.offset
        self.map = s.sample(free, s.randint(0, len(free)))
        self.draw_indices(s)
        self.place(s)

    def draw_indices(self, s):
        extra = s.randint(0, 2)
        n = len(self.batching) + extra
        batch = [s.randint(1, 4) for _ in range(n)]
        paired = s.sample(range(n), len(self.batching))
        for d, k in zip(self.batching, paired):
            batch[k] = self.dims[d]
        implicit = len(self.map) == 1 and s.random() < 0.4
        self.vector = n if implicit else s.randint(0, n)
        full = batch[:self.vector] + [len(self.map)] + batch[self.vector:]
        t = s.choice([t for t in INTEGERS if INTEGERS[t] >= 4])
        indices = s.index(t, full, -1, 4)
        self.indices = (indices.moved(indices.bits[..., 0]) if implicit
                        else indices)
        self.start = np.moveaxis(indices.values(), self.vector, -1)
        self.batch, self.paired = batch, paired

    def place(self, s):
        """Where offset and batch dimensions are in the result."""
        total = len(self.batch) + len(self.offset)
        self.offset_dims = s.subset(total, len(self.offset))
        rest = [d for d in range(total) if d not in self.offset_dims]
        shape = [0] * total
        for d, k in zip(self.offset, self.offset_dims):
            shape[k] = self.sizes[d]
        for n, k in zip(self.batch, rest):
            shape[k] = n
        self.shape = shape
        grid = np.indices(shape)
        # Python's integers, for an index of u64 plus an offset is not an int64.
        start = self.start.astype(object)[tuple(grid[k] for k in rest)]
        self.origin = [np.zeros(shape, dtype=object) for _ in self.dims]
        for j, d in enumerate(self.map):
            self.origin[d] = start[..., j]
        self.inner = [np.zeros(shape, dtype=object) for _ in self.dims]
        for d, k in zip(self.offset, self.offset_dims):
            self.inner[d] = grid[k].astype(object)
        for d, k in zip(self.batching, self.paired):
            self.inner[d] = grid[rest[k]].astype(object)

    def numbers(self, names):
        position = [k + (k >= self.vector and self.indices.bits.ndim
                         > len(self.batch)) for k in self.paired]
        members = dict(zip(names, (self.offset_dims, self.collapsed, self.map,
                                   self.batching, position)))
        members = {k: v for k, v in members.items()
                   if v or not k.endswith("batching_dims")}
        return {**members, "index_vector_dim": self.vector}


def whole(x):
    """As indices for NumPy; of rank 0 an operation has left a mere number."""
    return np.asarray(x, dtype=object).astype(np.intp)


def gather(s):
    w = Windows(s)
    x = s.pattern(s.choice(ANY_TYPES), w.dims)
    at = []
    for d, n in enumerate(w.dims):
        start = np.minimum(np.maximum(w.origin[d], 0), n - w.sizes[d])
        at.append(whole(start + w.inner[d]))
    numbers = w.numbers(["offset_dims", "collapsed_slice_dims",
                         "start_index_map", "operand_batching_dims",
                         "start_indices_batching_dims"])
    return Case("Gather", [x, w.indices],
                {"dimension_numbers": numbers, "slice_sizes": w.sizes},
                [x.moved(x.bits[tuple(at)].reshape(w.shape))])


def take(s):
    """numpy.take along an axis, clipped, as a Gather."""
    x = s.pattern(s.choice(ANY_TYPES), [s.randint(1, 5) for _ in range(
        s.randint(1, 4))])
    d = s.randrange(x.bits.ndim)
    i = s.index("s32", s.dims(most=3), -2, 6)
    n = i.bits.ndim
    sizes = [1 if k == d else m for k, m in enumerate(x.shape)]
    offset = [k for k in range(x.bits.ndim + n - 1) if not d <= k < d + n]
    return Case("Gather", [x, i], {
        "dimension_numbers": {"offset_dims": offset,
                              "collapsed_slice_dims": [d],
                              "start_index_map": [d], "index_vector_dim": n},
        "slice_sizes": sizes},
        [x.moved(np.take(x.bits, i.values(), axis=d, mode="clip"))])


UFUNCS = {"add": np.add, "mul": np.multiply, "min": np.minimum,
          "max": np.maximum, "sub": np.subtract, "and": np.bitwise_and,
          "or": np.bitwise_or, "xor": np.bitwise_xor}
WIDE = [t for t in INT_TYPES if INTEGERS[t] >= 8]


def update(f, t, x, at, u):
    """x with the updates, by ufunc.at, in a type that holds all."""
    if t in COMPLEX:
        v = x.bits.astype(np.complex128)
    elif t in FORMATS:
        v = x.values().astype(np.float64)
    else:
        v = x.values().copy()
    if f == "second":
        v[at] = u
    else:
        UFUNCS[f].at(v, at, u.astype(v.dtype))
    return of(t, v)


def scatter(s):
    w = Windows(s)
    where = [a + b for a, b in zip(w.origin, w.inner)]
    valid = np.ones(w.shape, dtype=bool)
    for a, n in zip(where, w.dims):
        valid &= np.asarray((a >= 0) & (a < n), dtype=bool)
    at = tuple(whole(np.asarray(a, dtype=object)[valid]) for a in where)
    alone = len(set(zip(*at))) == len(at[0])
    names = ["add", "min", "max", "sub"] + ["second"] * (2 if alone else 0)
    count = s.choice([1, 1, 2])
    fs, types, xs, us, want = [], [], [], [], []
    for _ in range(count):
        f = s.choice(names)
        t = s.choice(WIDE + FLOAT_TYPES + (
            list(COMPLEX) if f in ("add", "sub", "second") else []))
        if f == "add" and t in INTEGERS:
            f = s.choice(["add", "mul", "and", "or", "xor"])
        x = s.small(t, w.dims)
        u = s.small(t, w.shape)
        fs.append(f), types.append(t), xs.append(x), us.append(u)
        want.append(update(f, t, x, at, u.values()[valid]))
    numbers = w.numbers(["update_window_dims", "inserted_window_dims",
                         "scatter_dims_to_operand_dims", "input_batching_dims",
                         "scatter_indices_batching_dims"])
    attributes = {"dimension_numbers": numbers, "update_computation": fs[0]}
    if alone and s.random() < 0.2:
        attributes["unique_indices"] = bool((valid | True).all())
    more = {}
    if count > 1:
        attributes["update_computation"] = "both"
        more["computations"] = {"both": both(fs, types)}
    return Case("Scatter", xs + [w.indices] + us, attributes, want,
                equal=same_number, **more)


SPELLED = {"add": "Add", "mul": "Mul", "min": "Min", "max": "Max",
           "sub": "Sub", "and": "And", "or": "Or", "xor": "Xor"}


def both(fs, types):
    """A computation of pairs: each element by its own function."""
    n = len(fs)
    body, results = [], []
    for k, f in enumerate(fs):
        if f == "second":
            results.append(f"p{n + k}")
            continue
        body.append({"name": f"r{k}", "op": SPELLED[f],
                     "operands": [f"p{k}", f"p{n + k}"]})
        results.append(f"r{k}")
    body.append({"name": "all", "op": "Tuple", "operands": results})
    return {"parameters": [f"{t}[]" for t in types * 2], "body": body,
            "result": "all"}


def total(x):
    """Integers in IEEE 754's totalOrder of a float array."""
    n = bits_of(x.type)
    b = x.bits.astype(object)
    return np.where(b >> (n - 1), -(b & ((1 << (n - 1)) - 1)) - 1, b)


def ordered(key, d, down):
    """A stable order along d: numpy.argsort, from the other end if down."""
    if not down:
        return np.argsort(key, axis=d, kind="stable")
    n = key.shape[d]
    return n - 1 - np.flip(np.argsort(np.flip(key, d), axis=d,
                                      kind="stable"), d)


def sort(s):
    dims = s.dims(low=1, high=9, most=3)
    d = s.randrange(len(dims))
    dims = s.lines(dims, d, 0.15)
    t = s.choice(INT_TYPES + FLOAT_TYPES + ["f8e5m2", "f8e4m3fn"])
    total_order = t in FORMATS and s.random() < 0.4
    down = s.random() < 0.4
    if total_order:
        x = s.pattern(t, dims)
        key = total(x)
    else:
        x = (s.pattern(t, dims) if t in INTEGERS and s.random() < 0.3
             else s.small(t, dims, -2, 2))
        key = x.values()
    f = ("gt" if down else "lt") + ("_total_order" if total_order else "")
    more, xs = {}, [x]
    if s.random() < 0.6:
        xs += [s.pattern(s.choice(ANY_TYPES), dims)
               for _ in range(s.randint(1, 2))]
    stable = len(xs) > 1 or s.random() < 0.5
    if len(xs) > 1:
        op = ("Gt" if down else "Lt") + ("TotalOrder" if total_order else "")
        more["computations"] = {"first": {
            "parameters": [f"{x.type}[]" for x in xs for _ in "ab"],
            "body": [{"name": "c", "op": op, "operands": ["p0", "p1"]}],
            "result": "c"}}
        f = "first"
    order = ordered(key, d, down)
    want = [x.moved(np.take_along_axis(x.bits, order, axis=d)) for x in xs]
    at = d - len(dims) if s.random() < 0.3 else d
    attributes = {"comparator": f, "dimension": at, "is_stable": stable}
    return Case("Sort", xs, attributes, want, **more)


def lexicographic(s):
    """Sort by two keys, as numpy.lexsort; a third array goes along."""
    dims = s.dims(low=1, high=9, most=3)
    d = s.randrange(len(dims))
    dims = s.lines(dims, d, 0.15)
    a = s.small(s.choice(INT_TYPES + FLOAT_TYPES), dims, -1, 1)
    b = s.small(s.choice(INT_TYPES + FLOAT_TYPES), dims, -1, 1)
    c = s.pattern(s.choice(ANY_TYPES), dims)
    order = np.lexsort((b.values(), a.values()), axis=d)
    body = [{"name": "al", "op": "Lt", "operands": ["p0", "p1"]},
            {"name": "ae", "op": "Eq", "operands": ["p0", "p1"]},
            {"name": "bl", "op": "Lt", "operands": ["p2", "p3"]},
            {"name": "n", "op": "And", "operands": ["ae", "bl"]},
            {"name": "r", "op": "Or", "operands": ["al", "n"]}]
    compare = {"parameters": [f"{x.type}[]" for x in (a, b, c) for _ in "ab"],
               "body": body, "result": "r"}
    return Case("Sort", [a, b, c], {"comparator": "keys", "dimension": d,
                                    "is_stable": True},
                [x.moved(np.take_along_axis(x.bits, order, axis=d))
                 for x in (a, b, c)], computations={"keys": compare})


def top_k(s):
    x = s.small(s.choice(INT_TYPES + FLOAT_TYPES + ["f8e4m3fn"]),
                s.lines(s.dims(low=1, high=9), chance=0.15), -3, 3)
    if x.type in INTEGERS and s.random() < 0.5:
        x = s.pattern(x.type, x.shape)
    largest = s.random() < 0.5
    k = s.randint(0, x.shape[-1])
    order = ordered(x.values(), -1, largest)[..., :k]
    return Case("TopK", [x], {"k": k, "largest": largest},
                [x.moved(np.take_along_axis(x.bits, order, axis=-1)),
                 of("s32", order)])


OPS = {"Gather": gather, "Gather (take)": take, "Scatter": scatter,
       "Sort": sort, "Sort (lexsort)": lexicographic, "TopK": top_k}
