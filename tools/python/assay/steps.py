"""A program step by step: the operands that each operation is given.

SPDX-License-Identifier: Apache-2.0

Values are the exact ones, each rounded once.  Calls, the branch that is taken,
and the iterations of loops are entered.  jax_check.py and steps_command.py use
it.
"""
import dataclasses
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from assay import importer, library, mlir, reference
from assay.instruction import spelling
from assay.mlir import Refused, ir
from assay.regions import find_captured, find_used, is_constant

#: Every iteration of a loop is a step up to this one, then those whose number
#: is a power of two.
ITERATIONS = 64
ITERATIONS_MOST = 10000
_CONSTANTS = ("stablehlo.constant", "stablehlo.iota")


def user_place(op: ir.Operation, where: str = "") -> str:
    """"model.py:12": the innermost place that is neither Assay's nor JAX's, or
    the operation's line in the program itself."""
    place = mlir.user_place(op.location)
    if place and place[1] == "-":
        return f"{where}:{place[2]}" if where else f"line {place[2]}"
    if place:
        return f"{place[1]}:{place[2]}"
    name = re.search(r'"([^"]*)"', str(op.location))
    return name[1] if name and not mlir.PLACE.search(str(op.location)) \
        else "place unknown"


def title(op: ir.Operation) -> str:
    """Its name, and what it calls."""
    return f"{op.name} {op.attributes['callee']}" \
        if "callee" in op.attributes else op.name


def case_of(computation: dict, others: Dict[str, dict],
            operands: Sequence[np.ndarray], policies: Dict[str, str]
            ) -> Dict[str, Any]:
    """A computation, which may name the others, on operands."""
    entry = "judged"
    while entry in others:
        entry += "_"
    made = {"policies": policies} if policies else {}
    return {**made, "inputs": [reference.literal(x) for x in operands],
            "module": {"computations": {**others, entry: computation},
                       "entry": entry}}


@dataclasses.dataclass
class Step:
    """An operation on its way.

    op           of MLIR
    path         what it stands in: "iteration 2 of stablehlo.while (m.py:3)"
    taken        the values of MLIR that it takes, and
    operands     theirs
    results      the exact results
    computation  the operation as one, which may name
    others       these
    policies     choices that its attributes make
    place        where the user wrote it
    """
    op: ir.Operation
    path: str
    taken: List[ir.Value]
    operands: List[np.ndarray]
    results: List[Optional[np.ndarray]]
    computation: dict
    others: Dict[str, dict]
    policies: Dict[str, str] = dataclasses.field(default_factory=dict)
    place: str = ""

    def case(self) -> Dict[str, Any]:
        return case_of(self.computation, self.others, self.operands,
                       self.policies)

    def main(self) -> str:
        """The operation of spec/ops that it is, if it is one."""
        return importer.operation_of(self.computation)


@dataclasses.dataclass
class Part:
    """What a program runs inside: a loop's iteration, a branch that is taken, a
    function that is called.

    block     of MLIR
    path      as of a step
    taken     the values of MLIR that it takes, and
    operands  theirs
    caller    where the function that it stands in is called, or ""
    place     of what it stands in
    """
    block: ir.Block
    path: str
    taken: List[ir.Value]
    operands: List[np.ndarray]
    caller: str = ""
    place: str = ""

    def operations(self) -> List[ir.Operation]:
        """All but what returns."""
        return [op.operation for op in self.block.operations][:-1]


class Unknown(Exception):
    """A value that cannot be worked out."""


class Walk:
    """Of a program's entry.  parts: what has several operations, and is not the
    entry.  others: (title, place, reason) of operations that cannot be
    evaluated."""

    def __init__(self, module: importer.Module, profile: Optional[str] = None
                 ) -> None:
        self.module, self.profile = module, profile
        self.steps: List[Step] = []
        self.parts: List[Part] = []
        self.others: List[Tuple[str, str, str]] = []
        self.calls: List[str] = []
        self.callers: List[str] = []  # where these are called

    def run(self, block: ir.Block, inputs: Sequence[np.ndarray],
            path: str = "", outer: Optional[dict] = None) -> List[Any]:
        """The values that a block returns; None for one that is unknown."""
        values = dict(outer or {})
        values.update(zip(block.arguments, inputs))
        if path:
            self._keep_part(block, values, path)
        for op in block.operations:
            op = op.operation
            if op.name.endswith(".return"):
                return [values.get(v) for v in op.operands]
            try:
                made = self._enter(op, values, path)
            except Unknown as e:
                made = [None] * len(op.results)
                if str(e):
                    self.others.append((title(op), self.place(op), str(e)))
            except (Refused, library.EvaluationError,
                    library.InvalidProgram) as e:
                made = [None] * len(op.results)
                self.others.append((title(op), self.place(op), str(e)))
            values.update(zip(op.results, made))
        return []

    def _keep_part(self, block: ir.Block, values: dict, path: str) -> None:
        taken = [*block.arguments, *(v for v in find_captured(block.region)
                                     if not is_constant(v))]
        part = Part(block, path, taken, [values.get(v) for v in taken],
                    self.callers[-1] if self.callers else "",
                    self.place(block.owner.operation))
        if sum(op.name not in _CONSTANTS for op in part.operations()) > 1 \
                and all(x is not None for x in part.operands):
            self.parts.append(part)

    def place(self, op: ir.Operation, caller: str = "") -> str:
        """Where the user wrote it, or the call of what it stands in."""
        caller = caller or (self.callers[-1] if self.callers else "")
        if caller and not mlir.user_place(op.location):
            return caller
        return user_place(op, self.module.where)

    def _enter(self, op: ir.Operation, values: dict, path: str) -> List[Any]:
        enter = _ENTERED.get(spelling(op))
        return enter(self, op, values, path) if enter \
            else self._single(op, values, path)

    def _known(self, values: dict, taken: Sequence[ir.Value]) -> List[Any]:
        found = [values.get(v) for v in taken]
        if any(f is None for f in found):
            raise Unknown("it takes a value that is not known")
        return found

    def _single(self, op: ir.Operation, values: dict, path: str) -> List[Any]:
        before = set(self.module.computations)
        taken, computation = self.module.step(op)
        step = Step(op, path, taken, self._known(values, taken), [],
                    computation, self.reached(computation),
                    dict(self.module.policies), self.place(op))
        for name in set(self.module.computations) - before:
            if name not in self.module.program.functions:
                del self.module.computations[name]
        with library.Evaluation(step.main(), step.case(), self.profile,
                                values_only=True) as e:
            step.results = [reference.array(t) for t in e.outputs()]
        if op.name not in _CONSTANTS:
            self.steps.append(step)
        return step.results

    def reached(self, computation: dict) -> Dict[str, dict]:
        """The computations that one names, and those that these name."""
        found: Dict[str, dict] = {}
        waiting = [computation]
        while waiting:
            for i in waiting.pop()["body"]:
                for value in i["attributes"].values():
                    for name in value if isinstance(value, list) else [value]:
                        if isinstance(name, str) and name not in found \
                                and name in self.module.computations:
                            found[name] = self.module.computations[name]
                            waiting.append(found[name])
        return found

    # ---- What is entered ---------------------------------------------------

    def _call(self, op: ir.Operation, values: dict, path: str) -> List[Any]:
        key = next(k for k in ("callee", "decomposition")
                   if k in op.attributes)
        name = ir.FlatSymbolRefAttr(op.attributes[key]).value
        scope = f"{self.module.scope}::" if self.module.scope else ""
        function = self.module.program.functions.get(scope + name)
        if function is None or function.op is None or name in self.calls:
            raise Unknown(f"there is no function '{name}'")
        inside = f"{name}{', ' if path else ''}{path}"
        self.callers.append(self.place(op))
        self.calls.append(name)
        try:
            return self.run(function.op.regions[0].blocks[0],
                            self._known(values, list(op.operands)), inside)
        finally:
            self.calls.pop()
            self.callers.pop()

    def _loop(self, op: ir.Operation, values: dict, path: str) -> List[Any]:
        condition, body = (r.blocks[0] for r in op.regions)
        state = self._known(values, list(op.operands))
        for number in range(ITERATIONS_MOST):
            kept, parts = len(self.steps), len(self.parts)
            inside = f"iteration {number} of {op.name} ({self.place(op)})" \
                f"{', ' if path else ''}{path}"
            again = self.run(condition, state, inside, values)[0]
            if again is None:
                raise Unknown("its condition is not known")
            if again:
                state = self.run(body, state, inside, values)
            if number >= ITERATIONS and number & (number - 1):
                del self.steps[kept:], self.parts[parts:]
            if not again:
                return state
        raise Unknown(f"more than {ITERATIONS_MOST} iterations")

    def _branch(self, op: ir.Operation, values: dict, path: str) -> List[Any]:
        index = self._known(values, list(op.operands)[:1])[0]
        regions = list(op.regions)
        number = (0 if index else 1) if spelling(op) == "stablehlo.if" else \
            int(index) if 0 <= int(index) < len(regions) else len(regions) - 1
        inside = f"branch {number} of {op.name} ({self.place(op)})" \
            f"{', ' if path else ''}{path}"
        return self.run(regions[number].blocks[0], [], inside, values)


_ENTERED = {"func.call": Walk._call, "stablehlo.composite": Walk._call,
            "stablehlo.while": Walk._loop, "stablehlo.if": Walk._branch,
            "stablehlo.case": Walk._branch}


def is_entered(op: ir.Operation) -> bool:
    """Is it no step itself: a constant, or what other operations are in?"""
    return op.name in _CONSTANTS or spelling(op) in _ENTERED


def program(taken: Sequence[ir.Value], operations: Sequence[ir.Operation],
            others: Sequence[ir.Operation]) -> str:
    """Operations as a module of their own: what they take are the parameters of
    main, and their results its; constants stay constants.  others: what their
    module has beside main."""
    from jaxlib.mlir.dialects import func
    module = ir.Module.create()
    made = [v for op in operations for v in op.results]
    with ir.InsertionPoint(module.body):
        main = func.FuncOp("main", ([v.type for v in taken],
                                    [v.type for v in made]))
        if any("@" in op.get_asm() for op in operations):
            for other in others:
                other.clone()
    block = main.add_entry_block()
    names = dict(zip(taken, block.arguments))
    with ir.InsertionPoint(block):
        for op in operations:
            for value in find_used(op):
                if value not in names:
                    names[value] = value.owner.operation.clone().results[0]
            copy = op.clone()
            _rebind(copy.operation, names)
            names.update(zip(op.results, copy.results))
        func.ReturnOp([names[v] for v in made])
    return module.operation.get_asm(print_generic_op_form=True)


def _rebind(op: ir.Operation, names: Dict[ir.Value, ir.Value]) -> None:
    for i, value in enumerate(op.operands):
        if value in names:
            op.operands[i] = names[value]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                _rebind(inner.operation, names)
