"""JAX's compiler and runtime (jaxlib: XLA:CPU) as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.jax'

A program is compiled from StableHLO text, as jax.jit compiles what it lowers.
Options, --backend-option KEY=VALUE: xla_NAME sets one of XLA's debug options
for each compile.

Only jaxlib is imported: the package jax takes most of a process's start, and a
process starts again for each case that crashes.
"""
import functools
import os
import sys
from typing import NamedTuple, Tuple

import jaxlib
import numpy as np

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")  # as jax does
from jaxlib import xla_client  # noqa: E402

from assay import compiler
from assay.backend import Error, Unsupported

DEVICES = 4

# The message begins with the code.  An MLIR diagnostic has one of these two;
# XLA's verifier passes on that of whichever check failed.
REJECTS = ("INVALID_ARGUMENT", "UNKNOWN")
# A custom call that nobody registered is not found.
LACKS = ("UNIMPLEMENTED", "NOT_FOUND")


def _translate(error, compiling):
    """An exception of jaxlib as one of Assay's."""
    text = " ".join(str(error).split())
    code = text.partition(":")[0]
    if code == "UNIMPLEMENTED" or compiling and code in LACKS:
        return Unsupported(text[:900])
    if compiling and (code in REJECTS or "[hlo verifier]" in text):
        return Error("rejected", text[:900])
    return Error("failed", text[:900])


@functools.lru_cache(maxsize=None)
def _register_lapack():
    """jaxlib's own functions of LAPACK, as the package jax registers them."""
    from jaxlib import lapack
    for platform, targets in lapack.registrations().items():
        for name, value, version in targets:
            xla_client.register_custom_call_target(
                name, value, platform=platform, api_version=version)
    lapack.prepare_lapack_call("getrf_ffi", np.dtype(np.float32))


class _Aval(NamedTuple):
    """What jaxlib asks an array's description for."""
    shape: Tuple[int, ...]
    dtype: np.dtype
    weak_type: bool = False


def _sharding(devices):
    """The whole array on each device."""
    return xla_client.GSPMDSharding(xla_client.DeviceList(tuple(devices)),
                                    xla_client.HloSharding.replicate())


def _put(column, devices):
    """An array of jaxlib that has one of the column's arrays on each device."""
    aval = _Aval(column[0].shape, column[0].dtype)
    parts = [xla_client.batched_device_put(
        aval, _sharding([d]), [x], [d], enable_x64=True)
        for x, d in zip(column, devices)]
    # Unchecked, as the arrays of a replicated one may differ here.
    return xla_client.ArrayImpl(aval, _sharding(devices), parts, True,
                                _skip_checks=True)


def _numpy(array):
    """An array of one device; without jax, NumPy cannot read narrow types."""
    return array._single_device_array_to_np_array_did_copy()[0]


class Jax(compiler.Backend):
    """jaxlib's own client for the CPU."""

    def opened(self, options):
        for name in options:
            if not name.startswith("xla_"):
                raise Error("failed", f"unknown option '{name}'; XLA's debug "
                            "options begin with 'xla_'")
        # jaxlib imports jax, if it can, for a description of each result.
        sys.modules.setdefault("jax", None)
        self.client = xla_client.make_cpu_client(num_devices=DEVICES)
        self.devices = self.client.local_devices()
        self.properties["platform.version"] = self.client.platform_version

    def _options(self, replicas, partitions):
        options = xla_client.CompileOptions()
        build = options.executable_build_options
        options.num_replicas = build.num_replicas = replicas
        options.num_partitions = build.num_partitions = partitions
        build.use_spmd_partitioning = partitions > 1
        count = replicas * partitions
        options.device_assignment = xla_client.DeviceAssignment.create(
            np.arange(count, dtype=np.int32).reshape(replicas, partitions))
        options.env_option_overrides = list(self.options.items())
        return options

    def compile_text(self, program):
        count = program.rows
        if count > DEVICES:
            raise Unsupported(f"{count} replicas")
        for op in ("infeed", "outfeed", "send", "recv"):
            if f'"stablehlo.{op}"' in program.text:
                raise Unsupported(f"jaxlib has no other side of {op}")
        devices = self.devices[:count]
        if '"lapack_' in program.text:
            _register_lapack()
        try:
            loaded = self.client.compile_and_load(
                program.text, xla_client.DeviceList(tuple(devices)),
                self._options(program.replicas, program.partitions))
        except xla_client.XlaRuntimeError as e:
            raise _translate(e, True) from None

        def run(rows):
            arrays = [_put(column, devices) for column in zip(*rows)]
            try:
                results = loaded.execute_sharded(arrays) \
                    .disassemble_into_single_device_arrays()
                return [[_numpy(r[i]) for r in results] for i in range(count)]
            except xla_client.XlaRuntimeError as e:
                raise _translate(e, False) from None
        return run


backend = Jax("jax", version=jaxlib.__version__,
              capabilities={"replicas": str(DEVICES), "compile": "slow"})

if __name__ == "__main__":
    backend.serve()
