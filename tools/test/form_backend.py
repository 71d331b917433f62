"""A backend of exact operations in NumPy, for forms.t.

SPDX-License-Identifier: Apache-2.0

It shares no code with the interpreter: programs come as JSON, arrays are NumPy's,
of unsigned integers that hold the patterns.  What it does not know is
unsupported.
"""
import sys

import numpy as np

sys.path.insert(0, "tools/python")
from assay.protocol import Pipe  # noqa: E402

BITS = {"pred": 1, "s2": 2, "u2": 2, "s4": 4, "u4": 4, "f4e2m1fn": 4,
        "f6e2m3fn": 6, "f6e3m2fn": 6, "s8": 8, "u8": 8, "s16": 16, "u16": 16,
        "f16": 16, "bf16": 16, "s32": 32, "u32": 32, "f32": 32, "s64": 64,
        "u64": 64, "f64": 64, "c64": 64, "c128": 128}
STORE = {1: "u1", 2: "u1", 4: "u1", 6: "u1", 8: "u1", 16: "<u2", 32: "<u4",
         64: "<u8", 128: "V16"}
FLOATS = {"f16": "<f2", "f32": "<f4", "f64": "<f8"}


class Unsupported(Exception):
    pass


class Array:
    """An element type and patterns."""

    def __init__(self, dtype, bits):
        self.dtype, self.bits = dtype, bits

    def move(self, bits):
        return Array(self.dtype, bits)


def parse(shape):
    name, _, rest = shape.partition("[")
    if name.startswith("f8"):
        BITS.setdefault(name, 8)
    if name not in BITS or "<" in rest:
        raise Unsupported(f"the shape {shape}")
    dims = rest.rstrip("]")
    return name, [int(d) for d in dims.split(",")] if dims else []


def array(shape, data):
    name, dims = parse(shape)
    flat = np.frombuffer(data, STORE[BITS[name]])
    return Array(name, flat.reshape(dims))


def integers(x):
    """Values: Python's integers, so that nothing wraps by itself."""
    if x.dtype[0] not in "suf" and x.dtype != "pred" or x.dtype[0] == "f":
        raise Unsupported("values of " + x.dtype)
    values = x.bits.astype(object)
    if x.dtype[0] == "s":
        half, all_ = 1 << BITS[x.dtype] - 1, 1 << BITS[x.dtype]
        values = np.where(x.bits >= half, values - all_, values)
    return values


def wrap(dtype, values):
    n = BITS[dtype]
    values = np.asarray(values, dtype=object)
    bits = np.array([int(v) % (1 << n) for v in values.ravel()],
                    dtype=STORE[n]).reshape(values.shape)
    return Array(dtype, bits)


def convert(dtype, values):
    """Of integers: to a float as NumPy rounds them."""
    if dtype[0] in "su":
        return wrap(dtype, values)
    if dtype not in FLOATS:
        raise Unsupported("conversion to " + dtype)
    found = values.astype(np.int64 if (values < 2**63).all() else np.uint64)
    return Array(dtype, found.astype(FLOATS[dtype]).view(STORE[BITS[dtype]]))


def numbers(x):
    """For comparisons: of floats as NumPy has them."""
    if x.dtype in FLOATS:
        return x.bits.view(FLOATS[x.dtype])
    return integers(x)


FLOATING = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply,
            "Max": np.maximum, "Min": np.minimum}
ARITHMETIC = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b,
              "Mul": lambda a, b: a * b, "And": lambda a, b: a & b,
              "Or": lambda a, b: a | b, "Xor": lambda a, b: a ^ b,
              "Max": np.maximum, "Min": np.minimum}
COMPARE = {"Lt": np.less, "Le": np.less_equal, "Gt": np.greater,
           "Ge": np.greater_equal, "Eq": np.equal, "Ne": np.not_equal}


def arithmetic(op, a, b):
    """Of floats as NumPy has them; only of two zeros is its Max either one."""
    if a.dtype not in FLOATS or op not in FLOATING:
        return wrap(a.dtype, ARITHMETIC[op](integers(a), integers(b)))
    with np.errstate(all="ignore"):
        bits = FLOATING[op](numbers(a), numbers(b)).view(a.bits.dtype)
    if op in ("Max", "Min"):
        one = a.bits & b.bits if op == "Max" else a.bits | b.bits
        bits = np.where((numbers(a) == 0) & (numbers(b) == 0), one, bits)
    return a.move(bits)


def broadcast(xs, dims):
    """Both in the rank of the larger, then each size 1 as the other's."""
    rank = max(x.bits.ndim for x in xs)
    arrays = []
    for x in xs:
        shape = list(x.bits.shape)
        if len(shape) < rank and dims:
            sizes = dict(zip(dims, shape))
            shape = [sizes.get(d, 1) for d in range(rank)]
        arrays.append(x.bits.reshape(shape))
    return [x.move(bits) for x, bits in zip(xs, np.broadcast_arrays(*arrays))]


def clamped(starts, sizes, dims):
    return tuple(slice(min(max(int(s), 0), d - n), min(max(int(s), 0), d - n) + n)
                 for s, n, d in zip(starts, sizes, dims))


def start_of(xs):
    values = [integers(x) for x in xs]
    return list(values[0]) if len(xs) == 1 and values[0].ndim == 1 \
        else [int(v) for v in values]


def pad(x, fill, config):
    out = x.bits
    for d, c in enumerate(config):
        low, high = c.get("edge_padding_low", 0), c.get("edge_padding_high", 0)
        inner = c.get("interior_padding", 0)
        n = out.shape[d]
        wide = n + max(n - 1, 0) * inner
        shape = list(out.shape)
        shape[d] = wide
        spread = np.full(shape, fill.bits[()], out.dtype)
        at = [slice(None)] * out.ndim
        at[d] = slice(0, None, inner + 1) if n else slice(0, 0)
        spread[tuple(at)] = out
        shape[d] = wide + low + high
        result = np.full(shape, fill.bits[()], out.dtype)
        first, last = max(0, -low), min(wide, wide + high)
        at[d] = slice(first, last)
        to = [slice(None)] * out.ndim
        to[d] = slice(first + low, last + low)
        result[tuple(to)] = spread[tuple(at)]
        out = result
    return x.move(out)


def gather(x, start, at, in_):
    """Whole rows only: slices of size 1 along the first dimension."""
    numbers_ = at["dimension_numbers"]
    rows = list(range(1, x.bits.ndim))
    if (numbers_["collapsed_slice_dims"] != [0]
            or numbers_["start_index_map"] != [0]
            or numbers_["offset_dims"] != rows
            or numbers_["index_vector_dim"] != 1 or start.bits.ndim != 2
            or at["slice_sizes"] != [1] + list(x.bits.shape[1:])):
        raise Unsupported("Gather of anything but rows")
    index = np.clip(integers(start)[:, 0].astype(int), 0, x.bits.shape[0] - 1)
    return x.move(x.bits[index])


class Program:
    def __init__(self, document):
        self.outputs = document.get("outputs")
        module = document["module"]
        self.computations = module["computations"]
        self.entry = module["entry"]
        if document["replicas"] * document["partitions"] != 1:
            raise Unsupported("replicas")
        if any(p.startswith("(")
               for p in self.computations[self.entry]["parameters"]):
            raise Unsupported("tuples as parameters")
        for c in self.computations.values():
            for i in c["body"]:
                if not hasattr(self, "do_" + i["op"]) \
                        and i["op"] not in ARITHMETIC \
                        and i["op"] not in COMPARE:
                    raise Unsupported(i["op"])

    def run(self, name, values):
        c = self.computations[name]
        known = {f"p{k}": v for k, v in enumerate(values)}
        for i in c["body"]:
            xs = [known[o] for o in i["operands"]]
            known[i["name"]] = self.step(i, xs, i.get("attributes", {}))
        return known[c["result"]]

    def step(self, i, xs, at):
        op = i["op"]
        if op in ARITHMETIC or op in COMPARE:
            xs = broadcast(xs, at.get("broadcast_dimensions"))
            if op in COMPARE:
                found = COMPARE[op](numbers(xs[0]), numbers(xs[1]))
                return Array("pred", np.asarray(found).astype("u1"))
            if xs[0].dtype == "pred" and op in ("Add", "Sub", "Mul"):
                raise Unsupported("arithmetic of pred")
            return arithmetic(op, *xs)
        return getattr(self, "do_" + op)(xs, at, i)

    def do_Constant(self, xs, at, i):
        literal = at["literal"]
        if "hex" not in literal:
            raise Unsupported("constants of tuples")
        return array(literal["shape"], bytes.fromhex(literal["hex"]))

    def do_Tuple(self, xs, at, i):
        return list(xs)

    def do_GetTupleElement(self, xs, at, i):
        return xs[0][at["index"]]

    def do_OptimizationBarrier(self, xs, at, i):
        return xs[0] if len(xs) == 1 else list(xs)

    def do_Transpose(self, xs, at, i):
        return xs[0].move(xs[0].bits.transpose(at["permutation"]))

    def do_Rev(self, xs, at, i):
        return xs[0].move(np.flip(xs[0].bits, at["dimensions"])
                          if at["dimensions"] else xs[0].bits)

    def do_Slice(self, xs, at, i):
        strides = at.get("strides") or [1] * xs[0].bits.ndim
        return xs[0].move(xs[0].bits[tuple(
            slice(a, b, c) for a, b, c in zip(
                at["start_indices"], at["limit_indices"], strides))])

    def do_Pad(self, xs, at, i):
        return pad(xs[0], xs[1], at["padding_config"])

    def do_ConcatInDim(self, xs, at, i):
        return xs[0].move(np.concatenate([x.bits for x in xs],
                                         at["dimension"]))

    def do_Reshape(self, xs, at, i):
        if at.get("dimensions", []) not in ([], list(range(xs[0].bits.ndim))):
            raise Unsupported("Reshape in another order")
        return xs[0].move(xs[0].bits.reshape(at["new_sizes"]))

    def do_Broadcast(self, xs, at, i):
        shape = list(at["broadcast_sizes"]) + list(xs[0].bits.shape)
        return xs[0].move(np.broadcast_to(xs[0].bits, shape))

    def do_BroadcastInDim(self, xs, at, i):
        dims = list(at["broadcast_dimensions"])
        shape = [1] * len(at["out_dim_size"])
        for d, n in zip(dims, xs[0].bits.shape):
            shape[d] = n
        order = xs[0].bits.transpose(np.argsort(dims))
        return xs[0].move(np.broadcast_to(order.reshape(shape),
                                          at["out_dim_size"]))

    def do_Select(self, xs, at, i):
        return xs[1].move(np.where(xs[0].bits.astype(bool), xs[1].bits,
                                   xs[2].bits))

    def do_Iota(self, xs, at, i):
        name, dims = parse(at["shape"])
        d = at["iota_dimension"]
        shape = [dims[k] if k == d else 1 for k in range(len(dims))]
        return convert(name, np.broadcast_to(
            np.arange(dims[d]).astype(object).reshape(shape), dims))

    def do_Gather(self, xs, at, i):
        return gather(xs[0], xs[1], at, i)

    def do_DynamicSlice(self, xs, at, i):
        return xs[0].move(xs[0].bits[clamped(
            start_of(xs[1:]), at["slice_sizes"], xs[0].bits.shape)]
            if len(xs) > 1 else xs[0].bits)

    def do_DynamicUpdateSlice(self, xs, at, i):
        out = xs[0].bits.copy()
        if len(xs) == 2:
            return xs[1]
        out[clamped(start_of(xs[2:]), xs[1].bits.shape, out.shape)] = xs[1].bits
        return xs[0].move(out)

    def do_BitcastConvertType(self, xs, at, i):
        to = at["new_element_type"]
        if BITS.get(to) != BITS[xs[0].dtype]:
            raise Unsupported("BitcastConvertType of another width")
        return Array(to, xs[0].bits)

    def do_ConvertElementType(self, xs, at, i):
        return convert(at["new_element_type"], integers(xs[0]))

    def do_Call(self, xs, at, i):
        return self.run(at["computation"], xs)

    def do_Map(self, xs, at, i):
        # Of element-wise operations: all elements at once.
        return self.run(at["computation"], xs)

    def do_Conditional(self, xs, at, i):
        if "true_computation" not in at:
            raise Unsupported("branches by number")
        taken = bool(xs[0].bits[()])
        return self.run(at["true_computation" if taken
                           else "false_computation"], [xs[1 if taken else 2]])

    def do_While(self, xs, at, i):
        state = xs[0]
        while self.run(at["condition"], [state]).bits[()]:
            state = self.run(at["body"], [state])
        return state


def leaves(value):
    return [a for v in value for a in leaves(v)] if isinstance(value, list) \
        else [value]


def reply(pipe, programs, header, body):
    call = header["call"]
    if call == "open":
        ops = " ".join(list(ARITHMETIC) + list(COMPARE)
                       + [n[3:] for n in dir(Program) if n.startswith("do_")])
        pipe.write({"protocol": 1, "name": "forms-in-numpy",
                    "version": np.__version__, "forms": ["json"],
                    "capabilities": {"ops": "Parameter " + ops}})
    elif call == "compile":
        import json
        document = json.loads(body[:header["parts"][0]["bytes"]])
        programs[header["executable"]] = Program(document), document["inputs"]
        pipe.write({})
    elif call == "execute":
        program, inputs = programs[header["executable"]]
        values, at = [], 0
        for shape in inputs:
            name, dims = parse(shape)
            n = int(np.prod(dims)) * np.dtype(STORE[BITS[name]]).itemsize
            values.append(array(shape, body[at:at + n]))
            at += n
        out = leaves(program.run(program.entry, values))
        pipe.write({"outputs": [{"dtype": a.dtype,
                                 "dims": list(a.bits.shape)} for a in out]},
                   [np.ascontiguousarray(a.bits).tobytes() for a in out])
    else:
        programs.pop(header["executable"], None)


def main():
    pipe, programs = Pipe(), {}
    while (request := pipe.read()) is not None:
        try:
            reply(pipe, programs, *request)
        except Unsupported as e:
            pipe.write({"error": "unsupported", "text": str(e)[:200]})


if __name__ == "__main__":
    main()
