"""PyTorch as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.torch'

Each operation is one function of PyTorch, called on its own element types, on
the CPU.  What PyTorch has no function for is not declared, and what it says is
not implemented for a type is unsupported.
"""
import torch

from assay.adapter import elementwise, lacking, reject_broadcasting
from assay.backend import Backend, Unsupported

backend = Backend(
    "torch", version=torch.__version__,
    dtypes="pred s8 s16 s32 s64 u8 f16 f32 f64 c64 c128")

UNARY = {
    "Abs": torch.abs, "Acos": torch.acos, "Acosh": torch.acosh,
    "Asin": torch.asin, "Asinh": torch.asinh, "Atan": torch.atan,
    "Atanh": torch.atanh, "Ceil": torch.ceil, "Cos": torch.cos,
    "Cosh": torch.cosh, "Erf": torch.erf, "Erfc": torch.erfc,
    "Exp": torch.exp, "Expm1": torch.expm1, "Floor": torch.floor,
    "Imag": torch.imag, "IsFinite": torch.isfinite, "Log": torch.log,
    "Log1p": torch.log1p, "Logistic": torch.sigmoid, "Neg": torch.neg,
    "Not": torch.bitwise_not, "Real": torch.real,
    "RoundNearestEven": torch.round, "Rsqrt": torch.rsqrt,
    "Sign": torch.sgn, "Sin": torch.sin, "Sinh": torch.sinh,
    "Sqrt": torch.sqrt, "Tan": torch.tan, "Tanh": torch.tanh,
}
BINARY = {
    "Add": torch.add, "And": torch.bitwise_and, "Atan2": torch.atan2,
    "Eq": torch.eq, "Ge": torch.ge, "Gt": torch.gt, "Le": torch.le,
    "Lt": torch.lt, "Max": torch.maximum, "Min": torch.minimum,
    "Mul": torch.mul, "Ne": torch.ne, "Or": torch.bitwise_or,
    "Pow": torch.pow, "Rem": torch.fmod, "ShiftLeft": torch.bitwise_left_shift,
    "ShiftRightArithmetic": torch.bitwise_right_shift,
    "ShiftRightLogical": torch.bitwise_right_shift, "Sub": torch.sub,
    "Xor": torch.bitwise_xor,
}
REDUCTIONS = {"Add": torch.sum, "Max": torch.amax, "Min": torch.amin}
# PyTorch has other functions of these names for integers and pred, and
# bitwise_right_shift follows the operand's type.
KINDS = {**dict.fromkeys((
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atan2", "Atanh", "Cos", "Cosh",
    "Erf", "Erfc", "Exp", "Expm1", "Log", "Log1p", "Logistic", "Rsqrt", "Sin",
    "Sinh", "Sqrt", "Tan", "Tanh"), "fc"),
    "ShiftRightArithmetic": "i", "ShiftRightLogical": "bu"}
# No such function, in PyTorch's own words.
LACKS = ("not implemented", "not supported", "unsupported", "is not defined",
         "does not support", "only supports", "not currently supported",
         "Negative integer", "Integers to negative")


def _call(function, *operands):
    with lacking((RuntimeError, TypeError), LACKS):
        return function(*operands)


def _tensor(x):
    return torch.from_numpy(x)


def _divide(x, y):
    whole = not (x.is_floating_point() or x.is_complex())
    return torch.div(x, y, rounding_mode="trunc" if whole else None)


def _elementwise(_op, function, *operands):
    operands = list(map(_tensor, operands))
    torch.broadcast_shapes(*(x.shape for x in operands))  # no error of the type
    return _call(function, *operands)


elementwise(backend, {**UNARY, **BINARY, "Div": _divide}, _elementwise, KINDS)


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return _call(torch.where, *map(_tensor, (pred, on_true, on_false)))


@backend.op("Clamp")
def clamp(low, x, high):
    low, x, high = map(_tensor, (low, x, high))
    return _call(lambda *t: torch.clamp(x, low, high), x)


@backend.op("Transpose")
def transpose(x, *, permutation):
    return _tensor(x).permute(permutation)


@backend.op("Rev")
def reverse(x, *, dimensions):
    return torch.flip(_tensor(x), tuple(dimensions))


@backend.op("Broadcast")
def broadcast(x, *, broadcast_sizes):
    return torch.broadcast_to(_tensor(x), (*broadcast_sizes, *x.shape))


@backend.op("ConcatInDim")
def concatenate(*operands, dimension):
    return torch.cat([_tensor(x) for x in operands], dimension)


@backend.op("Reduce")
def reduce(*operands, computation, dimensions_to_reduce):
    function = REDUCTIONS.get(computation.op)
    if function is None or len(operands) != 2 or not dimensions_to_reduce:
        raise Unsupported("a reduction that PyTorch has no function for")
    x, init = map(_tensor, operands)
    if x.dtype == torch.bool or 0 in x.shape:
        raise Unsupported("PyTorch's own rules for pred and empty arrays")
    options = {"dtype": x.dtype} if function is torch.sum else {}
    total = _call(lambda t: function(t, dim=tuple(dimensions_to_reduce),
                                     **options), x)
    return _call(BINARY[computation.op], total, init)


@backend.op("Dot")
def dot(x, y):
    return _call(torch.matmul, _tensor(x), _tensor(y))


backend.invalid = reject_broadcasting(
    backend, RuntimeError, "PyTorch has other rules for invalid programs")

if __name__ == "__main__":
    backend.serve()
