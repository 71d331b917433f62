"""What HLO writes otherwise, as StableHLO does: in a module, before it is read.

SPDX-License-Identifier: Apache-2.0

An operation that is started becomes what it computes, and the tuple of a call's
results becomes its results.  In some versions of the bindings an object of an
operation that was erased may not be touched, so all are found first.
"""
from typing import Iterator, List

from assay import mlir
from assay.mlir import func, ir, stablehlo


def rewrite(module: ir.Operation) -> None:
    """In place; what is not of these forms stays, and is refused by name."""
    for start in list(_find(module, ".async_start")):
        _inline(start)
    for call in list(_find(module, "stablehlo.custom_call")):
        if len(call.results) == 1 and mlir.is_tuple(call.results[0].type):
            _spread(call)


def _find(op: ir.Operation, name: str) -> Iterator[ir.Operation]:
    """Those whose names end so; one inside of another comes first."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from _find(inner.operation, name)
                if inner.operation.name.endswith(name):
                    yield inner.operation


def _users(value: ir.Value) -> List[ir.Operation]:
    return [use.owner.operation for use in value.uses]


def _inline(start: ir.Operation) -> None:
    """What async_start begins is computed there, and async_done is its results:
    the same values, and operations that can be judged one by one."""
    done = start
    while done.name.endswith((".async_start", ".async_update")):
        users = _users(done.results[0])
        if len(users) != 1:
            return  # refused by name
        done = users[0]
    if not done.name.endswith(".async_done"):
        return
    if "called_computation" in start.attributes:
        callee = ir.FlatSymbolRefAttr(start.attributes["called_computation"])
        values = func.CallOp([r.type for r in done.results], callee,
                             list(start.operands), loc=start.location,
                             ip=ir.InsertionPoint(start)).results
    else:
        block = start.regions[0].blocks[0]
        for argument, operand in zip(block.arguments, start.operands):
            argument.replace_all_uses_with(operand)
        *inner, end = [o.operation for o in block.operations]
        for moved in inner:
            moved.move_before(start)
        values = list(end.operands)
    for result, value in zip(done.results, values):
        result.replace_all_uses_with(value)
    while done != start:
        before = done.operands[0].owner
        done.erase()
        done = before
    start.erase()


def _spread(call: ir.Operation) -> None:
    """A call whose one result is a tuple has its elements as results."""
    place, at = call.location, ir.InsertionPoint(call)
    made = ir.Operation.create(
        call.name, mlir.elements(call.results[0].type), list(call.operands),
        dict(mlir.named(call.attributes)), loc=place, ip=at)
    for user in _users(call.results[0]):
        if user.name == "stablehlo.get_tuple_element":
            index = ir.IntegerAttr(user.attributes["index"]).value
            user.results[0].replace_all_uses_with(made.results[index])
            user.erase()
    if _users(call.results[0]):
        call.results[0].replace_all_uses_with(stablehlo.TupleOp(
            list(made.results), loc=place, ip=at).result)
    call.erase()
