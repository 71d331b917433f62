#!/usr/bin/env python3
# handed-on.t - what one operation leaves open is open in the next.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each due value follows by hand: the sign and payload of a NaN that arithmetic
# makes are open (IEEE 754-2019 6.2, 6.3), so its bits, its place in a total
# order and its comparison by bits are; subtraction of integers is not
# associative.
import itertools
import json
import os
import sys
import tempfile

sys.dont_write_bytecode = True

from accepts import evaluate, evaluate_all, program
from tap import finish, ok


def scalar(kind, value):
    return {"shape": f"{kind}[]", "data": value}


def row(kind, *data):
    return {"shape": f"{kind}[{len(data)}]", "data": list(data)}


def refused(name, case, words):
    got = evaluate(case)
    ok(got["status"] == "failed" and words in got["text"], name, got)


def judged(name, case, *due):
    got = evaluate(case)
    sets = [e["accept"] for leaf in got.get("replicas", [[]])[0]
            for e in leaf["elements"]]
    ok(sets == list(due), name, got)


INF = scalar("f32", "inf")
BITS = "bits of a NaN"


def check_nans():
    for name, body in (
            ("bits", "r = BitcastConvertType(d) {new_element_type = u32}"),
            ("a total order", "r = LtTotalOrder(d, p0)"),
            ("a total order of two", "r = GtTotalOrder(d, d)")):
        refused(f"{name} of a NaN that was computed",
                program([INF], ["d = Sub(p0, p0)", body], "r"), BITS)
    refused("a NaN that was moved in between", program(
        [INF], ["d = Sub(p0, p0)", "m = Broadcast(d) {broadcast_sizes = [2]}",
                "r = BitcastConvertType(m) {new_element_type = u32}"], "r"),
        BITS)
    refused("one that a loop moved", program(
        [INF, scalar("s32", 0)],
        ["d = Sub(p0, p0)", "t = Tuple(d, p1)",
         "w = While(t) {condition = less, body = count}",
         "x = GetTupleElement(w) {index = 0}",
         "r = BitcastConvertType(x) {new_element_type = u32}"], "r",
        less=(["(f32[], s32[])"], ["i = GetTupleElement(p0) {index = 1}",
                                   "n = Constant() {literal = s32[] 3}",
                                   "r = Lt(i, n)"]),
        count=(["(f32[], s32[])"], ["x = GetTupleElement(p0) {index = 0}",
                                    "i = GetTupleElement(p0) {index = 1}",
                                    "n = Constant() {literal = s32[] 1}",
                                    "j = Add(i, n)", "r = Tuple(x, j)"])), BITS)
    nan = scalar("f32", "nan(0x7fc00001)")
    judged("a NaN that was given keeps its bits", program(
        [nan], ["m = Broadcast(p0) {broadcast_sizes = [1]}",
                "r = BitcastConvertType(m) {new_element_type = u32}"], "r"),
        "2143289345")
    judged("and in a loop", program(
        [nan, scalar("s32", 0)],
        ["t = Tuple(p0, p1)", "w = While(t) {condition = less, body = count}",
         "x = GetTupleElement(w) {index = 0}",
         "r = BitcastConvertType(x) {new_element_type = u32}"], "r",
        less=(["(f32[], s32[])"], ["i = GetTupleElement(p0) {index = 1}",
                                   "n = Constant() {literal = s32[] 3}",
                                   "r = Lt(i, n)"]),
        count=(["(f32[], s32[])"], ["x = GetTupleElement(p0) {index = 0}",
                                    "i = GetTupleElement(p0) {index = 1}",
                                    "n = Constant() {literal = s32[] 1}",
                                    "j = Add(i, n)", "r = Tuple(x, j)"])),
        "2143289345")
    judged("a comparison of numbers does not look at them", program(
        [INF], ["d = Sub(p0, p0)", "r = Lt(d, p0)"], "r"), "false")


def check_scan():
    attributes = ("{computation = f, num_inputs = 1, scan_dimension = 0, "
                  "is_associative = true}")
    for name, body, due in (
            ("Sub", "s = Sub(p1, p0)", None),
            ("Add", "s = Add(p1, p0)", ["1", "3", "6", "6"])):
        case = program([row("s32", 1, 2, 3), scalar("s32", 0)],
                       [f"r = Scan(p0, p1) {attributes}"], "r",
                       f=(["s32[]", "s32[]"], [body, "r = Tuple(s, s)"]))
        if due:
            judged(f"an associative Scan by {name}", case, *due)
        else:
            refused(f"an associative Scan by {name}", case, "associate")


def check_overflow():
    """57344 is the largest number of f8e5m2: two of them overflow (IEEE
    754-2019 7.4), and infinity less infinity is a NaN (7.2); one after the other
    they only leave -inf.  A term alone does not overflow."""
    def total(*data):
        return {"inputs": [row("f8e5m2", *data), scalar("f8e5m2", 0)],
                "attributes": {"computation": "add",
                               "dimensions_to_reduce": [0]}}
    for name, data, due in (
            ("may overflow beside an infinity", (57344, 57344, "-inf"),
             "-inf | nan"),
            ("may on the other side", ("inf", -57344, -57344), "inf | nan"),
            ("of its own sign may be nothing else", (57344, 57344, "inf"), "inf"),
            ("must not alone", (57344, "-inf"), "-inf"),
            ("must not if they are small", (1, 2, "-inf"), "-inf")):
        got = evaluate(total(*data), "Reduce", "strict")
        accept = got["replicas"][0][0]["elements"][0]["accept"]
        ok(accept == due, f"terms {name}", got)


def check_underflow():
    """(-2^-10)(2^-10) rounds to -0 in f8e5m2, whose least number is 2^-16, and
    -0 + 0 is 0 (IEEE 754-2019 6.3); 2^-10 times 0 is the 0.  A product alone
    keeps its sign."""
    with tempfile.TemporaryDirectory() as folder:
        mine = os.path.join(folder, "mine.json")
        with open(mine, "w", encoding="utf-8") as f:
            json.dump({"profile": "mine", "extends": "strict", "text": "a test",
                       "choices": {"accumulate.type": "element"}}, f)
        tiny = ["-0x1p-10", "0x1p-10"]
        got = evaluate({"inputs": [row("f8e5m2", *tiny),
                                   row("f8e5m2", "0x1p-10", 0)]}, "Dot", mine)
        told = got["replicas"][0][0]["elements"][0]["accept"]
        ok(told == "[-0, 0]", "a product that underflows, and 0", got)
        got = evaluate({"inputs": [row("f8e5m2", *tiny), scalar("f8e5m2", 1)],
                        "attributes": {"computation": "mul",
                                       "dimensions_to_reduce": [0]}},
                       "Reduce", mine)
        told = got["replicas"][0][0]["elements"][0]["accept"]
        ok(told == "-0", "a product of a reduction", got)


def check_flushed():
    """A maximum, a negation, an absolute value may be flushed as any result,
    before it is multiplied by 2^10; in f8e5m2, only under flush-results."""
    with tempfile.TemporaryDirectory() as folder:
        mine = os.path.join(folder, "mine.json")
        with open(mine, "w", encoding="utf-8") as f:
            json.dump({"profile": "mine", "extends": "strict", "text": "a test",
                       "types": {"f8e5m2": {"subnormal": ["flush-results"],
                                            "nan": "any"}}}, f)
        for op, accept in (("Max(p0, p0)", "[0, 0.015625]"),
                           ("Neg(p0)", "[-0.015625, -0]"), ("Abs(p0)", "[0, 0.015625]")):
            got = evaluate(program(
                [scalar("f8e5m2", "0x1p-16"), scalar("f8e5m2", 1024)],
                [f"m = {op}", "r = Mul(m, p1)"], "r"), "Mul", mine)
            told = got["replicas"][0][0]["elements"][0]["accept"]
            ok(told == accept, f"{op}, flushed and multiplied", got)
        # -2^-15 flushed is -0, and 0 + -0 is 0 (IEEE 754-2019 6.3); with one of
        # two flushed -2^-15 is left, with none -2^-14.
        got = evaluate(
            {"inputs": [row("f8e5m2", "-0x1p-15", "-0x1p-15", "-0"),
                        scalar("f8e5m2", 0)],
             "attributes": {"computation": "add", "dimensions_to_reduce": [0]}},
            "Reduce", mine)
        told = got["replicas"][0][0]["elements"][0]["accept"]
        ok(told == "-0.00006103515625 | -0.000030517578125 | [-0, 0]",
           "the initial value after flushed terms", got)


# Each result of two integers, or of pred made of one, that has several values.
PAIRS = ("Add", "And", "Div", "Eq", "Ge", "Gt", "Le", "Lt", "Max", "Min", "Mul",
         "Ne", "Or", "Rem", "Sub", "Xor")
# The value of x op x, whatever x is.
SAME = {"Eq": "true", "Ge": "true", "Gt": "false", "Le": "true", "Lt": "false",
        "Ne": "false", "Sub": "0", "Xor": "0"}


def check_open():
    """StableHLO does not say what a shift by the width or more gives: any
    value.  Two of them may differ; one value equals itself."""
    for kind in ("s32", "u32", "s8", "u64"):
        inputs = [row(kind, 3, 1), row(kind, 1, 3), row(kind, 99, 99)]
        shifts = ["a = ShiftLeft(p0, p2)", "b = ShiftLeft(p1, p2)"]

        def sets(body, result="r"):
            got = evaluate(program(inputs, shifts + body, result), None,
                           "stablehlo")
            return [e["accept"] for e in got["replicas"][0][0]["elements"]]
        for op in PAIRS:
            wrong = [] if sets([f"r = {op}(a, b)"]) == ["any"] * 2 else ["apart"]
            due = SAME.get(op, "any")
            if sets([f"r = {op}(a, a)"]) != [due] * 2:
                wrong.append("one")
            ok(not wrong, f"{kind}: {op} of values that may be anything", wrong)
        told = sets(["x = Lt(a, b)", "y = Gt(a, p0)", "r = Xor(x, y)"])
        ok(told == ["any"] * 2, f"{kind}: of two such pred", told)
        told = sets(["x = Slice(a) {start_indices = [0], limit_indices = [1], "
                     "strides = [1]}", "y = Slice(a) {start_indices = [1], "
                     "limit_indices = [2], strides = [1]}", "r = Sub(x, y)"])
        ok(told == ["any"], f"{kind}: of two elements of an array", told)


def check_reduced():
    """Exclusive or of elements of which any set may be anything."""
    sets = list(itertools.product((0, 1), repeat=7))
    for kind, far in (("pred", 99), ("s2", -1), ("u2", 3), ("s32", 99)):
        of, cases = "u8" if kind == "pred" else kind, []
        start = scalar(kind, False if kind == "pred" else 0)
        body = (["s = ShiftLeft(p0, p1)", "a = Lt(s, p0)"] if kind == "pred"
                else ["a = ShiftLeft(p0, p1)"])
        for some in sets:
            case = program(
                [row(of, *[1] * len(some)), row(of, *[far * x for x in some]),
                 start], body + ["r = Reduce(a, p2) {computation = f, "
                                 "dimensions_to_reduce = [0]}"], "r",
                f=([f"{kind}[]"] * 2, ["r = Xor(p0, p1)"]))
            cases.append({**case, "op": "ShiftLeft"})
        got, said = evaluate_all(cases, "ShiftLeft", "stablehlo")
        wrong = [some for some, case in zip(sets, got) if any(some) != (
            case["replicas"][0][0]["elements"][0]["accept"] == "any")]
        ok(len(got) == len(sets) and not wrong,
           f"{kind}: exclusive or of some elements that may be anything",
           (wrong, said))


def check_comparator():
    """An order that depends on such a value is not determined; by a shift that
    is not too far it is."""
    for amount, status in ((40, "failed"), (2, "ok")):
        case = {"inputs": [row("s32", 3, 1)], "attributes": {
            "comparator": "f", "is_stable": True}, "computations": {"f": {
                "parameters": ["s32[]", "s32[]"], "result": "c", "body": [
                    f"k = Constant() {{literal = s32[] {amount}}}",
                    "a = ShiftLeft(p0, k)", "b = ShiftLeft(p1, k)",
                    "c = Lt(a, b)"]}}}
        got = evaluate(case, "Sort", "stablehlo")
        ok(got["status"] == status and ("not determined" in got.get("text", ""))
           == (amount == 40), f"a comparator that shifts by {amount}", got)
        ok(evaluate(case, "Sort", "strict")["status"] == "ok",
           "which strict defines")


check_nans()
check_open()
check_reduced()
check_comparator()
check_overflow()
check_flushed()
check_underflow()
check_scan()
finish()
