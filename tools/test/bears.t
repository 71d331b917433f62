#!/usr/bin/env python3
# bears.t - what a policy permits depends on the computation, not on the name of
# the operation that it is part of.
#
# SPDX-License-Identifier: Apache-2.0
#
# A generator over operations that add and multiply the same integers, alone and
# followed by another operation.  A backend that saturates each step is written
# here: where a number leaves its type's range its result is right if the profile
# permits integer.overflow, and wrong if it does not; where none does, another
# result is wrong under both.  The same for sums, products and functions of
# f8e4m3fn, whose largest number is 448 (7e) and which has no infinity, under
# convert.overflow.
import random
import sys
import tempfile

sys.dont_write_bytecode = True

from judging import library, profile
from tap import finish, ok

N = 4
RANGES = {"s8": (-128, 127), "u8": (0, 255)}


class Machine:
    """Integer arithmetic that saturates, and notes that it did."""

    def __init__(self, kind):
        self.low, self.high = RANGES[kind]
        self.over = False

    def fit(self, x):
        y = min(max(x, self.low), self.high)
        self.over = self.over or x != y
        return y

    def add(self, x, y):
        return self.fit(x + y)

    def sub(self, x, y):
        return self.fit(x - y)

    def mul(self, x, y):
        return self.fit(x * y)

    def fold(self, f, first, terms):
        for x in terms:
            first = f(first, x)
        return first


def given(kind, data, dims=None):
    dims = [len(data)] if dims is None else dims
    return {"shape": f"{kind}[{','.join(map(str, dims))}]",
            "hex": bytes(p & 0xff for p in data).hex()}


def s32(*data, dims):
    return {"shape": f"s32[{','.join(map(str, dims))}]",
            "hex": b"".join(p.to_bytes(4, "little") for p in data).hex()}


def body(kind, lines, arity=2, dims=""):
    return {"parameters": [f"{kind}[{dims}]"] * arity, "body": lines,
            "result": "r"}


# Each takes a machine, a type and operands, and gives the case (operation,
# members) with the results of the machine.
def elementwise(op, f):
    def make(m, kind, x, y):
        return (op, {"inputs": [given(kind, x), given(kind, y)]},
                [f(m, a, b) for a, b in zip(x, y)])
    return make


def reduce_(name, unit):
    def make(m, kind, x, y):
        return ("Reduce", {"inputs": [given(kind, x), given(kind, [unit], [])],
                           "attributes": {"computation": name,
                                          "dimensions_to_reduce": [0]}},
                [m.fold(getattr(m, name), unit, x)])
    return make


def reduce_steps(m, kind, x, y):
    op, case, out = reduce_("add", 0)(m, kind, x, y)
    case["attributes"]["computation"] = "steps"
    case["computations"] = {"steps": body(kind, [
        "a = Add(p0, p1)", "b = Max(p0, p1)", "c = Min(a, b)",
        "r = Max(a, c)"])}
    return op, case, out


def window(m, kind, x, y):
    return ("ReduceWindow",
            {"inputs": [given(kind, x), given(kind, [0], [])],
             "attributes": {"computation": "add", "window_dimensions": [2],
                            "window_strides": [1], "padding": "VALID"}},
            [m.fold(m.add, 0, x[i:i + 2]) for i in range(N - 1)])


def scan(associative):
    def make(m, kind, x, y):
        out, carry = [], y[0]
        for v in x:
            carry = m.add(v, carry)
            out.append(carry)
        f = {"parameters": [f"{kind}[]"] * 2,
             "body": ["s = Add(p0, p1)", "r = Tuple(s, s)"], "result": "r"}
        return ("Scan", {"inputs": [given(kind, x), given(kind, y[:1], [])],
                         "computations": {"f": f},
                         "attributes": {"computation": "f",
                                        "scan_dimension": 0, "num_inputs": 1,
                                        "is_associative": associative}},
                out + [carry])
    return make


def scatter(f):
    def make(m, kind, x, y):
        case = {"inputs": [given(kind, y[:2]), s32(0, 1, 1, 1, dims=[N, 1]),
                           given(kind, x)],
                "attributes": {"update_computation": f, "dimension_numbers": {
                    "update_window_dims": [], "inserted_window_dims": [0],
                    "scatter_dims_to_operand_dims": [0],
                    "index_vector_dim": 1}}}
        if f == "steps":
            case["computations"] = {"steps": body(kind, [
                "a = Add(p0, p1)", "b = Max(p0, p1)", "c = Min(a, b)",
                "r = Max(a, c)"])}
        step = m.sub if f == "sub" else m.add
        return ("Scatter", case,
                [step(y[0], x[0]), m.fold(step, y[1], x[1:])])
    return make


def dot(m, kind, x, y):
    return ("Dot", {"inputs": [given(kind, x), given(kind, y)]},
            [m.fold(m.add, 0, [m.mul(a, b) for a, b in zip(x, y)])])


def conv(m, kind, x, y):
    return ("Conv", {"inputs": [given(kind, x, [1, 1, N]),
                                given(kind, y, [1, 1, N])],
                     "attributes": {"window_strides": [1],
                                    "padding": "VALID"}},
            [m.fold(m.add, 0, [m.mul(a, b) for a, b in zip(x, y)])])


def iota(m, kind, x, y):
    return ("Iota", {"inputs": [],
                     "attributes": {"shape": f"{kind}[300]",
                                    "iota_dimension": 0}},
            [m.fit(i) for i in range(300)])


def called(op, lines, f):
    """In a computation, with an operation before and behind it."""
    def make(m, kind, x, y):
        case = {"inputs": [given(kind, x), given(kind, y)],
                "computations": {"f": body(kind, lines, dims=str(N))}}
        case["attributes"] = {"computation": "f"}
        if op == "Map":
            case["attributes"]["dimensions"] = [0]
            case["computations"]["f"] = body(kind, lines)
        return op, case, f(m, x, y)
    return make


def each(f):
    return lambda m, x, y: [f(m, a, b) for a, b in zip(x, y)]


def total(m, x, y):
    return [m.fold(m.add, 0, [m.add(a, b) for a, b in zip(x, y)])]


SUM = "s = Add(p0, p1)"
FORMS = {
    "Add": elementwise("Add", lambda m, a, b: m.add(a, b)),
    "Sub": elementwise("Sub", lambda m, a, b: m.fit(a - b)),
    "Mul": elementwise("Mul", lambda m, a, b: m.mul(a, b)),
    "Reduce add": reduce_("add", 0),
    "Reduce mul": reduce_("mul", 1),
    "Reduce by steps": reduce_steps,
    "ReduceWindow": window,
    "Scan": scan(False),
    "Scan associative": scan(True),
    "Scatter": scatter("add"),
    "Scatter by sub": scatter("sub"),
    "Scatter by steps": scatter("steps"),
    "Dot": dot,
    "Conv": conv,
    "Iota": iota,
    "Map": called("Map", ["r = Add(p0, p1)"],
                  each(lambda m, a, b: m.add(a, b))),
    "Call": called("Call", ["r = Add(p0, p1)"],
                   each(lambda m, a, b: m.add(a, b))),
    "Add then Max": called("Call", [SUM, "r = Max(s, p0)"],
                           each(lambda m, a, b: max(m.add(a, b), a))),
    "Add then And": called("Call", [SUM, "r = And(s, p0)"],
                           each(lambda m, a, b: m.add(a, b) & a)),
    "Add then Add": called("Call", [SUM, "r = Add(s, p1)"],
                           each(lambda m, a, b: m.add(m.add(a, b), b))),
    "Add then Lt": called("Call", [SUM, "r = Lt(s, p1)"],
                          each(lambda m, a, b: int(m.add(a, b) < b))),
    "Add then Select": called(
        "Call", [SUM, "l = Lt(s, p1)", "r = Select(l, p0, p1)"],
        each(lambda m, a, b: a if m.add(a, b) < b else b)),
    "Add then Rev": called("Call", [SUM, "r = Rev(s) {dimensions = [0]}"],
                           lambda m, x, y: each(
                               lambda m, a, b: m.add(a, b))(m, x, y)[::-1]),
}

# What else may come of the same numbers in another order, where the reference
# has no order: then only the saturating result is asked for.
UNORDERED = ("Reduce", "Scatter", "Scan", "Dot", "Conv")


def right(evaluation, out):
    outputs, at = [], 0
    for tensor in evaluation.outputs():
        end = at + len(tensor.data)
        outputs.append(tensor._replace(
            data=bytes(p & 0xff for p in out[at:end])))
        at = end
    return evaluation.judge(outputs) is None


def judge(case, mine, out):
    """Is that result right?  An error's text where it is not judged."""
    op, members, _ = case
    try:
        with library.Evaluation(op, members, mine) as evaluation:
            return right(evaluation, out)
    except (library.EvaluationError, library.InvalidProgram) as e:
        return str(e)


def wrapped(case, strict):
    op, members, _ = case
    with library.Evaluation(op, members, strict) as evaluation:
        return b"".join(t.data for t in evaluation.outputs())


def integers(strict, permits, rng):
    for name, make in FORMS.items():
        over = within = 0
        bad = []
        for trial in range(24):
            kind = rng.choice(sorted(RANGES))
            low, high = RANGES[kind]
            size = 2 if trial % 3 == 0 else high
            x, y = ([rng.randint(max(low, -size), size) for _ in range(N)]
                    for _ in range(2))
            m = Machine(kind)
            case = make(m, kind, x, y)
            out = bytes(p & 0xff for p in case[2])
            plain = wrapped(case, strict)
            if out != plain:
                over += 1
                if judge(case, permits, out) is not True:
                    bad.append(f"{kind} {x} {y}: {out.hex()} is "
                               f"{judge(case, permits, out)}")
                if judge(case, strict, out) is not False:
                    bad.append(f"{kind} {x} {y}: {out.hex()} under strict")
            elif not m.over and (size == 2 or not name.startswith(UNORDERED)):
                within += 1
                other = bytes([out[0] ^ 1]) + out[1:]
                if judge(case, permits, other) is not False:
                    bad.append(f"{kind} {x} {y}: {other.hex()} is right")
        enough = over > 2 and (within > 2 or name == "Iota")
        ok(enough and not bad, f"integer.overflow: {name}",
           "\n".join(bad) or f"{over} beyond and {within} within the range")


MOST = 448.0  # of f8e4m3fn


def f8(x):
    """The pattern of a number of f8e4m3fn that is one."""
    sign, x = (0x80, -x) if x < 0 else (0, x)
    return sign | next(p for p in range(0x7f) if value(p) == x)


def value(p):
    """Four bits of exponent, biased by 7, and three of fraction."""
    e, f = p >> 3 & 15, p & 7
    x = (8 + f) * 2.0 ** (e - 10) if e else f * 2.0 ** -9
    return -x if p & 0x80 else x


def call8(*lines):
    return "Call", {"computations": {"f": body(FN, lines, dims="2")},
                    "attributes": {"computation": "f"}}


def fold8(op, arguments):
    return op, {"attributes": arguments}


FN = "f8e4m3fn"
# (operation and members, operands, results that saturate): each leaves the
# range in its first result, and all orders of the sums do.
FLOATS = {
    "Add": (("Add", {}), ([448, 2], [448, 3]), [448, 5]),
    "Sub": (("Sub", {}), ([-448, 2], [448, 3]), [-448, -1]),
    "Mul": (("Mul", {}), ([64, 2], [64, 3]), [448, 6]),
    "Div": (("Div", {}), ([448, 3], [0.5, 2]), [448, 1.5]),
    "Div by zero": (("Div", {}), ([1, 3], [0, 2]), [448, 1.5]),
    "Exp": (("Exp", {}), ([8, 0],), [448, 1]),
    "Rsqrt": (("Rsqrt", {}), ([0, 1],), [448, 1]),
    "Cosh": (("Cosh", {}), ([-8, 0],), [448, 1]),
    "Log": (("Log", {}), ([0, 1],), [-448, 0]),
    "Call": (call8("r = Add(p0, p1)"), ([448, 2], [448, 3]), [448, 5]),
    "Add then Neg": (call8("s = Add(p0, p1)", "r = Neg(s)"),
                     ([448, 2], [448, 3]), [-448, -5]),
    "Add then Min": (call8("s = Add(p0, p1)", "r = Min(s, p1)"),
                     ([448, 2], [448, 3]), [448, 3]),
    "Mul then Sub": (call8("s = Mul(p0, p1)", "r = Sub(s, p1)"),
                     ([64, 2], [64, 3]), [384, 3]),
    "Reduce": (fold8("Reduce", {"computation": "add",
                                "dimensions_to_reduce": [1]}),
               ([448, 448, 2, 3], 0), [448, 5]),
    "Reduce mul": (fold8("Reduce", {"computation": "mul",
                                    "dimensions_to_reduce": [1]}),
                   ([64, 64, 2, 3], 1), [448, 6]),
    "ReduceWindow": (fold8("ReduceWindow", {
        "computation": "add", "window_dimensions": [1, 2],
        "window_strides": [1, 1], "padding": "VALID"}),
        ([448, 448, 2, 3], 0), [448, 5]),
    "Dot": (("Dot", {}), ([64, 64, 2, 3], [8, 8]), [448, 40]),
    "Iota": (fold8("Iota", {"shape": f"{FN}[600]", "iota_dimension": 0}),
             (), None),
}


def operand(x, op):
    if not isinstance(x, list):
        return given(FN, [f8(x)], [])
    return given(FN, [f8(v) for v in x], [2, 2] if len(x) == 4 else None)


def floats(folder, strict):
    permits = profile(folder, "permits",
                      permits={"convert.overflow": "saturate"})
    chosen = profile(folder, "chosen",
                     choices={"convert.overflow": "saturate"})
    for name, ((op, members), operands, due) in FLOATS.items():
        case = op, {**members, "inputs": [operand(x, op) for x in operands]}, 0
        plain = wrapped(case, strict)
        out = bytes(map(f8, due)) if due else (
            plain[:465] + bytes([0x7e]) * (len(plain) - 465))
        at = 0 if due else 500
        nan = out[:at] + plain[at:at + 1] + out[at + 1:]
        below = out[:at] + bytes([out[at] ^ 2]) + out[at + 1:]
        wrong = out[:-1] + bytes([out[-1] ^ 2])
        got = [judge(case, mine, row) for mine, row in (
            (permits, out), (strict, out), (chosen, out),
            (permits, plain), (chosen, nan), (permits, below),
            (permits, wrong))]
        reference = wrapped(case, chosen)
        ok(got == [True, False, True, True, False, False, False]
           and reference == out and plain[at] & 0x7f == 0x7f,
           f"convert.overflow: {name}",
           f"{got}, plain {plain[at:at + 2].hex()}, saturates "
           f"{reference[at:at + 2].hex()}, due {out[at:at + 2].hex()}")


def main():
    rng = random.Random(20)
    with tempfile.TemporaryDirectory() as folder:
        strict = profile(folder, "strict-too")
        permits = profile(folder, "any",
                          permits={"integer.overflow": "any"})
        integers(strict, permits, rng)
        floats(folder, strict)
    finish()


main()
