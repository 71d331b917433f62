"""made_by.py - cases of operations whose operands other operations made, for tools/make-flow.

SPDX-License-Identifier: Apache-2.0

  of_each   each operand of an operation, made in turn by each of MAKERS, the
            types in turn
  overwritten  operands that are used again
  placed    in a branch and in a loop
  tails     special values in the last places, in each type and rank
  beside    what was made of a number beside a constant, and beside that number
  ranges    functions between the ends of their ranges, in the last places
  shaped    shapes of one element a row, of equal sizes, of parts of a block
  narrowed  products whose result has fewer bits than their operands
  of_pred   predicates that are overwritten, or used again
  reshaped  dynamic arrays of which all elements count
"""
import math
import re

from pairs_of import COMPARE, DISCRETE, Rows, named
from retyped import bits, number

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
# They leave what they are given.
NOTHING = ["Transpose(x) {permutation = ALL}", "Slice(x) {start_indices = ZEROS, limit_indices = SIZES}", "Pad(x, two) {padding_config = EDGES}", "Rev(x) {dimensions = []}", "Reshape(x) {new_sizes = SIZES}"]
MAKERS = [*ARITHMETIC, *MOVERS, *OF_FLOATS, *NOTHING]
# What most operations have of their first operand elsewhere.
PLAIN = ("Add", "Sub", "Max", "Neg", "Clamp", "ConvertElementType", "Rev", "Select", "Call", "OptimizationBarrier", "ConcatInDim")


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
        return math.prod(self.dims)

    def make(self, line):
        d = self.dims
        names, r = self.operands(line), len(d)
        line = line.replace("STARTED", self.starts([d[0] - 1] + [0] * (r - 1)) if r else "").replace("START", self.starts([1] * r))
        head, bracket, attributes = line.partition(")")
        for word, value in (("SIZES", d), ("TURNED", list(range(r))[::-1]), ("TWICE", [2 * n for n in d]), ("TWOS", [2] * r), ("ONES", [1] * r), ("ZEROS", [0] * r), ("MORE", [n + 1 for n in d]), ("ALL", list(range(r))),
                            ("REST", list(range(1, r))), ("ROW", [1, *d[1:]]), ("LAST", r - 1), ("FIRST", d[0] if r else 0), ("same_S", self.function() if "same_S" in attributes else ""), ("= T", f"= {self.type}"), ("= S", f"= {shape(self.type, d)}"),
                            ("EDGES", "[" + ", ".join(["{}"] * r) + "]"), ("PADDING", "[" + ", ".join(["{edge_padding_high = 1}", *["{}"] * (r - 1)]) + "]")):
            attributes = re.sub(rf"{word}\b", str(value), attributes)
        # The rest of what is in the brackets are instructions already.
        head = re.sub(r"\w+(?=[,)])", lambda w: names.get(w[0], w[0]), head + bracket)
        return self.rows.line(head + attributes, False)


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
    "ConvertElementType": ("ConvertElementType(A) {new_element_type = s32}", ["2,2,3"], ["s64", "f64", "u16", "bf16", "s8", "f32", "s16", "u64"]),
    "ReducePrecision": ("ReducePrecision(A) {exponent_bits = 5, mantissa_bits = 1}", ["2,2,3"], FLOATS),
    # Of two replicas.
    "AllReduce": ("AllReduce(A) {computation = max}", ["3,4"], TYPES), "AllGather": ("AllGather(A) {all_gather_dimension = 0, shard_count = 2}", ["3,4"], TYPES), "CrossReplicaSum": ("CrossReplicaSum(A)", ["3,4"], TYPES),
    "AllToAll": ("AllToAll(A) {split_dimension = 1, concat_dimension = 0, split_count = 2}", ["3,4"], TYPES), "CollectivePermute": ("CollectivePermute(A) {source_target_pairs = [[0, 1], [1, 0]]}", ["3,4"], TYPES),
    "ReduceScatter": ("ReduceScatter(A) {computation = max, scatter_dimension = 1, shard_count = 2}", ["3,4"], TYPES), "CollectiveBroadcast": ("CollectiveBroadcast(A) {replica_groups = [[1, 0]]}", ["3,4"], TYPES),
}
REPLICAS = ("AllReduce", "AllGather", "CrossReplicaSum", "AllToAll", "CollectivePermute", "ReduceScatter", "CollectiveBroadcast")
JOINED = [name for name, (_, sizes, _) in USES.items() if set(sizes) in ({"3,4"}, {"2,2,3"}) and name not in (*REPLICAS, "TopK", "Sort", "Fft", "Map", "ConvertElementType")]
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
        if op in ("Pow", "Div") and (name.startswith("BatchNorm") or name in (*UNIT, "Acosh", *DISCRETE)):
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
        value = rows.line(f"Max({one.input(None, low, high)}, {one.input(None, low, high)})", False) if j == made else one.input(None, low, high)
        if j == made and name in ("Floor", "Ceil", "Round", "RoundNearestEven", "Abs"):
            value = rows.line(f"Mul({value}, {rows.constant(t, -0.5 if t in FLOATS else -1)})", False)  # which the operation changes
        values.append(value)
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


# ---- What is done next with a result ---------------------------------------------------

RESULTS = {"Dot": "3,2", "DotGeneral": "2,3,3", "Conv": "1,2,5", "ConvGeneral": "1,2,4", "ConvWithGeneralPadding": "1,2,4", "ConvWithGeneralDimensions": "1,2,5", "ConvGeneralDilated": "1,2,8", "BatchNormInference": "2,3,2",
           "TopK": "3,2", "Sort": "3,4", "Gather": "2,4", "Scatter": "3,4", "DynamicSlice": "2,2", "DynamicUpdateSlice": "3,4", "Reduce": "3", "ReduceWindow": "3,4", "SelectAndScatter": "3,4", "Map": "3,4", "TriangularSolve": "3,2",
           "RaggedDot": "3,2", "Pad": "4,7", "AllReduce": "3,4", "AllGather": "6,4", "CrossReplicaSum": "3,4", "AllToAll": "6,2", "CollectivePermute": "3,4", "ReduceScatter": "3,2", "CollectiveBroadcast": "3,4"}
# Of a result r of type T and sizes SIZES.
NEXT = ["Slice(r) {start_indices = ENDS, limit_indices = SIZES}", "Rev(r) {dimensions = [0]}", "Gather(r, at) {slice_sizes = ROW, dimension_numbers = {offset_dims = REST, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1}}",
        "Transpose(r) {permutation = TURNED}", "Reduce(r, k) {computation = max, dimensions_to_reduce = [LAST]}", "ConvertElementType(r) {new_element_type = s32}", "Pad(r, k) {padding_config = EDGES}", "Max(r, k)", "Min(r, r)",
        "Broadcast(r) {broadcast_sizes = [2]}", "Reshape(r) {new_sizes = [COUNT]}", "Sub(r, k)", "ConcatInDim(r, r) {dimension = 0}", "DynamicSlice(r, STARTS) {slice_sizes = ROW}", "Add(r, r)", "Lt(r, k)"]


def used_next(name, draw):
    """Each of NEXT in one of two types."""
    line, _, types = USES[name]
    rows = Rows("used-next", "a result that is moved, reduced, converted or compared next, in other types")
    if name in REPLICAS:
        rows.more["replicas"] = 2
    at = rows.input({"shape": "s32[2,1]", "random": {"seed": 7, "dist": "integers", "low": 0, "high": 1}})
    d = [int(n) for n in RESULTS[name].split(",")]
    r = len(d)
    for j, t in enumerate(some(types, name, 4, 2)):
        values, _ = operands_of(rows, draw, name, t, 9000 + 100 * j)
        for k, use in enumerate(NEXT):
            if (k + j + number(name)) % 2 or (name in ("BatchNormInference", "TriangularSolve") and use.split("(")[0] in ("ConvertElementType", "Lt")):
                continue
            result = rows.line(named(line, dict(zip(words_of(line), values))), False)
            if name == "TopK":
                result = rows.line(f"GetTupleElement({result}) {{index = 0}}", False)
            names = {"r": result, "at": at, "k": rows.constant(t, 2), "STARTS": ", ".join([rows.constant("s32", 1), *(rows.constant("s32", 0) for _ in d[1:])])}
            text = named(use, names)
            for word, value in (("ENDS", [n - 1 for n in d]), ("SIZES", d), ("ROW", [1, *d[1:]]), ("REST", list(range(1, r))), ("TURNED", list(range(r))[::-1]), ("LAST", r - 1), ("COUNT", math.prod(d)),
                                ("EDGES", "[" + ", ".join(["{edge_padding_low = 1}", *["{}"] * (r - 1)]) + "]")):
                text = re.sub(rf"\b{word}\b", str(value), text)
            rows.line(text)
    return rows


def strided(draw):
    rows = Rows("strides", "strides of 3 to 9 of vectors, and of each of two dimensions, with cuts")
    for k, t in enumerate(["s8", "f64", "u16", "bf16", "s64", "c64", "pred", "f32"]):
        def literal(dims, salt):
            return rows.input(draw(f"strides{t}{salt}", f"{t}[{dims}]", 1, 99) if t != "pred" else {"shape": f"pred[{dims}]", "random": {"seed": k + salt, "dist": "bits"}})
        for stride in ((4, 7, 9), (5, 3, 8), (6, 4, 5))[k % 3]:
            rows.line(f"Slice({literal('29', stride)}) {{start_indices = [{stride % 3}], limit_indices = [{27 + stride % 2}], strides = [{stride}]}}")
        x = literal("7,9", 1)
        for starts, limits, strides in (([0, 1], [7, 8], [3, 1]), ([1, 0], [7, 9], [1, 4]), ([1, 2], [6, 9], [4, 3]), ([6, 0], [7, 9], [1, 1]))[k % 2::2]:
            rows.line(f"Slice({x}) {{start_indices = {starts}, limit_indices = {limits}, strides = {strides}}}")
    return rows


def parts(name, draw):
    """Of the parts of one complex number, of sine and cosine, in either order."""
    rows = Rows("of-two-parts", "of the parts of a complex number, and of two functions of one number")
    for t, z in (("f64", "c128"), ("f32", "c64")):
        x = rows.input(draw(f"parts{t}x", f"{t}[3,3]", 1, 4))
        c = rows.line(f"Complex({x}, {rows.input(draw(f'parts{t}y', f'{t}[3,3]', -4, -1))})", False)
        for a, b, of in (("Imag", "Real", c), ("Real", "Imag", c), *([("Sin", "Cos", x), ("Exp", "Neg", x)] if name in ("Atan2", "Add", "Sub", "Mul", "Complex", "Max") else ())):
            rows.line(f"{name}({rows.line(f'{a}({of})', False)}, {rows.line(f'{b}({of})', False)})")
    return rows


def two_types(name, draw):
    """Two operands of different widths."""
    rows = Rows("two-types", "two operands of different widths, each with a computation of its own")
    own = rows.more["computations"] = {}
    for k, (a, b) in enumerate((("s8", "f64"), ("s64", "bf16"), ("f32", "u8"), ("u16", "s32"), ("f16", "u64"))):
        x, y = (rows.input(draw(f"two{name}{a}{b}{t}", f"{t}[3,5]", 1, 9)) for t in (a, b))
        key = f"both_{k}"
        own[key] = {"parameters": [f"{t}[]" for t in (a, b, a, b)], "body": ["m = Max(p0, p2)", "n = Min(p1, p3)", "t = Tuple(m, n)"], "result": "t", "algebra": "associative"}
        more = {"Reduce": "dimensions_to_reduce = [1]", "ReduceWindow": "window_dimensions = [1, 2], window_strides = [1, 2], padding = [[0, 0], [1, 0]]"}[name]
        rows.line(f"{name}({x}, {y}, {rows.constant(a, 1)}, {rows.constant(b, 9)}) {{computation = {key}, {more}}}")
    return rows


def in_map(name, draw):
    """As the computation of a Map, and beside another instruction in one."""
    line, sizes, types = USES.get(name) or ("Select(C, A, B)", ["", "", ""], TYPES)
    rows = Rows("in-a-map", "in the computation of a Map, by itself and before another instruction, in other types")
    own = rows.more["computations"] = {}
    text = named(line, {"C": "c", "A": "p0", "B": "p1"} if name == "Select" else {w: f"p{k}" for k, w in enumerate(words_of(line))})
    compared = name in COMPARE or "TotalOrder" in name or name == "IsFinite"
    for j, t in enumerate(some(types, name, 5, 4)):
        operands = [rows.input(draw(f"map{name}{t}{k}", f"{t}[3,5]", 0 if name in UNIT else 1, 1 if name in UNIT else 6)) for k in range(max(2, len(sizes)))]
        parameters = [f"{t}[]"] * len(operands)
        first = ["c = Lt(p1, p2)"] if name == "Select" else []
        own[f"one_{t}"] = {"parameters": parameters, "body": [*first, f"r = {text}"], "result": "r"}
        own[f"more_{t}"] = {"parameters": parameters, "body": [*first, f"a = {text}", "r = " + ("Select(a, p1, p0)" if compared else "Max(a, p1)" if name not in ("Complex", "ConvertElementType") else "Neg(a)")], "result": "r"}
        for f in ("one", "more"):
            rows.line(f"Map({', '.join(operands)}) {{computation = {f}_{t}, dimensions = [0, 1]}}")
    return rows


def squares(name, draw):
    """Square matrices of which one was turned, or only said to be."""
    rows = Rows("squares", "square matrices, one of them transposed, or by a permutation that leaves it as it is")
    whole = name in OF_WHOLE or name.startswith("Shift")
    types = FLOATS if name == "Atan2" else WHOLE if whole else TYPES
    more = " {dimension_numbers = {lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]}}" if name == "DotGeneral" else ""
    for t in some(types, name, 6, 4):
        x, y = (rows.input(draw(f"squares{name}{t}{k}", f"{t}[3,3]", 1, 6)) for k in range(2))
        turned, same = (rows.line(f"Transpose({x}) {{permutation = {p}}}", False) for p in ("[1, 0]", "[0, 1]"))
        made = [rows.line(f"{name}({a}, {b}){more}", False) for a, b in ((turned, y), (y, turned), (same, y), (y, same), (turned, x), (x, turned))]
        rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = 0}}")
    return rows


STEPS = ["Add(X, c)", "Sub(X, d)", "Mul(X, d)", "Div(X, d)", "Rem(X, e)", "Max(X, d)", "Min(X, c)", "Neg(X)", "Abs(X)", "ShiftLeft(X, c)", "ShiftRightArithmetic(X, c)", "ShiftRightLogical(X, c)", "And(X, e)", "Or(X, c)", "Xor(X, d)", "Sub(d, X)",
         "Not(X)", "Sub(X, y)", "Add(y, X)", "Mul(X, y)"]


def algebra(name, draw):
    """Of two steps, of whole numbers; a compiler may make one of them and must not, or only where nothing wraps."""
    rows = Rows("algebra", "of two steps by constants, which a compiler may simplify, in other types")
    types = some(["s32", "u8", "s64", "u16"], name, 1, 2)
    for j, t in enumerate(types):
        steps = [m for m in STEPS if t[0] == "s" or m.split("(")[0] not in ("Neg", "Abs")]
        names = {w: rows.input({"shape": f"{t}[9]", "random": {"seed": number(name) + k, "dist": "integers", "low": -9 if t[0] == "s" else 10, "high": 40}}) for k, w in enumerate("xy")}
        names.update(c=rows.constant(t, 1), d=rows.constant(t, 2), e=rows.constant(t, 7))
        made = []
        for k, first in enumerate(steps):
            v = rows.line(named(first, dict(names, X=names["x"])), False)
            for n, second in enumerate(steps):
                if (k + 2 * n + j + number(name)) % 5:
                    continue
                w = rows.line(named(second, dict(names, X=v)), False)
                made.append(rows.line(f"{name}({w}, {names[('d', 'e', 'x', 'c')[(k + n) % 4]]})", False))
        rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = 0}}")
    return rows


def powers(draw):
    """Of special numbers, by parts of one and small ones, each an array and a constant."""
    del draw
    rows = Rows("special-powers", "of special numbers by fractions and small whole numbers")
    for t in FLOATS:
        data = ["-inf", "inf", "-0", 0, "nan", 1, -1, 2, -2, 0.5, 4]
        x, made = rows.input({"shape": f"{t}[11]", "data": data}), []
        for v in (0.25, 0.5, 0.75, -0.25, -0.5, 0.125, 1.5, -1.5, -1, 3, -3, 2, -2, 0, 1, 4):
            y = rows.input({"shape": f"{t}[11]", "splat": v})
            made += [rows.line(f"Pow({x}, {y})", False), rows.line(f"Pow({x}, {rows.constant(t, v)})", False)]
        rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = 0}}")
    return rows


def by_number(name, draw):
    """As many trips, or the branch, as the number of the replica or the partition says."""
    rows = Rows("by-number", "trips and branches by the number of the replica, and of the partition")
    rows.more.update(replicas=2, partitions=2)
    own = rows.more["computations"] = {}
    for j, t in enumerate(("s32", "f64", "u8")):
        x = rows.input(draw(f"number{name}{t}", f"{t}[4]", 1, 9))
        for of in ("ReplicaId", "PartitionID"):
            i, u = rows.line(f"{of}()", False), "u32"
            if name == "Conditional" or j:
                i, u = rows.line(f"ConvertElementType({i}) {{new_element_type = s32}}", False), "s32"
            key = f"{t}_{of.lower()}"
            if name == "While":
                state = f"({u}[], {t}[4])"
                own[f"if_{key}"] = {"parameters": [state], "body": ["i = GetTupleElement(p0) {index = 0}", f"n = Constant() {{literal = {u}[] 2}}", "r = Lt(i, n)"], "result": "r"}
                own[f"do_{key}"] = {"parameters": [state], "body": ["i = GetTupleElement(p0) {index = 0}", "x = GetTupleElement(p0) {index = 1}", f"o = Constant() {{literal = {u}[] 1}}", "j = Add(i, o)", f"k = Constant() {{literal = {t}[] 2}}",
                                                                     "y = Mul(x, k)", "r = Tuple(j, y)"], "result": "r"}
                rows.line(f"While({rows.line(f'Tuple({i}, {x})', False)}) {{condition = if_{key}, body = do_{key}}}")
            else:
                own[f"yes_{key}"] = {"parameters": [f"{t}[4]"], "body": ["r = Add(p0, p0)"], "result": "r"}
                own[f"no_{key}"] = {"parameters": [f"{t}[4]"], "body": ["r = Rev(p0) {dimensions = [0]}"], "result": "r"}
                c = rows.line(f"Eq({i}, {rows.constant('s32', j % 2)})", False)
                rows.line(f"Conditional({c}, {x}, {x}) {{true_computation = yes_{key}, false_computation = no_{key}}}")
                rows.line(f"Conditional({i}, {x}, {x}) {{branch_computations = [yes_{key}, no_{key}]}}")
    return rows


def fed_out(draw):
    """What was computed just before."""
    del draw
    rows = Rows("made", "what was computed, moved or compared just before")
    token, out = rows.line("AfterAll()", False), []
    for t in ("s32", "u8", "f64", "bf16", "s64", "c64"):
        x, y = rows.input({"shape": f"{t}[3]", "data": [1, 2, 3]}), rows.input({"shape": f"{t}[3]", "data": [5, 4, 9]})
        for line, data in ((f"Add({x}, {y})", [6, 6, 12]), (f"Rev({x}) {{dimensions = [0]}}", [3, 2, 1]), (f"Mul({x}, {y})", [5, 8, 27])):
            token = rows.line(f"Outfeed({rows.line(line, False)}, {token}) {{shape_with_layout = {t}[3]}}", False)
            out.append({"shape": f"{t}[3]", "data": [[v, 0] for v in data] if t == "c64" else data})
        if t == "c64":
            rows.inputs[-2]["data"], rows.inputs[-1]["data"] = [[1, 0], [2, 0], [3, 0]], [[5, 0], [4, 0], [9, 0]]
    rows.results = [token]
    rows.more["outfeed"] = out
    return rows


# Between the ranges in which functions have a polynomial each.
RANGES = [1 / 64, 3 / 64, 5 / 64, 9 / 64, 17 / 64, 21 / 64, 25 / 64, 29 / 64, 5 / 8, 45 / 64, 55 / 64, 31 / 32, 63 / 64, 9 / 8, 21 / 16, 13 / 8, 9 / 4, 11 / 4, 13 / 4, 17 / 4, 11 / 2, 7, 9, 12, 20, 30, 60, 88]


def ranges(name, draw):
    """Three numbers behind a block of four, in turn of either sign."""
    del draw
    rows = Rows("ranges", "numbers of each range behind a block, of either sign")
    for j, t in enumerate(FLOATS):
        made = []
        for k in range(0, len(RANGES), 3):
            for sign in (1, -1) if k % 2 == j % 2 else (1 - 2 * (j // 2 % 2),):
                x = rows.input({"shape": f"{t}[7]", "data": [1, 2, 1, 2, *(sign * v for v in (RANGES[k:k + 3] + RANGES[:2])[:3])]})
                made.append(rows.line(f"{name}({x}) {{exponent_bits = 5, mantissa_bits = 3}}" if name == "ReducePrecision" else f"{name}({x})", False))
        rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = 0}}")
    return rows


SHAPES = ["1,5,1", "2,2,2", "2,3,5", "3,1,1,4", "1,2,2,1", "13", "3", "2", "2,27", "7,1", "2,1,25", "1,1,3", "15,1,1", "5,2,3", "3,3,3", "6"]


def shaped(name, draw):
    """Each shape in two of four types; of two operands, in turn, one is a number."""
    rows = Rows("shapes", "sizes that are equal, grow or are 1, a few elements and parts of a block, in other types")
    line, sizes, types = USES[name]
    for j, t in enumerate(some(types, name, 3, 4)):
        made = []
        for k, dims in enumerate(SHAPES):
            if (k + j) % 2:
                continue
            own = [Made(rows, draw, t, [int(d) for d in ("" if k % 3 == 1 and i == (k + j // 2) % 4 else dims).split(",") if d], 8000 + 100 * j + 10 * k + i) for i in range(len(sizes))]
            for one in own:
                one.unit = name in UNIT
            if name == "Clamp" and any(one.dims != own[1].dims for one in own[::2]):
                own = [Made(rows, draw, t, own[1].dims, 8000 + 100 * j + 10 * k + i) for i in range(3)]
            v = rows.line(named(line, dict(zip(words_of(line), (one.input(None, 1, 7) for one in own)))), False)
            n = max(one.count() for one in own)
            made.append(rows.line(f"Reshape({v}) {{new_sizes = [{n}]}}", False))
        rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = 0}}")
    return rows


# ---- Beside a constant, and beside what it was made of --------------------------------

SMALL = ["Add(x, y)", "Sub(x, y)", "Mul(x, y)", "Mul(x, x)", "Add(x, x)", "Max(x, y)", "Min(x, c)", "Max(x, c)", "Abs(x)", "Sign(x)", "Neg(x)", "Rem(x, d)", "Div(x, d)", "And(x, c)", "Or(x, y)", "Xor(x, c)", "Not(x)",
         "ShiftLeft(x, c)", "ShiftRightArithmetic(x, c)", "Clz(x)", "PopulationCount(x)", "Floor(x)", "Round(x)", "Clamp(c, x, d)", "Select(p, x, y)", "Pow(x, c)", "Sub(c, x)", "Sub(x, c)", "Mul(x, c)", "Add(c, x)"]
OF_WHOLE = ("And", "Or", "Xor", "Not", "ShiftLeft", "ShiftRightArithmetic", "Clz", "PopulationCount")
PAIRED = ["Add", "Sub", "Mul", "Div", "Rem", "Max", "Min", "Pow", "And", "Or", "Xor", "ShiftLeft", "ShiftRightLogical", "ShiftRightArithmetic", "Atan2", *COMPARE]


def beside(name, draw):
    """Of small numbers, some of them equal: what was made of x with a constant, on either side, and with x."""
    rows = Rows("beside-own", "what was made of a number beside a constant, and beside the number itself")
    whole, floats = name in OF_WHOLE or name.startswith("Shift"), name == "Atan2"
    types = [t for t in TYPES if not (whole and t in FLOATS) and not (floats and t not in FLOATS)]
    for j, t in enumerate(some(types, name, 2, 4)):
        low = 0 if t[0] == "u" else -3
        names = {w: rows.input(draw(f"beside{name}{t}{w}", f"{t}[11]", a, b)) for w, a, b in (("x", low, 4), ("y", low, 4), ("d", 1, 3))}
        names.update(c=rows.constant(t, 1 + (j + number(name)) % 2), d=rows.constant(t, 3))
        names["p"] = rows.line(f"Lt({names['x']}, {names['y']})", False)
        zero, made = rows.constant(t, 0), []
        for k, maker in enumerate(m for m in SMALL if (t not in FLOATS or m.split("(")[0] not in OF_WHOLE) and (t[0] != "u" or m.split("(")[0] not in ("Abs", "Sign", "Neg")) and (t in FLOATS or m.split("(")[0] not in ("Floor", "Round"))):
            inexact = t in FLOATS and maker.split("(")[0] in ("Div", "Pow") and name in ("Rem", "Pow", *COMPARE)
            if inexact:
                continue
            v = rows.line(named(maker, names), False)
            how = [f"{name}({v}, {names['c']})", f"{name}({v}, {names['x']})", f"{name}({names['x']}, {v})", f"{name}({names['c']}, {v})", f"{name}({v}, {zero})"]
            made += [rows.line(how[(k + j + n) % 5], False) for n in ((0, 2) if k % 2 else (1, 3))]
        rows.line(f"ConcatInDim({', '.join(made)}) {{dimension = 0}}")
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


def together(ident, why, *parts):
    """One program of several, whose inputs and lines get other numbers."""
    rows = Rows(ident, why)
    for part in parts:
        inputs, lines = len(rows.inputs), len(rows.body)

        def renamed(text, at=(inputs, lines)):
            return re.sub(r"\b([pv])(\d+)\b", lambda m: f"{m[1]}{int(m[2]) + at[m[1] == 'v']}", text)

        rows.inputs += part.inputs
        rows.body += map(renamed, part.body)
        rows.results += map(renamed, part.results)
        for key, own in part.more.items():
            if isinstance(own, dict):
                rows.more.setdefault(key, {}).update(own)
            else:
                rows.more[key] = own
    return rows


def of_uses(name, draw):
    sizes = USES[name][1]
    places = [i for i in range(min(len(sizes), 3)) if (name, i) != ("RaggedDot", 2)]
    yield together("made-by", "each operand in turn made by each operation, in other types", *(of_each(name, i, draw) for i in places))
    yield of_each(name, 0, draw, [SCAN] * 3)
    again = overwritten(name, draw)
    yield again if name in REPLICAS else together("used-again", "operands that are used again; in a branch and in a loop, in other types", again, placed(name, draw))


def all_rows(draw):
    """(operation, rows)."""
    for name in USES:
        for rows in of_uses(name, draw):
            yield name, rows
    for name in BINARY:
        yield name, tails(name, draw)
    for name in UNARY:
        yield name, together("special-tails", "in the last places, behind blocks of 4 and 8, special numbers and those of each range", tails(name, draw), ranges(name, draw))
    for name in (*JOINED, "Select", "ConvertElementType"):
        yield name, in_map(name, draw)
    for name in RESULTS:
        yield name, used_next(name, draw)
    for name in PAIRED:
        yield name, together("beside-own", "what was made of a number beside a constant and beside it; two steps by constants; squares that were transposed",
                             *(make(name, draw) for make in ((beside, squares) if name == "Atan2" else (beside, algebra, squares))))
    for name in JOINED:
        if name not in ("Pow", "Complex"):
            yield name, shaped(name, draw)
    for name in ("Atan2", "Add", "Sub", "Mul", "Div", "Max", "Complex", "Lt", "Eq"):
        yield name, parts(name, draw)
    for name in ("Reduce", "ReduceWindow"):
        yield name, two_types(name, draw)
    for name in ("Dot", "DotGeneral"):
        yield name, together("narrowed", "results of fewer bits than the operands; squares that were transposed", narrowed(name, draw), squares(name, draw))
    for name in ("While", "Conditional"):
        yield name, by_number(name, draw)
    for name in ("And", "Or", "Xor", *COMPARE, "Max", "Min"):
        yield name, of_pred(name, draw)
    yield from (("Slice", strided(draw)), ("Pow", powers(draw)), ("Outfeed", fed_out(draw)), ("Reshape", reshaped(draw)))
