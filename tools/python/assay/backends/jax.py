"""JAX's compiler and runtime (jaxlib: XLA:CPU) as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.jax'

A program is compiled from StableHLO text, as jax.jit compiles what it lowers.
Options, --backend-option KEY=VALUE: xla_NAME sets one of XLA's debug options
for each compile.
"""
import jax
import jaxlib
import numpy as np
from jax.extend.backend import get_backend
from jaxlib import xla_client

from assay import compiler
from assay.backend import Error, Unsupported

DEVICES = 4
for _name, _value in (("jax_enable_x64", True), ("jax_platforms", "cpu"),
                      ("jax_num_cpu_devices", DEVICES)):
    jax.config.update(_name, _value)

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


class Jax(compiler.Backend):
    """jaxlib's own client for the CPU."""

    def opened(self, options):
        for name in options:
            if not name.startswith("xla_"):
                raise Error("failed", f"unknown option '{name}'; XLA's debug "
                            "options begin with 'xla_'")
        self.client = get_backend("cpu")
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
        try:
            loaded = self.client.compile_and_load(
                program.text, xla_client.DeviceList(tuple(devices)),
                self._options(program.replicas, program.partitions))
        except jax.errors.JaxRuntimeError as e:
            raise _translate(e, True) from None
        # Each device has its own data: jax.Array calls that replicated.
        everywhere = jax.sharding.NamedSharding(
            jax.sharding.Mesh(np.array(devices), ("i",)),
            jax.sharding.PartitionSpec())

        def run(rows):
            arrays = [jax.make_array_from_single_device_arrays(
                column[0].shape, everywhere,
                [jax.device_put(x, d) for x, d in zip(column, devices)])
                for column in zip(*rows)]
            try:
                results = loaded.execute_sharded(arrays) \
                    .disassemble_into_single_device_arrays()
                return [[np.asarray(r[i]) for r in results]
                        for i in range(count)]
            except jax.errors.JaxRuntimeError as e:
                raise _translate(e, False) from None
        return run


backend = Jax("jax", version=jaxlib.__version__,
              capabilities={"replicas": str(DEVICES), "compile": "slow"},
              properties={"jax": jax.__version__})

if __name__ == "__main__":
    backend.serve()
