"""Programs in StableHLO as cases (spec/case-format.md).

SPDX-License-Identifier: Apache-2.0

    python -m assay import FILE.mlir [--inputs FILE.npz] -o case.json

Operations and attributes are found by the names that spec/ops gives them in
StableHLO (tables.json).  What the case format cannot say is refused with its
place: mlir.Refused.
"""
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple

from assay import mlir, types
from assay.mlir import Refused, ir
from assay.types import OPERATIONS

#: Attributes without a meaning for the result, or that others repeat.
_IGNORED = {"api_version", "compare_type", "comparison_direction",
            "rng_distribution", "has_side_effect", "operand_layouts",
            "result_layouts", "output_operand_aliases", "layout",
            "called_computations"}
#: What these say when they say nothing.
_EMPTY = {"false", "[]", '""', "{}"}


def snake(name: str) -> str:
    """"AllReduce" as all_reduce."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Placed(Refused):
    """With its place."""


#: Where an instruction or an argument comes from ("3:8"), and what it is there.
Origin = Tuple[str, str]

_SPELLED: Dict[str, List[str]] = {}
for _name, _row in OPERATIONS.items():
    _SPELLED.setdefault(_row.get("stablehlo"), []).append(_name)
_BUILTIN = {_name: _row["builtin"] for _name, _row in OPERATIONS.items()
            if "builtin" in _row}


def find_operation(op: ir.Operation) -> str:
    """The operation of spec/ops; of several the most general one."""
    names = _SPELLED.get(op.name, [])
    if not names:
        raise Refused("the case format has no such operation")
    attributes = op.attributes
    if "comparison_direction" in attributes:
        total = "compare_type" in attributes \
            and mlir.word(attributes["compare_type"]) == "TOTALORDER"
        return mlir.word(attributes["comparison_direction"]).capitalize() \
            + ("TotalOrder" if total else "")
    if "rng_distribution" in attributes:
        return "Rng" + mlir.word(attributes["rng_distribution"]).capitalize()
    if "call_target_name" in attributes:
        target = ir.StringAttr(attributes["call_target_name"]).value
        for name in names:
            if snake(name) == target:
                return name
        names = [n for n in names
                 if "call_target_name" in OPERATIONS[n]["attributes"]]
    return max(names, key=lambda n: len(OPERATIONS[n]["attributes"]))


def position(location: ir.Location) -> str:
    """"3:8", or nothing where it is unknown, as in bytecode."""
    place = re.search(r'"[^"]*":(\d+):(\d+)', str(location))
    return f"{place[1]}:{place[2]}" if place else ""


class Body:
    """A computation being written."""

    def __init__(self, module: "Module", outer: Optional["Body"] = None
                 ) -> None:
        self.module, self.outer = module, outer
        self.names: Dict[ir.Value, str] = {}
        self.parameters: List[str] = []
        self.body: List[dict] = []
        self.absorbed: List[str] = []
        self.origin: Optional[Origin] = None  # of what is added

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

    def take(self, values: Sequence[ir.Value]) -> None:
        """The values are the elements of one parameter, or the parameter."""
        name = self.parameter(mlir.joined_shape([v.type for v in values]))
        self.scatter(name, values)

    def scatter(self, name: str, values: Sequence[ir.Value]) -> None:
        for i, value in enumerate(values):
            self.names[value] = name if len(values) == 1 else \
                self.add("GetTupleElement", [name], index=i)

    def name(self, value: ir.Value) -> str:
        if value not in self.names:
            owner = None if isinstance(value.owner, ir.Block) \
                else value.owner.operation
            if owner is None or owner.name != "stablehlo.constant":
                raise Refused("a region that uses a value from outside")
            self.names[value] = self.add(  # a constant is one anywhere
                "Constant", literal=mlir.literal(owner))
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
            if op.name in ("func.return", "stablehlo.return"):
                return list(op.operands)
            self.origin = (position(op.location), op.name)
            try:
                Instruction(self, op).write()
            except Placed:  # in a region, or in a function that is called
                raise
            except (Refused, LookupError) as e:
                raise self.module.refuse(op, e) from None
        raise Refused("a block without a return")


class Instruction:
    """One operation on its way into a body."""

    def __init__(self, body: Body, op: ir.Operation) -> None:
        self.body, self.op = body, op
        self.operands, self.results = list(op.operands), list(op.results)
        # A constant's attribute may have no class in the bindings.
        self.there = {} if op.name == "stablehlo.constant" else {
            n: op.attributes[n] for n in (
                getattr(a, "name", a) for a in op.attributes)}
        self.here: Dict[str, Any] = {}

    def write(self) -> None:
        special = _SPECIAL.get(self.op.name)
        if special:
            special(self)
            return
        self.ours = find_operation(self.op)
        if self.ours == "RaggedAllToAll":  # there the output comes second
            order = (0, 2, 3, 1, 4, 5)
            self.operands = [self.operands[i] for i in order]
            self.there = {a.name: a.attr for a in
                          ir.DictAttr(self.there["backend_config"])}
        self.read_attributes()
        self.put([self.body.name(v) for v in self.operands])

    def put(self, names: Sequence[str]) -> None:
        """The instruction, and the elements of its result."""
        made = self.body.add(self.ours, names, **self.here)
        if self.results:
            self.body.scatter(made, self.results)

    # ---- Attributes --------------------------------------------------------

    def read_attributes(self) -> None:
        regions = iter(self.op.regions)
        for name, row in OPERATIONS[self.ours]["attributes"].items():
            derive = _DERIVED.get(name)
            theirs = row.get("stablehlo", name).partition(" ")[0]
            form = row.get("form", "computation")
            if derive:
                derive(self, name)
            elif form == "computation":
                self.here[name] = self.computation(regions)
            elif form == "padding-config":
                self.padding_config(name)
            elif theirs in self.there:
                value = self.there.pop(theirs)
                if form == "string" and not isinstance(value, ir.StringAttr):
                    raise Refused(f"{theirs} = {value} is not text"[:200])
                if form == "dimension-numbers":
                    value = mlir.numbers(value, row["members"])
                else:
                    value = mlir.DECODE[form](value)
                self.here[name] = f"RNG_{value}" if form == "name" \
                    and f"RNG_{value}" in row["names"] else value
        self.check_left()

    def check_left(self) -> None:
        for name, value in self.there.items():
            if name not in _IGNORED and "." not in name \
                    and str(value) not in _EMPTY \
                    and (name, str(value)) != ("is_stable", "true"):
                raise Refused(f"the attribute {name} = {value}"[:200])

    def padding_config(self, name: str) -> None:
        sides = ("edge_padding_low", "edge_padding_high", "interior_padding")
        columns = [mlir.ints(self.there.pop(s)) for s in sides]
        self.here[name] = [dict(zip(sides, row)) for row in zip(*columns)]

    def computation(self, regions) -> str:
        for callee in ("callee", "decomposition"):
            if callee in self.there:
                return self.body.module.function(
                    ir.FlatSymbolRefAttr(self.there.pop(callee)).value)
        return self.region(next(regions))

    def region(self, region: ir.Region, state: bool = False) -> str:
        """A computation of a region; state: of one parameter, which is all of
        the region's arguments."""
        block = region.blocks[0]
        body = Body(self.body.module)
        arguments = list(block.arguments)
        if state:
            body.take(arguments)
        else:
            for a in arguments:
                body.take([a])
        returned = body.run(block)
        builtin = find_builtin(block, returned)
        return builtin or body.module.add(body.finish(returned))

    def shapes(self, name: str) -> None:
        """StableHLO says by types what is an attribute here."""
        kinds = [v.type for v in self.results]
        if OPERATIONS[self.ours].get("tuple_result") == "always":
            kinds = kinds[-1:]
        self.here[name] = mlir.joined_shape(kinds)

    def result(self) -> types.Shape:
        return types.parse_mlir(str(self.results[0].type))

    def preferred(self, name: str) -> None:
        kinds = {types.parse_mlir(str(v.type)).dtype
                 for v in (*self.operands[:2], *self.results)}
        if len(kinds) > 1:
            self.here[name] = self.result().dtype

    def shard_count(self, name: str) -> None:
        """How much smaller or larger the result is; of no elements, as many
        as a group has members."""
        pairs = zip(types.parse_mlir(str(self.operands[0].type)).dims,
                    self.result().dims)
        ratios = [max(p) // min(p) for p in pairs if 0 not in p]
        rows = mlir.matrix(self.there["replica_groups"])
        self.here[name] = max(ratios) if 0 not in self.result().dims \
            else len(rows[0])

    def channel(self, name: str) -> None:
        handle = self.there.pop("channel_handle", None)
        if handle is not None:
            self.here[name] = int(re.search(r"handle = (\d+)", str(handle))[1])
        elif name in self.there:
            self.here[name] = ir.IntegerAttr(self.there.pop(name)).value

    # ---- Operations that differ --------------------------------------------

    def constant(self) -> None:
        self.ours = "Constant"
        self.here["literal"] = mlir.literal(self.op)
        self.put([])

    def loop(self) -> None:
        self.ours = "While"
        for name, region in zip(("condition", "body"), self.op.regions):
            self.here[name] = self.region(region, state=True)
        self.put([self.body.join(self.operands)])

    def conditional(self) -> None:
        """A branch takes what it uses from outside as its operand."""
        self.ours = "Conditional"
        names, operands = [], [self.body.name(self.operands[0])]
        for region in self.op.regions:
            captured = find_captured(region)
            body = Body(self.body.module)
            body.take(captured)
            names.append(body.module.add(
                body.finish(body.run(region.blocks[0]))))
            operands.append(self.body.join(captured))
        if self.op.name == "stablehlo.if":
            self.here = dict(zip(("true_computation", "false_computation"),
                                 names))
        else:
            self.here = {"branch_computations": names}
        self.put(operands)

    def rng(self) -> None:
        """The shape is an operand there."""
        self.ours = find_operation(self.op)
        self.body.absorbed.append(self.body.name(self.operands.pop()))
        self.read_attributes()
        self.put([self.body.name(v) for v in self.operands])

    def square(self) -> None:
        """By definition; of a complex number it need not be a product."""
        self.ours = "Mul"
        if self.result().dtype[0] == "c":
            raise Refused("of a complex number")
        self.put([self.body.name(self.operands[0])] * 2)

    def infeed(self) -> None:
        self.ours = "Infeed"
        arrays, token = self.results[:-1], self.results[-1]
        self.results = arrays
        self.read_attributes()
        made = self.body.add(self.ours, [self.body.name(self.operands[0])],
                             **self.here)
        data = self.body.add("GetTupleElement", [made], index=0)
        if arrays:
            self.body.scatter(data, arrays)
        self.body.names[token] = self.body.add("GetTupleElement", [made],
                                               index=1)

    def outfeed(self) -> None:
        self.ours = "Outfeed"
        arrays, token = self.operands[:-1], self.operands[-1]
        self.read_attributes()
        self.put([self.body.join(arrays), self.body.name(token)])

    def send(self) -> None:
        """Its token is that of SendDone here."""
        self.ours = "Send"
        if len(self.operands) != 2:
            raise Refused("of more than one array")
        self.read_attributes()
        made = self.body.add("Send", [self.body.name(v) for v in self.operands],
                             **self.here)
        self.body.names[self.results[0]] = self.body.add(
            "SendDone", [made], **self.here)

    def recv(self) -> None:
        """Its results are those of RecvDone here."""
        self.ours = "Recv"
        if len(self.results) != 2:
            raise Refused("of more than one array")
        data, token = self.results
        self.results = [data]
        self.read_attributes()
        made = self.body.add("Recv", [self.body.name(self.operands[0])],
                             **self.here)
        done = self.body.add("RecvDone", [made],
                             channel_id=self.here["channel_id"])
        for i, value in enumerate((data, token)):
            self.body.names[value] = self.body.add("GetTupleElement", [done],
                                                   index=i)

    def dynamic_reshape(self) -> None:
        """The sizes are scalars here, one vector there."""
        self.ours = "DynamicReshape"
        result, vector = self.result(), self.operands[1]
        sizes = self.scalars(vector)
        if sizes is None:
            whole = self.body.name(vector)
            sizes = [self.body.add("Reshape", [self.body.add(
                "Slice", [whole], start_indices=[i], limit_indices=[i + 1])],
                new_sizes=[]) for i in range(len(result.dims))]
        self.here = {"new_size_bounds": list(result.dims),
                     "dims_are_dynamic": list(result.dynamic)}
        self.put([self.body.name(self.operands[0]), *sizes])

    def scalars(self, vector: ir.Value) -> Optional[List[str]]:
        """Of which a vector is made by nothing but reshape and concatenate."""
        def operands(value, name):
            owner = value.owner
            return list(owner.operation.operands) \
                if not isinstance(owner, ir.Block) \
                and owner.operation.name == name else []
        parts = operands(vector, "stablehlo.concatenate")
        sizes = [x for p in parts for x in operands(p, "stablehlo.reshape")]
        if len(sizes) < max(1, len(parts)) or any(
                types.parse_mlir(str(s.type)).dims for s in sizes):
            return None
        self.body.absorbed += [self.body.name(v) for v in (vector, *parts)]
        return [self.body.name(s) for s in sizes]


def _dims(instruction: Instruction, name: str) -> None:
    instruction.here[name] = list(instruction.result().dims)


def _constant(value: Any):
    def derive(instruction, name):
        instruction.here[name] = value
    return derive


#: Attributes that StableHLO states by types, or not at all.
_DERIVED = {
    "shape": Instruction.shapes,
    "shape_with_layout": lambda i, n: i.here.update(
        {n: mlir.joined_shape([v.type for v in i.operands[:-1]])}),
    "new_element_type": lambda i, n: i.here.update({n: i.result().dtype}),
    "out_dim_size": _dims,
    "new_sizes": _dims,
    "preferred_element_type": Instruction.preferred,
    "shard_count": Instruction.shard_count,
    "channel_id": Instruction.channel,
    "largest": _constant(True),
}
_SPECIAL = {
    "stablehlo.constant": Instruction.constant,
    "stablehlo.while": Instruction.loop,
    "stablehlo.if": Instruction.conditional,
    "stablehlo.case": Instruction.conditional,
    "stablehlo.rng": Instruction.rng,
    "chlo.square": Instruction.square,
    "stablehlo.infeed": Instruction.infeed,
    "stablehlo.outfeed": Instruction.outfeed,
    "stablehlo.send": Instruction.send,
    "stablehlo.recv": Instruction.recv,
    "stablehlo.dynamic_reshape": Instruction.dynamic_reshape,
}


def find_builtin(block: ir.Block, returned: Sequence[ir.Value]
                 ) -> Optional[str]:
    """The built-in computation that a region is: a reduction with it may have
    any number of elements."""
    arguments = list(block.arguments)
    if len(arguments) != 2 or len(returned) != 1 \
            or len({str(a.type) for a in arguments}) != 1 \
            or types.parse_mlir(str(arguments[0].type)).dims:
        return None
    for value, name in zip(arguments, ("first", "second")):
        if returned[0] == value:
            return name
    operations = list(block.operations)
    if len(operations) != 2 \
            or list(operations[0].operation.operands) != arguments:
        return None
    return _BUILTIN.get(find_operation(operations[0].operation))


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


class Module:
    """A module being imported; where: what its places are called; whole: with
    its entry, else its functions as they are called."""

    def __init__(self, module: ir.Module, where: str, whole: bool = True
                 ) -> None:
        self.where = where
        self.functions = {
            ir.StringAttr(op.operation.attributes["sym_name"]).value:
            op.operation for op in module.body.operations
            if op.operation.name == "func.func"}
        for op in module.body.operations:
            if op.operation.name != "func.func":
                raise self.refuse(op.operation, "only functions")
        self.computations: Dict[str, dict] = {}
        self.origins: Dict[int, Origin] = {}  # by the identity of instructions
        self.arguments: Dict[str, List[Origin]] = {}  # of each function
        attributes = module.operation.attributes
        self.replicas, self.partitions = (
            ir.IntegerAttr(attributes[k]).value if k in attributes else 1
            for k in ("mhlo.num_replicas", "mhlo.num_partitions"))
        self.entry = "main" if "main" in self.functions else \
            next(iter(self.functions), None)
        if self.entry is None:
            raise Refused(f"{where}: a module without a function")
        if whole:
            self.function(self.entry)

    def step(self, op: ir.Operation) -> Tuple[List[ir.Value], dict]:
        """One operation as a computation, and the values that it takes."""
        taken = list(op.operands)
        for region in op.regions:
            taken += find_captured(region)
        taken = list(dict.fromkeys(taken))
        body = Body(self)
        try:
            for value in taken:
                body.take([value])
            Instruction(body, op).write()
        except Placed:
            raise
        except (Refused, LookupError) as e:
            raise self.refuse(op, e) from None
        return taken, body.finish(list(op.results))

    def refuse(self, op: ir.Operation, why: Any) -> Placed:
        at = position(op.location)
        return Placed(f"{self.where}{at and ':'}{at}: {op.name}: {why}")

    def add(self, computation: dict) -> str:
        name = f"c{len(self.computations)}"
        self.computations[name] = computation
        return name

    def function(self, name: str) -> str:
        """A function as a computation, once."""
        if self.computations.get(name) == {}:
            raise Refused(f"the function {name} calls itself")
        if name not in self.computations:
            op = self.functions[name]
            if not op.regions[0].blocks:
                raise self.refuse(op, "a function without a body")
            block, body = op.regions[0].blocks[0], Body(self)
            for argument in block.arguments:
                try:
                    body.take([argument])
                except LookupError as e:
                    raise self.refuse(op, e) from None
            self.arguments[name] = [
                (position(getattr(a, "location", "")), f"argument {i}")
                for i, a in enumerate(block.arguments)]
            self.computations[name] = {}
            self.computations[name] = body.finish(body.run(block))
        return name

    def inputs(self) -> List[Optional[types.Shape]]:
        return [types.parse_shape(s)
                for s in self.computations[self.entry]["parameters"]]

    def operation(self) -> str:
        """What the entry applies last, for the case file's member op."""
        names = [i["op"] for i in self.computations[self.entry]["body"]]
        plain = [n for n in names
                 if n not in ("Tuple", "GetTupleElement", "Constant")]
        return (plain or names or ["Tuple"])[-1]


def parse_error(text: str, where: str) -> str:
    """The first line of MLIR's that says error, with its place."""
    line = next((line for line in text.splitlines() if "error:" in line), text)
    place = re.search(r'"?-"?:(\d+):(\d+)"?\)?:? (?:error: )?(.*)', line)
    if not place:
        return f"{where}: {line.strip()}"[:400]
    at = f":{place[1]}:{place[2]}" if place[1] != "0" else ""  # bytecode
    return f"{where}{at}: {place[3]}"[:400]


def import_program(data: bytes, where: str = "module") -> Module:
    """A program of StableHLO in any form."""
    with mlir.context(), ir.Location.unknown():
        try:
            module = mlir.parse(data)
        except UnicodeDecodeError as e:
            raise Refused(f"{where}: neither MLIR's bytecode nor text: byte "
                          f"{e.start} is not UTF-8") from None
        except (ir.MLIRError, ValueError) as e:
            raise Refused(parse_error(str(e), where)) from None
        try:
            return Module(module, where)
        except RecursionError:
            raise Refused(f"{where}: regions or calls are nested too deeply"
                          ) from None
