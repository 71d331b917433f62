"""pairs_of.py - cases of two properties at once, for tools/make-flow.

SPDX-License-Identifier: Apache-2.0

Words of numbers, lengths, ranks and types of what is moved, what one operation
makes of what another one gave.  NAME of an operation: a list of cases, each
(id, why, inputs, body, results).
"""
import re

COMPARE = ["Lt", "Le", "Gt", "Ge", "Eq", "Ne"]
# What they give depends on a rounding where their operand is inexact; then nothing in the program can be judged.
DISCRETE = (*COMPARE, *(c + "TotalOrder" for c in COMPARE), "Floor", "Ceil", "Round", "RoundNearestEven", "Sign",
            "ConvertElementType", "ReducePrecision")
MOVED = ["pred", "s8", "u16", "bf16", "f32", "s64", "f64", "c64"]


class Rows:
    """Inputs, lines and results of a program."""

    def __init__(self, ident, why):
        self.ident, self.why = ident, why
        self.inputs, self.body, self.results = [], [], []
        self.more = {}  # further members of the case

    def input(self, literal):
        self.inputs.append(literal)
        return f"p{len(self.inputs) - 1}"

    def line(self, text, result=True):
        name = f"v{len(self.body)}"
        self.body.append(f"{name} = {text}")
        if result:
            self.results.append(name)
        return name

    def constant(self, t, value):
        return self.line(f"Constant() {{literal = {t}[] {value}}}", False)


def named(line, names):
    """Its operands by their names; attributes stay as they are."""
    operands, bracket, attributes = line.partition(")")
    return re.sub(r"\b\w+\b(?=[,)])", lambda m: names[m[0]], operands + bracket) + attributes


def of_unsigned(t, name):
    return t[0] != "u" or name not in ("Neg", "Abs", "Sign")


def wrapped(t, value):
    bits = int(t[1:])
    value %= 2 ** bits
    return value - 2 ** bits if t[0] == "s" and value >= 2 ** (bits - 1) else value


def words(name, line):
    """Numbers of two halves, each of them 0, 1, its least, its largest, or all ones."""
    rows = Rows("halves", "numbers whose halves differ in sign, or of which one is 0")
    for t in ("s64", "u64", "s32" if len(name) % 2 else "u32"):
        half = int(t[1:]) // 2
        parts = [0, 1, 2 ** (half - 1), 2 ** (half - 1) - 1, 2 ** half - 1]
        values = [wrapped(t, a << half | b) for a in parts for b in parts]
        x = rows.input({"shape": f"{t}[5,5]", "data": [values[k:k + 5] for k in range(0, 25, 5)]})
        others = values[7:] + values[:7]
        if name in ("Div", "Rem"):
            others = [v or 3 for v in others]  # what is divided by is not 0
        if name.startswith("Shift"):
            others = [k % half + half // 2 for k in range(25)]
        if "Y)" in line:
            y = rows.input({"shape": f"{t}[5,5]", "data": [others[k:k + 5] for k in range(0, 25, 5)]})
            rows.line(named(line, {"X": x, "Y": y}))
        elif of_unsigned(t, name):
            rows.line(named(line, {"X": x}))
    return rows


def tails(name, line, draw):
    """Lengths beside 16 and 32 of each type of few bits."""
    rows = Rows("tails", "lengths of one more and one less than blocks, of 8 and 16 bits")
    for t in ("s8", "u8", "s16", "u16"):
        if not of_unsigned(t, name):
            continue
        for n in (17,) if t in ("s8", "u16") else (33,):
            x, y = (rows.input(draw(f"tails{name}{t}{n}{k}", f"{t}[{n}]", low, -low if low < 0 else 7)) for k, low in enumerate((-7 if t[0] == "s" else 1, 1)))
            rows.line(named(line, {"X": x, "Y": y}))
    return rows


SOURCES = ["ShiftLeft(p, k)", "ShiftRightLogical(p, m)", "ShiftRightArithmetic(p, k)", "Not(p)", "And(p, q)", "Or(p, q)", "Xor(p, q)", "Add(p, q)", "Sub(p, q)", "Sub(q, p)",
           "Mul(p, q)", "Max(p, q)", "Min(p, q)", "Div(p, d)", "Rem(p, d)"]


def of_both(name, draw):
    """Of two things that were made of the same numbers: rotations, complements, parts."""
    rows = Rows("of-sources", "of two numbers that were made of the same ones")
    for t in ("u32", "s32", "u8", "s64"):
        bits = int(t[1:])
        names = {"p": rows.input({**draw(f"both{t}", f"{t}[7]", 0, 0), "random": {"seed": bits, "dist": "bits"}}), "q": rows.input(draw(f"bothq{t}", f"{t}[7]", 1, 99)),
                 "d": rows.input(draw(f"bothd{t}", f"{t}[7]", 1, 9))}
        for letter, amount in (("k", 3), ("m", bits - 3)):
            names[letter] = rows.line(f"Constant() {{literal = {t}[7] [{', '.join([str(amount)] * 7)}]}}", False)
        made = [rows.line(named(source, names), False) for source in SOURCES]
        # Each with the next, with its complement, and with what is four further on.
        for k, x in enumerate(made):
            if t in ("u32", "s32") or k % 2 == 0:
                rows.line(f"{name}({x}, {made[(k + 1) % len(made)]})")
        rows.line(f"{name}({made[3]}, {names['p']})")
        rows.line(f"{name}({names['q']}, {made[3]})")
    return rows


CONVERSIONS = [("u8", "s32"), ("s8", "s32"), ("u16", "s32"), ("s16", "s64"), ("u8", "u32"), ("u16", "u64"), ("u32", "s64"), ("s32", "s64"), ("u8", "f32"), ("u16", "f32"), ("s8", "f64"),
               ("u32", "f64"), ("pred", "s32"), ("u8", "u16"), ("s16", "f32"), ("u8", "s16")]


def of_converted(name):
    """Of what was made wider, at the edges of the narrow type."""
    rows = Rows("of-converted", "of what was converted to a wider type, from its upper half too")
    for a, b in CONVERSIONS:
        top = 2 ** (int(a[1:]) - (a[0] == "s")) - 1 if a != "pred" else 1
        low = -top - 1 if a[0] == "s" else 0
        left, right = ([low, top, top // 2, top // 2 + 1, top, 1], [top, 1, top // 2 + 1, top // 2, top - 1, low]) if a != "pred" else ([False, True] * 3, [True] * 3 + [False] * 3)
        x, y = (rows.line(f"ConvertElementType({rows.input({'shape': f'{a}[6]', 'data': v})}) {{new_element_type = {b}}}", False) for v in (left, right))
        rows.line(f"{name}({x}, {y})")
    return rows


def complex_scalar(name, draw):
    rows = Rows("complex-scalar", "a complex scalar on either side of an array")
    for t in ("c64", "c128"):
        s = rows.input({"shape": f"{t}[]", "data": [2, -3]})
        for sizes in ("3", "4", "2,3", "1", "2,1,3"):
            x = rows.input(draw(f"complex{name}{t}{sizes}", f"{t}[{sizes}]", 1, 5))
            rows.line(f"{name}({s}, {x})")
            rows.line(f"{name}({x}, {s})")
    return rows


def parts(name, draw):
    rows = Rows("parts", "the parts of complex numbers in each rank")
    for t, part in (("c64", "f32"), ("c128", "f64")):
        for sizes in ("", "4", "5", "3,4", "2,3,2", "2,2,3", "2,1,2,3"):
            if name == "Complex":
                x, y = (rows.input(draw(f"parts{t}{sizes}{k}", f"{part}[{sizes}]", -99, 99)) for k in range(2))
                rows.line(f"Complex({x}, {y})")
            else:
                rows.line(f"{name}({rows.input(draw(f'parts{t}{sizes}', f'{t}[{sizes}]', -99, 99))})")
    return rows


SIZES = [("4,6", "2,2,3,2"), ("4,6", "3,8"), ("2,2,3,2", "4,6"), ("2,3,4", "6,4"), ("24", "2,3,4"), ("4,6", "24"), ("2,2,3,2", "3,2,4"), ("4,6", "1,4,1,6"), ("2,3,4", "2,2,2,3"), ("1,24", "2,2,2,3")]


def reshaped(draw):
    rows = Rows("ranks", "each type from one rank to another")
    for k, t in enumerate([*MOVED, "u4"]):
        for a, b in SIZES[k % 2::2]:
            rows.line(f"Reshape({rows.input(distinct(draw, f'ranks{t}{a}{b}', t, a))}) {{new_sizes = [{b}]}}")
    return rows


def distinct(draw, salt, t, sizes):
    """Numbers that are rarely equal."""
    if t == "pred":
        return {"shape": f"pred[{sizes}]", "random": {"seed": sum(map(ord, salt)), "dist": "bits"}}
    if t in ("u4", "s4"):
        return {**draw(salt, f"{t}[{sizes}]", 0, 7)}
    return draw(salt, f"{t}[{sizes}]", 0 if t[0] == "u" else -120, 120)


def collapsed(draw):
    rows = Rows("ranks", "each type, each run of dimensions")
    for t in MOVED:
        for sizes, dims in (("3,2,4", [0, 1]), ("3,2,4", [1, 2]), ("3,2,4", [0, 1, 2]), ("2,3,2,2", [1, 2]), ("2,3,2,2", [0, 1]), ("2,3,2,2", [1, 2, 3])):
            rows.line(f"Collapse({rows.input(distinct(draw, f'collapse{t}{sizes}{dims}', t, sizes))}) {{dimensions = {dims}}}")
    return rows


def spread(draw):
    rows = Rows("spread", "columns, rows and single numbers of each type, to widths beside blocks")
    for k, t in enumerate(MOVED):
        for a, b, dims in (("4,1", "4,5", [0, 1]), ("3,1", "3,9", [0, 1]), ("1,5", "3,5", [0, 1]), ("5,1", "5,17", [0, 1]), ("1,1", "3,7", [0, 1]), ("3", "3,5", [0]), ("5", "3,5", [1]),
                           ("2,1,3", "2,5,3", [0, 1, 2]), ("2,3,1", "2,3,6", [0, 1, 2]), ("2,1", "2,7", [0, 1]))[k % 2::2]:
            rows.line(f"BroadcastInDim({rows.input(distinct(draw, f'spread{t}{a}{b}', t, a))}) {{out_dim_size = [{b}], broadcast_dimensions = {dims}}}")
    return rows


def joined(draw):
    rows = Rows("of-one", "one array two to four times, along each dimension, of size 1 too")
    for k, t in enumerate(MOVED):
        for sizes, d in (("1,3", 0), ("3,1", 1), ("2,1,3", 1), ("3", 0), ("1", 0), ("2,3", 1))[k % 2::2]:
            x = rows.input(distinct(draw, f"join{t}{sizes}", t, sizes))
            for count in (3, 2 + k % 3):
                rows.line(f"ConcatInDim({', '.join([x] * count)}) {{dimension = {d}}}")
    return rows


def indexed(name, draw):
    """Of a scalar, and of an array of one element."""
    rows = Rows("of-scalar", "of a scalar, and of one element")
    for t in MOVED:
        x, u = (rows.input(distinct(draw, f"scalar{t}{k}", t, "")) for k in range(2))
        none = rows.input({"shape": "s32[2,0]", "data": [[], []]})
        if name == "Gather":
            rows.line(f"Gather({x}, {none}) {{slice_sizes = [], dimension_numbers = {{offset_dims = [], collapsed_slice_dims = [], start_index_map = [], index_vector_dim = 1}}}}")
        elif name == "DynamicSlice":
            rows.line(f"DynamicSlice({x}) {{slice_sizes = []}}")
        else:
            rows.line(f"DynamicUpdateSlice({x}, {u})")
    return rows


AFTER_ADD = ["Mul(V, s)", "Mul(s, V)", "Sub(V, s)", "Max(V, s)", "Neg(V)", "Mul(V, V)", "Add(V, c)", "ConvertElementType(V) {new_element_type = s64}", "Div(V, d)"]


def epilogue(draw):
    """What follows on a product and a bias."""
    rows = Rows("epilogue", "a product, a bias, and what is done with their sum")
    for t in ("s32", "f32", "f64"):
        a, b = rows.input(draw(f"epilogue{t}0", f"{t}[3,4]", -9, 9)), rows.input(draw(f"epilogue{t}1", f"{t}[4,3]", -9, 9))
        names = {"s": rows.input(draw(f"epilogue{t}2", f"{t}[3,3]", 2, 9)), "c": rows.input(draw(f"epilogue{t}3", f"{t}[3,3]", -9, 9)), "d": rows.input({"shape": f"{t}[3,3]", "data": [[2, 4, 8]] * 3})}
        dot = rows.line(f"Dot({a}, {b})", False)
        for bias in (f"Add({dot}, {names['c']})", f"Add({names['c']}, {dot})"):
            names["V"] = rows.line(bias, False)
            for line in AFTER_ADD:
                rows.line(named(line, names))
    return rows


MADE = ["Broadcast(v) {broadcast_sizes = [4]}", "BroadcastInDim(v) {out_dim_size = [4, 5], broadcast_dimensions = [1]}", "BroadcastInDim(w) {out_dim_size = [4, 5], broadcast_dimensions = [0]}",
        "Pad(m, k) {padding_config = [{edge_padding_low = 1}, {interior_padding = 1}]}", "Transpose(m) {permutation = [1, 0]}", "Rev(m) {dimensions = [1]}", "ConcatInDim(m, m) {dimension = 0}",
        "Slice(m) {start_indices = [1, 0], limit_indices = [4, 3]}", "Reshape(m) {new_sizes = [5, 4]}", "Select(c, m, n)", "Neg(m)"]


def reduced(draw):
    """By each computation, of what each of these moved or spread."""
    rows = Rows("of-made", "by each computation, of what was spread, padded, moved or chosen")
    for t in ("s32", "f32", "u8", "f64"):
        names = {"m": rows.input(draw(f"made{t}m", f"{t}[4,5]", 1, 3)), "n": rows.input(draw(f"made{t}n", f"{t}[4,5]", 1, 3)), "v": rows.input(draw(f"made{t}v", f"{t}[5]", 1, 3)),
                 "w": rows.input(draw(f"made{t}w", f"{t}[4]", 1, 3)), "k": rows.constant(t, 2)}
        names["c"] = rows.line(f"Lt({names['m']}, {names['n']})", False)
        init = {"add": rows.constant(t, 0), "mul": rows.constant(t, 1), "max": rows.constant(t, 0), "min": rows.constant(t, 9), "and": rows.constant(t, 7), "or": rows.constant(t, 0)}
        for k, line in enumerate(MADE):
            if t[0] == "u" and line.startswith("Neg"):
                continue
            x = rows.line(named(line, names), False)
            for j, (by, start) in enumerate(init.items()):
                if (by in ("and", "or") and t[0] == "f") or (t in ("u8", "f64") and (j + k) % 2):
                    continue
                rows.line(f"Reduce({x}, {start}) {{computation = {by}, dimensions_to_reduce = {[[0], [1], [0, 1]][(j + k) % 3] if by != 'mul' else [k % 2]}}}")
    return rows


def crossed(name, draw):
    """A bound of a bound, the lower one above the upper."""
    rows = Rows("bounds", "bounds of bounds, of which the lower may be above the upper")
    other = "Min" if name == "Max" else "Max"
    for t in ("s32", "f32", "u8", "f64", "bf16", "s64"):
        x, a, b = (rows.input(draw(f"bounds{t}{k}", f"{t}[9]", 0, 9)) for k in range(3))
        low, high = rows.constant(t, 6), rows.constant(t, 3)
        for p, q in ((a, b), (low, high), (high, low)):
            inner = rows.line(f"{other}({x}, {p})", False)
            rows.line(f"{name}({inner}, {q})")
            rows.line(f"{name}({q}, {rows.line(f'{other}({p}, {x})', False)})")
            rows.line(f"{name}({rows.line(f'{name}({x}, {p})', False)}, {q})")
    return rows


BINARY = {n: f"{n}(X, Y)" for n in ("Add", "Sub", "Mul", "Div", "Rem", "Max", "Min", "And", "Or", "Xor", "ShiftLeft", "ShiftRightLogical", "ShiftRightArithmetic", *COMPARE)}
UNARY = {n: f"{n}(X)" for n in ("Neg", "Abs", "Sign", "Not", "Clz", "PopulationCount")}


def all_rows(draw):
    """(operation, rows)."""
    for name, line in {**BINARY, **UNARY}.items():
        yield name, words(name, line)
        yield name, tails(name, line, draw)
    for name in ("Or", "Add", "Xor", "And", "Sub", "Max", "Min"):
        yield name, of_both(name, draw)
    for name in (*COMPARE, "Max", "Min", "Sub"):
        yield name, of_converted(name)
    for name in ("Add", "Sub", "Mul", "Eq", "Ne"):
        yield name, complex_scalar(name, draw)
    for name in ("Real", "Imag", "Complex"):
        yield name, parts(name, draw)
    for name in ("Gather", "DynamicSlice", "DynamicUpdateSlice"):
        yield name, indexed(name, draw)
    for name in ("Max", "Min"):
        yield name, crossed(name, draw)
    yield from (("Reshape", reshaped(draw)), ("Collapse", collapsed(draw)), ("BroadcastInDim", spread(draw)), ("ConcatInDim", joined(draw)), ("Dot", epilogue(draw)), ("Reduce", reduced(draw)))
