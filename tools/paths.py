"""paths.py - rows in which a value takes another path through a compiler.

SPDX-License-Identifier: Apache-2.0

Beside tools/kinds.py, over the same tables of operations and types:

  beside     each type beside a scalar at an edge of the type, in turn a constant
             and a parameter, left and right
  folded     each operand of each operation as a constant of rank 2
  turned     functions of complex numbers in rank 2, of double precision
  indexed    indices of each type, below zero and beyond the end in each place
  normed     features in each place of each rank, in each type
  ordered    each comparator, the total order and those of several instructions
  scalars    conversions of one number, at the edges of types and beside ties
  reducing   computations of several instructions in each operation that has one
  followed   what each operation gives is computed with
"""
import itertools
import math
from random import Random

import kinds
import specification
from kinds import COMPLEX, FLOATS, WIDE, number, sizes, types_of

CALLERS = ("Reduce", "ReduceWindow", "Scan", "SelectAndScatter", "Scatter", "AllReduce", "ReduceScatter", "Map")


def edges(t):
    """The numbers of a type at which a way round it shows."""
    if t in FLOATS:
        return ["-0", "nan", "-inf", "inf"]
    if t == "pred":
        return [True, False]
    bits = int(t[1:])
    most = 2 ** (bits - 1)
    odd = 2 ** 53 + 1 if bits == 64 else most // 2 + 1
    return [-most, odd, -1, most - 1] if t[0] == "s" else [2 * most - 1, odd, most, 1]


def text(value):
    """A literal's numbers as text."""
    if isinstance(value, list):
        return f"[{', '.join(map(text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


class Paths:
    def __init__(self, own):
        self.own, self.Drawn, self.drawing = own, own.Drawn, own.drawing

    # ---- A scalar, a constant ------------------------------------------------------

    def near(self, t, value, dims=(3, 5)):
        """Numbers beside a value, and at the edges of the type."""
        if t in FLOATS:
            return self.own.specials(t, (3, 8))
        if t == "pred":
            return self.own.bits(t, dims, "near")
        bits = int(t[1:])
        low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if t[0] == "s" else (0, 2 ** bits - 1)
        flat = [min(max(value + d, low), high) for d in range(-3, 4)] + [low, high, 0, 1, 3, low + 1, high - 1, 5]
        return {"shape": self.own.shape(t, dims), "data": [flat[k:k + 5] for k in (0, 5, 10)]}

    def beside(self, name):
        """A constant on one side, a parameter on the other one; of some types both."""
        turn = {}
        for t in (t for t in types_of(name) if t in WIDE and t not in COMPLEX):
            k = turn[t[0] == "u", t in FLOATS] = turn.get((t[0] == "u", t in FLOATS), number(name) % 7) + 1
            flip = (k + number(name)) % 2
            for constant, side in itertools.product((1, 0), (1, 0)):
                if constant != (side ^ flip) and t not in ("s64", "u64", "f32"):
                    continue
                value = edges(t)[(k + 2 * constant + side) % len(edges(t))]
                if name.startswith("Shift") and side:
                    value = (int(t[1:]) - 1, int(t[1:]), 1)[(k + constant) % 3]
                operands = [self.near(t, value), self.near(t, value)]
                operands[side] = self.own.small(t, value)
                row = self.Drawn(operands)
                if constant:
                    row.made = {side: f"Constant() {{literal = {t}[] {text(value)}}}"}
                yield row

    def literal(self, x, salt):
        """The text of an operand's numbers; None: it is no matrix of small numbers."""
        t, dims = x["shape"].split("[")[0], sizes(x)
        how = x.get("random", {})
        if len(dims) < 1 or not 0 < math.prod(dims) <= 60 or t in COMPLEX:
            return None
        if "data" in x:
            return f"{x['shape']} {text(x['data'])}"
        if how.get("dist") != "integers":
            return None
        draw = Random(salt)
        flat = self.drawing.np.array([draw.randint(how["low"], how["high"]) for _ in range(math.prod(dims))], dtype=object)
        return f"{x['shape']} {text(flat.reshape(dims).tolist())}"

    def folded(self, name):
        """In turn each of the first three operands."""
        count = max((len(d.operands) for d, _ in itertools.islice(self.own.rows_of(name, "folded-count"), 3)), default=0)
        for i in range(min(count, 3)):
            for d, _ in itertools.islice(self.own.rows_of(name, f"folded{i}", lambda d, i=i: i < len(d.operands) and len(sizes(d.operands[i])) >= 1 + (i == 0)), 40):
                line = self.literal(d.operands[i], i)
                if line and len(line) < 200:
                    d.made = {i: f"Constant() {{literal = {line}}}"}
                    yield d
                    break

    def turned(self, name):
        """Of complex numbers: beyond a block, in rank 2."""
        own = [t for t in types_of(name) if t in COMPLEX]
        for t in own[number(name) % 2:][:1] if name not in self.own.elementwise_names else own[-1:]:
            yield self.Drawn([self.own.specials(t, (17, 19))])

    # ---- Indices, features, orders ---------------------------------------------------

    INDICES = ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64")

    def outside(self, t):
        """Below zero, or what is below zero with another sign; beyond the end."""
        bits = int(t[1:])
        return (-1 if t[0] == "s" else 2 ** bits - 1), (100 if bits == 8 else 2 ** (bits - 1) - 1)

    def indexed(self, name):
        """Two of three dimensions, each index below zero and beyond the end."""
        for k, t in enumerate(self.INDICES):
            below, beyond = self.outside(t)
            pairs = [[0, 1], [below, 1], [1, below], [beyond, 0], [1, beyond], [1, 2]]
            of = WIDE[(2 * k + number(name)) % len(WIDE)]
            dims, at = (3, 4, 2), {"start_index_map": [0, 1], "index_vector_dim": 1}
            if name == "Gather":
                yield self.Drawn([self.own.bits(of, dims, "from"), {"shape": f"{t}[6,2]", "data": pairs}], {
                    "slice_sizes": [1, 1, 2], "dimension_numbers": {"offset_dims": [1], "collapsed_slice_dims": [0, 1], **at}})
            elif name == "Scatter":
                of = "s32" if of in (*COMPLEX, "pred") else of
                yield self.Drawn([self.own.small_numbers(of, dims, 0, 9), {"shape": f"{t}[6,2]", "data": pairs}, self.own.small_numbers(of, (6, 2), 1, 5)], {
                    "update_computation": ("add", "max", "min", "mul")[k % 4], "dimension_numbers": {
                        "update_window_dims": [1], "inserted_window_dims": [0, 1], "scatter_dims_to_operand_dims": [0, 1], "index_vector_dim": 1}})
            else:
                dims = (3, 4, 2, 3) if k % 2 else (4, 3, 5)
                starts = [self.own.small(t, 1) for _ in dims]
                starts[k % len(dims)] = self.own.small(t, below)
                starts[(k + 1 + k % 2) % len(dims)] = self.own.small(t, beyond)
                part = tuple(max(1, n - 1) for n in dims)
                if name == "DynamicSlice":
                    yield self.Drawn([self.own.bits(of, dims, "from"), *starts], {"slice_sizes": list(part)})
                else:
                    yield self.Drawn([self.own.bits(of, dims, "into"), self.own.bits(of, part, "update"), *starts])

    def normed(self, name):
        for k, t in enumerate(FLOATS):
            rows = (((3, 5), 0), ((2, 3, 4), 1), ((2, 3, 2, 3), 2), ((2, 3, 4), 0), ((2, 3, 2, 3), 1), ((4, 2, 3), 2), ((5, 3), 1), ((2, 2, 3, 5), 3))
            for dims, feature in rows[k % 2::2] if t == "f64" else rows[k::4]:
                n = (dims[feature],)
                rest = {"BatchNormTraining": 2, "BatchNormInference": 4, "BatchNormGrad": 3}[name]
                operands = [self.own.small_numbers(t, dims, -9, 9)] + [self.own.small_numbers(t, n, 1 + i, 5) for i in range(rest)]
                if name == "BatchNormGrad":
                    operands.append(self.own.small_numbers(t, dims, -3, 8))
                yield self.Drawn(operands, {"epsilon": 1, "feature_index": feature}, parts=0 if name == "BatchNormInference" else 3)

    ORDERS = (["l = LtTotalOrder(p0, p1)"], ["l = GtTotalOrder(p0, p1)"], ["a = Abs(p0)", "b = Abs(p1)", "l = Lt(a, b)"], ["a = Neg(p0)", "b = Neg(p1)", "l = Lt(a, b)"],
              ["a = Lt(p0, p1)", "b = Eq(p0, p1)", "c = Lt(p2, p3)", "d = And(b, c)", "l = Or(a, d)"], ["z = Le(p0, p1)", "l = Not(z)"],
              ["k = Constant() {literal = T[] 2}", "a = Max(p0, k)", "b = Max(p1, k)", "l = Lt(a, b)"], ["k = Constant() {literal = T[] 3}", "a = Rem(p0, k)", "b = Rem(p1, k)", "l = Gt(a, b)"])

    def ordered(self):
        for k, t in enumerate(FLOATS * 2):
            dims, axis = (((3, 9), 1), ((9, 3), 0), ((2, 9, 2), 1))[k % 3]
            yield self.Drawn([self.own.specials(t, dims)], {"comparator": ("lt", "gt")[k // 4] + "_total_order", "dimension": axis, "is_stable": True})
        for k, (body, t) in enumerate(itertools.product(self.ORDERS, ("f16", "s8", "f64", "u16", "bf16", "s64"))):
            total, minus = "TotalOrder" in body[0], "Neg" in body[0] or "Abs" in body[0]
            if (total and t not in FLOATS) or (minus and t[0] == "u") or (k + k // 6) % 2 and not total:
                continue
            dims, axis = (((3, 7), 1), ((7, 3), 0), ((2, 5, 3), 1), ((5, 9), 1))[k % 4]
            beside = ("s16", "f32", "u8", "f64")[k % 4]
            keys = self.own.specials(t, dims) if total else self.own.small_numbers(t, dims, -99 if minus else -4, 99 if minus else 4)
            yield self.Drawn([keys, self.own.bits(beside, dims, f"order{k}")], {"comparator": "own", "dimension": axis, "is_stable": True},
                             {"own": {"parameters": [f"{t}[]"] * 2 + [f"{beside}[]"] * 2, "body": [line.replace("T[]", f"{t}[]") for line in body], "result": "l"}}, parts=2)

    # Of 64 bits: beside a tie of f32, bf16 and f16, which a detour by another float rounds to it.
    TIES = (2 ** 60 + 2 ** 36 + 1, 2 ** 60 + 2 ** 52 + 1, 2 ** 24 + 1, 2049)

    def scalars(self):
        """Conversions of one number."""
        for k, t in enumerate(WIDE[1:13]):
            for value in ((*self.TIES, *edges(t)) if t in ("s64", "u64") else edges(t))[::1 if t in ("s64", "u64") else 2]:
                k += 1
                to = ("f32", "bf16", "f16", "f64")[k % 4] if t not in FLOATS else ("f32", "f16", "bf16", "f64", "pred")[k % 5]
                to = {self.TIES[0]: "f32", self.TIES[1]: "bf16"}.get(value, to)
                yield self.Drawn([self.own.small(t, value)], {"new_element_type": to})

    # ---- Computations of several instructions ------------------------------------------

    STEPS = (["a = Not(p0)", "b = Not(p1)", "c = And(a, b)", "r = Not(c)"], ["a = Or(p0, p1)", "b = And(p0, p1)", "r = Sub(a, b)"],
             ["c = Gt(p0, p1)", "r = Select(c, p0, p1)"], ["a = Neg(p1)", "r = Sub(p0, a)"], ["a = Neg(p0)", "b = Neg(p1)", "c = Min(a, b)", "r = Neg(c)"],
             ["a = ConvertElementType(p0) {new_element_type = s64}", "b = ConvertElementType(p1) {new_element_type = s64}", "c = Add(a, b)",
              "r = ConvertElementType(c) {new_element_type = s32}"],
             ["a = BitcastConvertType(p0) {new_element_type = u32}", "b = BitcastConvertType(p1) {new_element_type = u32}", "c = Xor(a, b)",
              "r = BitcastConvertType(c) {new_element_type = s32}"], ["a = Max(p0, p1)", "b = Min(p0, p1)", "c = Div(a, a)", "e = Mul(b, c)", "r = Min(e, b)"],
             ["k = Constant() {literal = s32[] 3}", "a = Add(p0, k)", "b = Add(a, p1)", "r = Sub(b, k)"],
             ["k = Constant() {literal = s32[] 1}", "a = Mul(p0, k)", "r = Add(p1, a)"], ["k = Constant() {literal = s32[] 40}", "a = Max(k, p0)", "r = Max(p1, a)"],
             ["a = Le(p0, p1)", "b = Ge(p1, p0)", "c = And(a, b)", "r = Select(c, p0, p1)"],
             ["k = Constant() {literal = s32[] 1}", "a = ShiftLeft(p0, k)", "b = ShiftLeft(p1, k)", "c = Add(a, b)", "r = ShiftRightLogical(c, k)"],
             ["a = Sign(p0)", "b = Abs(p0)", "c = Mul(a, b)", "e = Ne(p1, c)", "f = Select(e, p1, c)", "r = Add(c, f)"],
             ["k = Constant() {literal = s32[] 7}", "a = Add(p0, p1)", "r = Rem(a, k)"],
             ["k = Constant() {literal = s32[] 3}", "m = Constant() {literal = s32[] 98}", "a = Clamp(k, p0, m)", "b = Clamp(k, p1, m)", "c = Gt(a, b)", "r = Select(c, a, b)"],
             ["a = Floor(p0)", "b = Ceil(p1)", "c = RoundNearestEven(a)", "e = Round(b)", "r = Add(c, e)"])
    NEUTRAL = (0, 0, "least", 0, "least", 0, 0, "most", 0, 0, 40, "most", 0, 0, 0, 3, 0)
    NOT_FROM_ZERO = (4, 7, 10, 11, 15)
    OF_FLOATS = 16  # and from here on
    # In which other types each of them is the same.
    ALSO = {0: ("u16", "s64"), 1: ("u64", "s16"), 2: ("f64", "u8", "bf16"), 3: ("s64", "f32"), 4: ("f16", "s16"), 7: ("u64", "f64"), 8: ("s64", "u16", "f64"), 9: ("s16", "f16", "u64"), 10: ("f64", "u8", "s64", "bf16"),
            11: ("u8", "f64", "s64", "bf16", "u32", "s16"), 12: ("u16", "s64", "u64"), 13: ("s64", "f64", "s16", "f16"), 14: ("u8", "f32", "u64", "f64"), 15: ("s8", "f64", "u32", "f16"), 16: ("f32", "f64", "f16")}

    def reducing(self, name):
        """Those that are associative, of numbers from 1 on."""
        yield from (self.reduced_by(name, k, "s32") for k in range(self.OF_FLOATS) if name != "SelectAndScatter" or k not in self.NOT_FROM_ZERO)
        if name not in ("AllReduce", "ReduceScatter"):
            rows = [(k, t) for k, types in self.ALSO.items() for t in types if name != "SelectAndScatter" or k not in self.NOT_FROM_ZERO]
            yield from (self.reduced_by(name, k, t) for k, t in rows[number(name) % 2::2])

    def reduced_by(self, name, k, t):
        body, zero, most = [line.replace("s32", t) for line in self.STEPS[k]] if t != "s32" else self.STEPS[k], self.NEUTRAL[k], 6 if k == 14 else 60 if t in ("u8", "bf16") else 98 if k == 15 else 99
        if t not in FLOATS:
            bits = int(t[1:])
            zero = {"least": -2 ** (bits - 1) if t[0] == "s" else 0, "most": 2 ** (bits - (t[0] == "s")) - 1}.get(zero, zero)
        zero = {"least": "-inf", "most": "inf"}.get(zero, zero)
        dims = ((3, 5), (2, 3, 4), (7,), (4, 4))[k % 4]
        data, init = self.own.small_numbers(t, dims, 1 + k % 11 if k != 14 else 1, most), self.own.small(t, zero)
        own = {"own": {"parameters": [f"{t}[]"] * 2, "body": body, "result": "r", "algebra": "associative"}}
        one = [1] * len(dims)
        if name == "Reduce":
            return self.Drawn([data, init], {"computation": "own", "dimensions_to_reduce": [k % len(dims)]}, own)
        if name == "ReduceWindow":
            return self.Drawn([data, init], {"computation": "own", "window_dimensions": [2] * len(dims), "window_strides": one, "padding": [[1, 0]] * len(dims)}, own)
        if name == "Map":
            return self.Drawn([data, self.own.small_numbers(t, dims, 2, 77 if most == 99 else most)], {"computation": "own", "dimensions": list(range(len(dims)))}, own)
        if name == "Scan":
            at = k % len(dims)
            part = self.own.shape(t, dims[:at] + dims[at + 1:])
            # Scan gives the element first, and the carry second.
            step = [line.replace("p0", "q").replace("p1", "p0").replace("q", "p1") for line in body] + ["t = Tuple(r, r)"]
            return self.Drawn([data, {"shape": part, "splat": zero}], {"computation": "own", "num_inputs": 1, "scan_dimension": at, "is_reverse": bool(k % 2)},
                              {"own": {"parameters": [part, part], "body": step, "result": "t"}}, parts=2)
        if name == "Scatter":
            return self.Drawn([self.own.small_numbers(t, (5, 3), 1, most), {"shape": "s32[6,1]", "data": [[0], [3], [0], [4], [3], [0]]},
                               self.own.small_numbers(t, (6, 3), 1, most)], {"update_computation": "own", "dimension_numbers": {
                                   "update_window_dims": [1], "inserted_window_dims": [0], "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}}, own)
        if name == "SelectAndScatter":
            source = tuple(n - 1 for n in dims)
            return self.Drawn([data, self.own.small_numbers(t, source, 1, most), init], {
                "select": "ge", "scatter": "own", "window_dimensions": [2] * len(dims), "window_strides": one, "padding": [[0, 0]] * len(dims)}, own)
        groups = ([], [[0, 1], [2, 3]], [[3, 1, 0, 2]])[k % 3]
        attributes = {"computation": "own", "replica_groups": groups}
        if name == "ReduceScatter":
            attributes.update(scatter_dimension=k % 2, shard_count=len(groups[0]) if groups else 4)
        return self.Drawn([self.own.small_numbers(t, (4, 8), 1 + k, 99)], attributes, own)


INDEXED = ("Gather", "Scatter", "DynamicSlice", "DynamicUpdateSlice")
NORMS = ("BatchNormTraining", "BatchNormInference", "BatchNormGrad")


def rows_of(own, name):
    p = Paths(own)
    count = len(specification.operation(name)["operands"])
    rows = []
    if name in kinds.elementwise_names() and count == 2 and name != "Complex":
        rows += p.beside(name)
    if name in kinds.elementwise_names() and count == 1:
        rows += p.turned(name)
    if name in own.operations and name not in own.drawing.REPLICAS and name not in ("Iota", "RngBitGenerator"):
        rows += p.folded(name)
    rows += p.indexed(name) if name in INDEXED else p.normed(name) if name in NORMS else p.ordered() if name == "Sort" else p.scalars() if name == "ConvertElementType" else []
    if name in CALLERS:
        rows += p.reducing(name)
    return rows
