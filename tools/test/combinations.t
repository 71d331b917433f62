#!/usr/bin/env python3
# combinations.t - each combination of flushed uses is found, however late.
#
# SPDX-License-Identifier: Apache-2.0
#
# Two parameters are subnormal, and each is used twice:
#
#     r = [4 f(p0) + f(p0), 4 f(p1) + f(p1)],  f(p) = 2^100 p
#
# where f is written with one operation or another.  A profile lets each use be
# flushed, so an element is 5, 4, 1 or 0 times f(p).  After a few of the
# combinations the judge asks whether all that lies between them explains
# anything, and goes on only if it does: a combination of the first parameter,
# which comes late, shows whether each operation takes part in that.  Beside
# them stand 2, 3 and 6 times f(p), which no combination gives.  Without
# ev->spreads of an element-wise operation or a conversion, the test fails.
import os
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judging import library, profile  # noqa: E402
from tap import finish, ok  # noqa: E402

UNIT = 2.0 ** -149
T = (3 * UNIT, 5 * UNIT)
BIG = 2.0 ** 100
DOT = ("{dimension_numbers = {lhs_batch_dimensions = [], rhs_batch_dimensions "
       "= [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = "
       "[0]}}")
PAD = ("{padding_config = [{edge_padding_low = 0, edge_padding_high = 0, "
       "interior_padding = 0}]}")
# What stands for x = 2^100 p, p of one element; big, tiny, zero and double are
# constants.
WRITTEN = {
    "Mul": ["x = Mul(p, big)"],
    "Div": ["x = Div(p, tiny)"],
    "Add": ["a = Add(p, zero)", "x = Mul(a, big)"],
    "Sub": ["a = Sub(p, zero)", "x = Mul(a, big)"],
    "Slice": ["a = Slice(p) {start_indices = [0], limit_indices = [1], "
              "strides = [1]}", "x = Mul(a, big)"],
    "Reshape": ["a = Reshape(p) {new_sizes = [1, 1]}",
                "b = Reshape(a) {new_sizes = [1]}", "x = Mul(b, big)"],
    "Transpose": ["a = Transpose(p) {permutation = [0]}", "x = Mul(a, big)"],
    "ConcatInDim": ["a = ConcatInDim(p, big) {dimension = 0}",
                    "b = Slice(a) {start_indices = [0], limit_indices = [1], "
                    "strides = [1]}", "x = Mul(b, big)"],
    "Broadcast": ["a = Reshape(p) {new_sizes = []}",
                  "b = Broadcast(a) {broadcast_sizes = [1]}",
                  "x = Mul(b, big)"],
    "BroadcastInDim": ["a = BroadcastInDim(p) {broadcast_dimensions = [0], "
                       "out_dim_size = [1]}", "x = Mul(a, big)"],
    "ConvertElementType": ["a = ConvertElementType(p) {new_element_type = f64}",
                           "b = Mul(a, double)",
                           "x = ConvertElementType(b) {new_element_type = f32}"],
    "Reduce": ["z = Reshape(zero) {new_sizes = []}",
               "a = Reduce(p, z) {computation = add, dimensions_to_reduce = "
               "[0]}", "b = Reshape(a) {new_sizes = [1]}", "x = Mul(b, big)"],
    "DotGeneral": [f"a = DotGeneral(p, big) {DOT}",
                   "x = Reshape(a) {new_sizes = [1]}"],
    # Of these it is not known: all combinations are tried.
    # A flushed one equals the other: the first of them comes first.
    "TopK": ["a = ConcatInDim(unit, p) {dimension = 0}",
             "b = TopK(a) {k = 1, largest = true}",
             "c = GetTupleElement(b) {index = 1}",
             "d = ConvertElementType(c) {new_element_type = f32}",
             "x = Mul(d, scale)"],
    "Sort": ["a = ConcatInDim(unit, p) {dimension = 0}",
             "i = ConcatInDim(zero, one) {dimension = 0}",
             "b = Sort(a, i) {comparator = f_after, dimension = 0, "
             "is_stable = true}",
             "c = GetTupleElement(b) {index = 1}",
             "d = Slice(c) {start_indices = [0], limit_indices = [1], "
             "strides = [1]}",
             "x = Mul(d, scale)"],
    "Dot": ["a = Dot(p, big)", "x = Reshape(a) {new_sizes = [1]}"],
    "Map": ["x = Map(p, big) {computation = f_product, dimensions = [0]}"],
    "Call": ["x = Call(p, big) {computation = f_call}"],
    "ReduceWindow": ["z = Reshape(zero) {new_sizes = []}",
                     "a = ReduceWindow(p, z) {computation = add, "
                     "window_dimensions = [1], window_strides = [1], padding = "
                     "VALID}", "x = Mul(a, big)"],
    "Reduce of two steps": ["z = Reshape(zero) {new_sizes = []}",
                            "a = Reduce(p, z) {computation = f_steps, "
                            "dimensions_to_reduce = [0]}",
                            "x = Reshape(a) {new_sizes = [1]}"],
    "Rev": ["a = Rev(p) {dimensions = [0]}", "x = Mul(a, big)"],
    "Pad": ["z = Reshape(zero) {new_sizes = []}", f"a = Pad(p, z) {PAD}",
            "x = Mul(a, big)"],
}
SUMS = ("Reduce", "ReduceWindow", "Dot", "DotGeneral")
# What is called: by each use a copy of its own, or the same by all of them, which
# a compiler may compile for each call.
COMPUTATIONS = {
    "product": {"parameters": ["f32[]"] * 2, "body": ["r = Mul(p0, p1)"],
                "result": "r"},
    "call": {"parameters": ["f32[1]"] * 2, "body": ["r = Mul(p0, p1)"],
             "result": "r"},
    "after": {"parameters": ["f32[]"] * 4, "body": ["r = Gt(p0, p1)"],
              "result": "r"},
    "steps": {"parameters": ["f32[]"] * 2, "body": [
        "b = Constant() {literal = f32[] 0x1p100}", "m = Mul(p1, b)",
        "r = Add(p0, m)"], "result": "r"}}


def named(line, prefix, parameter, shared):
    """A line of one use, with names of its own."""
    to, text = line.split(" = ", 1)
    head, tail = text.split(")", 1)
    op, operands = head.split("(")
    local = {"p": parameter} | {
        n: n for n in ("big", "tiny", "zero", "double", "unit", "one")}
    local["scale"] = f"scale{parameter[1:]}"
    names = [local.get(n, prefix + n) for n in operands.split(", ")]
    tail = tail.replace("= f_", "= " if shared else f"= {prefix}_")
    return f"{prefix}{to} = {op}({', '.join(names)}){tail}"


def case_of(lines, shared=False):
    body = []
    for i in range(len(T)):
        for use in "uv":
            body += [named(line, f"{use}{i}", f"p{i}", shared)
                     for line in lines]
        body += [f"w{i} = Mul(u{i}x, four)", f"r{i} = Add(w{i}, v{i}x)"]
    body.append("r = ConcatInDim(r0, r1) {dimension = 0}")
    constants = [f"{n} = Constant() {{literal = {t}[1] [{v}]}}"
                 for n, t, v in (("big", "f32", "0x1p100"),
                                 ("tiny", "f32", "0x1p-100"),
                                 ("four", "f32", "4"), ("one", "f32", "1"), ("zero", "f32", "0"),
                                 ("double", "f64", "0x1p100"),
                                 ("unit", "f32", UNIT.hex()),
                                 ("scale0", "f32", (T[0] * BIG).hex()),
                                 ("scale1", "f32", (T[1] * BIG).hex()))]
    return {"inputs": [{"shape": "f32[1]", "hex": struct.pack("<f", t).hex()}
                       for t in T],
            "module": {"entry": "main", "computations": {**{
                f"{use}{i}_{name}": made for name, made in COMPUTATIONS.items()
                for use in "uv" for i in range(len(T))}, **COMPUTATIONS, "main": {
                "parameters": ["f32[1]"] * len(T), "body": constants + body,
                "result": "r"}}}}


def check(op, lines, mine, shared=False):
    case = case_of(lines, shared)
    name = f"{op}, one computation for all uses" if shared else op
    with library.Evaluation(op.split()[0], case, mine) as e:
        output = e.outputs()[0]

        def is_right(*times):
            values = [n * t * BIG for n, t in zip(times, T)]
            return e.judge([output._replace(
                data=struct.pack("<2f", *values))]) is None
        due = [(m, n) for m in (5, 4, 1, 0) for n in (5, 4, 1, 0)]
        lost = [d for d in due if not is_right(*d)]
        ok(not lost, f"{name}: what each use flushed or kept gives", lost)
        # A sum with a flushed term may be all that lies between.
        wrong = (6,) if op in SUMS else (2, 3, 6)
        more = [n for n in wrong if is_right(n, 5) or is_right(5, n)]
        ok(not more, f"{name}: and nothing else", more)


with tempfile.TemporaryDirectory() as folder:
    flushing = profile(folder, "flushing", types={
        t: {"subnormal": ["flush-operands"]} for t in ("f32", "f64")})
    for name, written in WRITTEN.items():
        check(name, written, flushing)
        if any("f_" in line for line in written):
            check(name, written, flushing, shared=True)
    keeping = profile(folder, "keeping")
    with library.Evaluation("Mul", case_of(WRITTEN["Mul"]),
                            keeping) as plain:
        flushed = struct.pack("<2f", *(n * t * BIG for n, t in
                                       zip((1, 5), T)))
        out = plain.outputs()[0]
        ok(plain.judge([out]) is None
           and plain.judge([out._replace(data=flushed)]) is not None,
           "where nothing may be flushed, nothing is")
finish()
