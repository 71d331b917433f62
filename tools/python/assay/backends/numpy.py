"""NumPy as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.numpy'

Each operation is one function of NumPy, called on NumPy's own element types.
What NumPy has no function for is not declared, and what the function cannot be
told is unsupported.
"""
import numpy as np

from assay.adapter import (elementwise, lacking, pads, place,
                           reject_broadcasting)
from assay.backend import Backend, Unsupported

backend = Backend(
    "numpy", version=np.__version__,
    dtypes="pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 c64 c128")

NUMPY = int(np.__version__.split(".")[0])

UNARY = {
    "Abs": np.abs, "Acos": np.arccos, "Acosh": np.arccosh, "Asin": np.arcsin,
    "Asinh": np.arcsinh, "Atan": np.arctan, "Atanh": np.arctanh,
    "Cbrt": np.cbrt, "Ceil": np.ceil, "Cos": np.cos, "Cosh": np.cosh,
    "Exp": np.exp, "Expm1": np.expm1, "Floor": np.floor, "Imag": np.imag,
    "IsFinite": np.isfinite, "Log": np.log, "Log1p": np.log1p,
    "Neg": np.negative, "Not": np.invert, "Real": np.real,
    "RoundNearestEven": np.rint, "Sign": np.sign, "Sin": np.sin,
    "Sinh": np.sinh, "Sqrt": np.sqrt, "Tan": np.tan, "Tanh": np.tanh,
}
BINARY = {
    "Add": np.add, "And": np.bitwise_and, "Atan2": np.arctan2,
    "Div": np.divide, "Eq": np.equal, "Ge": np.greater_equal,
    "Gt": np.greater, "Le": np.less_equal, "Lt": np.less, "Max": np.maximum,
    "Min": np.minimum, "Mul": np.multiply, "Ne": np.not_equal,
    "Or": np.bitwise_or, "Pow": np.power, "Rem": np.fmod,
    "ShiftLeft": np.left_shift, "ShiftRightArithmetic": np.right_shift,
    "ShiftRightLogical": np.right_shift, "Sub": np.subtract,
    "Xor": np.bitwise_xor,
}
# np.divide of integers is a quotient in f64, and np.right_shift follows the
# operand's sign: for the other kinds NumPy has no function.
# np.sign of a complex number is that of its real part before NumPy 2.
KINDS = {"Div": "fc", "ShiftRightArithmetic": "i", "ShiftRightLogical": "u",
         "Sign": "iufc" if NUMPY >= 2 else "iuf"}
REDUCTIONS = {"Add": np.add, "Mul": np.multiply, "Max": np.maximum,
              "Min": np.minimum, "And": np.bitwise_and, "Or": np.bitwise_or,
              "Xor": np.bitwise_xor}

if hasattr(np, "bitwise_count"):  # NumPy 2
    @backend.op("PopulationCount")
    def population_count(x):
        if x.dtype.kind != "u":
            raise Unsupported("np.bitwise_count counts the bits of |x|")
        return np.bitwise_count(x).astype(x.dtype)


def _call(_op, function, *operands):
    np.broadcast_shapes(*(x.shape for x in operands))  # no error of the type
    # It has no loop for this type; np.power of a negative exponent.
    with lacking((TypeError, ValueError)):
        return function(*operands)


elementwise(backend, {**UNARY, **BINARY}, _call, KINDS)


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return np.where(pred, on_true, on_false)


@backend.op("Clamp")
def clamp(low, x, high):
    return np.clip(x, low, high)


@backend.op("ConvertElementType")
def convert(x, *, new_element_type):
    # XLA converts the real part; as a truth value NumPy looks at both parts.
    if np.dtype(new_element_type).kind != "c":
        x = np.real(x)
    return np.asarray(x).astype(new_element_type)


@backend.op("BitcastConvertType")
def bitcast(x, *, new_element_type):
    if x.dtype.itemsize != np.dtype(new_element_type).itemsize:
        raise Unsupported("view changes the last dimension")
    return np.asarray(x).view(new_element_type)


@backend.op("Transpose")
def transpose(x, *, permutation):
    return np.transpose(x, permutation)


@backend.op("Reshape")
def reshape(x, *, result, dimensions=None, **attributes):
    if dimensions:
        x = np.transpose(x, dimensions)
    return np.reshape(x, result.dims)


@backend.op("Rev")
def reverse(x, *, dimensions):
    return np.flip(x, tuple(dimensions))


@backend.op("Broadcast")
def broadcast(x, *, broadcast_sizes):
    return np.broadcast_to(x, (*broadcast_sizes, *np.shape(x)))


@backend.op("BroadcastInDim")
def broadcast_in_dim(x, *, out_dim_size, broadcast_dimensions):
    dims = place(np.shape(x), broadcast_dimensions, len(out_dim_size))
    moved = np.transpose(x, np.argsort(broadcast_dimensions))
    return np.broadcast_to(np.reshape(moved, dims), out_dim_size)


@backend.op("ConcatInDim")
def concatenate(*operands, dimension):
    return np.concatenate(operands, dimension)


@backend.op("Slice")
def slice_(x, *, start_indices, limit_indices, strides=None):
    strides = strides or [1] * x.ndim
    return x[tuple(map(slice, start_indices, limit_indices, strides))]


@backend.op("Pad")
def pad(x, value, *, padding_config):
    if x.ndim == 0:
        raise Unsupported("np.pad takes no array of rank 0")
    low, high, interior = pads(padding_config)
    if any(interior) or any(n < 0 for n in low + high):
        raise Unsupported("np.pad has neither interior nor negative padding")
    return np.pad(x, list(zip(low, high)), constant_values=value)


@backend.op("Iota")
def iota(*, iota_dimension, result, **attributes):
    line = np.arange(result.dims[iota_dimension]).astype(result.numpy)
    dims = place([-1], [iota_dimension], len(result.dims))
    return np.broadcast_to(line.reshape(dims), result.dims)


@backend.op("Reduce")
def reduce(*operands, computation, dimensions_to_reduce):
    if len(operands) != 2:
        raise Unsupported("a reduction of several arrays")
    ufunc = REDUCTIONS.get(computation.op)
    if ufunc is None:
        raise Unsupported("a computation that is not one of NumPy's ufuncs")
    x, init = operands
    return ufunc.reduce(x, axis=tuple(dimensions_to_reduce), dtype=x.dtype,
                        initial=init)


@backend.op("Dot")
def dot(x, y):
    return np.dot(x, y)


@backend.op("Fft")
def fft(x, *, fft_type, fft_length):
    if NUMPY < 2 and x.dtype.name in ("float32", "complex64"):
        raise Unsupported("np.fft of NumPy 1 returns complex128")
    if fft_type != "IRFFT" and x.shape[-len(fft_length):] != tuple(fft_length):
        raise Unsupported("np.fft pads or cuts an operand of another size")
    function = {"FFT": np.fft.fftn, "IFFT": np.fft.ifftn,
                "RFFT": np.fft.rfftn, "IRFFT": np.fft.irfftn}[fft_type]
    with lacking(ValueError):  # of no elements
        return function(x, s=fft_length, axes=range(-len(fft_length), 0))


@backend.op("Cholesky")
def cholesky(x, *, lower):
    if not lower:
        raise Unsupported("np.linalg.cholesky of the lower triangle")
    # One exception for a whole batch; there is no loop for f16.
    with lacking((np.linalg.LinAlgError, TypeError)):
        return np.linalg.cholesky(x)


backend.invalid = reject_broadcasting(
    backend, ValueError, "NumPy has other rules for invalid programs")

if __name__ == "__main__":
    backend.serve()
