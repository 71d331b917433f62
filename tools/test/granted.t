#!/usr/bin/env python3
# granted.t - the judge accepts what flushed operands give, and nothing beside.
#
# SPDX-License-Identifier: Apache-2.0
#
# Programs on f8e5m2 (IEEE 754 rules, 256 patterns), as in choices.t, whose
# results are judged one by one.  A profile lets operands be flushed: some of
# the inputs, to zeros of their sign or to +0; or every operation that computes
# or compares takes its operands for zeros, while data that only move, and the
# operand that a maximum or a select gives, keep their bits (verdicts.md); or
# each use of an operand is flushed or not, whatever the others are.  What each
# of these ways gives must be right.  What lies outside the ends of all of them
# must be wrong, where each result is used once and there are few ways.
#
# ASSAY_SEED: other programs.  ASSAY_LONG: more of them.
import itertools
import json
import os
import random
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{HERE}/independent"]

from formats import FORMATS  # noqa: E402
from ieee import (Value, add, div, is_below, is_number, mul, negate,  # noqa: E402
                  order)
from accepts import own_op
from judging import library, profile, same_but  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = os.environ.get("ASSAY_SEED", "1")
COUNT = 2000 if os.environ.get("ASSAY_LONG") else 200
SHARP = 128  # ways; of many more only the ends are tried (verdicts.md)
TYPE = "f8e5m2"
F = FORMATS[TYPE]
SIGN, INF, NAN = 0x80, 0x7c, 0x7e
NORMAL = Fraction(1, 1 << 14)  # the smallest normal number
PROFILES = {"operands": ["flush-operands"],
            "both": ["flush-results", "flush-operands"],
            "any-sign": ["flush-results", "flush-operands", "any-sign"]}


def value_of(pattern):
    return Value(F.number(pattern), F.negative(pattern))


def is_small(p):
    return p & 0x7f and not p & 0x7c


def key(p):
    """Patterns in the order of their numbers."""
    return -1 - (p & 0x7f) if p & SIGN else p


def flushed(p, positive):
    return p if not is_small(p) else 0 if positive else p & SIGN


class Way:
    """One way of treating subnormal numbers: how operations take operands, and
    what results may become."""

    def __init__(self, operands, flags):
        self.operands = operands  # None, "keep" or "positive"
        self.results = "flush-results" in flags
        self.any_sign = "any-sign" in flags

    def take(self, p, k):
        """Pattern p as operand k."""
        return p if not self.operands else flushed(
            p, self.operands == "positive")

    def picked(self, zero, x, taken):
        """What a maximum may give for zero, which the operands come to."""
        return self.finish(zero).union(*(
            self.given(p) for p in x if self.operands and is_small(p)))

    def given(self, p):
        """An operand that a maximum gives.  Whether that is a result, which
        may be flushed, is left open."""
        return self.finish(p) if self.open else {p}

    def finish(self, p):
        out = {p}
        if self.results and is_small(p):
            out.add(p & SIGN)
            if self.any_sign:
                out |= {0, SIGN}
        return out

    def rounded(self, v):
        """Patterns that an exact result may become."""
        if v.x == "nan":
            return {NAN}
        p = F.round(v.x, v.negative)
        if self.results and is_number(v) and 0 < abs(v.x) < NORMAL:
            return {p} | self.finish(1 | (SIGN if v.x < 0 else 0)) - {
                1, SIGN | 1}
        return {p}


class Uses(Way):
    """Each use is flushed or not: one combination after the other."""

    def __init__(self, flags):
        super().__init__(None, flags)
        self.decided = []  # [use, its way, the last way]
        self.step = 0

    def decide(self, use, last):
        for one in self.decided[:self.found]:
            if one[0] == use:
                one[2] = max(one[2], last)
                return one[1]
        if self.found == len(self.decided):
            self.decided.append([use, 0, last])
        one = self.decided[self.found]
        self.found += 1
        one[0], one[2] = use, max(one[2], last)
        return one[1]

    def take(self, p, k):
        if not is_small(p):
            return p
        way = self.decide((self.step, k),
                          2 if self.any_sign and p & SIGN else 1)
        return flushed(p, way == 2) if way else p

    def picked(self, zero, x, taken):
        small = [p for p, q in zip(x, taken) if p != q]
        way = self.decide((self.step, "gives"), len(x)) if small else 0
        return self.given(x[way - 1]) if way and x[way - 1] in small \
            else self.finish(zero)

    def runs(self, program, due):
        """What each combination gives."""
        while True:
            self.found = 0
            yield program.run(program.parameters, self, due)
            del self.decided[self.found:]
            while self.decided and self.decided[-1][1] == self.decided[-1][2]:
                self.decided.pop()
            if not self.decided:
                return
            self.decided[-1][1] += 1


def converted(x, way):
    """To a wider type and back."""
    return way.rounded(value_of(way.take(x[0], 0)))


def twice(x, way):
    """(x + y) + y, by one instruction of a loop."""
    return {r for s in apply("Add", x, way)
            for r in apply("Add", [s, x[1]], way)}


def reduced(op, x, way):
    """A maximum or minimum of an array, which is flushed or not."""
    taken = [way.take(p, 0) for p in x]
    if any(p & 0x7f > INF for p in taken):
        return {NAN}
    best = (max if op == "ReduceMax" else min)(
        taken, key=lambda p: order(value_of(p)))
    return way.finish(best) if best & 0x7f else way.picked(best, x, taken)


def clamped(x, way):
    low, p, high = taken = [way.take(p, k) for k, p in enumerate(x)]
    if any(p & 0x7f > INF for p in taken):
        return {NAN}

    def place(p):
        return order(value_of(p))
    best = min(max(low, p, key=place), high, key=place)
    return way.finish(best) if best & 0x7f else way.picked(best, x, taken)


def extreme(op, x, way):
    """A maximum or minimum: NaN propagates, -0 is less than 0."""
    taken = [way.take(p, k) for k, p in enumerate(x)]
    if any(p & 0x7f > INF for p in taken):
        return {NAN}
    best = (max if op == "Max" else min)(
        taken, key=lambda p: order(value_of(p)))
    return way.finish(best) if best & 0x7f else way.picked(best, x, taken)


def select(x, way):
    a, b = (value_of(way.take(p, k)) for k, p in enumerate(x))
    if "nan" in (a.x, b.x):
        return {x[1]}
    above = order(a)[0] > order(b)[0]
    return {x[0] if above else x[1]}


def apply(op, x, way):
    """Patterns that a step may give for operands' patterns."""
    if op in WHOLE:
        return WHOLE[op](x, way)
    op = SAME.get(op, op)
    if op in ("Max", "Min"):
        return extreme(op, x, way)
    if op in ("ReduceMax", "ReduceMin"):
        return reduced(op, x, way)
    if op == "Select":
        return select(x, way)
    if op in ("Move", "Loop"):
        return set(x)
    if op in ("Neg", "Abs"):
        p = x[0] ^ SIGN if op == "Neg" else x[0] & 0x7f
        return {NAN} if p & 0x7f > INF else way.finish(p)
    a, b = (value_of(way.take(p, k)) for k, p in enumerate(x))
    return way.rounded({"Add": add, "Mul": mul, "Div": div,
                        "Sub": lambda a, b: add(a, negate(b))}[op](a, b))


WHOLE = {"Convert": converted, "Clamp": clamped, "Twice": twice}
# The same in a called computation, or of an array.
SAME = {"CallAdd": "Add", "MapMul": "Mul", "CallMax": "Max"}


ONE_OPERAND = ("Neg", "Abs", "Move", "Loop", "Convert")
OPERATIONS = ("Add", "Sub", "Mul", "Mul", "Div", "Max", "Min", "Neg", "Abs",
              "Select", "Move", "Loop", "Convert", "Clamp", "ReduceMax",
              "ReduceMin", "CallAdd", "CallMax", "MapMul", "Twice")


class Program:
    """steps: (op, operand numbers); parameters come first."""

    def __init__(self, parameters, steps):
        self.parameters, self.steps = parameters, steps
        used = [k for _, operands in self.steps for k in operands
                if k >= len(self.parameters)]
        self.tree = len(used) == len(set(used))

    def lines(self, i):
        op, operands = self.steps[i]
        n = len(self.parameters)
        x = [f"p{k}" if k < n else f"s{k - n}" for k in operands]
        if op == "Select":
            return [f"g{i} = Gt({x[0]}, {x[1]})",
                    f"s{i} = Select(g{i}, {x[0]}, {x[1]})"]
        if op == "Move":
            return [f"b{i} = Broadcast({x[0]}) {{broadcast_sizes = [1]}}",
                    f"s{i} = Reshape(b{i}) {{new_sizes = []}}"]
        if op == "Convert":
            return [f"c{i} = ConvertElementType({x[0]}) "
                    "{new_element_type = f16}",
                    f"s{i} = ConvertElementType(c{i}) "
                    f"{{new_element_type = {TYPE}}}"]
        if op.startswith("Reduce"):
            return [f"a{i} = Reshape({x[0]}) {{new_sizes = [1]}}",
                    f"b{i} = Reshape({x[1]}) {{new_sizes = [1]}}",
                    f"c{i} = ConcatInDim(a{i}, b{i}) {{dimension = 0}}",
                    f"s{i} = Reduce(c{i}, {x[1]}) {{computation = "
                    f"{op[6:].lower()}, dimensions_to_reduce = [0]}}"]
        if op.startswith("Call"):
            return [f"s{i} = Call({', '.join(x)}) {{computation = f{i}}}"]
        if op.startswith("Map"):
            return [f"s{i} = Map({', '.join(x)}) {{computation = f{i}, "
                    "dimensions = []}"]
        if op == "Twice":
            return [f"z{i} = Constant() {{literal = s32[] 0}}",
                    f"t{i} = Tuple({x[0]}, {x[1]}, z{i})",
                    f"w{i} = While(t{i}) {{condition = two, body = f{i}}}",
                    f"s{i} = GetTupleElement(w{i}) {{index = 0}}"]
        if op == "Loop":  # once
            return [f"c{i} = Constant() {{literal = s32[] 0}}",
                    f"t{i} = Tuple({x[0]}, c{i})",
                    f"w{i} = While(t{i}) {{condition = none, body = count}}",
                    f"s{i} = GetTupleElement(w{i}) {{index = 0}}"]
        return [f"s{i} = {op}({', '.join(x)})"]

    def case(self):
        state = [f"({TYPE}[], s32[])"]
        take = ["x = GetTupleElement(p0) {index = 0}",
                "i = GetTupleElement(p0) {index = 1}",
                "one = Constant() {literal = s32[] 1}"]
        body = [line for i in range(len(self.steps)) for line in self.lines(i)]
        computations = {"main": {
            "parameters": [f"{TYPE}[]"] * len(self.parameters), "body": body,
            "result": f"s{len(self.steps) - 1}"}}
        if any(op == "Loop" for op, _ in self.steps):
            computations["none"] = {"parameters": state, "result": "r",
                                    "body": take + ["r = Lt(i, one)"]}
            computations["count"] = {
                "parameters": state, "result": "r",
                "body": take + ["j = Add(i, one)", "r = Tuple(x, j)"]}
        for i, (op, _) in enumerate(self.steps):
            if op in SAME:
                computations[f"f{i}"] = {
                    "parameters": [f"{TYPE}[]"] * 2, "result": "r",
                    "body": [f"r = {SAME[op]}(p0, p1)"]}
            if op == "Twice":
                self.add_loop(computations, f"f{i}")
        return {"inputs": [{"shape": f"{TYPE}[]", "hex": f"{p:02x}"}
                           for p in self.parameters],
                "module": {"entry": "main", "computations": computations}}

    @staticmethod
    def add_loop(computations, name):
        state = [f"({TYPE}[], {TYPE}[], s32[])"]
        take = [f"{x} = GetTupleElement(p0) {{index = {k}}}"
                for k, x in enumerate("xyi")]
        computations["two"] = {
            "parameters": state, "result": "r", "body": [
                *take, "n = Constant() {literal = s32[] 2}", "r = Lt(i, n)"]}
        computations[name] = {
            "parameters": state, "result": "r", "body": [
                *take, "n = Constant() {literal = s32[] 1}", "j = Add(i, n)",
                "s = Add(x, y)", "r = Tuple(s, y, j)"]}

    @classmethod
    def draw(cls, source):
        parameters = [source.choice(PATTERNS)
                      for _ in range(source.choice((2, 3, 3)))]
        steps = []
        for _ in range(source.choice((1, 2, 2, 3))):
            n = len(parameters) + len(steps)
            op = source.choice(OPERATIONS)
            last = n - 1 if steps else source.randrange(n)
            operands = [last] + [source.randrange(n) for _ in range(
                0 if op in ONE_OPERAND else 2 if op == "Clamp" else 1)]
            source.shuffle(operands)
            steps.append((op, operands))
        return cls(parameters, steps)

    def only_moves(self):
        return all(op in ("Move", "Loop") for op, _ in self.steps)

    def run(self, inputs, way, due):
        """What this way gives; if not due, with what is allowed beside it."""
        states, way.open = {tuple(inputs)}, not due
        for way.step, (op, operands) in enumerate(self.steps):
            states = {s + (q,) for s in states
                      for q in apply(op, [s[k] for k in operands], way)}
        return {s[-1] for s in states}

    def results(self, flags, due):
        """The set that each way gives."""
        signs = ("keep", "positive") if "any-sign" in flags else ("keep",)
        plain, n = Way(None, flags), len(self.parameters)
        out = [self.run(self.parameters, plain, due)]
        for sign in signs:
            out.append(self.run(self.parameters, Way(sign, flags), due))
            for mask in itertools.product((False, True), repeat=n):
                if not self.only_moves():
                    out.append(self.run(
                        [flushed(p, sign == "positive") if m else p
                         for p, m in zip(self.parameters, mask)], plain,
                        due))
        if not self.only_moves():
            out += Uses(flags).runs(self, due)
        return out


SMALL = [p for p in range(256) if is_small(p)]
NEAR = [p for p in range(256) if 0x38 <= p & 0x7f <= 0x40]  # 1/2 to 2
LARGE = [p for p in range(256) if 0x60 <= p & 0x7f <= 0x70]  # 2^9 to 2^13
PATTERNS = (30 * SMALL + 8 * [0, SIGN] + 4 * NEAR + 4 * LARGE + [
    p for p in range(256) if p & 0x7f < INF] + 2 * [INF, INF | SIGN, NAN])


def outside(ways, any_sign):
    """Patterns between the ends of no way, and next to one that is."""
    inside = set()
    for way in ways:
        numbers = [key(p) for p in way if p & 0x7f <= INF]
        if numbers:
            low, high = min(numbers), max(numbers)
            if any_sign and low <= 0 and high >= -1:
                low, high = min(low, -1), max(high, 0)
            inside |= set(range(low, high + 1))
    near = {k + d for k in inside for d in (-1, 1)} - inside
    out = {p for p in range(256) if p & 0x7f <= INF and key(p) in near
           or p in (0, SIGN, INF, INF | SIGN) and key(p) not in inside}
    if not any(p & 0x7f > INF for way in ways for p in way):
        out.add(NAN)
    return out


# In the first two, where a minimum of two zeros may give 3, there are too many
# uses to try each combination.  In the others a result divides that may be
# flushed to a zero of the other sign.  In the last one such a result decides what
# a flushed parameter is compared with.
FIXED = [
    ([135, 3, 129], [("Min", [1, 2]), ("Max", [3, 3]), ("Twice", [4, 4])]),
    ([135, 3, 129], [("ReduceMin", [1, 2]), ("Max", [3, 3]),
                     ("Twice", [4, 4])]),
    ([20, 3], [("Min", [1, 0]), ("Div", [0, 2])]),
    ([20, 3], [("ReduceMin", [1, 0]), ("Div", [0, 2])]),
    ([20, 3], [("Abs", [1]), ("Div", [0, 2])]),
    ([1, 3, 1], [("Clamp", [0, 1, 0]), ("Add", [1, 3]), ("Div", [4, 3])]),
    ([235, 175, 129], [("Div", [1, 0]), ("Select", [3, 2])])]


def check(flags, mine, name):
    source = random.Random(f"{SEED} {name}")
    wrong, wide, judged, many, controls = [], [], 0, 0, 0
    for p in ([Program.draw(source) for _ in range(COUNT)]
              + [Program(*of) for of in FIXED]):
        try:
            with library.Evaluation(own_op(p.case()), p.case(), mine) as evaluation:
                due = set().union(*p.results(flags, True))
                ways = p.results(flags, False)
                lost = [q for q in due if not same_but(evaluation, 0, [q])]
                sharp = p.tree and len(ways) <= SHARP
                extra = [q for q in outside(ways, "any-sign" in flags)
                         if sharp and same_but(evaluation, 0, [q])]
        except (library.EvaluationError, library.InvalidProgram) as e:
            if "inadmissible" not in str(e):
                wrong.append(f"{json.dumps(p.case())}: {e}")
            continue
        judged += 1
        controls += sharp
        many += len(due) > 1
        text = f"{p.parameters} {p.steps}: {sorted(due)}"
        if lost:
            wrong.append(f"{text} lacks {lost}")
        if extra:
            wide.append(f"{text} has {extra}, too")
    ok(not wrong, f"{name}: {judged} of {COUNT + len(FIXED)} programs judged, "
       f"{many} with several results", f"{len(wrong)}\n" + "\n".join(wrong[:8]))
    ok(not wide, f"{name}: nothing beside them", f"{len(wide)}\n" + "\n".join(wide[:8]))
    ok(judged >= COUNT // 2 and many >= COUNT // 8 and controls >= COUNT // 2,
       f"{name}: enough", (judged, many, controls))


def check_many(folder):
    """c + c + ... + c in f32, with a subnormal c: more combinations of uses
    than are tried one by one.  Each multiple of c up to all is right."""
    terms = 14
    mine = profile(folder, "many", types={"f32": {
        "subnormal": ["flush-operands"], "nan": "any"}})
    body = ["s0 = Add(p0, p0)"] + [f"s{k} = Add(s{k - 1}, p0)"
                                   for k in range(1, terms - 1)]
    case = {"inputs": [{"shape": "f32[]", "hex": "01000000"}],
            "module": {"entry": "main", "computations": {"main": {
                "parameters": ["f32[]"], "body": body,
                "result": f"s{terms - 2}"}}}}
    with library.Evaluation("Add", case, mine) as evaluation:
        right = [k for k in [-1, *range(terms + 3)] if same_but(
            evaluation, 0, list((k % 2 ** 32).to_bytes(4, "little")))]
    ok(right == list(range(terms + 1)), f"any of {terms} terms flushed", right)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in PROFILES.items():
            check(flags, profile(folder, name, types={TYPE: {
                "subnormal": flags, "nan": "any"}}), name)
        check_many(folder)
    figure("programs whose flushed operands were judged",
           (COUNT + len(FIXED)) * len(PROFILES))
    finish()


main()
