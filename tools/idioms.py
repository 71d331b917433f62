"""idioms.py - cases of values that are made in a way of their own, for tools/make-flow.

SPDX-License-Identifier: Apache-2.0

Indices, masks, fractions, special values in the last places of an array, what a
program of a network writes: NAME of an operation, and rows (tools/pairs_of.py).
"""
from pairs_of import Rows, distinct, named

FLOATS = ["f16", "bf16", "f32", "f64"]
WORDS = {"s64": [2 ** 31, 2 ** 32 - 1, -2 ** 31], "u64": [2 ** 31, 2 ** 32 - 1, 2 ** 63], "u32": [2 ** 15, 2 ** 16 - 1], "s16": [128, 255], "u16": [128, 255]}


def masked(name, draw):
    """By a constant beside the middle of a word."""
    rows = Rows("half-constants", "by constants at the edges of half a word, on either side")
    for k, (t, values) in enumerate(WORDS.items()):
        bits = int(t[1:])
        x = rows.input({"shape": f"{t}[9]", "random": {"seed": bits + k, "dist": "bits"}} if name in ("And", "Or", "Xor", "Eq", "Ne", "Lt", "Gt", "Le", "Ge", "Max", "Min") else draw(f"masked{name}{t}", f"{t}[9]", 1, 90))
        for value in values[len(name) % 2:][:2]:
            c = rows.constant(t, value)
            rows.line(f"{name}({x}, {c})")
            if len(name) % 2 == k % 2:
                rows.line(f"{name}({c}, {x})")
    return rows


SPECIAL = {"f16": [0x7c00, 0xfc00, 0x7e00, 0x8000, 0x0001], "bf16": [0x7f80, 0xff80, 0x7fc0, 0x8000, 0x0001], "f32": [0x7f800000, 0xff800000, 0x7fc00000, 0x80000000, 1],
           "f64": [0x7ff0 << 48, 0xfff0 << 48, 0x7ff8 << 48, 1 << 63, 1]}
PAYLOADS = {"f16": [0x7fff, 0xffff, 0x7c01, 0xfdff], "bf16": [0x7fff, 0xffff, 0x7f81, 0xffbf], "f32": [0x7fffffff, 0xffffffff, 0x7f800001, 0xffbfffff],
            "f64": [2 ** 63 - 1, 2 ** 64 - 1, (0x7ff0 << 48) + 1, (0xfff8 << 48) - 1]}


def last_places(draw):
    """Conversions of infinities, NaN, -0 and a subnormal behind full blocks; of NaN with other bits."""
    rows = Rows("last-places", "special numbers in the last places, and NaN of any bits, to each type")
    for t in FLOATS:
        bits = {"bf16": 16}.get(t) or int(t[1:])
        one = {"f16": 0x3c00, "bf16": 0x3f80, "f32": 0x3f800000, "f64": 0x3ff << 52}[t]
        for tail in (SPECIAL[t], PAYLOADS[t]):
            u = rows.input({"shape": f"u{bits}[{8 + len(tail)}]", "data": [str(one)] * 8 + [str(v) for v in tail]})
            x = rows.line(f"BitcastConvertType({u}) {{new_element_type = {t}}}", False)
            for to in [*FLOATS, *(["pred"] if tail is SPECIAL[t] else [])]:
                if to != t:
                    rows.line(f"ConvertElementType({x}) {{new_element_type = {to}}}")
    return rows


FRACTIONS = ["Clamp(a, x, b)", "Max(x, y)", "Min(x, b)", "Max(a, x)", "Add(x, y)", "Mul(x, h)", "Neg(x)", "Abs(x)", "Sub(y, x)", "Select(c, x, y)", "Rev(x) {dimensions = [0]}", "Div(x, q)"]
ROUNDING = ["ConvertElementType(V) {new_element_type = s32}", "Floor(V)", "Ceil(V)", "Round(V)", "RoundNearestEven(V)", "Sign(V)", "ConvertElementType(V) {new_element_type = s8}"]


def fractions(name, draw):
    """Of fractions that were computed: quarters, so that each is exact."""
    rows = Rows("of-fractions", "of computed numbers that are not whole, ties among them")
    for k, t in enumerate(FLOATS):
        names = {"x": rows.input({"shape": f"{t}[13]", "data": [n / 4 for n in range(-23, 27, 4)]}), "y": rows.input({"shape": f"{t}[13]", "data": [n / 4 for n in range(30, -34, -5)]}),
                 "a": rows.constant(t, -3.5), "b": rows.constant(t, 4.5), "h": rows.constant(t, 0.5), "q": rows.constant(t, 2)}
        names["c"] = rows.line(f"Lt({names['x']}, {names['y']})", False)
        for line in FRACTIONS[k % 2::2] if t in ("f16", "bf16") else FRACTIONS:
            v = rows.line(named(line, names), False)
            for to in [r for r in ROUNDING if r.startswith(name + "(")]:
                rows.line(to.replace("V", v))
    return rows


INDICES = ["Sub(i, j)", "Rem(m, j)", "Neg(i)", "Clamp(zero, m, two)", "Rev(i) {dimensions = [0]}", "Select(c, i, j)", "Sort(m) {comparator = lt, dimension = 0}", "Add(i, one)", "Mul(i, j)", "Max(m, zero)",
           "Iota() {shape = s32[4], iota_dimension = 0}", "And(m, two)", "ConcatInDim(g, g) {dimension = 0}", "ShiftRightLogical(i, one)", "Div(m, j)"]


def by_made(name, draw):
    """By indices that were computed, below zero and beyond the end too."""
    rows = Rows("by-made", "by indices that were computed, some of them outside")
    types = ["s16", "f64", "u8", "bf16", "s64", "f32"]
    names = {"i": rows.input({"shape": "s32[4]", "data": [3, 0, 2, 1]}), "j": rows.input({"shape": "s32[4]", "data": [1, 3, 2, 2]}), "m": rows.input({"shape": "s32[4]", "data": [-1, 7, -5, 2]}),
             "zero": rows.constant("s32", 0), "one": rows.constant("s32", 1), "two": rows.constant("s32", 2), "g": rows.input({"shape": "s32[2]", "data": [4, 1]})}
    names["c"] = rows.line(f"Lt({names['i']}, {names['j']})", False)
    operands = {t: (rows.input(distinct(draw, f"{name}made{t}", t, "5,3")), rows.input(distinct(draw, f"{name}update{t}", t, "4,3" if name == "Scatter" else "2,2"))) for t in types}
    for k, line in enumerate(INDICES):
        x, u = operands[types[k % len(types)]]
        at = rows.line(named(line, names), False)
        if name == "Gather":
            rows.line(f"Gather({x}, {at}) {{slice_sizes = [1, 3], dimension_numbers = {{offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}}}}")
        elif name == "Scatter":
            rows.line(f"Scatter({x}, {at}, {u}) {{update_computation = max, dimension_numbers = {{update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}}}}")
        else:
            s = [rows.line(f"Reshape({rows.line(f'Slice({at}) {{start_indices = [{n}], limit_indices = [{n + 1}]}}', False)}) {{new_sizes = []}}", False) for n in (1, 2)]
            rows.line(f"DynamicSlice({x}, {s[0]}, {s[1]}) {{slice_sizes = [2, 2]}}" if name == "DynamicSlice" else f"DynamicUpdateSlice({x}, {u}, {s[0]}, {s[1]})")
    return rows


def unique(draw):
    """What is added, or taken as it is, at indices that are said to be unique or sorted."""
    rows = Rows("said", "at unique and at sorted indices, of each type")
    up, turned = rows.input({"shape": "s32[4]", "data": [0, 2, 3, 5]}), rows.input({"shape": "s32[4]", "data": [4, 0, 5, 2]})
    for k, t in enumerate(["s16", "u16", "s64", "u64", "f64", "f16", "bf16", "s8", "f32", "s32"]):
        for sizes, window in (("6", "4"), ("6,3", "4,3")):
            x, u = (rows.input(draw(f"said{t}{sizes}{n}", f"{t}[{s}]", 1, 9)) for n, s in enumerate((sizes, window)))
            for at, word in ((turned, "unique_indices = true"), (up, "unique_indices = true, indices_are_sorted = true")):
                by = ["add", "mul", "max", "min"][(k + len(word)) % 3]
                rows.line(f"Scatter({x}, {at}, {u}) {{update_computation = {by if at == up else 'add'}, {word}, dimension_numbers = {{update_window_dims = {[1] if ',' in sizes else []}, inserted_window_dims = [0], "
                          "scatter_dims_to_operand_dims = [0], index_vector_dim = 1}}".replace("}}", "}") + "}")
    return rows


def of_inner(name, draw):
    """Of a slice that does not begin where its operand does."""
    rows = Rows("of-inner", "of a slice from the inside, of each width")
    at, one = rows.input({"shape": "s32[2]", "data": [2, 0]}), rows.constant("s32", 1)
    for t in ("u8", "u16", "bf16", "s32", "s64", "f64", "pred"):
        x, u, v = (rows.input(distinct(draw, f"inner{name}{t}{sizes}", t, sizes)) for sizes in ("6,5", "2,2", "2,4"))
        inner = rows.line(f"Slice({x}) {{start_indices = [2, 1], limit_indices = [6, 5]}}", False)
        window = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}"
        line = {"Gather": "Gather(x, at) {slice_sizes = [1, 4], dimension_numbers = {offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}}",
                "Scatter": f"Scatter(x, at, v) {{update_computation = {'or' if t == 'pred' else 'max'}, dimension_numbers = {{update_window_dims = [1], {window}}}",
                "DynamicSlice": "DynamicSlice(x, one, one) {slice_sizes = [2, 3]}", "DynamicUpdateSlice": "DynamicUpdateSlice(x, u, one, one)"}[name]
        rows.line(named(line, {"x": inner, "at": at, "one": one, "u": u, "v": v}))
    return rows


def kept_size(draw):
    """Padded on one side by as much as is cut from the other; the operand is a result, too."""
    rows = Rows("kept-size", "as much padding as is cut, of what is used again")
    for t in ("s8", "u16", "s32", "s64", "f64", "bf16"):
        for sizes, config in (("7", "{edge_padding_low = 1, edge_padding_high = -1}"), ("3,4", "{edge_padding_low = -1, edge_padding_high = 1}, {}")):
            x, y = (rows.input(draw(f"kept{t}{sizes}{k}", f"{t}[{sizes}]", 0, 9)) for k in range(2))
            made = rows.line(f"Max({x}, {y})")
            rows.line(f"Pad({made}, {rows.constant(t, 7)}) {{padding_config = [{config}]}}")
    return rows


def network(draw):
    """What networks write: shares of exponentials, norms, a product of one row and a bias."""
    rows = Rows("network", "shares, norms and what follows on a product of one row")
    for t in ("f32", "f64", "f16"):
        zero, low, n = rows.constant(t, 0), rows.constant(t, "'-inf'"), rows.constant(t, 8)
        x = rows.input(draw(f"network{t}", f"{t}[3,8]", -4, 4))
        spread = "{out_dim_size = [3, 8], broadcast_dimensions = [0]}"
        def of_rows(v, by, start):
            r = rows.line(f"Reduce({v}, {start}) {{computation = {by}, dimensions_to_reduce = [1]}}", False)
            return rows.line(f"BroadcastInDim({r}) {spread}", False)
        less = rows.line(f"Sub({x}, {of_rows(x, 'max', low)})", False)
        e = rows.line(f"Exp({less})", False)
        rows.line(f"Div({e}, {of_rows(e, 'add', zero)})")
        mean = rows.line(f"Div({of_rows(x, 'add', zero)}, {n})", False)
        middle = rows.line(f"Sub({x}, {mean})", False)
        variance = rows.line(f"Div({of_rows(rows.line(f'Mul({middle}, {middle})', False), 'add', zero)}, {n})", False)
        rows.line(f"Div({middle}, {rows.line(f'Add({variance}, {rows.constant(t, 1)})', False)})")
    return rows


def one_row(draw):
    rows = Rows("one-row", "a product of one row, and of one column, with a bias and a bound")
    for t in ("f32", "s32", "f64", "s8", "bf16"):
        most = 3 if t in ("s8", "bf16") else 9
        zero = rows.constant(t, 0)
        for m, k, n in ((1, 5, 6), (4, 3, 1), (1, 1, 4), (1, 9, 1)):
            a, b, c = (rows.input(draw(f"row{t}{m}{n}{i}", f"{t}[{s}]", -most, most)) for i, s in enumerate((f"{m},{k}", f"{k},{n}", f"{m},{n}")))
            product = rows.line(f"Dot({a}, {b})", False)
            biased = rows.line(f"Add({product}, {c})")
            rows.line(f"Max({biased}, {zero})")
            rows.line(f"Max({product}, {zero})")
    return rows


def with_nan(draw):
    """A product or a sum with a NaN or infinities, and a bound that is a constant."""
    rows = Rows("of-nan", "bounds that are constants, of products and sums with a NaN")
    for t in FLOATS:
        a = rows.input({"shape": f"{t}[3,2]", "data": [[1, "nan"], ["inf", 2], [-3, 1]]})
        b = rows.input({"shape": f"{t}[2,3]", "data": [[1, 2, -1], [3, 1, 2]]})
        zero = rows.constant(t, 0)
        made = [rows.line(f"Dot({a}, {b})", False), rows.line(f"Reduce({a}, {zero}) {{computation = add, dimensions_to_reduce = [1]}}", False), rows.line(f"Add({a}, {a})", False), rows.line(f"Mul({a}, {a})", False)]
        for v in made:
            rows.line(f"Max({v}, {zero})")
    return rows


def rows_of_made(draw):
    """Sums of rows, beside blocks, of what was reshaped, collapsed or converted; rows of pred."""
    rows = Rows("rows", "rows beside blocks, of what was reshaped or converted, and of pred that are true")
    for t in ("s32", "f32", "s64", "u8", "f64"):
        zero = rows.constant(t, 0)
        for n, m in ((5, 25), (3, 11), (7, 17), (2, 33)):
            x = rows.input(draw(f"rows{t}{m}", f"{t}[{n * m}]", 0, 3 if m > 17 else 9))
            made = rows.line(f"Reshape({x}) {{new_sizes = [{n}, {m}]}}", False)
            rows.line(f"Reduce({made}, {zero}) {{computation = {'add' if t != 'u8' else 'max'}, dimensions_to_reduce = [1]}}")
        y = rows.input(draw(f"rows{t}cube", f"{t}[2,3,13]", 0, 3))
        rows.line(f"Reduce({rows.line(f'Collapse({y}) {{dimensions = [0, 1]}}', False)}, {zero}) {{computation = max, dimensions_to_reduce = [1]}}")
    true, false = rows.constant("pred", "true"), rows.constant("pred", "false")
    for m in (3, 9, 11, 17, 33):
        x = rows.input({"shape": f"pred[3,{m}]", "data": [[True] * m, [True] * (m - 1) + [False], [False] * m]})
        rows.line(f"Reduce({x}, {true}) {{computation = and, dimensions_to_reduce = [1]}}")
        rows.line(f"Reduce({rows.line(f'Not({x})', False)}, {false}) {{computation = or, dimensions_to_reduce = [1]}}")
    return rows


def pieces(draw):
    """Many arrays of one element."""
    rows = Rows("pieces", "four and five arrays of one or two elements")
    for k, t in enumerate(["s8", "u16", "s32", "f32", "s64", "f64", "bf16", "u64"]):
        for n in (4, 5):
            xs = [rows.input({"shape": f"{t}[{1 + (k + n) % 2}]", "data": [10 * j + i + 1 for i in range(1 + (k + n) % 2)]}) for j in range(n)]
            rows.line(f"ConcatInDim({', '.join(xs)}) {{dimension = 0}}")
    return rows


def turned(draw):
    """Each permutation of a few sizes, of types of every width."""
    rows = Rows("turned", "each order of three dimensions, with rows of two, three and five")
    orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for k, t in enumerate(["s8", "u16", "s64", "pred", "f32", "bf16", "f64"]):
        for j, sizes in enumerate(("2,4,3", "5,2,3", "3,3,2", "4,3,5", "3,5,4")):
            x = rows.input(distinct(draw, f"turned{t}{sizes}", t, sizes))
            for order in orders[(k + j) % 2::2]:
                rows.line(f"Transpose({x}) {{permutation = {order}}}")
    return rows


def all_rows(draw):
    """(operation, rows)."""
    for name in ("Add", "Sub", "And", "Or", "Xor", "Max", "Min", "Eq", "Ne", "Lt", "Le", "Gt", "Ge"):
        yield name, masked(name, draw)
    for name in ("ConvertElementType", "Floor", "Ceil", "Round", "RoundNearestEven", "Sign"):
        yield name, fractions(name, draw)
    for name in ("Gather", "Scatter", "DynamicSlice", "DynamicUpdateSlice"):
        yield name, by_made(name, draw)
        yield name, of_inner(name, draw)
    yield from (("ConvertElementType", last_places(draw)), ("Scatter", unique(draw)), ("Pad", kept_size(draw)), ("Div", network(draw)), ("Dot", one_row(draw)), ("Max", with_nan(draw)), ("Reduce", rows_of_made(draw)),
                ("ConcatInDim", pieces(draw)), ("Transpose", turned(draw)))
