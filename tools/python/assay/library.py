"""libassay, by ctypes: cases and tensors as bytes, without NumPy.

SPDX-License-Identifier: Apache-2.0

reference.py says where the library is looked for, and makes arrays of this.
"""
import ctypes
import json
import os
import pathlib
import shutil
import threading
import typing

_CLASSES = {1: "shape", 2: "type", 3: "attribute", 4: "computation",
            5: "structure", 6: "unsupported", 7: "failed"}
_ARRAY, _TOKEN = 0, 2  # assay_kind


class InvalidProgram(ValueError):
    """The operation must be rejected; ``error`` is the class: "shape", "type",
    "attribute", "computation", "structure" or "unsupported"."""

    def __init__(self, error, text):
        super().__init__(f"{error}: {text}")
        self.error = error


class EvaluationError(RuntimeError):
    """It cannot be evaluated: a bad argument, or a limit was reached."""


class Tensor(typing.NamedTuple):
    """An array: element type by Assay's name, sizes, bytes in row-major order."""
    dtype: str
    dims: tuple
    data: bytes


# ---- The library's structures (spec/assay/backend.h) --------------------------

class _Error(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("text", ctypes.c_char * 1016)]


class _Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint64), ("profile", ctypes.c_char_p),
                ("steps", ctypes.c_int64), ("evaluate_bytes", ctypes.c_int64),
                ("literal_bytes", ctypes.c_int64)]


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


_library = None
_loading = threading.Lock()


def _load():
    global _library
    with _loading:
        if _library is None:
            _library = _open()
    return _library


def _beside_command():
    """Where `make install` puts it, if the command assay is in the PATH."""
    command = shutil.which("assay")
    return command and str(
        pathlib.Path(command).resolve().parents[1] / "lib/assay/libassay.so")


def _find():
    """$ASSAY_LIBRARY, the source tree's, the installed one, the system's."""
    tree = str(pathlib.Path(__file__).resolve().parents[3]
               / "build/libassay.so")
    for path in tree, _beside_command():
        if path and os.path.isfile(path):
            return path
    return "libassay.so"


def _open():
    path = os.environ.get("ASSAY_LIBRARY") or _find()
    try:
        library = ctypes.CDLL(path)
    except OSError as e:
        raise EvaluationError(
            f"{e}; build it with `make`, or name it in ASSAY_LIBRARY") from None
    pointer, tensor = ctypes.c_void_p, ctypes.POINTER(_Tensor)
    element = [pointer, ctypes.c_int32, ctypes.c_int32, ctypes.c_int64]
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
            ("value", ctypes.c_char_p, element),
            ("accepts", ctypes.c_char_p, element),
            ("judge", ctypes.c_int32,
             [pointer, ctypes.POINTER(tensor), ctypes.c_int32,
              ctypes.POINTER(ctypes.c_int32), ctypes.POINTER(_Error)])):
        function = getattr(library, f"assay_reference_{name}")
        function.restype, function.argtypes = result, arguments
    return library


def _tensor_of(value):
    """A structure that keeps what it points to."""
    dtype, dims, data = value or (None, (), b"")
    sizes = (ctypes.c_int64 * len(dims))(*dims)
    shape = _Shape(ctypes.sizeof(_Shape), _ARRAY if value else _TOKEN,
                   len(dims), dtype.encode() if dtype else None, sizes)
    return _Tensor(ctypes.sizeof(_Tensor), ctypes.pointer(shape),
                   ctypes.cast(data, ctypes.c_void_p), len(data))


class Evaluation:
    """One case of spec/case-format.md (without id and why), evaluated: a
    context manager."""

    def __init__(self, op, case, profile=None):
        self._library = _load()
        text = json.dumps({"format": "assay-case/1", "op": op, "cases": [
            {"id": "case", "why": "asked for in Python", **case}]}).encode()
        options = _Options(ctypes.sizeof(_Options),
                           profile.encode() if profile else None)
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

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._library.assay_reference_release(self.result)
        self._library.assay_reference_close(self._case)

    def _check(self, code):
        if code:
            raise EvaluationError(self._error.text.decode("utf-8", "replace"))

    def outputs(self):
        """Tensors of the result, depth first, of all replicas; None for a
        token."""
        why = ctypes.c_char_p()
        code = self._library.assay_reference_verdict(self.result,
                                                     ctypes.byref(why))
        if code:
            raise InvalidProgram(_CLASSES.get(code, "failed"),
                                 (why.value or b"").decode())
        count = self._library.assay_reference_outputs(self.result)
        replicas = self._library.assay_reference_replicas(self.result)
        return [self._output(r, i) for r in range(replicas)
                for i in range(count)]

    def _output(self, replica, number):
        tensor = self._library.assay_reference_output(self.result, replica,
                                                      number)[0]
        shape = tensor.shape[0]
        if shape.kind != _ARRAY:
            return None
        return Tensor(shape.dtype.decode(),
                      tuple(shape.dims[i] for i in range(shape.rank)),
                      ctypes.string_at(tensor.data, tensor.bytes))

    def judge(self, outputs):
        """None if these tensors are right, else the first thing wrong."""
        tensors = [_tensor_of(value) for value in outputs]
        right = ctypes.c_int32()
        pointers = (ctypes.POINTER(_Tensor) * len(tensors))(
            *map(ctypes.pointer, tensors))
        self._check(self._library.assay_reference_judge(
            self.result, pointers, len(tensors), ctypes.byref(right),
            ctypes.byref(self._error)))
        return None if right.value else self._error.text.decode()

    def text(self, what, output, element):
        """"value" or "accepts" of an element of the first replica."""
        get = getattr(self._library, f"assay_reference_{what}")
        text = get(self.result, 0, output, element)
        return text.decode() if text else "?"
