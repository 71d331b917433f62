#!/usr/bin/env python3
# permitted.t - each choice of a policy gives its results, and no others.
#
# SPDX-License-Identifier: Apache-2.0
#
# For each policy a small program whose results are bytes.  What each choice
# allows is worked out by hand from the text of the choice (spec/policies.json)
# and the definition of the element type; all patterns, or all arrays of a few,
# are then judged: under the choice itself, and under the first choice where the
# profile permits the other with a remark.
#
# f8e5m2 is IEEE 754's: 3c is 1, 40 is 2, 7b is 57344, 7c infinity; f8e4m3fn has
# no infinity: 7e is 448, its largest number, 7f NaN.
import itertools
import sys
import tempfile

sys.dont_write_bytecode = True

from judging import library, profile
from tap import finish, ok

ALL = {bytes([p]) for p in range(256)}
NAN = {bytes([p]) for p in range(256) if p & 0x7f > 0x7d}  # quiet, of f8e5m2
ANY = None  # every candidate


def one(*patterns):
    return {bytes([p & 0xff]) for p in patterns}


def vectors(*rows):
    return {bytes(p & 0xff for p in row) for row in rows}


def given(kind, *data, dims=None):
    """A literal of bytes: a scalar, or an array of these sizes."""
    shape = f"{kind}[]" if dims == () else (
        f"{kind}[{','.join(map(str, dims or [len(data)]))}]")
    return {"shape": shape, "hex": "".join(f"{p & 0xff:02x}" for p in data)}


def scalar(kind, p):
    return given(kind, p, dims=())


def s32(*data, dims=None):
    shape = ",".join(map(str, dims if dims is not None else [len(data)]))
    return {"shape": f"s32[{shape}]",
            "hex": b"".join(p.to_bytes(4, "little", signed=True)
                            for p in data).hex()}


def apply(op, *inputs, **attributes):
    case = {"inputs": list(inputs)}
    if attributes:
        case["attributes"] = attributes
    return op, case


F8, FN = "f8e5m2", "f8e4m3fn"
FLUSHED = {"types": {F8: {"subnormal": ["flush-results"], "nan": "any"}}}


def floats(op, *patterns, **attributes):
    return apply(op, *(scalar(F8, p) for p in patterns), **attributes)


def ints(op, *numbers, kind="s8"):
    return apply(op, *(scalar(kind, n) for n in numbers))


def reduce_(computation, init, *patterns):
    return apply("Reduce", given(F8, *patterns), scalar(F8, init),
                 computation=computation, dimensions_to_reduce=[0])


def scatter(operand, indices, updates, window, **more):
    n = len(indices)
    return apply(
        "Scatter", given("s8", *operand), s32(*indices, dims=[n, 1]),
        given("s8", *updates, dims=[n, window]),
        dimension_numbers={"update_window_dims": [1],
                           "inserted_window_dims": [],
                           "scatter_dims_to_operand_dims": [0],
                           "index_vector_dim": 1},
        **{"update_computation": "second", **more})


SECOND = {"second": {"parameters": ["s8[]", "s8[]"], "body": [
    "r = Reshape(p1) {new_sizes = []}"], "result": "r"}}


def with_computations(call, computations):
    op, case = call
    return op, {**case, "computations": computations}


def scatter_max(operand, *updates):
    return apply("Scatter", given(F8, operand),
                 s32(*[0] * len(updates), dims=[len(updates), 1]),
                 given(F8, *updates), update_computation="max",
                 dimension_numbers={"update_window_dims": [],
                                    "inserted_window_dims": [0],
                                    "scatter_dims_to_operand_dims": [0],
                                    "index_vector_dim": 1})


def sort(*patterns):
    return with_computations(
        apply("Sort", given(F8, *patterns), comparator="less"),
        {"less": {"parameters": [f"{F8}[]"] * 2, "body": ["r = Lt(p0, p1)"],
                  "result": "r"}})


def window(init, *patterns, **more):
    return apply("ReduceWindow", given("s8", *patterns), scalar("s8", init),
                 computation="add", window_dimensions=[2], window_strides=[1],
                 **more)


def gather(index):
    return apply("Gather", given("s8", 10, 11, 12, 13), s32(index),
                 dimension_numbers={"offset_dims": [0],
                                    "collapsed_slice_dims": [],
                                    "start_index_map": [0],
                                    "index_vector_dim": 0},
                 slice_sizes=[2])


def permutations(*row):
    return vectors(*itertools.permutations(row))


# Of [2, NaN, 1] no number may precede a smaller one.
SORTED = vectors((0x3c, 0x40, 0x7e), (0x3c, 0x7e, 0x40), (0x7e, 0x3c, 0x40))

# policy: (program, leaf, {choice: results}).  The first choice is the base of
# those that are permitted.
ROWS = (
    ("div.int.by-zero", ints("Div", 5, 0), {"xla": one(-1), "any": ALL}),
    ("div.int.by-zero", ints("Div", 5, 0, kind="u8"),
     {"xla": one(255), "any": ALL}),
    ("div.int.by-zero", ints("Div", -5, 2), {"xla": one(-2), "any": one(-2)}),
    ("div.int.overflow", ints("Div", -128, -1),
     {"xla": one(-128), "any": ALL}),
    ("rem.int.by-zero", ints("Rem", -5, 0), {"xla": one(-5), "any": ALL}),
    ("rem.int.overflow", ints("Rem", -128, -1), {"xla": one(0), "any": ALL}),
    ("integer.overflow", ints("Add", 100, 100),
     {"wrap": one(200), "any": ALL}),
    ("integer.overflow", ints("Add", 100, 27), {"wrap": one(127),
                                                "any": one(127)}),
    ("integer.overflow", ints("Sub", 3, 4, kind="u8"),
     {"wrap": one(255), "any": ALL}),
    ("integer.overflow", ints("Mul", -128, -1), {"wrap": one(-128),
                                                 "any": ALL}),
    ("integer.overflow", ints("Neg", -128), {"wrap": one(-128), "any": ALL}),
    ("integer.overflow", ints("Abs", -128), {"wrap": one(-128), "any": ALL}),
    ("integer.overflow", ints("Pow", 2, 7), {"wrap": one(-128), "any": ALL}),
    ("integer.overflow", ints("Pow", -2, 7), {"wrap": one(-128),
                                              "any": one(-128)}),
    ("pow.int.negative-exponent", ints("Pow", -1, -3),
     {"xla": one(0), "stablehlo": one(-1), "any": ALL}),
    ("pow.int.negative-exponent", ints("Pow", 1, -3),
     {"xla": one(1), "stablehlo": one(1), "any": ALL}),
    ("pow.int.negative-exponent", ints("Pow", 2, -1),
     {"xla": one(0), "stablehlo": one(0), "any": ALL}),
    # 1 ulp is 1/4 from 1 on, twice what it is below.
    ("function.special-value", floats("Exp", 0),
     {"exact": one(0x3c), "budget": one(0x3a, 0x3b, 0x3c, 0x3d)}),
    ("shift.out-of-range", ints("ShiftLeft", 5, 8),
     {"saturate": one(0), "any": ALL}),
    ("shift.out-of-range", ints("ShiftRightArithmetic", -5, -1),
     {"saturate": one(-1), "any": ALL}),
    ("shift.out-of-range", ints("ShiftRightLogical", -1, 7),
     {"saturate": one(1), "any": one(1)}),
    ("max.nan", floats("Max", 0x7e, 0x3c),
     {"propagate": NAN, "either": NAN | one(0x3c)}),
    ("max.nan", floats("Clamp", 0x3c, 0x7e, 0x40),
     {"propagate": NAN, "either": NAN | one(0x3c, 0x40)}),
    # A NaN may swallow 1 and 2, and then be dropped for -inf.
    ("max.nan", reduce_("max", 0xfc, 0x7e, 0x3c, 0x40),
     {"propagate": NAN, "either": NAN | one(0x3c, 0x40, 0xfc)}),
    ("max.signed-zero", reduce_("max", 0xfc, 0x80, 0, 0x45),
     {"ordered": one(0x45), "either": one(0x45)}),
    ("max.nan", scatter_max(0x3c, 0x7e, 0x40),
     {"propagate": NAN, "either": NAN | one(0x3c, 0x40)}),
    ("max.signed-zero", scatter_max(0x80, 0, 0x45),
     {"ordered": one(0x45), "either": one(0x45)}),
    ("max.signed-zero", scatter_max(0x80, 0),
     {"ordered": one(0), "either": one(0, 0x80)}),
    ("max.signed-zero", reduce_("min", 0x7c, 0x80, 0),
     {"ordered": one(0x80), "either": one(0, 0x80)}),
    ("max.signed-zero", floats("Max", 0, 0x80),
     {"ordered": one(0), "either": one(0, 0x80)}),
    ("max.signed-zero", floats("Min", 0, 0x80),
     {"ordered": one(0x80), "either": one(0, 0x80)}),
    ("zero.sign", floats("Sub", 0x3c, 0x3c), {"rule": one(0),
                                              "either": one(0, 0x80)}),
    ("zero.sign", floats("Mul", 0x80, 0x3c), {"rule": one(0x80),
                                              "either": one(0, 0x80)}),
    ("function.zero-sign", floats("Asinh", 0x80), {"rule": one(0x80),
                                                   "either": one(0x80, 0)}),
    ("function.zero-sign", floats("Erf", 0), {"rule": one(0),
                                              "either": one(0x80, 0)}),
    ("function.zero-sign", floats("ErfInv", 0x80), {"rule": one(0x80),
                                                    "either": one(0x80, 0)}),
    ("function.pole", floats("Digamma", 0),
     {"xla": NAN, "either": NAN | one(0x7c, 0xfc)}),
    ("function.pole", floats("Zeta", 0x40, 0xbc),  # 2, -1
     {"xla": one(0x7c), "either": NAN | one(0x7c, 0xfc)}),
    ("function.pole", floats("Polygamma", 0x40, 0),
     {"xla": NAN, "either": NAN | one(0x7c, 0xfc)}),
    ("zeta.infinite", floats("Zeta", 0x40, 0x7c), {"any": ALL, "nan": NAN}),
    ("zeta.infinite", floats("Polygamma", 0x7c, 0x3c),
     {"any": ALL, "nan": NAN}),
    ("zero.sign", floats("Floor", 0x80), {"rule": one(0x80),
                                          "either": one(0, 0x80)}),
    ("convert.float-to-int.out-of-range",
     floats("ConvertElementType", 0xfb, new_element_type="s8"),
     {"saturate": one(-128), "any": ALL}),
    ("convert.float-to-int.out-of-range",
     floats("ConvertElementType", 0x7e, new_element_type="u8"),
     {"saturate": one(0), "any": ALL}),
    ("convert.float-to-int.out-of-range",  # 112 fits
     floats("ConvertElementType", 0x57, new_element_type="s8"),
     {"saturate": one(112), "any": one(112)}),
    ("convert.overflow",
     floats("ConvertElementType", 0x7b, new_element_type=FN),
     {"type": one(0x7f, 0xff), "saturate": one(0x7e)}),
    ("convert.overflow",
     floats("ConvertElementType", 0xfc, new_element_type=FN),
     {"type": one(0x7f, 0xff), "saturate": one(0xfe)}),
    # The upper half of the byte does not count.
    ("convert.nan-to-finite",
     floats("ConvertElementType", 0x7e, new_element_type="f4e2m1fn"),
     {"type": one(*range(8, 256, 16)), "any": ALL}),
    # Four exponent bits: normal from 2^-6 on, and 21 is 1.25 * 2^-7.
    ("reduce-precision.subnormal",
     floats("ReducePrecision", 0x21, exponent_bits=4, mantissa_bits=2),
     {"flush": one(0), "ieee": one(0x20), "either": one(0, 0x20)}),
    ("reduce-precision.nan-mantissa-0",
     floats("ReducePrecision", 0xfe, exponent_bits=5, mantissa_bits=0),
     {"nan": NAN, "inf": one(0x7c, 0xfc), "either": NAN | one(0x7c, 0xfc)}),
    ("tie.precision-1",  # 1.5 lies between 2^0, of field 127, and 2^1
     apply("ConvertElementType", scalar(F8, 0x3e),
           new_element_type="f8e8m0fnu"),
     {"up": one(128), "either": one(127, 128)}),
    ("tie.precision-1",  # 3, between 128 and 129
     apply("ConvertElementType", scalar(F8, 0x42),
           new_element_type="f8e8m0fnu"),
     {"up": one(129), "either": one(128, 129)}),
    ("accumulate.zero-sign", reduce_("add", 0, 0x3c, 0xbc),
     {"ieee": one(0), "any": one(0, 0x80)}),
    ("accumulate.zero-sign", reduce_("add", 0x80, 0x80, 0x80),
     {"ieee": one(0x80), "any": one(0, 0x80)}),
    # 2^-15 * 2^-1 is the smallest subnormal number, and 4 the smallest normal.
    ("underflow", floats("Mul", 2, 0x38),
     {"gradual": one(0, 1), "zero": one(0, 1, 4)}, FLUSHED),
    ("underflow", floats("Mul", 2, 0x38), {"gradual": one(1), "zero": one(1)}),
    ("faithful-overflow", floats("Exp", 0x58),  # e^128
     {"ieee": one(0x7c), "neighbours": one(0x7b, 0x7c)}),
    ("reduce.init", reduce_("add", 0x3c, 0x3c, 0x3c),  # 1 + 1 + 1, or 1 more
     {"once": one(0x42), "any": ALL}),
    # The right argument: an initial value at the left changes nothing, at the
    # right it is the result.
    ("reduce.init", with_computations(
        reduce_("last", 0, 0x3c, 0x40),
        {"last": {"parameters": [f"{F8}[]"] * 2,
                  "body": ["r = Reshape(p1) {new_sizes = []}"],
                  "result": "r"}}),
     {"once": one(0x40), "any": one(0x40), "anywhere": ALL}),
    ("reduce-window.padding", window(1, 10, 20, padding=[[1, 0]]),
     {"init": vectors((12, 31)), "skipped": vectors((11, 31))}),
    ("gather.out-of-bounds", gather(3),
     {"clamp": vectors((12, 13)), "any": ANY}),
    ("sort.nan", sort(0x40, 0x7e, 0x3c),
     {"ordered": SORTED, "permutation": permutations(0x40, 0x7e, 0x3c),
      "any": ANY}),
    ("sort.nan", sort(0x40, 0x3c),
     {"ordered": vectors((0x3c, 0x40)), "permutation": vectors((0x3c, 0x40)),
      "any": vectors((0x3c, 0x40))}),
    # The value and its index.
    ("topk.signed-zero", apply("TopK", given(F8, 0x80, 0), k=1, largest=True),
     {"equal": vectors((0x80, 0, 0, 0, 0)),
      "total-order": vectors((0, 1, 0, 0, 0)),
      "either": vectors((0x80, 0, 0, 0, 0), (0, 1, 0, 0, 0))}),
    ("scatter.partial-window",
     with_computations(scatter((1, 2, 3), (-1, 2), (8, 9, 6, 7), 2), SECOND),
     {"element": vectors((9, 2, 6)), "window": vectors((1, 2, 3)),
      "either": vectors(*itertools.product((1, 9), (2,), (3, 6)))}),
    ("scatter.duplicates",
     with_computations(scatter((1, 2), (0, 0), (5, 6, 7, 8), 2), SECOND),
     {"one-order": vectors((5, 6), (7, 8)),
      "element": vectors((5, 6), (7, 8), (5, 8), (7, 6))}),
    ("conv.int.overflow",
     apply("Conv", given("s8", 100, 100, dims=[1, 1, 2]),
           given("s8", 1, 1, dims=[1, 1, 2]), window_strides=[1],
           padding="VALID"),
     {"wrap": one(200), "saturate": one(127), "either": one(200, 127)}),
    ("conv.padding",  # 1 * 1, and inf * padding
     apply("ConvWithGeneralPadding", given(F8, 0x3c, dims=[1, 1, 1]),
           given(F8, 0x7c, 0x3c, dims=[1, 1, 2]), window_strides=[1],
           padding=[[1, 0]]),
     {"skipped": one(0x3c), "zero": NAN, "either": NAN | one(0x3c)}),
    ("select-and-scatter.arguments",
     with_computations(
         apply("SelectAndScatter", given("s8", 1, 2), given("s8", 5),
               scalar("s8", 3), select="ge", scatter="minus",
               window_dimensions=[2], window_strides=[2], padding="VALID"),
         {"minus": {"parameters": ["s8[]", "s8[]"], "body": ["r = Sub(p0, p1)"],
                    "result": "r"}}),
     {"current-first": vectors((3, -2)), "either": vectors((3, -2), (3, 2))}),
    ("ragged.outside",  # rows 1 and 2 are in no group
     apply("RaggedDot", given("s8", 1, 2, 3, dims=[3, 1]),
           given("s8", 4, dims=[1, 1, 1]), s32(1),
           dimension_numbers={
               "lhs_batch_dimensions": [], "rhs_batch_dimensions": [],
               "lhs_contracting_dimensions": [1],
               "rhs_contracting_dimensions": [1],
               "lhs_ragged_dimensions": [0], "rhs_group_dimensions": [0]}),
     {"zero": vectors((4, 0, 0)),
      "any": vectors(*((4, a, b) for a in (0, 4, 77) for b in (0, 4, 77)))}),
)


def candidates(results, length):
    """All patterns of one byte; for arrays what some choice gives, and each of
    these with another value in one place."""
    if length == 1:
        return ALL
    out = set().union(*filter(None, results.values()))
    values = {p for row in out for p in row} | {0, 77}
    out |= {row[:i] + bytes([p]) + row[i + 1:] for row in list(out)[:64]
            for i in range(length) for p in values}
    return out


def put(outputs, row):
    """The bytes of a row as those of all leaves."""
    out, at = [], 0
    for tensor in outputs:
        end = at + len(tensor.data)
        out.append(tensor._replace(data=row[at:end]))
        at = end
    return out


def judged(call, mine, among):
    op, case = call
    with library.Evaluation(op, case, mine) as evaluation:
        outputs = evaluation.outputs()
        return {row for row in among
                if evaluation.judge(put(outputs, row)) is None}


# Results that are right as a whole or not at all; of others each element may
# come of the permitted choice or not.
WHOLE = {("sort.nan", "permutation"), ("sort.nan", "any"),
         ("scatter.duplicates", "element"), ("topk.signed-zero", "either")}


def both(policy, choice, a, b, among):
    if (policy, choice) in WHOLE:
        return a | b
    parts = [{row[i] for row in a | b} for i in range(len(next(iter(a))))]
    return {row for row in among
            if all(p in part for p, part in zip(row, parts))}


def show(rows):
    return " ".join(sorted(row.hex() for row in rows)[:40])


def check(folder, number, policy, call, results, more=()):
    base, *_ = results
    length = len(next(iter(results[base])))
    among = candidates(results, length)
    for choice, due in results.items():
        due = among if due is ANY else due
        mine = profile(folder, f"p{number}", choices={policy: choice},
                       **dict(more))
        try:
            got = judged(call, mine, among)
            ok(got == due & among, f"{policy} {choice}: {call[0]}",
               f"{show(got)}\nis not\n{show(due)}")
        except (library.EvaluationError, library.InvalidProgram) as e:
            ok(False, f"{policy} {choice}: {call[0]}", e)
            continue
        if choice == base:
            continue
        mine = profile(folder, f"q{number}", choices={policy: base},
                       permits={policy: choice}, **dict(more))
        got = judged(call, mine, among)
        due = both(policy, choice, due, results[base], among)
        ok(got == due & among, f"{policy} permits {choice}: {call[0]}",
           f"{show(got)}\nis not\n{show(due)}")


SQUARE = given("s8", 1, 2, 3, 4, dims=[2, 2])


def rejecting(policy, base, *body):
    """A program that a choice of the policy rejects, and whose last instruction
    shifts by 9 bits of 8."""
    return policy, base, "ShiftLeft", {
        "inputs": [SQUARE], "module": {
            "computations": {"main": {
                "parameters": [SQUARE["shape"]],
                "body": [*body, "k = Constant() {literal = s8[] 9}",
                         "n = Broadcast(k) {broadcast_sizes = [2, 2]}",
                         "y = ShiftLeft(x, n)"], "result": "y"}},
            "entry": "main"}}


# A number shifted by more bits than it has is 0 or any value, by its policy.
REJECTED = (
    rejecting("broadcast-in-dim.order", "any",
              "x = BroadcastInDim(p0) {out_dim_size = [2, 2],"
              " broadcast_dimensions = [1, 0]}"),
    rejecting("slice.empty", "accept",
              "e = Slice(p0) {start_indices = [0, 0], limit_indices = [0, 2],"
              " strides = [1, 1]}",
              "x = ConcatInDim(p0, e) {dimension = 0}"),
    rejecting("precision-config.count", "accept",
              "x = DotGeneral(p0, p0) {dimension_numbers ="
              " {lhs_contracting_dimensions = [1],"
              " rhs_contracting_dimensions = [0]},"
              " precision_config = [DEFAULT]}"))


def check_beside(folder, number, policy, base, op, case):
    """What one policy permits is right where another one permits to reject the
    program; what none permits is wrong there, too."""
    for second, due in (({"shift.out-of-range": "any"}, "warn"), ({}, "fail")):
        mine = profile(folder, f"r{number}{due}",
                       choices={policy: base, "shift.out-of-range": "saturate"},
                       permits={policy: "reject", **second})
        with library.Evaluation(op, case, mine) as e:
            out = e.outputs()[0]._replace(data=bytes([7, 7, 7, 7]))
            made = e.judgement([out])
        ok(made.status == due, f"{policy} permits reject: {due}", made.why)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for number, row in enumerate(ROWS):
            check(folder, number, *row)
        for number, row in enumerate(REJECTED):
            check_beside(folder, number, *row)
    finish()


main()
