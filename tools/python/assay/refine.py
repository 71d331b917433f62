"""Sizes for dimensions that have none.

SPDX-License-Identifier: Apache-2.0

StableHLO's own passes propagate the sizes of the inputs, and make operations
with a constant shape the static ones.  A program that has all sizes is left as
it is.
"""
import re
from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from assay import mlir, sources, types
from assay.mlir import Refused, ir, stablehlo

try:
    from jaxlib.mlir import passmanager
except ImportError:
    passmanager = None

#: What a pass makes another operation of.
DYNAMIC = {f"stablehlo.{name}" for name in (
    "dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather",
    "dynamic_iota", "dynamic_pad", "real_dynamic_slice")}
#: Which of its operands are sizes, and places to cut at.
_SIZES = {f"stablehlo.{name}": where for name, where in (
    ("dynamic_broadcast_in_dim", (1,)), ("dynamic_conv", (2,)),
    ("dynamic_gather", (2,)), ("dynamic_iota", (0,)),
    ("dynamic_pad", (2, 3, 4)), ("dynamic_reshape", (1,)),
    ("real_dynamic_slice", (1, 2, 3)))}
#: The dialect of HLO as StableHLO, which the other passes know.
_FROM_HLO = "hlo-legalize-to-stablehlo"
#: Sizes that are tried for dimensions that have none, where no input says one.
_TRIED = (2, 3, 4, 1, 8, 16)
#: Makes constants of sizes that other dialects compute.
_FOLD = ("canonicalize",)
#: Dialects in which sizes are computed beside StableHLO.
_SIZED_BY = ("shape.", "tensor.", "arith.")
#: More than sizes of sizes need; the passes make no more changes before.
_ROUNDS = 32
_REFINE = "stablehlo-refine-shapes", \
    "func.func(stablehlo-canonicalize-dynamism)", \
    "func.func(stablehlo-check-shape-assertions)"


def is_unbounded(type_: ir.Type) -> bool:
    """Has it a dimension without a size and without a bound?"""
    text = str(type_)
    if "?" not in text:
        return False
    try:
        types.parse_mlir(text)
    except LookupError as e:
        return "without a bound" in str(e)
    return False


class _Survey:
    """What a function and those that it calls contain."""

    def __init__(self, program: sources.Program, function: sources.Function
                 ) -> None:
        self.program = program
        self.reached = {function.key: function}
        self.operations: set = set()
        self.unbounded = False
        self.unknown: Optional[ir.Operation] = None  # to the bindings
        self.walk(function, function.op)

    @property
    def hlo(self) -> bool:
        """Is any of the dialect of HLO?"""
        return any(name.startswith("mhlo.") for name in self.operations)

    @property
    def dynamic(self) -> bool:
        """Are there sizes to be found?"""
        return self.unbounded or any(
            re.sub("^mhlo", "stablehlo", name) in DYNAMIC
            for name in self.operations)

    @property
    def sized(self) -> bool:
        """Do other dialects compute sizes?"""
        return self.dynamic and any(
            name.startswith(_SIZED_BY) for name in self.operations)

    def walk(self, function: sources.Function, op: ir.Operation) -> None:
        self.operations.add(op.name)
        if op.results and not op.context.is_registered_operation(op.name):
            self.unknown = self.unknown or op
        for name in ("callee", "decomposition"):
            if name in op.attributes:
                self.call(function, op.attributes[name])
        self.unbounded |= any(is_unbounded(v.type) for v in op.results)
        for region in op.regions:
            for block in region.blocks:
                self.unbounded |= any(is_unbounded(a.type)
                                      for a in block.arguments)
                for inner in block.operations:
                    self.walk(function, inner.operation)

    def call(self, function: sources.Function, callee: ir.Attribute) -> None:
        name = ir.FlatSymbolRefAttr(callee).value
        key = f"{function.module}::{name}" if function.module else name
        found = self.program.functions.get(key)
        if found and found.op and key not in self.reached:
            self.reached[key] = found
            self.walk(found, found.op)


def refine(program: sources.Program, function: sources.Function,
           arrays: Optional[Dict[str, np.ndarray]]
           ) -> Tuple[sources.Program, sources.Function, str]:
    """The program as it is, or one of this function, which is its main; and a
    notice of sizes that were chosen."""
    survey = _Survey(program, function)
    if not survey.dynamic:
        return program, function, ""
    if survey.unknown:  # the passes may end the process
        raise Refused(f"{program.where}{_place(survey.unknown)}: "
                      f"{survey.unknown.name}: the case format has no such "
                      "operation")
    arguments = list(function.op.regions[0].blocks[0].arguments)
    missing = [i for i, a in enumerate(arguments) if is_unbounded(a.type)]
    if missing and arrays is None:
        return _guess(program, function, survey, missing[0])
    kinds = _types(arguments, arrays) if missing else []
    return (*_refined(program, function, survey, kinds, arrays), "")


def _guess(program: sources.Program, function: sources.Function,
           survey: "_Survey", first: int
           ) -> Tuple[sources.Program, sources.Function, str]:
    """With the first of some sizes for all dimensions without one that makes
    a program: without --inputs the values are any, too."""
    arguments = list(function.op.regions[0].blocks[0].arguments)
    why, partly = "", None
    fixed = re.findall(r"(\d+)x", str(function.op.attributes["function_type"]))
    for size in dict.fromkeys([*_TRIED, *map(int, fixed)]):
        kinds = [_sized(a.type, [size] * len(_parse_dims(a.type)[0]))
                 for a in arguments]
        try:
            made = (*_refined(program, function, survey, kinds, None),
                    f"{program.where}: {size} was taken for each dimension "
                    "without a bound; --inputs gives sizes")
        except Refused as e:
            why = why or str(e).partition(": ")[2]
            continue
        if not _Survey(*made[:2]).unbounded:
            return made
        partly = partly or made
    if partly:
        return partly  # what has no size is refused by name
    raise Refused(
        f"{program.where}{_place(function.op)}: {function.op.name}: argument "
        f"{first} is a {arguments[first].type}, with a dimension without a "
        f"bound: --inputs gives its size (of {_TRIED[0]}: {why})"[:400])


def _place(op: ir.Operation) -> str:
    place = re.search(r'"-":(\d+):(\d+)', str(op.location))
    return f":{place[1]}:{place[2]}" if place else ""


def _parse_dims(type_: ir.Type) -> Tuple[List[str], List[bool], str, str]:
    """The dimensions of a tensor, which of them have neither size nor bound, its
    element type, and its encoding."""
    found = re.fullmatch(r"tensor<((?:[\d?]+x)*)([^,]*)(, #.*)?>", str(type_))
    dims = found[1].split("x")[:-1]
    bounds = re.findall(r"[\d?]+", (found[3] or "").partition("bounds")[2])
    return dims, [d == b == "?" for d, b in zip(
        dims, bounds or ["?"] * len(dims))], found[2], found[3] or ""


def _sized(type_: ir.Type, sizes: Sequence[int]) -> str:
    """With the sizes of those dimensions that have neither size nor bound."""
    if not is_unbounded(type_):
        return str(type_)
    dims, missing, element, encoding = _parse_dims(type_)
    made = [str(n) if m else d for d, m, n in zip(dims, missing, sizes)]
    return f"tensor<{'x'.join([*made, element])}" \
        f"{encoding if '?' in made else ''}>"


def _types(arguments: List[ir.Value], arrays: Dict[str, np.ndarray]
           ) -> List[str]:
    """Those of the arguments, with the sizes of the arrays."""
    if len(arrays) != len(arguments):
        raise Refused(f"found {len(arrays)} arrays of input, expected "
                      f"{len(arguments)}")
    made = []
    for argument, (name, array) in zip(arguments, arrays.items()):
        if is_unbounded(argument.type) \
                and len(_parse_dims(argument.type)[0]) != array.ndim:
            raise Refused(f"{name}: found {array.ndim} dimensions, expected "
                          f"{argument.type}")
        made.append(_sized(argument.type, array.shape))
    return made


def _refined(program: sources.Program, function: sources.Function,
             survey: "_Survey", kinds: List[str],
             arrays: Optional[Dict[str, np.ndarray]]
             ) -> Tuple[sources.Program, sources.Function]:
    """kinds: the arguments' types, if any has no size."""
    if passmanager is None or not hasattr(stablehlo,
                                          "register_stablehlo_passes"):
        raise Refused(f"{program.where}: dimensions without a size need a "
                      "newer jaxlib")
    stablehlo.register_stablehlo_passes()
    passes: List[str] = []
    if survey.hlo:
        mlir.mhlo.register_mhlo_passes()
        passes.append(_FROM_HLO)
    copy = ir.Module.parse(function.op.parent.operation.get_asm(
        enable_debug_info=True) if function.op.parent else "")
    _keep_only(copy, survey, function)
    if arrays is not None:
        _fix_sizes(copy, list(arrays.values()))
    if kinds and (survey.sized or any("#" in kind for kind in kinds)):
        _set_types(copy, kinds)  # the pass reads no bounds
    elif kinds:
        passes.append(f"stablehlo-refine-arguments{{types={','.join(kinds)}}}")
    if survey.sized:
        passes += [*_FOLD, *_REFINE, *_FOLD]
    _run(copy, passes, program.where)
    _repeat(copy, program.where)
    made = sources.Program(program.where)
    made.columns, made.kept = program.columns, [copy, *program.kept]
    made.add_module(copy.operation, "")
    return made, made.functions["main"]


def _main(copy: ir.Module) -> ir.Operation:
    return next(f for f in copy.body.operations
                if "sym_name" in f.operation.attributes
                and mlir.text(f.operation.attributes["sym_name"]) == "main"
                ).operation


def _set_types(copy: ir.Module, kinds: List[str]) -> None:
    """The arguments have these types, also for other dialects, which the pass
    for arguments would hide from them."""
    main = _main(copy)
    block = main.regions[0].blocks[0]
    for argument, kind in zip(block.arguments, kinds):
        argument.set_type(ir.Type.parse(kind))
    last = list(block.operations)[-1].operation
    main.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(
        [a.type for a in block.arguments], [v.type for v in last.operands]))


def _keep_only(copy: ir.Module, survey: _Survey, function: sources.Function
               ) -> None:
    """What the function needs; it becomes the main function."""
    kept = {f.name for f in survey.reached.values()}
    for op in list(copy.body.operations):
        name = mlir.text(op.operation.attributes["sym_name"]) \
            if "sym_name" in op.operation.attributes else ""
        if op.operation.name == "sdy.mesh":
            continue
        if op.operation.name != "func.func" or name not in kept:
            op.operation.erase()
        elif name == function.name:
            op.operation.attributes["sym_name"] = ir.StringAttr.get("main")
            if "sym_visibility" in op.operation.attributes:
                del op.operation.attributes["sym_visibility"]


def _fix_sizes(copy: ir.Module, arrays: List[np.ndarray]) -> None:
    """Arguments that sizes are made of become constants, so that the passes
    know the shapes that these inputs give."""
    block = _main(copy).regions[0].blocks[0]
    found, seen, todo = set(), set(), _size_operands(block)
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen.add(value)
        if not isinstance(value.owner, ir.Block):
            todo += list(value.owner.operation.operands)
        elif value.owner == block:
            found.add(ir.BlockArgument(value).arg_number)
    for number in sorted(found):
        argument = block.arguments[number]
        kind = ir.RankedTensorType(argument.type)
        if not isinstance(kind.element_type, (ir.IntegerType, ir.IndexType)) \
                or list(kind.shape) != list(arrays[number].shape):
            continue
        with ir.InsertionPoint.at_block_begin(block), \
                ir.Location.unknown():
            made = stablehlo.constant(ir.DenseElementsAttr.get(
                np.ascontiguousarray(arrays[number]), type=kind))
        argument.replace_all_uses_with(made)


def _size_operands(block: ir.Block) -> List[ir.Value]:
    made = []
    for op in block.operations:
        made += [op.operation.operands[k]
                 for k in _SIZES.get(op.operation.name, ())]
        for region in op.operation.regions:
            for inner in region.blocks:
                made += _size_operands(inner)
    return made


def _repeat(module: ir.Module, where: str) -> None:
    """Sizes that one round finds are constants for the next."""
    before = ""
    for _ in range(_ROUNDS):
        text = module.operation.get_asm(large_elements_limit=16)
        if text == before:
            break
        before = text
        _run(module, _REFINE, where)


def _run(module: ir.Module, passes: Sequence[str], where: str) -> None:
    said: List[str] = []
    silent = ir.Context.current.attach_diagnostic_handler(
        lambda d: said.append(f"{d.location}: {d.message}") or True)
    try:
        for name in passes:
            passmanager.PassManager.parse(f"builtin.module({name})").run(
                module.operation)
    except (ir.MLIRError, RuntimeError, ValueError) as e:
        raise Refused(sources.parse_error(said[0] if said else str(e), where)
                      ) from None
    finally:
        silent.detach()
