"""OpenVINO as a backend.

SPDX-License-Identifier: Apache-2.0

    assay run --backend 'process:python3 -m assay.backends.openvino'

Each operation is a model of one operation of OpenVINO, compiled for the device
CPU with the inference precision f32: without it the device computes in bf16
where the processor can.  Element types are those that OpenVINO documents for
the device: integers are s32, for it computes s64 as s32 and keeps narrower ones
for quantized operations; f64 becomes f32.  An operation that OpenVINO lacks is
not declared.
"""
import functools

import numpy as np
import openvino
from openvino import opset16
from openvino.utils.node_factory import NodeFactory

from assay import types
from assay.adapter import elementwise, lacking, pads, reject_broadcasting
from assay.backend import Backend, Unsupported

backend = Backend(
    "openvino", version=openvino.__version__.split("-")[0],
    dtypes="pred s32 f16 bf16 f32")

CORE = openvino.Core()
CORE.set_property("CPU", {"INFERENCE_PRECISION_HINT": openvino.Type.f32,
                          "INFERENCE_NUM_THREADS": 1})
FACTORY = NodeFactory("opset16")

UNARY = {
    "Abs": "Abs", "Acos": "Acos", "Acosh": "Acosh", "Asin": "Asin",
    "Asinh": "Asinh", "Atan": "Atan", "Atanh": "Atanh", "Ceil": "Ceiling",
    "Cos": "Cos", "Cosh": "Cosh", "Erf": "Erf", "Exp": "Exp",
    "Floor": "Floor", "IsFinite": "IsFinite", "Log": "Log",
    "Logistic": "Sigmoid", "Neg": "Negative", "Not": "BitwiseNot",
    "Round": "Round", "RoundNearestEven": "Round", "Sign": "Sign",
    "Sin": "Sin", "Sinh": "Sinh", "Sqrt": "Sqrt", "Tan": "Tan",
    "Tanh": "Tanh",
}
BINARY = {
    "Add": "Add", "And": "BitwiseAnd", "Div": "Divide", "Eq": "Equal",
    "Ge": "GreaterEqual", "Gt": "Greater", "Le": "LessEqual", "Lt": "Less",
    "Max": "Maximum", "Min": "Minimum", "Mul": "Multiply", "Ne": "NotEqual",
    "Or": "BitwiseOr", "Pow": "Power", "Rem": "Mod",
    "ShiftLeft": "BitwiseLeftShift",
    "ShiftRightArithmetic": "BitwiseRightShift", "Sub": "Subtract",
    "Xor": "BitwiseXor",
}
# The quotient of integers is rounded down by default, here toward zero.
OPTIONS = {"Div": {"m_pythondiv": False},
           "Round": {"mode": "half_away_from_zero"},
           "RoundNearestEven": {"mode": "half_to_even"}}
# Another operation for pred; beside these only comparisons take pred.
OTHERS = {(op, "b"): f"Logical{op}" for op in ("And", "Not", "Or", "Xor")}
OF_PRED = {"And", "Eq", "Ge", "Gt", "Le", "Lt", "Ne", "Not", "Or", "Xor"}
REDUCTIONS = {"Add": "ReduceSum", "Max": "ReduceMax", "Min": "ReduceMin",
              "Mul": "ReduceProd"}
PRED_REDUCTIONS = {"And": "ReduceLogicalAnd", "Or": "ReduceLogicalOr"}
# OpenVINO's rules of what an operation takes: no window larger than the padded
# operand, no feature dimension of no elements.
LACKS = ("cmp::le(kernel, dim.get_length())", "channel_dim.get_length() >= 1")


def _type(dtype):
    """OpenVINO's name of an element type."""
    name = types.dtype_name(dtype)
    return {"pred": "boolean", "s32": "i32"}.get(name, name)


@functools.lru_cache(maxsize=256)
def _compiled(operation, operands, constants, attributes):
    """operands: type and dimensions of each; constants: those behind the
    first that are of the model, integers or tuples of them."""
    parameters = [opset16.parameter(list(dims), getattr(openvino.Type, kind))
                  for kind, dims in operands]
    inputs = [node.output(0) for node in parameters]
    inputs[1:1] = [opset16.constant(np.asarray(c, np.int64)).output(0)
                   for c in constants]
    # Reverse is in the first set only.
    factory = NodeFactory("opset1") if operation == "Reverse" else FACTORY
    with lacking(RuntimeError, LACKS):
        node = factory.create(operation, inputs, dict(attributes))
    model = openvino.Model(node.outputs(), parameters, operation)
    return CORE.compile_model(model, "CPU").create_infer_request()


def run(operation, *operands, constants=(), **attributes):
    """The results of one operation."""
    operands = [np.ascontiguousarray(x).reshape(np.shape(x)) for x in operands]
    kinds = [_type(x.dtype) for x in operands]
    request = _compiled(
        operation, tuple((k, x.shape) for k, x in zip(kinds, operands)),
        tuple(c if isinstance(c, int) else tuple(map(int, c))
              for c in constants),
        tuple((k, tuple(v) if isinstance(v, list) else v)
              for k, v in attributes.items()))
    for i, (x, kind) in enumerate(zip(operands, kinds)):
        tensor = openvino.Tensor(getattr(openvino.Type, kind), list(x.shape))
        # NumPy's type of a bf16 tensor is f16: only its bits are right.
        tensor.data.view(np.uint8 if x.ndim else x.dtype)[...] = \
            x.view(np.uint8 if x.ndim else x.dtype)
        request.set_input_tensor(i, tensor)
    request.infer()
    return [_array(t) for t in request.output_tensors]


def _array(tensor):
    dtype = types.DTYPES["bf16"] \
        if tensor.element_type == openvino.Type.bf16 else tensor.data.dtype
    return np.array(tensor.data).view(dtype)


def call(operation, *operands, **options):
    return run(operation, *operands, **options)[0]


def _numeric(x):
    if np.asarray(x).dtype == np.bool_:
        raise Unsupported("OpenVINO's arithmetic is of numeric types")


def _elementwise(op, operation, *operands):
    if op not in OF_PRED:
        _numeric(operands[0])
    options = {"auto_broadcast": "numpy"} if len(operands) > 1 else {}
    return call(operation, *operands, **options, **OPTIONS.get(op, {}))


elementwise(backend, {**UNARY, **BINARY}, _elementwise, others=OTHERS)


@backend.op("Select")
def select(pred, on_true, on_false):
    if isinstance(on_true, tuple):
        raise Unsupported("tuples")
    return call("Select", pred, on_true, on_false, auto_broadcast="numpy")


@backend.op("Clamp")
def clamp(low, x, high):
    _numeric(x)
    if np.shape(low) or np.shape(high) or not low <= high:
        raise Unsupported("Clamp has two numbers in order as its bounds")
    return call("Clamp", x, min=float(low), max=float(high))


@backend.op("ConvertElementType")
def convert(x, *, new_element_type):
    return call("Convert", x, destination_type=_type(new_element_type))


@backend.op("Transpose")
def transpose(x, *, permutation):
    return call("Transpose", x, constants=[permutation])


@backend.op("Reshape")
def reshape(x, *, result, dimensions=None, **attributes):
    if dimensions:
        x = call("Transpose", x, constants=[dimensions])
    return call("Reshape", x, constants=[result.dims], special_zero=False)


@backend.op("Broadcast")
def broadcast(x, *, broadcast_sizes):
    return call("Broadcast", x, mode="numpy",
                constants=[(*broadcast_sizes, *np.shape(x))])


@backend.op("BroadcastInDim")
def broadcast_in_dim(x, *, out_dim_size, broadcast_dimensions):
    if list(broadcast_dimensions) != sorted(broadcast_dimensions):
        raise Unsupported("axes_mapping is in order")
    return call("Broadcast", x, constants=[out_dim_size, broadcast_dimensions],
                mode="explicit")


@backend.op("ConcatInDim")
def concatenate(*operands, dimension):
    return call("Concat", *operands, axis=dimension)


@backend.op("Slice")
def slice_(x, *, start_indices, limit_indices, strides=None):
    if x.ndim == 0:
        raise Unsupported("Slice of a scalar")
    return call("Slice", x, constants=[start_indices, limit_indices,
                                       strides or [1] * x.ndim, range(x.ndim)])


@backend.op("Rev")
def reverse(x, *, dimensions):
    return call("Reverse", x, constants=[dimensions], mode="index")


@backend.op("Pad")
def pad(x, value, *, padding_config):
    low, high, interior = pads(padding_config)
    if any(interior) or not np.ndim(x):
        raise Unsupported("Pad has no interior padding, and takes no scalar")
    return call("Pad", x, value, constants=[low, high], pad_mode="constant")


@backend.op("TopK")
def top_k(x, *, k, largest):
    if k == 0:
        raise Unsupported("TopK has a positive k")
    return tuple(run("TopK", x, constants=[k], axis=x.ndim - 1,
                     mode="max" if largest else "min", sort="value",
                     index_element_type="i32", stable=True))


@backend.op("Reduce")
def reduce(*operands, computation, dimensions_to_reduce):
    x, init = operands[0], operands[-1]
    known = PRED_REDUCTIONS if x.dtype == np.bool_ else REDUCTIONS
    operation = known.get(computation.op)
    if operation is None or len(operands) != 2 or not dimensions_to_reduce:
        raise Unsupported("a reduction that OpenVINO has no operation for")
    total = call(operation, x, constants=[dimensions_to_reduce],
                 keep_dims=False)
    # Composed: OpenVINO's reductions begin with the neutral element.
    combine = OTHERS[computation.op, "b"] if x.dtype == np.bool_ \
        else BINARY[computation.op]
    return call(combine, total, init, auto_broadcast="numpy")


@backend.op("Dot")
def dot(x, y):
    _numeric(x)
    return call("MatMul", x, y, transpose_a=False, transpose_b=False)


def _convolve(x, kernel, strides, auto_pad, padding=None, dilations=None):
    _numeric(x)
    rank = x.ndim - 2
    if rank < 1:
        raise Unsupported("Convolution has one to three spatial dimensions")
    padding = padding or [(0, 0)] * rank
    if min(map(min, padding)) < 0:
        raise Unsupported("Convolution has no negative padding")
    return call("Convolution", x, kernel, strides=list(strides),
                pads_begin=[low for low, _ in padding],
                pads_end=[high for _, high in padding],
                dilations=dilations or [1] * rank, auto_pad=auto_pad)


@backend.op("Conv")
def conv(x, kernel, *, window_strides, padding):
    return _convolve(x, kernel, window_strides,
                     {"SAME": "same_upper", "VALID": "valid"}[padding])


@backend.op("ConvWithGeneralPadding")
def conv_padded(x, kernel, *, window_strides, padding):
    return _convolve(x, kernel, window_strides, "explicit", padding)


@backend.op("ConvGeneralDilated")
def conv_dilated(x, kernel, *, window_strides, padding, dimension_numbers,
                 lhs_dilation=None, rhs_dilation=None, window_reversal=None):
    spatial = list(range(2, x.ndim))
    if any(v != (spatial if k.endswith("spatial_dimensions") else
                 k.endswith(("input_feature_dimension",
                             "output_feature_dimension"))
                 and not k.startswith("kernel_output"))
           for k, v in dimension_numbers.items()) \
            or any(d != 1 for d in lhs_dilation or ()) \
            or any(window_reversal or ()):
        raise Unsupported("Convolution is of NCHW and OIHW, without dilation "
                          "of the operand or reversal")
    return _convolve(x, kernel, window_strides, "explicit", padding,
                     rhs_dilation)


@backend.op("BatchNormInference")
def batch_norm(x, scale, offset, mean, variance, *, epsilon, feature_index):
    if feature_index != 1:
        raise Unsupported("BatchNormInference has features in dimension 1")
    return call("BatchNormInference", x, scale, offset, mean, variance,
                epsilon=float(epsilon))


backend.invalid = reject_broadcasting(
    backend, RuntimeError, "OpenVINO has other rules for invalid programs")

if __name__ == "__main__":
    backend.serve()
