"""TensorFlow as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.tensorflow'

Each operation is one of tf.raw_ops, run eagerly on the CPU: the operations that
TensorFlow documents, without what its Python functions add.  One that
TensorFlow lacks is not declared; a type that an operation or its kernel lacks
is unsupported.
"""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow import raw_ops as ops  # noqa: E402

from assay.adapter import (  # noqa: E402
    elementwise, feature_last, lacking, pads, place, reject_broadcasting)
from assay.backend import Backend, Unsupported  # noqa: E402

tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)
backend = Backend(
    "tensorflow", version=tf.__version__,
    dtypes="pred s8 s16 s32 s64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128")

UNARY = {
    "Abs": ops.Abs, "Acos": ops.Acos, "Acosh": ops.Acosh, "Asin": ops.Asin,
    "Asinh": ops.Asinh, "Atan": ops.Atan, "Atanh": ops.Atanh,
    "BesselI1e": ops.BesselI1e, "Ceil": ops.Ceil, "Cos": ops.Cos,
    "Cosh": ops.Cosh, "Digamma": ops.Digamma, "Erf": ops.Erf,
    "ErfInv": ops.Erfinv, "Erfc": ops.Erfc, "Exp": ops.Exp,
    "Expm1": ops.Expm1, "Floor": ops.Floor, "IsFinite": ops.IsFinite,
    "Lgamma": ops.Lgamma, "Log": ops.Log, "Log1p": ops.Log1p,
    "Logistic": ops.Sigmoid, "Neg": ops.Neg, "Not": ops.Invert,
    "RoundNearestEven": ops.Round, "Rsqrt": ops.Rsqrt, "Sign": ops.Sign,
    "Sin": ops.Sin, "Sinh": ops.Sinh, "Sqrt": ops.Sqrt, "Tan": ops.Tan,
    "Tanh": ops.Tanh,
}
BINARY = {
    "Add": ops.AddV2, "And": ops.BitwiseAnd, "Atan2": ops.Atan2,
    "Complex": ops.Complex, "Div": ops.RealDiv, "Eq": ops.Equal,
    "Ge": ops.GreaterEqual, "Gt": ops.Greater, "Le": ops.LessEqual,
    "Lt": ops.Less, "Max": ops.Maximum, "Min": ops.Minimum, "Mul": ops.Mul,
    "Ne": ops.NotEqual, "Or": ops.BitwiseOr, "Pow": ops.Pow,
    "Rem": ops.TruncateMod, "ShiftLeft": ops.LeftShift,
    "ShiftRightArithmetic": ops.RightShift,
    "ShiftRightLogical": ops.RightShift, "Sub": ops.Sub,
    "Xor": ops.BitwiseXor,
}
# Another operation for operands of a kind.
OTHERS = {
    ("Abs", "c"): ops.ComplexAbs, ("And", "b"): ops.LogicalAnd,
    ("Div", "i"): ops.TruncateDiv, ("Div", "u"): ops.TruncateDiv,
    ("Not", "b"): ops.LogicalNot, ("Or", "b"): ops.LogicalOr,
}
# The kinds of operands for which an operation is that of XLA.
KINDS = {"ShiftRightArithmetic": "i", "ShiftRightLogical": "u"}
NAMES = {"Atan2": ("y", "x"), "Complex": ("real", "imag")}
REDUCTIONS = {"Add": ops.Sum, "And": ops.All, "Max": ops.Max, "Min": ops.Min,
              "Mul": ops.Prod, "Or": ops.Any}
FFT = {"FFT": (ops.FFT, ops.FFT2D, ops.FFT3D),
       "IFFT": (ops.IFFT, ops.IFFT2D, ops.IFFT3D),
       "RFFT": (ops.RFFT, ops.RFFT2D, ops.RFFT3D),
       "IRFFT": (ops.IRFFT, ops.IRFFT2D, ops.IRFFT3D)}
PARTS = {np.dtype(np.complex64): tf.float32,
         np.dtype(np.complex128): tf.float64}
WHOLES = {np.dtype(np.float32): tf.complex64,
          np.dtype(np.float64): tf.complex128}
# No such operation for the type, or no kernel of it, in TensorFlow's words.
LACKS = ("is not in the list of allowed values", "Could not find device for",
         "No OpKernel was registered", "not implemented", "not supported",
         "Integers to negative integer powers")


def _tensor(value):
    """NumPy's arrays as tensors of their own type: raw_ops itself takes those
    for the type that an operation has by default."""
    if isinstance(value, (np.ndarray, np.generic)):
        return tf.constant(value)
    if isinstance(value, (list, tuple)):
        return [_tensor(v) for v in value]
    return value


def call(operation, **arguments):
    with lacking((tf.errors.OpError, TypeError), LACKS), \
            lacking(tf.errors.UnimplementedError):
        made = operation(**{k: _tensor(v) for k, v in arguments.items()})
    # Of no dimensions, the tensor of a type that NumPy lacks is not an array.
    return [np.asarray(t.numpy()) for t in made] \
        if isinstance(made, (tuple, list)) else np.asarray(made.numpy())


def _elementwise(op, operation, *operands):
    results = PARTS if operation is ops.ComplexAbs else \
        WHOLES if op == "Complex" else None
    options = {"Tout": results.get(operands[0].dtype)} if results else {}
    return call(operation, **dict(zip(NAMES.get(op, ("x", "y")), operands)),
                **options)


elementwise(backend, {**UNARY, **BINARY}, _elementwise, KINDS, OTHERS)


@backend.op("Polygamma")
def polygamma(order, x):
    return call(ops.Polygamma, a=order, x=x)


@backend.op("Zeta")
def zeta(x, q):
    return call(ops.Zeta, x=x, q=q)


def _part(operation, x):
    if x.dtype not in PARTS:
        raise Unsupported("Real and Imag are of complex numbers")
    return call(operation, input=x, Tout=PARTS[x.dtype])


@backend.op("Real")
def real(x):
    return _part(ops.Real, x)


@backend.op("Imag")
def imag(x):
    return _part(ops.Imag, x)


@backend.op("PopulationCount")
def population_count(x):
    # Composed: TensorFlow's result is of u8, XLA's of the operand's type.
    return call(ops.Cast, x=call(ops.PopulationCount, x=x), DstT=x.dtype)


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return call(ops.SelectV2, condition=pred, t=on_true, e=on_false)


@backend.op("Clamp")
def clamp(low, x, high):
    if np.any(np.asarray(low) > np.asarray(high)):
        raise Unsupported("the bounds of clip_by_value are in order")
    return call(ops.ClipByValue, t=x, clip_value_min=low, clip_value_max=high)


@backend.op("ConvertElementType")
def convert(x, *, new_element_type):
    return call(ops.Cast, x=x, DstT=np.dtype(new_element_type))


@backend.op("BitcastConvertType")
def bitcast(x, *, new_element_type):
    return call(ops.Bitcast, input=x, type=np.dtype(new_element_type))


@backend.op("Transpose")
def transpose(x, *, permutation):
    return call(ops.Transpose, x=x, perm=_ints(permutation))


@backend.op("Reshape")
def reshape(x, *, result, dimensions=None, **attributes):
    if dimensions:
        x = call(ops.Transpose, x=x, perm=_ints(dimensions))
    return call(ops.Reshape, tensor=x, shape=_ints(result.dims))


@backend.op("Rev")
def reverse(x, *, dimensions):
    return call(ops.ReverseV2, tensor=x, axis=_ints(dimensions))


@backend.op("Broadcast")
def broadcast(x, *, broadcast_sizes):
    return call(ops.BroadcastTo, input=x,
                shape=_ints((*broadcast_sizes, *np.shape(x))))


@backend.op("BroadcastInDim")
def broadcast_in_dim(x, *, out_dim_size, broadcast_dimensions):
    # Composed: BroadcastTo aligns the last dimensions.
    dims = place(np.shape(x), broadcast_dimensions, len(out_dim_size))
    x = call(ops.Transpose, x=x, perm=_ints(np.argsort(broadcast_dimensions)))
    return call(ops.BroadcastTo, shape=_ints(out_dim_size),
                input=call(ops.Reshape, tensor=x, shape=_ints(dims)))


@backend.op("ConcatInDim")
def concatenate(*operands, dimension):
    if len(operands) == 1:
        raise Unsupported("ConcatV2 joins two arrays or more")
    return call(ops.ConcatV2, values=operands, axis=dimension)


@backend.op("Slice")
def slice_(x, *, start_indices, limit_indices, strides=None):
    return call(ops.StridedSlice, input=x, begin=_ints(start_indices),
                end=_ints(limit_indices),
                strides=_ints(strides or [1] * x.ndim))


@backend.op("Pad")
def pad(x, value, *, padding_config):
    low, high, interior = pads(padding_config)
    if any(interior) or any(n < 0 for n in low + high):
        raise Unsupported("PadV2 has neither interior nor negative padding")
    return call(ops.PadV2, input=x, constant_values=value,
                paddings=_ints(zip(low, high)).reshape(-1, 2))


@backend.op("Iota")
def iota(*, iota_dimension, result, **attributes):
    # Composed: Range has one dimension, and its limit is of the result's type.
    size = result.dims[iota_dimension]
    line = call(ops.Cast, DstT=result.numpy, x=call(
        ops.Range, start=np.int64(0), limit=np.int64(size), delta=np.int64(1)))
    dims = place([size], [iota_dimension], len(result.dims))
    return call(ops.BroadcastTo, shape=_ints(result.dims),
                input=call(ops.Reshape, tensor=line, shape=_ints(dims)))


@backend.op("Reduce")
def reduce(*operands, computation, dimensions_to_reduce):
    operation = REDUCTIONS.get(computation.op)
    x, init = operands[0], operands[-1]
    logical = operation in (ops.All, ops.Any)
    if operation is None or len(operands) != 2 \
            or (x.dtype == np.bool_) != logical:
        raise Unsupported("a reduction that TensorFlow has no operation for")
    total = call(operation, input=x, axis=_ints(dimensions_to_reduce))
    # Composed: TensorFlow's reductions begin with the neutral element.
    combine = OTHERS[computation.op, "b"] if logical else BINARY[computation.op]
    return call(combine, x=total, y=init)


@backend.op("Dot")
def dot(x, y):
    if x.ndim == y.ndim == 2:
        return call(ops.MatMul, a=x, b=y)
    return _einsum(x, y, {"lhs_contracting_dimensions": [x.ndim - 1],
                          "rhs_contracting_dimensions": [0]})


@backend.op("DotGeneral")
def dot_general(x, y, *, dimension_numbers):
    return _einsum(x, y, dimension_numbers)


def _einsum(x, y, numbers):
    """One letter for each pair of dimensions, and for each that is alone."""
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    of_x, of_y = [None] * np.ndim(x), [None] * np.ndim(y)
    batch = ""
    for kind in ("batch", "contracting"):
        for i, j in zip(numbers.get(f"lhs_{kind}_dimensions", ()),
                        numbers.get(f"rhs_{kind}_dimensions", ())):
            of_x[i] = of_y[j] = next(letters)
            batch += of_x[i] if kind == "batch" else ""
    alone = ""
    for names in (of_x, of_y):
        for i, name in enumerate(names):
            if name is None:
                names[i] = next(letters)
                alone += names[i]
    return call(ops.Einsum, inputs=[x, y], equation=f"{''.join(of_x)},"
                f"{''.join(of_y)}->{batch}{alone}")


@backend.op("TopK")
def top_k(x, *, k, largest):
    if not largest:
        raise Unsupported("TopKV2 takes the largest elements")
    return tuple(call(ops.TopKV2, input=x, k=np.int32(k), sorted=True))


@backend.op("Fft")
def fft(x, *, fft_type, fft_length):
    rank = len(fft_length)
    if fft_type != "IRFFT" and x.shape[-rank:] != tuple(fft_length):
        raise Unsupported("TensorFlow pads or cuts an operand of another size")
    options = {"Tcomplex": WHOLES.get(x.dtype)} if fft_type == "RFFT" \
        else {"Treal": PARTS.get(x.dtype)} if fft_type == "IRFFT" else {}
    if options:
        options["fft_length"] = np.asarray(fft_length, np.int32)
    return call(FFT[fft_type][rank - 1], input=x, **options)


@backend.op("Cholesky")
def cholesky(x, *, lower):
    if not lower:
        raise Unsupported("Cholesky reads the lower triangle")
    # One error for a whole batch.
    with lacking(tf.errors.InvalidArgumentError,
                 ["decomposition was not successful"]):
        return call(ops.Cholesky, input=x)


@backend.op("TriangularSolve")
def triangular_solve(a, b, *, left_side, lower, unit_diagonal, transpose_a):
    if not left_side or unit_diagonal:
        raise Unsupported("MatrixTriangularSolve has a on the left, and reads "
                          "its diagonal")
    if transpose_a == "TRANSPOSE" and a.dtype.kind == "c":
        raise Unsupported("MatrixTriangularSolve has adjoint matrices")
    return call(ops.MatrixTriangularSolve, matrix=a, rhs=b, lower=lower,
                adjoint=transpose_a != "NO_TRANSPOSE")


@backend.op("ConvGeneralDilated")
def convolve(x, kernel, *, window_strides, padding, dimension_numbers,
             lhs_dilation=None, rhs_dilation=None, window_reversal=None):
    if x.ndim != 4 or any(d != 1 for d in lhs_dilation or ()) \
            or any(window_reversal or ()) or min(map(min, padding)) < 0:
        raise Unsupported("Conv2D has two spatial dimensions, without dilation "
                          "of the operand, reversal or negative padding")
    numbers = dimension_numbers
    # Composed: Conv2D on the CPU is of NHWC and HWIO.
    x = np.transpose(x, feature_last(numbers, "input"))
    kernel = np.transpose(kernel, [*numbers["kernel_spatial_dimensions"],
                                   numbers["kernel_input_feature_dimension"],
                                   numbers["kernel_output_feature_dimension"]])
    made = call(ops.Conv2D, input=x, filter=kernel,
                strides=[1, *window_strides, 1], padding="EXPLICIT",
                explicit_paddings=[0, 0, *sum(map(list, padding), []), 0, 0],
                dilations=[1, *(rhs_dilation or [1, 1]), 1])
    return np.transpose(made, np.argsort(feature_last(numbers, "output")))


@backend.op("BatchNormInference")
def batch_norm(x, scale, offset, mean, variance, *, epsilon, feature_index):
    if x.ndim != 4 or feature_index != 3:
        raise Unsupported("FusedBatchNormV3 has features in the last of four "
                          "dimensions")
    return call(ops.FusedBatchNormV3, x=x, scale=scale, offset=offset,
                mean=mean, variance=variance, epsilon=float(epsilon),
                is_training=False)[0]


def _ints(values):
    return np.asarray(list(values), np.int64)


backend.invalid = reject_broadcasting(
    backend, tf.errors.InvalidArgumentError,
    "TensorFlow has other rules for invalid programs")

if __name__ == "__main__":
    backend.serve()
