"""One operation of MLIR as instructions of a case.

SPDX-License-Identifier: Apache-2.0

Operations and attributes are found by the names that spec/ops gives them in
StableHLO (tables.json); definitions.py has those that are others here.
importer.py walks the operations.
"""
import re
from typing import Any, Dict, List, Optional, Sequence

from assay import calls, definitions, mlir, regions, shards, special, types
from assay.mlir import Refused, ir
from assay.types import OPERATIONS

#: Attributes without a meaning for the result, or that others repeat.
_IGNORED = {"api_version", "compare_type", "comparison_direction",
            "rng_distribution", "has_side_effect", "operand_layouts",
            "result_layouts", "output_operand_aliases", "layout",
            "called_computations", "custom_call_schedule", "algorithm",
            "operandSegmentSizes", "resultSegmentSizes"}
#: What these say when they say nothing.
_EMPTY = {"false", "[]", '""', "{}"}


def snake(name: str) -> str:
    """"AllReduce" as all_reduce."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


_SPELLED: Dict[str, List[str]] = {}
for _name, _row in OPERATIONS.items():
    _SPELLED.setdefault(_row.get("stablehlo"), []).append(_name)
_BUILTIN = {_name: _row["builtin"] for _name, _row in OPERATIONS.items()
            if "builtin" in _row}


def find_operation(op: ir.Operation) -> str:
    """The operation of spec/ops; of several the most general one."""
    names = _SPELLED.get(spelling(op), [])
    if not names:
        for value in (*op.operands, *op.results):
            if "!quant." in str(value.type):
                mlir.shape_of(value)  # says that it is not supported
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
        target = mlir.text(attributes["call_target_name"])
        for name in names:
            if snake(name) == target:
                return name
        names = [n for n in names
                 if "call_target_name" in OPERATIONS[n]["attributes"]]
    return max(names, key=lambda n: len(OPERATIONS[n]["attributes"]))


def find_builtin(op: ir.Operation) -> Optional[str]:
    """The computation of two scalars that applies it."""
    try:
        return _BUILTIN.get(find_operation(op))
    except Refused:
        return None


class Instruction:
    """One operation on its way into a body."""

    def __init__(self, body, op: ir.Operation) -> None:
        self.body, self.op = body, op
        self.name = spelling(op)
        self.operands, self.results = list(op.operands), list(op.results)
        # A constant's attribute may have no class in the bindings.
        self.there = {} if self.name in special.CONSTANTS \
            else mlir.named(op.attributes)
        self.target = mlir.text(self.there["call_target_name"]) \
            if self.name == "stablehlo.custom_call" else None
        self.here: Dict[str, Any] = {}
        self.extra: List[ir.Value] = []  # scalars that the region uses
        self.extension: Optional[regions.Extension] = None

    def write(self) -> None:
        written = special.SPECIAL.get(self.name)
        defined = definitions.find(self.name) if self.target is None \
            else calls.find(self.target)
        if self.is_note():
            if self.is_check():
                self.body.note_check(self.operands[:1])
            return
        if self.is_identity():
            self.give(self.body.name(self.operands[0]))
        elif written:
            written(self)
        elif defined:
            defined(self)
        else:
            self.plain()

    def is_note(self) -> bool:
        if self.name == "stablehlo.optimization_barrier":
            return not self.operands
        return self.name in definitions.NOTES or self.is_check()

    def is_check(self) -> bool:
        """Does it assert something of its first operand?"""
        return not self.results and (self.target or self.name).startswith(
            definitions.CHECKS)

    def is_identity(self) -> bool:
        if self.name == "builtin.unrealized_conversion_cast":
            return self.operands[0].type == self.results[0].type
        return self.name in definitions.IDENTITIES \
            or self.target in definitions.IDENTITY_CALLS \
            and len(self.operands) == 1 \
            and self.operands[0].type == self.results[0].type

    def find(self) -> None:
        """Which operation of spec/ops it is."""
        self.ours = find_operation(self.op)

    def plain(self) -> None:
        self.find()
        if self.ours == "RaggedAllToAll":  # there the output comes second
            order = (0, 2, 3, 1, 4, 5)
            self.operands = [self.operands[i] for i in order]
            self.there = mlir.named(ir.DictAttr(self.there["backend_config"]))
        elif self.target is not None:
            self.find_options()
        self.find_extra()
        self.read_attributes()
        names = self.promoted([self.body.name(v) for v in self.operands])
        if self.ours in _EACH and len(names) > 1:
            for name, result in zip(names, self.results):
                self.body.names[result] = self.body.add(self.ours, [name],
                                                        **self.here)
        else:
            self.put(self.extended(names))

    def find_options(self) -> None:
        """Of a call of a typed function: a dictionary, which is the text that
        MLIR writes."""
        if "mhlo.literal" in self.there:
            raise Refused("the attribute mhlo.literal")
        options = self.there.get("mhlo.backend_config",
                                 self.there.get("backend_config"))
        if isinstance(options, ir.DictAttr):
            self.there["backend_config"] = ir.StringAttr.get(
                str(options) if len(options) else "")

    def spelled(self, *names: str) -> str:
        """The operation of spec/ops with one of these names in StableHLO."""
        known = [n for n in names if n in _SPELLED] or names
        return _SPELLED[known[0]][0]

    def give(self, name: str) -> None:
        """The one result has this name."""
        self.body.names[self.results[0]] = name

    def put(self, names: Sequence[str]) -> None:
        """The instruction, and the elements of its result."""
        made = self.body.add(self.ours, names, **self.here)
        if self.results:
            several = self.extra and (not self.extension
                                      or self.extension.results)
            self.body.scatter(made, self.results, bool(several))

    # ---- Operands ----------------------------------------------------------

    def find_extra(self) -> None:
        """Values from outside that a region uses, and cannot make again."""
        captured = list(dict.fromkeys(
            v for r in self.op.regions for v in regions.find_captured(r)
            if not regions.is_fixed(v)))
        if captured and self.name in regions.EXTENSIONS:
            regions.check_scalars(captured)
            self.extra = captured
            self.extension = regions.EXTENSIONS[self.name]

    def extended(self, names: List[str]) -> List[str]:
        """With arrays of the scalars that the region uses from outside."""
        if not self.extra:
            return names
        last = self.extension.groups - 1
        made = []
        for part, value in regions.extend(names, self.extension, self.extra):
            if part < 0:
                made.append(value)
            elif part == last and self.extension.scalar:
                made.append(self.body.name(value))
            else:
                at = 0 if part == 0 else -1
                dims = mlir.shape_of(self.operands[at]).dims
                made.append(self.body.add(
                    "BroadcastInDim", [self.body.name(value)],
                    out_dim_size=list(dims), broadcast_dimensions=[]))
        return made

    def of_one_type(self, names: List[str], own: Sequence[str],
                    wide: str) -> List[str]:
        """Factors of two types, as XLA multiplies them: in the result's, which
        has to have each value of both."""
        if own[0] == own[1] or not all(types.has_all_of(wide, d) for d in own):
            return names
        return [name if dtype == wide else
                self.body.add("ConvertElementType", [name],
                              new_element_type=wide)
                for name, dtype in zip(names, own)]

    def promoted(self, names: List[str]) -> List[str]:
        """A reduction may have a wider type than its operands."""
        if self.name in _PRODUCTS:
            return self.of_one_type(names, [mlir.shape_of(v).dtype for v in
                                            self.operands], self.result().dtype)
        if self.name not in _PROMOTING:
            return names
        count, made = len(self.results), list(names)
        for k, value in enumerate(self.operands):
            if self.name == "stablehlo.scatter" and k == count:
                continue  # the indices
            after = self.name == "stablehlo.scatter" and k > count
            result = self.results[(k - after) % count]
            there, here = (mlir.shape_of(v) for v in (value, result))
            if there.dtype != here.dtype:
                made[k] = self.body.add("ConvertElementType", [names[k]],
                                        new_element_type=here.dtype)
        return made

    # ---- Attributes --------------------------------------------------------

    def read_attributes(self) -> None:
        own_regions = iter(self.op.regions)
        for name, row in OPERATIONS[self.ours]["attributes"].items():
            derive = _DERIVED.get(name)
            theirs = row.get("stablehlo", name).partition(" ")[0]
            form = row.get("form", "computation")
            if derive:
                derive(self, name)
            elif form == "computation":
                self.here[name] = self.computation(own_regions)
            elif form == "padding-config":
                self.padding_config(name)
            elif theirs in self.there:
                self.here[name] = self.decode(row, form, theirs)
            elif name in _ABSENT and "default" not in row \
                    and not row.get("optional"):
                self.here[name] = _ABSENT[name](self.window_rank())
        self.check_left()

    def decode(self, row: dict, form: str, theirs: str) -> Any:
        value = self.there.pop(theirs)
        try:
            if form == "dimension-numbers":
                return mlir.numbers(value, row["members"])
            made = self.groups(value) if form == "groups" \
                else mlir.DECODE[form](value)
        except Refused as e:
            raise Refused(f"{theirs}: {e}") from None
        return f"RNG_{made}" if form == "name" \
            and f"RNG_{made}" in row["names"] else made

    def groups(self, value: ir.Attribute) -> List[List[int]]:
        return shards.groups(self, value) \
            if ".replica_group_mesh_axes<" in str(value) else mlir.groups(value)

    def window_rank(self) -> int:
        """How many dimensions the window has."""
        if "window_dimensions" in self.op.attributes:
            return len(mlir.ints(self.op.attributes["window_dimensions"]))
        return max(0, len(mlir.shape_of(self.operands[0]).dims)
                   - 2)

    def check_left(self) -> None:
        """Attributes that an operation has by its definition must be known;
        others are notes, without a meaning here."""
        for name, value in self.there.items():
            shown = mlir.shown(value)
            if name not in _IGNORED and "." not in name \
                    and shown not in _EMPTY and self.is_own(name) \
                    and (name, shown) != ("is_stable", "true"):
                raise Refused(f"the attribute {name} = {shown}")

    def is_own(self, name: str) -> bool:
        view = type(self.op.opview)
        return hasattr(view, name) and not hasattr(ir.OpView, name)

    def padding_config(self, name: str) -> None:
        sides = ("edge_padding_low", "edge_padding_high", "interior_padding")
        columns = [mlir.ints(self.there.pop(s)) for s in sides]
        self.here[name] = [dict(zip(sides, row)) for row in zip(*columns)]

    def computation(self, own_regions) -> str:
        for callee in ("callee", "decomposition"):
            if callee in self.there:
                name = ir.FlatSymbolRefAttr(self.there.pop(callee)).value
                return self.body.module.function(name, self.body.scope,
                                                 call=self.op.location)
        return self.region(next(own_regions))

    def region(self, region: ir.Region) -> str:
        """A computation of a region, and of the scalars that it uses."""
        block, body = region.blocks[0], self.body.inner()
        arguments = list(block.arguments)
        if not self.extra:
            for a in arguments:
                body.take([a])
        elif self.extension.pairs:
            for a in [*arguments, *(x for v in self.extra for x in (v, v))]:
                body.take([a], again=True)
        else:
            made = regions.extend(
                arguments, self.extension._replace(between=0), self.extra)
            for _, a in made:
                body.take([a], again=True)
        returned = body.run(block)
        builtin = regions.find_builtin(block, returned, find_builtin)
        if builtin and not self.extra:
            return builtin
        kept = self.extra if self.extra and self.extension.returned else []
        return body.module.add(body.finish([*returned, *kept]))

    def state(self, region: ir.Region, kept: Sequence[ir.Value]) -> str:
        """A computation of one parameter: the region's arguments, and what the
        loop uses from outside; kept: of this, what it returns, too."""
        block, body = region.blocks[0], self.body.inner()
        body.take([*block.arguments, *self.extra])
        returned = body.run(block)
        return body.module.add(body.finish([*returned, *kept]))

    def shapes(self, name: str) -> None:
        """StableHLO says by types what is an attribute here."""
        kinds = [v.type for v in self.results]
        if OPERATIONS[self.ours].get("tuple_result") == "always":
            kinds = kinds[-1:]
        self.here[name] = mlir.joined_shape(kinds)

    def result(self) -> types.Shape:
        return mlir.shape_of(self.results[0])

    def preferred(self, name: str) -> None:
        kinds = {mlir.shape_of(v).dtype for v in (*self.operands[:2],
                                                  *self.results)}
        if len(kinds) > 1:
            self.here[name] = self.result().dtype

    def shard_count(self, name: str) -> None:
        """How much smaller or larger the result is; of no elements, as many
        as a group has members."""
        pairs = zip(mlir.shape_of(self.operands[0]).dims,
                    self.result().dims)
        ratios = [max(p) // min(p) for p in pairs if 0 not in p]
        rows = self.groups(self.op.attributes["replica_groups"])
        self.here[name] = max(ratios) if 0 not in self.result().dims \
            else len(rows[0])

    def channel(self, name: str) -> None:
        handle = self.there.pop("channel_handle", None)
        if handle is not None:
            self.here[name] = int(re.search(r"handle = (\d+)", str(handle))[1])
        elif name in self.there:
            self.here[name] = ir.IntegerAttr(self.there.pop(name)).value


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
#: StableHLO's default of what the case format requires, by the window's rank.
_ABSENT = {
    **{name: lambda n: [1] * n for name in (
        "window_strides", "base_dilations", "window_dilations",
        "lhs_dilation", "rhs_dilation")},
    "padding": lambda n: [[0, 0]] * n,
    "window_reversal": lambda n: [False] * n,
    "lower": lambda n: False,
}
#: Of several operands there, one instruction for each here.
_EACH = {"AllToAll"}
#: Their operands may be of a narrower type than their result.
_PROMOTING = {f"stablehlo.{name}" for name in (
    "reduce", "reduce_window", "all_reduce", "reduce_scatter", "scatter",
    "select_and_scatter")}
#: Their operands may be of two types.
_PRODUCTS = {"stablehlo.dot", "stablehlo.dot_general"}
_DIALECT = regions.dialect_names(
    [*filter(None, _SPELLED), *special.SPECIAL, *definitions.DEFINED])


def spelling(op: ir.Operation) -> str:
    """An operation's name in StableHLO or CHLO, if it has one there."""
    return _DIALECT.get(op.name, op.name)
