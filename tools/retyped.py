"""retyped.py - cases of what one operation makes of another, in every type, for tools/make-flow.

SPDX-License-Identifier: Apache-2.0

  of_types      each operation on what each producer gave, arrays of one type in
                one program; the results of a type are joined, so that a compiler
                has few kernels
  of_logic      predicates that comparisons of each type gave
  converted     what each producer gave, to narrower and wider types
  of_structures of what was moved, counted, added up or ordered, on either side
  sized         what is done to arrays of which some elements count, or all, or none
  for_each      loops, branches and calls in a computation of scalars
"""
import re

from pairs_of import Rows, named

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


COMPARE = ("Lt", "Le", "Gt", "Ge", "Eq", "Ne")
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
        own = dict(self.names, X=x)
        if flip and re.search(r"\(X, p1\)", line):
            line = line.replace("X, p1", "p1, X")
        return self.rows.line(named(line, own), False)


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
        makers = [m for m in own.makers() if name != "Rem" or t in INTEGERS or m.split("(")[0] not in INEXACT]
        join(rows, [own.apply(line, own.make(m), (k // 3 + j + number(name)) % 2) for k, m in enumerate(makers) if (k + j + number(name)) % 3 == 0])
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

STRUCTURES = ["Transpose(p0) {permutation = [1, 0]}", "Rev(p0) {dimensions = [0]}", "BroadcastInDim(v) {out_dim_size = [4, 4], broadcast_dimensions = [0]}",
              "BroadcastInDim(v) {out_dim_size = [4, 4], broadcast_dimensions = [1]}", "Broadcast(k) {broadcast_sizes = [4, 4]}", "Iota() {shape = T[4,4], iota_dimension = 1}",
              "ConcatInDim(h, h) {dimension = 0}", "Pad(p0, k) {padding_config = [{edge_padding_low = 1, edge_padding_high = -1}, {edge_padding_low = 0}]}", "Sort(p0) {comparator = lt, dimension = 1}",
              "Dot(p0, p1)", "Reshape(w) {new_sizes = [4, 4]}", "DynamicUpdateSlice(p0, h, one, zero)", "DynamicSlice(p0, zero, zero) {slice_sizes = [4, 4]}",
              "ReduceWindow(p0, k) {computation = max, window_dimensions = [2, 2], window_strides = [1, 1], padding = SAME}",
              "Gather(p0, i) {slice_sizes = [1, 4], dimension_numbers = {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}}",
              "Scatter(p0, i, p1) {update_computation = max, dimension_numbers = {update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}}",
              "ReducePrecision(p0) {exponent_bits = 5, mantissa_bits = 3}", "Select(c, p0, p1)", "Collapse(x) {dimensions = [1, 2]}"]
OF_STRUCTURES = ["u8", "s64", "f64", "bf16", "s16", "f32", "u32", "f16", "s8", "u64", "u16"]


def of_structures(name, draw):
    """Of a third of the types, which the name chooses."""
    rows = Rows("of-structures", "on what was moved, added up or ordered, on either side, in other types")
    i, zero, at = rows.input({"shape": "s32[4]", "data": [2, 0, 3, 1]}), rows.constant("s32", 0), rows.constant("s32", 1)
    types = [t for t in OF_STRUCTURES if name in (OF_INTEGERS if t[0] in "su" else OF_FLOATS) and has(t, name + "(")]
    for j, t in enumerate(types[number(name) % 3::3]):
        line = (OF_INTEGERS if t[0] in "su" else OF_FLOATS)[name]
        low = 1 if t[0] == "u" or name in ("Sqrt", "Log", "Log1p", "Rsqrt") else -9
        names = {p: rows.input(draw(f"structures{t}{name}{p}", f"{t}[{sizes}]", low if p != "p1" else 1, 4 if p == "p1" else 9)) for p, sizes in (("p0", "4,4"), ("p1", "4,4"), ("w", "2,8"), ("x", "4,2,2"))}
        names.update({"i": i, "zero": zero, "one": at, "p2": names["p1"], **{word: rows.constant(t, value) for word, value in (("k", 5 if t[0] == "u" else 1), ("two", 2), ("low", 2), ("high", 6))}})
        names["c"] = rows.line(named("Lt(p0, p1)", names), False)
        names["h"] = rows.line(named("Slice(p0) {start_indices = [1, 0], limit_indices = [3, 4]}", names), False)
        names["v"] = rows.line(named("Reduce(p0, k) {computation = max, dimensions_to_reduce = [1]}", names), False)
        made = []
        for k, structure in enumerate(STRUCTURES):
            if (k + j + number(name)) % 2 or (t[0] in "su" and structure.startswith("ReducePrecision")):
                continue
            x = rows.line(named(structure.replace("T[", f"{t}["), names), False)
            own = dict(names, X=x)
            made.append(rows.line(named(line, own), False))
            # What is divided by is not 0.
            if "(X, p1)" in line and (k // 2 + j) % 2:
                made.append(rows.line(named(line.replace("X, p1", "p1, X"), own), False))
        join(rows, made)
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
    for name in CALLERS:
        yield from ((name, for_each(name, how, draw)) for how in ("loop", "branch", "call"))
    yield "ConvertElementType", converted(draw)
    yield "BitcastConvertType", same_bits(draw)
