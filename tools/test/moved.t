#!/usr/bin/env python3
# moved.t - what only moves is judged as it was before it moved.
#
# SPDX-License-Identifier: Apache-2.0
#
# Random programs compute sets of several kinds, mix them with elements of an
# operand (NaNs of any payload, zeros of both signs, infinities, subnormal
# numbers) by two to four instructions that move data, and may end with one that
# works on each element.  A plain model follows where each element comes from.
# An element of the operand has one right pattern.  For another one every
# pattern that is tried must be right or wrong as in the program that computes
# it alone: nothing decided is refused, and nothing wrong is accepted.
import os
import random
import struct
import sys

sys.dont_write_bytecode = True

from judging import library
from tap import figure, finish, ok

SEED = int(os.environ.get("ASSAY_SEED", "1"))
ROUNDS = max(40, int(os.environ.get("ASSAY_SAMPLES", "0")))
N = 4  # elements of each array
draw = random.Random(SEED)
print(f"# seed {SEED}")

CODES = {"f32": ("<I", "<f"), "f16": ("<H", "<e")}
FIELDS = {"f32": (0x7f800000, 0x007fffff), "f16": (0x7c00, 0x03ff)}


def pattern(kind, x):
    return struct.unpack(CODES[kind][0], struct.pack(CODES[kind][1], x))[0]


def special(kind):
    """A pattern that a move must keep."""
    infinity, fraction = FIELDS[kind]
    sign = draw.choice((0, infinity + fraction + 1))
    quiet = (fraction + 1) >> 1
    return sign | draw.choice((
        0, 1, fraction, draw.randint(1, fraction), infinity,
        infinity | quiet | draw.randrange(quiet), infinity | quiet,
        infinity | draw.randint(1, quiet - 1), pattern(kind, 1.5)))


def array(kind, patterns, dims=None):
    size = ",".join(map(str, dims or [len(patterns)]))
    return {"shape": f"{kind}[{size}]", "hex": b"".join(
        struct.pack(CODES[kind][0], p) for p in patterns).hex()}


def numbers(kind, count, choices):
    return array(kind, [pattern(kind, draw.choice(choices))
                        for _ in range(count)])


# ---- Sources: what computes N elements alone ---------------------------------

def exponentials(kind, name):
    x = [0.0, 1.0, -2.5, 0.3, float("nan"), float("inf"), -float("inf"), -9.5]
    made = [pattern(kind, draw.choice(x)) for _ in range(N)]
    made[draw.randrange(N)] = pattern(kind, 0.3)  # the others may be exact
    return [array(kind, made)], [f"{name} = Exp(%0)"]


def ranges(kind, name):
    inputs, body = exponentials(kind, name + "e")
    return inputs, body + [f"{name} = Neg({name}e)"]


TINY = {"f32": [1e-20, 3e-25, 1.0, float("nan"), -1e-38, 0.0],
        "f16": [1e-4, 3e-4, 1.0, float("nan"), -7e-5, 0.0]}


def products(kind, name):
    return [numbers(kind, N, TINY[kind]) for _ in range(2)], [
        f"{name} = Mul(%0, %1)"]


def sums(kind, name):
    """They may overflow: then each is a number, an infinity or a NaN."""
    most = {"f32": 3e38, "f16": 6e4}[kind]
    x = [pattern(kind, draw.choice((most, -most, 1.0, 3.0)))
         for _ in range(4 * N)]
    return [array(kind, x, [N, 4]), array(kind, [0], [])], [
        f"{name} = Reduce(%0, %1) {{computation = add, "
        "dimensions_to_reduce = [1]}"]


def computed_nans(kind, name):
    inf = pattern(kind, float("inf"))
    return [array(kind, [inf] * N)], [f"{name} = Sub(%0, %0)"]


def negatives(kind, name):
    return [array(kind, [special(kind) for _ in range(N)])], [
        f"{name} = Neg(%0)"]


def given(kind, name):
    return [array(kind, [special(kind) for _ in range(N)])], [
        f"{name} = Rev(%0) {{dimensions = [0]}}"]


#: Negatives are no sets: their array counts as computed as a whole, so beside
#: them, where subnormal numbers may be flushed, those that were given may be.
SOURCES = [exponentials, ranges, products, sums, computed_nans, negatives]


class Source:
    """A program of its own, and what is right for its elements."""

    def __init__(self, kind, make, name):
        self.kind, self.make, self.name = kind, make, name
        self.inputs, self.body = make(kind, name)
        self.probes = [[] for _ in range(N)]
        self.wrong = [[] for _ in range(N)]

    def text(self, first):
        """Its instructions, where its inputs begin with that parameter."""
        lines = []
        for line in self.body:
            for i in range(len(self.inputs)):
                line = line.replace(f"%{i}", f"p{first + i}")
            lines.append(line)
        return lines


def case_of(inputs, body):
    scalar = inputs[0]["shape"].partition("[")[0] + "[]"
    return {"inputs": inputs, "module": {"entry": "main", "computations": {
        "main": {"parameters": [i["shape"] for i in inputs], "body": body,
                 "result": body[-1].split(" ")[0]},
        "second": {"parameters": [scalar, scalar], "body": [], "result": "p1"},
        "before": {"parameters": ["s32[]", "s32[]", scalar, scalar],
                   "body": ["a = Lt(p0, p1)"], "result": "a"}}}}


def opened(inputs, body, profile):
    case = case_of(inputs, body)
    for name in "before", "second":
        if not any(name in line for line in body):
            del case["module"]["computations"][name]
    first = body[0].split("= ")[1].partition("(")[0]
    return library.Evaluation(first, case, profile)


def wrong_of(evaluation, kind, patterns):
    """Which of these patterns are wrong in their places."""
    outputs = evaluation.outputs()
    data = b"".join(struct.pack(CODES[kind][0], p) for p in patterns)
    assert len(data) == len(outputs[0].data)
    told = evaluation.judgement([outputs[0]._replace(data=data)] + outputs[1:])
    return {w.element for w in told.wrong}


def values_of(evaluation, kind):
    return [x[0] for x in struct.iter_unpack(CODES[kind][0],
                                             evaluation.outputs()[0].data)]


def probes_for(kind, value):
    """Patterns that may be right, and some that are not."""
    infinity, fraction = FIELDS[kind]
    sign = infinity + fraction + 1
    quiet = (fraction + 1) >> 1
    top = 2 * sign - 1
    near = [(value + d) & top for d in (-3, -2, -1, 1, 2, 3, 40, -40)]
    return [value, value ^ sign, 0, sign, infinity, sign | infinity,
            infinity | quiet, sign | infinity | quiet, infinity | quiet | 5,
            infinity | 3, 1, sign | 1, infinity - 1, *near,
            draw.randrange(2 * sign)]


def settle(source, profile, last):
    """Try patterns for each element of a source alone; False: refused."""
    body = source.text(0) + last
    try:
        with opened(source.inputs, body, profile) as e:
            values = values_of(e, source.kind)
            source.probes = [probes_for(source.kind, v) for v in values]
            source.wrong = [set() for _ in range(N)]
            for k in range(len(source.probes[0])):
                row = [p[k] for p in source.probes]
                for i in wrong_of(e, source.kind, row):
                    source.wrong[i].add(k)
            if source.make is given and not last:
                for i, v in enumerate(values):  # not what assay says
                    source.wrong[i] = {k for k, p in
                                       enumerate(source.probes[i]) if p != v}
    except (library.InvalidProgram, library.EvaluationError):
        return False
    return True


# ---- Moves: the instruction, and where each element comes from ----------------

def reverse(kind, name, a, others):
    return [f"{name} = Rev({a[0]}) {{dimensions = [0]}}"], a[1][::-1]


def cut(kind, name, a, others):
    if len(a[1]) < 2:
        return reverse(kind, name, a, others)
    low = draw.randrange(len(a[1]) - 1)
    high = draw.randint(low + 1, len(a[1]))
    return [f"{name} = Slice({a[0]}) {{start_indices = [{low}], "
            f"limit_indices = [{high}]}}"], a[1][low:high]


def join(kind, name, a, others):
    b = draw.choice(others)
    return [f"{name} = ConcatInDim({a[0]}, {b[0]}) {{dimension = 0}}"], (
        a[1] + b[1])


def choose(kind, name, a, others):
    same = [b for b in others if len(b[1]) == len(a[1])]
    if not same:
        return join(kind, name, a, others)
    b = draw.choice(same)
    which = [draw.random() < 0.5 for _ in a[1]]
    mask = ", ".join(str(w).lower() for w in which)
    return [
        f"{name}c = Constant() {{literal = pred[{len(which)}] [{mask}]}}",
        f"{name} = Select({name}c, {a[0]}, {b[0]})"], [
            x if w else y for w, x, y in zip(which, a[1], b[1])]


def update(kind, name, a, others):
    small = [b for b in others if len(b[1]) <= len(a[1])]
    if not small:
        return reverse(kind, name, a, others)
    b = draw.choice(small)
    at = draw.randint(0, len(a[1]) - len(b[1]))
    return [f"{name}i = Constant() {{literal = s32[] {at}}}",
            f"{name} = DynamicUpdateSlice({a[0]}, {b[0]}, {name}i)"], (
                a[1][:at] + b[1] + a[1][at + len(b[1]):])


def gather(kind, name, a, others):
    at = [draw.randrange(len(a[1])) for _ in range(draw.randint(1, 6))]
    return [f"{name}i = Constant() {{literal = s32[{len(at)}] {at}}}",
            f"{name} = Gather({a[0]}, {name}i) {{dimension_numbers = "
            "{offset_dims = [], collapsed_slice_dims = [0], start_index_map = "
            "[0], index_vector_dim = 1}, slice_sizes = [1]}"], [
                a[1][i] for i in at]


def turn(kind, name, a, others):
    n = len(a[1])
    return [f"{name}b = BroadcastInDim({a[0]}) {{out_dim_size = [{n}, 2], "
            "broadcast_dimensions = [0]}",
            f"{name}t = Transpose({name}b) {{permutation = [1, 0]}}",
            f"{name} = Reshape({name}t) {{new_sizes = [{2 * n}]}}"], a[1] * 2


def order(kind, name, a, others):
    """Along with keys that are known."""
    n = len(a[1])
    keys = draw.sample(range(n), n)
    return [f"{name}k = Constant() {{literal = s32[{n}] {keys}}}",
            f"{name}s = Sort({name}k, {a[0]}) {{comparator = before, "
            "dimension = 0, is_stable = true}",
            f"{name} = GetTupleElement({name}s) {{index = 1}}"], [
                a[1][keys.index(k)] for k in range(n)]


def pad(kind, name, a, others):
    b = draw.choice(others)
    at = draw.randrange(len(b[1]))
    return [f"{name}x = Slice({b[0]}) {{start_indices = [{at}], "
            f"limit_indices = [{at + 1}]}}",
            f"{name}z = Reshape({name}x) {{new_sizes = []}}",
            f"{name} = Pad({a[0]}, {name}z) {{padding_config = [{{edge_padding_"
            "low = 1, edge_padding_high = 2, interior_padding = 0}]}"], (
                [b[1][at]] + a[1] + 2 * [b[1][at]])


def overwrite(kind, name, a, others):
    b = draw.choice(others)
    m = min(len(a[1]), len(b[1]))
    at = draw.sample(range(len(a[1])), m)
    out = list(a[1])
    for i, x in zip(at, b[1]):
        out[i] = x
    return [f"{name}i = Constant() {{literal = s32[{m}] {at}}}",
            f"{name}u = Slice({b[0]}) {{start_indices = [0], "
            f"limit_indices = [{m}]}}",
            f"{name} = Scatter({a[0]}, {name}i, {name}u) {{update_computation "
            "= second, dimension_numbers = {update_window_dims = [], "
            "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
            "index_vector_dim = 1}}"], out


#: The order of a Sort may depend on what is flushed, so of these only strict says
#: that what was given is never flushed.
MOVES = [reverse, cut, join, choose, update, gather, turn, pad, overwrite,
         order]
LAST = [[]] * 4 + [["r = Neg({})"], ["r = Abs({})"], ["r = Max({0}, {0})"]]


def mixed(kind, sources, profile):
    """Instructions that move elements of all of these sources into one array,
    and where each of its elements comes from."""
    arrays = [(s.name, [(s, i) for i in range(N)]) for s in sources]
    body, now = [], arrays[0]
    for k in range(draw.randint(2, 4)):
        moves = MOVES if profile == "strict" else MOVES[:-1]
        move = draw.choice(moves if k else [join, choose, update])
        lines, where = move(kind, f"m{k}", now, arrays[1:])
        body += lines
        now = f"m{k}", where
    return body, now


def check(profile):
    """How often, over how many patterns, and what is wrong."""
    tried = judged = refused = 0
    wrong = []
    for _ in range(ROUNDS):
        kind = draw.choice(list(CODES))
        last = draw.choice(LAST)
        among = SOURCES if profile == "strict" else SOURCES[:-1]
        made = draw.sample(among, draw.randint(1, 2)) + [given]
        draw.shuffle(made)
        sources = [Source(kind, m, f"s{i}") for i, m in enumerate(made)]
        alone = [settle(s, profile, [x.format(s.name) for x in last])
                 for s in sources]
        inputs, body = [], []
        for s in sources:
            body += s.text(len(inputs))
            inputs += s.inputs
        lines, (name, where) = mixed(kind, sources, profile)
        body += lines + [x.format(name) for x in last]
        try:
            evaluation = opened(inputs, body, profile)
            with evaluation as e:
                e.outputs()
                judged += 1
                if not all(alone):
                    continue
                for k in range(len(sources[0].probes[0])):
                    got = wrong_of(e, kind, [s.probes[i][k] for s, i in where])
                    tried += len(where)
                    wrong += [(body, s.name, i, hex(s.probes[i][k]), place)
                              for place, (s, i) in enumerate(where)
                              if (place in got) != (k in s.wrong[i])]
        except (library.InvalidProgram, library.EvaluationError) as why:
            refused += 1
            if all(alone):
                wrong.append((body, str(why)))
    return judged, refused, tried, wrong


for profile in ("spec", "strict", "xla-cpu-default"):
    judged, refused, tried, wrong = check(profile)
    figure(f"{profile}: programs judged", judged)
    ok(not wrong and judged > refused and tried > 1000,
       f"{profile}: {tried} patterns of elements that moved in {judged} "
       f"programs ({refused} refused)", "\n".join(map(str, wrong[:6])))

# A control: beside a set, an element of the operand with another payload, and
# a flushed one, are wrong.
inputs = [array("f32", [0x3f800000]), array("f32", [0x7fa00001, 1, 0x80000000])]
with opened(inputs, ["e = Exp(p0)", "m = ConcatInDim(e, p1) {dimension = 0}"],
            "spec") as e:
    own = values_of(e, "f32")
    ok(wrong_of(e, "f32", own) == set(), "a control: what was given is right")
    ok(wrong_of(e, "f32", [own[0], 0x7fc00001, 0, 0]) == {1, 2, 3},
       "a control: a quieted NaN, a flushed number, a lost sign are not")
    ok(wrong_of(e, "f32", [own[0] + 2**20, *own[1:]]) == {0},
       "a control: nor is what is far from the set")

# The parts of a complex number move together.
inputs = [{"shape": "c64[2]", "hex": struct.pack(
    "<4f", 0.5, 1.25, -2.0, 3.0).hex()}, {"shape": "c64[1]", "hex": struct.pack(
        "<If", 0x7fc00003, -0.0).hex()}]
with opened(inputs[:1], ["e = Exp(p0)"], "spec") as e:
    alone = [e.accepts(0, i) for i in range(2)]
    numbers = e.outputs()[0].data
moved = ["e = Exp(p0)", "m = Rev(e) {dimensions = [0]}",
         "c = ConcatInDim(m, p1) {dimension = 0}"]
with opened(inputs, moved, "spec") as e:
    ok([e.accepts(0, i) for i in range(2)] == alone[::-1],
       "complex numbers keep their sets", alone)
    # Off by 3 ulps of the larger part in the smaller one: right by the norm.
    parts = list(struct.unpack("<4f", numbers))
    shaken = [parts[2], parts[3], parts[0], parts[1]]
    for k in range(2):
        big = max(abs(x) for x in shaken[2 * k:2 * k + 2])
        small = min((0, 1), key=lambda i: abs(shaken[2 * k + i]))
        shaken[2 * k + small] += big * 2.0 ** -23
    made = e.outputs()
    data = struct.pack("<4f", *shaken) + bytes.fromhex(inputs[1]["hex"])
    told = e.judgement([made[0]._replace(data=data)])
    with opened(inputs[:1], moved[:2], "spec") as two:
        same = two.judgement([two.outputs()[0]._replace(data=data[:16])])
    ok(told.wrong == same.wrong, "and are judged by the same norm", told)
    far = struct.pack("<4f", *(x * 1.01 for x in shaken)) + data[16:]
    told = e.judgement([made[0]._replace(data=far)])
    ok({w.element for w in told.wrong} == {0, 1}, "a control: not if far off",
       told)
    lost = data[:16] + struct.pack("<If", 0x7fc00001, -0.0)
    told = e.judgement([made[0]._replace(data=lost)])
    ok({w.element for w in told.wrong} == {2}, "a control: nor another payload",
       told)
finish()
