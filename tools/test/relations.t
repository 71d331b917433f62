#!/usr/bin/python3
# relations.t - whole programs against evaluations that are legal step by step.
#
# SPDX-License-Identifier: Apache-2.0
#
# A right backend may give, at each instruction, any value that assay accepts of
# that instruction alone for the operands that it has.  Here random programs are
# evaluated so, one instruction at a time: at random ends of the accepted sets,
# and at those ends that move one result furthest, by derivatives that are found
# with NumPy in f64.  Every result must be in the set of the program as a whole.
# Of a sum alone more is accepted than any order of additions can give.  Here it
# is no farther off than in the worst order, each addition off by half an ulp.
# This is a test only if the evaluations come near the ends of those sets, which
# the last checks ask for.
import json
import os
import random
import re
import sys
import tempfile

import numpy as np

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/test")
from accepts import evaluate_all, filed  # noqa: E402
from judging import library, profile  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = int(os.environ.get("ASSAY_SEED", "1"))
PROGRAMS = max(60, int(os.environ.get("ASSAY_SAMPLES", "0")) // 10)
TRIALS = 8
draw = random.Random(SEED)
print(f"# seed {SEED}, {PROGRAMS} programs of each type")

TYPES = {"f32": np.float32, "f16": np.float16, "f64": np.float64}


# ---- Programs ---------------------------------------------------------------

class Step:
    """One instruction: its text, and what it computes."""

    def __init__(self, op, operands, attributes, model):
        self.op, self.operands = op, operands
        self.attributes, self.model = attributes, model

    def line(self, name, operands):
        tail = ", ".join(f"{k} = {v}" for k, v in self.attributes.items())
        return (f"{name} = {self.op}({', '.join(operands)})"
                + (f" {{{tail}}}" if tail else ""))


UNARY = {
    "Exp": np.exp, "Tanh": np.tanh, "Neg": np.negative, "Abs": np.abs,
    "Sin": np.sin, "Cos": np.cos, "Logistic": lambda x: 1 / (1 + np.exp(-x)),
    "Sqrt": np.sqrt, "Rsqrt": lambda x: x ** -0.5, "Log": np.log,
    "Log1p": np.log1p, "Expm1": np.expm1, "Cbrt": np.cbrt, "Atan": np.arctan,
    "Cosh": np.cosh, "Sinh": np.sinh}
POSITIVE = {"Sqrt", "Rsqrt", "Log", "Log1p", "Cbrt"}
BINARY = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply,
          "Div": np.divide, "Max": np.maximum, "Min": np.minimum}


class Program:
    """Parameters p0 and p1 of one shape and a zero, then steps; values holds
    what the model gives for the parameters, in f64."""

    def __init__(self, kind):
        self.kind, self.steps = kind, []
        shape = (draw.randint(1, 3), draw.randint(1, 6))
        self.parameters = [
            np.array([[draw.choice((1, -1)) * draw.uniform(0.1, 2)
                       for _ in range(shape[1])] for _ in range(shape[0])]
                     ).astype(TYPES[kind]) for _ in range(2)]
        self.parameters.append(np.zeros((), TYPES[kind]))
        self.values = [p.astype(np.float64) for p in self.parameters]
        while len(self.steps) < 9:
            self.extend()

    def extend(self):
        step = self.draw_step()
        with np.errstate(all="ignore"):
            value = step and step.model(*(self.values[i]
                                          for i in step.operands))
        if step and np.all(np.isfinite(value)) and np.all(np.abs(value) < 300) \
                and (step.op not in POSITIVE
                     or np.all(self.values[step.operands[0]] > 0.05)) \
                and (step.op != "Div"
                     or np.all(np.abs(self.values[step.operands[1]]) > 0.05)):
            self.steps.append(step)
            self.values.append(value)

    def pick(self, rank, like=None):
        """One of the later values more often than not."""
        found = [i for i, v in enumerate(self.values)
                 if i != 2 and v.ndim == rank
                 and (like is None or v.shape == like)]
        return found and draw.choice(found[-3:] if draw.random() < 0.7
                                     else found)

    def draw_step(self):
        x = self.pick(2)
        shape = self.values[x].shape
        way = draw.randrange(11)
        if way < 2:
            op = draw.choice(sorted(UNARY))
            return Step(op, [x], {}, UNARY[op])
        if way < 5:
            op = draw.choice(sorted(BINARY))
            return Step(op, [x, self.pick(2, shape)], {}, BINARY[op])
        if way == 5:
            return Step("Reduce", [x, 2], {"computation": "add",
                                           "dimensions_to_reduce": "[1]"},
                        lambda a, z: a.sum(1))
        if way == 6:
            row = self.pick(1, shape[:1])
            if row == []:
                return None
            op = draw.choice(("Sub", "Mul", "Add", "Div"))
            return Step(op, [x, row], {"broadcast_dimensions": "[0]"},
                        lambda a, b, f=BINARY[op]: f(a, b[:, None]))
        if way == 7:
            y = self.pick(2, shape)
            return Step("DotGeneral", [x, y], {
                "dimension_numbers": "{lhs_contracting_dimensions = [1], "
                "rhs_contracting_dimensions = [1], "
                "lhs_batch_dimensions = [], rhs_batch_dimensions = []}"},
                lambda a, b: a @ b.T)
        if way == 8:
            return Step("ConvGeneralDilated", [x, self.pick(2, shape)], {
                "window_strides": "[]", "padding": "[]", "dimension_numbers":
                "{input_batch_dimension = 0, input_feature_dimension = 1, "
                "input_spatial_dimensions = [], kernel_output_feature_dimension"
                " = 0, kernel_input_feature_dimension = 1, "
                "kernel_spatial_dimensions = [], output_batch_dimension = 0, "
                "output_feature_dimension = 1, output_spatial_dimensions = []}"
            }, lambda a, b: a @ b.T)
        if way == 9:
            # Padding is 0, as the initial value.
            name, f = draw.choice((("add", np.add), ("max", np.maximum)))
            return Step("ReduceWindow", [x, 2], {
                "computation": name, "window_dimensions": "[1, 2]",
                "window_strides": "[1, 1]", "padding": "[[0, 0], [1, 0]]"},
                lambda a, z, f=f: f(f(a, np.pad(a, ((0, 0), (1, 0)))[:, :-1]),
                                    0))
        return Step(*draw.choice((
            ("Transpose", [x], {"permutation": "[1, 0]"}, np.transpose),
            ("Rev", [x], {"dimensions": "[1]"}, lambda a: a[:, ::-1]),
            ("ConcatInDim", [x, x], {"dimension": "0"},
             lambda a, b: np.concatenate((a, b))))))

    def after(self, values, first):
        """The model's last value, given all before step `first`."""
        values = list(values)
        for step in self.steps[first:]:
            values.append(step.model(*(values[i] for i in step.operands)))
        return values[-1]

    def adjoints(self, at):
        """How the sign of a change of each step's units moves unit `at`."""
        base, made = self.values[-1].flat[at], []
        for k in range(len(self.steps)):
            n = len(self.parameters) + k
            signs = np.zeros(self.values[n].size)
            for u in range(signs.size):
                moved = self.values[n].copy()
                step = 1e-6 * max(1, abs(moved.flat[u]))
                moved.flat[u] += step
                with np.errstate(all="ignore"):
                    y = self.after(self.values[:n] + [moved], k + 1)
                signs[u] = np.sign(y.flat[at] - base)
            made.append(signs)
        return made

    def case(self):
        names = [f"p{i}" for i in range(3)]
        body = []
        for i, step in enumerate(self.steps):
            body.append(step.line(f"s{i}", [names[k] for k in step.operands]))
            names.append(f"s{i}")
        return module(self.kind, self.parameters, body)

    def single(self, k, values):
        step = self.steps[k]
        return module(self.kind, [values[i] for i in step.operands],
                      [step.line("s", [f"p{i}" for i
                                       in range(len(step.operands))])])


def module(kind, inputs, body):
    shapes = [f"{kind}[{','.join(map(str, x.shape))}]" for x in inputs]
    return {"inputs": [{"shape": s, "hex": x.tobytes().hex()}
                       for s, x in zip(shapes, inputs)],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": shapes, "body": body,
                "result": body[-1].split(" ")[0]}}}}


# ---- Asking assay -----------------------------------------------------------

def ask(cases):
    """For each case its least and greatest accepted values, and the
    reference's; or None."""
    made, said = evaluate_all([filed("Exp", c) for c in cases], "Exp",
                              elements=4096)
    if len(made) != len(cases):
        sys.exit(said)
    return [read(TYPES[c["shape"].split("[")[0]],
                 c["replicas"][0][0]["elements"]) if "replicas" in c else None
            for c in made]


def read(kind, elements):
    """A text is the shortest that reads back to the same bits of the type."""
    low, high = [], []
    for e in elements:
        numbers = [float(kind(x)) for x in re.split(r"[][, |]+", e["accept"])
                   if x and x not in ("nan", "any")]
        if not numbers or "any" in e["accept"] or "nan" in e["accept"]:
            return None
        low.append(min(numbers))
        high.append(max(numbers))
    return (np.array(low), np.array(high),
            np.array([float(kind(e["value"])) for e in elements]))


SUMS = {"Reduce": lambda a, z: list(a.T),
        "DotGeneral": lambda a, b: list((a[:, None] * b).transpose(2, 0, 1)),
        "ReduceWindow": lambda a, z: [
            a, np.pad(a, ((0, 0), (1, 0)))[:, :-1]]}
SUMS["ConvGeneralDilated"] = SUMS["DotGeneral"]


def half_ulp(x, kind):
    """At most u times a power of two."""
    return np.ldexp(np.finfo(kind).eps / 4, np.frexp(x)[1]) * (x > 0)


def reach(terms, rounded, kind):
    """The sum of some arrays, and how far it may be off in the worst order: of
    each subset that of two parts, and the rounding of its sum, which is none
    where one part is 0."""
    count = len(terms)
    sums, off = {}, {}
    for whole in range(1, 1 << count):
        own = [terms[i] for i in range(count) if whole >> i & 1]
        sums[whole] = sum(own)
        if len(own) == 1:
            off[whole] = half_ulp(np.abs(own[0]), kind) * rounded
            continue
        parts, part = [], (whole - 1) & whole
        while part:
            other = whole ^ part
            before = off[part] + off[other]
            zero = (np.abs(sums[part]) + off[part] == 0) \
                | (np.abs(sums[other]) + off[other] == 0)
            parts.append(before + np.where(zero, 0, half_ulp(
                np.abs(sums[whole]) + before, kind)))
            part = (part - 1) & whole
        off[whole] = np.max(parts, 0)
    return sums[(1 << count) - 1], off[(1 << count) - 1]


class Trial:
    """One evaluation, with a choice of ends for each step."""

    def __init__(self, program, choose):
        self.program, self.choose = program, choose
        self.values = list(program.parameters)

    def take(self, k, answer):
        low, high, _ = answer
        kind = TYPES[self.program.kind]
        low, high = self.clip(k, kind, low, high)
        x = np.where(self.choose(k, low.size), high, low)
        n = len(self.program.parameters) + k
        self.values.append(x.astype(kind).reshape(
            self.program.values[n].shape))


    def clip(self, k, kind, low, high):
        """The ends of a sum in its own type that some order comes up to."""
        step = self.program.steps[k]
        if step.op not in SUMS or step.attributes.get("computation") == "max":
            return low, high
        operands = [self.values[i].astype(np.longdouble) for i in step.operands]
        exact, off = reach(SUMS[step.op](*operands),
                           not step.op.startswith("Reduce"), kind)
        made = []
        for end, x in ((-1, low), (1, high)):
            far = (exact + end * off).reshape(-1)
            near = far.astype(kind)
            beyond = (near - far) * end > 0
            near = np.where(beyond, np.nextafter(near, kind(-end * np.inf)),
                            near)
            made.append(np.where((x - near) * end > 0, near, x))
        return made


def trials_of(program):
    """Half of them towards one end of one unit, the others at random."""
    size, made = program.values[-1].size, []
    for t in range(TRIALS // 4):
        signs = program.adjoints(draw.randrange(size))
        for way in (1, -1):
            made.append(Trial(program, lambda k, n, s=signs, w=way:
                              s[k].reshape(-1) * w > 0))
    noise = np.random.default_rng(draw.randrange(2 ** 32))
    while len(made) < TRIALS:
        made.append(Trial(program, lambda k, n: noise.random(n) < 0.5))
    return made


def check(kind):
    programs = [Program(kind) for _ in range(PROGRAMS)]
    whole = [(p, a) for p, a in zip(programs, ask([p.case() for p in programs]))
             if a]
    trials = [t for p, _ in whole for t in trials_of(p)]
    for k in range(9):
        answers = ask([t.program.single(k, t.values) for t in trials])
        for t, a in zip(trials, answers):
            if a:
                t.take(k, a)
        trials = [t for t, a in zip(trials, answers) if a]
    sets = {id(p): a for p, a in whole}
    wrong, nearest = [], []
    for t in trials:
        low, high, value = sets[id(t.program)]
        x = t.values[-1].astype(np.float64).reshape(-1)
        bad = (x < low) | (x > high)
        if bad.any():
            u = int(np.argmax(bad))
            wrong.append(f"{x[u]!r} is not in [{low[u]!r}, {high[u]!r}]: "
                         f"{json.dumps(t.program.case())}")
        width = np.where(x > value, high - value, value - low)
        far = np.abs(x - value)
        nearest.append(np.max(far[width > 0] / width[width > 0], initial=0))
    figure(f"legal evaluations of programs of {kind}", len(trials))
    ok(not wrong and len(trials) > PROGRAMS, f"{kind}: {len(trials)} legal "
       f"evaluations of {len(whole)} programs are right", "\n".join(wrong))
    near = sum(x > 0.5 for x in nearest)
    ok(near > len(trials) / 20, f"{kind}: {near} of them come at least half way "
       "to the end of a set", f"{sorted(nearest)[-20:]}")


for kind in TYPES:
    check(kind)


# ---- What relations are for -------------------------------------------------

def width(body, x, other=0):
    low, high, _ = ask([module("f32", [np.float32(x), np.float32(other)],
                               body)])[0]
    return float(np.max(high - low))


# A sum that is taken from all elements and added again, as a softmax does with
# its maximum, moves the result no further than its own last roundings do.
lone = width(["e = Exp(p0)", "r = Sub(e, e)"], [1.5, -2.25, 0.75])
ok(0 <= lone < 1e-12, "a value less itself is zero", lone)
apart = width(["e = Exp(p0)", "f = Neg(e)", "r = Sub(e, f)"],
              [1.5, -2.25, 0.75])
ok(apart > 1e-7, "less its negative it is not", apart)
total = ["e = Exp(p0)",
         "s = Reduce(e, p1) {computation = add, dimensions_to_reduce = [0]}",
         "u = Sub(e, s)"]
shift = width(total + ["v = Add(u, s)", "r = Sub(v, e)"], [1.5, -2.25, 0.75])
once = width(total + ["r = Sub(u, e)"], [1.5, -2.25, 0.75])
ok(shift < 2e-6, "a sum that is taken away and added again cancels", shift)
ok(once > 2e-6, "taken away only it does not", once)

# A value times itself is not negative, although it may have either sign.
AROUND_ZERO = ["a = Cos(p0)", "b = Cos(p0)", "c = Cos(p0)", "e = Sub(a, b)",
               "f = Sub(a, c)"]
for factor, least in (("e", 0), ("f", -1)):
    low, high, _ = ask([module("f32", [np.float32([0.5])], AROUND_ZERO
                               + [f"q = Mul(e, {factor})"])])[0]
    ok(np.sign(low[0]) == least and high[0] > 0,
       f"e * {factor}: the least is {'zero' if least == 0 else 'negative'}",
       (low, high))

# ---- As many units as the operand, but of several of them --------------------

# The first unit is inexact, the second known: their sum varies.
FIRST = np.frombuffer(bytes.fromhex("a13f"), np.float16)  # 1.9072
SECOND = np.float16([0.25])
BODY = ["c = Cos(p0)", "d = ConcatInDim(c, p1) {dimension = 0}"]
ADD = {"parameters": ["f16[]", "f16[]"],
       "body": ["s = Add(p1, p0)", "r = Tuple(s, s)"], "result": "r"}


def varied(name, body, inputs, replicas=1):
    one = module("f16", inputs[0], body)
    one["module"]["computations"]["f"] = ADD
    if replicas > 1:
        one["replicas"] = replicas
        one["inputs"] = [module("f16", i, body)["inputs"] for i in inputs]
    made, said = evaluate_all([filed("Cos", one)], "Cos")
    low, high, _ = ask([module("f16", [FIRST], ["c = Cos(p0)"])])[0]
    wanted = np.float16([low[0], high[0]]) + SECOND
    last = made[0]["replicas"][-1][0]["elements"][-1]["accept"] if made else ""
    ends = [np.float16(x) for x in re.split(r"[][, ]+", last) if x]
    ok(low[0] < high[0] and ends and min(ends) <= wanted[0]
       and max(ends) >= wanted[1],
       f"{name}: a known unit beside an inexact one", (said, last, wanted))


varied("ReduceWindow", BODY + [
    "r = ReduceWindow(d, p2) {computation = add, window_dimensions = [2], "
    "window_strides = [1], padding = [[1, 0]]}"],
    [[FIRST, SECOND, np.zeros((), np.float16)]])
varied("Scan", BODY + [
    "t = Scan(d, p2) {computation = f, num_inputs = 1, scan_dimension = 0, "
    "is_associative = true}", "r = GetTupleElement(t) {index = 0}"],
    [[FIRST, SECOND, np.zeros((), np.float16)]])
varied("AllReduce", ["c = Cos(p0)", "i = ReplicaId()",
                     "b = ConvertElementType(i) {new_element_type = pred}",
                     "k = Broadcast(b) {broadcast_sizes = [1]}",
                     "w = Select(k, p0, c)",
                     "r = AllReduce(w) {computation = add, "
                     "replica_groups = []}"], [[FIRST], [SECOND]], 2)

# Windows and convolutions are followed, too: less the element itself, each of
# their sums moves by its other terms and its own roundings only.
AROUND = "window_strides = [1], padding = [[1, 0]]"
less = width(["e = Exp(p0)", "w = ReduceWindow(e, p1) {computation = add, "
              f"window_dimensions = [2], {AROUND}}}", "r = Sub(w, e)"],
             [1.5, -2.25, 0.75])
ok(less < 8e-6, "a window's sum less one of its terms", less)
less = width(["e = Exp(p0)", f"w = ConvWithGeneralPadding(e, p1) {{{AROUND}}}",
              "r = Sub(w, e)"], [[[1.5, -2.25, 0.75]]], [[[0.5, 1]]])
ok(less < 6e-6, "a convolution less one of its terms", less)

# Under contraction and excess precision each use of a result takes it rounded
# or not, for itself.
def wide_program():
    """Instructions of scalars: name, operation, operands."""
    names, steps = ["p0", "p1", "p2"], []
    for k in range(draw.randint(5, 10)):
        op = draw.choice(("Exp", "Tanh", "Neg", "Sqrt", "Logistic", "Add", "Sub",
                          "Sub", "Sub", "Mul", "Div", "Max"))
        count = 1 if op in UNARY else 2
        steps.append((f"v{k}", op, [draw.choice(names[-4:])
                                    for _ in range(count)]))
        names.append(f"v{k}")
    return steps


def wide_result(steps, inputs):
    values = {n: [np.longdouble(x)] * 2 for n, x in inputs.items()}
    for name, op, operands in steps:
        y = {**UNARY, **BINARY}[op](*(draw.choice(values[n]) for n in operands))
        values[name] = [y, np.longdouble(np.float32(y))]
    return np.float32(values[steps[-1][0]][1])


def check_wide(path):
    wrong, judged = [], 0
    for _ in range(200):
        steps = wide_program()
        inputs = {f"p{k}": np.float32(draw.uniform(0.2, 3)) for k in range(3)}
        with np.errstate(all="ignore"):
            results = {wide_result(steps, inputs).tobytes() for _ in range(40)}
        if not all(np.isfinite(np.frombuffer(r, np.float32)) for r in results):
            continue
        case = {"inputs": [{"shape": "f32[]", "hex": x.tobytes().hex()}
                           for x in inputs.values()],
                "module": {"entry": "main", "computations": {"main": {
                    "parameters": ["f32[]"] * 3, "result": steps[-1][0],
                    "body": [f"{n} = {op}({', '.join(operands)})"
                             for n, op, operands in steps]}}}}
        try:
            with library.Evaluation(steps[0][1], case, path) as evaluation:
                own = evaluation.outputs()[0]
                for r in results:
                    judged += 1
                    if evaluation.judge([own._replace(data=r)]):
                        wrong.append((steps, inputs, r))
        except library.InvalidProgram:
            continue  # inadmissible: a division by what may be 0
    figure("results of values that are rounded for some uses only", judged)
    ok(judged > 200 and not wrong, "each use is rounded or not, for itself",
       (judged, wrong[:1]))


with tempfile.TemporaryDirectory() as folder:
    check_wide(profile(folder, "wide", choices={
        "arithmetic.contraction": "accept",
        "arithmetic.excess-precision": "accept"}))
finish()
