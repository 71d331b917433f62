#!/usr/bin/env python3
# excuses.t - what is right although the rule says otherwise, by hand.
#
# SPDX-License-Identifier: Apache-2.0
#
# The attribute result_accuracy is XLA's inequality, |v - y| <= max(|y| * rel,
# abs), on both sides of zero and of a function's range; a permitted choice is
# named; cases do not make a choice that spec leaves.
import glob
import json
import math
import struct
import sys

sys.dont_write_bytecode = True

from judging import library
from tap import finish, ok


def scalar(kind, x):
    code = {"f32": "<f", "f64": "<d"}[kind]
    return {"shape": f"{kind}[]", "hex": struct.pack(code, x).hex()}


def vector(kind, *data):
    return {"shape": f"{kind}[{len(data)}]", "data": [str(x) for x in data]}


def judge(op, case, got, mine="spec", leaf=0):
    """The verdict on these f32 in place of one leaf of the result."""
    with library.Evaluation(op, case, mine) as evaluation:
        outputs = evaluation.outputs()
        outputs[leaf] = outputs[leaf]._replace(
            data=b"".join(struct.pack("<f", x) for x in got))
        return evaluation.judgement(outputs)


def check_tolerance():
    def case(x, **members):
        return {"inputs": [scalar("f32", x)], "attributes": {
            "result_accuracy": {"atol": 0.25, "rtol": 0, "ulps": 0,
                                **members}}}
    # Sin(2^-10) is 2^-10 - 2^-30 / 6.
    for got, due in ((-2.0 ** -10, "pass"), (-0.249, "pass"), (0.25, "pass"),
                     (0.2509, "pass"), (0.2511, "fail"), (-0.2491, "fail"),
                     (math.nan, "fail"), (-math.inf, "fail")):
        told = judge("Sin", case(2.0 ** -10), [got])
        ok(told.status == due, f"Sin(2^-10) within 0.25: {got}: {due}", told)
    # cos(2^-10) is 1 - 2^-21: 1.2 is beyond the range, and within.
    for got, due in ((1.2, "pass"), (1.26, "fail"), (0.76, "pass"),
                     (0.74, "fail")):
        told = judge("Cos", case(2.0 ** -10), [got])
        ok(told.status == due, f"Cos(2^-10) within 0.25: {got}: {due}", told)
    # exp(88.5) is 2.7e38, and infinity begins at 3.4e38.
    told = judge("Exp", case(88.5, atol=1e38), [math.inf])
    ok(told.status == "pass", "exp(88.5) + 1e38 overflows", told)
    told = judge("Exp", case(80, atol=1e38), [math.inf])
    ok(told.status == "fail", "exp(80) + 1e38 does not", told)
    told = judge("Sin", {"inputs": [scalar("f32", 2.0 ** -10)]}, [-2.0 ** -10])
    ok(told.status == "fail", "without the attribute a sign is a sign", told)


def check_batch_norm():
    """100000 to 100003 in f32: their squares' mean less the squared mean is
    1.25, but squares of 2^33 have ulps of 1024."""
    case = {"inputs": [{"shape": "f32[4,1]", "data": [
        [str(100000 + i)] for i in range(4)]}, vector("f32", 1),
        vector("f32", 0)], "attributes": {"epsilon": "0.001", "feature_index": 1}}
    for got, status, named in ((1.25, "pass", False), (-512.0, "warn", True),
                               (0.0, "warn", True), (512.0, "warn", True)):
        told = judge("BatchNormTraining", case, [got], leaf=2)
        ok(told.status == status
           and ("batch-norm.variance" in told.why) == named,
           f"a variance of {got}: {status}", told)
        told = judge("BatchNormTraining", case, [got], "strict", 2)
        ok((told.status == "pass") != named, f"strict: a variance of {got}",
           told)
    told = judge("BatchNormTraining", case, [math.nan], leaf=2)
    ok(told.status == "fail" or "batch-norm.variance" in told.why,
       "a variance of NaN is at most permitted", told)
    told = judge("BatchNormTraining", case, [math.nan] * 4)
    ok(told.status == "fail" or "batch-norm.variance" in told.why,
       "and so is NaN of it", told)
    # x - mean is at most 1.5 and 1 / sqrt(0.001) is 31.6.
    flat = {**case, "inputs": [{"shape": "f32[4,1]", "data": [
        ["100000"]] * 4}, *case["inputs"][1:]]}
    for got, status in ((0.0, "pass"), (math.nan, "fail"), (math.inf, "fail")):
        told = judge("BatchNormTraining", flat, [got] * 4, "strict")
        ok(told.status == status, f"equal elements: {got}: {status}", told)


def check_zeros():
    """Annex F alone says that these are odd at zero; IEEE 754-2019 and the
    passages say it of others."""
    for op in ("Asin", "Asinh", "Atanh", "BesselI1e", "Erf", "ErfInv", "Sinh"):
        case = {"inputs": [scalar("f32", -0.0)]}
        told = judge(op, case, [0.0])
        ok(told.status == "warn" and "function.zero-sign" in told.why,
           f"{op}(-0) = 0 is permitted", told)
        told = judge(op, case, [0.0], "strict")
        ok(told.status == "fail", f"and wrong under strict: {op}", told)
        told = judge(op, case, [2.0 ** -149])
        ok(told.status == "fail", f"{op}(-0) is no other number", told)
    for op in ("Sin", "Tan", "Sqrt", "Floor", "Abs"):
        told = judge(op, {"inputs": [scalar("f32", -0.0)]},
                     [-0.0 if op == "Abs" else 0.0])
        ok(told.status == "fail", f"{op} of -0 has one zero", told)


def check_fft_message():
    """(1, 1) becomes (2, 0); with (6, 0) the error's norm is 4."""
    case = {"inputs": [{"shape": "c64[2]", "data": [["1", "0"], ["1", "0"]]}],
            "attributes": {"fft_type": "FFT", "fft_length": [2]}}
    told = judge("Fft", case, [6.0, 0.0, 0.0, 0.0])
    ok("the norm of the error is 4;" in told.why, "the norm of an Fft's error",
       told)


def check_saturation():
    """Infinity is no overflow of a type that has it."""
    case = {"inputs": [scalar("f64", 1e99)],
            "attributes": {"new_element_type": "f32"},
            "policies": {"convert.overflow": "saturate"}}
    most = struct.unpack("<f", bytes.fromhex("ffff7f7f"))[0]
    for got, due in ((math.inf, "pass"), (most, "fail")):
        told = judge("ConvertElementType", case, [got])
        ok(told.status == due, f"1e99 in f32: {got}: {due}", told)


def check_cholesky():
    """129 roundings of bf16: g = 129/256 and g / (1 - g) = 1.016, for the
    identity.  L with 0.7 at (1, 0) leaves -0.7 there."""
    n = 128
    def bits(x):
        return struct.pack("<f", x)[2:]
    def rows(first, second):
        return b"".join(bits(first if (i, j) == (1, 0) else second if (i, j)
                             == (1, 1) else float(i == j))
                        for i in range(n) for j in range(n))
    case = {"inputs": [{"shape": f"bf16[{n},{n}]", "hex": rows(0, 1).hex()}],
            "attributes": {"lower": True},
            "policies": {"accumulate.type": "element"}}
    with library.Evaluation("Cholesky", case, "strict") as evaluation:
        out = evaluation.outputs()[0]
        for first, second, due in ((0.69921875, 0.71484375, "pass"),
                                   (1.25, 1.0, "fail")):
            told = evaluation.judgement([out._replace(
                data=rows(first, second))])
            ok(told.status == due, f"a residual of {first}: {due}",
               told._replace(wrong=()))


def check_cases():
    """A case's own choice would make wrong what spec permits."""
    with open("spec/profiles/spec.json", encoding="utf-8") as f:
        spec = json.load(f)
    with open("spec/profiles/strict.json", encoding="utf-8") as f:
        strict = json.load(f)
    permits = {**{k: v for k, v in strict.get("permits", {}).items()
                  if k not in spec["choices"]}, **spec["permits"]}
    fixed = []
    for path in glob.glob("cases/*/*.json"):
        with open(path, encoding="utf-8") as f:
            cases = json.load(f).get("cases", [])
        for c in cases:
            own = c.get("policies")
            fixed += [(path, c["id"], k) for k in permits
                      if isinstance(own, dict) and k in own]
    ok(len(permits) > 10 and not fixed, "no case chooses what spec permits",
       "\n".join(map(str, fixed)))


check_tolerance()
check_batch_norm()
check_zeros()
check_fft_message()
check_saturation()
check_cholesky()
check_cases()
finish()
