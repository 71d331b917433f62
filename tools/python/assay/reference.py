"""The exact reference, and its judge, in Python.

SPDX-License-Identifier: Apache-2.0

    import assay, numpy as np
    x = np.float32([0.5, 2, -0.0])
    assay.exact("Sqrt", x)                          # rounded once
    assay.judge("Sqrt", [x], np.sqrt(x))            # right? if not: which, why
    assay.assert_conforms(np.sqrt, "Sqrt", x)       # in a test

Operations and attributes have the names of spec/ops; ``assay doc Gather`` prints
one.  Attributes are given as the case format has them (spec/case-format.md),
except that a NumPy type stands for an element type and an array for a literal.

The library libassay.so is that of $ASSAY_LIBRARY, of the source tree's build/,
of the installed command assay, or of where the system looks, in this order.  It is called without the interpreter's lock,
and evaluates in several threads at once.
"""
import ctypes
import dataclasses
import json
import os
import pathlib
import shutil
import threading

import numpy as np

from assay import types

_CLASSES = {1: "shape", 2: "type", 3: "attribute", 4: "computation",
            5: "structure", 6: "unsupported", 7: "failed"}


class InvalidProgram(ValueError):
    """The operation must be rejected; ``error`` is the class: "shape", "type",
    "attribute", "computation", "structure" or "unsupported"."""

    def __init__(self, error, text):
        super().__init__(f"{error}: {text}")
        self.error = error


class EvaluationError(RuntimeError):
    """It cannot be evaluated: a bad argument, or a limit was reached."""


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


# ---- A case ---------------------------------------------------------------------

def _literal(value):
    if isinstance(value, (tuple, list)):
        return {"tuple": [_literal(v) for v in value]}
    if value is None:
        return {"shape": "token[]"}
    array = np.asarray(value)
    name = types.dtype_name(array.dtype)
    dims = ",".join(map(str, array.shape))
    return {"shape": f"{name}[{dims}]", "hex": types.to_bytes(array).hex()}


def _attribute(value):
    if isinstance(value, np.dtype) or isinstance(value, type):
        return types.dtype_name(value)
    if isinstance(value, np.ndarray):
        return _literal(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {k: _attribute(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_attribute(v) for v in value]
    return value


class _Evaluation:
    """One case, evaluated: a context manager."""

    def __init__(self, op, operands, attributes, profile):
        self._library = _load()
        case = {"id": "case", "why": "asked for in Python",
                "inputs": [_literal(o) for o in operands],
                "attributes": {k: _attribute(v) for k, v in attributes.items()}}
        text = json.dumps({"format": "assay-case/1", "op": op,
                           "cases": [case]}).encode()
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
        """Arrays of the result, depth first; None for a token."""
        why = ctypes.c_char_p()
        code = self._library.assay_reference_verdict(self.result,
                                                     ctypes.byref(why))
        if code:
            raise InvalidProgram(_CLASSES.get(code, "failed"),
                                 (why.value or b"").decode())
        count = self._library.assay_reference_outputs(self.result)
        return [self._array(i) for i in range(count)]

    def _array(self, number):
        tensor = self._library.assay_reference_output(self.result, 0, number)[0]
        shape = tensor.shape[0]
        if shape.kind != 0:
            return None
        dims = tuple(shape.dims[i] for i in range(shape.rank))
        return types.from_bytes(
            ctypes.string_at(tensor.data, tensor.bytes),
            types.Shape(shape.dtype.decode(), dims, (False,) * shape.rank))

    def judge(self, arrays):
        """None if these outputs are right, else the first thing wrong."""
        tensors, keep = [], []
        for array in arrays:
            data = b"" if array is None else types.to_bytes(array)
            dims = () if array is None else np.shape(array)
            sizes = (ctypes.c_int64 * len(dims))(*dims)
            shape = _Shape(ctypes.sizeof(_Shape), 2 if array is None else 0,
                           len(dims), None if array is None else
                           types.dtype_name(array.dtype).encode(), sizes)
            tensor = _Tensor(ctypes.sizeof(_Tensor), ctypes.pointer(shape),
                             ctypes.cast(data, ctypes.c_void_p), len(data))
            keep += [data, sizes, shape]
            tensors.append(ctypes.pointer(tensor))
        right = ctypes.c_int32()
        pointers = (ctypes.POINTER(_Tensor) * len(tensors))(*tensors)
        self._check(self._library.assay_reference_judge(
            self.result, pointers, len(tensors), ctypes.byref(right),
            ctypes.byref(self._error)))
        return None if right.value else self._error.text.decode()

    def text(self, what, output, element):
        """"value" or "accepts" of an element."""
        get = getattr(self._library, f"assay_reference_{what}")
        text = get(self.result, 0, output, element)
        return text.decode() if text else "?"


# ---- What is offered -------------------------------------------------------------

def exact(op, *operands, profile=None, **attributes):
    """The exact result of an operation, rounded once.

    Operands are arrays (anything that NumPy takes, with the element type that
    it then has), tuples of them, or None for a token.  Returns an array, or a
    tuple of arrays where the operation has several results.  Raises
    InvalidProgram if the operation must be rejected, EvaluationError if it
    cannot be evaluated.
    """
    with _Evaluation(op, operands, attributes, profile) as e:
        outputs = e.outputs()
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


@dataclasses.dataclass(frozen=True)
class Wrong:
    """One wrong element: of which output, where, what it is, the exact value
    (rounded once), and all that is accepted."""
    output: int
    index: tuple
    found: object
    expected: str
    accepts: str

    def __str__(self):
        where = f"output {self.output}" + (
            f"[{', '.join(map(str, self.index))}]" if self.index else "")
        return (f"{where}: {self.found}, expected {self.expected} "
                f"(accepted: {self.accepts})")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """True if the results are right.  Else ``why`` says what is wrong first,
    and ``wrong`` lists elements, at most as many as were asked for."""
    right: bool
    why: str
    wrong: tuple

    def __bool__(self):
        return self.right

    def __str__(self):
        return "right" if self.right else "\n".join(
            [self.why, *(f"  {w}" for w in self.wrong)])


def judge(op, operands, results, profile="spec", most=10, **attributes):
    """Judge the results of an operation on these operands: a Verdict.

    results is an array, or a sequence of arrays where there are several.
    Where elements are judged one by one, up to ``most`` wrong ones are listed.
    """
    if not isinstance(results, (tuple, list)):
        results = [results]
    results = [None if r is None else np.asarray(r) for r in results]
    with _Evaluation(op, operands, attributes, profile) as e:
        due = e.outputs()
        why = e.judge(results)
        if why is None:
            return Verdict(True, "", ())
        return Verdict(False, why, tuple(_find_wrong(e, due, results, most)))


def _find_wrong(e, due, results, most):
    """Elements that are wrong with everything else as it should be."""
    same = len(due) == len(results) and all(
        d is not None and d.dtype == r.dtype and d.shape == r.shape
        for d, r in zip(due, results))
    if not same or e.judge(due) is not None:
        return
    for number, (d, r) in enumerate(zip(due, results)):
        size = d.dtype.itemsize
        bits = [np.frombuffer(types.to_bytes(x), f"V{size}") for x in (d, r)]
        for element in np.flatnonzero(bits[0] != bits[1]):
            trial = d.copy()
            trial.flat[element] = r.flat[element]
            if e.judge([*due[:number], trial, *due[number + 1:]]) is None:
                continue
            if most == 0:
                return
            most -= 1
            yield Wrong(number, tuple(int(i) for i in
                                      np.unravel_index(element, d.shape)),
                        r.flat[element], e.text("value", number, element),
                        e.text("accepts", number, element))


def assert_conforms(function, op, *operands, profile="spec", **attributes):
    """Call function with the operands, and assert that what it returns is
    right.  The AssertionError lists the operation, what is wrong first, and up
    to ten wrong elements with what is accepted; where the operation must be
    rejected, it says so if the function returns."""
    try:
        exact(op, *operands, profile=profile, **attributes)
    except InvalidProgram as e:
        if e.error == "unsupported":
            raise
        try:
            function(*operands)
        except Exception:  # any way to refuse is one
            return
        raise AssertionError(
            f"{op}: must be rejected ({e}), but returned a value") from None
    verdict = judge(op, operands, function(*operands), profile=profile,
                    **attributes)
    if not verdict:
        raise AssertionError(f"{op}, profile {profile}: {verdict}")
