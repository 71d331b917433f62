"""Operations that StableHLO or HLO says otherwise than the case format.

SPDX-License-Identifier: Apache-2.0

A region that is a branch or a loop's body, tokens, sizes in a vector: each
function writes one operation, an Instruction, into its body.
"""
import re
from typing import Callable, Dict, List, Optional

from assay import mlir, refine, regions, shards, types
from assay.mlir import Refused, ir


def _constant(i) -> None:
    i.ours = "Constant"
    i.here["literal"] = i.body.module.literal(i.op)
    i.put([])


def _loop(i) -> None:
    """What its regions use from outside is state that does not change."""
    i.ours = "While"
    i.extra = list(dict.fromkeys(
        v for r in i.op.regions for v in regions.find_captured(r)
        if not regions.is_fixed(v)))
    condition, step = i.op.regions
    i.here = {"condition": i.state(condition, []),
              "body": i.state(step, i.extra)}
    i.put([i.body.join([*i.operands, *i.extra])])


def _conditional(i) -> None:
    """A branch takes what it uses from outside as its operand."""
    i.ours = "Conditional"
    names, operands = [], [i.body.name(i.operands[0])]
    for region in i.op.regions:
        captured = regions.find_captured(region)
        body = i.body.inner()
        body.take(captured)
        names.append(body.module.add(
            body.finish(body.run(region.blocks[0]))))
        operands.append(i.body.join(captured))
    if i.name == "stablehlo.if":
        i.here = dict(zip(("true_computation", "false_computation"),
                          names))
    else:
        i.here = {"branch_computations": names}
    i.put(operands)


def _rng(i) -> None:
    """The shape is an operand there."""
    i.find()
    i.body.absorbed.append(i.body.name(i.operands.pop()))
    i.read_attributes()
    i.put([i.body.name(v) for v in i.operands])


def _dot_general(i) -> None:
    """With an algorithm, the operands are rounded to its types first, and
    sums are of its type of accumulation; several components of each, and
    TF32, are what the policy precision.default allows."""
    text = str(i.there.get("algorithm", ""))
    if not text:
        i.plain()
        return
    found = dict(re.findall(r"(\w+) = (\w+)", text))
    if found.get("allow_imprecise_accumulation") == "true":
        raise Refused("its algorithm allows imprecise accumulation, which "
                      "has no bound")
    kinds = [types.OF_MLIR.get(found[f"{k}_type"], found[f"{k}_type"])
             for k in ("lhs_precision", "rhs_precision", "accumulation")]
    several = found["num_primitive_operations"] != "1"
    names, own = [], [mlir.shape_of(v).dtype for v in i.operands]
    for k, value in enumerate(i.operands):
        name = i.body.name(value)
        if not several and kinds[k] not in ("tf32", own[k]):
            own[k] = kinds[k]
            name = i.body.add("ConvertElementType", [name],
                              new_element_type=kinds[k])
        names.append(name)
    names = i.of_one_type(names, own, kinds[2])
    i.ours = "DotGeneral"
    i.read_attributes()
    if several or "tf32" in kinds:
        i.here["precision_config"] = ["DEFAULT", "DEFAULT"]
        i.body.module.policies["precision.default"] = "tf32"
    else:
        i.here["precision_config"] = ["HIGHEST", "HIGHEST"]
    i.here["preferred_element_type"] = kinds[2]
    made = i.body.add(i.ours, names, **i.here)
    result = i.result().dtype
    i.give(made if result == kinds[2] else i.body.add(
        "ConvertElementType", [made], new_element_type=result))


def _inline(i) -> None:
    """A fusion or a named computation: its region, in place.  A region without
    arguments uses what is outside."""
    block = list(i.op.regions)[0].blocks[0]
    names = i.body.names
    names.update(zip(block.arguments, [i.body.name(v) for v in i.operands]))
    names.update(zip(i.results, [i.body.name(v) for v in i.body.run(block)]))


_UNKNOWN = "its sizes are neither constant nor made of integers that --inputs" \
    " gives"


def _dynamic(i) -> None:
    """The sizes are an operand; where the result's type says them they can be
    no others, and it is the operation without that operand."""
    try:
        result = i.result()
    except LookupError:
        result = None
    write = _OF_RESULT.get(i.name)
    if result is None or write is None:
        raise Refused(_UNKNOWN)
    write(i, result)


def _of_result(ours: str, count: int) -> Callable:
    def write(i, _) -> None:
        i.ours, i.operands = ours, i.operands[:count]
        for name in ("known_expanding_dimensions",
                     "known_nonexpanding_dimensions"):
            i.there.pop(name, None)
        i.read_attributes()
        i.put([i.body.name(v) for v in i.operands])
    return write


def _gather_of_result(i, result: types.Shape) -> None:
    """The sizes of the dimensions that stay; the others are 1."""
    i.ours, i.operands = "Gather", i.operands[:2]
    i.read_attributes()
    numbers = i.here["dimension_numbers"]
    offsets = iter(numbers["offset_dims"])
    gone = numbers["collapsed_slice_dims"] + numbers["operand_batching_dims"]
    rank = len(mlir.shape_of(i.operands[0]).dims)
    i.here["slice_sizes"] = [1 if d in gone else result.dims[next(offsets)]
                             for d in range(rank)]
    i.put([i.body.name(v) for v in i.operands])


def _slice_of_result(i, result: types.Shape) -> None:
    """A slice of known sizes, if its steps are 1."""
    steps = i.operands[3]
    if not regions.is_constant(steps) or set(mlir.ints(
            steps.owner.operation.attributes["value"])) != {1}:
        raise Refused("its strides are not constant 1")
    sizes = list(result.dims)
    i.give(i.body.add("DynamicSlice", [
        i.body.name(i.operands[0]), *_elements(i, i.operands[1], len(sizes))],
        slice_sizes=sizes))


def _all_to_all(i) -> None:
    """Without a dimension, HLO's form: the k-th array goes to the k-th member
    of the group, and the k-th result comes from it."""
    if "split_dimension" in i.there:
        i.plain()
        return
    dims = list(mlir.shape_of(i.operands[0]).dims)
    count, add = len(i.operands), i.body.add
    i.ours = "AllToAll"
    i.read_attributes()
    i.here.update(split_dimension=0, concat_dimension=0, split_count=count)
    parts = [add("Reshape", [i.body.name(v)], new_sizes=[1, *dims])
             for v in i.operands]
    made = add(i.ours, [add("ConcatInDim", parts, dimension=0)], **i.here)
    for k, result in enumerate(i.results):
        part = add("Slice", [made], start_indices=[k] + [0] * len(dims),
                   limit_indices=[k + 1, *dims])
        i.body.names[result] = add("Reshape", [part], new_sizes=dims)


def _top_k(i) -> None:
    """HLO's has another order, too."""
    i.ours = "TopK"
    largest = i.there.pop("largest", None)
    i.read_attributes()
    if largest is not None:
        i.here["largest"] = ir.BoolAttr(largest).value
    i.put([i.body.name(i.operands[0])])


def _infeed(i) -> None:
    i.ours = "Infeed"
    arrays, token = i.results[:-1], i.results[-1]
    i.results = arrays
    i.read_attributes()
    made = i.body.add(i.ours, [i.body.name(i.operands[0])], **i.here)
    data = i.body.add("GetTupleElement", [made], index=0)
    if arrays:
        i.body.scatter(data, arrays)
    i.body.names[token] = i.body.add("GetTupleElement", [made], index=1)


def _outfeed(i) -> None:
    i.ours = "Outfeed"
    arrays, token = i.operands[:-1], i.operands[-1]
    i.read_attributes()
    i.put([i.body.join(arrays), i.body.name(token)])


def _check_one(count: int) -> None:
    if count != 1:
        raise Refused(f"found {count} arrays beside the token, expected 1")


def _send(i) -> None:
    """Its token is that of SendDone here."""
    i.ours = "Send"
    _check_one(len(i.operands) - 1)
    i.read_attributes()
    made = i.body.add("Send", [i.body.name(v) for v in i.operands], **i.here)
    i.body.names[i.results[0]] = i.body.add("SendDone", [made], **i.here)


def _recv(i) -> None:
    """Its results are those of RecvDone here."""
    i.ours = "Recv"
    _check_one(len(i.results) - 1)
    data, token = i.results
    i.results = [data]
    i.read_attributes()
    made = i.body.add("Recv", [i.body.name(i.operands[0])], **i.here)
    done = i.body.add("RecvDone", [made], channel_id=i.here["channel_id"])
    for k, value in enumerate((data, token)):
        i.body.names[value] = i.body.add("GetTupleElement", [done], index=k)


def _dynamic_reshape(i) -> None:
    """The sizes are scalars here, one vector there."""
    i.ours = "DynamicReshape"
    if refine.is_unbounded(i.results[0].type):
        raise Refused(_UNKNOWN)
    result, vector = i.result(), i.operands[1]
    if not any(result.dynamic) and mlir.shape_of(vector).dtype != "s32":
        i.give(i.body.add("Reshape", [i.body.name(i.operands[0])],
                          new_sizes=list(result.dims)))
        return
    sizes = _scalars(i, vector)
    if sizes is None:
        sizes = _elements(i, vector, len(result.dims))
    i.here = {"new_size_bounds": list(result.dims),
              "dims_are_dynamic": list(result.dynamic)}
    i.put([i.body.name(i.operands[0]), *sizes])


def _elements(i, vector: ir.Value, count: int) -> List[str]:
    """Of a vector, each as a scalar."""
    whole = i.body.name(vector)
    return [i.body.add("Reshape", [i.body.add(
        "Slice", [whole], start_indices=[k], limit_indices=[k + 1])],
        new_sizes=[]) for k in range(count)]


def _scalars(i, vector: ir.Value) -> Optional[List[str]]:
    """Of which a vector is made by nothing but reshape and concatenate."""
    def operands(value, name):
        owner = value.owner
        return list(owner.operation.operands) \
            if not isinstance(owner, ir.Block) \
            and owner.operation.name == name else []
    parts = operands(vector, "stablehlo.concatenate")
    sizes = [x for p in parts for x in operands(p, "stablehlo.reshape")]
    if len(sizes) < max(1, len(parts)) or any(
            mlir.shape_of(s).dims for s in sizes):
        return None
    i.body.absorbed += [i.body.name(v) for v in (vector, *parts)]
    return [i.body.name(s) for s in sizes]


#: Operations with sizes as an operand, by the sizes of their results.
_OF_RESULT = {
    "stablehlo.dynamic_broadcast_in_dim": _of_result("BroadcastInDim", 1),
    "stablehlo.dynamic_iota": _of_result("Iota", 0),
    "stablehlo.dynamic_gather": _gather_of_result,
    "stablehlo.real_dynamic_slice": _slice_of_result,
}
CONSTANTS = {"stablehlo.constant", "chlo.constant", "arith.constant",
             "sdy.constant"}
#: By name in StableHLO or CHLO: what writes it.
SPECIAL: Dict[str, Callable] = {
    **{name: _constant for name in CONSTANTS},
    **{name: _dynamic for name in refine.DYNAMIC},
    "stablehlo.while": _loop,
    "stablehlo.if": _conditional,
    "stablehlo.case": _conditional,
    "stablehlo.rng": _rng,
    "stablehlo.infeed": _infeed,
    "stablehlo.outfeed": _outfeed,
    "stablehlo.send": _send,
    "stablehlo.recv": _recv,
    "stablehlo.all_to_all": _all_to_all,
    "stablehlo.dynamic_reshape": _dynamic_reshape,
    "stablehlo.dot_general": _dot_general,
    "chlo.top_k": _top_k,
    "mhlo.fusion": _inline,
    "sdy.named_computation": _inline,
    "sdy.manual_computation": shards.write_manual,
}
