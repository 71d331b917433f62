"""Element types and shapes, between Assay and NumPy.

SPDX-License-Identifier: Apache-2.0

Types that NumPy lacks are those of the package ml_dtypes.  Where that is not
installed they are simply not there.
"""
import json
import pathlib
import re
import sys
import typing

import numpy as np

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

_NUMPY = {
    "pred": "bool", "f16": "float16", "f32": "float32", "f64": "float64",
    "c64": "complex64", "c128": "complex128",
    **{f"{k[0]}{n}": f"{k}{n}" for k in ("uint",) for n in (8, 16, 32, 64)},
    **{f"s{n}": f"int{n}" for n in (8, 16, 32, 64)},
}
_ML_DTYPES = {
    "bf16": "bfloat16", "s2": "int2", "s4": "int4", "u2": "uint2",
    "u4": "uint4", "f4e2m1fn": "float4_e2m1fn", "f6e2m3fn": "float6_e2m3fn",
    "f6e3m2fn": "float6_e3m2fn", "f8e3m4": "float8_e3m4",
    "f8e4m3": "float8_e4m3", "f8e4m3fn": "float8_e4m3fn",
    "f8e4m3fnuz": "float8_e4m3fnuz", "f8e4m3b11fnuz": "float8_e4m3b11fnuz",
    "f8e5m2": "float8_e5m2", "f8e5m2fnuz": "float8_e5m2fnuz",
    "f8e8m0fnu": "float8_e8m0fnu",
}

_TABLES = json.loads(
    (pathlib.Path(__file__).parent / "tables.json").read_text("utf-8"))
#: Each operation's attributes, with their forms and defaults, its name in
#: StableHLO, and whether it is elementwise.
OPERATIONS: typing.Dict[str, dict] = _TABLES["operations"]
#: Assay's name of an element type, by MLIR's: {"f32": "f32", "i1": "pred"}.
OF_MLIR: typing.Dict[str, str] = {
    row["mlir"]: name for name, row in _TABLES["types"].items() if row["mlir"]}
#: The same, and MLIR's type of sizes, as wide as it is on machines of today.
_READ = {**OF_MLIR, "index": "s64"}

#: All element types, by Assay's name, whether available here or not.
NAMES: typing.Tuple[str, ...] = tuple(_TABLES["types"])

#: NumPy's type of each element type that is available here, by Assay's name.
DTYPES = {name: np.dtype(there) for name, there in _NUMPY.items()}
DTYPES.update({name: np.dtype(getattr(ml_dtypes, there))
               for name, there in _ML_DTYPES.items()
               if hasattr(ml_dtypes, there)})
_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_BY_NAME = {dtype.name: dtype for dtype in _NAMES}

#: Bits that count, of types narrower than the byte that they take.
_NARROW = {name: (1 << row["bits"]) - 1
           for name, row in _TABLES["types"].items()
           if row["bits"] < 8 and name != "pred"}


def bits(name: str) -> int:
    """Bits of an element type, by Assay's name; of pred the byte it takes."""
    return 8 if name == "pred" else _TABLES["types"][name]["bits"]


def has_all_of(wide: str, narrow: str) -> bool:
    """Is each value of the one type one of the other, which is as wide as the
    types that are computed in?  Of integers, or of floats."""
    a, b = _extent(wide), _extent(narrow)
    return a is not None and b is not None and a[0] == b[0] \
        and bits(wide) >= 16 and all(x >= y for x, y in zip(a[1:], b[1:]))


def _extent(name: str) -> typing.Optional[typing.Tuple[typing.Any, ...]]:
    """Numbers that are larger where a type has more values."""
    if ml_dtypes is None or name not in DTYPES:
        return None
    if re.match(r"[su]\d", name):
        info = ml_dtypes.iinfo(DTYPES[name])
        return "integer", info.max, -info.min
    if re.match(r"b?f\d", name):
        info = ml_dtypes.finfo(DTYPES[name])
        return "float", info.nmant, info.maxexp, info.nmant - info.minexp
    return None


def dtype_name(dtype: typing.Any) -> str:
    """Assay's name of a NumPy type, "f32".  TypeError if it has none."""
    try:
        return _NAMES[np.dtype(dtype).newbyteorder("=")]
    except KeyError:
        raise TypeError(f"{dtype} is not an element type of Assay") from None


def as_array(value: typing.Any) -> np.ndarray:
    """An array of NumPy, of anything that is one elsewhere: PyTorch, JAX, an
    object with DLPack, numbers.  Element types that NumPy lacks become those of
    ml_dtypes."""
    torch = sys.modules.get("torch")
    if torch and isinstance(value, torch.Tensor):
        return _of_torch(torch, value)
    if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        try:
            return np.from_dlpack(value)
        except (BufferError, RuntimeError) as e:
            raise TypeError("NumPy cannot take this array of "
                            f"{type(value).__name__} by DLPack: {e}") from None
    return np.asarray(value)


def _of_torch(torch: typing.Any, tensor: typing.Any) -> np.ndarray:
    """On any device; what NumPy and DLPack cannot say goes as bits."""
    tensor = tensor.detach().cpu().resolve_conj().resolve_neg()
    dtype = of_torch(tensor.dtype)
    if dtype_name(dtype) in _NUMPY:
        return tensor.numpy()
    bits = {1: torch.uint8, 2: torch.int16}[dtype.itemsize]
    return tensor.contiguous().view(bits).numpy().view(dtype)


def of_torch(dtype: typing.Any) -> np.dtype:
    """The type of NumPy or ml_dtypes that a torch.dtype is."""
    name = str(dtype).partition(".")[2]
    if name in _BY_NAME:
        return _BY_NAME[name]
    lacks = ": the package ml_dtypes is not installed" \
        if name in _ML_DTYPES.values() else ""
    raise TypeError(f"{dtype} is not an element type of Assay{lacks}")


class Shape(typing.NamedTuple):
    """An array's shape: element type by Assay's name, sizes, and which of the
    sizes are bounds."""
    dtype: str
    dims: typing.Tuple[int, ...]
    dynamic: typing.Tuple[bool, ...]

    @property
    def numpy(self) -> np.dtype:
        """The element type as NumPy has it."""
        if self.dtype not in DTYPES:
            raise LookupError(f"NumPy has no {self.dtype} here "
                              "(is ml_dtypes installed?)")
        return DTYPES[self.dtype]


def parse_shape(text: str) -> typing.Any:
    """Shape of "f32[2,3]", a list of them for a tuple, None for a token."""
    shape, rest = _parse(text.replace(" ", ""))
    if rest:
        raise ValueError(f"not a shape: {text!r}")
    return shape


def _parse(text):
    if text.startswith("("):
        elements, rest = [], text[1:]
        while not rest.startswith(")"):
            element, rest = _parse(rest)
            elements.append(element)
            rest = rest[1:] if rest.startswith(",") else rest
            if not rest:
                raise ValueError(f"not a shape: {text!r}")
        return elements, rest[1:]
    match = re.match(r"([a-z][a-z0-9]*)\[([0-9<=,]*)\]", text)
    if not match:
        raise ValueError(f"not a shape: {text!r}")
    sizes = [s for s in match[2].split(",") if s]
    rest = text[match.end():]
    if match[1] == "token":
        return None, rest
    return Shape(match[1], tuple(int(s.lstrip("<=")) for s in sizes),
                 tuple(s.startswith("<=") for s in sizes)), rest


#: Types of a token, in StableHLO and in the dialect of HLO.
TOKENS = ("!stablehlo.token", "!mhlo.token")


def parse_mlir(text: str) -> typing.Optional[Shape]:
    """Shape of a type of StableHLO, "tensor<2x?xf32, #stablehlo.bounds<?, 3>>",
    or of the dialect of HLO; None for a token.  LookupError for what is not an
    array of an element type."""
    if text in TOKENS:
        return None
    match = _TENSOR.fullmatch(text)
    if not text.startswith("tensor<") or text.startswith("tensor<*"):
        raise LookupError(f"found {text}, expected a tensor of known rank")
    if "!quant." in text:
        raise LookupError("quantized types are not supported here: "
                          + text[text.index("!quant."):-1])
    if not match or match[2] not in _READ:
        raise LookupError(f"no element type or encoding of Assay: {text}")
    sizes = match[1].split("x")[:-1]
    bounds = match[3].split(", ") if match[3] else ["?"] * len(sizes)
    if any(s == b == "?" for s, b in zip(sizes, bounds)):
        raise LookupError(f"a dimension without a bound: {text}")
    return Shape(_READ[match[2]],
                 tuple(int(b if s == "?" else s)
                       for s, b in zip(sizes, bounds)),
                 tuple(s == "?" for s in sizes))


_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)([A-Za-z]\w*(?:<f\d+>)?)"
                     r"(?:, #(?:stablehlo\.bounds<|mhlo\.type_extensions<"
                     r"bounds = \[)([\d?, ]*)\]?>)?>")


def from_bytes(data: bytes, shape: Shape) -> np.ndarray:
    """An array that owns its memory, of bytes in Assay's layout."""
    return np.frombuffer(bytes(data), shape.numpy).reshape(shape.dims).copy()


def to_bytes(array: np.ndarray) -> bytes:
    """Bytes in Assay's layout: row-major, little-endian, padding zero."""
    array = np.ascontiguousarray(array)
    mask = _NARROW.get(dtype_name(array.dtype))
    if mask:
        return (array.view(np.uint8) & mask).tobytes()
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return array.tobytes()


def byte_count(shape: typing.Optional[Shape]) -> int:
    """How many bytes an array takes; 0 for a token (None)."""
    if shape is None:
        return 0
    return int(np.prod(shape.dims, dtype=np.int64)) * shape.numpy.itemsize
