"""kinds.py - rows in which each type of an operation meets what is special in it.

SPDX-License-Identifier: Apache-2.0

tools/make-crossed draws types beside small numbers, and special values beside
few types.  Here every type that an operation has occurs, with its special
values (spec/grids.json; each of them in each rank: tools/make-values):

  elementwise   numbers that no double has, constants, what makes an operand
  typed         drawn rows, whose data are bits of integers, special values
  reductions    each type and computation, with patterns of special values
  ranks         each rank to each rank, or along each dimension

Results of integers wrap, so that every order gives the same bits, and no
detour by a float does.
"""
import itertools
import math
import zlib
from random import Random

import specials
import specification
from specials import COMPLEX, FLOATS, NARROW, WIDE

CLASSES = {"int": [t for t in (*WIDE, *NARROW) if t[0] in "su"], "sint": [t for t in (*WIDE, *NARROW) if t[0] == "s"],
           "uint": [t for t in (*WIDE, *NARROW) if t[0] == "u"], "float": [*FLOATS], "complex": [*COMPLEX],
           "any": [*WIDE, *NARROW]}
# Lengths beside a block, most in rank 2.
UNEVEN = [(67, 75), (9, 2, 37), (17, 35), (11, 67), (129, 41), (9, 37), (3, 67, 3), (65, 9)]
ELEMENTS = 5003
COMPARE = ("Eq", "Ne", "Lt", "Le", "Gt", "Ge")


def number(name):
    return zlib.crc32(name.encode())


def types_of(name, operand=0):
    """Those that the specification gives an operand, in the order of WIDE."""
    own = specification.operation(name)["operands"][operand]["types"]
    has = {t for word in own for t in CLASSES.get(word, [word])}
    return [t for t in (*WIDE, *NARROW) if t in has]


class Kinds:
    """Rows of the rest of make-crossed: what it draws, and how a row is written."""

    def __init__(self, drawing, operations, spiced, elementwise):
        self.drawing, self.operations, self.spiced, self.elementwise_names = drawing, operations, spiced, elementwise
        self.Drawn, self.shape, self.small = drawing.Drawn, drawing.shape, drawing.small

    def specials(self, t, dims, **more):
        return {"shape": self.shape(t, dims), "specials": True, **more}

    def bits(self, t, dims, salt):
        """Of integers all bits; else small numbers."""
        how = {"dist": "bits"} if t[0] in "sup" else {"dist": "integers", "low": -9, "high": 9} if t[0] != "c" else {"dist": "uniform", "low": -4, "high": 4}
        return {"shape": self.shape(t, dims), "random": {"seed": self.drawing.seed("kinds", f"{t}{dims}{salt}"), **how}}

    # ---- Elementwise ------------------------------------------------------------

    def narrow(self, name, t, count, k):
        """Each special value with each, in rank 2 or 3, beyond a block."""
        dims = UNEVEN[(number(name) + k) % len(UNEVEN)]
        return self.Drawn(specials.pairs(t, dims)[:count])

    def middle(self, name, t):
        """Products and powers beyond what a double has, and quotients of them."""
        half = int(t[1:]) // 2
        low, high = ((3, 9), (17, 39)) if name == "Pow" else ((2 ** (half - 2), 2 ** (half - 1)),) * 2
        return self.Drawn([self.bits(t, (4, 6), name) if name in ("Div", "Rem") else self.small_numbers(t, (4, 6), *low), self.small_numbers(t, (4, 6), *high)])

    def constant(self, t, side):
        """Special values in a constant matrix beside a parameter."""
        values = {"s": [0, 1, -1, 2, 127, -128], "u": [0, 1, 2, 3, 127, 255], "f": [0, "-0", "inf", "-inf", 1.5, "nan"]}[t[0]]
        inside = ", ".join(f"[{', '.join(map(str, values[k:] + values[:k]))}]" for k in range(3))
        operands = [self.specials(t, (3, 6)), self.specials(t, (3, 6))]
        row = self.Drawn(operands)
        row.made = {side: f"Constant() {{literal = {self.shape(t, (3, 6))} [{inside}]}}"}
        return row

    def elementwise(self, name):
        count = len(specification.operation(name)["operands"])
        own = types_of(name)
        first, half = number(name), [t for t in own if t in WIDE]
        simple = name in self.elementwise_names
        if not simple or name in COMPARE:
            # Another half of the types for each operation.
            half = half[first % 2::2]
        rows = [self.narrow(name, t, count, k) for k, t in enumerate(own) if t in NARROW and (k + first) % 2]
        if simple and count == 2:
            rows += [self.constant(t, (first + k) % 2) for k, t in enumerate(t for t in half if t in ("f32", "f16") or (t == "u8" and "f32" not in half))][:2]
        if simple and count == 2 and name not in COMPARE:
            rows += [self.middle(name, t) for t in half if t in ("u32", "u64")]
            rows += self.beside_constants(name, own)
        elif simple and count == 1:
            rows += self.of_makers(name, own)
        return rows

    def exact(self, t, dims):
        """Special values among numbers whose sums and products are exact."""
        values = ["nan", 3, "inf", -2, "-0", 1, "-inf", 5, 0, -1, 2, 4, -3] if t in FLOATS else [0, 3, -2, 1, 5, -1, 2, 4, -3]
        n = math.prod(dims)
        flat = self.drawing.np.array((values * n)[:n], dtype=object)
        return {"shape": self.shape(t, dims), "data": flat.reshape(dims).tolist()}

    def made(self, row, **lines):
        """Operand k of the row is made by a line, of X."""
        row.made = {int(k[1:]): line for k, line in lines.items()}
        return row

    def beside_constants(self, name, own):
        """A constant scalar that a compiler knows, on either side."""
        for k, (t, value) in enumerate((t, v) for t in ("f32", "s32") if t in own for v in ((0, -1, 2) if t == "s32" else ("-0", 1, -1, 2, "inf"))):
            side = (k + number(name)) % 2
            operands = [self.specials(t, (3, 8)), self.specials(t, (3, 8))]
            operands[side] = self.small(t, 1)
            yield self.made(self.Drawn(operands), **{f"x{side}": f"Constant() {{literal = {t}[] {value}}}"})
        for t in [t for t in ("f32", "s32") if t in own][:1]:
            other = ("Add(X, X)", "Mul(X, X)", "Sub(X, X)", "Abs(X)", "Neg(X)")[number(name) % 5]
            yield self.made(self.Drawn([self.exact(t, (3, 8)), self.small_numbers(t, (3, 8), 1, 5)]), x0=other)
            yield self.made(self.Drawn([self.small_numbers(t, (3, 8), 1, 5), self.exact(t, (3, 8))]), x1=other)

    def of_makers(self, name, own):
        """Special values through another operation."""
        if name in ("Real", "Imag"):
            for t in ("f32", "f64"):
                yield self.made(self.Drawn([self.specials(t, (3, 8))]), x0="Complex(X, X)")
        elif "f32" in own:
            for line in (("Mul(X, X)", "Abs(X)"), ("Sub(X, X)", "Neg(X)"), ("Mul(X, X)", "Max(X, X)"))[number(name) % 3]:
                yield self.made(self.Drawn([self.exact("f32", (3, 8))]), x0=line)
        elif "s32" in own:
            for line in ("Mul(X, X)", "Not(X)"):
                yield self.made(self.Drawn([self.bits("s32", (3, 8), name)]), x0=line)

    def chosen(self):
        """Select by a scalar and by an array, of more than a block."""
        for k, t in enumerate(WIDE):
            dims = UNEVEN[k % len(UNEVEN)] if k % 2 else (ELEMENTS,)
            yield self.Drawn([self.small("pred", k % 4 < 2) if k // 2 % 2 else self.bits("pred", dims, "by"), self.bits(t, dims, "on"), self.bits(t, dims, "off")])

    def clamped(self):
        """Between scalars, arrays and one of each; a NaN in each place."""
        for k, t in enumerate(t for t in WIDE[1:13]):
            dims = UNEVEN[k % len(UNEVEN)] if k % 3 else (ELEMENTS,)
            low, high = ((), ()) if k % 4 < 2 else (dims, dims) if k % 4 == 2 else ((), dims)
            floats = t in FLOATS
            few = {"u": (1, 9)}.get(t[0], (-5, 5))
            yield self.Drawn([self.small(t, few[0]) if low == () else self.specials(t, low) if floats and k % 8 == 2 else self.small_numbers(t, low, -5, 0),
                              self.specials(t, dims) if floats else self.bits(t, dims, "clamped"),
                              self.small(t, few[1]) if high == () else self.small_numbers(t, high, 3, 9)])

    def small_numbers(self, t, dims, low, high):
        return {"shape": self.shape(t, dims), "random": {"seed": self.drawing.seed("kinds", f"{t}{dims}{low}"), "dist": "integers", "low": max(0, low) if t[0] == "u" else low, "high": high}}

    def reduced_precision(self):
        for k, t in enumerate(t for t in FLOATS for _ in range(2)):
            yield self.Drawn([self.specials(t, UNEVEN[k % len(UNEVEN)] if k % 3 else (ELEMENTS,))], {
                "exponent_bits": (5, 4, 8)[k % 3] if t != "f16" else (5, 4, 3)[k % 3], "mantissa_bits": (10, 3, 7)[k // 2 % 3]})

    # ---- Drawn rows of each type --------------------------------------------------

    def rows_of(self, name, salt, need=lambda d: True):
        """Drawn rows without end, of small sizes."""
        for k in itertools.count():
            draw = Random(self.drawing.seed(name, f"kinds-{salt}-{k}"))
            dims = draw.choice([(3, 5), (5, 3), (2, 3, 5), (3, 3, 3), (7,), (4, 3, 1, 3), (2, 2, 3, 2, 3), (9, 7), (3, 17), (33, 3), (1, 5)])
            d = self.operations[name](draw, dims)
            if d is not None and d.operands and need(d) and 0 < sum(math.prod(sizes(x)) for x in d.operands) < 700:
                yield d, draw
            if k > 3000:
                return

    def typed(self, name, places, types, moved):
        """Each type in these operands (None: all)."""
        rows = []
        for k, t in enumerate(types):
            found = next(self.rows_of(name, t, lambda d: any("random" in x for x in d.operands)), None)
            if found is None:
                continue
            d, draw = found
            value = ("nan", "inf", "-inf", "-0")[(k + number(name)) % 4]
            at = [i for i, x in enumerate(d.operands) if (places is None or i in places) and ("random" in x or sizes(x) == ())]
            for i in at:
                dims = sizes(d.operands[i])
                if moved:
                    d.operands[i] = self.specials(t, dims)
                elif t in FLOATS and dims:
                    d.operands[i] = self.spiced({"shape": self.shape(t, dims)}, draw, value)
                elif t in FLOATS:
                    d.operands[i] = self.small(t, 0)
                else:
                    d.operands[i] = self.bits(t, dims, f"{name}{i}")
            if "shape" in d.attributes and name != "Iota":
                continue
            rows.append(d)
        return rows

    def grouped(self, name):
        """Across replicas: each computation in groups of each size; in turn what
        follows."""
        rows = []
        for k, (by, n) in enumerate(itertools.product(("add", "max", "min", "mul"), (1, 2, 4))):
            found = next(self.rows_of(name, f"grouped{k}", lambda d, by=by, n=n: d.attributes.get("computation", by) == by
                                      and len((d.attributes.get("replica_groups") or [range(4)])[0]) == n), None)
            rows += [found[0]] if found else []
        return rows[:12 if name in ("AllReduce", "ReduceScatter") else 3]

    # ---- Reductions ---------------------------------------------------------------

    BY = {"p": ("and", "or", "xor"), "s": ("add", "mul", "max", "min", "xor", "and", "or"), "f": ("add", "max", "min"), "c": ("add", "mul")}
    ALONG = [((3, 5), [1]), ((5, 3), [0]), ((2, 3, 4), [1]), ((2, 3, 4), [0, 2]), ((2, 3, 4), [2, 1]), ((2, 2, 3, 2), [0, 3]), ((3, 67), [1]), ((131, 2), [0]),
             ((2, 129, 3), [1]), ((3, 4), [0, 1]), ((2, 3, 2, 2, 2), [1, 3]), ((9,), [0])]

    def pattern(self, t, dims, k):
        """Floats: all -0, NaN but for one, one NaN, an infinity, all infinite."""
        n, draw = math.prod(dims), Random(k)
        one = draw.randrange(n)
        flat = {0: ["-0"] * n, 1: ["nan"] * one + [7] + ["nan"] * (n - one - 1), 2: [draw.randint(-9, 9) for _ in range(n)],
                3: ["-inf"] * n, 4: [draw.randint(-9, -1) for _ in range(n)], 5: ["inf"] * n}[k % 6]
        if k % 6 in (2, 4):
            flat[one] = ("nan", "inf", "-inf")[k // 6 % 3]
        return {"shape": self.shape(t, dims), "data": self.drawing.np.array(flat, dtype=object).reshape(dims).tolist()}

    def neutral(self, t, by):
        if t == "pred":
            return by == "and"
        if t in COMPLEX:
            return [int(by == "mul"), 0]
        if t in FLOATS:
            return {"add": "-0", "max": "-inf", "min": "inf"}[by]
        bits = int(t[1:])
        low, high = (-2 ** (bits - 1), 2 ** (bits - 1) - 1) if t[0] == "s" else (0, 2 ** bits - 1)
        return {"mul": 1, "max": low, "min": high, "and": -1 if t[0] == "s" else high}.get(by, 0)

    def computations(self, name, types):
        """Each computation along each of the dimensions, the types in turn."""
        turn = {}
        for t in types:
            own = self.BY["s" if t[0] == "u" else "f" if t[0] == "b" else t[0]]
            for by in own if name == "Reduce" else own[:1] if t in COMPLEX else own:
                turn.setdefault(by, []).append(t)
        for j, (by, own) in enumerate(sorted(turn.items())):
            for k in range(len(own) if name == "Scan" else (len(own) + 1) // 2):
                t = own[(2 * k + j % 2) % len(own) if name != "Scan" else k]
                yield by, t, self.ALONG[(k + 5 * j) % len(self.ALONG)]

    def reduced_data(self, t, by, dims, k):
        if t in FLOATS:
            return self.pattern(t, dims, k)
        if t[0] in "su" and by in ("max", "min") and k % 2:
            # All on one side of zero, or in the upper half.
            high = 2 ** (int(t[1:]) - 1)
            return self.small_numbers(t, dims, high // 2, high - 1) if t[0] == "u" and t not in NARROW else self.small_numbers(
                t, dims, -high if t[0] == "s" else 1, -1 if t[0] == "s" else 2)
        return self.bits(t, dims, f"of{k}")

    def reductions(self, name, types):
        rows = []
        for k, (by, t, (dims, along)) in enumerate(self.computations(name, types)):
            dims = dims if name == "Reduce" else tuple(min(n, 9) for n in dims)
            data, init = self.reduced_data(t, by, dims, k), self.small(t, self.neutral(t, by))
            if name == "Reduce":
                rows.append(self.Drawn([data, init], {"computation": by, "dimensions_to_reduce": along}))
            elif name == "ReduceWindow":
                rows.append(self.Drawn([data, init], {
                    "computation": by, "window_dimensions": [1 + (d == along[0]) + (k % 3 == d) for d in range(len(dims))],
                    "window_strides": [1 + (k // 2 % 2 == d) for d in range(len(dims))], "padding": [[k % 2 + 1, 1]] + [[0, k % 3]] * (len(dims) - 1)}))
            else:
                at = along[0]
                rest = dims[:at] + dims[at + 1:]
                word, part = by.capitalize(), self.shape(t, rest)
                rows.append(self.Drawn([data, {"shape": part, "splat": init["data"]}], {
                    "computation": "step", "num_inputs": 1, "scan_dimension": at, "is_reverse": bool(k // 2 % 2)},
                    {"step": {"parameters": [part, part], "body": [f"a = {word}(p1, p0)", "t = Tuple(a, a)"], "result": "t"}}, parts=2))
        return rows

    # ---- Ranks --------------------------------------------------------------------

    def spread(self):
        """From each rank to each, along drawn dimensions; a size of 1 grows."""
        for low, high in itertools.combinations_with_replacement(range(7), 2):
            draw = Random(100 * low + high)
            dims = [draw.choice([2, 3]) for _ in range(high)]
            at = sorted(draw.sample(range(high), low))
            own = [1 if (low == high or low > 2) and i % 2 == 0 else dims[d] for i, d in enumerate(at)]
            t = WIDE[(low * 7 + high) % len(WIDE)]
            if high:
                yield self.Drawn([self.bits(t, tuple(own), "spread")], {"out_dim_size": dims, "broadcast_dimensions": at})

    def reshaped(self):
        for k, (low, high) in enumerate(itertools.product(range(1, 7), repeat=2)):
            cut = [2, 3, 2, 2, 3, 2]

            def parts(rank):
                at = sorted(Random(10 * k + rank).sample(range(1, 6), rank - 1))
                return tuple(math.prod(cut[a:b]) for a, b in zip([0, *at], [*at, 6]))
            yield self.Drawn([self.bits(WIDE[k % len(WIDE)], parts(low), "reshaped")], {"new_sizes": list(parts(high))})

    def counted(self):
        for t, (dims, along) in itertools.product(WIDE[1:], [((2, 5, 3), 1), ((7, 3), 0), ((3, 7), 1), ((3, 2, 2, 4), 2), ((2, 3, 5), 2), ((2, 3, 1, 2, 3), 3)]):
            yield self.Drawn([], {"shape": self.shape(t, dims), "iota_dimension": along})

    def turned(self):
        """By sizes beside 32 and 64, in each width; rank 6, each dimension last."""
        for k, t in enumerate(("s8", "bf16", "f32", "c64", "u16", "c128")):
            yield self.Drawn([self.bits(t, [(33, 35), (67, 33), (35, 65)][k % 3], "turned")], {"permutation": [1, 0]})
        for last in range(6):
            order = Random(last).sample([d for d in range(6) if d != last], 5) + [last]
            yield self.Drawn([self.bits("s32", (2, 3, 1, 2, 2, 3), "six")], {"permutation": order})

    def converted(self):
        types = [*WIDE[:13]]
        for k, t in enumerate(types):
            for step in (3 + 4 * (k % 2),):
                yield self.Drawn([self.specials(t, UNEVEN[(k + step) % len(UNEVEN)])], {"new_element_type": types[(k + step) % len(types)]})
            # Of numbers that the other type has.
            for to in (NARROW[k % 4],):
                if t != "pred":
                    yield self.Drawn([self.small_numbers(t, (3, 5), 0, 1)], {"new_element_type": to})

    def matrix(self, t, batch, n, definite, draw):
        """A matrix of small numbers; of complex ones with rows that are turned."""
        a = self.drawing.np.array(self.drawing.matrices(draw, batch, n, definite))
        if t not in COMPLEX:
            return {"shape": self.shape(t, a.shape), "data": a.tolist()}
        np = self.drawing.np
        by = np.array([1, 1j, -1, -1j])[np.arange(n) % 4]
        z = a * by[:, None] * by.conj()[None, :]
        return {"shape": self.shape(t, a.shape), "data": np.stack([z.real, z.imag], -1).astype(int).tolist()}

    def solved(self, name):
        """In a batch, each attribute with each, complex, more than a block."""
        for k, (t, (batch, n)) in enumerate(itertools.product(("f32", "f64", "c64", "c128"), [((2,), 3), ((2,), 17), ((2, 2), 2)])):
            if n == 17 and t != ("f32" if name == "Cholesky" else "f64"):
                continue
            draw = Random(k)
            a = self.matrix(t, batch, n, name == "Cholesky", draw)
            if name == "Cholesky":
                yield self.Drawn([a], {"lower": bool(k % 2)})
                continue
            for how in (("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")[k % 3],):
                left = draw.random() < 0.5
                yield self.Drawn([a, self.bits(t, (*batch, n, 3) if left else (*batch, 3, n), f"{k}{how}")], {
                    "left_side": left, "lower": draw.random() < 0.5, "unit_diagonal": draw.random() < 0.4, "transpose_a": how})

    def reconverted(self):
        """There and back: what is between decides what is left."""
        pairs = [("f32", "s32"), ("f64", "s64"), ("f16", "s8"), ("bf16", "u8"), ("s32", "pred"), ("f32", "pred"), ("u8", "pred"), ("s64", "f32"), ("s32", "f16"), ("f64", "f32"),
                 ("f32", "bf16"), ("f32", "f16"), ("s32", "s8"), ("u64", "u32"), ("s8", "u8"), ("u16", "bf16"), ("s16", "s4"), ("pred", "f32"), ("u32", "s32")]
        for t, between in pairs:
            data = {"f": [0, 0.5, -0.5, 1.5, 2.75, -3.25, 100.5, 7], "b": [0, 0.5, 0.25, 1.5, 2.75, 3.25, 100.5, 7]}.get(t[0])
            whole = {"pred": [True, False] * 4}.get(t, [0, 1, 5, 3, 64, 127, 2 ** (int(t[1:]) - 1) - 1 if t != "s16" else 255, 9] if t[0] in "su" else None)
            if between in ("u8",) and t == "s8":
                whole = [0, 1, 5, 3, 64, 127, -1, -128]
            yield self.made(self.Drawn([{"shape": self.shape(t, (2, 4)), "data": [(data or whole)[:4], (data or whole)[4:]]}], {"new_element_type": t}),
                            x0=f"ConvertElementType(X) {{new_element_type = {between}}}")

    def of_predicates(self):
        """Of what compares, and of a made operand; the larger of two that may be
        infinite, with what stands beside it."""
        for k, (by, line) in enumerate(zip(("or", "and", "xor"), ("Ne(X, X)", "IsFinite(X)", "Eq(X, X)"))):
            yield self.made(self.Drawn([self.specials("f32", (3, 8)), self.small("pred", by == "and")], {
                "computation": by, "dimensions_to_reduce": [[1], [0], [0, 1]][k % 3]}), x0=line)
        for k, t in enumerate(("s64", "f64", "u64")):
            dims, along = [((3, 67), 1), ((2, 131), 1), ((131, 3), 0)][k]
            yield self.Drawn([self.small_numbers(t, dims, -99, 99), self.small(t, 3)], {"computation": "add", "dimensions_to_reduce": [along]})
            yield self.Drawn([self.small_numbers(t, (2, 67), -9, 99), self.small(t, 3)], {"computation": "max", "dimensions_to_reduce": [1]})
        for k, line in enumerate(("Abs(X)", "Mul(X, X)", "Neg(X)")):
            yield self.made(self.Drawn([self.pattern("f32", (4, 5), 2 + 6 * k), self.small("f32", 0)], {"computation": "add", "dimensions_to_reduce": [k % 2]}), x0=line)
        for k, (t, order, axis) in enumerate(zip(("f32", "bf16", "f64", "u32"), ("Lt", "Gt", "Gt", "Lt"), (0, 1) * 2)):
            row = [3, 3, "inf", "-inf", 1] if t in (*FLOATS,) else [3, 3, 127, 0, 1]
            row = row if k % 3 else [row[2]] * 5 if k % 2 else [row[3]] * 5
            data = [row[i:] + row[:i] for i in range(4)]
            body = [f"g = {order}(p0, p2)", "e = Eq(p0, p2)", "l = Lt(p1, p3)", "m = And(e, l)", "u = Or(g, m)", "v = Select(u, p0, p2)", "i = Select(u, p1, p3)",
                    "t = Tuple(v, i)"]
            worst = ("inf" if order == "Lt" else "-inf") if t in FLOATS else self.neutral(t, "min" if order == "Lt" else "max")
            yield self.Drawn([{"shape": self.shape(t, (4, 5)), "data": data}, self.bits("u16", (4, 5), "beside"), self.small(t, worst), self.small("u16", 65535)],
                             {"computation": "first", "dimensions_to_reduce": [axis]},
                             {"first": {"parameters": [f"{t}[]", "u16[]"] * 2, "body": body, "result": "t", "algebra": "associative"}}, parts=2)

    def all_equal(self):
        """Equal keys: a stable order is that of the operands."""
        for k, (t, order) in enumerate(itertools.product(("s32", "f32", "u8", "bf16"), ("Lt", "Gt"))):
            dims = [(9,), (3, 7), (7, 3), (2, 5, 3)][k % 4]
            yield self.Drawn([{"shape": self.shape(t, dims), "splat": 5}, self.bits(("s32", "s64", "u16", "f32")[k % 4], dims, f"payload{k}")],
                             {"comparator": "first", "dimension": k % len(dims), "is_stable": True},
                             {"first": {"parameters": [f"{t}[]"] * 2 + [f"{('s32', 's64', 'u16', 'f32')[k % 4]}[]"] * 2, "body": [f"l = {order}(p0, p1)"], "result": "l"}}, parts=2)
        for k, t in enumerate((*WIDE, *NARROW)):
            yield self.Drawn([{"shape": "s32[5,3]", "data": [[3, 1, 2], [3, 0, 2], [1, 1, 9], [-4, 0, 2], [3, 7, 0]]}, self.specials(t, (5, 3))],
                             {"comparator": "first", "dimension": k % 2, "is_stable": True},
                             {"first": {"parameters": ["s32[]"] * 2 + [f"{t}[]"] * 2, "body": ["l = Lt(p0, p1)"], "result": "l"}}, parts=2)

    def scattered(self):
        """Two operands, with windows, an index twice and one beyond the end."""
        for k, (t, b) in enumerate((("s32", "f32"), ("s64", "u8"), ("f64", "s16"), ("u32", "bf16"))):
            for window in ([], [1], [0])[k % 3:k % 3 + 1]:
                dims, update = ((6, 3), (4, 3)) if window == [1] else ((6, 3), (3, 4)) if window == [0] else ((6,), (4,))
                yield self.Drawn([self.bits(t, dims, "a"), self.bits(b, dims, "b"), {"shape": "s32[4,1]", "data": [[3], [0], [3], [5 + k % 2]]}, self.bits(t, update, "c"),
                                  self.bits(b, update, "d")],
                                 {"update_computation": "both", "dimension_numbers": {"update_window_dims": window, "inserted_window_dims": [0],
                                                                                     "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}},
                                 {"both": {"parameters": [f"{t}[]", f"{b}[]"] * 2, "body": ["a = Add(p0, p2)", "m = Max(p1, p3)", "out = Tuple(a, m)"], "result": "out"}}, parts=2)

    def convolved(self, name):
        """More features than a block, a kernel larger than the input, a special
        value that one term has, or that comes late; a zero that comes late."""
        padded, numbered = name in self.drawing.PADDED, name in self.drawing.NUMBERED
        late = {"zero": 0, "nan": "nan", "inf": "inf", "-0": "-0"}
        for k, (t, what) in enumerate((("s32", "features"), ("f32", "features"), ("bf16", "features"), ("u8", "larger"), ("f32", "larger"), ("f64", "zero"), ("f32", "zero"),
                                       ("f32", "nan"), ("f16", "inf"), ("bf16", "nan"), ("f64", "inf"), ("f32", "-0"), ("u8", "groups"), ("f32", "groups"), ("f16", "nan"))):
            if (k + number(name)) % 2:
                continue
            groups = 3 if numbered and (what == "groups" or (what in late and k % 2)) else 1
            features, made = (11, 19) if what == "features" else (3, 3)
            size, window = (3, 4) if what == "larger" else (7, 3)
            x, w = self.bits(t, (2, features, size), f"{name}x"), self.bits(t, (made, features // groups, window), f"{name}w")
            if what in late:
                flat = self.drawing.np.array([k % 9 - 4 for k in range(2 * features * size)], dtype=object)
                flat[-1 - k % 3] = late[what]
                x = {"shape": x["shape"], "data": flat.reshape(2, features, size).tolist()}
            attributes = self.drawing.convolved(name, window_strides=[1], padding=[[2, 1]] if padded else "SAME")
            if groups > 1:
                attributes["feature_group_count"] = groups
            yield self.Drawn([x, w], attributes)

    RANKS = {"Reduce": of_predicates, "Sort": all_equal, "Scatter": scattered,
             **{n: (lambda self, n=n: self.convolved(n)) for n in ("Conv", "ConvGeneral", "ConvGeneralDilated", "ConvWithGeneralDimensions", "ConvWithGeneralPadding")},
             "Select": chosen, "Clamp": clamped, "ReducePrecision": reduced_precision, "Cholesky": lambda self: self.solved("Cholesky"),
             "TriangularSolve": lambda self: self.solved("TriangularSolve"), "BroadcastInDim": spread, "Reshape": reshaped, "Iota": counted, "Transpose": turned, 
             "ConvertElementType": lambda self: [*self.converted(), *self.reconverted()]}


def sizes(literal):
    inside = literal["shape"].split("[")[1][:-1]
    return tuple(int(n) for n in inside.split(",") if n)


# Operands whose data are moved, as they are, to the result.
MOVED = {**dict.fromkeys(("Broadcast", "BroadcastInDim", "Collapse", "ConcatInDim", "Pad", "Reshape", "Rev", "Slice", "Transpose"), None), "Gather": [0], "DynamicSlice": [0],
         "DynamicUpdateSlice": [0, 1], "Select": [1, 2]}
SUMS = {"Dot": None, "DotGeneral": None, "RaggedDot": [0, 1], "Scatter": [0, 2], "SelectAndScatter": None,
        **dict.fromkeys(("Conv", "ConvGeneral", "ConvGeneralDilated", "ConvWithGeneralDimensions", "ConvWithGeneralPadding"), None)}
REDUCTIONS = ("Reduce", "ReduceWindow", "Scan")


def elementwise_names():
    return [n for n in specification.names() if any(f.startswith("elementwise") for f in families(n))
            and n not in ("ReducePrecision", "ConvertElementType", "BitcastConvertType", "Polygamma", "Zeta", "BesselI1e", "Digamma", "Lgamma", "ErfInv")]


def families(name):
    out, todo = set(), [specification.load(f"spec/ops/{name}.json")]
    while todo:
        for f in specification.families_of(todo.pop()):
            out.add(f)
            todo.append(specification.load(f"spec/families/{f}.json"))
    return out


def rows_of(own, name):
    rows = []
    if name in elementwise_names():
        rows += own.elementwise(name)
    if name in MOVED:
        rows += own.typed(name, MOVED[name], (*WIDE, *NARROW[number(name) % 2::2]), True)
    if name in SUMS:
        rows += own.typed(name, SUMS[name], WIDE[1 + number(name) % 2::2], False)
    if name in REDUCTIONS:
        rows += own.reductions(name, (*WIDE, *NARROW[number(name) % 2::2]))
    if name in own.drawing.REPLICAS:
        rows += own.typed(name, None, WIDE[1 + number(name) % 2::2], False) + own.grouped(name)
    if name in own.RANKS:
        rows += own.RANKS[name](own)
    return rows


def group(row):
    """Types that many backends lack have programs of their own."""
    own = {x["shape"].split("[")[0] for x in row.operands} | {
        v.split("[")[0] for k, v in row.attributes.items() if k in ("shape", "new_element_type")}
    return ("complex" if own & {*COMPLEX} else "double" if own & {"f64", "s64", "u64"} else "narrow" if own & {*NARROW} else "plain")


def programs(rows):
    """The programs of rows: a name and those that it has."""
    for kind in ("plain", "double", "complex", "narrow"):
        yield kind, [row for row in rows if group(row) == kind]


# ---- Tuples of every type, and what moves them ---------------------------------------

CARRIED = {"plain": [("pred", (3,)), ("s8", (2, 3)), ("u8", (5,)), ("s16", (2, 2)), ("u16", (1, 3)), ("s32", (5, 5)), ("u32", (3, 1, 9)), ("f16", (25,)), ("bf16", (5, 5)),
                     ("f32", (3, 3, 3))],
           "double": [("s64", (25,)), ("u64", (5,)), ("f64", (5, 5)), ("pred", (2, 2)), ("pred", ())],
           "complex": [("c128", (5, 5)), ("s8", (2, 1, 3)), ("c64", (25,)), ("pred", (3,)), ("pred", ())],
           "narrow": [("s4", (3, 3)), ("u4", (5,)), ("s2", (2, 3)), ("u2", (7,))]}


def every(kind):
    """Each number of each type alone, and all of them in ranks 1 to 3."""
    for t in (t for t in dict.fromkeys(t for t, _ in CARRIED[kind]) if t in WIDE and (t != "pred" or kind == "plain")):
        yield from ({"shape": f"{t}[]", "data": value} for value in specials.tokens(t))
        yield from (specials.repeated(t, dims) for dims in ((28,), (4, 7), (2, 7, 2)))


def nested(leaves, pair):
    """(a, (b, (c, d)), e, f ...): a tuple in a tuple, and others beside it."""
    return pair([leaves[0], pair([leaves[1], pair(leaves[2:4])]), *leaves[4:]])


def carried(own, name):
    """Results are the inputs, bit for bit."""
    for kind, row in CARRIED.items():
        literals = [own.specials(t, dims) for t, dims in row]
        shapes = [x["shape"] for x in literals]
        whole = nested(shapes, lambda parts: f"({', '.join(parts)})")
        tuple_ = nested(literals, lambda parts: {"tuple": parts})
        body = []

        def make(parts, body=body):
            body.append(f"t{len(body)} = Tuple({', '.join(parts)})")
            return f"t{len(body) - 1}"
        case = {"id": f"kinds-{kind}", "why": "every type, in a tuple in a tuple: the bits are kept"}
        if name == "Infeed":
            flat = {"tuple": literals}
            token = {"shape": "token[]"}
            for more, inputs, expect in (("", [], flat), ("-token", [token], {"tuple": [flat, token]})):
                yield {**case, "id": f"kinds-{kind}{more}", "inputs": inputs, "infeed": [flat], "attributes": {"shape": f"({', '.join(shapes)})"}, "expect": [expect]}
            continue
        if name == "Outfeed":
            yield {**case, "inputs": [tuple_], "attributes": {"shape_with_layout": whole}, "outfeed": [tuple_], "expect": [{"tuple": []}]}
            literals += every(kind)
            shapes = [x["shape"] for x in literals]
            lines = ["t0 = AfterAll()"] + [f"t{k + 1} = Outfeed(p{k}, t{k}) {{shape_with_layout = {s}}}" for k, s in enumerate(shapes)]
            yield {**case, "id": f"kinds-{kind}-arrays", "why": "every type, one array after the other", "inputs": literals, "outfeed": literals,
                   "module": {"entry": "main", "computations": {"main": {"parameters": shapes, "body": lines, "result": f"t{len(shapes)}"}}},
                   "expect": [{"shape": "token[]"}]}
            continue
        top = nested([f"p{k}" for k in range(len(row))], make)
        if name == "OptimizationBarrier":
            body.append(f"r = OptimizationBarrier({top})")
            results, expect = "r", tuple_
        elif name == "Tuple":
            results, expect = top, tuple_
        else:
            body += [f"g = GetTupleElement({top}) {{index = 1}}", "h = GetTupleElement(g) {index = 1}", "i = GetTupleElement(h) {index = 1}",
                     f"j = GetTupleElement({top}) {{index = {len(row) - 3}}}" if len(row) > 4 else f"j = GetTupleElement({top}) {{index = 0}}", "r = Tuple(g, h, i, j)"]
            inner = {"tuple": literals[2:4]}
            results, expect = "r", {"tuple": [{"tuple": [literals[1], inner]}, inner, literals[3], literals[-1] if len(row) > 4 else literals[0]]}
        yield {**case, "inputs": literals, "module": {"entry": "main", "computations": {"main": {"parameters": shapes, "body": body, "result": results}}}, "expect": [expect]}


def sent(own):
    """An array of each type by a channel of its own."""
    for kind, row in CARRIED.items():
        literals = [own.specials(t, dims) for t, dims in row] + list(every(kind))
        shapes = [x["shape"] for x in literals]
        give = ["t0 = AfterAll()"] + [line for k in range(len(shapes)) for line in (f"s{k} = Send(p{k}, t{k}) {{channel_id = {k + 1}}}", f"t{k + 1} = SendDone(s{k}) {{channel_id = {k + 1}}}")]
        take = ["t0 = AfterAll()"] + [line for k, s in enumerate(shapes) for line in (
            f"r{k} = Recv(t{k}) {{channel_id = {k + 1}, shape = {s}}}", f"g{k} = RecvDone(r{k}) {{channel_id = {k + 1}}}",
            f"d{k} = GetTupleElement(g{k}) {{index = 0}}", f"t{k + 1} = GetTupleElement(g{k}) {{index = 1}}")]

        def tuple_of(kept, count=len(shapes)):
            return {"name": "z", "op": "Tuple", "operands": [f"{kept}{k}" for k in range(count)]}
        blank = [{"shape": s, "splat": [0, 0] if s[0] == "c" else False if s[0] == "p" else 0} for s in shapes]
        programs_ = [{"computations": {"main": {"parameters": shapes, "body": body, "result": "z"}}, "entry": "main", "devices": [device]}
                     for device, body in enumerate(([*give, tuple_of("p")], [*take, tuple_of("d")]))]
        yield {"id": f"kinds-{kind}", "why": "every type: what one program sends, the other receives bit for bit", "replicas": 2,
               "inputs": [literals, blank], "programs": programs_, "expect": [[{"tuple": literals}], [{"tuple": literals}]]}


MOVERS = {**{n: (lambda own, n=n: carried(own, n)) for n in ("Infeed", "Outfeed", "OptimizationBarrier", "Tuple", "GetTupleElement")}, "Send": sent}


# ---- Numbers of replicas and partitions ------------------------------------------------

def numbered(own, name):
    """What is computed of them, and where: in a call, a branch, a loop."""
    line = f"r = {name}()"
    of = {"f32": [], "s64": []}
    inside = {"called": {"parameters": [], "body": [line, "d = Add(r, r)"], "result": "d"},
              "yes": {"parameters": ["u32[]"], "body": [line, "d = Mul(r, p0)"], "result": "d"},
              "no": {"parameters": ["u32[]"], "body": ["d = Sub(p0, p0)"], "result": "d"},
              "less": {"parameters": ["(u32[], u32[])"], "body": ["i = GetTupleElement(p0) {index = 0}", "n = Constant() {literal = u32[] 3}", "l = Lt(i, n)"], "result": "l"},
              "turn": {"parameters": ["(u32[], u32[])"], "body": [
                  "i = GetTupleElement(p0) {index = 0}", "s = GetTupleElement(p0) {index = 1}", "one = Constant() {literal = u32[] 1}", "j = Add(i, one)", line,
                  "a = Add(s, r)", "t = Tuple(j, a)"], "result": "t"}}
    body = [line, *(f"c{t} = ConvertElementType(r) {{new_element_type = {t}}}" for t in of), "three = Constant() {literal = u32[] 3}", "m = Mul(r, three)",
            "b = Broadcast(r) {broadcast_sizes = [2, 3]}", "z = Constant() {literal = u32[] 7}", "q = Reduce(b, z) {computation = add, dimensions_to_reduce = [0, 1]}",
            "e = Eq(r, three)", "k = Call() {computation = called}", "w = Conditional(e, three, three) {true_computation = yes, false_computation = no}",
            "zero = Constant() {literal = u32[] 0}", "s = Tuple(zero, zero)", "l = While(s) {condition = less, body = turn}", "g = GetTupleElement(l) {index = 1}",
            f"t = Tuple({', '.join(f'c{t}' for t in of)}, m, q, e, k, w, g)"]

    def values(n):
        for t, v in (("f32", n), ("s64", n), ("u32", 3 * n), ("u32", 7 + 6 * n), ("pred", n == 3), ("u32", 2 * n), ("u32", 9 if n == 3 else 0), ("u32", 3 * n)):
            yield own.small(t, v)
    count = "replicas" if name == "ReplicaId" else "partitions"
    # Numbers of more than two bits, too.
    for ident, n in (("computed", 4), ("computed-seven", 7)):
        yield {"id": f"kinds-{ident}", "why": "what follows from a number, and the number in a call, a branch and a loop", "inputs": [[]] * n, count: n,
               "module": {"entry": "main", "computations": {**inside, "main": {"parameters": [], "body": body, "result": "t"}}},
               "expect": [[{"tuple": list(values(k))}] for k in range(n)]}


MOVERS.update({n: (lambda own, n=n: numbered(own, n)) for n in ("ReplicaId", "PartitionID")})
