"""ONNX Runtime as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.onnxruntime'

Each operation is a model of one node, in a session on the CPU with the default
optimizations.  What ONNX has no operator for is not declared; an element type
that an operator or its kernel lacks is unsupported.
"""
import functools

import numpy as np
import onnxruntime
from onnx import helper
from onnxruntime.capi import onnxruntime_pybind11_state as raised

from assay.adapter import (elementwise, lacking, pads, place,
                           reject_broadcasting)
from assay.backend import Backend, Unsupported

OPSET, IR_VERSION = 21, 10
backend = Backend(
    "onnxruntime", version=onnxruntime.__version__,
    dtypes="pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64")

UNARY = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Asin": "Asin",
    "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh", "Ceil": "Ceil",
    "Cos": "Cos", "Cosh": "Cosh", "Erf": "Erf", "Exp": "Exp",
    "Floor": "Floor", "Log": "Log", "Logistic": "Sigmoid", "Neg": "Neg",
    "Not": "BitwiseNot", "RoundNearestEven": "Round", "Sign": "Sign",
    "Sin": "Sin", "Sinh": "Sinh", "Sqrt": "Sqrt", "Tan": "Tan", "Tanh": "Tanh",
}
BINARY = {
    "Add": "Add", "And": "BitwiseAnd", "Div": "Div", "Eq": "Equal",
    "Ge": "GreaterOrEqual", "Gt": "Greater", "Le": "LessOrEqual", "Lt": "Less", "Max": "Max",
    "Min": "Min", "Mul": "Mul", "Or": "BitwiseOr", "Pow": "Pow", "Rem": "Mod",
    "ShiftLeft": "BitShift", "ShiftRightLogical": "BitShift", "Sub": "Sub",
    "Xor": "BitwiseXor",
}
COMPARISONS = {"Eq", "Ge", "Gt", "Le", "Lt"}
OPTIONS = {"Rem": {"fmod": 1}, "ShiftLeft": {"direction": "LEFT"},
           "ShiftRightLogical": {"direction": "RIGHT"}}
# Another operator for pred.
OTHERS = {(op, "b"): op for op in ("And", "Not", "Or", "Xor")}
REDUCTIONS = {"Add": "ReduceSum", "Max": "ReduceMax", "Min": "ReduceMin",
              "Mul": "ReduceProd"}
# No such operator for the type, or no kernel of it.
LACKS = (raised.NotImplemented, raised.InvalidGraph)


@functools.lru_cache(maxsize=1024)
def _session(operator, inputs, result, attributes):
    """inputs: name of type and rank of each; result: of the type."""
    def value(name, dtype, rank):
        return helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), rank)
    names = [f"x{i}" for i in range(len(inputs))]
    node = helper.make_node(operator, names, ["y"], **dict(attributes))
    graph = helper.make_graph(
        [node], operator,
        [value(n, d, [None] * r) for n, (d, r) in zip(names, inputs)],
        [value("y", result, None)])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model.SerializeToString(), options,
        providers=["CPUExecutionProvider"])


def call(operator, *operands, result=None, **attributes):
    """Run one operator; its result has the first operand's type."""
    operands = [np.ascontiguousarray(x).reshape(np.shape(x)) for x in operands]
    with lacking(LACKS):
        session = _session(
            operator, tuple((x.dtype.name, x.ndim) for x in operands),
            np.dtype(result or operands[0].dtype).name,
            tuple(attributes.items()))
    named = {f"x{i}": x for i, x in enumerate(operands)}
    with lacking(raised.NotImplemented):
        return session.run(None, named)[0]


def _ints(values):
    return np.asarray(list(values), np.int64)


def _elementwise(op, operator, *operands):
    return call(operator, *operands, **OPTIONS.get(op, {}),
                result=np.bool_ if op in COMPARISONS else None)


elementwise(backend, {**UNARY, **BINARY}, _elementwise, others=OTHERS)


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return call("Where", pred, on_true, on_false, result=on_true.dtype)


@backend.op("Clamp")
def clamp(low, x, high):
    if np.shape(low) or np.shape(high):
        raise Unsupported("Clip has scalar bounds")
    return call("Clip", x, low, high)


@backend.op("ConvertElementType")
def convert(x, *, new_element_type):
    to = np.dtype(new_element_type)
    return call("Cast", x, result=to, to=helper.np_dtype_to_tensor_dtype(to))


@backend.op("Transpose")
def transpose(x, *, permutation):
    if not permutation:
        raise Unsupported("Transpose has no permutation of a scalar")
    return call("Transpose", x, perm=tuple(permutation))


@backend.op("Reshape")
def reshape(x, *, result, dimensions=None, **attributes):
    if dimensions:
        x = call("Transpose", x, perm=tuple(dimensions))
    return call("Reshape", x, _ints(result.dims), allowzero=1)


@backend.op("Broadcast")
def broadcast(x, *, broadcast_sizes):
    return call("Expand", x, _ints((*broadcast_sizes, *np.shape(x))))


@backend.op("BroadcastInDim")
def broadcast_in_dim(x, *, out_dim_size, broadcast_dimensions):
    dims = place(np.shape(x), broadcast_dimensions, len(out_dim_size))
    order = [int(d) for d in np.argsort(broadcast_dimensions)]
    if order != sorted(order):
        x = call("Transpose", x, perm=tuple(order))
    return call("Expand", call("Reshape", x, _ints(dims), allowzero=1),
                _ints(out_dim_size))


@backend.op("ConcatInDim")
def concatenate(*operands, dimension):
    return call("Concat", *operands, axis=dimension)


@backend.op("Slice")
def slice_(x, *, start_indices, limit_indices, strides=None):
    if x.ndim == 0:
        raise Unsupported("Slice of a scalar")
    return call("Slice", x, _ints(start_indices), _ints(limit_indices),
                _ints(range(x.ndim)), _ints(strides or [1] * x.ndim))


@backend.op("Rev")
def reverse(x, *, dimensions):
    n = len(dimensions)
    if n == 0:
        return x
    return call("Slice", x, _ints([-1] * n),
                _ints([np.iinfo(np.int64).min] * n), _ints(dimensions),
                _ints([-1] * n))


@backend.op("Pad")
def pad(x, value, *, padding_config):
    low, high, interior = pads(padding_config)
    if any(interior):
        raise Unsupported("Pad has no interior padding")
    return call("Pad", x, _ints(low + high), value)


@backend.op("Reduce")
def reduce(*operands, computation, dimensions_to_reduce):
    operator = REDUCTIONS.get(computation.op)
    if operator is None or len(operands) != 2 or not dimensions_to_reduce:
        raise Unsupported("a reduction that ONNX has no operator for")
    x, init = operands
    total = call(operator, x, _ints(dimensions_to_reduce), keepdims=0)
    return call(BINARY[computation.op], total, init)


@backend.op("Dot")
def dot(x, y):
    return call("MatMul", x, y)


backend.invalid = reject_broadcasting(
    backend, (raised.Fail, raised.InvalidArgument, raised.RuntimeException),
    "ONNX Runtime has other rules for invalid programs")

if __name__ == "__main__":
    backend.serve()
