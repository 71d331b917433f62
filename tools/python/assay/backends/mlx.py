"""MLX as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.mlx'

Each operation is one function of mlx.core, called on MLX's own element types,
on the device cpu.  What MLX has no function for is not declared, and a type
that a function lacks is unsupported.
"""
import mlx.core as mx
import numpy as np

from assay import types
from assay.adapter import (elementwise, feature_last, lacking, pads, place,
                           reject_broadcasting)
from assay.backend import Backend, Unsupported

mx.set_default_device(mx.cpu)
backend = Backend(
    "mlx", version=mx.__version__,
    dtypes="pred s8 s16 s32 s64 u8 u16 u32 u64 f16 bf16 f32 f64 c64")

UNARY = {
    "Abs": mx.abs, "Acos": mx.arccos, "Acosh": mx.arccosh, "Asin": mx.arcsin,
    "Asinh": mx.arcsinh, "Atan": mx.arctan, "Atanh": mx.arctanh,
    "Ceil": mx.ceil, "Cos": mx.cos, "Cosh": mx.cosh, "Erf": mx.erf,
    "ErfInv": mx.erfinv, "Exp": mx.exp, "Expm1": mx.expm1, "Floor": mx.floor,
    "Imag": mx.imag, "IsFinite": mx.isfinite, "Log": mx.log,
    "Log1p": mx.log1p, "Logistic": mx.sigmoid, "Neg": mx.negative,
    "Not": mx.bitwise_invert, "Real": mx.real, "RoundNearestEven": mx.round,
    "Rsqrt": mx.rsqrt, "Sign": mx.sign, "Sin": mx.sin, "Sinh": mx.sinh,
    "Sqrt": mx.sqrt, "Tan": mx.tan, "Tanh": mx.tanh,
}
BINARY = {
    "Add": mx.add, "And": mx.bitwise_and, "Atan2": mx.arctan2,
    "Div": mx.divide, "Eq": mx.equal, "Ge": mx.greater_equal,
    "Gt": mx.greater, "Le": mx.less_equal, "Lt": mx.less, "Max": mx.maximum,
    "Min": mx.minimum, "Mul": mx.multiply, "Ne": mx.not_equal,
    "Or": mx.bitwise_or, "Pow": mx.power, "ShiftLeft": mx.left_shift,
    "ShiftRightArithmetic": mx.right_shift,
    "ShiftRightLogical": mx.right_shift, "Sub": mx.subtract,
    "Xor": mx.bitwise_xor,
}
# mx.divide of integers is a quotient in f32, mx.right_shift follows the
# operand's type, and MLX says neither what the arithmetic of pred is nor which
# complex number is larger.
NUMBERS = "iufc"
KINDS = {"Add": NUMBERS, "Div": "fc", "Max": "biuf", "Min": "biuf",
         "Mul": NUMBERS, "Pow": NUMBERS, "ShiftRightArithmetic": "i",
         "ShiftRightLogical": "u", "Sub": NUMBERS}
OTHERS = {("Not", "b"): mx.logical_not}
REDUCTIONS = {"Add": mx.sum, "And": mx.all, "Max": mx.max, "Min": mx.min,
              "Mul": mx.prod, "Or": mx.any}
FFT = {"FFT": mx.fft.fftn, "IFFT": mx.fft.ifftn, "RFFT": mx.fft.rfftn,
       "IRFFT": mx.fft.irfftn}
# No such function for the type, or of no elements, in MLX's words.
LACKS = ("Not supported for", "not supported", "not yet supported",
         "Only inexact types", "must have type", "must promote to",
         "with size 0", "Invalid FFT output size", "only supports floating",
         "unsupported data type", "must be 32-bit integers")
# Arrays of these types are passed as bits: mx.array would round or refuse them.
BITS = {"bf16": (np.uint16, mx.bfloat16), "f64": (np.uint64, mx.float64)}


def _array(value):
    if isinstance(value, (list, tuple)):
        return [_array(v) for v in value]
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    name = types.dtype_name(value.dtype)
    if name not in BITS:
        return mx.array(np.asarray(value))
    bits, dtype = BITS[name]
    made = mx.array(np.ascontiguousarray(value).view(bits))
    return mx.view(made.reshape(np.shape(value)), dtype)


def _numpy(x):
    for name, (bits, dtype) in BITS.items():
        if x.dtype == dtype:
            made = np.array(mx.view(x, getattr(mx, np.dtype(bits).name)))
            return made.view(types.DTYPES[name])
    return np.array(x)


def _mlx(dtype):
    """MLX's element type of NumPy's."""
    dtype = np.dtype(dtype)
    made = getattr(mx, "bool_" if dtype == np.bool_ else dtype.name, None)
    if made is None:
        raise Unsupported(f"MLX has no {dtype.name}")
    return made


def call(function, *operands, **options):
    with lacking((ValueError, RuntimeError, TypeError), LACKS):
        return _numpy(function(*map(_array, operands), **options))


def _elementwise(_op, function, *operands):
    return call(function, *operands)


elementwise(backend, {**UNARY, **BINARY}, _elementwise, KINDS, OTHERS)


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return call(mx.where, pred, on_true, on_false)


@backend.op("Clamp")
def clamp(low, x, high):
    return call(mx.clip, x, low, high)


@backend.op("ConvertElementType")
def convert(x, *, new_element_type):
    if x.dtype.kind == "c" and np.dtype(new_element_type).kind == "b":
        raise Unsupported("MLX does not say which complex numbers are true")
    return call(mx.astype, x, dtype=_mlx(new_element_type))


@backend.op("BitcastConvertType")
def bitcast(x, *, new_element_type):
    if x.dtype.itemsize != np.dtype(new_element_type).itemsize:
        raise Unsupported("mx.view changes the last dimension")
    return call(mx.view, x, dtype=_mlx(new_element_type))


@backend.op("Transpose")
def transpose(x, *, permutation):
    return call(mx.transpose, x, axes=list(permutation))


@backend.op("Reshape")
def reshape(x, *, result, dimensions=None, **attributes):
    if dimensions:
        x = call(mx.transpose, x, axes=list(dimensions))
    return call(mx.reshape, x, shape=result.dims)


@backend.op("Rev")
def reverse(x, *, dimensions):
    return call(mx.flip, x, axis=list(dimensions))


@backend.op("Broadcast")
def broadcast(x, *, broadcast_sizes):
    return call(mx.broadcast_to, x, shape=(*broadcast_sizes, *np.shape(x)))


@backend.op("BroadcastInDim")
def broadcast_in_dim(x, *, out_dim_size, broadcast_dimensions):
    # Composed: mx.broadcast_to aligns the last dimensions.
    dims = place(np.shape(x), broadcast_dimensions, len(out_dim_size))
    order = [int(d) for d in np.argsort(broadcast_dimensions)]
    moved = call(mx.reshape, call(mx.transpose, x, axes=order), shape=dims)
    return call(mx.broadcast_to, moved, shape=tuple(out_dim_size))


@backend.op("ConcatInDim")
def concatenate(*operands, dimension):
    return call(mx.concatenate, list(operands), axis=dimension)


@backend.op("Slice")
def slice_(x, *, start_indices, limit_indices, strides=None):
    chosen = tuple(map(slice, start_indices, limit_indices,
                       strides or [1] * x.ndim))
    return call(lambda a: a[chosen], x)


@backend.op("Pad")
def pad(x, value, *, padding_config):
    low, high, interior = pads(padding_config)
    if any(interior) or any(n < 0 for n in low + high):
        raise Unsupported("mx.pad has neither interior nor negative padding")
    return call(lambda a, v: mx.pad(a, list(zip(low, high)),
                                    constant_values=v), x, value)


@backend.op("Iota")
def iota(*, iota_dimension, result, **attributes):
    # Composed: mx.arange has one dimension.
    dims = place([-1], [iota_dimension], len(result.dims))
    line = mx.arange(result.dims[iota_dimension], dtype=mx.int64)
    return call(lambda: mx.broadcast_to(
        mx.reshape(line.astype(_mlx(result.numpy)), dims), result.dims))


@backend.op("Reduce")
def reduce(*operands, computation, dimensions_to_reduce):
    function = REDUCTIONS.get(computation.op)
    x, init = operands[0], operands[-1]
    if function is None or len(operands) != 2 \
            or (x.dtype == np.bool_) != (function in (mx.all, mx.any)):
        raise Unsupported("a reduction that MLX has no function for")
    total = call(function, x, axis=list(dimensions_to_reduce))
    if total.dtype != x.dtype:
        raise Unsupported(f"its result is of {total.dtype}")
    # Composed: MLX's reductions begin with the neutral element.
    return call(BINARY[computation.op], total, init)


@backend.op("Dot")
def dot(x, y):
    return call(mx.matmul, x, y)


@backend.op("Fft")
def fft(x, *, fft_type, fft_length):
    rank = len(fft_length)
    if x.dtype not in (np.float32, np.complex64):
        raise Unsupported("mx.fft computes in f32")
    if fft_type != "IRFFT" and x.shape[-rank:] != tuple(fft_length):
        raise Unsupported("mx.fft pads or cuts an operand of another size")
    return call(FFT[fft_type], x, s=list(fft_length),
                axes=list(range(-rank, 0)))


@backend.op("Cholesky")
def cholesky(x, *, lower):
    return call(mx.linalg.cholesky, x, upper=not lower)


@backend.op("TriangularSolve")
def triangular_solve(a, b, *, left_side, lower, unit_diagonal, transpose_a):
    if not left_side or unit_diagonal or transpose_a != "NO_TRANSPOSE":
        raise Unsupported("solve_triangular has a on the left as it is, and "
                          "reads its diagonal")
    return call(mx.linalg.solve_triangular, a, b, upper=not lower)


@backend.op("ConvGeneralDilated")
def convolve(x, kernel, *, window_strides, padding, dimension_numbers,
             lhs_dilation=None, rhs_dilation=None, window_reversal=None,
             feature_group_count=1):
    flip, rank = set(window_reversal or [False]), x.ndim - 2
    if len(flip) != 1 or rank < 1 or min(map(min, padding)) < 0:
        raise Unsupported("mx.conv_general reverses all dimensions or none, "
                          "and has no negative padding")
    numbers = dimension_numbers
    # Composed: MLX has batch, spatial dimensions, feature in this order.
    x = np.transpose(x, feature_last(numbers, "input"))
    kernel = np.transpose(kernel, [numbers["kernel_output_feature_dimension"],
                                   *numbers["kernel_spatial_dimensions"],
                                   numbers["kernel_input_feature_dimension"]])
    made = call(mx.conv_general, x, kernel, stride=list(window_strides),
                padding=tuple(map(list, zip(*padding))),
                kernel_dilation=list(rhs_dilation or [1] * rank),
                input_dilation=list(lhs_dilation or [1] * rank),
                groups=feature_group_count, flip=flip.pop())
    return np.transpose(made, np.argsort(feature_last(numbers, "output")))


backend.invalid = reject_broadcasting(
    backend, ValueError, "MLX has other rules for invalid programs")

if __name__ == "__main__":
    backend.serve()
