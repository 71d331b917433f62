#!/usr/bin/env python3
# policies.t - choices that no profile of its own makes show in the sets.
#
# SPDX-License-Identifier: Apache-2.0
#
# Worked out by hand.  bf16 has 8 significant bits: from 256 on its numbers are
# 2 apart, so 256 + 1 is a tie that goes back to 256 (IEEE 754-2019 4.3.1), and
# 1 added three times leaves 256; the exact sum, 259, is a tie between 258 and
# 260 = 2 * 130, the even one.  (1 + 2^-7)^3 is 1 + 3 * 2^-7 + 3 * 2^-14 + 2^-21,
# less than half of 2^-7 above 1 + 3 * 2^-7; in bf16, (1 + 2^-7)^2 is 1 + 2^-6.
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True

from accepts import accepts, evaluate
from tap import finish, ok

TYPE = "accumulate.computation-type"


def bf16(*data):
    return {"shape": f"bf16[{len(data)}]", "data": list(data)}


def one(x):
    return {"shape": "bf16[]", "data": x}


def profile(folder, **choices):
    """Strict, with choices; names have an underscore for each dash or dot."""
    path = os.path.join(folder, "mine.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"profile": "mine", "extends": "strict", "text": "a test",
                   "choices": choices}, f)
    return path


def scatter(computation):
    return {"update_computation": computation, "dimension_numbers": {
        "update_window_dims": [], "inserted_window_dims": [0],
        "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}}


def window(**members):
    return {"window_dimensions": [4], "window_strides": [4],
            "padding": [[0, 0]], **members}


def scan(op):
    return {"attributes": {"computation": "f", "num_inputs": 1,
                           "scan_dimension": 0, "is_associative": True},
            "computations": {"f": {
                "parameters": ["bf16[]", "bf16[]"],
                "body": [f"s = {op}(p1, p0)", "r = Tuple(s, s)"],
                "result": "r"}}}


def last(op, inputs, members, mine):
    """The last element's set of the first result."""
    return accepts(op, *inputs, profile=mine, **members)[-1]


ZEROS = {"shape": "s32[3,1]", "data": [[0], [0], [0]]}
ORDER = bf16(4, 1, 2, 3)
SUMS = (
    ("Reduce", (bf16(256, 1, 1, 1), one(0)), {"attributes": {
        "computation": "add", "dimensions_to_reduce": [0]}}),
    ("ReduceWindow", (bf16(256, 1, 1, 1), one(0)),
     {"attributes": window(computation="add")}),
    ("Scan", (bf16(256, 1, 1, 1), one(0)), scan("Add")),
    ("Scatter", (bf16(256), ZEROS, bf16(1, 1, 1)),
     {"attributes": scatter("add")}),
    # Three windows of two, each of which selects the element between.
    ("SelectAndScatter", (bf16(0, 9, 0), bf16(1, 1), one(256)),
     {"attributes": {"select": "ge", "scatter": "add",
                     "window_dimensions": [2], "window_strides": [1],
                     "padding": [[0, 0]]}}),
)
PRODUCTS = (
    ("Reduce", (bf16(*3 * [1 + 2 ** -7]), one(1)), {"attributes": {
        "computation": "mul", "dimensions_to_reduce": [0]}}),
    ("Scan", (bf16(*3 * [1 + 2 ** -7]), one(1)), scan("Mul")),
    ("Scatter", (bf16(1 + 2 ** -7), {"shape": "s32[2,1]", "data": [[0], [0]]},
                 bf16(*2 * [1 + 2 ** -7])), {"attributes": scatter("mul")}),
)


def ends(accept):
    """The least and the greatest number of a set of one or several ranges."""
    got = [json.loads(part) for part in accept.split(" | ")]
    got = [(x if isinstance(x, list) else [x, x]) for x in got]
    return min(x[0] for x in got), max(x[1] for x in got)


def check_computation_type(folder):
    element = profile(folder, **{TYPE: "element", "accumulate.type": "f32"})
    for op, inputs, members in SUMS[:4]:
        low, high = ends(last(op, inputs, members, element))
        ok(low <= 256 and high >= 260, f"{op} in bf16: 256 and 260",
           (low, high))
    for op, inputs, members in PRODUCTS:
        low, high = ends(last(op, inputs, members, element))
        ok(low <= 1 + 2 ** -6 + 2 ** -7 and high > low,
           f"{op}: a rounded product in bf16", (low, high))
    low, high = ends(accepts(SUMS[4][0], *SUMS[4][1], profile=element,
                             **SUMS[4][2])[1])
    ok(low <= 256, "SelectAndScatter in bf16: 256 + 1 + 1 may stay 256", low)
    wide = profile(folder, **{TYPE: "f32", "accumulate.type": "element"})
    for op, inputs, members in SUMS[:4]:
        got = ends(last(op, inputs, members, wide))
        ok(got == (260, 260), f"{op} in f32: 259 rounded once", got)
    for op, inputs, members in PRODUCTS:
        got = ends(last(op, inputs, members, wide))
        # 1.02 is the shortest text of 1 + 3 * 2^-7.
        ok(got == (1.02, 1.02), f"{op} in f32: a product", got)
    got = ends(accepts(SUMS[4][0], *SUMS[4][1], profile=wide,
                       **SUMS[4][2])[1])
    ok(got == (258, 258), "SelectAndScatter in f32: 258", got)
    low, _ = ends(accepts("Dot", bf16(256, 1, 1, 1), bf16(1, 1, 1, 1),
                          profile=wide)[0])
    ok(low <= 256, "a contraction follows accumulate.type", low)
    # The operands' type is enough even where preferred_element_type is wider:
    # it recommends, "not guaranteed" (XLA's operation semantics, DotGeneral).
    low, _ = ends(accepts("Dot", bf16(256, 1, 1, 1), bf16(1, 1, 1, 1),
                          attributes={"preferred_element_type": "f32"},
                          profile=wide)[0])
    ok(low <= 256, "and its choice element goes for a wider result, too", low)
    got = ends(accepts("Dot", bf16(256, 1, 1, 1), bf16(1, 1, 1, 1),
                       attributes={"preferred_element_type": "f32"},
                       profile="strict")[0])
    ok(got == (259, 259), "where f32 is demanded, 259 is exact", got)


def check_group_order(folder):
    """StableHLO, cross_replica_and_partition; 2 replicas of 2 partitions."""
    def gathered(order):
        mine = profile(folder, **{"collective.group-order": order})
        case = {"replicas": 2, "partitions": 2, "inputs": [
            [{"shape": "s32[1]", "data": [n]}] for n in (0, 1, 10, 11)],
            "attributes": {"all_gather_dimension": 0, "shard_count": 4,
                           "channel_id": 1, "replica_groups": [[0, 1]]}}
        got = evaluate(case, "AllGather", mine)
        return [[e["accept"] for e in leaves[0]["elements"]]
                for leaves in got["replicas"]]
    for order, due in (("replica-major", ["0", "1", "10", "11"]),
                       ("partition-major", ["0", "10", "1", "11"])):
        got = gathered(order)
        ok(got == 4 * [due], f"AllGather, {order}", got)


with tempfile.TemporaryDirectory() as directory:
    check_computation_type(directory)
    check_group_order(directory)
finish()
