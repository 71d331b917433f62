"""specials.py - one number of each class of values of an element type.

SPDX-License-Identifier: Apache-2.0

The classes are those of `assay cover --values`.  spec/grids.json has bit
patterns beside them, for arrays; here are the numbers that are tried one by one,
as scalars or as the one special number of a sum.
"""
import json
import math

import specification

WIDE = ("pred", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "f16", "bf16", "f32", "f64", "c64", "c128")
NARROW = ("s2", "u2", "s4", "u4")
FLOATS, COMPLEX = ("f16", "bf16", "f32", "f64"), ("c64", "c128")
GRIDS = json.loads((specification.ROOT / "spec/grids.json").read_text(encoding="utf-8"))["grids"]

# The least subnormal and the least normal number, and the largest one.
EDGES = {"f16": ("0x1p-24", "0x1p-14", "65504"), "bf16": ("0x1p-133", "0x1p-126", "0x1.fep+127"),
         "f32": ("0x1p-149", "0x1p-126", "0x1.fffffep+127"), "f64": ("0x1p-1074", "0x1p-1022", "0x1.fffffffffffffp+1023")}
UNIT = {"c64": "f32", "c128": "f64"}


def tokens(t):
    """Numbers of a type: each class, of either sign, and a tie."""
    if t == "pred":
        return [True, False]
    if t in FLOATS:
        least, normal, largest = EDGES[t]
        return ["0", "-0", least, f"-{least}", normal, "1", "-3", largest, f"-{largest}", "inf", "-inf", "nan", "2.5", "-0.5",
                *({"f32": ["0x1.010002p+0"], "f64": ["0x1.010000001p+0", "0x1.00200000001p+0"]}.get(t, []))]
    if t in COMPLEX:
        real = tokens(UNIT[t])
        return [[v, w] for k, v in enumerate(real) for w in ("1", real[(5 * k + 3) % len(real)])]
    bits = int(t[1:])
    top = 2 ** (bits - 1)
    odd = {32: [2 ** 24 + 1], 64: [2 ** 53 + 1, 2 ** 60 + 2 ** 36 + 1, 2 ** 60 + 2 ** 52 + 1]}.get(bits, [])
    return [0, 1, 6, top - 1, *odd, *([-1, -7, -top] if t[0] == "s" else [2 * top - 1, top])]


def shape(t, dims):
    return f"{t}[{','.join(map(str, dims))}]"


def nested(flat, dims):
    """A flat list as lists of these sizes."""
    if not dims:
        return flat[0]
    step = math.prod(dims[1:])
    return [nested(flat[k * step:(k + 1) * step], dims[1:]) for k in range(dims[0])]


def repeated(t, dims, first=0):
    """The numbers one after the other, from the one of that number on."""
    own = tokens(t)
    return {"shape": shape(t, dims), "data": nested([own[(first + k) % len(own)] for k in range(math.prod(dims))], dims)}


def factors(n):
    """Its prime factors."""
    for p in range(2, n + 1):
        if n % p == 0:
            return [p, *factors(n // p)]
    return []


def pairs(t, dims):
    """Two operands with each special value beside each: the first one runs through
    its values while the second one stands still.  The shape must have room."""
    count, grid = math.prod(dims), [int(x, 16) for x in GRIDS[t]]
    moves = next(m for m in range(len(grid), count + 1) if count % m == 0)
    if count // moves < len(grid):
        raise SystemExit(f"specials: {shape(t, dims)} has no room for each pair")
    top = 2 ** (4 * len(GRIDS[t][0]) - 1)
    steps = [(grid[k % len(grid)] - grid[0] + top) % (2 * top) - top for k in range(moves)]
    return [{"shape": shape(t, dims), "specials": True},
            {"shape": shape(t, dims), "sweep": {"first": GRIDS[t][0], "offsets": [steps, *([0] * p for p in factors(count // moves))]}}]


def filler(t, value, k):
    """What a number is added to: where another one would hide it, zeros."""
    if t == "pred":
        return False
    if t in COMPLEX:
        return [filler(UNIT[t], value[0], k), "0"]
    if t in FLOATS:
        return "-0" if value == "-0" else "0" if "0x" in value or value in ("65504", "-65504") else str(k % 3 + 1)
    return k % 3 + 1


def among(t, dims, along, first=0):
    """Of each line along a dimension one number is special, in turn each from the
    one of that number on."""
    own, size = tokens(t), dims[along]
    inner = math.prod(dims[along + 1:])
    flat = []
    for k in range(math.prod(dims)):
        line, at = k // (inner * size) * inner + k % inner, k // inner % size
        value = own[(first + line) % len(own)]
        flat.append(value if at == line % size else filler(t, value, at))
    return {"shape": shape(t, dims), "data": nested(flat, dims)}
