#!/usr/bin/python3
# trees.t - reductions by random computations, in every tree.
#
# SPDX-License-Identifier: Apache-2.0
#
# A reduction may be bracketed in any way, and its initial value is the left
# argument of one call (004:1234-1250, 004:1368).  Here every tree of a few
# values is evaluated by itself, with the initial value at every place, in
# Python's integers and in floats that are rounded after each operation: a sum,
# product or root of two f32 in f64, rounded to f32, is correctly rounded, as 53
# >= 2 * 24 + 2.  Under `strict` these operations have one right result, so
# assay accepts the results of the trees, and no others.
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
SEED = int(os.environ.get("ASSAY_SEED", "1"))
CASES = max(300, int(os.environ.get("ASSAY_SAMPLES", "300")))
draw = random.Random(SEED)
print(f"# seed {SEED}, {CASES} computations")


# ---- Arithmetic -------------------------------------------------------------

def single(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class Float:
    """f32; OverflowError beyond its range, which is not of this test."""
    name = "f32"

    def add(self, a, b):
        return single(a + b)

    def sub(self, a, b):
        return single(a - b)

    def mul(self, a, b):
        return single(a * b)

    def maximum(self, a, b):
        if a == b:
            return a if math.copysign(1, a) > 0 else b
        return max(a, b)

    def minimum(self, a, b):
        if a == b:
            return a if math.copysign(1, a) < 0 else b
        return min(a, b)

    def neg(self, a):
        return -a

    def abs(self, a):
        return abs(a)

    def sqrt_abs(self, a):
        return single(math.sqrt(abs(a)))

    def draw(self):
        return draw.choice([float(draw.randint(-9, 9)), single(2.0**24),
                            draw.randint(-64, 64) / 8, -0.0, 0.0,
                            single(draw.uniform(-10, 10))])

    def text(self, a):
        return repr(a)


class Signed:
    name = "s32"

    def wrap(self, a):
        return (a + 2**31) % 2**32 - 2**31

    def add(self, a, b):
        return self.wrap(a + b)

    def sub(self, a, b):
        return self.wrap(a - b)

    def mul(self, a, b):
        return self.wrap(a * b)

    def maximum(self, a, b):
        return max(a, b)

    def minimum(self, a, b):
        return min(a, b)

    def neg(self, a):
        return self.wrap(-a)

    def abs(self, a):
        return self.wrap(abs(a))

    def draw(self):
        return draw.choice([draw.randint(-5, 5), draw.randint(-2**31, 2**31 - 1)])

    def text(self, a):
        return str(a)


class Pred:
    name = "pred"

    def draw(self):
        return draw.random() < 0.5

    def text(self, a):
        return a


BINARY = {"Add": "add", "Sub": "sub", "Mul": "mul", "Max": "maximum",
          "Min": "minimum"}
UNARY = {"Neg": "neg", "Abs": "abs"}
COMPARE = {"Lt": lambda a, b: a < b, "Ge": lambda a, b: a >= b,
           "Eq": lambda a, b: a == b, "Ne": lambda a, b: a != b,
           "Gt": lambda a, b: a > b, "Le": lambda a, b: a <= b}
LOGIC = {"And": lambda a, b: a and b, "Or": lambda a, b: a or b,
         "Xor": lambda a, b: a != b}


# ---- Computations: (op, operands) after the two parameters ------------------

def numbers(t):
    """A random computation of numbers."""
    kinds, body = ["number", "number"], []

    def pick(kind):
        return draw.choice([i for i, k in enumerate(kinds) if k == kind])
    unary = list(UNARY) + (["Sqrt"] if t.name == "f32" else [])
    for _ in range(draw.randint(1, 4)):
        form = draw.random()
        if form < 0.2:
            body.append((draw.choice(list(COMPARE)),
                         (pick("number"), pick("number"))))
            kinds.append("pred")
        elif form < 0.4 and "pred" in kinds:
            body.append(("Select", (pick("pred"), pick("number"),
                                    pick("number"))))
            kinds.append("number")
        elif form < 0.6:
            op = draw.choice(unary)
            at = pick("number")
            if op == "Sqrt":  # of a magnitude
                body.append(("Abs", (at,)))
                kinds.append("number")
                at = len(kinds) - 1
            body.append((op, (at,)))
            kinds.append("number")
        else:
            body.append((draw.choice(list(BINARY)),
                         (pick("number"), pick("number"))))
            kinds.append("number")
    last = max(i for i, k in enumerate(kinds) if k == "number")
    body.append(("Max", (last, last)))  # never one operation alone
    return body


def truths(_):
    body = []
    for _ in range(draw.randint(1, 4)):
        op = draw.choice(list(LOGIC) + list(COMPARE) + ["Not"])
        at = [draw.randrange(2 + len(body)) for _ in range(2)]
        body.append((op, tuple(at[:1] if op == "Not" else at)))
    return body + [("And", (len(body) + 1,) * 2)]


def call(t, body, a, b):
    values = [a, b]
    for op, at in body:
        x = [values[i] for i in at]
        if op in COMPARE:
            values.append(COMPARE[op](*x))
        elif op in LOGIC:
            values.append(LOGIC[op](*x))
        elif op == "Not":
            values.append(not x[0])
        elif op == "Select":
            values.append(x[1] if x[0] else x[2])
        elif op == "Sqrt":
            values.append(t.sqrt_abs(x[0]))
        else:
            values.append(getattr(t, BINARY.get(op) or UNARY[op])(*x))
    return values[-1]


# ---- Trees ------------------------------------------------------------------

def trees(low, high):
    """All trees of the leaves low to high - 1."""
    if high - low == 1:
        yield low
    for cut in range(low + 1, high):
        for a in trees(low, cut):
            for b in trees(cut, high):
                yield (a, b)


def nodes(tree):
    return 1 if isinstance(tree, int) else 1 + sum(map(nodes, tree))


def value(f, tree, terms, init, place):
    """Evaluate; the initial value enters at node `place` of the preorder."""
    if isinstance(tree, int):
        got = terms[tree]
    else:
        a, b = tree
        got = f(value(f, a, terms, init, place - 1),
                value(f, b, terms, init, place - 1 - nodes(a)))
    return f(init, got) if place == 0 else got


def results(t, body, terms, init):
    found = set()
    for tree in trees(0, len(terms)):
        for place in range(nodes(tree)) if init is not None else [-1]:
            found.add(t.text(value(lambda a, b: call(t, body, a, b), tree,
                                   terms, init, place)))
    return found


# ---- Cases ------------------------------------------------------------------

def computation(t, body):
    names = ["p0", "p1"] + [f"v{i}" for i in range(len(body))]
    return {"parameters": [f"{t.name}[]"] * 2, "result": names[-1],
            "body": [f"{names[i + 2]} = {op}({', '.join(names[k] for k in at)})"
                     for i, (op, at) in enumerate(body)]}


def literal(t, values):
    return {"shape": f"{t.name}[{len(values)}]",
            "data": [v if t.name == "pred" else t.text(v) if t.name == "f32"
                     else v for v in values]}


def scalar(t, v):
    return {"shape": f"{t.name}[]", "data": t.text(v) if t.name == "f32" else v}


def make(number, t, body, terms, init, op):
    case = {"id": f"c{number}", "why": "a random computation", "op": op,
            "computations": {"f": computation(t, body)}}
    n = len(terms)
    if op == "AllReduce":
        return {**case, "replicas": n, "attributes": {"computation": "f"},
                "inputs": [[literal(t, [v])] for v in terms]}
    case["inputs"] = [literal(t, terms), scalar(t, init)]
    if op == "Reduce":
        case["attributes"] = {"computation": "f", "dimensions_to_reduce": [0]}
    else:
        case["attributes"] = {"computation": "f", "window_dimensions": [n],
                              "window_strides": [1], "padding": "VALID"}
    return case


def tell(cases):
    """What assay says of cases, by their id."""
    told = {}
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/trees.json"
        for op in sorted({c["op"] for c in cases}):
            own = [{k: v for k, v in c.items() if k != "op"}
                   for c in cases if c["op"] == op]
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"format": "assay-case/1", "op": op, "cases": own}, f)
            done = subprocess.run(
                [ASSAY, "eval", "--json", "--profile", "strict", path],
                capture_output=True, text=True, timeout=1800)
            told.update((c["name"].split("/")[-1], c)
                        for c in json.loads(done.stdout)["cases"])
            if len(told) < len(own):
                print(done.stderr[:400], file=sys.stderr)
    return told


def accepted(t, text):
    if t.name == "pred":
        return {part == "true" for part in text.split(" | ")}
    return {t.text(single(float(part))) if t.name == "f32" else part
            for part in text.split(" | ")}


def wrong_with(t, told, want):
    """What is wrong with the set that assay gives, if anything is."""
    if "replicas" not in told:
        return f"refused: {told.get('text')}"
    got = accepted(t, told["replicas"][0][0]["elements"][0]["accept"])
    return f"missing {want - got}, too much {got - want}" if got != want else ""


HYPOT = [("Mul", (0, 0)), ("Mul", (1, 1)), ("Add", (2, 3)), ("Sqrt", (4,))]
PLANNED = [
    (Float, HYPOT, [3.0, 6.0, 1.5, 1.0], 0.0),
    (Float, [("Add", (0, 1)), ("Add", (0, 1)), ("Max", (2, 3))],
     [2.0, -3.0, 3.0, 2.0**24], 0.0),
    (Signed, [("Sub", (0, 1)), ("Abs", (2,))], [3, 1, 7, 2], 0),
    (Pred, [("Lt", (0, 1)), ("And", (2, 2))], [False, True, True], False),
]
plan = []
for kind, body, terms, init in PLANNED:
    plan.append((kind(), body, terms, init, "Reduce"))
while len(plan) < CASES:
    t = draw.choice([Float, Float, Signed, Pred])()
    body = truths(t) if t.name == "pred" else numbers(t)
    op = draw.choice(["Reduce", "Reduce", "ReduceWindow", "AllReduce"])
    terms = [t.draw() for _ in range(draw.randint(2, 4 if op == "AllReduce"
                                                  else 5))]
    plan.append((t, body, terms, None if op == "AllReduce" else t.draw(), op))

cases, wanted = [], {}
for number, (t, body, terms, init, op) in enumerate(plan):
    try:
        wanted[f"c{number}"] = (t, results(t, body, terms, init))
    except OverflowError:
        continue
    cases.append(make(number, t, body, terms, init, op))
told = tell(cases)
wrong = [(case, why) for case in cases for why in [
    wrong_with(wanted[case["id"]][0], told[case["id"]], wanted[case["id"]][1])]
    if why]
ok(not wrong, f"the results of all trees, of {len(cases)} computations",
   "\n".join(map(str, wrong[:8])))
several = sum(len(want) > 1 for _, want in wanted.values())
ok(several * 4 > len(wanted), "a quarter of them depends on the tree", several)
ok(wrong_with(Signed(), told["c2"], set(list(wanted["c2"][1])[1:])) != "",
   "a control: a result that no tree gives would be noticed")

# ---- Many values: proven, or refused ----------------------------------------

ARGMAX = {"parameters": ["f32[]", "s32[]", "f32[]", "s32[]"], "result": "t",
          "body": ["g = Gt(p0, p2)", "e = Eq(p0, p2)", "l = Lt(p1, p3)",
                   "a = And(e, l)", "o = Or(g, a)", "n = Ne(p0, p0)",
                   "k = Or(g, n)", "i = Or(o, n)", "v = Select(k, p0, p2)",
                   "w = Select(i, p1, p3)", "t = Tuple(v, w)"]}
data = [draw.randint(-50, 50) for _ in range(300)]
ROCK = {"parameters": ["f32[]", "f32[]"], "result": "m", "body": [
    "a = Sub(p0, p1)", "b = Abs(a)", "m = Max(b, b)"]}


def many(case_id, f, inputs):
    return {"id": case_id, "why": "many values", "op": "Reduce",
            "computations": {"f": f}, "inputs": inputs, "attributes": {
                "computation": "f", "dimensions_to_reduce": [0]}}


FLOATS = {"shape": "f32[300]", "data": data}
LESS = {"parameters": ["f32[]", "f32[]"], "result": "m",
        "body": ["a = Lt(p0, p1)", "m = Select(a, p0, p1)"]}
told = tell([
    many("argmax", ARGMAX, [FLOATS, {"shape": "s32[300]", "iota": 0},
                            {"shape": "f32[]", "data": "-inf"},
                            {"shape": "s32[]", "data": 0}]),
    many("least", LESS, [FLOATS, {"shape": "f32[]", "data": "inf"}]),
    many("twelve", ROCK, [{"shape": "f32[12]", "data": [1, 0] * 6},
                          {"shape": "f32[]", "data": 0}]),
    many("differences", ROCK, [FLOATS, {"shape": "f32[]", "data": 0}]),
    many("nan", LESS, [{"shape": "f32[41]", "data": data[:40] + ["nan"]},
                       {"shape": "f32[]", "data": "inf"}])])
got = [o["elements"][0]["accept"] for o in
       told["argmax"].get("replicas", [[]])[0]]
ok(got == [str(max(data)), str(data.index(max(data)))],
   "argmax of 300 values, by its law", told["argmax"].get("text", got))
got = told["least"].get("replicas", [[{"elements": [{"accept": ""}]}]])
ok(got[0][0]["elements"][0]["accept"] == str(min(data)), "the least of 300",
   told["least"])
got = told["twelve"].get("replicas", [[{"elements": [{"accept": ""}]}]])
ok(got[0][0]["elements"][0]["accept"] == "0",
   "of zeros and ones every difference is the exclusive or", told["twelve"])
for name in ("differences", "nan"):
    ok("is not known to be associative" in told[name].get("text", ""),
       f"refused: {name}", told[name])


def scattered(case_id, f):
    return {"id": case_id, "why": "updates of one element", "op": "Scatter",
            "computations": {"f": f}, "attributes": {
                "update_computation": "f", "dimension_numbers": {
                    "update_window_dims": [], "inserted_window_dims": [0],
                    "scatter_dims_to_operand_dims": [0],
                    "index_vector_dim": 1}},
            "inputs": [{"shape": "f32[2]", "data": [3, 1]},
                       {"shape": "s32[9,1]", "splat": 0},
                       {"shape": "f32[9]", "data": data[:9]}]}


told = tell([scattered("first", LESS), scattered("differs", ROCK)])
got = told["first"].get("replicas", [[{"elements": [{"accept": ""}]}]])
ok(got[0][0]["elements"][0]["accept"] == str(min([3, *data[:9]])),
   "nine updates in any order give the least", told["first"])
ok("may depend on the order" in told["differs"].get("text", ""),
   "refused: nine updates by the magnitude of a difference", told["differs"])
finish()
