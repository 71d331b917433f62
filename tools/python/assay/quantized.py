"""Quantized types of StableHLO, which the bindings do not read.

SPDX-License-Identifier: Apache-2.0

In a function's text they become the types of the integers that are stored, and
a conversion becomes one that names its parameters, which write() defines by
other operations, as StableHLO's specification does ("quantize" and
"dequantize").  What else is computed with quantized values stays as it is, and
is refused by the parser.  Lines and columns of what stays are the same.
"""
import re
from typing import Any, List, Match, NamedTuple, Optional

import numpy as np

from assay import mlir, types

_TYPE = re.compile(r"!quant\.uniform<(([iu])\d+(?:<-?\d+:-?\d+>)?:\w+"
                   r"(?::\d+)?,\s*(?:\{[^{}]*\}|[^<>{}]*))>")
_PARAMETERS = re.compile(r"([iu])(\d+)(?:<(-?\d+):(-?\d+)>)?:(\w+)(?::(\d+))?,"
                         r"\s*(.*)", re.S)
_TENSOR = r"tensor<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>"
_CONVERSION = re.compile(
    r'"?\b(?:stablehlo|mhlo)\.(uniform_(?:de)?quantize)\b"?\s*(\()?'
    r"\s*(%[\w$.#-]+)\s*(\))?\s*(?:<?\{\s*\}>?\s*)?:\s*"
    rf"\(\s*({_TENSOR})\s*\)\s*->\s*({_TENSOR})")
#: What names an operation, before its operands and types.
_OPERATION = re.compile(r'(?<![%@!#.\w])"?([a-z]\w*\.[\w.]+|func|return|call)'
                        r"\b")
_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*')
#: They neither compute with the values nor move them.
_PLAIN = {"func", "func.func", "return", "func.return", "call", "func.call",
          "stablehlo.bitcast_convert", "stablehlo.optimization_barrier"}
#: They move values, which have the same parameters before and after.
_MOVES = {f"stablehlo.{name}" for name in (
    "reshape", "transpose", "slice", "reverse", "concatenate",
    "broadcast_in_dim")}


class Parameters(NamedTuple):
    """Of a quantized type: one scale and zero point for each index of dimension
    axis, or one of each.  expressed: the type of the numbers meant."""
    storage: str
    low: int
    high: int
    expressed: str
    axis: Optional[int]
    scales: List[float]
    zeros: List[int]


def parse(text: str) -> Parameters:
    """Of "i8<-127:127>:f32:0, {0.5, 0.25:3}"."""
    kind, bits, low, high, expressed, axis, rest = \
        _PARAMETERS.fullmatch(text).groups()
    size = int(bits)
    ends = (-1 << (size - 1), (1 << (size - 1)) - 1) if kind == "i" \
        else (0, (1 << size) - 1)
    rows = [row.partition(":") for row in rest.strip("{} \n").split(",")]
    return Parameters(
        ("s" if kind == "i" else "u") + bits,
        ends[0] if low is None else int(low),
        ends[1] if high is None else int(high), expressed,
        None if axis is None else int(axis),
        [float(scale) for scale, _, _ in rows],
        [int(zero or 0) for _, _, zero in rows])


# ---- Text --------------------------------------------------------------------

def _stored(text: str) -> str:
    """The types of the integers in place of the quantized ones."""
    return _TYPE.sub(lambda t: ("u" if t[2] == "u" else "")
                     + re.match(r"[iu]\d+", t[1])[0].replace("u", "i"), text)


def _conversion(match: Match) -> str:
    name, _, operand, _, source, result = match.groups()
    found = [(key, _TYPE.search(t)) for key, t in (("from", source),
                                                   ("to", result))]
    options = ", ".join(f'{key} = "{t[1]}"' for key, t in found if t)
    return f'"assay.{name}"({operand}) {{{options}}} : ({_stored(source)}) ' \
        f"-> {_stored(result)}"


def _is_plain(text: str) -> bool:
    """Is nothing computed with the quantized values that are left?"""
    names = list(_OPERATION.finditer(text))
    for name, after in zip(names, [*names[1:], None]):
        part = text[name.end():after.start() if after else len(text)]
        found = {t[1] for t in _TYPE.finditer(part)}
        if not found or name[1] in _PLAIN:
            continue
        if name[1] not in _MOVES or len(found) > 1 \
                or parse(found.pop()).axis is not None \
                or part.count("!quant.") != part.count("tensor<"):
            return False
    return True


def respell(text: str) -> str:
    """A function's text with the integers that are stored; the same text if it
    computes with quantized values."""
    if "!quant.uniform<" not in text:
        return text
    bare = _COMMENT.sub(lambda t: t[0] if t[0][0] == '"' else " " * len(t[0]),
                        text)
    made = _CONVERSION.sub(_conversion, bare)
    return _stored(made) if _is_plain(made) else text


# ---- Definitions -------------------------------------------------------------

class _Writer:
    """Of one conversion: a method takes and gives the name of a value."""

    def __init__(self, i, parameters: Parameters) -> None:
        self.add, self.given = i.body.add, parameters
        self.dims = list(i.result().dims)

    def constant(self, values: List[Any], dtype: str) -> str:
        """For each index of the axis, in the whole shape."""
        by_axis = self.given.axis is not None and len(values) > 1
        array = np.array(values).astype(types.DTYPES[dtype])
        dims = [len(values)] if by_axis else []
        name = self.add("Constant", literal={
            "shape": f"{dtype}[{','.join(map(str, dims))}]",
            "hex": types.to_bytes(array.reshape(dims)).hex()})
        return self.add("BroadcastInDim", [name], out_dim_size=self.dims,
                        broadcast_dimensions=[self.given.axis] * len(dims))

    def convert(self, name: str, dtype: str) -> str:
        return self.add("ConvertElementType", [name], new_element_type=dtype)

    def dequantize(self, name: str) -> str:
        """(x - zero point) * scale; the difference is exact, in a type that is
        wider than the stored one."""
        p = self.given
        name = self.convert(name, "s64")
        if any(p.zeros):
            name = self.add("Sub", [name, self.constant(p.zeros, "s64")])
        return self.add("Mul", [self.convert(name, p.expressed),
                                self.constant(p.scales, p.expressed)])

    def quantize(self, name: str) -> str:
        """x / scale + zero point, within the range, to the nearest integer."""
        p = self.given
        name = self.add("Div", [name, self.constant(p.scales, p.expressed)])
        if any(p.zeros):
            name = self.add("Add", [name, self.constant(p.zeros, p.expressed)])
        low, high = (self.constant([x], p.expressed) for x in (p.low, p.high))
        name = self.add("Clamp", [low, name, high])
        return self.convert(self.add("RoundNearestEven", [name]), p.storage)


def write(i) -> None:
    """From quantized values, to them, or both."""
    name = i.body.name(i.operands[0])
    for key, method in (("from", _Writer.dequantize), ("to", _Writer.quantize)):
        if key in i.there:
            name = method(_Writer(i, parse(mlir.text(i.there[key]))), name)
    i.give(name)
