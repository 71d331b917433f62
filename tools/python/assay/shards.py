"""What each device of a mesh computes on its parts of arrays.

SPDX-License-Identifier: Apache-2.0

A region of sdy.manual_computation, and what stands between the custom calls
SPMDFullToShardShape and SPMDShardToFullShape, is the program of one device.
Here it is the program of one partition: it slices its parts by the number of
the partition, and parts become an array by AllGather.  Outside of it every
partition holds the whole array.
"""
import itertools
import math
import re
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

import numpy as np

from assay import mlir
from assay.mlir import Refused, ir, stablehlo


class Layout(NamedTuple):
    """counts: how many parts there are along each dimension; index: by
    partition, the number of its part along each; groups: of partitions that
    together hold every part."""
    counts: Tuple[int, ...]
    index: List[Tuple[int, ...]]
    groups: List[List[int]]


# ---- Parts of arrays ---------------------------------------------------------

def _dims(value: ir.Value) -> Tuple[int, ...]:
    return mlir.shape_of(value).dims


def _check(whole: Sequence[int], part: Sequence[int], layout: Layout) -> None:
    if tuple(whole) != tuple(n * c for n, c in zip(part, layout.counts)):
        raise Refused(f"sizes {list(part)} in {list(layout.counts)} parts are "
                      f"not {list(whole)}")


def _split(i, name: str, whole: Sequence[int], part: Sequence[int],
           layout: Layout) -> str:
    """This partition's part of an array."""
    _check(whole, part, layout)
    if max(layout.counts, default=1) == 1:
        return name
    add, count = i.body.add, len(layout.index)
    here = add("PartitionID")
    starts = []
    for d, size in enumerate(part):
        table = add("Constant", literal={
            "shape": f"u32[{count}]",
            "data": [row[d] * size for row in layout.index]})
        found = add("DynamicSlice", [table, here], slice_sizes=[1])
        starts.append(add("Reshape", [found], new_sizes=[]))
    return add("DynamicSlice", [name, *starts], slice_sizes=list(part))


def _join(i, name: str, part: Sequence[int], whole: Sequence[int],
          layout: Layout) -> str:
    """The array of which this partition has a part."""
    _check(whole, part, layout)
    if max(layout.counts, default=1) == 1:
        return name
    add, group = i.body.add, layout.groups[0]
    name = add("AllGather", [add("Reshape", [name], new_sizes=[1, *part])],
               all_gather_dimension=0, shard_count=len(group),
               replica_groups=layout.groups, use_global_device_ids=True,
               channel_id=next(i.body.module.channels))
    held = [layout.index[p] for p in group]
    order = [held.index(k) for k in
             itertools.product(*map(range, layout.counts))]
    if order != list(range(len(group))):
        name = add("ConcatInDim", [add(
            "Slice", [name], start_indices=[k] + [0] * len(part),
            limit_indices=[k + 1, *part]) for k in order], dimension=0)
    rank = len(part)
    name = add("Reshape", [name], new_sizes=[*layout.counts, *part])
    name = add("Transpose", [name], permutation=[
        x for d in range(rank) for x in (d, rank + d)])
    return add("Reshape", [name], new_sizes=list(whole))


# ---- Shardings of sdy --------------------------------------------------------

class Part(NamedTuple):
    """Of a mesh's axis: how many pieces, and how many devices along the axis
    each of them holds."""
    axis: str
    size: int
    after: int

    def number(self, place: Dict[str, int]) -> int:
        return place[self.axis] // self.after % self.size


class Mesh:
    """axes: their sizes, in order; places: by partition, its coordinates."""

    def __init__(self, attribute: ir.Attribute) -> None:
        dialect = _dialect(attribute)
        mesh = dialect.MeshAttr(attribute)
        axes = [dialect.MeshAxisAttr(a) for a in mesh.axes]
        self.axes: Dict[str, int] = {a.name: a.size for a in axes}
        ids = _device_ids(mesh) or list(range(math.prod(self.axes.values())))
        if sorted(ids) != list(range(len(ids))):
            raise Refused("a mesh of some devices only")
        where = list(np.ndindex(*self.axes.values()))
        self.places = [dict(zip(self.axes, where[ids.index(p)]))
                       for p in range(len(ids))]

    def part(self, axis: ir.Attribute) -> Part:
        """Of a reference to an axis, or to a part of one."""
        dialect = _dialect(axis)
        axis = dialect.AxisRefAttr(axis)
        size, after = self.axes[axis.name], 1
        if axis.sub_axis_info:
            part = dialect.SubAxisInfoAttr(axis.sub_axis_info)
            after = size // (part.pre_size * part.size)
            size = part.size
        return Part(axis.name, size, after)

    def numbers(self, parts: Sequence[Part]) -> List[int]:
        """By partition, its number along these, the last varying fastest."""
        made = [0] * len(self.places)
        for part in parts:
            made = [n * part.size + part.number(place)
                    for n, place in zip(made, self.places)]
        return made


def _dialect(attribute: ir.Attribute) -> Any:
    return stablehlo if str(attribute).startswith("#stablehlo.") else mlir.sdy


def _device_ids(mesh: Any) -> List[int]:
    """Empty if they are in order."""
    ids = mesh.device_ids
    return mlir.ints(ids) if isinstance(ids, ir.Attribute) else list(ids or ())


def _find_mesh(i, found: ir.Attribute) -> Mesh:
    if isinstance(found, ir.StringAttr) or str(found).startswith("@"):
        name = str(found).strip('@"')
        for op in i.body.module.program.modules[
                i.body.scope].regions[0].blocks[0].operations:
            if op.operation.name == "sdy.mesh" and mlir.text(
                    op.operation.attributes["sym_name"]) == name:
                return Mesh(op.operation.attributes["mesh"])
        raise Refused(f"there is no mesh '{name}'")
    return Mesh(found)


def _layout(mesh: Mesh, sharding, manual: List[str]) -> Layout:
    """Of the axes that are the region's; the others are global within it."""
    if set(manual) & {mlir.sdy.AxisRefAttr(axis).name
                      for axis in sharding.unreduced_axes}:
        raise Refused(f"the sharding {sharding}: parts that are still to be "
                      "summed")
    counts: List[int] = []
    index: List[List[int]] = [[] for _ in mesh.places]
    for dimension in sharding.dimension_shardings:
        parts = [part for part in map(mesh.part, mlir.sdy.DimensionShardingAttr(
            dimension).axes) if part.axis in manual]
        counts.append(math.prod(part.size for part in parts))
        for row, n in zip(index, mesh.numbers(parts)):
            row.append(n)
    groups: Dict[tuple, List[int]] = {}
    for p in sorted(range(len(mesh.places)), key=lambda p: [
            mesh.places[p][a] for a in mesh.axes if a in manual]):
        groups.setdefault(tuple(n for a, n in mesh.places[p].items()
                                if a not in manual), []).append(p)
    return Layout(tuple(counts), [tuple(row) for row in index],
                  list(groups.values()))


def groups(i, attribute: ir.Attribute) -> List[List[int]]:
    """Of replicas, by the axes of a mesh along which the members of a group
    differ: they are in the order of these axes."""
    own = stablehlo.ReplicaGroupMeshAxesAttr(ir.Attribute.parse(
        str(attribute).replace("#mhlo.", "#stablehlo.")))
    mesh = _find_mesh(i, own.mesh)
    parts = [mesh.part(axis) for axis in own.axes]
    made: Dict[tuple, List[int]] = {}
    numbers = mesh.numbers(parts)
    for p in sorted(range(len(numbers)), key=lambda p: numbers[p]):
        rest = dict(mesh.places[p])
        for part in parts:
            rest[part.axis] -= part.number(mesh.places[p]) * part.after
        made.setdefault(tuple(rest.values()), []).append(p)
    return list(made.values())


def write_manual(i) -> None:
    """Of sdy.manual_computation."""
    manual = re.findall(r'"([^"]*)"', str(i.there["manual_axes"]))
    layouts = []
    for side in ("in_shardings", "out_shardings"):
        layouts.append([])
        for one in mlir.sdy.TensorShardingPerValueAttr(
                i.there[side]).shardings:
            one = mlir.sdy.TensorShardingAttr(one)
            mesh = _find_mesh(i, one.mesh_or_ref)
            if manual:
                i.body.module.need_devices(len(mesh.places))
            layouts[-1].append(_layout(mesh, one, manual))
    block = list(i.op.regions)[0].blocks[0]
    for value, argument, layout in zip(i.operands, block.arguments, layouts[0]):
        i.body.names[argument] = i.body.name(value) if mlir.is_token(
            value.type) else _split(i, i.body.name(value), _dims(value),
                                    _dims(argument), layout)
    for value, result, layout in zip(i.body.run(block), i.results, layouts[1]):
        i.body.names[result] = i.body.name(value) if mlir.is_token(
            value.type) else _join(i, i.body.name(value), _dims(value),
                                   _dims(result), layout)


# ---- Shardings of HLO --------------------------------------------------------

_TILES = re.compile(r"\{devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?"
                    r"|((?:\d+,)*\d+))( last_tile_dim_replicate)?\}")


def _numbers(text: str) -> List[int]:
    return [int(x) for x in text.split(",")]


def _parse_tiles(i, text: str, rank: int) -> Layout:
    """Of "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"."""
    if text == "{replicated}":
        return Layout((1,) * rank, [], [])
    found = _TILES.fullmatch(text)
    if not found:
        raise Refused(f"the sharding {text}")
    tiles = _numbers(found[1])
    if found[4]:
        devices = np.array(_numbers(found[4]))
    else:
        dims = _numbers(found[2])
        devices = np.arange(math.prod(dims)).reshape(dims)
        if found[3]:
            devices = devices.transpose(_numbers(found[3]))
    if devices.size != math.prod(tiles) or len(tiles) - bool(found[5]) != rank:
        raise Refused(f"the sharding {text} of {rank} dimensions")
    i.body.module.need_devices(devices.size)
    where = np.argsort(devices.reshape(-1))
    index = [tuple(int(x) for x in np.unravel_index(k, tiles)[:rank])
             for k in where]
    return Layout(tuple(tiles[:rank]), index, [list(range(devices.size))])


def _sharding(value: ir.Value) -> str:
    """What the custom call Sharding says of a value."""
    op = None if isinstance(value.owner, ir.Block) else value.owner.operation
    if op is None or "mhlo.sharding" not in op.attributes:
        raise Refused("its operand has no sharding")
    try:
        return mlir.text(op.attributes["mhlo.sharding"])
    except Refused as e:  # a serialized OpSharding
        raise Refused(f"mhlo.sharding: {e}") from None


def write_to_shard(i) -> None:
    """Of SPMDFullToShardShape."""
    value, part = i.operands[0], _dims(i.results[0])
    i.give(_split(i, i.body.name(value), _dims(value), part,
                  _parse_tiles(i, _sharding(value), len(part))))


def write_to_full(i) -> None:
    """Of SPMDShardToFullShape."""
    whole = _dims(i.results[0])
    i.give(_join(i, i.body.name(i.operands[0]), _dims(i.operands[0]), whole,
                 _parse_tiles(i, _sharding(i.results[0]), len(whole))))
