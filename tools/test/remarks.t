#!/usr/bin/env python3
# remarks.t - a remark excuses a result only where its cause is present.
#
# SPDX-License-Identifier: Apache-2.0
#
# Random data without subnormal numbers, from 2^-6 to 2^6 in magnitude, zeros of
# both signs among them: no operand, product, partial sum or result of any
# operation is subnormal in a type that may flush.  So no result, right or wrong
# (zeros of both signs, the operands, neighbours of the value, its negative), is
# excused by flushing, under any profile; and a permitted choice only where what
# it is about occurs, by the predicates below (policies.json).  As a control, a
# subnormal operand does excuse a zero where the type flushes.
#
# ASSAY_SEED: other data.  ASSAY_LONG: more of them.
import os
import random
import re
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, f"{HERE}/independent"]

from formats import FORMATS, literal, size_of  # noqa: E402
from judging import library  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

SEED = os.environ.get("ASSAY_SEED", "1")
ROUNDS = 8 if os.environ.get("ASSAY_LONG") else 1
PROFILES = ("strict", "spec", "stablehlo", "xla-cpu-default", "xla-gpu-default",
            "xla-exhaustive")
FLOATS = ("f32", "f64", "bf16", "f16", "f8e5m2", "f8e4m3fn")
FLUSHES = ("f32", "f64", "bf16")

UNARY = ("Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cbrt",
         "Ceil", "Cos", "Cosh", "Erf", "Erfc", "Exp", "Expm1", "Floor", "Log",
         "Log1p", "Logistic", "Neg", "Round", "RoundNearestEven", "Rsqrt",
         "Sign", "Sin", "Sinh", "Sqrt", "Tan", "Tanh")
BINARY = ("Add", "Atan2", "Div", "Max", "Min", "Mul", "Pow", "Rem", "Sub")
FOLDS = ("add", "mul", "max", "min")
UNDERFLOW = ("Erfc", "Pow")  # Erfc(12), 64^-64: the value itself is tiny


def number(kind, p):
    return FORMATS[kind].number(p)


def draw(r, kind, n):
    """Patterns of numbers from 2^-6 to 2^6, and a quarter of zeros."""
    f, got = FORMATS[kind], []
    for _ in range(n):
        if r.random() < 0.25:
            got.append(f.nothing(r.random() < 0.5))
            continue
        digits = r.choice((0, 1, f.fraction))
        m = 1 + Fraction(r.randrange(1 << digits), 1 << digits)
        x = m * Fraction(2) ** r.randint(-6, 5)
        got.append(f.round(-x if r.random() < 0.5 else x))
    return got


def zeros(r, kind, n):
    """Zeros of both signs."""
    return [FORMATS[kind].nothing(r.random() < 0.5) for _ in range(n)]


def abs_of(kind, p):
    return p & (1 << FORMATS[kind].bits - 1) - 1


def computation(name):
    return {"computation": name}


def window(n):
    return {"window_dimensions": [n], "window_strides": [n],
            "padding": "VALID"}


def init_of(kind, name):
    f = FORMATS[kind]
    if name == "mul":
        return f.round(Fraction(1))
    if name == "add":
        return f.nothing(False)
    return f.round(-f.most if name == "max" else f.most)


def programs(r, kind):
    """Operations with data: name, inputs as (patterns, dims), the rest."""
    def some(n, dims=None):
        return draw(r, kind, n), dims
    for op in UNARY:
        yield op, [some(6)], {}
    for op in BINARY:
        yield op, [some(6), some(6)], {}
    yield "Clamp", [some(6), some(6), some(6)], {}
    yield "Select", None, {}
    for name in FOLDS:
        init = ([init_of(kind, name)], [])
        yield "Reduce", [some(4), init], {"attributes": {
            **computation(name), "dimensions_to_reduce": [0]}}
        yield "ReduceWindow", [some(4), init], {"attributes": {
            **computation(name), **window(2)}}
        yield "Map", [some(4), some(4)], {"attributes": {
            **computation(name), "dimensions": [0]}}
        yield "AllReduce", [some(2)], {"attributes": computation(name)}
        yield "Scatter", [some(2), None, some(3)], {"attributes": {
            "update_computation": name, "dimension_numbers": {
                "update_window_dims": [], "inserted_window_dims": [0],
                "scatter_dims_to_operand_dims": [0], "index_vector_dim": 1}}}
    yield "Dot", [some(4), some(4)], {}
    if kind in ("bf16", "f16", "f8e5m2", "f8e4m3fn"):
        yield "Dot", [some(4), some(4)], {"attributes": {
            "preferred_element_type": "f32"}}
    yield "Conv", [some(4, [1, 1, 4]), some(2, [1, 1, 2])], {"attributes": {
        "window_strides": [1], "padding": "VALID"}}
    yield "SelectAndScatter", [some(4), some(2), ([0], [])], {"attributes": {
        "select": "ge", "scatter": "add", **window(2)}}
    yield "Sort", [some(5)], {"attributes": {"comparator": "lt",
                                             "dimension": 0}}
    yield "ReducePrecision", [some(5)], {"attributes": {
        "exponent_bits": 8, "mantissa_bits": 3}}
    for to in ("f32", "bf16", "f16"):
        yield "ConvertElementType", [some(5)], {"attributes": {
            "new_element_type": to}}
    yield from normalizations(r, kind, lambda: draw(r, kind, 2))
    yield from normalizations(r, kind, lambda: zeros(r, kind, 2))
    yield from normalizations(r, kind, lambda: draw(r, kind, 2),
                              lambda: zeros(r, kind, 4))


def normalizations(r, kind, vector, whole=None):
    """Batch normalizations with that scale and offset, and those elements."""
    members = {"attributes": {"epsilon": 0.5, "feature_index": 1}}

    def array():
        return whole() if whole else draw(r, kind, 4), [2, 2]

    def given():
        return [abs_of(kind, p) for p in draw(r, kind, 2)], [2]
    yield "BatchNormInference", [array(), (vector(), [2]), (vector(), [2]),
                                 (draw(r, kind, 2), [2]), given()], members
    yield "BatchNormTraining", [array(), (vector(), [2]),
                                (vector(), [2])], members
    yield "BatchNormGrad", [array(), (vector(), [2]), (draw(r, kind, 2), [2]),
                            given(), array()], members


def case_of(op, kind, inputs, members, r):
    if op == "Select":
        inputs = [{"shape": "pred[4]", "hex": "00010001"}] + [
            literal(kind, draw(r, kind, 4)) for _ in range(2)]
        return {"inputs": inputs}
    made = [literal(kind, *i) if i else
            {"shape": "s32[3,1]", "data": [[0], [0], [1]]} for i in inputs]
    return {"inputs": made, **members}


def candidates(r, kind, value, operands):
    """Wrong and right results in place of a value."""
    f = FORMATS[kind]
    sign = 1 << (f.bits - 1)
    zeros = [0, sign]
    near = [max(value - 1, 0), min(value + 1, (1 << f.bits) - 1), value ^ sign]
    some = r.sample(operands, min(3, len(operands)))
    return {*zeros, *near, *some, f.round(Fraction(2) ** f.least)}


def remarks(why):
    """Names of the remarks in a verdict's text."""
    names = {"flush"} if "flushes" in why else set()
    if "permitted: " in why or ";" in why:
        names |= set(re.findall(r"([a-z0-9]+(?:[.-][a-z0-9-]+)+) in \d", why))
    return names


def is_tiny(kind, value):
    """Is it a zero or subnormal?"""
    f = FORMATS[kind]
    x = f.number(value)
    return not isinstance(x, str) and abs(x) < Fraction(2) ** f.least


# What must be the case for a choice to matter; data are finite and real.
CAUSES = {
    "function.special-value": lambda op, kind, data, value: any(
        number(kind, p) in (0, 1) for p in data),
    "function.zero-sign": lambda op, kind, data, value: is_tiny(
        kind, value) and op in ("Asin", "Asinh", "Atanh", "Erf", "Sinh"),
    "accumulate.type": lambda op, kind, data, value: op in ("Dot", "Conv",
                                                            "AllReduce"),
    "batch-norm.variance": lambda op, kind, data, value:
        op == "BatchNormTraining",
    "precision.default": lambda op, kind, data, value: kind == "f32" and any(
        p & 0x1fff for p in data),
    "convert.overflow": lambda op, kind, data, value: True,
    "convert.nan-to-finite": lambda op, kind, data, value: False,
    "integer.overflow": lambda op, kind, data, value: False,
    "complex.special": lambda op, kind, data, value: False,
    "complex.zero-sign": lambda op, kind, data, value: False,
    "sort.nan": lambda op, kind, data, value: False,
    "topk.nan": lambda op, kind, data, value: False,
    "select-and-scatter.empty-window": lambda op, kind, data, value: False,
    "conv.int.overflow": lambda op, kind, data, value: False,
    "ragged.outside": lambda op, kind, data, value: False,
    "shift.out-of-range": lambda op, kind, data, value: False,
}


def judge_all(op, case, mine, kind, r):
    """(result kind, unit, pattern, verdict, value) of each candidate."""
    data = [int.from_bytes(bytes.fromhex(i["hex"])[k:k + size_of(kind)],
                           "little")
            for i in case["inputs"] if i["shape"].startswith(kind + "[")
            for k in range(0, len(i["hex"]) // 2, size_of(kind))]
    with library.Evaluation(op, case, mine) as evaluation:
        outputs = evaluation.outputs()
        out = outputs[0]
        size = size_of(out.dtype) if out.dtype in FORMATS else 0
        for unit in range(len(out.data) // size if size else 0):
            at = unit * size
            value = int.from_bytes(out.data[at:at + size], "little")
            for p in candidates(r, out.dtype, value,
                                data if out.dtype == kind else [0]):
                got = out.data[:at] + p.to_bytes(size, "little") \
                    + out.data[at + size:]
                told = evaluation.judgement([out._replace(data=got)]
                                            + outputs[1:])
                yield out.dtype, unit, p, told, value, data


def check(kind):
    r = random.Random(f"{SEED} {kind}")
    count, seen, bad = 0, set(), []
    for _ in range(ROUNDS):
        for op, inputs, members in programs(r, kind):
            case = case_of(op, kind, inputs, members, r)
            for mine in PROFILES:
                try:
                    told = list(judge_all(op, case, mine, kind, r))
                except (library.InvalidProgram, library.EvaluationError) as e:
                    bad.append((op, mine, str(e), case))
                    break
                seen.add(op)
                for to, unit, p, j, value, data in told:
                    count += 1
                    names = remarks(j.why) if j.status != "fail" else set()
                    if op in UNDERFLOW and is_tiny(to, value):
                        names.discard("flush")
                    for name in names:
                        cause = CAUSES.get(name, lambda *_: False)
                        if name == "flush" or not cause(op, kind, data, value):
                            bad.append((op, mine, name, unit, hex(p),
                                        hex(value), j.why, case))
    ok(count > 3000 and not bad, f"{kind}: {count} verdicts of {len(seen)} "
       "operations: no remark without its cause",
       "\n".join(map(str, bad[:20])))
    figure("verdicts searched for remarks", count)


def check_control():
    """A subnormal operand beside zeros: the remark is given where the type
    flushes, and nowhere else."""
    for kind in FLOATS:
        f = FORMATS[kind]
        for op in ("Max", "Add", "Mul", "Min"):
            other = f.nothing(op == "Max") if op != "Mul" else f.round(
                Fraction(1))
            p = 1 if op != "Min" else 1 << (f.bits - 1) | 1
            case = {"inputs": [literal(kind, [p]), literal(kind, [other])]}
            with library.Evaluation(op, case, "spec") as evaluation:
                out = evaluation.outputs()[0]
                zero = f.nothing(op == "Min").to_bytes(size_of(kind), "little")
                told = evaluation.judgement([out._replace(data=zero)])
            due = "warn" if kind in FLUSHES else "fail"
            ok(told.status == due and ("flush" in told.why) == (due == "warn"),
               f"{op} of a subnormal {kind}: {due}", told)


def verdict_of(op, case, mine, patterns, kind):
    """Of that first result."""
    with library.Evaluation(op, case, mine) as evaluation:
        outputs = evaluation.outputs()
        data = b"".join(p.to_bytes(size_of(kind), "little") for p in patterns)
        return evaluation.judgement([outputs[0]._replace(data=data)]
                                    + outputs[1:])


def check_nothing_lost():
    """Terms that are all zero have the sum zero, whose sign alone may be open;
    a scale of zero leaves the offset.  (Under spec a variance may be anything
    in a type of few bits: policy batch-norm.variance.)"""
    members = {"attributes": {"epsilon": 0.5, "feature_index": 0}}
    for kind in FLOATS:
        f = FORMATS[kind]
        one, minus = f.round(Fraction(1)), f.nothing(True)
        for mine in ("strict", "spec"):
            wrong = []
            for offset in (0, minus, one):
                def told(op, operands, result):
                    return verdict_of(op, {"inputs": [
                        literal(kind, [p]) for p in operands], **members},
                        mine, [result], kind).status
                given = [one, 0, offset, 0, one]
                for op, operands in (("BatchNormInference", given),
                                     ("BatchNormTraining", given[:3])):
                    if mine == "spec" and len(operands) == 3:
                        continue
                    wrong += [told(op, operands, offset) == "fail",
                              told(op, operands, offset + 1) != "fail",
                              told(op, operands, offset ^ 2) != "fail"]
            ok(not any(wrong), f"{kind}, {mine}: a scale of 0 gives the offset",
               wrong)


def check_zeros():
    """(1 - 0) * 0 + -0 is 0, and (-1 - 0) * 0 + -0 is -0; as 1 * 0 + (-0 - 0)
    the first is 0, too.  0 with any zero is 0.  A gradient of -0 * 1 is -0."""
    for kind in FLOATS:
        f = FORMATS[kind]
        one, minus = f.round(Fraction(1)), f.nothing(True)
        less = one | minus
        wrong = []
        for epsilon in (0.5, 1):  # of which one has a root in all types
            def told(op, operands, result):
                return verdict_of(op, {"inputs": [
                    literal(kind, [p]) for p in operands], "attributes": {
                        "epsilon": epsilon, "feature_index": 0}}, "strict",
                    [result], kind).status
            for x, due in ((one, 0), (less, minus)):
                wrong += [told("BatchNormInference", [x, 0, minus, 0, 0], due)
                          == "fail",
                          told("BatchNormInference", [x, 0, 0, 0, 0], minus)
                          != "fail"]
            # One element is its own mean, so all but the offset is 0.
            wrong += [told("BatchNormTraining", [one, 0, minus], 0) == "fail",
                      told("BatchNormTraining", [one, 0, 0], minus) != "fail",
                      told("BatchNormGrad", [one, minus, 0, 0, one], minus)
                      == "fail",
                      told("BatchNormGrad", [one, 0, 0, 0, one], 0) == "fail"]
        ok(not any(wrong), f"{kind}, strict: signs of zeros", wrong)


def check_far():
    """A difference that overflows, beside a scale of zero: infinity times zero
    is NaN.  A variance that overflows with epsilon leaves the offset."""
    f = FORMATS["f16"]
    most = f.round(f.most)
    for mean, due in ((most | 0x8000, "pass"), (0, "fail")):
        case = {"inputs": [literal("f16", [p]) for p in (
            most, 0, 0, mean, f.round(Fraction(1)))],
            "attributes": {"epsilon": 0.5, "feature_index": 0}}
        told = verdict_of("BatchNormInference", case, "strict", [0x7e00], "f16")
        ok(told.status == due, f"f16 max - {hex(mean)} times 0, NaN: {due}",
           told)
    # The variance of -120 and 120 is 14400; over infinity they are 0.
    one, x = f.round(Fraction(1)), f.round(Fraction(120))
    for epsilon, due in ((60000, "pass"), (10000, "fail")):
        case = {"inputs": [literal("f16", [x | 0x8000, x], [2, 1]),
                           literal("f16", [one]), literal("f16", [one])],
                "attributes": {"epsilon": epsilon, "feature_index": 1}}
        told = verdict_of("BatchNormTraining", case, "strict", [one, one],
                          "f16")
        ok(told.status == due, f"f16 14400 + {epsilon}: {due}", told)


for name in FLOATS:
    check(name)
check_control()
check_nothing_lost()
check_zeros()
check_far()
finish()
