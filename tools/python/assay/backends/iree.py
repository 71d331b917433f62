"""IREE's compiler and runtime for the CPU as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.iree'

A program is compiled from StableHLO text by the llvm-cpu target, for the
processor that it runs on, and executed by the device local-sync.  Options,
--backend-option KEY=VALUE: iree-NAME is the flag --iree-NAME=VALUE of
iree-compile.
"""
import ctypes

import iree.runtime as runtime
import numpy as np
from iree.compiler import version
from iree.compiler.api import Output, Session, Source, ctypes_dl
from iree.runtime.array_interop import map_dtype_to_element_type

from assay import compiler, types
from assay.backend import Error, Unsupported

FLAGS = {"iree-input-type": "stablehlo", "iree-hal-target-device": "local",
         "iree-hal-local-target-device-backends": "llvm-cpu",
         "iree-llvmcpu-target-cpu": "host",
         # Its default makes f32 of every f64, the interface of main included.
         "iree-input-demote-f64-to-f32": "false"}
# How the compiler says that it does not implement an operation or a type.
LACKS = ("failed to legalize operation 'stablehlo.",
         "failed to legalize operation 'chlo.", "unsupported type",
         "not yet implemented", "unimplemented")
ERROR = 2  # ireeCompilerDiagnosticSeverity_t

_Callback = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p,
                             ctypes.c_size_t, ctypes.c_void_p)


def _collect(invocation):
    """A list that fills with the errors of an invocation, and what must live
    as long: IREE's Python has no call for them, its C interface has."""
    errors = []

    def add(severity, text, size, _data):
        if severity == ERROR:
            errors.append(ctypes.string_at(text, size).decode(
                errors="replace"))
    callback = _Callback(add)
    enable = ctypes_dl._dylib.ireeCompilerInvocationEnableCallbackDiagnostics
    enable.restype = None
    enable.argtypes = (ctypes.c_void_p, ctypes.c_int, _Callback,
                       ctypes.c_void_p)
    enable(invocation._inv_p, 0, callback, None)
    return errors, callback


class Iree(compiler.Backend):
    """iree-base-compiler and iree-base-runtime."""

    def opened(self, options):
        for name in options:
            if not name.startswith("iree-"):
                raise Error("failed", f"unknown option '{name}'; the flags of "
                            "iree-compile begin with 'iree-'")
        self.session = Session()
        try:
            self.session.set_flags(
                *(f"--{k}={v}" for k, v in {**FLAGS, **options}.items()))
        except ValueError as e:
            raise Error("failed", str(e)) from None
        self.config = runtime.Config("local-sync")

    def _bytecode(self, text):
        source = Source.wrap_buffer(self.session, text.encode() + b"\0")
        invocation = self.session.invocation()
        errors, _alive = _collect(invocation)
        if not invocation.parse_source(source):
            raise Error("rejected", _one_line(errors))
        if not invocation.execute():
            why = _one_line(errors)
            if any(s in why for s in LACKS):
                raise Unsupported(why)
            raise Error("failed", why)
        output = Output.open_membuffer()
        invocation.output_vm_bytecode(output)
        return bytes(output.map_memory())

    def compile_text(self, program):
        if program.rows > 1:
            raise Unsupported(f"{program.rows} replicas")
        main = runtime.load_vm_module(runtime.VmModule.copy_buffer(
            self.config.vm_instance, self._bytecode(program.text)),
            self.config).main
        shapes = [s for s in program.outputs if s is not None]

        def run(rows):
            results = main(*rows[0])
            if not isinstance(results, tuple):
                results = () if results is None else (results,)
            return [[_signed(np.array(r), s) for r, s in zip(results, shapes)]]
        return run


def _one_line(errors):
    return " ".join(" ".join(errors).split())[:900] or "no diagnostic"


def _signed(array, shape):
    """IREE's integers have no sign: the program says which they are."""
    due = shape.numpy
    return array.view(due) if array.dtype.kind in "iu" and due.kind in "iu" \
        and array.itemsize == due.itemsize else array


backend = Iree(
    "iree", version=version.VERSION, capabilities={"compile": "slow"},
    dtypes=" ".join(name for name, dtype in types.DTYPES.items()
                    if map_dtype_to_element_type(dtype) is not None))

if __name__ == "__main__":
    backend.serve()
