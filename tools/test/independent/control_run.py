# control_run.py - an evaluator for the programs that control.py draws.
#
# SPDX-License-Identifier: Apache-2.0
#
# A table says what each operation gives (RUN).  Values are NumPy's arrays,
# which nothing ever writes to, and Python's tuples, so that no value can change
# under another name.
from collections import namedtuple

import numpy as np

Shape = namedtuple("Shape", "type dims")
TYPES = {"s32": np.int32, "u8": np.uint8, "pred": np.bool_, "f32": np.float32}
UNARY = {"Neg": np.negative, "Abs": np.abs, "Not": np.invert}
BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply,
          "Max": np.maximum, "Min": np.minimum, "And": np.bitwise_and,
          "Or": np.bitwise_or, "Xor": np.bitwise_xor}
COMPARE = {"Lt": np.less, "Le": np.less_equal, "Gt": np.greater,
           "Ge": np.greater_equal, "Eq": np.equal, "Ne": np.not_equal}


def is_array(shape):
    return isinstance(shape, Shape)


def array(value, type):
    return np.asarray(value, TYPES[type])


def run_while(p, a, x):
    state = x[0]
    while p.call(a["condition"], state):
        state = p.call(a["body"], state)
    return state


def run_conditional(p, a, x):
    branches = a.get("branch_computations")
    if branches is None:
        taken = 0 if x[0] else 1
        name = a["true_computation" if x[0] else "false_computation"]
        return p.call(name, x[1 + taken])
    i = int(x[0])
    if not 0 <= i < len(branches):
        i = len(branches) - 1
    return p.call(branches[i], x[1 + i])


def run_map(p, a, x):
    shape = x[0].shape
    flat = [v.ravel() for v in x]
    type = p.computations[a["computation"]].result.type
    out = [p.call(a["computation"], *(v[i] for v in flat))
           for i in range(x[0].size)]
    return array(out, type).reshape(shape)


def run_scan(p, a, x):
    n, axis = a["num_inputs"], a["scan_dimension"]
    inputs, carries = x[:n], x[n:]
    result = p.computations[a["computation"]].result
    count = len(result) - len(carries)
    length = inputs[0].shape[axis]
    outputs = [[None] * length for _ in range(count)]
    order = range(length)
    for t in reversed(order) if a["is_reverse"] else order:
        got = p.call(a["computation"],
                     *(np.take(v, t, axis=axis) for v in inputs), *carries)
        for o, value in zip(outputs, got):
            o[t] = value
        carries = got[count:]
    return tuple(
        np.stack([array(v, r.type) for v in o], axis=axis) if o else
        np.zeros(r.dims[:axis] + (0,) + r.dims[axis:], TYPES[r.type])
        for o, r in zip(outputs, result)) + tuple(carries)


def run_sort(p, a, x):
    by = p.computations[a["comparator"]].body[0]
    key = x[int(by["operands"][0][1:]) // 2].astype(np.int64)
    order = np.argsort(key if by["op"] == "Lt" else -key, kind="stable")
    out = tuple(v[order] for v in x)
    return out if len(out) > 1 else out[0]


def start_of(v, size, start):
    return min(max(int(start), 0), v.shape[0] - size)


def run_slice(p, a, x):
    size = a["slice_sizes"][0]
    at = start_of(x[0], size, x[1])
    return x[0][at:at + size].copy()


def run_update(p, a, x):
    at = start_of(x[0], x[1].shape[0], x[2])
    out = x[0].copy()
    out[at:at + x[1].shape[0]] = x[1]
    return out


def run_constant(p, a, x):
    type, dims = a["literal"]["shape"][:-1].split("[")
    raw = np.frombuffer(bytes.fromhex(a["literal"]["hex"]), TYPES[type])
    return raw.reshape([int(n) for n in dims.split(",") if n])


RUN = {"While": run_while, "Conditional": run_conditional, "Map": run_map,
       "Scan": run_scan, "Sort": run_sort, "DynamicSlice": run_slice,
       "DynamicUpdateSlice": run_update, "Constant": run_constant,
       "Call": lambda p, a, x: p.call(a["computation"], *x),
       "CompositeCall": lambda p, a, x: p.call(a["computation"], *x),
       "Tuple": lambda p, a, x: tuple(x),
       "GetTupleElement": lambda p, a, x: x[0][a["index"]],
       "OptimizationBarrier": lambda p, a, x: x[0],
       "Select": lambda p, a, x: np.where(x[0], x[1], x[2])}
for table in (UNARY, BINARY, COMPARE):
    RUN.update({op: (lambda p, a, x, f=f: f(*x)) for op, f in table.items()})


class Evaluator:
    def __init__(self, computations):
        self.computations = computations

    def call(self, name, *arguments):
        c = self.computations[name]
        values = {f"p{i}": v for i, v in enumerate(arguments)}
        for node in c.body:
            shape = c.scope[node["name"]]
            got = RUN[node["op"]](self, node.get("attributes"),
                                  [values[o] for o in node["operands"]])
            # Of a scalar NumPy makes a number, and forgets its type.
            values[node["name"]] = (array(got, shape.type) if is_array(shape)
                                    else got)
        return values[c.root]
