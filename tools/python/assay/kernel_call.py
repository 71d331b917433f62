"""Kernels of a shared object (spec/assay/kernel.h) or of a Python file.

SPDX-License-Identifier: Apache-2.0

A call of a shared object is made in a child process: what it does to memory
ends there, and a crash is a result like any other.
"""
import ctypes
import importlib.util
import mmap
import os
import pathlib
import signal
import sys
import time
from typing import Any, Callable, List, Sequence

import numpy as np

from assay import types
from assay.kernel_program import Unknown, nearest
from assay.kernel_report import Died, Unsupported

GUARD, ALIGN, TEXT = 64, 64, 1024
FILLED = 0xA5


class _Array(ctypes.Structure):
    _fields_ = [("dtype", ctypes.c_char_p), ("rank", ctypes.c_int64),
                ("dims", ctypes.POINTER(ctypes.c_int64)),
                ("data", ctypes.c_void_p)]


class _Memory:
    """Arrays in memory that a child shares, each between guards."""

    def __init__(self, arrays: Sequence[np.ndarray]) -> None:
        self.places, at = [], ALIGN
        for x in arrays:
            self.places.append((at, x.nbytes))
            at += -(-x.nbytes // ALIGN) * ALIGN + GUARD + ALIGN
        self.text = at
        self.map = mmap.mmap(-1, at + TEXT)
        self.map.write(bytes([FILLED]) * at)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.map))

    def put(self, number: int, array: np.ndarray) -> None:
        at, _size = self.places[number]
        data = types.to_bytes(array)
        self.map[at:at + len(data)] = data

    def get(self, number: int) -> bytes:
        at, size = self.places[number]
        return self.map[at:at + size]

    def damaged(self) -> bool:
        """Was memory beside an array written to?"""
        used, last = b"", 0
        for at, size in self.places:
            used += self.map[last:at]
            last = at + size
        return any(b != FILLED for b in used + self.map[last:self.text])


class NativeKernel:
    """The function assay_kernel of a shared object."""

    def __init__(self, path: str, program: str, seconds: float) -> None:
        self.path, self.program, self.seconds = path, program, seconds
        status = _in_child(lambda: 0 if hasattr(ctypes.CDLL(path),
                                                "assay_kernel") else 1, seconds)
        if status != 0:
            what = "it exports no function assay_kernel " \
                   "(spec/assay/kernel.h)" if status == 1 else _load_error(path)
            raise Unknown(f"{path}: {what}")

    def into(self, operands: Sequence[np.ndarray],
             results: Sequence[np.ndarray]) -> List[np.ndarray]:
        """Results of the shapes of these."""
        arrays = [*operands, *results]
        memory = _Memory(arrays)
        for i, x in enumerate(operands):
            memory.put(i, x)
        status = _in_child(lambda: self._call(memory, arrays, len(operands)),
                           self.seconds)
        if status == 1:
            raise Unsupported("the kernel does not support these sizes or "
                              "this type")
        if status:
            end = memory.map[memory.text:memory.text + TEXT].split(b"\0")[0]
            raise Died(f"assay_kernel returned {status}"
                       + (f": {end.decode('utf-8', 'replace')}" if end else ""))
        if memory.damaged():
            raise Died("memory beside an array was written to")
        for i, x in enumerate(operands):
            if memory.get(i) != types.to_bytes(x):
                raise Died(f"operand {i} was overwritten")
        return [types.from_bytes(
            memory.get(len(operands) + i), types.Shape(
                types.dtype_name(x.dtype), x.shape, (False,) * x.ndim))
                for i, x in enumerate(results)]

    def _call(self, memory: _Memory, arrays: Sequence[np.ndarray],
              operands: int) -> int:
        function = ctypes.CDLL(self.path).assay_kernel
        function.argtypes = [ctypes.c_char_p, ctypes.POINTER(_Array),
                             ctypes.c_int32, ctypes.POINTER(_Array),
                             ctypes.c_int32, ctypes.c_void_p, ctypes.c_uint64]
        rows = (_Array * len(arrays))(*(
            _Array(types.dtype_name(x.dtype).encode(), x.ndim,
                   (ctypes.c_int64 * x.ndim)(*x.shape), memory.base + at)
            for x, (at, _size) in zip(arrays, memory.places)))
        results = ctypes.cast(ctypes.byref(rows, operands
                                           * ctypes.sizeof(_Array)),
                              ctypes.POINTER(_Array))
        return function(self.program.encode(), rows, operands, results,
                        len(arrays) - operands, memory.base + memory.text,
                        TEXT) & 0x7f


def _in_child(work: Callable[[], int], seconds: float) -> int:
    """What work returns (0 to 127), in a process of its own."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 127
        try:
            status = work()
        except OSError:
            status = 126
        finally:
            os._exit(status)
    end = time.monotonic() + seconds
    pause = 0.0005
    while True:
        done, how = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise Died(f"did not return within {seconds:g} s")
        time.sleep(pause)
        pause = min(pause * 2, 0.05)
    if os.WIFSIGNALED(how):
        raise Died(f"crashed: {signal.strsignal(os.WTERMSIG(how))} "
                   f"(signal {os.WTERMSIG(how)})")
    return os.WEXITSTATUS(how)


def _load_error(path: str) -> str:
    if not os.path.exists(path):
        return "no such file"
    with open(path, "rb") as f:
        if f.read(4) != b"\x7fELF":
            return "not a shared object"
    return "the shared object cannot be loaded (ldd shows what it needs)"


def load(what: str, program: str, seconds: float) -> Any:
    """A kernel of "kernel.so" or "kernel.py:function"."""
    path, _colon, name = what.rpartition(":")
    if not path.endswith(".py"):
        if what.endswith(".py"):
            raise Unknown(f"{what}: name the function: {what}:FUNCTION")
        return NativeKernel(os.path.abspath(what), program, seconds)
    if not os.path.isfile(path):
        raise Unknown(f"{path}: no such file")
    spec = importlib.util.spec_from_file_location(
        pathlib.Path(path).stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        spec.loader.exec_module(module)
    except Exception as e:  # of a file that is not ours
        raise Unknown(f"{path}: {type(e).__name__}: {e}") from None
    functions = [n for n, f in vars(module).items() if callable(f)]
    if name not in functions:
        raise Unknown(f"{path}: no function {name!r}{nearest(name, functions)}")
    return getattr(module, name)
