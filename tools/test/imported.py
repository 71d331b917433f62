# imported.py - imports and evaluates programs, for tests in Python.
#
# SPDX-License-Identifier: Apache-2.0
#
# Needs `make jax`: a test that uses it is skipped by name without it, and goes
# on in that Python with it.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402,F401
from with_jax import JAX, ROOT  # noqa: E402

sys.path.insert(0, f"{ROOT}/tools/python")
if not os.path.exists(JAX):
    ok(True, "programs of StableHLO # SKIP make jax was not run")
    finish()
    sys.exit()
if os.path.realpath(sys.prefix) != os.path.realpath(f"{ROOT}/build/jax"):
    os.environ.setdefault("ASSAY_LIBRARY", os.path.abspath(
        os.environ.get("B", "build") + "/libassay.so"))
    os.execv(JAX, [JAX, *sys.argv])

import numpy as np  # noqa: E402

from assay import (import_command, importer, library, mlir,  # noqa: E402
                   sources, types)


def main_of(body, arguments, result, more=""):
    """A module with this function, whose operations give %r."""
    listed = ", ".join(f"%{n}: {t}" for n, t in arguments)
    return f"func.func @main({listed}) -> {result} {{\n{body}\n" \
        f"return %r : {result}\n}}\n{more}"


def tensor(array):
    sizes = "".join(f"{n}x" for n in array.shape)
    return f"tensor<{sizes}{types.parse_shape(shape_of(array)).dtype}>" \
        .replace("s32", "i32").replace("s64", "i64").replace("pred", "i1") \
        .replace("s8", "i8").replace("u32", "ui32").replace("u64", "ui64")


def shape_of(array):
    sizes = ",".join(map(str, array.shape))
    return f"{types.dtype_name(array.dtype)}[{sizes}]"


def evaluate(text, inputs, where="p.mlir", **options):
    """The results of each replica, in a row, and the module."""
    arrays = {f"i{k}": a for k, a in enumerate(inputs)}
    module = importer.import_program(
        text if isinstance(text, bytes) else text.encode(), where,
        arrays=arrays, **options)
    case = import_command.make_case(module, "c", "w", arrays)["cases"][0]
    del case["id"], case["why"]
    with library.Evaluation(module.operation(), case) as e:
        made = [np.frombuffer(t.data, types.DTYPES[t.dtype]).reshape(t.dims)
                for t in e.outputs() if t is not None]
    return made, module


def check(name, text, inputs, expected, **options):
    try:
        made, _ = evaluate(text, inputs, **options)
    except (mlir.Refused, library.InvalidProgram,
            library.EvaluationError) as e:
        ok(False, name, e)
        return
    ok(len(made) == len(expected) and all(
        m.dtype == np.asarray(x).dtype and m.shape == np.asarray(x).shape
        and (m.view(np.uint8) == np.ascontiguousarray(x).view(np.uint8)).all()
        if m.ndim else m.tobytes() == np.asarray(x).tobytes()
        for m, x in zip(made, expected)), name, (made, expected))


def simple(name, body, inputs, expected, more="", **options):
    """A program of one result; its operands are %x, %y, %z, %w."""
    arguments = [(n, tensor(a)) for n, a in zip("xyzw", inputs)]
    check(name, main_of(body, arguments, tensor(expected), more), inputs,
          [expected], **options)


def check_refused(name, text, why, where="p.mlir", **options):
    """With one line that says why, and where."""
    try:
        importer.import_program(
            text if isinstance(text, bytes) else text.encode(), where,
            **options)
        ok(False, f"refused: {name}", "it was imported")
    except mlir.Refused as e:
        ok(str(e).startswith(why) and "\n" not in str(e)
           and str(e).isprintable(), f"refused: {name}", e)
