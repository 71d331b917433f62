#!/usr/bin/python3
# arrays.t - assay.exact and assay.judge with arrays of other libraries.
#
# SPDX-License-Identifier: Apache-2.0
#
# DLPack with a class of the test's own; PyTorch's tensors and JAX's arrays where
# they are there (make torch, torch-latest, jax).  Square roots and opposites are
# worked out by hand.
import json
import os
import subprocess
import sys

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path[:0] = [f"{ROOT}/tools/test", f"{ROOT}/tools/python"]
BUILD = os.path.abspath(os.environ.get("B", "build"))
os.environ.setdefault("ASSAY_LIBRARY", f"{BUILD}/libassay.so")
from sanitized import preload  # noqa: E402
from tap import finish, ok  # noqa: E402


class Foreign:
    """An array of another library, as DLPack has it."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **keywords):
        return self._array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class Elsewhere(Foreign):
    """One that NumPy cannot read."""

    def __dlpack__(self, **keywords):
        raise BufferError("it is on the moon")


def check_dlpack():
    four = np.float32([[4, 9], [16, 25]])
    for name, x, due in (
            ("an array", four, [[2, 3], [4, 5]]),
            ("a transposed one", four.T, [[2, 4], [3, 5]]),
            ("every second element", four[:, ::2], [[2], [4]]),
            ("reversed", four[::-1], [[4, 5], [2, 3]]),
            ("a scalar", np.array(4, np.float32), 2),
            ("nothing", four[:0], [])):
        made = assay.exact("Sqrt", Foreign(x))
        ok(made.tolist() == due and made.shape == x.shape, f"DLPack: {name}",
           made)
    ok(assay.judge("Sqrt", [Foreign(four)], Foreign(np.sqrt(four))),
       "DLPack: a result")
    ok(assay.exact("Constant", literal=Foreign(four)).tolist() == four.tolist(),
       "DLPack: an attribute")
    try:
        why = assay.exact("Sqrt", Elsewhere(four))
    except TypeError as e:
        why = str(e)
    ok("Elsewhere" in why and "on the moon" in why, "DLPack: refused", why)


def attempt(function, *operands, **keywords):
    """What an operation gives as lists, or the error's type and text."""
    try:
        made = assay.exact(function, *operands, **keywords)
        return [str(made.dtype), made.astype(float).tolist()]
    except Exception as e:  # pylint: disable=broad-except
        return [type(e).__name__, str(e)]


def narrow(name, *values):
    """The expected result of narrow(), or its error without ml_dtypes."""
    return [name, list(values)] if assay.types.ml_dtypes else \
        ["TypeError", f"torch.{name} is not an element type of Assay: "
         "the package ml_dtypes is not installed"]


def torch_rows(torch):
    """(name, result, expected) of PyTorch's tensors."""
    class Mine(torch.Tensor):
        pass

    x = torch.tensor([[4., 9.], [16., 25.]])
    half = x.to(torch.bfloat16)
    root = ["float32", [[2, 3], [4, 5]]]
    across = ["float32", [[2, 4], [3, 5]]]
    yield "f32", attempt("Sqrt", x), root
    yield "transposed", attempt("Sqrt", x.t()), across
    yield "expanded", attempt("Neg", x[0].expand(2, 2)), \
        ["float32", [[-4, -9], [-4, -9]]]
    yield "scalar", attempt("Sqrt", x[0, 0]), ["float32", 2]
    yield "empty", attempt("Sqrt", x[:0]), ["float32", []]
    yield "bool", attempt("Not", x > 9), ["bool", [[1, 1], [0, 0]]]
    yield "that requires a gradient", \
        attempt("Sqrt", x.clone().requires_grad_()), root
    yield "a subclass that requires one", \
        attempt("Sqrt", x.clone().requires_grad_().as_subclass(Mine)), root
    yield "bf16", attempt("Sqrt", half[0]), narrow("bfloat16", 2, 3)
    yield "bf16, transposed", attempt("Sqrt", half.t()), \
        narrow("bfloat16", [2, 4], [3, 5])
    yield "bf16 of a subclass", attempt("Sqrt", half[0].as_subclass(Mine)), \
        narrow("bfloat16", 2, 3)
    yield "an element type", attempt(
        "ConvertElementType", x[0], new_element_type=torch.float64), \
        ["float64", [4, 9]]
    yield "a literal", attempt("Constant", literal=x[0]), ["float32", [4, 9]]
    yield "sizes", attempt("Broadcast", x[0], broadcast_sizes=torch.Size([1])), \
        ["float32", [[4, 9]]]
    yield "torch.complex32", attempt("Neg", x.to(torch.complex32)), \
        ["TypeError", "torch.complex32 is not an element type of Assay"]
    for name in ("float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz"):
        if hasattr(torch, name):
            yield name, attempt("Neg", x[:, 0].to(getattr(torch, name))), \
                narrow(name, -4, -16)
    gaps = np.ones((3, 8), np.float32).T[::2]
    yield "strides of the gate's operands", \
        [kernel_memory.to_torch(gaps, device).stride()
         for device in (None, "meta")], \
        [(2, 8)] * 2
    assay.assert_conforms(torch.neg, "Neg", x.t())
    wrong = assay.judge("Neg", [x.t()], x.t()).wrong
    yield "wrong elements", [str(w.expected) for w in wrong], \
        ["-4", "-16", "-9", "-25"]


def jax_rows(jax):
    """The same of JAX's arrays."""
    x = jax.numpy.float32([[4, 9], [16, 25]])
    yield "f32", attempt("Sqrt", x), ["float32", [[2, 3], [4, 5]]]
    yield "scalar", attempt("Sqrt", x[0, 0]), ["float32", 2]
    yield "empty", attempt("Sqrt", x[:0]), ["float32", []]
    for name in ("bfloat16", "float8_e4m3fn"):
        yield name, attempt("Sqrt", x[0].astype(name)), [name, [2, 3]]
    yield "int4", attempt("Neg", jax.numpy.int8([4, 7]).astype("int4")), \
        ["int4", [-4, -7]]
    yield "an element type", attempt("ConvertElementType", x[0],
                                     new_element_type=jax.numpy.bfloat16), \
        ["bfloat16", [4, 9]]


def check_elsewhere(name, library, python):
    """The rows of a library, which its own Python prints."""
    if not os.path.exists(python):
        ok(True, f"{name} # SKIP make {name} was not run")
        return
    done = subprocess.run([python, __file__, library], capture_output=True,
                          text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    ok(done.returncode == 0 and rows, f"{name}: runs", done.stderr)
    for row, made, due in rows:
        ok(made == due, f"{name}: {row}", f"{made}, expected {due}")


if len(sys.argv) == 1:
    preload(os.environ["ASSAY_LIBRARY"])
import numpy as np  # noqa: E402
import assay  # noqa: E402
from assay import kernel_memory  # noqa: E402

if len(sys.argv) > 1:
    there = __import__(sys.argv[1])
    for r in (torch_rows if sys.argv[1] == "torch" else jax_rows)(there):
        print(json.dumps(r))
else:
    check_dlpack()
    check_elsewhere("torch", "torch", f"{BUILD}/torch/python")
    check_elsewhere("torch-latest", "torch", f"{BUILD}/torch-latest/bin/python")
    check_elsewhere("jax", "jax", f"{BUILD}/jax/bin/python")
    finish()
