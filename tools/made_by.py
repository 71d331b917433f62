"""made_by.py - cases of operations whose operands other operations made, for tools/make-flow.

SPDX-License-Identifier: Apache-2.0

  of_each   each operand of an operation, made in turn by each of MAKERS, the
            types in turn
  overwritten  operands that are used again
  placed    in a branch and in a loop
  tails     special values in the last places, in each type and rank
  narrowed  products whose result has fewer bits than their operands
  of_pred   predicates that are overwritten, or used again
  reshaped  dynamic arrays of which all elements count
"""
import re

from pairs_of import COMPARE, Rows, named

TYPES = ["f64", "s16", "bf16", "u8", "s64", "f32", "u16", "f16", "s32", "u32", "s8", "u64"]
FLOATS = ["f64", "bf16", "f32", "f16"]
WHOLE = [t for t in TYPES if t not in FLOATS]
SAME_BITS = {"u8": "s8", "s8": "u8", "s16": "u16", "u16": "s16", "bf16": "u16", "f16": "u16", "u32": "s32", "s32": "u32", "f32": "s32", "s64": "u64", "u64": "s64", "f64": "s64"}
# Of positive numbers, in turn in the type T and of the shape S.  x and y have
# that shape; others have sizes of their own: STARTED, FLAT and so on.
ARITHMETIC = ["Add(x, y)", "Sub(big, x)", "Mul(x, y)", "Div(big, two)", "Rem(big, five)", "Pow(x, two)", "Max(x, y)", "Min(x, y)", "Clamp(two, x, five)", "Select(c, x, y)", "Neg(minus)", "Abs(minus)", "Sign(x)",
              "ConvertElementType(other) {new_element_type = T}", "BitcastConvertType(bits) {new_element_type = T}", "Map(x, y) {computation = max, dimensions = ALL}", "OptimizationBarrier(x)",
              "Call(x) {computation = same_S}", "GetTupleElement(loop) {index = 1}", "Conditional(yes, x, y) {true_computation = same_S, false_computation = same_S}"]
OF_FLOATS = ["Floor(big)", "Ceil(big)", "Round(big)", "RoundNearestEven(big)", "ReducePrecision(big) {exponent_bits = 5, mantissa_bits = 4}"]
MOVERS = ["Iota() {shape = S, iota_dimension = LAST}", "Broadcast(part) {broadcast_sizes = [FIRST]}", "BroadcastInDim(part) {out_dim_size = SIZES, broadcast_dimensions = REST}",
          "BroadcastInDim(first) {out_dim_size = SIZES, broadcast_dimensions = [0]}", "Reshape(flat) {new_sizes = SIZES}", "Rev(x) {dimensions = ALL}",
          "Transpose(turned) {permutation = TURNED}", "Slice(more) {start_indices = ONES, limit_indices = MORE}", "Slice(twice) {start_indices = ZEROS, limit_indices = TWICE, strides = TWOS}",
          "DynamicSlice(more, START) {slice_sizes = SIZES}", "DynamicUpdateSlice(x, row, STARTED)", "Pad(less, two) {padding_config = PADDING}", "ConcatInDim(row, less) {dimension = 0}",
          "Gather(x, order) {slice_sizes = ROW, dimension_numbers = {offset_dims = REST, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}}",
          "Scatter(x, order, y) {update_computation = max, dimension_numbers = {update_window_dims = REST, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}}",
          "Reduce(thick, two) {computation = max, dimensions_to_reduce = [0]}", "ReduceWindow(x, two) {computation = max, window_dimensions = TWOS, window_strides = ONES, padding = SAME}",
          "Sort(x) {comparator = gt, dimension = LAST}", "Dot(square, x)", "Collapse(split) {dimensions = [0, 1]}", "GetTupleElement(top) {index = 0}"]
# StableHLO has none, so it has programs of its own.
SCAN = "GetTupleElement(scan) {index = 0}"
MAKERS = [*ARITHMETIC, *MOVERS, *OF_FLOATS]
# What most operations have of their first operand elsewhere.
PLAIN = ("Add", "Sub", "Max", "Neg", "Clamp", "ConvertElementType", "Rev", "Select", "Call", "OptimizationBarrier", "ConcatInDim")


def number(name):
    return sum(map(ord, name))


def bits(t):
    return {"bf16": 16}.get(t) or int(t[1:])


def shape(t, dims):
    return f"{t}[{','.join(map(str, dims))}]"


class Made:
    """Values of one type and shape, which each maker makes."""

    def __init__(self, rows, draw, t, dims, salt):
        self.rows, self.draw, self.type, self.dims, self.salt = rows, draw, t, list(dims), salt
        self.unit = False  # only numbers from -1 to 1
        self.more = rows.more.setdefault("computations", {})

    def input(self, dims=None, low=1, high=4, t=None):
        t = t or self.type
        self.salt += 1
        if self.unit and low >= 0:
            low, high = -(t[0] != "u"), 1
        return self.rows.input(self.draw(f"made{t}{dims}{self.salt}", shape(t, self.dims if dims is None else dims), low, high))

    def starts(self, values):
        return ", ".join(self.rows.constant("s32", v) for v in values)

    def function(self):
        own = shape(self.type, self.dims)
        key = "same_" + own.replace("[", "_").replace(",", "_").rstrip("]")
        self.more[key] = {"parameters": [own], "body": [], "result": "p0"}
        return key

    def loop(self, x, y):
        """Two trips, in which the two change places."""
        own = shape(self.type, self.dims)
        key = self.function()[5:]
        state = f"(s32[], {own}, {own})"
        self.more["if_" + key] = {"parameters": [state], "body": ["i = GetTupleElement(p0) {index = 0}", "n = Constant() {literal = s32[] 3}", "r = Lt(i, n)"], "result": "r"}
        self.more["do_" + key] = {"parameters": [state], "body": [*(f"e{k} = GetTupleElement(p0) {{index = {k}}}" for k in range(3)), "one = Constant() {literal = s32[] 1}", "j = Add(e0, one)", "r = Tuple(j, e2, e1)"], "result": "r"}
        start = self.rows.line(f"Tuple({self.rows.constant('s32', 0)}, {x}, {y})", False)
        return self.rows.line(f"While({start}) {{condition = if_{key}, body = do_{key}}}", False)

    def scan(self, x):
        part = shape(self.type, self.dims[1:])
        key = "step_" + self.function()[5:]
        self.more[key] = {"parameters": [part, part], "body": ["a = Max(p0, p1)", "t = Tuple(a, a)"], "result": "t", "algebra": "associative"}
        return self.rows.line(f"Scan({x}, {self.input(self.dims[1:], 1, 2)}) {{computation = {key}, num_inputs = 1, scan_dimension = 0}}", False)

    def fits(self, line):
        op, r = line.split("(")[0], len(self.dims)
        if self.type[0] == "u" and op in ("Neg", "Abs", "Sign"):
            return False
        if line in MOVERS or line == SCAN:
            return r > 0 and (op not in ("Transpose", "Collapse") or r > 1) and (op != "Dot" or r < 3) and (op not in ("DynamicUpdateSlice", "Pad", "ConcatInDim") or self.dims[0] > 1) and ("[0]}" not in line or op != "BroadcastInDim" or r > 1)
        return line not in OF_FLOATS or self.type in FLOATS

    def operands(self, line):
        """The numbers that a line names."""
        d, c = self.dims, self.rows.constant
        one = {"x": lambda: self.input(), "y": lambda: self.input(), "big": lambda: self.input(None, 5, 9), "minus": lambda: self.input(None, -4, -1), "two": lambda: c(self.type, 2), "five": lambda: c(self.type, 5),
               "other": lambda: self.input(t="s32" if bits(self.type) != 32 else "u8"), "yes": lambda: c("pred", "true"), "part": lambda: self.input(d[1:]), "first": lambda: self.input(d[:1]),
               "flat": lambda: self.input([self.count()]), "turned": lambda: self.input(d[::-1]), "more": lambda: self.input([n + 1 for n in d]), "twice": lambda: self.input([2 * n for n in d]),
               "row": lambda: self.input([1, *d[1:]]), "less": lambda: self.input([d[0] - 1, *d[1:]]), "order": lambda: self.input([d[0], 1], 0, d[0] - 1, "s32"), "thick": lambda: self.input([2, *d]),
               "square": lambda: self.input([d[0]] * 2, 1, 2), "split": lambda: self.input([1, d[0], *d[1:]]), "c": lambda: self.rows.line(f"Lt({self.input()}, {self.input()})", False),
               "bits": lambda: self.rows.line(f"BitcastConvertType({self.input()}) {{new_element_type = {SAME_BITS[self.type]}}}", False), "loop": lambda: self.loop(self.input(), self.input()),
               "top": lambda: self.rows.line(f"TopK({self.input()}) {{k = {d[-1]}, largest = true}}", False), "scan": lambda: self.scan(self.input())}
        return {word: make() for word, make in one.items() if word in line.partition(")")[0].replace("(", " ").replace(",", " ").split()}

    def count(self):
        n = 1
        for size in self.dims:
            n *= size
        return n

    def make(self, line):
        d = self.dims
        names, r = self.operands(line), len(d)
        line = line.replace("STARTED", self.starts([d[0] - 1] + [0] * (r - 1)) if r else "").replace("START", self.starts([1] * r))
        head, bracket, attributes = line.partition(")")
        for word, value in (("SIZES", d), ("TURNED", list(range(r))[::-1]), ("TWICE", [2 * n for n in d]), ("TWOS", [2] * r), ("ONES", [1] * r), ("ZEROS", [0] * r), ("MORE", [n + 1 for n in d]), ("ALL", list(range(r))),
                            ("REST", list(range(1, r))), ("ROW", [1, *d[1:]]), ("LAST", r - 1), ("FIRST", d[0] if r else 0), ("same_S", self.function() if "same_S" in attributes else ""), ("= T", f"= {self.type}"), ("= S", f"= {shape(self.type, d)}"),
                            ("PADDING", "[" + ", ".join(["{edge_padding_high = 1}", *["{}"] * (r - 1)]) + "]")):
            attributes = re.sub(rf"{word}\b", str(value), attributes)
        for word in names:
            head = " ".join(names.get(w.strip(","), w.strip(",")) + ("," if w.endswith(",") else "") for w in head.replace("(", "( ").split())
            break
        return self.rows.line(head.replace("( ", "(") + bracket + attributes, False)


ROWS = "{offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}"
UPDATES = "{update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1}"
RAGGED = "{lhs_batch_dimensions = [], rhs_batch_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]}"
WINDOW = "window_strides = [1], padding = [[1, 0]]"
DIMENSIONS = ("dimension_numbers = {input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = [2], kernel_output_feature_dimension = 0, kernel_input_feature_dimension = 1, "
              "kernel_spatial_dimensions = [2], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = [2]}")
# The line, the sizes of its operands (with a type, if it has its own), its types.
USES = {
    "Dot": ("Dot(A, B)", ["3,4", "4,2"], TYPES), "RaggedDot": (f"RaggedDot(A, B, G) {{dimension_numbers = {RAGGED}}}", ["3,4", "2,4,2", "s32:2"], TYPES),
    "DotGeneral": ("DotGeneral(A, B) {dimension_numbers = {lhs_batch_dimensions = [0], lhs_contracting_dimensions = [2], rhs_batch_dimensions = [0], rhs_contracting_dimensions = [1]}}", ["2,3,2", "2,2,3"], TYPES),
    "Conv": ("Conv(A, B) {window_strides = [1], padding = SAME}", ["1,2,5", "2,2,3"], TYPES), "ConvWithGeneralPadding": (f"ConvWithGeneralPadding(A, B) {{{WINDOW}}}", ["1,2,5", "2,2,3"], TYPES),
    "ConvWithGeneralDimensions": (f"ConvWithGeneralDimensions(A, B) {{window_strides = [1], padding = SAME, {DIMENSIONS}}}", ["1,2,5", "2,2,3"], TYPES),
    "ConvGeneral": (f"ConvGeneral(A, B) {{{WINDOW}, {DIMENSIONS}}}", ["1,2,5", "2,2,3"], TYPES),
    "ConvGeneralDilated": (f"ConvGeneralDilated(A, B) {{{WINDOW}, lhs_dilation = [2], rhs_dilation = [1], {DIMENSIONS}}}", ["1,2,5", "2,2,3"], TYPES),
    "BatchNormTraining": ("BatchNormTraining(A, B, C) {epsilon = 1, feature_index = 1}", ["2,3,2", "3", "3"], FLOATS), "BatchNormInference": ("BatchNormInference(A, B, C, D, E) {epsilon = 1, feature_index = 1}", ["2,3,2", "3", "3", "3", "3"], FLOATS),
    "BatchNormGrad": ("BatchNormGrad(A, B, C, D, E) {epsilon = 1, feature_index = 1}", ["2,3,2", "3", "3", "3", "2,3,2"], FLOATS),
    "TriangularSolve": ("TriangularSolve(A, B) {left_side = true, lower = true, unit_diagonal = true, transpose_a = NO_TRANSPOSE}", ["3,3", "3,2"], ["f64", "f32"]),
    "TopK": ("TopK(A) {k = 2, largest = true}", ["3,4"], TYPES), "Sort": ("Sort(A) {comparator = lt, dimension = 0}", ["3,4"], TYPES), "Fft": ("Fft(A) {fft_type = RFFT, fft_length = [4]}", ["3,4"], ["f64", "f32"]),
    "Gather": (f"Gather(A, I) {{slice_sizes = [1, 4], dimension_numbers = {ROWS}}}", ["3,4", "s32:2,1"], TYPES), "Scatter": (f"Scatter(A, I, C) {{update_computation = max, dimension_numbers = {UPDATES}}}", ["3,4", "s32:2,1", "2,4"], TYPES),
    "DynamicSlice": ("DynamicSlice(A, I, J) {slice_sizes = [2, 2]}", ["3,4", "s32:", "s32:"], TYPES), "DynamicUpdateSlice": ("DynamicUpdateSlice(A, B, I, J)", ["3,4", "2,2", "s32:", "s32:"], TYPES),
    "Reduce": ("Reduce(A, B) {computation = max, dimensions_to_reduce = [1]}", ["3,4", ""], TYPES), "Pad": ("Pad(A, B) {padding_config = [{edge_padding_low = 1}, {interior_padding = 1}]}", ["3,4", ""], TYPES),
    "ReduceWindow": ("ReduceWindow(A, B) {computation = max, window_dimensions = [2, 2], window_strides = [1, 1], padding = SAME}", ["3,4", ""], TYPES),
    "SelectAndScatter": ("SelectAndScatter(A, B, C) {select = ge, scatter = max, window_dimensions = [1, 2], window_strides = [1, 2], padding = VALID}", ["3,4", "3,2", ""], TYPES),
    "Map": ("Map(A, B) {computation = min, dimensions = [0, 1]}", ["3,4", "3,4"], TYPES), "Complex": ("Complex(A, B)", ["3,4", "3,4"], ["f64", "f32"]),
    "Clamp": ("Clamp(A, B, C)", ["3,4", "3,4", "3,4"], TYPES), "Pow": ("Pow(A, B)", ["3,4", "3,4"], TYPES), "Atan2": ("Atan2(A, B)", ["3,4", "3,4"], FLOATS), "Rem": ("Rem(A, B)", ["3,4", "3,4"], TYPES), "Div": ("Div(A, B)", ["3,4", "3,4"], TYPES),
    **{n: (f"{n}(A, B)", ["3,4", "3,4"], WHOLE) for n in ("ShiftLeft", "ShiftRightLogical", "ShiftRightArithmetic")},
    **{n + "TotalOrder": (f"{n}TotalOrder(A, B)", ["3,4", "3,4"], TYPES) for n in COMPARE},
    **{n: (f"{n}(A)", ["3,4"], FLOATS) for n in ("Asinh", "Sinh", "Cosh", "Tan", "Acosh", "Erf", "Erfc", "Lgamma", "Log1p", "Expm1", "Atan", "Cbrt", "Acos", "Asin", "Atanh", "ErfInv")},
    **{n: (f"{n}(A, B)", ["2,2,3"] * 2, TYPES) for n in ("Add", "Sub", "Mul", "Max", "Min", *COMPARE)}, **{n: (f"{n}(A, B)", ["2,2,3"] * 2, WHOLE) for n in ("And", "Or", "Xor")},
    **{n: (f"{n}(A)", ["2,2,3"], WHOLE) for n in ("Not", "Clz", "PopulationCount")}, **{n: (f"{n}(A)", ["2,2,3"], [t for t in TYPES if t[0] != "u"]) for n in ("Neg", "Abs", "Sign")},
    **{n: (f"{n}(A)", ["2,2,3"], FLOATS) for n in ("Floor", "Ceil", "Round", "RoundNearestEven", "IsFinite", "Exp", "Tanh", "Logistic", "Sin", "Cos", "Sqrt", "Log", "Rsqrt")},
    "ReducePrecision": ("ReducePrecision(A) {exponent_bits = 5, mantissa_bits = 1}", ["2,2,3"], FLOATS),
    # Of two replicas.
    "AllReduce": ("AllReduce(A) {computation = max}", ["3,4"], TYPES), "AllGather": ("AllGather(A) {all_gather_dimension = 0, shard_count = 2}", ["3,4"], TYPES), "CrossReplicaSum": ("CrossReplicaSum(A)", ["3,4"], TYPES),
    "AllToAll": ("AllToAll(A) {split_dimension = 1, concat_dimension = 0, split_count = 2}", ["3,4"], TYPES), "CollectivePermute": ("CollectivePermute(A) {source_target_pairs = [[0, 1], [1, 0]]}", ["3,4"], TYPES),
    "ReduceScatter": ("ReduceScatter(A) {computation = max, scatter_dimension = 1, shard_count = 2}", ["3,4"], TYPES), "CollectiveBroadcast": ("CollectiveBroadcast(A) {replica_groups = [[1, 0]]}", ["3,4"], TYPES),
}
REPLICAS = ("AllReduce", "AllGather", "CrossReplicaSum", "AllToAll", "CollectivePermute", "ReduceScatter", "CollectiveBroadcast")
JOINED = [name for name, (_, sizes, _) in USES.items() if set(sizes) in ({"3,4"}, {"2,2,3"}) and name not in (*REPLICAS, "TopK", "Sort", "Fft", "Map")]
UNIT = ("Acos", "Asin", "Atanh", "ErfInv")  # of numbers from -1 to 1; at the ends what is only nearly such has no certain result


def of_each(name, i, draw, makers=None):
    """Operand i made in turn by each maker that fits; the others are parameters."""
    line, sizes, types = USES[name]
    types = some(types, name, i, 6)
    if makers:
        rows = Rows("of-scan", "of what Scan gave")
    else:
        rows = Rows(f"made-by-{i}" if len(sizes) > 1 else "made-by", f"operand {i} in turn made by each operation, in other types" if len(sizes) > 1 else "of what each operation made, in other types")
    if name in REPLICAS:
        rows.more["replicas"] = 2
    n, made_of = 0, {}
    for k, maker in enumerate(makers or MAKERS):
        op = maker.split("(")[0]
        if (op in PLAIN and i == 0 and len(sizes) > 1) or (op in ("Iota", "Floor", "Ceil", "Round") and name == "TriangularSolve" and i == 0):
            continue
        if op in ("Pow", "Div") and (name.startswith("BatchNorm") or name in (*UNIT, "Acosh")):
            continue
        if name not in JOINED and (k + number(name) + i) % 2 and not makers:
            continue
        fit = [t for t in types if maker not in OF_FLOATS or t in FLOATS]
        if not fit:
            continue
        t = fit[(n + number(name) + 5 * i) % len(fit)]
        operands = {}
        for j, text in enumerate(sizes):
            own, _, dims = text.rpartition(":")
            made = Made(rows, draw, own or t, [int(d) for d in dims.split(",") if d], 100 * k + 10 * j)
            made.unit = name in UNIT
            if j == i and not made.fits(maker):
                break
            operands[j] = made.make(maker) if j == i else made.input(None, 0 if own else 1, 1 if own else 3)
        else:
            n += 1
            made_of.setdefault(t, []).append(rows.line(named(line, dict(zip(words_of(line), operands.values()))), False))
    # A compiler has one kernel for what is joined.
    rows.results = [rows.line(f"ConcatInDim({', '.join(v)}) {{dimension = 0}}", False) if name in JOINED and len(v) > 1 else x for v in made_of.values() for x in (v[:1] if name in JOINED else v)]
    return rows


# ---- What is used again, in a branch and in a loop -----------------------------------------

def operands_of(rows, draw, name, t, salt, made=None):
    """What a use takes, of which one is made of two parameters."""
    values, shapes = [], []
    for j, text in enumerate(USES[name][1]):
        own, _, dims = text.rpartition(":")
        one = Made(rows, draw, own or t, [int(d) for d in dims.split(",") if d], salt + 10 * j)
        one.unit = name in UNIT
        low, high = (0, 1) if own else (1, 3)
        values.append(rows.line(f"Max({one.input(None, low, high)}, {one.input(None, low, high)})", False) if j == made else one.input(None, low, high))
        shapes.append(shape(one.type, one.dims))
    return values, shapes


def some(types, name, i, most):
    """As many of the types, others for each operation and operand."""
    first, n = number(name) + 5 * i, len(types)
    return [types[(first + k * n // most) % n] for k in range(most)] if n > most else types


def words_of(line):
    return line.partition("(")[2].partition(")")[0].split(", ")


def overwritten(name, draw):
    """Each operand, where the result could take its place."""
    line, sizes, types = USES[name]
    rows = Rows("used-again", "operands that are used again after the operation, in other types")
    if name in REPLICAS:
        rows.more["replicas"] = 2
    for i in range(min(len(sizes), 2)):
        for k, t in enumerate(some(types, name, i, 4 if name in JOINED else 2)):
            values, _ = operands_of(rows, draw, name, t, 1000 * i + 100 * k, i)
            rows.line(named(line, dict(zip(words_of(line), values))))
            rows.line(f"Min({values[i]}, {values[i]})" if k % 2 else f"OptimizationBarrier({values[i]})")
    return rows


def placed(name, draw):
    """In a branch; and in each of two trips, where the shape stays."""
    line, sizes, types = USES[name]
    rows = Rows("in-branch-and-loop", "in a branch and in a loop, in other types")
    own = rows.more["computations"] = {}
    same = len(set(sizes)) == 1 and name in JOINED and name != "Complex"
    compared = name in COMPARE or "TotalOrder" in name or name == "IsFinite"
    for k, t in enumerate(some(types, name, 1, 3 if name in JOINED else 2)):
        values, shapes = operands_of(rows, draw, name, t, 5000 + 100 * k)
        words = words_of(line)
        state = f"({', '.join(shapes)})"
        take = [f"e{j} = GetTupleElement(p0) {{index = {j}}}" for j in range(len(shapes))]
        own[f"yes_{t}"] = {"parameters": [state], "body": [*take, "r = " + named(line, {w: f"e{j}" for j, w in enumerate(words)})], "result": "r"}
        # The other branch has the last two operands of one shape in the other order.
        turned = {w: f"e{j}" for j, w in enumerate(words)}
        if len(shapes) > 1 and shapes[0] == shapes[1]:
            turned.update({words[0]: "e1", words[1]: "e0"})
        own[f"no_{t}"] = {"parameters": [state], "body": [*take, "r = " + named(line, turned)], "result": "r"}
        both = rows.line(f"Tuple({', '.join(values)})", False)
        c = rows.line(f"Constant() {{literal = pred[] {'true' if k % 2 else 'false'}}}", False) if len(sizes) > 1 else rows.input({"shape": "pred[]", "data": bool(k % 2)})
        rows.line(f"Conditional({c}, {both}, {both}) {{true_computation = yes_{t}, false_computation = no_{t}}}")
        if not same:
            continue
        result = shape("pred" if compared else t, [int(d) for d in sizes[0].split(",")])
        state = f"(s32[], {result}, {', '.join(shapes)})"
        take = [f"e{j} = GetTupleElement(p0) {{index = {j + 2}}}" for j in range(len(shapes))]
        own[f"few_{t}"] = {"parameters": [state], "body": ["i = GetTupleElement(p0) {index = 0}", "n = Constant() {literal = s32[] 2}", "r = Lt(i, n)"], "result": "r"}
        own[f"turn_{t}"] = {"parameters": [state], "body": [
            "i = GetTupleElement(p0) {index = 0}", "o = Constant() {literal = s32[] 1}", "j = Add(i, o)", *take, "r = " + named(line, {w: f"e{j}" for j, w in enumerate(words)}),
            "m = Rev(e0) {dimensions = [0]}", f"s = Tuple(j, r, {', '.join(['m', *(f'e{j}' for j in range(1, len(shapes)))])})"], "result": "s"}
        first = rows.line(named(line, dict(zip(words, values))), False)
        start = rows.line(f"Tuple({rows.constant('s32', 0)}, {first}, {', '.join(values)})", False)
        rows.line(f"While({start}) {{condition = few_{t}, body = turn_{t}}}")
    return rows


# ---- The last places --------------------------------------------------------------------

BINARY = ["Add", "Sub", "Mul", "Div", "Rem", "Max", "Min", "Pow", "Atan2", *COMPARE, *(c + "TotalOrder" for c in COMPARE)]
UNARY = ["Neg", "Abs", "Sign", "Floor", "Ceil", "Round", "RoundNearestEven", "IsFinite", "Exp", "Expm1", "Log", "Log1p", "Sqrt", "Rsqrt", "Cbrt", "Tanh", "Tan", "Sin", "Cos", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Acos", "Asin",
         "Atan", "Erf", "Erfc", "ErfInv", "Logistic", "Lgamma", "ReducePrecision"]


def special_data(t, dims, k):
    """1 and 2, and in the last places of all, or of each row, special numbers."""
    ends = ["nan", "-0", "inf", 0, "-inf"]
    n = dims[-1]
    row = [1 + (j + k) % 2 for j in range(n - 3)]
    out = [row + [ends[(r + j * (1 + 2 * (k % 2)) + k) % 5] for j in range(3)] for r in range(dims[0] if len(dims) > 1 else 1)]
    return {"shape": shape(t, dims), "data": out if len(dims) > 1 else out[0]}


def tails(name, draw):
    """Beside another special number, itself and with the other sign: the orders of the operands differ."""
    del draw
    rows = Rows("special-tails", "special numbers in the last places, behind blocks of 4 and 8")
    for j, t in enumerate(FLOATS):
        for k, dims in enumerate(((7,), (5, 11))):
            x = rows.input(special_data(t, dims, k + j))
            line = "ReducePrecision(x) {exponent_bits = 5, mantissa_bits = 3}" if name == "ReducePrecision" else f"{name}(x)"
            if name in UNARY:
                rows.line(named(line, {"x": x}))
                continue
            for d in (1, 2) if k else (1, 3):
                rows.line(f"{name}({x}, {rows.input(special_data(t, dims, k + j + d))})")
    return rows


# ---- Products of fewer bits, predicates --------------------------------------------------------

NARROWER = [("f64", "f32"), ("f32", "bf16"), ("f32", "f16"), ("s32", "s16"), ("s64", "s32"), ("u32", "u8"), ("f64", "bf16"), ("s16", "s8")]


def narrowed(name, draw):
    rows = Rows("narrowed", "results of fewer bits than the operands")
    for k, (t, to) in enumerate(NARROWER):
        for m, inner, n in ((3, 5, 2), (1, 9, 4)):
            a, b = (rows.input(draw(f"narrowed{name}{t}{to}{m}{i}", shape(t, dims), 1 if t[0] == "u" else -3, 3)) for i, dims in enumerate(((m, inner), (inner, n))))
            numbers = "" if name == "Dot" else "dimension_numbers = {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]}, "
            rows.line(f"{name}({a}, {b}) {{{numbers}preferred_element_type = {to}}}")
    return rows


def of_pred(name, draw):
    """What is read once more after an operation that could overwrite it."""
    rows = Rows("of-pred", "predicates that were made, on either side, used again afterwards")
    for k, t in enumerate(("s8", "u16", "f32", "s64", "f64")):
        for n in (5, 16, 19):
            p, q = (rows.input(draw(f"pred{t}{n}{i}", f"{t}[{n}]", 1, 4)) for i in range(2))
            a = rows.line(f"{COMPARE[(k + n) % 6]}({p}, {q})", False)
            b = rows.line(f"{COMPARE[(k + n + 3) % 6]}({q}, {p})", False)
            c = rows.line(f"{COMPARE[(k + n + 1) % 6]}({q}, {p})", False)
            rows.line(f"{name}({a}, {b})")
            rows.line(f"Xor({a}, {c})")
            rows.line(f"Or({b}, {c})")
    return rows


def reshaped(draw):
    rows = Rows("wholly-filled", "dynamic dimensions of which all, or some, elements count, that are joined or kept")
    rows.more["each"] = {"N": [3, 2]}
    count = rows.input({"shape": "s32[]", "data": "$N"})
    for t in ("s32", "f64", "u8", "bf16", "s64"):
        x = rows.input(draw(f"whole{t}", f"{t}[2,3]", 1, 9))
        last = rows.line(f"SetDimensionSize({x}, {count}) {{dimension = 1}}", False)
        for sizes in ("[6]", "[2, 1, 3]", "[1, 2, 3, 1]"):
            rows.line(f"Reshape({last}) {{new_sizes = {sizes}}}")
    return rows


def all_rows(draw):
    """(operation, rows)."""
    for name, (_, sizes, _) in USES.items():
        for i, text in enumerate(sizes[:3]):
            if not (name == "RaggedDot" and i == 2):
                yield name, of_each(name, i, draw)
        yield name, of_each(name, 0, draw, [SCAN] * 3)
        yield name, overwritten(name, draw)
        if name not in REPLICAS:
            yield name, placed(name, draw)
    for name in (*BINARY, *UNARY):
        yield name, tails(name, draw)
    for name in ("Dot", "DotGeneral"):
        yield name, narrowed(name, draw)
    yield "Reshape", reshaped(draw)
    for name in ("And", "Or", "Xor", *COMPARE, "Max", "Min"):
        yield name, of_pred(name, draw)
