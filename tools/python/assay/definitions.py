"""Operations of StableHLO and CHLO by definition: as others that Assay has.

SPDX-License-Identifier: Apache-2.0

Only definitions that lose nothing stand here: every step is exact, or is the
operation itself on other shapes.  A function that a formula would approximate
(lgamma, digamma, erf_inv) is refused by name instead.
"""
import ast
import functools
from typing import Any, Callable, Dict, List, Optional, Tuple

from assay import mlir, quantized, types
from assay.mlir import Refused, ir

#: Their result is their first operand: shardings say where parts of the global
#: program are computed, not what it computes.
IDENTITIES = {
    "sdy.sharding_constraint", "sdy.reshard", "sdy.propagation_barrier",
    "sdy.data_flow_edge", "sdy.all_gather", "sdy.all_slice", "sdy.all_to_all",
    "sdy.all_reduce", "sdy.collective_permute", "sdy.reduce_scatter",
    "sdy.sharded_to_unreduced", "sdy.replicated_to_unreduced", "mhlo.copy",
    "mhlo.add_dependency", "mhlo.domain", "tensor.cast"}
#: Custom calls that are one, too.
IDENTITY_CALLS = {
    "Sharding", "LayoutConstraint", "annotate_device_placement",
    "MoveToHost", "MoveToDevice", "xla.sdy.FuncResultSharding",
    "stablehlo.shape_refinement_operand_wrapper",
    "SetBound"}  # a hint for XLA, of the largest size that a value is
#: Operations without a result, that say nothing of values.
NOTES = {"sdy.sharding_group", "mhlo.trace"}
#: Operations and custom calls by which a test asserts something of a value.
CHECKS = ("check.", "shape_assertion")

#: By formula: x, y, z are the operands, a number a constant of x's shape.
#: bits is the unsigned type of as many bits as x has, sign its highest bit.
FORMULAS = {
    "chlo.square": "Mul(x, x)",
    "chlo.conj": "Complex(Real(x), Neg(Imag(x)))",
    "chlo.is_inf": "Eq(Abs(x), inf)",
    "chlo.is_pos_inf": "Eq(x, inf)",
    "chlo.is_neg_inf": "Eq(x, -inf)",
    "chlo.next_after":
        "Select(Or(Ne(x, x), Ne(y, y)), Add(x, y), Select(Eq(x, y), y, "
        "BitcastConvertType(Select(Eq(x, 0), Or(And(BitcastConvertType(y, "
        "new_element_type=bits), const(sign, bits)), const(1, bits)), "
        "Select(Eq(Gt(x, 0), Gt(y, x)), "
        "Add(BitcastConvertType(x, new_element_type=bits), const(1, bits)), "
        "Sub(BitcastConvertType(x, new_element_type=bits), const(1, bits)))), "
        "new_element_type=type)))",
}
#: Of MLIR's own dialects on tensors: the operation of spec/ops that it is.
ELEMENTWISE = {
    **{f"arith.{name}": ours for name, ours in (
        ("addf", "Add"), ("subf", "Sub"), ("mulf", "Mul"), ("divf", "Div"),
        ("negf", "Neg"), ("maximumf", "Max"), ("minimumf", "Min"),
        ("addi", "Add"), ("subi", "Sub"), ("muli", "Mul"), ("andi", "And"),
        ("ori", "Or"), ("xori", "Xor"), ("select", "Select"))},
    **{f"math.{name}": ours for name, ours in (
        ("absf", "Abs"), ("atan2", "Atan2"), ("cbrt", "Cbrt"), ("ceil", "Ceil"),
        ("cos", "Cos"), ("erf", "Erf"), ("exp", "Exp"), ("expm1", "Expm1"),
        ("floor", "Floor"), ("log", "Log"), ("log1p", "Log1p"), ("powf", "Pow"),
        ("roundeven", "RoundNearestEven"), ("rsqrt", "Rsqrt"), ("sin", "Sin"),
        ("sqrt", "Sqrt"), ("tan", "Tan"), ("tanh", "Tanh"))},
}
#: The types for which a formula is the operation, by their first letters.  The
#: square of a complex number need not be a product of two.
TYPES = {"chlo.square": ("f", "bf", "s", "u"),
         "chlo.next_after": ("f16", "bf16", "f32", "f64")}


def splat(value: Any, shape: types.Shape, dtype: str = "") -> dict:
    sizes = ",".join(map(str, shape.dims))
    return {"shape": f"{dtype or shape.dtype}[{sizes}]", "splat": value}


class Formula:
    """A formula being written into a body; shape: of x, and of constants."""

    def __init__(self, body, operands: List[str], shape: types.Shape) -> None:
        self.body, self.shape = body, shape
        size = types.bits(shape.dtype)
        self.names = dict(zip("xyz", operands))
        self.words = {"bits": f"u{size}", "type": shape.dtype,
                      "sign": 1 << (size - 1)}

    def write(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.names[node.id]
        if isinstance(node, ast.Call):
            return self._call(node)
        return self.body.add("Constant", literal=splat(ast.unparse(node),
                                                       self.shape))

    def _word(self, node: ast.AST) -> Any:
        return self.words[node.id] if isinstance(node, ast.Name) \
            else ast.literal_eval(node)

    def _call(self, node: ast.Call) -> str:
        if node.func.id == "const":
            value, dtype = map(self._word, node.args)
            return self.body.add("Constant",
                                 literal=splat(value, self.shape, dtype))
        return self.body.add(
            node.func.id, [self.write(a) for a in node.args],
            **{k.arg: self._word(k.value) for k in node.keywords})


def by_formula(name: str, i, names: Optional[List[str]] = None) -> None:
    """names: of the operands, if they are not in their own shapes."""
    shape = mlir.shape_of(i.operands[0])
    if not shape.dtype.startswith(TYPES.get(name, ("",))):
        raise Refused(f"of {shape.dtype}")
    if names is None:
        names = [i.body.name(v) for v in i.operands]
    tree = ast.parse(FORMULAS[name], mode="eval").body
    i.give(Formula(i.body, names, i.result()._replace(dtype=shape.dtype))
           .write(tree))


def _conj(i) -> None:
    """Of a real number it is the number."""
    if mlir.shape_of(i.operands[0]).dtype.startswith("c"):
        by_formula("chlo.conj", i)
    else:
        i.give(i.body.name(i.operands[0]))


def _elementwise(name: str, i) -> None:
    """Flags that permit other results are refused; sums and products of one
    bit are those of numbers there, and logical here."""
    ours = ELEMENTWISE[name]
    for flags in ("fastmath", "overflowFlags"):
        if flags in i.there and "<none>" not in str(i.there[flags]):
            raise Refused(f"the attribute {flags} = {i.there[flags]}")
    if ours in ("Add", "Sub", "Mul") and i.result().dtype == "pred":
        raise Refused("of pred")
    i.give(i.body.add(ours, [i.body.name(v) for v in i.operands]))


# ---- Those that depend on shapes ---------------------------------------------

def _broadcasting(op: str, i) -> None:
    """Each operand in the shape of the result, then the operation."""
    result = i.result()
    given = i.there.pop("broadcast_dimensions", None)
    names = []
    for value in i.operands:
        shape = mlir.shape_of(value)
        first = len(result.dims) - len(shape.dims)
        where = mlir.ints(given) if given is not None and first else \
            list(range(first, len(result.dims)))
        name = i.body.name(value)
        names.append(name if shape.dims == result.dims else i.body.add(
            "BroadcastInDim", [name], out_dim_size=list(result.dims),
            broadcast_dimensions=where))
    if op == "compare":
        op = mlir.word(i.there["comparison_direction"]).capitalize()
        total = "compare_type" in i.there \
            and mlir.word(i.there["compare_type"]) == "TOTALORDER"
        i.give(i.body.add(op + ("TotalOrder" if total else ""), names))
    elif f"chlo.{op}" in FORMULAS:
        by_formula(f"chlo.{op}", i, names)
    else:
        i.give(i.body.add(i.spelled(f"stablehlo.{op}", f"chlo.{op}"), names))


def _constant_like(i) -> None:
    text = str(i.there["value"]).partition(" : ")[0]
    result = i.result()
    i.give(i.body.add("Constant", literal=splat(
        mlir.element(text, result.dtype), result)))


def _torch_index_select(i) -> None:
    """As a Gather: the dimensions of the index take the place of dim."""
    source, index = (mlir.shape_of(v) for v in i.operands)
    dim = ir.IntegerAttr(i.there["dim"]).value % len(source.dims)
    batch = ir.IntegerAttr(i.there["batch_dims"]).value
    taken = len(index.dims) - batch
    sizes = list(source.dims)
    for d in [*range(batch), dim]:
        sizes[d] = 1
    i.give(i.body.add(
        "Gather", [i.body.name(v) for v in i.operands],
        dimension_numbers={
            "offset_dims": [*range(batch, dim), *range(
                dim + taken, len(source.dims) - 1 + taken)],
            "collapsed_slice_dims": [dim], "start_index_map": [dim],
            "operand_batching_dims": list(range(batch)),
            "start_indices_batching_dims": list(range(batch)),
            "index_vector_dim": len(index.dims)},
        slice_sizes=sizes))


def _labels(config: str, shapes: List[types.Shape]
            ) -> Tuple[List[str], str]:
    """Of each operand and of the result; "..." stands for capital letters."""
    inputs, _, output = config.replace(" ", "").partition("->")
    parts = inputs.split(",")
    if len(parts) != len(shapes):
        raise Refused(f"einsum_config = {config!r}: {len(parts)} operands, "
                      f"found {len(shapes)}")
    widest = max(len(s.dims) - len(p.replace("...", ""))
                 for p, s in zip(parts, shapes))
    dots = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:max(widest, 0)]
    made = []
    for part, shape in zip(parts, shapes):
        rest = len(shape.dims) - len(part.replace("...", ""))
        made.append(part.replace("...", dots[len(dots) - rest:]))
        if len(set(made[-1])) != len(made[-1]):
            raise Refused(f"einsum_config = {config!r}: a label twice in one "
                          "operand")
    return made, output.replace("...", dots)


def _einsum(i) -> None:
    """A label that one operand alone has is summed first; a contraction; and
    its dimensions in the order of the result."""
    config = mlir.text(i.there["einsum_config"])
    shapes = [mlir.shape_of(v) for v in i.operands]
    labels, output = _labels(config, shapes)
    names = [i.body.name(v) for v in i.operands]
    for k, own in enumerate(labels):
        others = set(output).union(*labels[:k], *labels[k + 1:])
        summed = [d for d, x in enumerate(own) if x not in others]
        if summed:
            zero = i.body.add("Constant", literal=splat(
                0, shapes[k]._replace(dims=())))
            names[k] = i.body.add("Reduce", [names[k], zero],
                                  computation="add",
                                  dimensions_to_reduce=summed)
            labels[k] = "".join(x for x in own if x in others)
    made = labels[0]
    if len(names) == 2:
        left, right = labels
        both = [x for x in left if x in right]
        groups = {"batch": [x for x in both if x in output],
                  "contracting": [x for x in both if x not in output]}
        numbers = {f"{side}_{kind}_dimensions": [own.index(x) for x in group]
                   for side, own in (("lhs", left), ("rhs", right))
                   for kind, group in groups.items()}
        i.here = {"dimension_numbers": numbers}
        if "precision_config" in i.there:
            i.here["precision_config"] = [
                mlir.word(x) for x in ir.ArrayAttr(i.there["precision_config"])]
        names[0] = i.body.add("DotGeneral", names, **i.here)
        made = "".join(groups["batch"]) + "".join(
            x for own in labels for x in own if x not in both)
    order = [made.index(x) for x in output]
    i.give(names[0] if order == sorted(order) else i.body.add(
        "Transpose", [names[0]], permutation=order))


def _mulhi(i) -> None:
    """The upper half of the product: of 64 bits by products of halves, Warren,
    Hacker's Delight, 8-2."""
    shape, add = i.result(), i.body.add
    x, y = (i.body.name(v) for v in i.operands)
    size, sign = types.bits(shape.dtype), shape.dtype[0]
    shift = "ShiftRightArithmetic" if sign == "s" else "ShiftRightLogical"

    def constant(value: int, dtype: str) -> str:
        return add("Constant", literal=splat(value, shape, dtype))

    if size < 64:
        wide = f"{sign}64"
        product = add("Mul", [add("ConvertElementType", [v],
                                  new_element_type=wide) for v in (x, y)])
        i.give(add("ConvertElementType",
                   [add(shift, [product, constant(size, wide)])],
                   new_element_type=shape.dtype))
        return
    half = constant(32, shape.dtype)
    mask = constant(2**32 - 1, shape.dtype)
    low, high = ([add(op, [v, by]) for v in (x, y)]
                 for op, by in (("And", mask), (shift, half)))
    first = add("Mul", low)
    middle = add("Add", [add("Mul", [high[0], low[1]]),
                         add("ShiftRightLogical", [first, half])])
    last = add("Add", [add("Mul", [low[0], high[1]]),
                       add("And", [middle, mask])])
    i.give(add("Add", [add("Add", [add("Mul", high),
                                   add(shift, [middle, half])]),
                       add(shift, [last, half])]))


def _stochastic_convert(i) -> None:
    """As XLA writes it with other operations (stochastic_convert_decomposer.cc):
    away from zero if the random number is below the fraction, and within the
    range of the type."""
    x, random = (i.body.name(v) for v in i.operands)
    source, bits = (mlir.shape_of(v) for v in i.operands)
    result, add = i.result(), i.body.add
    if not result.dtype.startswith("s"):
        raise Refused(f"to {result.dtype}: XLA converts to signed integers "
                      "alone")
    if not source.dtype.startswith(("f", "bf")) \
            or bits.dtype != f"u{types.bits(source.dtype)}":
        raise Refused(f"of {source.dtype} with random numbers of {bits.dtype}")
    top = 1 << (types.bits(result.dtype) - 1)

    def constant(value: Any, dtype: str) -> str:
        return add("Constant", literal=splat(value, result, dtype))

    size = add("Abs", [x])
    whole = add("Floor", [size])
    rest = add("Sub", [size, whole])
    kind = source.dtype
    if kind == "f16":  # which has no 2^16
        kind, rest = "f32", add("ConvertElementType", [rest],
                                new_element_type="f32")
    rest = add("Mul", [rest, constant(f"{2 ** types.bits(bits.dtype)}", kind)])
    away = add("Lt", [random, add("ConvertElementType", [rest],
                                  new_element_type=bits.dtype)])
    near = add("ConvertElementType", [whole], new_element_type=result.dtype)
    made = add("Select", [away, add("Add", [near, constant(1, result.dtype)]),
                          near])
    made = add("Select", [add("Lt", [x, constant("0", source.dtype)]),
                          add("Neg", [made]), made])
    for test, end in (("Le", -top), ("Ge", top - 1)):
        made = add("Select", [add(test, [x, constant(f"{end}", source.dtype)]),
                              constant(end, result.dtype), made])
    i.give(made)


def _bitcast(i) -> None:
    """The same bytes in memory, of layouts that say which dimension varies
    fastest."""
    shapes = [mlir.shape_of(v) for v in (*i.operands, *i.results)]
    orders = []
    for name, shape in zip(("source_layout", "result_layout"), shapes):
        minor = mlir.ints(i.there[name]) if name in i.there else []
        orders.append(minor[::-1] if len(minor) == len(shape.dims)
                      else list(range(len(shape.dims))))
    source, result = shapes
    if types.bits(source.dtype) != types.bits(result.dtype):
        raise Refused(f"from {source.dtype} to {result.dtype}")
    name = i.body.name(i.operands[0])
    if source.dtype != result.dtype:
        name = i.body.add("BitcastConvertType", [name],
                          new_element_type=result.dtype)
    name = i.body.add("Transpose", [name], permutation=orders[0])
    name = i.body.add("Reshape", [name],
                      new_sizes=[result.dims[d] for d in orders[1]])
    i.give(i.body.add("Transpose", [name], permutation=[
        orders[1].index(d) for d in range(len(orders[1]))]))


def _scan(i) -> None:
    """Its attributes have other names here."""
    names = {"dimension": "scan_dimension", "is_reverse": "is_reverse",
             "is_associative": "is_associative"}
    count = mlir.ints(i.there.pop("operandSegmentSizes"))[0]
    i.ours = "Scan"
    i.here = {ours: mlir.DECODE["int" if theirs == "dimension" else "bool"](
        i.there.pop(theirs)) for theirs, ours in names.items()
        if theirs in i.there}
    i.here.update(num_inputs=count,
                  computation=i.region(list(i.op.regions)[0]))
    i.put([i.body.name(v) for v in i.operands])


# ---- Deprecated ones ---------------------------------------------------------

def _create_token(i) -> None:
    i.give(i.body.add("AfterAll"))


def _broadcast(i) -> None:
    """New dimensions come first."""
    dims = list(i.result().dims)
    first = len(dims) - len(mlir.shape_of(i.operands[0]).dims)
    i.give(i.body.add("BroadcastInDim", [i.body.name(i.operands[0])],
                      out_dim_size=dims,
                      broadcast_dimensions=list(range(first, len(dims)))))


def _dot(i) -> None:
    """The last dimension by the first."""
    i.ours = "DotGeneral"
    i.read_attributes()
    last = len(mlir.shape_of(i.operands[0]).dims) - 1
    i.here["dimension_numbers"] = {
        "lhs_contracting_dimensions": [last], "rhs_contracting_dimensions": [0],
        "lhs_batch_dimensions": [], "rhs_batch_dimensions": []}
    i.put(i.promoted([i.body.name(v) for v in i.operands]))


def _cross_replica_sum(i) -> None:
    i.give(i.body.add("AllReduce", [i.body.name(i.operands[0])],
                      computation="add", replica_groups=i.groups(
                          i.there["replica_groups"])))


def _collective_reduce(i) -> None:
    """The first replica of each group has the result of an all-reduce, the
    others have zeros."""
    if len(i.operands) != 1:
        raise Refused("of several arrays")
    rows, result = i.groups(i.there["replica_groups"]), i.result()
    i.ours = "AllReduce"
    i.read_attributes()
    if i.here.get("channel_id", 0) > 0:
        raise Refused("groups of partitions")
    add = i.body.add
    made = add(i.ours, [i.body.name(i.operands[0])], **i.here)
    root = add("Constant", literal={"shape": "pred[]", "splat": False})
    for row in rows:
        first = add("Constant", literal={"shape": "u32[]", "splat": row[0]})
        root = add("Or", [root, add("Eq", [add("ReplicaId"), first])])
    i.give(add("Select", [root, made,
                          add("Constant", literal=splat(0, result))]))


#: By name: what writes it.
DEFINED: Dict[str, Callable] = {
    **{name: functools.partial(by_formula, name) for name in FORMULAS},
    **{name: functools.partial(_elementwise, name) for name in ELEMENTWISE},
    "chlo.conj": _conj,
    "chlo.constant_like": _constant_like,
    "chlo.mulhi": _mulhi,
    "chlo.scan": _scan,
    "stablehlo.broadcast": _broadcast,
    "stablehlo.create_token": _create_token,
    "stablehlo.cross-replica-sum": _cross_replica_sum,
    "stablehlo.dot": _dot,
    "stablehlo.einsum": _einsum,
    "stablehlo.unary_einsum": _einsum,
    "stablehlo.torch_index_select": _torch_index_select,
    "mhlo.bitcast": _bitcast,
    "mhlo.stochastic_convert": _stochastic_convert,
    "assay.collective_reduce": _collective_reduce,
    "assay.uniform_quantize": quantized.write,
    "assay.uniform_dequantize": quantized.write,
}


def find(name: str):
    """What writes an operation by definition, or None."""
    if name.startswith("chlo.broadcast_"):
        return functools.partial(_broadcasting, name.partition("broadcast_")[2])
    return DEFINED.get(name)
