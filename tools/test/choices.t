#!/usr/bin/env python3
# choices.t - sets of small programs, against all that permitted choices give.
#
# SPDX-License-Identifier: Apache-2.0
#
# Programs of two or three instructions on f8e5m2 (IEEE 754 rules, 256
# patterns).  For each the values that some choice gives are enumerated: each
# result flushed or not, each product rounded or fused into the sum that takes
# it, each intermediate rounded or not, each tree of a reduction, also of one by
# such a program.  All of them must be accepted.  The sets of intervals are outer bounds (verdicts.md); where
# only flushing is allowed and each value is used once their ends must be
# reached.
#
# ASSAY_SEED: other programs.  ASSAY_LONG: more of them.
import json
import os
import random
import re
import subprocess
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
from tap import figure, finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
SEED = os.environ.get("ASSAY_SEED", "1")
COUNT = 4000 if os.environ.get("ASSAY_LONG") else 600
TYPE = "f8e5m2"
F, WIDE = FORMATS[TYPE], FORMATS["f16"]
SIGN, INF, NAN = 0x80, 0x7c, 0x7e
NORMAL = Fraction(1, 1 << 14)  # the smallest normal number

PROFILES = {
    "strict": {},
    "flush": {"types": {TYPE: {"subnormal": ["flush-results"], "nan": "any"}}},
    "flush-any": {"types": {TYPE: {
        "subnormal": ["flush-results", "any-sign"], "nan": "any"}}},
    "contract": {"choices": {"arithmetic.contraction": "accept"}},
    "excess": {"choices": {"arithmetic.excess-precision": "accept"}},
    "mixed": {"choices": {"arithmetic.contraction": "accept",
                          "arithmetic.excess-precision": "accept",
                          "max.signed-zero": "either", "max.nan": "either"},
              "types": {TYPE: {"subnormal": ["flush-results", "any-sign"],
                               "nan": "any"}}},
}


def value_of(pattern):
    x = F.number(pattern)
    return Value(x, F.negative(pattern))


def rounded(v, choices):
    """Patterns that an exact result may become."""
    if v.x == "nan":
        return {NAN}
    p = F.round(v.x, v.negative)
    out = {p}
    if choices["flush"] and is_number(v) and 0 < abs(v.x) < NORMAL:
        out.add(SIGN if v.x < 0 else 0)
        if choices["any-sign"]:
            out |= {0, SIGN}
    return out


def extremes(op, a, b, choices):
    if "nan" in (a.x, b.x):
        if not choices["max.nan"]:
            return [Value("nan")]
        return [Value("nan"), a, b]
    if a.x == b.x == 0 and choices["max.zero"]:
        return [a, b]
    return [max(a, b, key=order) if op == "Max" else min(a, b, key=order)]


def unrounded(v):
    """What an intermediate may be in a wider type: as it is, or an f16."""
    yield v
    if is_number(v):
        p = WIDE.round(v.x, v.negative)
        yield Value(WIDE.number(p), bool(WIDE.negative(p)))


class Program:
    """steps: (op, operand numbers); parameters come first."""

    def __init__(self, source):
        self.parameters = [source.choice(PATTERNS)
                           for _ in range(source.choice((2, 3, 3)))]
        self.steps, self.tree = [], True
        for _ in range(source.choice((2, 2, 3))):
            n = len(self.parameters) + len(self.steps)
            op = source.choice(("Add", "Sub", "Mul", "Mul", "Mul", "Max", "Min",
                                "Neg", "Abs", "Div", "Reduce"))
            if self.steps and self.steps[-1][0] == "Mul":
                op = source.choice(("Add", "Sub", op))
            last = n - 1 if self.steps else source.randrange(n)
            count = {"Neg": 1, "Abs": 1, "Reduce": 3}.get(op, 2)
            operands = [last] + [source.randrange(n) for _ in range(count - 1)]
            source.shuffle(operands)
            self.steps.append((op, operands))
        used = [k for _, operands in self.steps for k in operands]
        # A parameter is exact: it may be used twice.
        self.tree = all(used.count(k) <= 1 for k in used
                        if k >= len(self.parameters))

    def case(self, name):
        body, computations = [], {}
        n = len(self.parameters)
        for i, (op, operands) in enumerate(self.steps):
            names = [f"p{k}" if k < n else f"s{k - n}" for k in operands]
            if op != "Reduce":
                body.append(f"s{i} = {op}({', '.join(names)})")
                continue
            for k, x in enumerate(names):
                body.append(f"b{i}_{k} = Broadcast({x}) {{broadcast_sizes = [1]}}")
            body += [f"c{i} = ConcatInDim({', '.join(f'b{i}_{k}' for k in range(3))})"
                     " {dimension = 0}",
                     f"z{i} = Constant() {{literal = {TYPE}[] 0}}",
                     f"s{i} = Reduce(c{i}, z{i}) {{computation = add, "
                     "dimensions_to_reduce = [0]}"]
        computations["main"] = {"parameters": [f"{TYPE}[]"] * n, "body": body,
                                "result": f"s{len(self.steps) - 1}"}
        return {"id": name, "why": "a random program",
                "inputs": [{"shape": f"{TYPE}[]", "hex": f"{p:02x}"}
                           for p in self.parameters],
                "module": {"entry": "main", "computations": computations}}

    def results(self, choices):
        """Patterns that some choice gives."""
        return {pattern_at(v) for v in self.values(
            [value_of(p) for p in self.parameters], choices, False)}

    def values(self, parameters, choices, inside):
        """Results that some choice gives; inside: for other instructions."""
        n = len(parameters)
        last = len(self.steps) - 1

        def value(k, state):
            return parameters[k] if k < n else state[k - n][0]

        def exacts(i, state):
            """Exact results of step i, before it is rounded."""
            op, operands = self.steps[i]
            v = [value(k, state) for k in operands]
            if op in ("Max", "Min"):
                return extremes(op, v[0], v[1], choices)
            if op == "Neg":
                return [negate(v[0])]
            if op == "Abs":
                return [negate(v[0]) if is_below(v[0]) else v[0]]
            if op in ("Mul", "Div"):
                return [mul(*v) if op == "Mul" else div(*v)]
            if op == "Reduce":
                return trees(v, choices)
            terms = [[x] for x in v]
            for j, k in enumerate(operands):
                if choices["contract"] and k >= n and state[k - n][1]:
                    terms[j].append(state[k - n][1])
            out = []
            for a in terms[0]:
                for b in terms[1]:
                    if len(terms[0]) > 1 and len(terms[1]) > 1 and (
                            a is terms[0][-1] and b is terms[1][-1]):
                        continue  # one product is fused, not both
                    out.append(add(a, negate(b) if op == "Sub" else b))
            return out

        states = [()]
        for i in range(last + 1):
            more = {}
            for state in states:
                for e in exacts(i, state):
                    product = e if self.steps[i][0] == "Mul" else None
                    for p in rounded(e, choices):
                        s = state + ((value_of(p), product),)
                        more[tuple((v.key(), w and w.key()) for v, w in s)] = s
                    if choices["excess"] and (inside or i < last):
                        for w in unrounded(e):
                            s = state + ((w, product),)
                            more[tuple((v.key(), x and x.key()) for v, x in s)] = s
            states = list(more.values())
        return list({s[-1][0].key(): s[-1][0] for s in states}.values())


def pattern_at(v):
    return NAN if v.x == "nan" else F.round(v.x, v.negative)


class Reduction(Program):
    """A Reduce or ReduceWindow of the program's steps, which take two values;
    the initial value comes first, or anywhere where a policy says so."""

    def __init__(self, source):
        while True:
            super().__init__(source)
            if len(self.parameters) == 2 and all(
                    op != "Reduce" for op, _ in self.steps):
                break
        self.tree = False
        self.window = source.random() < 0.5
        self.leaves = [source.choice(PATTERNS)
                       for _ in range(source.choice((2, 3)))]

    def case(self, name):
        inner = super().case(name)["module"]["computations"]["main"]
        init, *data = self.leaves
        shape = f"{TYPE}[{len(data)}]"
        call = (f"ReduceWindow(p0, p1) {{computation = f, window_dimensions = "
                f"[{len(data)}], window_strides = [1], padding = VALID}}"
                if self.window else
                "Reduce(p0, p1) {computation = f, dimensions_to_reduce = [0]}")
        return {"id": name, "why": "a random reduction",
                "policies": {"reduce.init": "once"},
                "inputs": [{"shape": shape,
                            "hex": "".join(f"{p:02x}" for p in data)},
                           {"shape": f"{TYPE}[]", "hex": f"{init:02x}"}],
                "module": {"entry": "main", "computations": {
                    "f": inner, "main": {"parameters": [shape, f"{TYPE}[]"],
                                         "body": [f"r = {call}"],
                                         "result": "r"}}}}

    def results(self, choices):
        def of(leaves):
            if len(leaves) == 1:
                return [value_of(leaves[0])]
            out = {}
            for cut in range(1, len(leaves)):
                for a in of(leaves[:cut]):
                    for b in of(leaves[cut:]):
                        for v in self.values([a, b], choices, True):
                            out[v.key()] = v
            return list(out.values())
        return {pattern_at(v) for v in of(self.leaves)}


def trees(v, choices):
    """Exact last sums of Reduce: 0 enters once or several times, at the left
    of any sum, and changes only -0."""
    zero = Value(Fraction(0))
    def runs(v):
        if len(v) == 1:
            return [v[0], add(zero, v[0])]
        out = {}
        for cut in range(1, len(v)):
            for a in runs(v[:cut]):
                for b in runs(v[cut:]):
                    for p in rounded(add(a, b), choices):
                        w = value_of(p)
                        out[w.key()] = w
        return list(out.values())
    return [add(zero, w) for w in runs(v)]


SMALL = [p for p in range(256) if is_number(value_of(p))
         and abs(F.number(p)) < 16 * NORMAL]
NEAR_ONE = [p for p in range(256) if is_number(value_of(p))
            and Fraction(1, 16) <= abs(F.number(p)) <= 16]
PATTERNS = (4 * SMALL + 4 * NEAR_ONE + [
    p for p in range(256) if is_number(value_of(p)) and p & 0x7f] + [INF, INF | SIGN,
                                                                NAN] * 2)


def choices_of(name):
    p = PROFILES[name]
    c, t = p.get("choices", {}), p.get("types", {}).get(TYPE, {})
    flags = t.get("subnormal", [])
    return {"flush": "flush-results" in flags, "any-sign": "any-sign" in flags,
            "contract": "arithmetic.contraction" in c,
            "excess": "arithmetic.excess-precision" in c,
            "max.zero": "max.signed-zero" in c, "max.nan": "max.nan" in c}


def key(p):
    """Patterns in the order of their numbers."""
    return -1 - (p & 0x7f) if p & SIGN else p


def pattern_of(text):
    if text in ("inf", "-inf"):
        return INF | SIGN if text[0] == "-" else INF
    x = Fraction(text)
    return F.round(x, text.startswith("-"))


def ranges(accept):
    """A set's text as pairs of keys; "any" or whether a NaN is in it."""
    out, nan = [], False
    for part in accept.split(" | "):
        if part == "any":
            return None, True
        if part.startswith("nan"):
            nan = True
            continue
        ends = re.fullmatch(r"\[(.*), (.*)\]", part)
        low, high = ends.groups() if ends else (part, part)
        out.append((key(pattern_of(low)), key(pattern_of(high))))
    return out, nan


def has(got, nan, p):
    if got is None:
        return True
    if p & 0x7f > INF:
        return nan
    return any(low <= key(p) <= high for low, high in got)


def evaluate(programs, profile, folder):
    path, mine = f"{folder}/case.json", f"{folder}/mine.json"
    with open(mine, "w") as f:
        json.dump({"profile": "mine", "extends": "strict", "text": "a test",
                   **PROFILES[profile]}, f)
    with open(path, "w") as f:
        json.dump({"format": "assay-case/1", "op": "Add",
                   "cases": [{**p.case(f"n{i}"), "op": own_op(p.case("n"))}
                             for i, p in enumerate(programs)]}, f)
    done = subprocess.run([ASSAY, "eval", "--json", "--profile", mine, path],
                          capture_output=True, text=True, timeout=300)
    return json.loads(done.stdout)["cases"]


def check(profile, folder, kind):
    source = random.Random(f"{SEED} {profile}")
    programs = [kind(source) for _ in range(COUNT)]
    choices, wrong, wide, judged, many = choices_of(profile), [], [], 0, 0
    for p, told in zip(programs, evaluate(programs, profile, folder)):
        if told["status"] != "ok":
            if "inadmissible" not in told.get("text", ""):
                wrong.append(f"{p.case('x')}: {told}")
            continue
        judged += 1
        accept = told["replicas"][0][0]["elements"][0]["accept"]
        got, nan = ranges(accept)
        due = p.results(choices)
        many += len(due) > 1
        lost = [q for q in due if not has(got, nan, q)]
        if lost:
            wrong.append(f"{json.dumps(p.case('x'))}: {accept} lacks "
                         f"{[str(F.number(q)) for q in lost]} of {len(due)}")
        reduces = any(op == "Reduce" for op, _ in p.steps)
        if got and p.tree and not reduces and profile in (
                "strict", "flush", "flush-any"):
            keys = {key(q) for q in due}
            # Where a flushed zero has either sign, so have all (an interval).
            if choices["any-sign"] and keys & {-1, 0}:
                keys |= {-1, 0}
            if {got[0][0], got[-1][1]} - keys:
                wide.append(f"{json.dumps(p.case('x'))}: {accept}, but only "
                            f"{sorted(str(F.number(q)) for q in due)}")
    name = f"{profile}, {kind.__name__}"
    ok(not wrong, f"{name}: {judged} of {COUNT} judged, {many} with several "
       "results", "\n".join(wrong[:5]))
    ok(not wide, f"{name}: the ends are reached", "\n".join(wide[:5]))
    ok(judged >= COUNT // 3, f"{name}: enough are judged", judged)


def control(folder):
    """What a wider type gives is not accepted where it is not permitted."""
    source = random.Random(SEED)
    programs = [Reduction(source) for _ in range(COUNT)]
    lost = 0
    for p, told in zip(programs, evaluate(programs, "strict", folder)):
        got = ranges(told["replicas"][0][0]["elements"][0]["accept"])
        lost += any(not has(*got, q) for q in p.results(choices_of("excess")))
    ok(lost > 0, f"a control: strict rejects a wider type in {lost} reductions")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for profile in PROFILES:
            for kind in (Program, Reduction):
                check(profile, folder, kind)
        control(folder)
    figure("programs whose choices were enumerated",
           2 * COUNT * len(PROFILES))
    finish()


main()
