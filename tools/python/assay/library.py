"""libassay, by ctypes: cases and tensors as bytes, without NumPy.

SPDX-License-Identifier: Apache-2.0

ctypes calls it without the interpreter's lock, and the library evaluates in as
many threads at once as call it.  An Evaluation is for one thread at a time.
reference.py says where the library is looked for, and makes arrays of this.
"""
import ctypes
import json
import os
import pathlib
import re
import shutil
import threading
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

_CLASSES = {1: "shape", 2: "type", 3: "attribute", 4: "computation",
            5: "structure", 6: "unsupported", 7: "failed"}
_ARRAY, _TOKEN = 0, 2  # assay_kind


class InvalidProgram(ValueError):
    """The operation must be rejected; ``error`` is the class: "shape", "type",
    "attribute", "computation", "structure" or "unsupported"."""

    def __init__(self, error: str, text: str) -> None:
        super().__init__(f"{error}: {text}")
        self.error = error


class EvaluationError(RuntimeError):
    """It cannot be evaluated: a bad argument, or a limit was reached."""


class Tensor(NamedTuple):
    """An array: element type by Assay's name, sizes, bytes in row-major order."""
    dtype: str
    dims: Tuple[int, ...]
    data: bytes


class Element(NamedTuple):
    """A wrong element: of which output, its row-major number, the exact value
    and all that is accepted as texts, how it is judged, and its error in ulps
    or, of a sum, in units of its bound (None: not measured)."""
    output: int
    element: int
    expected: str
    accepts: str
    budget: str
    ulps: Optional[float]
    bounds: Optional[float]


class Judgement(NamedTuple):
    """A verdict: status "pass", "warn" or "fail", why, the wrong elements that
    are listed and how many there are, and the rule that
    the first of them breaks."""
    status: str
    why: str
    wrong: Tuple[Element, ...]
    wrong_elements: int
    rule: str
    rule_text: str
    rule_source: str


# ---- The library's structures (spec/assay/backend.h) --------------------------

class _Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("text", ctypes.c_char * 1016)]


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("profile", ctypes.c_char_p),
                ("steps", ctypes.c_int64), ("evaluate_bytes", ctypes.c_int64),
                ("literal_bytes", ctypes.c_int64),
                ("values_only", ctypes.c_int64),
                ("operands", ctypes.c_void_p),
                ("operand_count", ctypes.c_int64)]


class _Shape(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("kind", ctypes.c_int32),
                ("rank", ctypes.c_int32), ("dtype", ctypes.c_char_p),
                ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("dynamic", ctypes.POINTER(ctypes.c_uint8)),
                ("elements", ctypes.c_void_p)]


class _Tensor(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("shape", ctypes.POINTER(_Shape)),
                ("data", ctypes.c_void_p), ("bytes", ctypes.c_uint64),
                ("sizes", ctypes.POINTER(ctypes.c_int64))]


class _Wrong(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("replica", ctypes.c_int32),
                ("output", ctypes.c_int32), ("element", ctypes.c_int64),
                ("found", ctypes.c_char_p), ("expected", ctypes.c_char_p),
                ("accepts", ctypes.c_char_p), ("budget", ctypes.c_char_p),
                ("ulps", ctypes.c_int64), ("bounds", ctypes.c_int64)]


class _Judgement(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("status", ctypes.c_char_p),
                ("why", ctypes.c_char_p), ("units", ctypes.c_int64),
                ("bad", ctypes.c_int64), ("wrong_elements", ctypes.c_int64),
                ("wrong_count", ctypes.c_int64),
                ("wrong", ctypes.POINTER(ctypes.POINTER(_Wrong))),
                ("rule", ctypes.c_char_p), ("rule_text", ctypes.c_char_p),
                ("rule_source", ctypes.c_char_p)]


# Where the library says a mistake is, in the case that is made of a call.
_PLACE = re.compile(r"^[^\s:]+:\d+:\d+: (/\S*?): ", re.ASCII)
_PARTS = {"inputs": "operand", "attributes": "attribute"}


def of_call(text: str) -> str:
    """A message about a case in the words of the call that it was made of:
    "attribute 'dimensions[0]': expected an integer"."""
    found = _PLACE.match(text)
    if not found:
        return text
    rest = text[found.end():]
    parts = [p for p in found[1].split("/") if p]
    if parts[:2] == ["cases", "0"]:
        parts = parts[2:]
    if not parts or parts[0] not in _PARTS:
        return rest
    inner = "".join(f"[{p}]" if p.isdigit() else f".{p}" for p in parts[1:])
    name = inner[1:].replace("]", "", 1) if inner[:1] == "[" \
        else f"'{inner[1:]}'"
    return f"{_PARTS[parts[0]]} {name}: {rest}" if inner else rest


def _text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


_library = None
_loading = threading.Lock()


def _load() -> ctypes.CDLL:
    global _library
    with _loading:
        if _library is None:
            _library = _open()
    return _library


def _beside_command() -> Optional[str]:
    """Where `make install` puts it, if the command assay is in the PATH."""
    command = shutil.which("assay")
    return command and str(
        pathlib.Path(command).resolve().parents[1] / "lib/assay/libassay.so")


def _find() -> str:
    """The wheel's own, the source tree's, the installed one, the system's."""
    here = pathlib.Path(__file__).resolve()
    for path in (str(here.parent / "native/lib/assay/libassay.so"),
                 str(here.parents[3] / "build/libassay.so"),
                 _beside_command()):
        if path and os.path.isfile(path):
            return path
    return "libassay.so"


def _open() -> ctypes.CDLL:
    path = os.environ.get("ASSAY_LIBRARY") or _find()
    try:
        library = ctypes.CDLL(path)
    except OSError as e:
        raise EvaluationError(
            f"{e}; build it with `make`, or name it in ASSAY_LIBRARY") from None
    pointer, tensor = ctypes.c_void_p, ctypes.POINTER(_Tensor)
    for name, result, arguments in (
            ("parse", ctypes.c_int32,
             [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint64,
              ctypes.POINTER(_Options), ctypes.POINTER(pointer),
              ctypes.POINTER(_Error)]),
            ("close", None, [pointer]),
            ("evaluate", ctypes.c_int32,
             [pointer, ctypes.c_int64, ctypes.POINTER(pointer),
              ctypes.POINTER(_Error)]),
            ("release", None, [pointer]),
            ("verdict", ctypes.c_int32,
             [pointer, ctypes.POINTER(ctypes.c_char_p)]),
            ("replicas", ctypes.c_int32, [pointer]),
            ("outputs", ctypes.c_int32, [pointer]),
            ("output", tensor, [pointer, ctypes.c_int32, ctypes.c_int32]),
            ("accepts", ctypes.c_char_p,
             [pointer, ctypes.c_int32, ctypes.c_int32, ctypes.c_int64]),
            ("value", ctypes.c_char_p,
             [pointer, ctypes.c_int32, ctypes.c_int32, ctypes.c_int64]),
            ("power", ctypes.c_char_p, [pointer]),
            ("judge_all", ctypes.c_int32,
             [pointer, ctypes.POINTER(tensor), ctypes.c_int32, ctypes.c_int64,
              ctypes.POINTER(_Judgement), ctypes.POINTER(_Error)])):
        try:
            function = getattr(library, f"assay_reference_{name}")
        except AttributeError:
            raise EvaluationError(f"{path}: is older than this package, and "
                                  f"lacks assay_reference_{name}") from None
        function.restype, function.argtypes = result, arguments
    return library


def _tensor_of(value: Optional[Tensor]) -> _Tensor:
    """A structure that keeps what it points to."""
    dtype, dims, data = value or (None, (), b"")
    sizes = (ctypes.c_int64 * len(dims))(*dims)
    shape = _Shape(ctypes.sizeof(_Shape), _ARRAY if value else _TOKEN,
                   len(dims), dtype.encode() if dtype else None, sizes)
    return _Tensor(ctypes.sizeof(_Tensor), ctypes.pointer(shape),
                   ctypes.cast(data, ctypes.c_void_p), len(data))


class Evaluation:
    """One case of spec/case-format.md (without id and why), evaluated: a
    context manager.  With values_only there is nothing to judge by, and
    functions with a proved kernel take a hundredth of the time.  operands are
    arrays in place of inputs of the case; None leaves the input as it is."""

    def __init__(self, op: str, case: Dict[str, Any],
                 profile: Optional[str] = None,
                 values_only: bool = False,
                 operands: Sequence[Optional[Tensor]] = ()) -> None:
        self._library = _load()
        text = json.dumps({"format": "assay-case/1", "op": op, "cases": [
            {"id": "case", "why": "asked for in Python", **case}]}).encode()
        options = _Options(ctypes.sizeof(_Options),
                           profile.encode() if profile else None,
                           values_only=values_only)
        tensors = [value and _tensor_of(value) for value in operands]
        given = (ctypes.POINTER(_Tensor) * len(tensors))(
            *(value and ctypes.pointer(value) for value in tensors))
        if any(tensors):
            options.operands = ctypes.cast(given, ctypes.c_void_p)
            options.operand_count = len(tensors)
        self._case, self.result = ctypes.c_void_p(), ctypes.c_void_p()
        self._error = _Error(ctypes.sizeof(_Error))
        self._check(self._library.assay_reference_parse(
            op.encode(), text, len(text), ctypes.byref(options),
            ctypes.byref(self._case), ctypes.byref(self._error)))
        try:
            self._check(self._library.assay_reference_evaluate(
                self._case, 0, ctypes.byref(self.result),
                ctypes.byref(self._error)))
        except EvaluationError:
            self._library.assay_reference_close(self._case)
            raise

    def __enter__(self) -> "Evaluation":
        return self

    def __exit__(self, *_: Any) -> None:
        self._library.assay_reference_release(self.result)
        self._library.assay_reference_close(self._case)

    def _check(self, code: int) -> None:
        if code:
            raise EvaluationError(of_call(_text(self._error.text)))

    def check_valid(self) -> None:
        """InvalidProgram if there are no values."""
        why = ctypes.c_char_p()
        code = self._library.assay_reference_verdict(self.result,
                                                     ctypes.byref(why))
        if code:
            raise InvalidProgram(_CLASSES.get(code, "failed"), _text(why.value))

    def outputs(self) -> List[Optional[Tensor]]:
        """Tensors of the result, depth first, of all replicas; None for a
        token."""
        self.check_valid()
        count = self._library.assay_reference_outputs(self.result)
        replicas = self._library.assay_reference_replicas(self.result)
        return [self._output(r, i) for r in range(replicas)
                for i in range(count)]

    def _output(self, replica: int, number: int) -> Optional[Tensor]:
        tensor = self._library.assay_reference_output(self.result, replica,
                                                      number)[0]
        shape = tensor.shape[0]
        if shape.kind != _ARRAY:
            return None
        return Tensor(shape.dtype.decode(),
                      tuple(shape.dims[i] for i in range(shape.rank)),
                      ctypes.string_at(tensor.data, tensor.bytes))

    def accepts(self, output: int, element: int) -> str:
        """All that is accepted for an element, by its row-major number:
        "[1.5, 1.75] | nan"."""
        return _text(self._library.assay_reference_accepts(
            self.result, 0, output, element))

    def value(self, output: int, element: int) -> str:
        """Its exact value, rounded once, in decimal."""
        return _text(self._library.assay_reference_value(
            self.result, 0, output, element))

    def power(self) -> Optional[Tuple[str, ...]]:
        """The mistakes in sums that would be right on these operands: "bf16
        operands", "a missing term", ...; None if none was tried."""
        text = self._library.assay_reference_power(self.result)
        if text is None:
            return None
        return tuple(_text(text).split(", ")) if text else ()

    def judgement(self, outputs: Sequence[Optional[Tensor]],
                  most: Optional[int] = None) -> Judgement:
        """The verdict on these tensors, with at most so many wrong elements."""
        self.check_valid()
        tensors = [_tensor_of(value) for value in outputs]
        pointers = (ctypes.POINTER(_Tensor) * len(tensors))(
            *map(ctypes.pointer, tensors))
        j = _Judgement(ctypes.sizeof(_Judgement))
        self._check(self._library.assay_reference_judge_all(
            self.result, pointers, len(tensors),
            2**62 if most is None else most, ctypes.byref(j),
            ctypes.byref(self._error)))
        wrong = (j.wrong[i][0] for i in range(j.wrong_count))
        return Judgement(_text(j.status), _text(j.why),
                         tuple(map(_element, wrong)), j.wrong_elements,
                         _text(j.rule), _text(j.rule_text),
                         _text(j.rule_source))

    def judge(self, outputs: Sequence[Optional[Tensor]]) -> Optional[str]:
        """None if these tensors are right, else the first thing wrong."""
        made = self.judgement(outputs, 0)
        return made.why if made.status == "fail" else None


def _element(w: _Wrong) -> Element:
    return Element(w.output, w.element, _text(w.expected), _text(w.accepts),
                   _text(w.budget), *(None if x < 0 else x / 1e6
                                      for x in (w.ulps, w.bounds)))
