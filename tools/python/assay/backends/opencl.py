"""OpenCL as a backend: PoCL, or the platform of --backend-option platform=N.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.opencl'

Each operation is one expression of OpenCL C, in a kernel that gives each
element of a result, on the first device of the platform.  The operands are
broadcast before.  An operation for which OpenCL C has no operator or function
is not declared, nor are Max and Min of floating-point numbers, since fmax and
fmin ignore NaN.  Sign is, though OpenCL C gives 0 for NaN.  OpenCL C has no
complex numbers, and f16 only in an extension that PoCL's device for the CPU
lacks.
"""
import functools
import os
import tempfile

# Compiled kernels are kept below this folder, which the sandbox leaves open.
os.environ["XDG_CACHE_HOME"] = tempfile.gettempdir()

import numpy as np  # noqa: E402
import pyopencl as cl  # noqa: E402

from assay import types  # noqa: E402
from assay.adapter import elementwise, reject_broadcasting  # noqa: E402
from assay.backend import Backend, Unsupported  # noqa: E402

FLOATS, INTS, UNSIGNED = "f32 f64", "s8 s16 s32 s64", "u8 u16 u32 u64"
INTEGERS, SIGNED = f"{INTS} {UNSIGNED}", f"{FLOATS} {INTS}"
NUMBERS = f"{FLOATS} {INTEGERS}"
TYPES = {"pred": "uchar", "s8": "char", "s16": "short", "s32": "int",
         "s64": "long", "u8": "uchar", "u16": "ushort", "u32": "uint",
         "u64": "ulong", "f32": "float", "f64": "double"}

# The expression, of elements x, y and z; for which types of the last operand.
ROWS = (
    ("Abs", "fabs(x)", FLOATS), ("Abs", "abs(x)", INTEGERS),
    ("Acos", "acos(x)", FLOATS), ("Acosh", "acosh(x)", FLOATS),
    ("Add", "x + y", NUMBERS), ("And", "x & y", INTEGERS),
    ("And", "x && y", "pred"), ("Asin", "asin(x)", FLOATS),
    ("Asinh", "asinh(x)", FLOATS), ("Atan", "atan(x)", FLOATS),
    ("Atan2", "atan2(x, y)", FLOATS), ("Atanh", "atanh(x)", FLOATS),
    ("Cbrt", "cbrt(x)", FLOATS), ("Ceil", "ceil(x)", FLOATS),
    ("Clamp", "clamp(y, x, z)", INTEGERS), ("Clz", "clz(x)", INTEGERS),
    ("Cos", "cos(x)", FLOATS), ("Cosh", "cosh(x)", FLOATS),
    ("Div", "x / y", NUMBERS), ("Eq", "x == y", NUMBERS + " pred"),
    ("Erf", "erf(x)", FLOATS), ("Erfc", "erfc(x)", FLOATS),
    ("Exp", "exp(x)", FLOATS), ("Expm1", "expm1(x)", FLOATS),
    ("Floor", "floor(x)", FLOATS), ("Ge", "x >= y", NUMBERS),
    ("Gt", "x > y", NUMBERS), ("IsFinite", "isfinite(x)", FLOATS),
    ("Le", "x <= y", NUMBERS), ("Lgamma", "lgamma(x)", FLOATS),
    ("Log", "log(x)", FLOATS), ("Log1p", "log1p(x)", FLOATS),
    ("Lt", "x < y", NUMBERS), ("Max", "max(x, y)", INTEGERS),
    ("Min", "min(x, y)", INTEGERS), ("Mul", "x * y", NUMBERS),
    ("Ne", "x != y", NUMBERS + " pred"), ("Neg", "-x", NUMBERS),
    ("Not", "~x", INTEGERS), ("Not", "!x", "pred"),
    ("Or", "x | y", INTEGERS), ("Or", "x || y", "pred"),
    ("PopulationCount", "popcount(x)", INTEGERS),
    ("Pow", "pow(x, y)", FLOATS), ("Rem", "fmod(x, y)", FLOATS),
    ("Rem", "x % y", INTEGERS), ("Round", "round(x)", FLOATS),
    ("RoundNearestEven", "rint(x)", FLOATS), ("Rsqrt", "rsqrt(x)", FLOATS),
    ("Select", "x ? y : z", NUMBERS + " pred"),
    ("ShiftLeft", "x << y", INTEGERS),
    ("ShiftRightArithmetic", "x >> y", INTS),
    ("ShiftRightLogical", "x >> y", UNSIGNED), ("Sign", "sign(x)", FLOATS),
    ("Sin", "sin(x)", FLOATS), ("Sinh", "sinh(x)", FLOATS),
    ("Sqrt", "sqrt(x)", FLOATS), ("Sub", "x - y", NUMBERS),
    ("Tan", "tan(x)", FLOATS), ("Tanh", "tanh(x)", FLOATS),
    ("Xor", "x ^ y", INTEGERS), ("Xor", "x != y", "pred"),
)
EXPRESSIONS = {(op, kind): text for op, text, kinds in ROWS
               for kind in kinds.split()}
TESTS = {"Eq", "Ge", "Gt", "IsFinite", "Le", "Lt", "Ne"}


class Queue:
    """A device's queue, and what was compiled for it."""

    def __init__(self, platform):
        platforms = cl.get_platforms()
        if not 0 <= platform < len(platforms):
            raise ValueError(f"platform={platform}: there are "
                             f"{len(platforms)} platforms")
        self.device = platforms[platform].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)

    @functools.lru_cache(maxsize=None)
    def kernel(self, expression, operands, result):
        """operands, result: element types, by their names in OpenCL C."""
        names = list(zip("xyz", operands))
        taken = "".join(f"__global const {t} *p{n}, " for n, t in names)
        read = "".join(f" const {t} {n} = p{n}[i];" for n, t in names)
        return cl.Program(self.context, f"""
__kernel void run({taken}__global {result} *out) {{
  const size_t i = get_global_id(0);{read}
  out[i] = {expression};
}}""").build().run

    def run(self, expression, operands, result):
        operands = np.broadcast_arrays(*operands)
        made = np.empty(operands[0].shape, result)
        if made.size == 0:
            return made  # an empty range is not a valid one
        name = types.dtype_name(made.dtype)
        kernel = self.kernel(
            expression, tuple(TYPES[types.dtype_name(x.dtype)]
                              for x in operands), TYPES[name])
        flags = cl.mem_flags
        inputs = [cl.Buffer(self.context, flags.READ_ONLY
                            | flags.COPY_HOST_PTR,
                            hostbuf=np.ascontiguousarray(x))
                  for x in operands]
        output = cl.Buffer(self.context, flags.WRITE_ONLY, made.nbytes)
        kernel(self.queue, (made.size,), None, *inputs, output)
        cl.enqueue_copy(self.queue, made, output)
        return made


class OpenCL(Backend):
    _queue = None

    def opened(self, options):
        super().opened({k: v for k, v in options.items() if k != "platform"})
        self._queue = Queue(int(options.get("platform", 0)))
        self.properties["device"] = self._queue.device.name
        self.properties["platform"] = self._queue.device.platform.version
        self.version = self._queue.device.driver_version

    def run(self, op, *operands):
        kind = types.dtype_name(operands[-1].dtype)
        expression = EXPRESSIONS.get((op, kind))
        if expression is None:
            raise Unsupported(f"OpenCL C has no {op} of {kind}")
        if op.startswith("Shift"):
            width = 8 * operands[1].dtype.itemsize
            if np.any(np.asarray(operands[1]).astype(np.uint64) >= width):
                raise Unsupported("OpenCL C shifts by the amount modulo the "
                                  "width")
        return self._queue.run(expression, operands, np.bool_ if op in TESTS
                               else operands[-1].dtype)


backend = OpenCL("opencl", dtypes=" ".join(TYPES))

elementwise(backend, {op: op for op, _, _ in ROWS
                      if op not in ("Clamp", "Select")},
            lambda op, _, *operands: backend.run(op, *operands))


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return backend.run("Select", *map(np.asarray, (pred, on_true, on_false)))


@backend.op("Clamp")
def clamp(low, x, high):
    return backend.run("Clamp", *map(np.asarray, (low, x, high)))


@backend.op("ConvertElementType")
def convert(x, *, new_element_type):
    result = np.dtype(new_element_type)
    text = "x != 0" if result == np.bool_ \
        else f"convert_{TYPES[types.dtype_name(result)]}(x)"
    return backend._queue.run(text, [np.asarray(x)], result)


@backend.op("BitcastConvertType")
def bitcast(x, *, new_element_type):
    result = np.dtype(new_element_type)
    if x.dtype.itemsize != result.itemsize or np.bool_ in (x.dtype, result):
        raise Unsupported("as_type is of types of one size")
    return backend._queue.run(f"as_{TYPES[types.dtype_name(result)]}(x)",
                              [np.asarray(x)], result)


backend.invalid = reject_broadcasting(
    backend, ValueError, "OpenCL C has no programs of operations")

if __name__ == "__main__":
    backend.serve()
