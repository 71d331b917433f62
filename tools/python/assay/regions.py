"""Regions of MLIR: what they use from outside, and what they are here.

SPDX-License-Identifier: Apache-2.0
"""
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from assay import mlir
from assay.mlir import Refused, ir

#: The name in StableHLO or CHLO of what has another one in the dialect mhlo.
_RENAMED = {"topk": "chlo.top_k", "logistic": "stablehlo.logistic"}


def dialect_names(known: Sequence[str]) -> Dict[str, str]:
    """Names of mhlo, the dialect of HLO, with those of StableHLO and CHLO; and
    the one of CHLO that StableHLO has, too."""
    made = {f"mhlo.{name.partition('.')[2]}": name for name in known
            if name.startswith(("chlo.", "stablehlo."))}
    made.update({f"mhlo.{k}": v for k, v in _RENAMED.items()})
    made["chlo.tan"] = "stablehlo.tan"
    return made


def find_captured(region: ir.Region) -> List[ir.Value]:
    """Values from outside that a region uses, in order."""
    inside, captured = set(), []

    def visit(one: ir.Region) -> None:
        for block in one.blocks:
            inside.update(block.arguments)
            for op in block.operations:
                for value in op.operation.operands:
                    if value not in inside and value not in captured:
                        captured.append(value)
                for nested in op.operation.regions:
                    visit(nested)
                inside.update(op.operation.results)
    visit(region)
    return captured


def find_used(op: ir.Operation) -> List[ir.Value]:
    """An operation's operands, and what its regions use from outside."""
    return list(dict.fromkeys([*op.operands, *(
        v for r in op.regions for v in find_captured(r))]))


def is_constant(value: ir.Value) -> bool:
    return not isinstance(value.owner, ir.Block) \
        and value.owner.operation.name == "stablehlo.constant"


#: What gives other results, or does something, each time.
_NOT_FIXED = ("rng", "custom_call", "infeed", "recv", "call", "send", "outfeed",
              "all_", "collective", "reduce_scatter", "replica_id",
              "partition_id")


def is_fixed(value: ir.Value) -> bool:
    """Is it made of constants alone, so that a region may make it again?"""
    if isinstance(value.owner, ir.Block):
        return False
    op = value.owner.operation
    return not len(op.regions) \
        and not op.name.partition(".")[2].startswith(_NOT_FIXED) \
        and all(is_fixed(v) for v in op.operands)


class Extension(NamedTuple):
    """How an operation of arrays takes one more scalar that its region uses.
    groups: into how many equal parts its operands fall, beside `between`
    operands after the first part; scalar: is the scalar itself, not an array of
    it, in the last part?  pairs: the region has two arguments in a row for each
    operand; results: the operation has one more result; returned: so has the
    region."""
    groups: int
    between: int = 0
    scalar: bool = False
    pairs: bool = False
    results: bool = True
    returned: bool = True


EXTENSIONS = {
    "stablehlo.reduce": Extension(2, scalar=True),
    "stablehlo.reduce_window": Extension(2, scalar=True),
    "stablehlo.scatter": Extension(2, between=1),
    "stablehlo.sort": Extension(1, pairs=True, returned=False),
    "stablehlo.map": Extension(1, results=False, returned=False),
}


def check_scalars(captured: Sequence[ir.Value]) -> None:
    for value in captured:
        shape = mlir.shape_of(value)
        if shape is None or shape.dims:
            raise Refused(f"a region that uses a {value.type} from outside; "
                          "only scalars can become operands")


def extend(parts: Sequence[ir.Value], extension: Extension, extra: Sequence
           ) -> List[Tuple[int, object]]:
    """Operands, or a region's arguments, with the extra ones at the end of each
    part: (part, value), where part is -1 for an operand that was there."""
    groups = extension.groups
    size = (len(parts) - extension.between) // groups
    made: List[Tuple[int, object]] = []
    for g in range(groups):
        at = g * size + (extension.between if g else 0)
        made += [(-1, v) for v in parts[at:at + size]]
        made += [(g, x) for x in extra]
        if g == 0:
            made += [(-1, v) for v in parts[size:size + extension.between]]
    return made


def find_builtin(block: ir.Block, returned: Sequence[ir.Value],
                 find: Callable[[ir.Operation], Optional[str]]
                 ) -> Optional[str]:
    """The built-in computation that a region is: a reduction with it may have
    any number of elements.  find: that of an operation."""
    arguments = list(block.arguments)
    if len(arguments) != 2 or len(returned) != 1 \
            or len({str(a.type) for a in arguments}) != 1 \
            or mlir.shape_of(arguments[0]).dims:
        return None
    for value, name in zip(arguments, ("first", "second")):
        if returned[0] == value:
            return name
    operations = list(block.operations)
    if len(operations) != 2 \
            or list(operations[0].operation.operands) != arguments:
        return None
    return find(operations[0].operation)
