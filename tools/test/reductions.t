#!/usr/bin/python3
# reductions.t - reductions in programs whose operands may be flushed.
#
# SPDX-License-Identifier: Apache-2.0
#
# Elements near the smallest normal number, which a function may make inexact,
# are added, multiplied or compared in some order, and the result is used again.
# The function gives any number of its set; all operands that are subnormal may be flushed,
# to zeros of their sign or positive ones, and so may each such result: what
# that gives, rounded after each step, is right.  enumerated.t has instructions
# of single elements.
#
# A reduction of two operands, each for itself, is right where both are.
#
# ASSAY_SEED: other programs.  ASSAY_SAMPLES: a tenth as many.
import itertools
import math
import os
import random
import struct
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judging import library  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = int(os.environ.get("ASSAY_SEED", "1"))
SAMPLES = max(300, int(os.environ.get("ASSAY_SAMPLES", "0")) // 10)
NORMAL = 2. ** -126
WAYS = (None, "sign", "plus")
draw = random.Random(SEED)
print(f"# seed {SEED}, {SAMPLES} programs")


def bits(x):
    return struct.pack("<f", x)


def single(x):
    """Of sums and products of two such numbers no other rounding is seen."""
    return struct.unpack("<f", bits(x))[0]


def flush(x, way):
    if way is None or not 0 < abs(x) < NORMAL:
        return x
    return math.copysign(0, x) if way == "sign" else 0.


def extremum(pick):
    return lambda a, b: pick(a, b, key=lambda x: (x, math.copysign(1, x)))


STEPS = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b,
         "Mul": lambda a, b: a * b, "add": lambda a, b: a + b,
         "mul": lambda a, b: a * b,
         "max": extremum(max), "min": extremum(min)}
FIRST = {"add": 0., "mul": 1., "max": -math.inf, "min": math.inf, "dot": 0.}
USES = ([], [("Sub", "t", "t")], [("Add", "t", "c")], [("Mul", "t", "c")],
        [("Add", "t", "c"), ("Sub", "s0", "c")], [("Mul", "t", "large")])


class Program:
    """use(reduction of Exp(x) * y, or that + y, or of y alone)"""

    def __init__(self):
        n, large = draw.randint(1, 4), draw.random() < .3
        self.kind = draw.choice(list(FIRST))
        self.exact = draw.random() < .4
        self.adds, self.uses = draw.random() < .4, draw.choice(USES)
        self.values = {
            "x": self.numbers(n, 1), "w": self.numbers(
                n, 2. ** (-40 if large else draw.randint(-2, 2))),
            "y": self.numbers(n, NORMAL * 2. ** (
                draw.randint(-3, 3) + 40 * large)),
            "c": self.numbers(1, NORMAL * 2. ** draw.randint(-3, 5)),
            "first": [FIRST[self.kind]], "large": [2. ** 30]}

        # Products that are subnormal for a part of the function's set.
        v = self.values
        for i in range(n):
            if draw.random() < .5:
                v["y"][i] = single(draw.choice((1, -1)) * NORMAL / math.exp(
                    v["x"][i]) * (1 + draw.randint(-2, 2) * 2. ** -23))
        # Partial products that are, while all factors together are not.
        if self.kind == "mul":
            v["y"] = [single(draw.uniform(1, 2) * 2. ** draw.randint(*e))
                      for e in ((-75, -55), (-75, -55), (60, 115))]
            v["x"], v["w"] = (self.numbers(3, 1) for _ in "xw")

    def numbers(self, n, scale):
        return [single(draw.gauss(0, 1) * scale) for _ in range(n)]

    def pick(self, profile):
        """Numbers of the function's set, for each element."""
        n = len(self.values["x"])
        case = {"inputs": [{"shape": f"f32[{n}]", "hex": b"".join(
            map(bits, self.values["x"])).hex()}]}
        with library.Evaluation("Exp", case, profile) as evaluation:
            ends = [[single(float(e)) for e in evaluation.accepts(0, i).strip(
                "[]").split(", ")] for i in range(n)]
        return [draw.choice((e[0], e[-1])) for e in ends]

    def case(self):
        body, from_ = [], "y"
        if not self.exact:
            body, from_ = ["e = Exp(x)", "m = Mul(e, y)"], "m"
        if not self.exact and self.adds:
            body, from_ = body + ["a = Add(m, y)"], "a"
        body.append(f"t = Dot({from_}, w)" if self.kind == "dot" else
                    f"t = Reduce({from_}, first) {{computation = {self.kind}, "
                    "dimensions_to_reduce = [0]}")
        body += [f"s{k} = {op}({a}, {b})"
                 for k, (op, a, b) in enumerate(self.uses)]
        shapes = [f"f32[{'' if k in ('c', 'first', 'large') else len(v)}]"
                  for k, v in self.values.items()]
        own = {k: f"p{i}" for i, k in enumerate(self.values)}
        text = [line.split("(", 1) for line in body]
        body = [f"{head}(" + ", ".join(
            own.get(x, x) for x in rest.split(")")[0].split(", "))
            + ")" + rest.split(")", 1)[1] for head, rest in text]
        parts = {op: {"parameters": ["f32[]"] * 2, "result": "r",
                      "body": [f"r = {op.title()}(p0, p1)"]}
                 for op in ("add", "mul", "max", "min")}
        return {"inputs": [{"shape": s, "hex": b"".join(map(bits, v)).hex()}
                           for s, v in zip(shapes, self.values.values())],
                "module": {"entry": "main", "computations": {
                    **parts, "main": {"parameters": shapes, "body": body,
                                      "result": body[-1].split(" ")[0]}}}}

    def step(self, op, a, b):
        """A result, flushed in this program's ways."""
        taken = [flush(x, self.operands) for x in (a, b)]
        return flush(single(STEPS[op](*taken)), draw.choice(self.results))

    def op(self):
        return "Dot" if self.kind == "dot" else "Reduce"

    def run(self, e, operands, results):
        self.operands, self.results = operands, results
        v = self.values
        items = v["y"] if self.exact else [
            self.step("Mul", *x) for x in zip(e, v["y"])]
        if self.adds and not self.exact:
            items = [self.step("Add", m, y) for m, y in zip(items, v["y"])]
        t, op = v["first"][0], self.kind
        if op == "dot":
            items = [self.step("Mul", m, w) for m, w in zip(items, v["w"])]
            op = "add"
        for m in draw.sample(items, len(items)):
            t = self.step(op, t, m)
        named = {"t": t, "c": v["c"][0], "large": v["large"][0]}
        for k, (use, a, b) in enumerate(self.uses):
            named[f"s{k}"] = t = self.step(use, named[a], named[b])
        return t


# ---- Two operands, each for itself --------------------------------------------

EACH = {"add": ("Add", {"f32": 0., "s32": 0}), "mul": ("Mul", {"f32": 1.}),
        "max": ("Max", {"f32": -math.inf, "s32": -2 ** 31})}


def literal(kind, numbers, dims):
    data = struct.pack(f"<{len(numbers)}{'f' if kind == 'f32' else 'i'}",
                       *numbers)
    return {"shape": f"{kind}[{dims}]", "hex": data.hex()}


def reduction(kinds, rows, names, pair):
    """Of so many operands, by these operations; exp: of the first."""
    n = len(rows)
    inputs = [literal(k, r, len(r)) for k, r in zip(kinds, rows)]
    inputs += [literal(k, [EACH[m][1][k]], "")
               for k, m in zip(kinds, names)]
    scalars = [f"{k}[]" for k in kinds] * 2
    own = [f"x{k} = {EACH[m][0]}(p{k}, p{n + k})" for k, m in enumerate(names)]
    if pair:
        own.append(f"x2 = Tuple({', '.join(f'x{k}' for k in range(n))})")
    given = ", ".join(f"p{k}" for k in range(2 * n))
    return {"inputs": inputs, "module": {"entry": "main", "computations": {
        "main": {"parameters": [i["shape"] for i in inputs], "result": "r",
                 "body": [f"r = Reduce({given}) {{computation = each, "
                          "dimensions_to_reduce = [0]}"]},
        "each": {"parameters": scalars, "body": own,
                 "result": "x2" if pair else "x0"}}}}


def in_some_order(row):
    """A sum in f32, any two at a time."""
    row = list(row)
    while len(row) > 1:
        a, b = (row.pop(draw.randrange(len(row))) for _ in range(2))
        row.append(single(a + b))
    return row[0]


def check_each():
    apart, lost, missing = [], [], []
    for k in range(24):
        kinds = ["f32", draw.choice(("f32", "s32"))]
        names = [draw.choice(("add", "max", "mul")), draw.choice(("add", "max"))]
        count = (3, 60)[k % 2]
        rows = [[draw.randint(-99, 99) if kind == "s32"
                 else single(draw.uniform(0.5, 2)) for _ in range(count)]
                for kind in kinds]
        with library.Evaluation("Reduce", reduction(kinds, rows, names, True),
                                "spec") as evaluation:
            outputs = evaluation.outputs()
            for i in range(2):
                with library.Evaluation("Reduce", reduction(
                        kinds[i:i + 1], rows[i:i + 1], names[i:i + 1], False),
                                        "spec") as alone:
                    told = evaluation.accepts(i, 0), alone.accepts(0, 0)
                apart += [(kinds, names, told)] if told[0] != told[1] else []
                if names[i] != "add" or kinds[i] != "f32":
                    continue
                for numbers, bad in ((rows[i], lost), (rows[i][1:], missing)):
                    data = bits(in_some_order(numbers))
                    given = list(outputs)
                    given[i] = given[i]._replace(data=data)
                    said = evaluation.judge(given)
                    bad += [said] if (said is None) == (bad is missing) else []
    ok(not apart, "two operands have the sets that each has alone", apart[:2])
    ok(not lost, "sums of each in any order are right", lost[:2])
    ok(not missing, "without a term they are wrong", missing[:2])


# ---- Dots of f16 with a bf16 result --------------------------------------------

ROUNDS = {"bf16": lambda x: x and math.ldexp(round(math.frexp(x)[0] * 256),
                                             math.frexp(x)[1] - 8),
          "f16": lambda x: struct.unpack("<e", struct.pack("<e", x))[0],
          "f32": single}


def halves(numbers, dims):
    return {"shape": f"f16[{dims}]",
            "hex": struct.pack(f"<{len(numbers)}e", *numbers).hex()}


def check_accumulators():
    """Whichever the accumulator of a dot, its last rounding is to bf16.  That
    of f16 rounds twice, so the products lie beside ties of bf16."""
    half, brain = ROUNDS["f16"], ROUNDS["bf16"]
    lost, refused, judged = [], 0, 0
    for _ in range(SAMPLES):
        n = draw.choice((1, 1, 1, 2, 3))
        x = [half(draw.uniform(-9, -7)) for _ in range(n)]
        y = [half(draw.uniform(1, 2)) for _ in range(n)]
        w = [half((1 + (2 * draw.randint(0, 2) + 1) / 256
                   + draw.uniform(-1, 1) / 1024) / n / v) for v in y]
        case = {"inputs": [halves(x, n), halves(y, n), halves(w, n)],
                "module": {"entry": "main", "computations": {"main": {
                    "parameters": [f"f16[{n}]"] * 3, "result": "r", "body": [
                        "e = Exp(p0)", "a = Add(e, p1)",
                        "t = Dot(a, p2) {preferred_element_type = bf16}",
                        "r = Neg(t)"]}}}}
        for profile in ("spec", "strict"):
            with library.Evaluation("Exp", {"inputs": case["inputs"][:1]},
                                    profile) as evaluation:
                e = [[float(v) for v in evaluation.accepts(0, i).strip(
                    "[]").split(", ")] for i in range(n)]
            with library.Evaluation("Dot", case, profile) as evaluation:
                output = evaluation.outputs()[0]
                bad = []
                for name, rounded in ROUNDS.items():
                    a = [half(half(draw.choice(v)) + z) for v, z in zip(e, y)]
                    t = 0.
                    for term in zip(a, w):
                        t = rounded(t + rounded(math.prod(term)))
                    r = -brain(t)
                    if evaluation.judge([output._replace(data=bits(r)[2:])]):
                        bad.append((name, r, evaluation.accepts(0, 0), case))
            judged += len(ROUNDS)
            if profile == "strict":
                refused += bool(bad)
            else:
                lost += bad
    ok(not lost, f"{judged} dots in any accumulator are right", lost[:2])
    ok(refused > SAMPLES / 10, "the control: strict has one", refused)


check_each()
check_accumulators()
judged, wrong, refused = 0, [], 0
for _ in range(SAMPLES):
    program = Program()
    case = program.case()
    for profile in ("spec", "xla-cpu-default", "strict"):
        e = program.pick(profile)
        legal = {bits(program.run(e, *ways)) for ways in itertools.product(
            WAYS, ((None,), ("sign",), ("plus",), WAYS))}
        with library.Evaluation(program.op(), case, profile) as evaluation:
            output = evaluation.outputs()[0]
            bad = [x for x in legal
                   if evaluation.judge([output._replace(data=x)])]
            told = evaluation.accepts(0, 0)
        if profile == "strict":
            refused += bool(bad)
            continue
        judged += len(legal)
        wrong += [f"{profile}: {case}\n{struct.unpack('<f', x)[0]!r} is right, "
                  f"not in {told}" for x in bad]
figure("results of flushed reductions", judged)
ok(judged > 2 * SAMPLES and not wrong, f"{judged} results are right",
   "\n".join(wrong[:3]))
ok(refused > SAMPLES / 10, "the control: flushed results are wrong under "
   "strict", refused)
finish()
