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
from assay.regions import find_used

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
        made = {"policies": self.policies} if self.policies else {}
        return {**made, "inputs": [reference.literal(x) for x in self.operands],
                "module": {"computations": {**self.others,
                                            "judged": self.computation},
                           "entry": "judged"}}

    def main(self) -> str:
        """The operation of spec/ops that it is, if it is one."""
        return importer.operation_of(self.computation)


class Unknown(Exception):
    """A value that cannot be worked out."""


class Walk:
    """Of a program's entry.  others: (title, place, reason) of operations that
    cannot be evaluated."""

    def __init__(self, module: importer.Module, profile: Optional[str] = None
                 ) -> None:
        self.module, self.profile = module, profile
        self.steps: List[Step] = []
        self.others: List[Tuple[str, str, str]] = []
        self.calls: List[str] = []
        self.callers: List[str] = []  # where these are called

    def run(self, block: ir.Block, inputs: Sequence[np.ndarray],
            path: str = "", outer: Optional[dict] = None) -> List[Any]:
        """The values that a block returns; None for one that is unknown."""
        values = dict(outer or {})
        values.update(zip(block.arguments, inputs))
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

    def place(self, op: ir.Operation) -> str:
        """Where the user wrote it, or the call of what it stands in."""
        if self.callers and not mlir.user_place(op.location):
            return self.callers[-1]
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
                    computation, self._reached(computation),
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

    def _reached(self, computation: dict) -> Dict[str, dict]:
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
            kept = len(self.steps)
            inside = f"iteration {number} of {op.name} ({self.place(op)})" \
                f"{', ' if path else ''}{path}"
            again = self.run(condition, state, inside, values)[0]
            if again is None:
                raise Unknown("its condition is not known")
            if again:
                state = self.run(body, state, inside, values)
            if number >= ITERATIONS and number & (number - 1):
                del self.steps[kept:]
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


def program(step: Step, functions: Sequence[ir.Operation]) -> str:
    """The operation as a module of its own: what it takes are the parameters of
    main; constants stay constants."""
    from jaxlib.mlir.dialects import func
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        main = func.FuncOp("main", ([v.type for v in step.taken],
                                    [v.type for v in step.op.results]))
        if "@" in step.op.get_asm():
            for function in functions:
                if mlir.text(function.attributes["sym_name"]) != "main":
                    function.clone()
    block = main.add_entry_block()
    names = dict(zip(step.taken, block.arguments))
    with ir.InsertionPoint(block):
        for value in find_used(step.op):
            if value not in names:
                names[value] = value.owner.operation.clone().results[0]
        made = step.op.clone()
        _rebind(made.operation, names)
        func.ReturnOp(list(made.results))
    return module.operation.get_asm(print_generic_op_form=True)


def _rebind(op: ir.Operation, names: Dict[ir.Value, ir.Value]) -> None:
    for i, value in enumerate(op.operands):
        if value in names:
            op.operands[i] = names[value]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                _rebind(inner.operation, names)


