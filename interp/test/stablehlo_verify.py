# stablehlo_verify.py - StableHLO's own parser and verifier, of jaxlib.
#
# SPDX-License-Identifier: Apache-2.0
#
# Reads what `assay emit` prints and writes a line for each program: its name,
# a tab, and nothing or the diagnostics.
import sys

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import chlo, func, stablehlo  # noqa: F401

try:
    from jaxlib.mlir._mlir_libs import register_jax_dialects as dialects
except ImportError:  # later versions
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext as dialects


def make_context():
    registry = ir.DialectRegistry()
    dialects.register_dialects(registry)
    context = ir.Context()
    context.append_dialect_registry(registry)
    context.load_all_available_dialects()
    stablehlo.register_dialect(context)
    chlo.register_dialect(context)
    return context


def complaint(text):
    try:
        ir.Module.parse(text).operation.verify()
        return ""
    except ir.MLIRError as error:
        lines = [line.strip() for line in str(error).splitlines()]
        return " | ".join(line for line in lines if "error:" in line)


def programs(lines):
    name, text = None, []
    for line in lines:
        if line.startswith("// ") and not line.startswith("// invalid: "):
            if name:
                yield name, "".join(text)
            name, text = line[3:].strip(), []
        else:
            text.append(line)
    if name:
        yield name, "".join(text)


with make_context():
    for name, text in programs(sys.stdin):
        print(name, complaint(text), sep="\t")
