"""StableHLO's attributes and types as the case format has them.

SPDX-License-Identifier: Apache-2.0

Each function takes an attribute of MLIR (jaxlib's bindings) and gives the JSON
of spec/case-format.md.  importer.py is the caller.
"""
import functools
import os
import re
from typing import Any, Dict, List, Optional

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
try:
    from jaxlib.mlir.dialects import mhlo  # what HLO has and StableHLO lacks
except ImportError:
    mhlo = None


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
    if mhlo:
        mhlo.register_mhlo_dialect(made)
    # An operation or type of another dialect is refused by name.
    made.allow_unregistered_dialects = True
    made.enable_multithreading(False)  # it would make threads for each
    return made


def decode(data: bytes, where: str, what: str) -> str:
    """A program's text."""
    try:
        return data.decode()
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        column = e.start - data.rfind(b"\n", 0, e.start)
        raise Refused(f"{where}:{line}:{column}: {what}: byte {e.start} is "
                      "not UTF-8") from None


def is_tuple(type_: ir.Type) -> bool:
    return str(type_).startswith("tuple<")


def is_token(type_: ir.Type) -> bool:
    return str(type_) in types.TOKENS


def elements(type_: ir.Type) -> List[ir.Type]:
    """Of a tuple."""
    made = ir.TupleType(type_)
    return [made.get_type(i) for i in range(made.num_types)]


def shape_text(type_: ir.Type) -> str:
    """"f32[2,<=3]", "token[]", "(f32[2], s32[])"."""
    if is_tuple(type_):
        return f"({', '.join(map(shape_text, elements(type_)))})"
    shape = types.parse_mlir(str(type_))
    if shape is None:
        return "token[]"
    sizes = (f"{'<=' if d else ''}{n}"
             for n, d in zip(shape.dims, shape.dynamic))
    return f"{shape.dtype}[{','.join(sizes)}]"


def shape_of(value: ir.Value) -> types.Shape:
    """The shape of an array."""
    return types.parse_mlir(str(value.type))


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
    if isinstance(attribute, ir.DenseI32ArrayAttr):
        return [int(x) for x in ir.DenseI32ArrayAttr(attribute)]
    if isinstance(attribute, ir.DenseI64ArrayAttr):
        return [int(x) for x in ir.DenseI64ArrayAttr(attribute)]
    return [int(x) for x in ir.DenseIntElementsAttr(attribute)]


def bools(attribute: ir.Attribute) -> List[bool]:
    kind = ir.DenseBoolArrayAttr if str(attribute).startswith("array<") \
        else ir.DenseIntElementsAttr
    return [bool(x) for x in kind(attribute)]


def groups(attribute: ir.Attribute) -> List[List[int]]:
    """Short rows are filled up with -1."""
    return [[x for x in row if x != -1] for row in matrix(attribute)]


def word(attribute: ir.Attribute) -> str:
    """"FFT" of #stablehlo<fft_type FFT> or #mhlo.fft_type<FFT>."""
    found = re.fullmatch(r"#\w+(?:<\w+ |\.\w+<)(\w+)>", str(attribute))
    if not found:
        raise Refused(f"{shown(attribute)} is no name of an enumeration")
    return found[1]


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
    dialect = re.match(r"#(\w+)\.conv<", text)
    if dialect:
        conv = {"stablehlo": stablehlo, "mhlo": mhlo}[dialect[1]] \
            .ConvDimensionNumbers(attribute)
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


def text(attribute: ir.Attribute) -> str:
    """Of a string; the bindings take any bytes for UTF-8."""
    if not isinstance(attribute, ir.StringAttr):
        raise Refused(f"{shown(attribute)} is not text")
    try:
        made = ir.StringAttr(attribute).value_bytes.decode()
    except UnicodeDecodeError as e:
        raise Refused(f"its text is not UTF-8 at byte {e.start}") from None
    if "\0" in made:
        raise Refused(f"its text has a NUL at byte {made.index(chr(0))}")
    return made


def named(attributes: Any) -> Dict[str, ir.Attribute]:
    """An operation's attributes, or a dictionary's."""
    return {n: attributes[n] for n in (getattr(a, "name", a)
                                       for a in attributes)}


def shown(value: Any) -> str:
    """An attribute or a type in a message."""
    try:
        made = str(value)
    except (RuntimeError, UnicodeDecodeError):  # not UTF-8
        return "what is not UTF-8"
    return made if len(made) <= 120 else f"{made[:117]}..."


def plain(attribute: ir.Attribute) -> Any:
    """An attribute of a composite as JSON.  The decomposition is the meaning,
    so what JSON cannot say is kept as MLIR's text."""
    if isinstance(attribute, ir.BoolAttr):
        return ir.BoolAttr(attribute).value
    if isinstance(attribute, ir.IntegerAttr):
        return ir.IntegerAttr(attribute).value
    if isinstance(attribute, ir.StringAttr):
        return text(attribute)
    if isinstance(attribute, ir.DictAttr):
        return {name: plain(a) for name, a in
                named(ir.DictAttr(attribute)).items()}
    if isinstance(attribute, ir.DenseIntElementsAttr):
        return ints(attribute)
    return re.sub(r'["\\]', "'", shown(attribute))


#: By form; the others depend on more than the attribute.
DECODE = {
    "int": lambda a: ir.IntegerAttr(a).value,
    "ints": ints,
    "bool": lambda a: isinstance(a, ir.UnitAttr) or ir.BoolAttr(a).value,
    "bools": bools,
    "pairs": matrix,
    "window-padding": matrix,
    "groups": groups,
    "name": word,
    "names": lambda a: [word(x) for x in ir.ArrayAttr(a)],
    "string": text,
    "number": number,
    "accuracy": accuracy,
    "object": plain,
}


# ---- Constants ---------------------------------------------------------------

_DENSE = re.compile(r"value = dense<(.*?)> : tensor<", re.S)
_RESOURCE = re.compile(r"value = dense_resource<([^>]*)> : ")
#: Resources of a module, by name, as MLIR prints them.
Resources = Dict[str, str]


def resources(text_: str) -> Resources:
    """Of a module's text: what stands after it."""
    tail = text_[text_.rfind("{-#"):] if "{-#" in text_ else ""
    return dict(re.findall(r'([\w.$-]+|"[^"]*"): "0x([0-9A-Fa-f]*)"', tail))


def literal(op: ir.Operation, blobs: Resources) -> dict:
    """A literal with every bit of a constant.  Of the printed form, because the
    bindings have no class for each element type."""
    shape_of = shape_text(op.results[0].type)
    shape = types.parse_shape(shape_of)
    printed = op.get_asm(print_generic_op_form=True, use_local_scope=True)
    resource = _RESOURCE.search(printed)
    if resource:
        return {"shape": shape_of, "hex": _blob(resource[1], blobs, shape)}
    match = _DENSE.search(printed)
    if not match:
        raise LookupError(f"a constant that is not dense: {printed}"[:200])
    if shape.dtype == "pred" and '"' in match[1]:  # packed, in some versions
        values = np.array(ir.DenseIntElementsAttr(op.attributes["value"]))
        return {"shape": shape_of, "data": values.astype(bool).tolist()}
    if 0 in shape.dims:
        return {"shape": shape_of, "data": np.empty(shape.dims).tolist()}
    if match[1].startswith('"0x'):
        data = match[1][3:-1].lower()
        one = len(data) == 2 * shape.numpy.itemsize  # of all elements
        return {"shape": shape_of,
                "hex": data * int(np.prod(shape.dims)) if one else data}
    if match[1].startswith("["):
        return {"shape": shape_of, "data": _elements(match[1], shape.dtype)}
    return {"shape": shape_of, "splat": element(match[1], shape.dtype)}


def _blob(name: str, blobs: Resources, shape: types.Shape) -> str:
    """The bytes of a resource, after four that give its alignment.  Elements
    narrower than a byte take one each."""
    if name not in blobs:
        # MLIR numbers names that it has seen.
        name = re.sub(r"^__elided___\d+$", "__elided__", name)
        raise Refused(f"dense_resource<{name}>: no data in the module")
    data = blobs[name][8:].lower()
    size = types.byte_count(shape)
    if len(data) != 2 * size:
        raise Refused(f"dense_resource<{name}>: {len(data) // 2} bytes, "
                      f"expected {size}")
    return data


def element(text_: str, dtype: str) -> Any:
    """MLIR's hexadecimal of a float is its bits."""
    if text_.startswith("("):
        return [element(part.strip(), dtype) for part in
                text_[1:-1].split(",")]
    if text_.startswith("0x") and dtype[0] not in "su":
        return f"bits:{text_[2:].lower()}"
    if dtype == "pred":
        return text_ == "true"
    return int(text_, 0) if dtype[0] in "su" else text_


def _elements(text_: str, dtype: str) -> Any:
    """Nested lists of elements."""
    tokens = re.findall(r"\[|\]|\([^)]*\)|[^\s,\[\]()]+", text_)
    stack: List[list] = [[]]
    for token in tokens:
        if token == "[":
            stack.append([])
        elif token == "]":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(element(token, dtype))
    return stack[0][0]


_HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = re.compile(r'"([^"]*)":(\d+)(?::(\d+))?')


def user_place(location: Any) -> Optional["re.Match[str]"]:
    """The innermost place that is neither Assay's nor JAX's: its file, line and
    column.  The file "-" is the program itself."""
    for place in PLACE.finditer(str(location)):
        if not place[1].startswith(_HERE) \
                and "/site-packages/jax" not in place[1]:
            return place
    return None
