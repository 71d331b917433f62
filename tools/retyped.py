"""retyped.py - cases of what one operation makes of another, in every type, for tools/make-flow.

SPDX-License-Identifier: Apache-2.0

  of_types      each operation on what each producer gave, arrays of one type in
                one program; the results of a type are joined, so that a compiler
                has few kernels
  of_logic      predicates that comparisons of each type gave
  converted     what each producer gave, to narrower and wider types
  of_structures of what was moved, counted, added up or ordered, on either side
  filled        a number to odd lengths, a vector into each rank
  padded        by special values and by the ends of each type
  twice         an operation on what the same operation gave
  over_ones     reductions over sizes of 1, from a number that counts
  drawn_again   random bits by the state that another draw gave
  sized         what is done to arrays of which some elements count, or all, or none
  for_each      loops, branches and calls in a computation of scalars
"""
import re

from pairs_of import COMPARE, DISCRETE, Rows, named

INTEGERS = ["u8", "s8", "u16", "s16", "u32", "s64", "u64"]
FLOATS = ["f64", "f16", "bf16"]
BITS = {"bf16": 16, "pred": 1}
N = 7


def bits(t):
    return BITS.get(t) or int(t[1:])


def most(t):
    return 2 ** (bits(t) - (t[0] == "s")) - 1


def number(name):
    return sum(map(ord, name))


def has(t, line):
    """Unsigned numbers have no absolute value and no sign."""
    return t[0] != "u" or line.split("(")[0] not in ("Abs", "Sign")


def both(*names):
    return {n: f"{n}(X, p1)" for n in names}


def beside_ends(t, salt, k):
    """Small numbers, and in two places those at the ends: few sums and differences are beyond the type's range."""
    low = -most(t) - 1 if t[0] == "s" else 0
    data = [9, 3, 8, 6, 7, 2, 5] if k == 0 else [4, 6, 1, 3, 5, 8, 2]
    data[(salt + k) % (N - 1)], data[(salt + 2 * k + 3) % (N - 1)] = low if k == 0 else most(t), most(t) if k == 0 else most(t) // 2 + 1
    return [-v if t[0] == "s" and 0 < v < 9 and (v + salt) % 3 == 0 else v for v in data]


def one(*names):
    return {n: f"{n}(X)" for n in names}


COMMON = {**both("Add", "Sub", "Mul", "Max", "Min", *COMPARE), "Div": "Div(X, p2)", "Rem": "Rem(X, p2)", "Pow": "Pow(X, two)", "Clamp": "Clamp(low, X, high)", "Select": "Select(c, X, p1)",
          **one("Neg", "Abs", "Sign")}
OF_INTEGERS = {**COMMON, **both("And", "Or", "Xor"), **one("Not", "Clz", "PopulationCount"), **{n: f"{n}(X, p2)" for n in ("ShiftLeft", "ShiftRightLogical", "ShiftRightArithmetic")}}
OF_FLOATS = {**COMMON, **both("Atan2"), **one("Floor", "Ceil", "Round", "RoundNearestEven", "IsFinite", "Exp", "Expm1", "Tanh", "Logistic", "Sin", "Cos", "Atan", "Cbrt", "Sqrt", "Log", "Log1p", "Rsqrt", "Erf"),
             "ReducePrecision": "ReducePrecision(X) {exponent_bits = 5, mantissa_bits = 5}"}
MAKERS = ["Add(p0, p1)", "Sub(p0, p1)", "Sub(p1, p0)", "Mul(p0, p1)", "Neg(p0)", "Abs(p0)", "Sign(p0)", "Max(p0, p1)", "Min(p0, p1)", "Clamp(low, p0, high)", "Select(c, p0, p1)", "Div(p0, p2)", "Rem(p0, p2)",
          "Rev(p0) {dimensions = [0]}", "Iota() {shape = T[7], iota_dimension = 0}", "ConvertElementType(c) {new_element_type = T}", "ConvertElementType(q) {new_element_type = T}", "Pow(p0, two)"]
INTEGER_MAKERS = [*MAKERS, "Not(p0)", "And(p0, p1)", "Or(p0, p1)", "Xor(p0, p1)", "ShiftLeft(p0, p2)", "ShiftRightLogical(p0, p2)", "ShiftRightArithmetic(p0, p2)", "Clz(p0)", "PopulationCount(p0)"]
FLOAT_MAKERS = [*MAKERS, "Floor(h)", "Ceil(h)", "Round(h)", "RoundNearestEven(h)", "ReducePrecision(p0) {exponent_bits = 5, mantissa_bits = 3}"]
INEXACT = ("Div", "Pow")


class Typed:
    """Operands of one type, and what the producers gave."""

    def __init__(self, rows, draw, t, salt):
        self.rows, self.type = rows, t
        whole, n = t not in FLOATS + ["f32"], f"{t}[{N}]"
        self.names = {f"p{k}": rows.input({"shape": n, "data": beside_ends(t, number(salt), k)} if whole else draw(f"retyped{t}{k}", n, -9, 9)) for k in range(2)}
        self.names["p2"] = rows.input(draw(f"retyped{t}2", n, 1, 6))
        self.names.update({name: rows.constant(t, value) for name, value in (("two", 2), ("low", 3 if t[0] == "u" else -3), ("high", most(t) // 2 if whole else 5))})
        self.names["c"] = rows.line(f"Lt({self.names['p0']}, {self.names['p1']})", False)
        small = "u8" if bits(t) > 8 else "pred"
        self.names["q"] = rows.input({"shape": f"{small}[{N}]", "random": {"seed": number(t), "dist": "bits"}})
        if not whole:
            self.names["h"] = rows.input({"shape": n, "data": [k / 2 for k in range(-7, 2 * N - 7, 2)]})

    def make(self, line):
        return self.rows.line(named(re.sub(r"\bT\b", self.type, line), self.names), False)

    def makers(self):
        return [m for m in (INTEGER_MAKERS if self.type[0] in "su" else FLOAT_MAKERS) if has(self.type, m)]

    def apply(self, line, x, flip):
        own = dict(self.names, X=x or self.names["p0"])
        if flip and re.search(r"\(X, p1\)", line):
            line = line.replace("X, p1", "p1, X")
        return self.rows.line(named(line, own), False)

    def chain(self, line, name):
        """The fourth of four functions, and what is made of it in three ways."""
        steps = ["Add(p2, two)", "Max(X, low)", "Mul(X, p2)"] if (number(name) + len(self.type)) % 2 else ["Sub(p2, two)", "Neg(X)", "Abs(X)"] if self.type[0] != "u" else ["Max(p2, two)", "Add(X, two)", "Sub(X, two)"]
        x = None
        for step in steps:
            x = self.apply(step, x, 0)
        last = self.apply(line, x, number(name) % 2)
        if name in COMPARE or name == "IsFinite":
            return [last, *(self.rows.line(f"{op}({last})", False) for op in ("Not", "OptimizationBarrier"))]
        return [last, *(self.apply(use, last, 0) for use in ("Neg(X)", "Max(X, p2)", "Sub(X, p2)"))]


def join(rows, made, dimension=0):
    rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = {dimension}}}")


def of_types(name, draw):
    """On what each producer gave, from the left and from the right in turn; a third of them in each type."""
    rows = Rows("of-types", "on what another operation made, in each type")
    for j, t in enumerate([*(INTEGERS if name in OF_INTEGERS else []), *(FLOATS if name in OF_FLOATS else [])]):
        line = (OF_INTEGERS if t in INTEGERS else OF_FLOATS)[name]
        if not has(t, line):
            continue
        own = Typed(rows, draw, t, name)
        makers = [m for m in own.makers() if name not in ("Rem", *DISCRETE) or t in INTEGERS or m.split("(")[0] not in INEXACT]
        made = [own.apply(line, own.make(m), (k // 3 + j + number(name)) % 2) for k, m in enumerate(makers) if (k + j + number(name)) % 3 == 0]
        join(rows, made + own.chain(line, name))
    return rows


def of_logic(name, line, draw):
    rows = Rows("of-compared", "of comparisons of each type")
    made = []
    for j, t in enumerate((*INTEGERS, *FLOATS, "f32")):
        own = Typed(rows, draw, t, name)
        masks = [own.make(f"{c}(p0, p1)") for c in COMPARE] + ([own.make("IsFinite(h)")] if t not in INTEGERS else [])
        for k, mask in enumerate(masks):
            if (k + j + number(name)) % 3:
                continue
            made.append(rows.line(named(line, {"X": mask, "Y": masks[(k + 1) % len(masks)], "a": own.names["p0"], "b": own.names["p1"]}), False))
        if name == "Select":
            join(rows, made)
            made = []
    if made:
        join(rows, made)
    return rows


LOGIC = {**{n: f"{n}(X, Y)" for n in ("And", "Or", "Xor", "Eq", "Ne")}, "Not": "Not(X)", "Select": "Select(X, a, b)", "ConvertElementType": "ConvertElementType(X) {new_element_type = s32}"}
TARGETS = {"u8": ("s16", "f32", "u64"), "s8": ("u8", "s64", "bf16"), "u16": ("u8", "s32", "f32"), "s16": ("s8", "f64", "u32"), "u32": ("u16", "f64", "s64"), "s64": ("s32", "u8", "f32"),
           "u64": ("u32", "f64", "s16"), "s32": ("s8", "u16", "f16"), "f64": ("f32", "s32", "bf16"), "f16": ("f32", "s16", "f64"), "bf16": ("f16", "s8", "f64"), "f32": ("u8", "f16", "s64")}


def converted(draw):
    rows = Rows("of-types", "what another operation made, to narrower and wider types")
    for t, targets in TARGETS.items():
        own = Typed(rows, draw, t, "convert")
        makers = [m for m in own.makers() if t[0] in "su" or m.split("(")[0] not in INEXACT]
        made = [own.make(m) for m in makers]
        for j, to in enumerate(targets):
            if t[0] in "su" or to[0] != "u":
                join(rows, [rows.line(f"ConvertElementType({x}) {{new_element_type = {to}}}", False) for k, x in enumerate(made) if (k + j) % 2 == 0])
    return rows


SAME_BITS = {"u8": "s8", "s16": "f16", "u16": "bf16", "u32": "f32", "s64": "f64", "f16": "u16", "bf16": "s16", "f32": "s32", "f64": "u64", "s32": "u32", "u64": "s64"}


def same_bits(draw):
    rows = Rows("of-types", "the bits of what another operation made")
    for t, to in SAME_BITS.items():
        own = Typed(rows, draw, t, "bits")
        makers = [m for m in own.makers() if t[0] in "su" or m.split("(")[0] not in INEXACT]
        join(rows, [rows.line(f"BitcastConvertType({own.make(m)}) {{new_element_type = {to}}}", False) for m in makers])
    return rows


# ---- What was moved, counted, added up or ordered ----------------------------------

# Of p0 and p1, which have three rows and four columns, q with exchanged rows and columns, w with twice as many of each.
STRUCTURES = ["Iota() {shape = T[3,4], iota_dimension = 1}", "BroadcastInDim(v) {out_dim_size = [3, 4], broadcast_dimensions = [0]}", "Transpose(q) {permutation = [1, 0]}",
              "Slice(w) {start_indices = [0, 1], limit_indices = [6, 8], strides = [2, 2]}", "BroadcastInDim(h) {out_dim_size = [3, 4], broadcast_dimensions = [1]}", "Rev(p0) {dimensions = [1]}",
              "Slice(w) {start_indices = [2, 3], limit_indices = [5, 7]}", "Broadcast(k) {broadcast_sizes = [3, 4]}", "Reduce(x, k) {computation = max, dimensions_to_reduce = [1]}",
              "ConcatInDim(h2, h1) {dimension = 0}", "Pad(p0, k) {padding_config = [{edge_padding_low = 1, edge_padding_high = -1}, {edge_padding_low = -1, edge_padding_high = 1}]}",
              "Sort(p0) {comparator = lt, dimension = 1}", "Dot(q3, p0)", "Reshape(q) {new_sizes = [3, 4]}", "DynamicUpdateSlice(p0, h1, one, zero)", "DynamicSlice(w, one, one) {slice_sizes = [3, 4]}",
              "ReduceWindow(p0, k) {computation = max, window_dimensions = [2, 2], window_strides = [1, 1], padding = SAME}",
              "Gather(w4, i) {slice_sizes = [1, 4], dimension_numbers = {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}}",
              "Scatter(p0, i, p1) {update_computation = max, dimension_numbers = {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}}",
              "Select(c, p0, p1)", "Collapse(y) {dimensions = [1, 2]}", "ReducePrecision(p0) {exponent_bits = 5, mantissa_bits = 3}"]
SIZES = {"p0": "3,4", "p1": "3,4", "q": "4,3", "w": "6,8", "w4": "6,4", "x": "3,2,4", "y": "3,2,2", "h": "4", "h1": "1,4", "h2": "2,4", "v": "3", "q3": "3,3"}
OF_STRUCTURES = ["u8", "s64", "f64", "bf16", "s16", "f32", "u32", "f16", "s8", "u64", "u16"]


def structures(rows, t, draw, salt, low):
    """Operands of one type, and what was made of them, by number."""
    names = {p: rows.input(draw(f"structures{t}{salt}{p}", f"{t}[{sizes}]", low if p != "p1" else 1, 4 if p in ("p1", "q3") else 9)) for p, sizes in SIZES.items()}
    names.update({"i": rows.input({"shape": "s32[3]", "data": [2, 0, 1]}), "zero": rows.constant("s32", 0), "one": rows.constant("s32", 1), "p2": names["p1"]})
    names.update({word: rows.constant(t, value) for word, value in (("k", 5 if t[0] == "u" else 1), ("two", 2), ("low", 2), ("high", 6))})
    names["c"] = rows.line(named("Lt(p0, p1)", names), False)
    made = {}
    def of(k):
        k %= len(STRUCTURES) - (t[0] in "su")
        if k not in made:
            made[k] = rows.line(named(STRUCTURES[k].replace("T[", f"{t}["), names), False)
        return made[k]
    return names, of


def of_structures(name, draw):
    """Of a third of the types, which the name chooses: beside a parameter, a constant, and what was made in another way."""
    rows = Rows("of-structures", "on what was moved, counted, added up or ordered, on either side, in other types")
    line_of = dict(OF_FLOATS, **OF_INTEGERS)
    line_of["ConvertElementType"] = "ConvertElementType(X) {new_element_type = s32}"
    line, binary = re.sub(r"\(X, (p2|two)\)", "(X, p1)", line_of[name]), bool(re.search(r"\(X, (p1|p2|two)\)", line_of[name]))
    positive = ("Sqrt", "Log", "Log1p", "Rsqrt", "Div", "Rem", "Pow", "ShiftLeft", "ShiftRightLogical", "ShiftRightArithmetic")
    types = [t for t in OF_STRUCTURES if (t[0] in "su" and name in OF_INTEGERS) or (t[0] not in "su" and name in OF_FLOATS) or name == "ConvertElementType"]
    types = [t for t in types if has(t, name + "(")]
    for j, t in enumerate(types[number(name) % 3::3]):
        names, of = structures(rows, t, draw, name, 1 if t[0] == "u" or name in positive else -9)
        made = []
        for k in range(len(STRUCTURES)):
            own, how = dict(names, X=of(k)), (k + j + number(name)) % 3
            if not binary:
                lines = [line] if how != 1 else []
            elif how == 0:
                lines = [line, line.replace("X, p1", "p1, X")]
            else:
                own["Y"] = of(k + 1 if how == 1 else k + 5)
                lines = [line.replace("p1", "Y"), *([line.replace("p1", "two")] if k % 2 else [])]
            made += [rows.line(named(m, own), False) for m in lines]
        join(rows, made)
    for t in ("s8", "u8", "s64") if name in COMPARE else ():
        # Numbers in order beside what was spread.
        names, of = structures(rows, t, draw, name + "order", 1)
        join(rows, [rows.line(f"{name}({a}, {b})", False) for a, b in ((of(0), of(1)), (of(0), of(4)), (of(4), of(0)), (of(0), of(7)))])
    if name in ("Div", "Mul", "Sub", "Max"):
        # Sums of rows by a number, in each type.
        for t in ("f64", "f16", "bf16", "s32", "s64", "u8"):
            x = rows.input(draw(f"mean{t}", f"{t}[3,4]", 1, 9))
            total = rows.line(f"Reduce({x}, {rows.constant(t, 0)}) {{computation = add, dimensions_to_reduce = [1]}}", False)
            rows.line(f"{name}({total}, {rows.constant(t, 4)})")
    return rows


# ---- Numbers that are spread, padded, updated twice ------------------------------------

SPREAD = ["u8", "s16", "bf16", "f64", "s64", "f32", "c64", "pred"]


def filled(name, draw):
    """A number to odd lengths, and a vector into each rank, in each type."""
    rows = Rows("filled", "a number to odd lengths, a vector into each rank, as its last dimension and as another one")
    for k, t in enumerate(SPREAD):
        x, v = (rows.input(draw(f"filled{t}{sizes}", f"{t}[{sizes}]", 1, 9) if t != "pred" else {"shape": f"pred[{sizes}]", "random": {"seed": k + 1, "dist": "bits"}}) for sizes in ("", "3"))
        for n in ((33, 67), (41, 129), (35, 65))[k % 3]:
            rows.line(f"Broadcast({x}) {{broadcast_sizes = [{n}]}}" if name == "Broadcast" else f"BroadcastInDim({x}) {{out_dim_size = [{n}], broadcast_dimensions = []}}")
        for sizes, at in (([2, 2, 2, 3], 3), ([2, 1, 2, 2, 3], 4), ([2, 3, 2, 2], 1), ([5, 3], 1)):
            if name == "Broadcast" and at == len(sizes) - 1:
                rows.line(f"Broadcast({v}) {{broadcast_sizes = {sizes[:-1]}}}")
            elif name != "Broadcast":
                rows.line(f"BroadcastInDim({v}) {{out_dim_size = {sizes}, broadcast_dimensions = [{at}]}}")
    return rows


def padded(draw):
    """By each special value, and by the ends of each type."""
    rows = Rows("by-special", "by infinities, NaN, -0 and the ends of each type, at edges and between")
    for k, t in enumerate(["f16", "bf16", "f32", "f64", *INTEGERS, "s32"]):
        values = ["'inf'", "'-inf'", "'nan'", "-0"] if t[0] not in "su" else [most(t), -most(t) - 1 if t[0] == "s" else most(t) // 2 + 1]
        x = rows.input(draw(f"padded{t}", f"{t}[2,3]", 1, 9))
        for j, value in enumerate(values):
            config = ("{edge_padding_low = 1}, {edge_padding_high = 2}", "{interior_padding = 1}, {edge_padding_low = 1}", "{edge_padding_high = 1}, {interior_padding = 2}")[(j + k) % 3]
            rows.line(f"Pad({x}, {rows.constant(t, value)}) {{padding_config = [{config}]}}")
    return rows


WINDOW = "dimension_numbers = {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}"
# What is done twice, the second time to what the first gave.
TWICE = {"DynamicUpdateSlice": ["DynamicUpdateSlice(X, u, a, b)", "DynamicUpdateSlice(X, u, b, a)", "DynamicUpdateSlice(X, v, a, b)"],
         "Scatter": [f"Scatter(X, i, r) {{update_computation = {by}, {WINDOW}}}" for by in ("max", "min")] + [f"Scatter(X, j, r) {{update_computation = max, {WINDOW}}}"],
         "DynamicSlice": ["DynamicSlice(X, a, b) {slice_sizes = [2, 2]}", "DynamicSlice(X, b, a) {slice_sizes = [2, 2]}"],
         "Pad": ["Pad(X, k) {padding_config = [{edge_padding_low = 1}, {interior_padding = 1}]}", "Pad(X, m) {padding_config = [{edge_padding_high = 1}, {edge_padding_low = 2}]}",
                 "Pad(X, k) {padding_config = [{edge_padding_low = -1}, {edge_padding_high = -1}]}"],
         "Slice": ["Slice(X) {start_indices = [0, 1], limit_indices = [2, 3], strides = [1, 2]}", "Slice(X) {start_indices = [1, 0], limit_indices = [2, 1]}"],
         "Rev": ["Rev(X) {dimensions = [0]}", "Rev(X) {dimensions = [1]}", "Rev(X) {dimensions = [0, 1]}"],
         "Sort": ["Sort(X) {comparator = lt, dimension = 0}", "Sort(X) {comparator = gt, dimension = 0}", "Sort(X) {comparator = lt, dimension = 1}"],
         "ReduceWindow": [f"ReduceWindow(X, {k}) {{computation = {by}, window_dimensions = {w}, window_strides = [1, 1], padding = SAME}}" for k, by, w in (("k", "max", "[2, 1]"), ("m", "min", "[1, 2]"), ("k", "max", "[2, 2]"))]}


def twice(name, draw):
    """Each pair, also of one line."""
    rows = Rows("twice", "what is done to what the same operation gave, by the same operand or another")
    for n, t in enumerate([t for t in ("s16", "f64", "u8", "f32", "bf16", "s64") if len(name) % 2 or t != "s64"]):
        names = {p: rows.input(draw(f"twice{name}{t}{p}", f"{t}[{sizes}]", 1, 9)) for p, sizes in (("x", "3,4"), ("u", "2,2"), ("v", "2,2"), ("r", "2,4"))}
        names.update({p: rows.input({"shape": "s32[2]", "data": d}) for p, d in (("i", [2, 0]), ("j", [1, 2]))})
        names.update(a=rows.constant("s32", 0), b=rows.constant("s32", 1), k=rows.constant(t, 0), m=rows.constant(t, 9))
        lines = TWICE[name]
        for k, first in enumerate(lines):
            x = rows.line(named(first, dict(names, X=names["x"])), False)
            for j, second in enumerate(lines):
                if name == "Slice" and (k, j) != (0, 1) or (j + k + n) % 2 and j != k:
                    continue
                rows.line(named(second, dict(names, X=x)))
    return rows


def over_ones(draw):
    """Over sizes of 1, from a number that counts."""
    rows = Rows("over-ones", "over sizes of 1 only, from a number that counts, in each type")
    for k, t in enumerate(["s32", "f32", "s64", "u8", "f64", "bf16", "s16", "f16"]):
        for sizes, along in (("3,1", [1]), ("1,4", [0]), ("2,1,3", [1]), ("1,3,1", [0, 2]), ("2,2,1,2", [2]), ("1", [0]))[k % 2::2]:
            x = rows.input(draw(f"ones{t}{sizes}", f"{t}[{sizes}]", 1, 9))
            for by, start in (("add", 3), ("max", 5), ("min", 4), ("mul", 2))[k % 2::2]:
                rows.line(f"Reduce({x}, {rows.constant(t, start)}) {{computation = {by}, dimensions_to_reduce = {along}}}")
    return rows


def drawn_again(draw):
    """By the state that another one gave."""
    rows = Rows("again", "by the state that another one gave, and by that of the third")
    for by, n in (("RNG_THREE_FRY", 2), ("RNG_PHILOX", 3)):
        state = rows.input({"shape": f"u64[{n}]", "data": ["1234567890123456789", *["987654321"] * (n - 1)]})
        for t, sizes in (("u32", "5"), ("u64", "3"), ("u32", "2,3")):
            r = rows.line(f"RngBitGenerator({state}) {{algorithm = {by}, shape = {t}[{sizes}]}}")
            state = rows.line(f"GetTupleElement({r}) {{index = 0}}", False)
    return rows


# ---- Of which some elements count ----------------------------------------------------

SIZED = {**OF_INTEGERS, **OF_FLOATS, "Complex": "Complex(X, p1)", "Real": "Real(X)", "Imag": "Imag(X)", "ConvertElementType": "ConvertElementType(X) {new_element_type = s16}",
         "BitcastConvertType": "BitcastConvertType(X) {new_element_type = BITS}", "Map": "Map(X, p1) {computation = max, dimensions = DIMS}", "Reduce": "Reduce(X, two) {computation = max, dimensions_to_reduce = LAST}",
         "Broadcast": "Broadcast(X) {broadcast_sizes = [2]}", "Rev": "Rev(X) {dimensions = LAST}", "Sort": "Sort(X) {comparator = gt, dimension = AT}",
         "ConcatInDim": "ConcatInDim(X, p1) {dimension = AT}", "OptimizationBarrier": "OptimizationBarrier(X)"}


def sized_types(name):
    """Three, spread over those that an operation has."""
    types = {"Complex": ["f32", "f64"], "Real": ["c64", "c128"], "Imag": ["c64", "c128"]}.get(name) or [
        t for t in (*INTEGERS, "s32", *FLOATS, "f32") if (t[0] in "su" and (name in OF_INTEGERS or name not in OF_FLOATS)) or (t[0] not in "su" and (name in OF_FLOATS or name not in OF_INTEGERS))]
    types = [t for t in types if has(t, name + "(")]
    n = min(3, len(types))
    return {types[(number(name) + k * len(types) // n) % len(types)] for k in range(n)}


def sized(draw, t):
    """In rank 1 and, in turn, the last of two dimensions."""
    rows = Rows(f"of-some-{t}", "operations of which all, some, one or no elements of a row count")
    rows.more["each"] = {"N": [7, 4, 1, 0]}
    count, own = rows.input({"shape": "s32[]", "data": "$N"}), []
    for dims in ("7", "3,7"):
        low = 1 if t[0] == "u" else -9
        names = {p: rows.input(draw(f"some{t}{dims}{p}", f"{t}[{dims}]", 1 if p != "p0" else low, most_of)) for p, most_of in (("p0", 9), ("p1", 9), ("p2", 5))}
        at = dims.count(",")
        names = {p: rows.line(f"SetDimensionSize({x}, {count}) {{dimension = {at}}}", False) for p, x in names.items()}
        names.update({word: rows.constant(t, f"[{v}, 0]" if t[0] == "c" else v) for word, v in (("two", 2), ("low", 2), ("high", 6))})
        if t[0] != "c":
            names["c"] = rows.line(f"Lt({names['p0']}, {names['p1']})", False)
        own.append(dict(names, X=names["p0"], at=str(at)))
    for k, (name, line) in enumerate(sorted(SIZED.items())):
        if t not in sized_types(name):
            continue
        names = own[k % 2]
        line = line.replace("DIMS", "[0, 1]" if k % 2 else "[0]").replace("LAST", f"[{names['at']}]").replace("AT", names["at"]).replace("BITS", SAME_BITS.get(t, t))
        if name in ("Sqrt", "Log", "Log1p", "Rsqrt"):
            line = line.replace("X", "p1")
        rows.line(named(line, names))
    return rows


# ---- Loops, branches and calls for each element --------------------------------------

CALLERS = {"Map": "Map(x, y) {computation = F, dimensions = [0, 1]}", "Reduce": "Reduce(x, low) {computation = F, dimensions_to_reduce = [1]}",
           "ReduceWindow": "ReduceWindow(x, low) {computation = F, window_dimensions = [1, 2], window_strides = [1, 1], padding = [[0, 0], [1, 0]]}",
           "Scatter": "Scatter(x, i, y) {update_computation = F, dimension_numbers = {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}}"}


def function(parameters, body, result="r"):
    return {"parameters": parameters, "body": body, "result": result}


def computations(how, t):
    """Of two scalars the larger one, which a loop of two trips, a branch or a call finds; it is named after how."""
    e, state = f"{t}[]", f"(s32[], {t}[], {t}[])"
    if how == "loop":
        return {f"few_{t}": function([state], ["i = GetTupleElement(p0) {index = 0}", "n = Constant() {literal = s32[] 2}", "r = Lt(i, n)"]),
                f"turn_{t}": function([state], [*(f"e{k} = GetTupleElement(p0) {{index = {k}}}" for k in range(3)), "one = Constant() {literal = s32[] 1}", "j = Add(e0, one)", "m = Max(e1, e2)", "r = Tuple(j, m, e1)"]),
                f"loop_{t}": function([e, e], ["z = Constant() {literal = s32[] 0}", "s = Tuple(z, p0, p1)", f"w = While(s) {{condition = few_{t}, body = turn_{t}}}", "r = GetTupleElement(w) {index = 1}"])}
    if how == "branch":
        return {f"same_{t}": function([e], [], "p0"), f"branch_{t}": function([e, e], ["c = Lt(p0, p1)", f"r = Conditional(c, p1, p0) {{true_computation = same_{t}, false_computation = same_{t}}}"])}
    return {f"larger_{t}": function([e, e], ["c = Ge(p0, p1)", "r = Select(c, p0, p1)"]), f"call_{t}": function([e, e], [f"r = Call(p1, p0) {{computation = larger_{t}}}"])}


def for_each(name, how, draw):
    rows = Rows(f"of-a-{how}", f"a {how} for each element")
    own = rows.more["computations"] = {}
    i = rows.input({"shape": "s32[3]", "data": [2, 0, 1]})
    for t in ("s32", "u8", "f64"):
        own.update(computations(how, t))
        own[f"{how}_{t}"]["algebra"] = "associative"
        names = {"x": rows.input(draw(f"each{name}{t}x", f"{t}[3,5]", 1, 99)), "y": rows.input(draw(f"each{name}{t}y", f"{t}[3,5]", 1, 99)), "i": i, "low": rows.constant(t, 0)}
        rows.line(named(CALLERS[name], names).replace("= F", f"= {how}_{t}"))
    return rows


def all_rows(draw):
    """(operation, rows)."""
    for name in dict.fromkeys([*OF_INTEGERS, *OF_FLOATS]):
        yield name, of_types(name, draw)
        yield name, of_structures(name, draw)
    for name, line in LOGIC.items():
        yield name, of_logic(name, line, draw)
    for t in (*INTEGERS, "s32", *FLOATS, "f32", "c64", "c128"):
        yield "SetDimensionSize", sized(draw, t)
    yield "ConvertElementType", of_structures("ConvertElementType", draw)
    for name in ("Broadcast", "BroadcastInDim"):
        yield name, filled(name, draw)
    for name in TWICE:
        yield name, twice(name, draw)
    yield from (("Pad", padded(draw)), ("Reduce", over_ones(draw)), ("RngBitGenerator", drawn_again(draw)))
    for name in CALLERS:
        yield from ((name, for_each(name, how, draw)) for how in ("loop", "branch", "call"))
    yield "ConvertElementType", converted(draw)
    yield "BitcastConvertType", same_bits(draw)
