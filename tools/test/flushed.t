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

from judging import accepted, library, profile
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
    for way, op, leaf in ((by_parameters, "Add", 0), (by_tuple, "Add", 0),
                          (by_infeed, "Infeed", 0), (by_constants, "Add", 0),
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
                ("both", ["flush-results", "flush-operands"]),
                ("any-sign", ["flush-results", "flush-operands", "any-sign"]))}
        check_ways(mine)
        check_leaves(mine)
        check_operations(mine)
        check_signs(mine)
    finish()


main()
