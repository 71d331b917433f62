#!/usr/bin/python3
# encoder.t - an encoder of twelve layers, and a layer in a loop, against legal
# evaluations.
#
# SPDX-License-Identifier: Apache-2.0
#
# Intervals alone widen a hundredfold in each layer, until a division by them is
# refused.  The program is written step by step, each with what it computes, so
# that NumPy evaluates the same program in f32 with sums in random orders and
# functions rounded down or up (legal.py): all results must be in the sets.
# Encoders with a mistake in one layer must be outside.
#
# ASSAY_LONG: more evaluations, and as many instructions as BERT has.
import math
import os
import re
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accepts import program  # noqa: E402
from judging import library  # noqa: E402
from legal import SEED, dot, draw, function, total  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

LONG = bool(os.environ.get("ASSAY_LONG"))
LAYERS, ROWS = 12, 2 if not LONG else 4
WIDTH, HEADS, INNER = (24, 12, 48) if LONG else (8, 2, 16)
TOGETHER, ROUNDS = 100, 40 if LONG else 4
GAIN = 0.55  # of a projection: as of BERT's first weights, 0.02 * sqrt(768)
KEPT = 1.0   # keeps the size of what is projected, so that errors grow faster
data = np.random.default_rng(SEED)
erf = np.vectorize(math.erf, otypes=[np.float64])


class Steps:
    """Lines of a program, and what each computes from arrays of evaluations."""

    def __init__(self):
        self.lines, self.models, self.given = [], [], []

    def give(self, array):
        """A parameter, the same in all evaluations."""
        array = np.asarray(array, np.float32)
        self.given.append(array)
        name = f"p{len(self.given) - 1}"
        return name, array.shape

    def step(self, shape, op, operands, model, **attributes):
        name = f"v{len(self.lines)}"
        tail = ", ".join(f"{k} = {v}" for k, v in attributes.items())
        self.lines.append(
            f"{name} = {op}({', '.join(x[0] for x in operands)})"
            + (f" {{{tail}}}" if tail else ""))
        self.models.append((name, model, [x[0] for x in operands]))
        return name, tuple(shape)

    def two(self, op, x, y):
        return self.step(x[1], op, [x, y], {
            "Add": np.add, "Sub": np.subtract, "Mul": np.multiply,
            "Div": np.divide}[op])

    def one(self, op, x, f):
        return self.step(x[1], op, [x], lambda a: function(f, a))

    def spread(self, x, shape, dims):
        """BroadcastInDim."""
        def model(a):
            at = [1] * len(shape)
            for i, d in enumerate(dims):
                at[d] = x[1][i]
            return np.broadcast_to(a.reshape(a.shape[0], *at),
                                   (a.shape[0], *shape))
        return self.step(shape, "BroadcastInDim", [x], model,
                         out_dim_size=list(shape), broadcast_dimensions=dims)

    def fill(self, number, shape):
        return self.spread(self.give(number), shape, [])

    def rows(self, x, how="add"):
        start = self.give(0 if how == "add" else -np.inf)
        return self.step(
            x[1][:1], "Reduce", [x, start],
            lambda a, _i: total(a, 0) if how == "add" else a.max(-1),
            computation=how, dimensions_to_reduce=[1])

    def product(self, x, y):
        return self.step(
            (x[1][0], y[1][1]), "Dot", [x, y], lambda a, b: dot(
                a[:, :, None], np.swapaxes(b, -1, -2)[:, None], 0))

    def evaluate(self, result, together):
        values = {f"p{i}": np.broadcast_to(a, (together, *a.shape))
                  for i, a in enumerate(self.given)}
        for name, model, operands in self.models:
            values[name] = model(*(values[x] for x in operands))
        return values[result[0]].reshape(together, -1)

    def inputs(self):
        return [{"shape": f"f32[{','.join(map(str, a.shape))}]",
                 "hex": a.tobytes().hex()} for a in self.given]


def dense(s, x, out):
    """The weights come from the caller's source, so a mistake changes none."""
    w = s.give(data.standard_normal((x[1][1], out)) * GAIN
               / math.sqrt(x[1][1]))
    bias = s.give(data.standard_normal(out) * 0.1)
    y = s.product(x, w)
    return s.two("Add", y, s.spread(bias, y[1], [1]))


def norm(s, x, eps=1e-5):
    n = s.fill(x[1][1], x[1][:1])
    mean = s.two("Div", s.rows(x), n)
    c = s.two("Sub", x, s.spread(mean, x[1], [0]))
    variance = s.two("Div", s.rows(s.two("Mul", c, c)), n)
    v = s.two("Add", variance, s.fill(eps, x[1][:1]))
    r = s.one("Rsqrt", v, lambda a: 1 / np.sqrt(a))
    y = s.two("Mul", c, s.spread(r, x[1], [0]))
    scale = s.give(1 + 0.1 * data.standard_normal(x[1][1]))
    shift = s.give(0.1 * data.standard_normal(x[1][1]))
    y = s.two("Mul", y, s.spread(scale, x[1], [1]))
    return s.two("Add", y, s.spread(shift, x[1], [1]))


def head(s, parts, size, at, scale):
    q, k, v = (s.step(
        (ROWS, size), "Slice", [x], lambda a: a[:, :, at:at + size],
        start_indices=[0, at], limit_indices=[ROWS, at + size],
        strides=[1, 1]) for x in parts)
    k = s.step(k[1][::-1], "Transpose", [k], lambda a: np.swapaxes(a, 1, 2),
               permutation=[1, 0])
    z = s.product(q, k)
    z = s.two("Mul", z, s.fill(scale / math.sqrt(size), z[1]))
    d = s.two("Sub", z, s.spread(s.rows(z, "max"), z[1], [0]))
    e = s.one("Exp", d, np.exp)
    return s.product(s.two("Div", e, s.spread(s.rows(e), e[1], [0])), v)


def attention(s, x, scale):
    size = WIDTH // HEADS
    parts = [dense(s, x, WIDTH) for _ in range(3)]
    found = [head(s, parts, size, h * size, scale if h == 0 else 1)
             for h in range(HEADS)]
    joined = s.step(x[1], "ConcatInDim", found,
                    lambda *a: np.concatenate(a, -1), dimension=1)
    return dense(s, joined, WIDTH)


def perceptron(s, x, half):
    h = dense(s, x, INNER)
    e = s.one("Erf", s.two("Mul", h, s.fill(math.sqrt(0.5), h[1])),
              lambda a: erf(a.astype(np.float64)))
    one = s.two("Add", e, s.fill(1, h[1]))
    return dense(s, s.two("Mul", s.two("Mul", h, s.fill(half, h[1])), one),
                 WIDTH)


def layer(s, x, eps=1e-5, scale=1, half=0.5):
    x = norm(s, s.two("Add", x, attention(s, x, scale)))
    return norm(s, s.two("Add", x, perceptron(s, x, half)), eps)


def encoder(layers, **mistake):
    """With a mistake in the last layer but one."""
    global data
    data = np.random.default_rng(SEED)
    s = Steps()
    x = norm(s, s.give(data.standard_normal((ROWS, WIDTH))))
    for i in range(layers):
        x = layer(s, x, **(mistake if i == layers - 2 else {}))
    return s, x


def ends(case, count):
    """The least and the greatest value of each unit of the first result."""
    with library.Evaluation("Reduce", {**case, "op": "Reduce"},
                            "spec") as evaluation:
        found = [[np.float32(x) for x in re.split(
            r"[][, |]+", evaluation.accepts(0, i)) if x]
            for i in range(count)]
    return (np.array([min(f) for f in found]),
            np.array([max(f) for f in found]))


def check_encoder(gain):
    global GAIN
    GAIN = gain
    s, x = encoder(LAYERS)
    low, high = ends(program(s.inputs(), s.lines, x[0]), ROWS * WIDTH)
    wrong, near = [], 0
    for _ in range(ROUNDS):
        got = s.evaluate(x, TOGETHER)
        wrong += [f"{got[i, k]!r} at {k}, not in [{low[k]!r}, {high[k]!r}]"
                  for i, k in np.argwhere(~((got >= low) & (got <= high)))[:2]]
        near = max(near, np.max(np.abs(got - (low / 2 + high / 2))
                                / (high / 2 - low / 2)))
    ok(not wrong, f"{len(s.lines)} instructions, gain {gain}: "
       f"{ROUNDS * TOGETHER} evaluations", "\n".join(wrong[:9]))
    figure("legal evaluations of an encoder", ROUNDS * TOGETHER)
    wide = np.max(high / 2 - low / 2)
    print(f"# half-width {wide:.1e} at most; as far as {near:.3f} of it")
    ok(wide < 1e-2, "the sets are narrow beside results of about 1", wide)
    for name, mistake in (("eps", {"eps": 1e-1}), ("a scale", {"scale": 3}),
                          ("GELU's half", {"half": 0.55})):
        # Rows that projections keep as they are have met by then: attention
        # gives the same for every scale.
        if name == "a scale" and gain == KEPT:
            continue
        other, y = encoder(LAYERS, **mistake)
        got = other.evaluate(y, 1)[0]
        ok(np.any((got < low) | (got > high)), f"control: {name} is noticed",
           np.max(np.abs(got - low)))


# ---- Loops, calls and branches: as their steps side by side ------------------

ROUND = ["e = Exp(x)", "z = Constant() {literal = f32[] 0}",
         "s = Reduce(e, z) {computation = add, dimensions_to_reduce = [0]}",
         "d = Div(e, s) {broadcast_dimensions = []}"]
COUNT = {
    "less": (["(f32[6], s32[])"], ["i = GetTupleElement(p0) {index = 1}",
                                   "n = Constant() {literal = s32[] 3}",
                                   "r = Lt(i, n)"]),
    "count": (["(f32[6], s32[])"],
              ["x = GetTupleElement(p0) {index = 0}", *ROUND,
               "i = GetTupleElement(p0) {index = 1}",
               "n = Constant() {literal = s32[] 1}", "j = Add(i, n)",
               "r = Tuple(d, j)"])}
ONCE = {"once": (["f32[6]"], [line.replace("x)", "p0)") for line in ROUND]
                 + ["r = Tuple(d, s)"])}


def check_flow():
    x = np.random.default_rng(SEED).standard_normal(6).astype(np.float32)
    given = [{"shape": "f32[6]", "hex": x.tobytes().hex()},
             {"shape": "s32[]", "data": 0}, {"shape": "pred[]", "data": True}]
    flat = ["x0 = Exp(p0)"]
    for i in range(3):
        flat += [re.sub(r"\b([ezsd])\b", rf"\g<1>{i}", line).replace(
            "(x)", f"({'p0' if i == 0 else f'd{i - 1}'})") for line in ROUND]
    flat = flat[1:] + ["r = Sub(d2, d1)"]
    loop = ["t = Tuple(p0, p1)", "w = While(t) {condition = less, body = count}",
            "y = GetTupleElement(w) {index = 0}", "e = Exp(y)"]
    tail = "r = Sub(e, e)"
    low, high = ends(program(given, flat, "r"), 6)
    ok(np.all(low < high), "side by side", high - low)
    last = ["a = GetTupleElement(u) {index = 0}",
            "b = GetTupleElement(v) {index = 0}", "r = Sub(b, a)"]
    for name, op in (("calls", "Call({}) {{computation = once}}"),
                     ("branches", "Conditional(p2, {0}, {0}) {{"
                      "true_computation = once, false_computation = once}}")):
        lines = [f"{r} = {op.format(a)}" if len(r) == 1 else a
                 for r, a in (("k", "p0"), ("k0", "k1 = GetTupleElement(k) "
                                            "{index = 0}"),
                              ("u", "k1"), ("u0", "u1 = GetTupleElement(u) "
                                            "{index = 0}"), ("v", "u1"))]
        got = ends(program(given, lines + last, "r", **ONCE), 6)
        ok(np.array_equal(got[0], low) and np.array_equal(got[1], high),
           f"{name} as side by side", (got, low, high))
    low, high = ends(program(given, loop + [tail], "r", **COUNT), 6)
    ok(np.all(np.abs(low) < 1e-12) and np.all(np.abs(high) < 1e-12),
       "after a loop a difference of one value is 0", (low, high))
    low, high = ends(program(given, loop, "y", **COUNT), 6)
    same = ends(program(given, flat, "d2"), 6)
    ok(np.array_equal(same[0], low) and np.array_equal(same[1], high),
       "a loop as its rounds side by side", (same, low, high))


check_flow()
check_encoder(GAIN)
check_encoder(KEPT)
finish()
