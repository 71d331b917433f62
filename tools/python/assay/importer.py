"""Programs in StableHLO or HLO as cases (spec/case-format.md).

SPDX-License-Identifier: Apache-2.0

    python -m assay import FILE.mlir [--inputs FILE.npz] -o case.json

sources.py finds the functions of a file, refine.py gives sizes to dimensions
that have none, and instruction.py writes each operation.  What the case format
cannot say is refused with its place: mlir.Refused.
"""
import itertools
import re
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from assay import mlir, refine, regions, sources, types
from assay.instruction import Instruction
from assay.mlir import Refused, ir
from assay.types import OPERATIONS


class Placed(Refused):
    """With its place."""


#: Where an instruction or an argument comes from ("3:8"), and what it is there.
Origin = Tuple[str, str]


class Body:
    """A computation being written.  scope: the module of its calls."""

    def __init__(self, module: "Module", scope: str) -> None:
        self.module, self.scope = module, scope
        self.names: Dict[ir.Value, str] = {}
        self.parameters: List[str] = []
        self.body: List[dict] = []
        self.absorbed: List[str] = []
        self.entry = False  # of the function that is imported, not in a region
        self.checked: List[ir.Value] = []  # what a test asserts something of
        self.origin: Optional[Origin] = None  # of what is added

    def inner(self) -> "Body":
        """One for a region of an operation."""
        return Body(self.module, self.scope)

    def note_check(self, values: Sequence[ir.Value]) -> None:
        if self.entry:
            self.checked += values
        elif self.origin:
            self.module.inner_checks.append(self.origin[0])

    def add(self, op: str, operands: Sequence[str] = (), **attributes) -> str:
        name = f"v{len(self.body)}"
        self.body.append({"name": name, "op": op, "operands": list(operands),
                          "attributes": attributes})
        if self.origin:
            self.module.origins[id(self.body[-1])] = self.origin
        return name

    def parameter(self, shape: str) -> str:
        self.parameters.append(shape)
        return f"p{len(self.parameters) - 1}"

    def take(self, values: Sequence[ir.Value], again: bool = False) -> None:
        """The values are the elements of one parameter, or the parameter;
        again: one that has a name keeps it."""
        name = self.parameter(mlir.joined_shape([v.type for v in values]))
        if not again or values[0] not in self.names:
            self.scatter(name, values)

    def take_flat(self, value: ir.Value) -> None:
        """A tuple is one parameter for each of its elements."""
        def take(kind: ir.Type) -> str:
            if mlir.is_tuple(kind):
                return self.add("Tuple", [take(k) for k in mlir.elements(kind)])
            return self.parameter(mlir.shape_text(kind))
        self.names[value] = take(value.type)

    def scatter(self, name: str, values: Sequence[ir.Value],
                of_tuple: bool = False) -> None:
        """of_tuple: name has more elements than these."""
        for i, value in enumerate(values):
            self.names[value] = name if len(values) == 1 and not of_tuple \
                else self.add("GetTupleElement", [name], index=i)

    def name(self, value: ir.Value) -> str:
        if value not in self.names:
            if not regions.is_fixed(value):
                raise Refused("a region that uses a value from outside")
            Instruction(self, value.owner.operation).write()
        return self.names[value]

    def join(self, values: Sequence[ir.Value]) -> str:
        """One value, or a tuple of several."""
        names = [self.name(v) for v in values]
        return names[0] if len(names) == 1 else self.add("Tuple", names)

    def finish(self, values: Sequence[ir.Value]) -> dict:
        result = self.join(values)
        used, kept = {result}, []
        for i in reversed(self.body):
            if i["name"] in used or i["name"] not in self.absorbed:
                used.update(i["operands"])
                kept.append(i)
        return {"parameters": self.parameters, "body": kept[::-1],
                "result": result}

    def run(self, block: ir.Block) -> Sequence[ir.Value]:
        """Add a block's operations; what it returns."""
        for op in block.operations:
            op = op.operation
            if op.name.endswith(".return"):
                return list(op.operands)
            self.origin = self.module.origin(op.location, op.name)
            try:
                Instruction(self, op).write()
            except (Placed, RecursionError, MemoryError):
                raise  # Placed: in a region, or in a function that is called
            except Exception as e:  # the bindings raise any class
                raise self.module.refuse(op, e) from None
        raise self.module.refuse(block.owner.operation,
                                 Refused("a block without a return"))


class Module:
    """A function of a program being imported, with what it calls.

    notices   what a user should know of the choices made
    policies  choices that the program's attributes make
    replicas  overrides what the module says, or its groups of replicas need
    """

    def __init__(self, program: sources.Program, entry: Optional[str] = None,
                 arrays: Optional[Dict[str, np.ndarray]] = None,
                 replicas: Optional[int] = None, whole: bool = True) -> None:
        self.program, self.where = program, program.where
        self.computations: Dict[str, dict] = {}
        self.origins: Dict[int, Origin] = {}  # by the identity of instructions
        self.arguments: Dict[str, List[Origin]] = {}  # of each function
        self.notices: List[str] = []
        self.callers: List[str] = []  # where what is written is called
        self.inner_checks: List[str] = []  # places of what is no result
        self.policies: Dict[str, str] = {}
        self.devices = 0  # of the mesh for which parts are computed
        self.channels = itertools.count(1 << 16)
        self._blobs: Optional[mlir.Resources] = None
        function, notice = program.choose(entry)
        if notice:
            self.notices.append(notice)
        if function.op is None:
            raise Placed(function.why)
        if whole:
            self.program, function, notice = refine.refine(
                program, function, arrays)
            self.notices += [notice] if notice else []
        self._attributes = mlir.named(
            self.program.modules[function.module].attributes)
        self.chosen, self.scope = function, function.module
        self.entry = self.computation_name(function)
        self.replicas = self.partitions = 1
        if whole:
            self.function(function.name, function.module, entry=True)
            self._count(replicas)

    @staticmethod
    def computation_name(function: sources.Function) -> str:
        return function.key.replace("::", ".")

    def origin(self, location: Any, what: str) -> Origin:
        """Where a value comes from: "3:8" and its operation, or the operation
        with its place in another file, or its name in HLO."""
        what = what.replace("assay.", "stablehlo.")  # as the program says it
        place = mlir.user_place(location)
        if place and place[1] == "-":
            column = self.program.columns.get(int(place[2]), place[3] or 1)
            return f"{place[2]}:{column}", what
        if place and place[1] != self.where:
            return "", f"{what} ({place[1]}:{place[2]})"
        name = re.match(r'loc\("([^"]*)"\)', str(location))
        said = [name[1]] if name else []
        if self.callers and self.callers[-1]:
            said.append(f"called at {self.callers[-1]}")
        return "", f"{what} ({', '.join(said)})" if said else what

    def step(self, op: ir.Operation) -> Tuple[List[ir.Value], dict]:
        """One operation as a computation, and the values that it takes;
        constants stay constants."""
        taken = [v for v in regions.find_used(op) if not regions.is_constant(v)]
        body = Body(self, self.scope)
        try:
            for value in taken:
                body.take([value])
            Instruction(body, op).write()
        except (Placed, RecursionError, MemoryError):
            raise
        except Exception as e:  # as in Body.run
            raise self.refuse(op, e) from None
        return taken, body.finish(list(op.results))

    def part(self, block: ir.Block, taken: Sequence[ir.Value]) -> dict:
        """A block as a computation of the values that it takes."""
        body = Body(self, self.scope)
        for value in taken:
            body.take([value])
        return body.finish(body.run(block))

    def refuse(self, op: ir.Operation, why: Any) -> Placed:
        place, what = self.origin(op.location, op.name)
        said = str(why) if isinstance(why, (Refused, LookupError)) \
            else f"{type(why).__name__}: {why}"
        if isinstance(why, KeyError):
            said = f"{why.args[0]} is missing"
        return Placed(f"{self.where}{place and ':'}{place}: {what}: {said}")

    def add(self, computation: dict) -> str:
        name = f"c{len(self.computations)}"
        while name in self.computations:
            name += "_"
        self.computations[name] = computation
        return name

    def literal(self, op: ir.Operation) -> dict:
        """Of a constant; its bytes may stand after the module."""
        if self._blobs is None and "dense_resource<" in op.get_asm(
                print_generic_op_form=True, use_local_scope=True)[:2000]:
            self._blobs = {}
            for module in self.program.kept:
                self._blobs.update(mlir.resources(module.operation.get_asm()))
        return mlir.literal(op, self._blobs or {})

    def function(self, name: str, scope: str, entry: bool = False,
                 call: Any = "") -> str:
        """A function as a computation, once.  call: the location of the first
        call."""
        key = f"{scope}::{name}" if scope else name
        found = self.program.functions.get(key)
        if found is None:
            raise Refused(f"there is no function '{name}'")
        if found.op is None:
            raise Placed(found.why)
        made = self.computation_name(found)
        if self.computations.get(made) == {}:
            raise Refused(f"the function {name} calls itself")
        if made not in self.computations:
            self.computations[made] = {}
            place = mlir.user_place(call)
            self.callers.append(
                f"{place[1]}:{place[2]}" if place and place[1] != "-"
                else self.callers[-1] if self.callers else "")
            self.computations[made] = self._write(found, made, entry)
            self.callers.pop()
        return made

    def _write(self, function: sources.Function, made: str, entry: bool
               ) -> dict:
        op = function.op
        if not op.regions[0].blocks:
            raise self.refuse(op, Refused("a function without a body"))
        block, body = op.regions[0].blocks[0], Body(self, function.module)
        body.entry = entry
        if len(op.regions[0].blocks) > 1:
            raise self.refuse(op, Refused("more than one block"))
        origins = []
        for i, argument in enumerate(block.arguments):
            before = len(body.parameters)
            try:
                if entry:
                    body.take_flat(argument)
                else:
                    body.take([argument])
            except LookupError as e:
                raise self.refuse(op, Refused(f"argument {i}: {e}")) from None
            origins += [self.origin(getattr(argument, "location", ""),
                                    f"argument {i}")] \
                * (len(body.parameters) - before)
        self.arguments[made] = origins
        results = body.run(block)
        nothing = entry and not results
        if nothing and body.checked:
            results = body.checked
            self.notices.append(
                f"{self.where}: '{function.key}' returns nothing: its results "
                f"are the {len(results)} values that it checks")
        if nothing and self.inner_checks:
            self.notices.append(
                f"{self.where}: '{function.key}' returns nothing: the "
                f"{len(self.inner_checks)} values that are checked in regions "
                "or in functions that it calls are not judged; the first is at "
                f"{self.inner_checks[0]}")
        return body.finish(results)

    # ---- Replicas ----------------------------------------------------------

    def _count(self, replicas: Optional[int]) -> None:
        """Replicas and partitions: of the module, or as its collectives need.
        A global program with shardings is one partition."""
        counts = {k: ir.IntegerAttr(self._attributes[f"mhlo.num_{k}"]).value
                  if f"mhlo.num_{k}" in self._attributes else 1
                  for k in ("replicas", "partitions")}
        if self.devices:
            if counts["replicas"] > 1 or (replicas or 1) > 1 \
                    or counts["partitions"] not in (1, self.devices):
                raise Refused(
                    f"{self.where}: replicas: {replicas or counts['replicas']}"
                    f", partitions: {counts['partitions']}, beside a mesh of "
                    f"{self.devices} devices")
            self.replicas, self.partitions = 1, self.devices
            return
        needs = self._needs()
        if self._is_sharded() and not needs:
            counts["partitions"] = 1
        elif replicas is None and set(counts.values()) == {1}:
            counts.update(needs)
        self.replicas = counts["replicas"] if replicas is None else replicas
        self.partitions = counts["partitions"]

    def need_devices(self, count: int) -> None:
        """Parts of arrays are computed on so many."""
        if self.devices not in (0, count):
            raise Refused(f"a mesh of {count} devices beside one of "
                          f"{self.devices}")
        self.devices = count

    def _is_sharded(self) -> bool:
        """Do the modules say where parts of the global program are computed?"""
        for module in self.program.modules.values():
            for op in module.regions[0].blocks[0].operations:
                if op.operation.name == "sdy.mesh" or any(
                        n in ("mhlo.sharding", "sdy.sharding")
                        for n in _notes(op.operation)):
                    return True
        return False

    def _needs(self) -> Dict[str, int]:
        """How many replicas, or partitions, groups and pairs name."""
        needs: Dict[str, int] = {}
        for instruction in self._instructions():
            mode = OPERATIONS[instruction["op"]].get("group_mode")
            if not mode:
                continue
            given = instruction["attributes"]
            kind = mode["global" if given.get("use_global_device_ids") else
                        "channel" if given.get("channel_id", 0) > 0 else
                        "none"]
            rows = given.get("replica_groups") or given.get(
                "source_target_pairs") or []
            shards = given.get("shard_count", given.get("split_count", 1))
            count = max([x + 1 for row in rows for x in row] or [shards])
            k = "partitions" if kind == "cross-partition" else "replicas"
            needs[k] = max(needs.get(k, 1), count)
            if kind == "cross-replica-and-partition" and rows \
                    and shards > len(rows[0]):
                needs["partitions"] = max(needs.get("partitions", 1),
                                          shards // len(rows[0]))
        return needs

    def _instructions(self) -> Iterator[dict]:
        for computation in self.computations.values():
            yield from computation["body"]

    def inputs(self) -> List[Optional[types.Shape]]:
        return [types.parse_shape(s)
                for s in self.computations[self.entry]["parameters"]]

    def operation(self) -> str:
        """What the entry applies last, for the case file's member op."""
        return operation_of(self.computations[self.entry])


def operation_of(computation: dict) -> str:
    """What a computation applies last; if it only returns its parameters, that
    is their operation."""
    names = [i["op"] for i in computation["body"]]
    plain = [n for n in names
             if n not in ("Tuple", "GetTupleElement", "Constant")]
    return (plain or names or ["Parameter"])[-1]


def _notes(op: ir.Operation) -> Iterator[str]:
    """Names of attributes of a function's arguments and results."""
    for name in ("arg_attrs", "res_attrs"):
        if name in op.attributes:
            for one in ir.ArrayAttr(op.attributes[name]):
                yield from mlir.named(ir.DictAttr(one))


def open_program(data: bytes, where: str) -> sources.Program:
    """The functions of a program in any form."""
    try:
        return sources.read(data, where)
    except RecursionError:
        raise Refused(f"{where}: regions or calls are nested too deeply"
                      ) from None


def import_program(data: bytes, where: str = "module",
                   entry: Optional[str] = None,
                   arrays: Optional[Dict[str, np.ndarray]] = None,
                   replicas: Optional[int] = None) -> Module:
    """A program of StableHLO or HLO in any form."""
    with mlir.context(), ir.Location.unknown():
        try:
            return Module(open_program(data, where), entry, arrays, replicas)
        except RecursionError:
            raise Refused(f"{where}: regions or calls are nested too deeply"
                          ) from None
        except (RuntimeError, UnicodeDecodeError) as e:
            # The bindings take every text of MLIR for UTF-8.
            text = isinstance(e, UnicodeDecodeError) \
                or "conversion error" in str(e)
            said = "a name or a text in it is not UTF-8" if text \
                else (str(e).splitlines() or [type(e).__name__])[0]
            raise Refused(f"{where}: {said}") from None


def function_names(data: bytes, where: str = "module") -> List[str]:
    """What --entry may name."""
    with mlir.context(), ir.Location.unknown():
        return list(open_program(data, where).functions)
