#!/usr/bin/env python3
# chance.t - random numbers: right generators pass, and planted faults fail.
#
# SPDX-License-Identifier: Apache-2.0
#
# The right generator is Python's Mersenne Twister.  The judge rejects a good
# sample with a probability of at most 1e-8 (spec/verdicts.md gives the parts:
# 2e-9, 8e-11, 7e-13, 7e-11, 2e-13, 1e-13, 2e-10, 2e-11, 4e-10, 1e-19), so that one of the 100
# samples here is rejected by chance with less than 1e-6.  Seeds are fixed all
# the same.
#
# What the judge does not look for, and so no fault here: three or more bits of
# which any two are independent, and whose exclusive or is often, but not always
# the same.
#
# ASSAY_SEED: other samples.
import math
import os
import random
import struct
import sys
import tempfile

sys.dont_write_bytecode = True

from judging import library, profile
from tap import figure, finish, ok

COUNT = 4096
SAMPLES = 20
SEED = os.environ.get("ASSAY_SEED", "1")


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def scalar(kind, x):
    code = {"f32": "<f", "s32": "<i"}[kind]
    return {"shape": f"{kind}[]", "hex": struct.pack(code, x).hex()}


def uniform(source):
    return [source.getrandbits(24) / (1 << 24) for _ in range(COUNT)]


def whole(source):
    return [source.randrange(-5, 11) for _ in range(COUNT)]


def hundred(source):
    return [source.randrange(-30, 70) for _ in range(COUNT)]


def normal(source):
    return [f32(source.gauss(1.0, 2.0)) for _ in range(COUNT)]


def words(source):
    return [source.getrandbits(32) for _ in range(COUNT)]


def long_words(source):
    return [source.getrandbits(64) for _ in range(COUNT)]


def bit(x, k):
    return x >> k & 1


def with_bit(x, k, value):
    return x & ~(1 << k) | value << k


def changed(sample, change):
    """Each number of a right sample by a function of its place and value."""
    return lambda source: [change(i, x) for i, x in enumerate(sample(source))]


def repeated(sample, period):
    def draw(source):
        x = sample(source)
        return [x[i % period] for i in range(COUNT)]
    return draw


def tails(source):
    out = []
    while len(out) < COUNT:
        x = source.gauss(0.0, 1.0)
        if abs(x) < 1.5:
            out.append(f32(1 + 2 * x))
    return out


# name: (operation, case, how its numbers are written, right, faults)
TRIALS = {
    "uniform f32": (
        "RngUniform", {"inputs": [scalar("f32", 0.0), scalar("f32", 1.0)],
                       "attributes": {"shape": f"f32[{COUNT}]"}}, "f", uniform,
        {"1 is not in [0, 1)": changed(uniform, lambda i, x: x if i else 1.0),
         "below 0": changed(uniform, lambda i, x: x if i else -2.0 ** -24),
         "a NaN": changed(uniform, lambda i, x: x if i else math.nan),
         "one number": changed(uniform, lambda i, x: 0.5),
         "a ramp": changed(uniform, lambda i, x: i / COUNT),
         "the lower half": changed(uniform, lambda i, x: x / 2),
         "squared": changed(uniform, lambda i, x: f32(x * x)),
         "u^1.2": changed(uniform, lambda i, x: f32(x ** 1.2)),
         "the mean of two": lambda s: [
             f32((a + b) / 2) for a, b in zip(uniform(s), uniform(s))],
         "0.99 u": changed(uniform, lambda i, x: f32(x * 0.99)),
         "0.01 + 0.99 u": changed(uniform, lambda i, x: f32(0.01 + x * 0.99)),
         "five bits": changed(uniform, lambda i, x: int(x * 32) / 32),
         "pairs of one number": changed(
             lambda s: [x for x in uniform(s) for _ in (0, 1)][:COUNT],
             lambda i, x: x),
         "a period of 64": repeated(uniform, 64)}),
    "uniform s32": (
        "RngUniform", {"inputs": [scalar("s32", -5), scalar("s32", 11)],
                       "attributes": {"shape": f"s32[{COUNT}]"}}, "i", whole,
        {"11 is not in [-5, 11)": changed(whole, lambda i, x: x if i else 11),
         "-6 is below": changed(whole, lambda i, x: x if i else -6),
         "never 10": changed(whole, lambda i, x: x if x < 10 else 0),
         "even numbers": changed(whole, lambda i, x: x & ~1)}),
    "uniform s32 of 100": (
        "RngUniform", {"inputs": [scalar("s32", -30), scalar("s32", 70)],
                       "attributes": {"shape": f"s32[{COUNT}]"}}, "i", hundred,
        {"never the last": changed(hundred, lambda i, x: x if x < 69 else 0),
         "never the first": changed(hundred, lambda i, x: x if x > -30 else 0),
         "never 0": changed(hundred, lambda i, x: x or 1)}),
    "normal f32": (
        "RngNormal", {"inputs": [scalar("f32", 1.0), scalar("f32", 2.0)],
                      "attributes": {"shape": f"f32[{COUNT}]"}}, "f", normal,
        {"a mean of 1.4": changed(normal, lambda i, x: f32(x + 0.4)),
         "a deviation of 2.4": changed(
             normal, lambda i, x: f32(1 + (x - 1) * 1.2)),
         "the absolute value": changed(normal, lambda i, x: abs(x)),
         "uniform numbers": lambda s: [
             f32(s.uniform(1 - 12 ** 0.5, 1 + 12 ** 0.5))
             for _ in range(COUNT)],
         "no tails": tails,
         "an infinity": changed(normal, lambda i, x: x if i else math.inf),
         "a NaN": changed(normal, lambda i, x: x if i else math.nan),
         "a period of 32": repeated(normal, 32)}),
    "bits": (
        "RngBitGenerator", {
            "inputs": [{"shape": "u64[2]", "hex": "2a" + "00" * 15}],
            "attributes": {"algorithm": "RNG_DEFAULT",
                           "shape": f"u32[{COUNT}]"}}, "I", words,
        {"the highest bit is 0": changed(words, lambda i, x: x & 0x7fffffff),
         "the lowest bit is 1": changed(words, lambda i, x: x | 1),
         "a counter": changed(words, lambda i, x: i),
         "zeros": changed(words, lambda i, x: 0),
         "a period of 16": repeated(words, 16),
         "bit 8 is bit 7": changed(
             words, lambda i, x: with_bit(x, 8, bit(x, 7))),
         "bit 31 is the negation of bit 0": changed(
             words, lambda i, x: with_bit(x, 31, 1 - bit(x, 0))),
         "bit 20 is bit 3 in every other word": changed(
             words, lambda i, x: x if i % 2 else with_bit(x, 20, bit(x, 3))),
         "the high half is the low half": changed(
             words, lambda i, x: x & 0xffff | (x & 0xffff) << 16),
         "bit 9 is the exclusive or of bits 4 and 20": changed(
             words, lambda i, x: with_bit(x, 9, bit(x, 4) ^ bit(x, 20))),
         "bit 31 is the parity of the others": changed(
             words, lambda i, x: with_bit(
                 x, 31, bin(x & 0x7fffffff).count("1") & 1))}),
    "long bits": (
        "RngBitGenerator", {
            "inputs": [{"shape": "u64[2]", "hex": "2a" + "00" * 15}],
            "attributes": {"algorithm": "RNG_DEFAULT",
                           "shape": f"u64[{COUNT}]"}}, "Q", long_words,
        {"bit 63 is bit 0": changed(
            long_words, lambda i, x: with_bit(x, 63, bit(x, 0))),
         "the high word is the low word": changed(
             long_words, lambda i, x: x & 0xffffffff | (x & 0xffffffff) << 32),
         "bit 33 is bit 32": changed(
             long_words, lambda i, x: with_bit(x, 33, bit(x, 32))),
         "bit 63 is not the exclusive or of bits 0 and 32": changed(
             long_words, lambda i, x: with_bit(
                 x, 63, 1 ^ bit(x, 0) ^ bit(x, 32)))}),
}


def is_right(evaluation, code, numbers):
    outputs = evaluation.outputs()
    last = len(outputs) - 1
    outputs[last] = outputs[last]._replace(
        data=struct.pack(f"<{COUNT}{code}", *numbers))
    return evaluation.judge(outputs) is None


def main():
    samples = 0
    with tempfile.TemporaryDirectory() as folder:
        mine = profile(folder, "any", choices={"rng.bit-layout": "any"})
        for name, (op, case, code, good, faults) in TRIALS.items():
            source = random.Random(f"{SEED} {name}")
            with library.Evaluation(op, case, mine) as evaluation:
                right = sum(is_right(evaluation, code, good(source))
                            for _ in range(SAMPLES))
                samples += SAMPLES
                ok(right == SAMPLES, f"{name}: right samples pass", right)
                for fault, draw in faults.items():
                    wrong = sum(not is_right(evaluation, code, draw(source))
                                for _ in range(3))
                    ok(wrong == 3, f"{name}: {fault}", wrong)
    figure("samples of a right generator", samples)
    finish()


main()
