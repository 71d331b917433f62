#!/usr/bin/env python3
# flushed.t - what may be flushed, wherever it comes from and goes to.
#
# SPDX-License-Identifier: Apache-2.0
#
# By hand, in f8e5m2: 01 is 2^-16 and 02 is 2^-15, both subnormal.  Hardware
# that reads denormals as zeros gives 80 for the negative of 01; it compares 02
# and 01 as equal, and so selects the second, which moves intact.  Data that only
# move keep their bits (spec/verdicts.md, "Flushed operands").
import sys
import tempfile

sys.dont_write_bytecode = True

from judging import accepted, library, profile, same_but
from tap import finish, ok

TYPE = "f8e5m2"
SCALAR = TYPE + "[]"
BODIES = {
    "a negative": (["r = Neg(x0)"], ["01"], {0x81}, {0x80}),
    "a select": (["g = Gt(x0, x1)", "r = Select(g, x0, x1)"], ["02", "01"],
                 {0x02}, {0x01, 0x02}),
    "moved data": (["r = Reshape(x0) {new_sizes = []}"], ["01"], {0x01}, set()),
}


def given(text):
    return {"shape": SCALAR, "hex": text}


def module(parameters, body, result="r"):
    return {"entry": "main", "computations": {"main": {
        "parameters": parameters, "body": body, "result": result}}}


def by_parameters(body, data):
    names = [f"x{k} = Reshape(p{k}) {{new_sizes = []}}"
             for k in range(len(data))]
    return {"inputs": [given(d) for d in data],
            "module": module([SCALAR] * len(data), names + body)}


def by_tuple(body, data):
    names = [f"x{k} = GetTupleElement(p0) {{index = {k}}}"
             for k in range(len(data))]
    return {"inputs": [{"tuple": [given(d) for d in data]}],
            "module": module([f"({', '.join([SCALAR] * len(data))})"],
                             names + body)}


def by_infeed(body, data):
    names = ["t0 = AfterAll()"]
    for k in range(len(data)):
        names += [f"i{k} = Infeed(t{k}) {{shape = {SCALAR}}}",
                  f"x{k} = GetTupleElement(i{k}) {{index = 0}}",
                  f"t{k + 1} = GetTupleElement(i{k}) {{index = 1}}"]
    return {"inputs": [], "infeed": [given(d) for d in data],
            "module": module([], names + body)}


def by_constants(body, data):
    names = [f"x{k} = Constant() {{literal = {SCALAR} 0x{d}p-16}}"
             for k, d in enumerate(data)]
    return {"inputs": [], "module": module([], names + body)}


def by_channel(body, data):
    case = by_parameters(body, data)
    case["module"]["computations"]["main"]["body"] += [
        "t = AfterAll()", "s = Send(r, t) {channel_id = 1}",
        "d = SendDone(s) {channel_id = 1}"]
    case["module"]["computations"]["main"]["result"] = "p0"
    receiver = module([SCALAR] * len(data), [
        "t = AfterAll()", f"r = Recv(t) {{channel_id = 1, shape = {SCALAR}}}",
        "d = RecvDone(r) {channel_id = 1}", "x = GetTupleElement(d) {index = 0}"],
        "x")
    return {"replicas": 2, "inputs": [case["inputs"], [given("3c")] * len(data)],
            "programs": [{**case["module"], "devices": [0]},
                         {**receiver, "devices": [1]}]}


def check_ways(mine):
    for way, op, leaf in ((by_parameters, None, 0), (by_tuple, None, 0),
                          (by_infeed, "Infeed", 0), (by_constants, None, 0),
                          (by_channel, "Send", 1)):
        for name, (body, data, plain, flushed) in BODIES.items():
            got = accepted(way(body, data), mine["none"], leaf, op)
            ok(got == plain, f"{name} {way.__name__}: nothing is flushed", got)
            for kind in ("operands", "both", "any-sign"):
                got = accepted(way(body, data), mine[kind], leaf, op)
                # A select of data may also be a maximum, which flushes them.
                more = {0} if name == "a select" else set()
                more |= {0} if flushed == {0x80} and kind == "any-sign" else set()
                ok(plain | flushed <= got <= plain | flushed | more,
                   f"{name} {way.__name__}: {kind}", got)


def check_leaves(mine):
    """One leaf is moved, the other computed: 01 + 02 = 03."""
    case = {"inputs": [given("01"), given("02")], "module": module(
        [SCALAR] * 2, ["a = Reshape(p0) {new_sizes = []}", "b = Add(p0, p1)",
                       "r = Tuple(a, b)"])}
    got = accepted(case, mine["operands"], 0)
    ok(got == {1}, "a leaf that is moved beside one that is computed", got)
    got = accepted(case, mine["operands"], 1)
    ok(got == {0, 1, 2, 3}, "and the sum of any flushed operands", got)
    # 2^30 ways from the result to the parameter: the judge does not walk all.
    body = ["c0 = Broadcast(p0) {broadcast_sizes = [1]}"]
    for k in range(1, 31):
        body += [f"d{k} = ConcatInDim(c{k - 1}, c{k - 1}) {{dimension = 0}}",
                 f"c{k} = Slice(d{k}) {{start_indices = [0], limit_indices = "
                 "[1], strides = [1]}"]
    case = {"inputs": [given("01")], "module": module([SCALAR], body, "c30")}
    got = accepted(case, mine["operands"], among=(1, 2))
    ok(got == {1}, "data that are used over and over", got)


def check_apart(mine):
    """Of more parameters than are flushed in every combination: each function
    takes its own as they are or flushed.  sqrt(2^-16) = 2^-8, 01 + 02 = 03."""
    root, zeros = 0x1c, {"none": set(), "operands": {0}, "any-sign": {0}}
    for kind, flushed in zeros.items():
        case = {"inputs": [given("01")] * 4, "module": module(
            [SCALAR] * 4, [f"s{k} = Sqrt(p{k})" for k in range(4)]
            + ["r = Tuple(s0, s1, s2, s3)"])}
        got = accepted(case, mine[kind], 2)
        ok(got == {root} | flushed, f"one function of four: {kind}", got)
    case = {"inputs": [given("01"), given("02")] * 2, "module": module(
        [SCALAR] * 4, ["a = Add(p0, p1)", "b = Add(p2, p3)",
                       "r = Tuple(a, b)"])}
    got = accepted(case, mine["operands"], 1)
    ok(got == {0, 1, 2, 3}, "one operand of a sum of two sums", got)


def check_operations(mine):
    """Each takes 01 and 02 for zeros; Reduce has -inf (fc) as initial value."""
    def row(*data):
        return {"shape": f"{TYPE}[{len(data)}]",
                "hex": "".join(f"{p:02x}" for p in data)}
    for op, inputs, members, due in (
            ("Map", [row(1)], {
                "attributes": {"computation": "f", "dimensions": [0]},
                "computations": {"f": {"parameters": [SCALAR], "result": "r",
                                       "body": ["r = Neg(p0)"]}}},
             {0x80, 0x81}),
            ("Reduce", [row(1, 2), given("fc")], {"attributes": {
                "computation": "max", "dimensions_to_reduce": [0]}}, {0, 1, 2}),
            ("Reduce", [row(1, 2, 4), given("fc")], {"attributes": {
                "computation": "max", "dimensions_to_reduce": [0]}}, {4})):
        got = accepted({"inputs": inputs, **members}, mine["operands"], op=op)
        ok(got == due, f"{op}: flushed operands", got)
    # The first of equal ones comes first; a value and its index go together.
    case = {"inputs": [row(1, 2)], "attributes": {"k": 1, "largest": True}}
    with library.Evaluation("TopK", case, mine["operands"]) as evaluation:
        value, index = evaluation.outputs()
        got = {(v, i) for v in (0, 1, 2) for i in (0, 1) if evaluation.judge([
            value._replace(data=bytes([v])),
            index._replace(data=bytes([i, 0, 0, 0]))]) is None}
    ok(got == {(1, 0), (2, 1)}, "TopK: flushed operands", got)


# The f8e5m2 of a scatter at position 0 of [01, 02], and where nothing goes.
HIT, MISSED = 0, 1
SCATTER = {"update_window_dims": [], "inserted_window_dims": [0],
           "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}
CHOICES = {"first": "p0", "second": "p1"}


def check_computations(mine):
    """A computation that returns a parameter moves; so do a call and a loop that
    hand on what they are given, and what a scatter leaves alone keeps its bits.
    A scatter that adds 03 to 01 has 01, 03, 04 or 0 of flushed operands."""
    def row(*data):
        return {"shape": f"{TYPE}[{len(data)}]",
                "hex": "".join(f"{p:02x}" for p in data)}
    zero = {"shape": "s32[1,1]", "hex": "00000000"}
    computations = {name: {"parameters": [SCALAR] * 2, "body": [],
                           "result": result}
                    for name, result in CHOICES.items()}
    computations["same"] = {"parameters": [SCALAR], "body": [],
                            "result": "p0"}
    pool = {"select": "ge", "window_dimensions": [3], "window_strides": [3],
            "padding": "VALID"}
    window = {"window_dimensions": [1], "window_strides": [1],
              "padding": "VALID"}
    for op, inputs, attributes, at, due in (
            ("Scatter", [row(1, 2), zero, row(3)],
             {"update_computation": "second", "dimension_numbers": SCATTER},
             HIT, {3}),
            ("Scatter", [row(1, 2), zero, row(3)],
             {"update_computation": "second", "dimension_numbers": SCATTER},
             MISSED, {2}),
            ("Scatter", [row(1, 2), zero, row(3)],
             {"update_computation": "first", "dimension_numbers": SCATTER},
             HIT, {1}),
            ("Scatter", [row(1, 2), zero, row(3)],
             {"update_computation": "add", "dimension_numbers": SCATTER},
             HIT, {0, 1, 3, 4}),
            ("Scatter", [row(1, 2), zero, row(3)],
             {"update_computation": "add", "dimension_numbers": SCATTER},
             MISSED, {2}),
            ("Scatter", [row(1, 2), zero, row(3)],
             {"update_computation": "max", "dimension_numbers": SCATTER},
             MISSED, {2}),
            ("Map", [row(1, 2)], {"computation": "same", "dimensions": [0]},
             0, {1}),
            ("Reduce", [row(1), given("02")],
             {"computation": "second", "dimensions_to_reduce": [0]}, 0, {1}),
            ("Reduce", [row(1), given("02")],
             {"computation": "first", "dimensions_to_reduce": [0]}, 0, {2}),
            ("ReduceWindow", [row(1, 2), given("03")],
             {"computation": "second", **window}, 0, {1}),
            ("SelectAndScatter", [row(1, 2, 4), row(3), given("02")],
             {"scatter": "second", **pool}, 2, {3}),
            ("SelectAndScatter", [row(1, 2, 4), row(3), given("02")],
             {"scatter": "add", **pool}, 0, {2}),
            ("SelectAndScatter", [row(1, 2, 4), row(3), given("02")],
             {"scatter": "add", **pool}, 2, {0, 2, 3, 5})):
        case = {"inputs": inputs, "attributes": attributes,
                "computations": computations}
        for kind in ("operands", "results"):
            if kind == "results" and len(due) > 1:
                continue  # its sum may be flushed
            with library.Evaluation(op, case, mine[kind]) as evaluation:
                data = bytearray(evaluation.outputs()[0].data)
                got = set()
                for p in (*range(8), 0x80, 0x81):
                    data[at] = p
                    if same_but(evaluation, 0, data):
                        got.add(p)
            ok(got == due, f"{op} {at}: {attributes}, flushed {kind}", got)


MOVERS = {
    "a call": ["r = Call(p0) {computation = same}"],
    "a branch": ["i = Constant() {literal = pred[] true}",
                 "r = Conditional(i, p0, p0) {true_computation = same, "
                 "false_computation = same}"],
    "a slice by a computed index": [
        "v = Broadcast(p0) {broadcast_sizes = [2]}",
        "c = Constant() {literal = s32[] 0}", "i = Add(c, c)",
        "d = DynamicSlice(v, i) {slice_sizes = [1]}",
        "r = Reshape(d) {new_sizes = []}"],
    "a barrier": ["r = OptimizationBarrier(p0)"],
}


def check_programs(mine):
    """What is handed on as it is, by whatever."""
    for name, body in MOVERS.items():
        case = {"inputs": [given("01")], "module": {
            "entry": "main", "computations": {
                "same": {"parameters": [SCALAR], "body": [], "result": "p0"},
                "main": {"parameters": [SCALAR], "body": body,
                         "result": "r"}}}}
        for kind in ("operands", "both"):
            got = accepted(case, mine[kind])
            ok(got == {1}, f"{name}: {kind}", got)
    # A loop that rotates two values: 01 comes from the other one, which is
    # moved in one case, and 02 - 01 = 01 in the other.
    for kept, due in (("b", {1}), ("n", {0, 1, 0x81, 2})):
        state = f"(s32[], {SCALAR}, {SCALAR})"
        take = ["i = GetTupleElement(p0) {index = 0}",
                "a = GetTupleElement(p0) {index = 1}",
                "b = GetTupleElement(p0) {index = 2}",
                "one = Constant() {literal = s32[] 1}"]
        case = {"inputs": [given("02"), given("01")], "module": {
            "entry": "main", "computations": {
                "less": {"parameters": [state], "body": take + [
                    "r = Lt(i, one)"], "result": "r"},
                "body": {"parameters": [state], "body": take + [
                    "n = Sub(a, b)", "k = Add(i, one)",
                    f"r = Tuple(k, {kept}, a)"], "result": "r"},
                "main": {"parameters": [SCALAR] * 2, "body": [
                    "z = Constant() {literal = s32[] 0}",
                    "s = Tuple(z, p0, p1)",
                    "w = While(s) {condition = less, body = body}",
                    "r = GetTupleElement(w) {index = 1}"],
                    "result": "r"}}}}
        got = accepted(case, mine["operands"])
        ok(got == due, f"a loop that gives {kept}", got)


# Sums of one-byte terms in units of 2^-16, the normal range beginning at 4: f8e5m2
# has 01, 02, 03 for 1, 2, 3, and 04 to 08 for 4 to 8 (4 and 5 are normal).  Each
# term and each partial sum below 4 may be lost; a lost negative one leaves -0
# (80), or +0 beside a +0.  Exactly these are right:
SUMS = (
    # terms, initial value: what remains
    ([], 3, {3, 0}),
    ([], 0, {0}),
    ([], 4, {4}),
    ([3], 0, {3, 0}),
    ([-3], 0, {-3, 0, "-0"}),
    ([1, 3], 0, {4, 3, 1, 0}),
    ([1, 1], 0, {2, 1, 0}),
    ([4, 1], 0, {5, 4}),
    ([3, 3], 0, {6, 3, 0}),
    ([3, -1], 0, {2, 3, -1, 0, "-0"}),
    ([-3, -1], 0, {-4, -3, -1, 0, "-0"}),
    # 4 - 3 = 1, which may be lost: 1, 0; without the 3: 4
    ([4, -3], 0, {1, 4, 0}),
    # 1 + 2 = 3 may be lost as a whole, then 3 alone is left of 3 + 3
    ([1, 2, 3], 0, {6, 5, 4, 3, 2, 1, 0}),
    ([1, 1, 1, 1], 0, {4, 3, 2, 1, 0}),
    # 4 - 3 lost beside 1: 1, 0; without the 3: 5; 1 - 3 lost beside 4: 4
    ([4, 1, -3], 0, {2, 5, 4, 1, 0}),
    ([2, 2, 2], 0, {6, 4, 2, 0}),
)


def byte_of(n):
    return 0x80 if n == "-0" else n if n >= 0 else 0x80 - n


def check_sums(mine):
    for terms, init, due in SUMS:
        case = {"inputs": [
            {"shape": f"{TYPE}[{len(terms)}]",
             "hex": "".join(f"{byte_of(n):02x}" for n in terms)},
            given(f"{byte_of(init):02x}")],
            "attributes": {"computation": "add", "dimensions_to_reduce": [0]}}
        # Hardware that reads all denormals as zeros loses all at once.
        read = sum(n for n in (*terms, init) if abs(n) >= 4)
        for kind in ("operands", "results", "both", "any-sign"):
            want = {byte_of(n) for n in due}
            if kind == "operands":
                want = {byte_of(read), byte_of(sum(terms) + init)}
            if kind == "any-sign" and 0 in want and due != {0}:
                want.add(0x80)
            got = accepted(case, mine[kind], op="Reduce")
            ok(got == want, f"the sum of {terms} and {init}: {kind}",
               f"{sorted(got)}, expected {sorted(want)}")
        got = accepted(case, mine["none"], op="Reduce")
        ok(got == {byte_of(sum(terms) + init)},
           f"the sum of {terms} and {init}: nothing is flushed", got)


def check_signs(mine):
    """-x as 0 - x: +0 for a subnormal x; IEEE 754-2019 6.3."""
    case = {"inputs": [given("01")], "module": module(
        [SCALAR], ["n = Neg(p0)", "r = Broadcast(n) {broadcast_sizes = [1]}"])}
    got = accepted(case, mine["any-sign"])
    ok(got == {0, 0x80, 0x81}, "a negative that moves on, any sign", got)
    got = accepted(case, mine["both"])
    ok(got == {0x80, 0x81}, "its own sign", got)


def main():
    with tempfile.TemporaryDirectory() as folder:
        mine = {name: profile(folder, name, types={TYPE: {
            "subnormal": flags, "nan": "any"}}) for name, flags in (
                ("none", []), ("operands", ["flush-operands"]),
                ("results", ["flush-results"]),
                ("both", ["flush-results", "flush-operands"]),
                ("any-sign", ["flush-results", "flush-operands", "any-sign"]))}
        check_ways(mine)
        check_leaves(mine)
        check_apart(mine)
        check_operations(mine)
        check_computations(mine)
        check_programs(mine)
        check_sums(mine)
        check_signs(mine)
    finish()


main()
