#!/usr/bin/env python3
# called.t - an operation in a computation is judged as it is alone.
#
# SPDX-License-Identifier: Apache-2.0
#
# A generator over operations that call a computation, operations of its body,
# element types and profiles, on random data with overflow, NaN, infinities,
# zeros and subnormal numbers.  Where the call evaluates the body once for each
# element, the verdicts on the value, its neighbours, its negative, zeros, NaN,
# the operands and random patterns are those on the operation alone.  Where it
# may do more (a fold may enter its initial value again, or sum in another
# type), it is judged, and what is right alone is right there.
#
# ASSAY_SEED: other data.  ASSAY_LONG: more of them.
import os
import random
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{HERE}/independent"]

from formats import FORMATS, literal, size_of  # noqa: E402
from judging import library  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = os.environ.get("ASSAY_SEED", "1")
LONG = bool(os.environ.get("ASSAY_LONG"))
ROUNDS = 6 if LONG else 1
TYPES = FORMATS if LONG else ("f4e2m1fn", "f8e4m3fn", "f8e8m0fnu", "bf16", "f32")
N = 4
PROFILES = ("strict", "spec", "stablehlo", "xla-cpu-default", "xla-gpu-default",
            "xla-exhaustive")
UNARY = ("Neg", "Abs", "Sqrt", "Exp", "Log", "Tanh", "Rsqrt", "Sin", "Cbrt",
         "Logistic", "Floor", "Sign")
FOLDS = {"Add": "add", "Mul": "mul", "Max": "max", "Min": "min"}
BINARY = (*FOLDS, "Sub", "Div", "Pow", "Rem", "Atan2")


def draw(r, kind):
    """A pattern: any, near the ends of the range, small, special."""
    f = FORMATS[kind]
    sign = r.getrandbits(1) << (f.bits - 1) if f.signed else 0
    most = f.round(f.most)
    return r.choice((
        lambda: r.getrandbits(f.bits),
        lambda: sign | r.randint(max(1, most - 8), most),
        lambda: sign | r.randint(0, (1 << max(f.fraction, 1)) + 1),
        lambda: sign | f.round(1 + r.randint(0, 3)),
        lambda: f.infinity(r.random() < 0.5),
        lambda: f.nan() if f.nan() is not None else most))()


def body(kind, op, arity):
    """A computation of scalars that is the operation."""
    names = ", ".join(f"p{k}" for k in range(arity))
    return {"parameters": [f"{kind}[]"] * arity, "body": [f"r = {op}({names})"],
            "result": "r"}


def shaped(f, kind):
    """The same of arrays."""
    return {**f, "parameters": [f"{kind}[{N}]"] * len(f["parameters"])}


def module(kind, arity, lines, **named):
    main = {"parameters": [f"{kind}[{N}]"] * arity, "body": lines,
            "result": "r"}
    return {"module": {"entry": "main",
                       "computations": {"main": main, **named}}}


# ---- Calls that evaluate the body once ----------------------------------------

def map_(kind, op, data):
    return "Map", {"inputs": [literal(kind, x) for x in data],
                   "computations": {"f": body(kind, op, len(data))},
                   "attributes": {"computation": "f", "dimensions": [0]}}


def map_builtin(kind, op, data):
    if op not in FOLDS:
        return None
    return "Map", {"inputs": [literal(kind, x) for x in data], "attributes": {
        "computation": FOLDS[op], "dimensions": [0]}}


def arguments(data):
    return ", ".join(f"p{k}" for k in range(len(data)))


def call(kind, op, data):
    return "Call", {"inputs": [literal(kind, x) for x in data], **module(
        kind, len(data), [f"r = Call({arguments(data)}) {{computation = f}}"],
        f=shaped(body(kind, op, len(data)), kind))}


def conditional(kind, op, data):
    names = ", ".join(f"e{k}" for k in range(len(data)))
    fields = [f"e{k} = GetTupleElement(p0) {{index = {k}}}"
              for k in range(len(data))]
    types = ",".join([f"{kind}[{N}]"] * len(data))

    def branch(line):
        return {"parameters": [f"({types})"], "body": fields + [line],
                "result": "r"}
    return "Conditional", {
        "inputs": [literal(kind, x) for x in data], **module(
            kind, len(data), [
                f"t = Tuple({arguments(data)})",
                "c = Constant() {literal = pred[] true}",
                "r = Conditional(c, t, t) {true_computation = f, "
                "false_computation = g}"],
            f=branch(f"r = {op}({names})"), g=branch("r = Abs(e0)"))}


def while_(kind, op, data):
    """One iteration, whose state is a number and the operands."""
    count = len(data)
    state = ",".join(["s32[]"] + [f"{kind}[{N}]"] * count)
    fields = ["i = GetTupleElement(p0) {index = 0}"] + [
        f"e{k} = GetTupleElement(p0) {{index = {k + 1}}}" for k in range(count)]
    names = [f"e{k}" for k in range(count)]
    return "While", {"inputs": [literal(kind, x) for x in data], **module(
        kind, count, [
            "z = Constant() {literal = s32[] 0}",
            f"t = Tuple(z, {arguments(data)})",
            "w = While(t) {condition = less, body = step}",
            "r = GetTupleElement(w) {index = 1}"],
        less={"parameters": [f"({state})"], "result": "r", "body": [
            fields[0], "n = Constant() {literal = s32[] 1}", "r = Lt(i, n)"]},
        step={"parameters": [f"({state})"], "result": "r", "body": [
            *fields, "n = Constant() {literal = s32[] 1}", "j = Add(i, n)",
            f"v = {op}({', '.join(names)})",
            f"r = Tuple({', '.join(['j', 'v', *names[1:]])})"]})}


def unlike_fold(make):
    """That fold of an operation that is no sum, product or extreme."""
    def one(kind, op, data):
        return make(kind, op, data) if op in BINARY and op not in FOLDS else None
    one.__name__ = make.__name__
    return one


def updated(kind, op, data, updates, places):
    """A Scatter of those updates, each of one element."""
    return "Scatter", {
        "inputs": [literal(kind, data),
                   {"shape": f"s32[{len(places)},1]",
                    "data": [[k] for k in places]},
                   literal(kind, updates)],
        "computations": {"f": body(kind, op, 2)},
        "attributes": {"update_computation": "f", "dimension_numbers": {
            "update_window_dims": [], "inserted_window_dims": [0],
            "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}}}


def scatter_own(kind, op, data):
    return updated(kind, op, *data, range(N))


def scan(kind, op, data):
    """One step, whose slices are whole."""
    if len(data) < 2:
        return None
    f = {"parameters": [f"{kind}[{N}]"] * 2,
         "body": [f"s = {op}(p0, p1)", "r = Tuple(s, s)"], "result": "r"}
    return "Scan", {"inputs": [literal(kind, data[0], [1, N]),
                               literal(kind, data[1])],
                    "computations": {"f": f},
                    "attributes": {"computation": "f", "scan_dimension": 0,
                                   "num_inputs": 1}}


CALLS = (map_, map_builtin, call, conditional, while_, scan,
         unlike_fold(scatter_own))


# ---- Folds: each element is a fold of two ---------------------------------------

def unit_of(kind, op):
    """A value that changes no other."""
    f = FORMATS[kind]
    if op == "Mul":
        return f.round(1)
    if op == "Add":
        return f.nothing(True) if f.zero else None
    if f.special == "ieee":
        return f.infinity(op == "Max")
    if op == "Min" or f.signed:
        return f.round(-f.most if op == "Max" else f.most)
    return 0


def reduce_(kind, op, data):
    rows = [p for pair in zip(*data) for p in pair]
    if unit_of(kind, op) is None:
        return None
    return "Reduce", {
        "inputs": [literal(kind, rows, [N, 2]),
                   literal(kind, [unit_of(kind, op)], [])],
        "attributes": {"computation": FOLDS[op], "dimensions_to_reduce": [1]}}


def reduce_own(kind, op, data):
    made = reduce_(kind, op, data)
    if made:
        made[1]["attributes"]["computation"] = "f"
        made[1]["computations"] = {"f": body(kind, op, 2)}
    return made


def window(kind, op, data):
    made = reduce_(kind, op, data)
    return made and ("ReduceWindow", {**made[1], "attributes": {
        "computation": FOLDS[op], "window_dimensions": [1, 2],
        "window_strides": [1, 2], "padding": "VALID"}})


def scatter(kind, op, data):
    name, made = scatter_own(kind, op, data)
    del made["computations"]
    made["attributes"]["update_computation"] = FOLDS[op]
    return name, made


def all_reduce(kind, op, data):
    return "AllReduce", {"replicas": 2,
                         "inputs": [[literal(kind, x)] for x in data],
                         "attributes": {"computation": FOLDS[op]}}


FOLDERS = (reduce_, reduce_own, window, scatter, scatter_own, all_reduce)


# ---- Verdicts --------------------------------------------------------------------

def candidates(r, kind, value, operands):
    f = FORMATS[kind]
    last = (1 << f.bits) - 1
    some = {value, max(value - 1, 0), min(value + 1, last),
            max(value - 2, 0), min(value + 2, last),
            value ^ (1 << f.bits - 1), 0, f.round(f.most), *operands,
            r.getrandbits(f.bits), r.getrandbits(f.bits)}
    return sorted(some | ({f.nan()} if f.nan() is not None else set()))


def verdicts(op, case, mine, kind, patterns):
    """The status of each of patterns in place of each element; or why it is
    not judged."""
    size, got = size_of(kind), []
    try:
        with library.Evaluation(op, case, mine) as evaluation:
            outputs = evaluation.outputs()
            for unit, row in enumerate(patterns):
                at, told = unit * size, {}
                for p in row:
                    data = outputs[0].data
                    data = data[:at] + p.to_bytes(size, "little") \
                        + data[at + size:]
                    told[p] = evaluation.judgement(
                        [outputs[0]._replace(data=data)] + outputs[1:]).status
                got.append(told)
    except (library.InvalidProgram, library.EvaluationError) as e:
        return str(e)
    return got


def compare(r, kind, op, mine, data, bad):
    """All calls against the operation alone; how many were judged."""
    size = size_of(kind)
    alone = {"inputs": [literal(kind, x) for x in data]}
    try:
        with library.Evaluation(op, alone, mine) as evaluation:
            raw = evaluation.outputs()[0].data
    except library.EvaluationError:
        return 0
    values = [int.from_bytes(raw[k * size:(k + 1) * size], "little")
              for k in range(N)]
    patterns = [candidates(r, kind, v, [x[k] for x in data])
                for k, v in enumerate(values)]
    due = verdicts(op, alone, mine, kind, patterns)
    count = 0
    for f in CALLS + (FOLDERS if op in FOLDS else ()):
        made = f(kind, op, data)
        if made is None:
            continue
        told = verdicts(*made, mine, kind, patterns)
        if isinstance(told, str):
            bad.append((f.__name__, op, mine, told, made[1]["inputs"]))
            continue
        for k, row in enumerate(due):
            for p, status in row.items():
                count += 1
                same = told[k][p] == status if f in CALLS else (
                    told[k][p] != "fail" or status == "fail")
                if not same:
                    bad.append((f.__name__, op, mine, k, hex(p),
                                f"alone: {status}", f"there: {told[k][p]}",
                                hex(values[k]), made[1]["inputs"]))
    return count


def check(kind):
    r = random.Random(f"{SEED} {kind}")
    count, bad = 0, []
    for _ in range(ROUNDS):
        for op in UNARY + BINARY:
            data = [[draw(r, kind) for _ in range(N)]
                    for _ in range(1 if op in UNARY else 2)]
            for mine in PROFILES:
                count += compare(r, kind, op, mine, data, bad)
    ok(count > 1000 and not bad, f"{kind}: {count} verdicts in calls",
       f"{len(bad)}\n" + "\n".join(map(str, bad[:60])))
    figure("verdicts in calls", count)


def after(kind, p, step):
    """The next number up or down."""
    f = FORMATS[kind]
    sign = f.nothing(True)
    if p & ~sign == 0:
        return 1 if step > 0 else sign | 1
    return p + (step if not f.negative(p) else -step)


def check_orders(kind):
    """Updates of one element that round, in either order: the result of each
    order is right, and what lies beyond both is wrong."""
    r, f, bad, count = random.Random(f"{SEED} {kind}"), FORMATS[kind], [], 0

    def over(x, y):
        return f.round(f.number(x) / f.number(y))

    def key(p):
        return -(p & ~f.nothing(True)) if f.negative(p) else p
    for _ in range(40 * ROUNDS):
        x, a, b = (f.round(r.choice((-1, 1)) * Fraction(r.randint(1, 9999), 64))
                   for _ in range(3))
        due = {over(over(x, a), b), over(over(x, b), a)}
        low, high = min(due, key=key), max(due, key=key)
        beyond = [after(kind, low, -1), after(kind, high, 1)]
        op, case = updated(kind, "Div", [x], [a, b], [0, 0])
        told = verdicts(op, case, "strict", kind, [[*due, *beyond]])
        if isinstance(told, str):
            bad.append((told, case["inputs"]))
            continue
        count += len(due) > 1
        bad += [(hex(p), told[0][p], case["inputs"]) for p in due
                if told[0][p] != "pass"]
        bad += [(hex(p), told[0][p], case["inputs"]) for p in beyond
                if told[0][p] != "fail"]
    ok(count > 5 and not bad, f"{kind}: updates in either of two orders", bad)


for name in sys.argv[1:] or TYPES:
    check(name)
for name in ("bf16", "f32"):
    check_orders(name)
finish()
