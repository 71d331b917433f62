"""StableHLO's attributes and types as the case format has them.

SPDX-License-Identifier: Apache-2.0

Each function takes an attribute of MLIR (jaxlib's bindings) and gives the JSON
of spec/case-format.md.  importer.py is the caller.
"""
import functools
import re
from typing import Any, Dict, List

import numpy as np

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, func, stablehlo  # noqa: F401

from assay import types

try:
    from jaxlib.mlir._mlir_libs import register_jax_dialects as _dialects
except ImportError:  # later versions
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext as _dialects


try:
    from jaxlib.mlir.dialects import sdy  # shardings, which JAX writes
except ImportError:  # earlier versions
    sdy = None


class Refused(Exception):
    """What the case format cannot say, with its place."""


@functools.lru_cache(maxsize=None)
def context() -> ir.Context:
    """One with all that JAX registers, and StableHLO."""
    registry = ir.DialectRegistry()
    _dialects.register_dialects(registry)
    made = ir.Context()
    made.append_dialect_registry(registry)
    made.load_all_available_dialects()
    stablehlo.register_dialect(made)
    chlo.register_dialect(made)
    if sdy:
        sdy.register_dialect(made)
    # An operation or type of another dialect is refused by name.
    made.allow_unregistered_dialects = True
    made.enable_multithreading(False)  # it would make threads for each
    return made


def parse(data: bytes) -> ir.Module:
    """A module in any form, in the current context: text, bytecode, or a
    portable artifact, which is bytecode of the dialect vhlo."""
    if not data.startswith(b"ML\xefR"):
        return ir.Module.parse(data.decode())
    # What is wrong is in the second exception; the first prints it, too.
    silent = ir.Context.current.attach_diagnostic_handler(lambda _: True)
    try:
        return stablehlo.deserialize_portable_artifact(ir.Context.current,
                                                       data)
    except Exception:  # of a class that depends on jaxlib's version
        pass
    finally:
        silent.detach()
    return ir.Module.parse(data)


def shape_text(type_: ir.Type) -> str:
    """"f32[2,<=3]", "token[]"."""
    shape = types.parse_mlir(str(type_))
    if shape is None:
        return "token[]"
    sizes = (f"{'<=' if d else ''}{n}"
             for n, d in zip(shape.dims, shape.dynamic))
    return f"{shape.dtype}[{','.join(sizes)}]"


def joined_shape(kinds: List[ir.Type]) -> str:
    """One shape, or a tuple of several."""
    texts = [shape_text(t) for t in kinds]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


# ---- Attributes by the form that spec/ops gives them -------------------------

def matrix(attribute: ir.Attribute) -> List[List[int]]:
    """Of integers, with two dimensions."""
    dense = ir.DenseIntElementsAttr(attribute)
    dims = ir.RankedTensorType(dense.type).shape
    if 0 in dims:
        return [[] for _ in range(dims[0])]
    return np.array([int(x) for x in dense]).reshape(dims).tolist()


def ints(attribute: ir.Attribute) -> List[int]:
    if isinstance(attribute, ir.DenseI64ArrayAttr):
        return [int(x) for x in ir.DenseI64ArrayAttr(attribute)]
    return [int(x) for x in ir.DenseIntElementsAttr(attribute)]


def groups(attribute: ir.Attribute) -> List[List[int]]:
    """Short rows are filled up with -1."""
    return [[x for x in row if x != -1] for row in matrix(attribute)]


def word(attribute: ir.Attribute) -> str:
    """"FFT" of #stablehlo<fft_type FFT>."""
    return re.fullmatch(r"#\w+<\w+ (\w+)>", str(attribute))[1]


def number(attribute: ir.Attribute) -> str:
    """Exactly: a hexadecimal float."""
    return float(ir.FloatAttr(attribute).value).hex()


def accuracy(attribute: ir.Attribute) -> Any:
    text = str(attribute)
    mode = re.search(r"result_accuracy_mode<(\w+)>", text)[1]
    if mode != "TOLERANCE":
        return mode
    found = dict(re.findall(r"(atol|rtol|ulps) = ([^,>]+)", text))
    return {"atol": found.get("atol", "0"), "rtol": found.get("rtol", "0"),
            "ulps": int(found.get("ulps", "0"))}


def numbers(attribute: ir.Attribute, members: Dict[str, dict]) -> dict:
    """Dimension numbers: members that are not printed have no dimension."""
    text = str(attribute)
    if text.startswith("#stablehlo.conv<"):
        conv = stablehlo.ConvDimensionNumbers(attribute)
        got = {name: getattr(conv, name) for name in members}
        return {k: v if isinstance(v, int) else list(v)
                for k, v in got.items()}
    found = dict(re.findall(r"(\w+) = (\[[^]]*\]|-?\d+)", text))
    made = {}
    for name, member in members.items():
        value = found.get(member.get("stablehlo", name),
                          "0" if member["form"] == "int" else "[]")
        made[name] = [int(x) for x in re.findall(r"-?\d+", value)] \
            if value.startswith("[") else int(value)
    return made


def plain(attribute: ir.Attribute) -> Any:
    """An attribute of a composite as JSON."""
    if isinstance(attribute, ir.BoolAttr):
        return ir.BoolAttr(attribute).value
    if isinstance(attribute, ir.IntegerAttr):
        return ir.IntegerAttr(attribute).value
    if isinstance(attribute, ir.StringAttr):
        return ir.StringAttr(attribute).value
    if isinstance(attribute, ir.DictAttr):
        return {a.name: plain(a.attr) for a in ir.DictAttr(attribute)}
    if isinstance(attribute, ir.DenseIntElementsAttr):
        return ints(attribute)
    raise LookupError(f"no JSON for the attribute {attribute}")


#: By form; the others depend on more than the attribute.
DECODE = {
    "int": lambda a: ir.IntegerAttr(a).value,
    "ints": ints,
    "bool": lambda a: isinstance(a, ir.UnitAttr) or ir.BoolAttr(a).value,
    "bools": lambda a: [bool(x) for x in ir.DenseBoolArrayAttr(a)],
    "pairs": matrix,
    "window-padding": matrix,
    "groups": groups,
    "name": word,
    "names": lambda a: [word(x) for x in ir.ArrayAttr(a)],
    "string": lambda a: ir.StringAttr(a).value,
    "number": number,
    "accuracy": accuracy,
    "object": plain,
}


# ---- Constants ---------------------------------------------------------------

def literal(op: ir.Operation) -> dict:
    """A literal with every bit of a constant.  Of the printed form, because the
    bindings have no class for each element type."""
    shape_of = shape_text(op.results[0].type)
    shape = types.parse_shape(shape_of)
    text = op.get_asm(print_generic_op_form=True, use_local_scope=True)
    match = re.search(r"value = dense<(.*)> : tensor<.*>\}>? : \(\) ->", text,
                      re.S)
    if not match:
        raise LookupError(f"a constant that is not dense: {text}"[:200])
    if shape.dtype == "pred" and '"' in match[1]:  # packed, in some versions
        values = np.array(ir.DenseIntElementsAttr(op.attributes["value"]))
        return {"shape": shape_of, "data": values.astype(bool).tolist()}
    if 0 in shape.dims:
        return {"shape": shape_of, "data": np.empty(shape.dims).tolist()}
    if match[1].startswith('"0x'):
        return {"shape": shape_of, "hex": match[1][3:-1].lower()}
    if match[1].startswith("["):
        return {"shape": shape_of, "data": _elements(match[1], shape.dtype)}
    return {"shape": shape_of, "splat": _element(match[1], shape.dtype)}


def _element(text: str, dtype: str) -> Any:
    """MLIR's hexadecimal of a float is its bits."""
    if text.startswith("("):
        return [_element(part.strip(), dtype) for part in
                text[1:-1].split(",")]
    if text.startswith("0x") and dtype[0] not in "su":
        return f"bits:{text[2:].lower()}"
    if dtype == "pred":
        return text == "true"
    return int(text, 0) if dtype[0] in "su" else text


def _elements(text: str, dtype: str) -> Any:
    """Nested lists of elements."""
    tokens = re.findall(r"\[|\]|\([^)]*\)|[^\s,\[\]()]+", text)
    stack: List[list] = [[]]
    for token in tokens:
        if token == "[":
            stack.append([])
        elif token == "]":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(_element(token, dtype))
    return stack[0][0]
