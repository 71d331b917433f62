# replicas.py - operations across replicas, by NumPy on all of them at once.
#
# SPDX-License-Identifier: Apache-2.0
import numpy as np

from .formats import INTEGERS
from .harness import ANY_TYPES, Case, of, same_number
from .window import UFUNCS, reducible, wrapped


class World:
    """Replicas in groups; groups[k] in its own order."""

    def __init__(self, s, partial=False):
        self.n = s.randint(1, 6)
        size = s.choice([d for d in range(1, self.n + 1) if self.n % d == 0])
        order = s.permuted(self.n)
        self.size = size
        self.groups = [order[k:k + size] for k in range(0, self.n, size)]
        self.named = self.groups
        if partial and s.random() < 0.5:
            self.groups = self.named = self.groups[1:]
        elif not partial and s.random() < 0.3:
            self.size, self.named = self.n, []
            self.groups = [list(range(self.n))]

    def case(self, op, rows, attributes, want, **more):
        """rows, want: of each replica a list of arrays."""
        if op != "CollectivePermute":
            attributes = {"replica_groups": self.named, **attributes}
        return Case(op, rows, attributes, want, replicas=self.n, **more)

    def each(self, f):
        """f(group, place in it) for each replica."""
        out = [None] * self.n
        for g in self.groups:
            for k, r in enumerate(g):
                out[r] = f(g, k)
        return out


def all_gather(s):
    w = World(s)
    t, dims = s.choice(ANY_TYPES), s.dims(low=1, most=3)
    d = s.randrange(len(dims))
    count = s.randint(1, 2)
    x = [[s.pattern(t, dims) for _ in range(count)] for _ in range(w.n)]
    return w.case("AllGather", x, {"all_gather_dimension": d,
                                   "shard_count": w.size},
                  w.each(lambda g, k: [x[0][i].moved(np.concatenate(
                      [x[r][i].bits for r in g], axis=d))
                      for i in range(count)]))


def summands(s, w, dims, op_names="add mul min max and or xor"):
    """A computation, and an array of its type for each replica."""
    f, x, _ = reducible(s, dims, op_names)
    if x.type in INTEGERS:
        return f, [s.pattern(x.type, dims) for _ in range(w.n)]
    most = 2 if f == "mul" else 9
    return f, [s.small(x.type, dims, -most, most) for _ in range(w.n)]


def folded(f, arrays):
    v = np.stack([wrapped(x) for x in arrays])
    return UFUNCS[f].reduce(v, axis=0)


def all_reduce(s):
    w = World(s)
    f, x = summands(s, w, s.dims())
    return w.case("AllReduce", [[v] for v in x], {"computation": f},
                  w.each(lambda g, k: [of(x[0].type, folded(
                      f, [x[r] for r in g]))]), equal=same_number)


def cross_replica_sum(s):
    w = World(s)
    f, x = summands(s, w, s.dims(), "add")
    return w.case("CrossReplicaSum", [[v] for v in x], {},
                  w.each(lambda g, k: [of(x[0].type, folded(
                      f, [x[r] for r in g]))]), equal=same_number)


def reduce_scatter(s):
    w = World(s)
    dims = list(s.dims(low=1, most=3, high=3))
    d = s.randrange(len(dims))
    dims[d] *= w.size
    f, x = summands(s, w, dims)
    return w.case("ReduceScatter", [[v] for v in x], {
        "computation": f, "scatter_dimension": d, "shard_count": w.size},
        w.each(lambda g, k: [of(x[0].type, np.split(folded(
            f, [x[r] for r in g]), w.size, axis=d)[k])]), equal=same_number)


def all_to_all(s):
    w = World(s)
    dims = list(s.dims(low=1, most=3, high=3))
    a, b = (s.randrange(len(dims)) for _ in "ab")
    dims[a] *= w.size
    t = s.choice(ANY_TYPES)
    x = [s.pattern(t, dims) for _ in range(w.n)]
    return w.case("AllToAll", [[v] for v in x], {
        "split_dimension": a, "concat_dimension": b, "split_count": w.size},
        w.each(lambda g, k: [x[0].moved(np.concatenate([np.split(
            x[r].bits, w.size, axis=a)[k] for r in g], axis=b))]))


def all_to_all_tuple(s):
    w = World(s)
    t, dims = s.choice(ANY_TYPES), s.dims(most=3)
    x = [[s.pattern(t, dims) for _ in range(w.size)] for _ in range(w.n)]
    return w.case("AllToAllTuple", x, {},
                  w.each(lambda g, k: [x[r][k] for r in g]))


def permute(s):
    w = World(s)
    t, dims = s.choice(ANY_TYPES), s.dims(most=3)
    if t == "f8e8m0fnu":  # which has no zero to give
        t = "u8"
    x = [s.pattern(t, dims) for _ in range(w.n)]
    count = s.randint(0, w.n)
    pairs = list(zip(s.sample(range(w.n), count), s.sample(range(w.n), count)))
    y = [[v.moved(np.zeros_like(v.bits))] for v in x]
    for source, target in pairs:
        y[target] = [x[source]]
    return w.case("CollectivePermute", [[v] for v in x],
                  {"source_target_pairs": [list(p) for p in pairs]}, y)


def broadcast(s):
    w = World(s, partial=True)
    t, dims = s.choice(ANY_TYPES), s.dims(most=3)
    if t == "f8e8m0fnu":
        t = "u8"
    x = [s.pattern(t, dims) for _ in range(w.n)]
    y = w.each(lambda g, k: [x[g[0]]])
    if not w.groups:
        w.groups = w.named = [list(range(w.n))]
        y = [[x[0]]] * w.n
    y = [v or [x[0].moved(np.zeros_like(x[0].bits))] for v in y]
    return w.case("CollectiveBroadcast", [[v] for v in x], {}, y)


def ragged_all_to_all(s):
    w = World(s)
    t, row = s.choice(ANY_TYPES), list(s.dims(most=2, high=2))
    many, room = s.randint(1, 6), 14
    i = s.choice(["s32", "s64"])
    x = [s.pattern(t, [many] + row) for _ in range(w.n)]
    y = [s.pattern(t, [room] + row) for _ in range(w.n)]
    start, size, to, got = (np.zeros((w.n, w.size), dtype=int) for _ in "abcd")
    out = [v.bits.copy() for v in y]
    for g in w.groups:
        for b, target in enumerate(g):
            free = s.randint(0, 2)
            # In any order the replicas may write what the target has room for.
            for a in s.permuted(w.size):
                source = g[a]
                n = s.randint(0, min(many, 3, room - free))
                start[source, b] = s.randint(0, many - n)
                size[source, b] = got[target, a] = n
                to[source, b] = free
                out[target][free:free + n] = x[source].bits[
                    start[source, b]:start[source, b] + n]
                free = min(room, free + n + s.randint(0, 1))
    rows = [[x[r], of(i, start[r]), of(i, size[r]), y[r], of(i, to[r]),
             of(i, got[r])] for r in range(w.n)]
    return w.case("RaggedAllToAll", rows, {}, [[y[r].moved(out[r])]
                                               for r in range(w.n)])


OPS = {"AllGather": all_gather, "AllReduce": all_reduce,
       "CrossReplicaSum": cross_replica_sum, "ReduceScatter": reduce_scatter,
       "AllToAll": all_to_all, "AllToAllTuple": all_to_all_tuple,
       "CollectivePermute": permute, "CollectiveBroadcast": broadcast,
       "RaggedAllToAll": ragged_all_to_all}
