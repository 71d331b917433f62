#!/usr/bin/python3
# scaled.t - ScaledDot and RaggedDot against legal evaluations in random orders.
#
# SPDX-License-Identifier: Apache-2.0
#
# NumPy evaluates each case in f32.  Elements are multiplied by their scales
# before the sum, or blocks after their sums; the ranges of a ragged dimension
# are cut by hand.  All of it is right under the strict profile.  Scales that are
# subnormal in f32 may become zeros where the profile lets them.  Beside these
# stand results with a missing term, another scale, a neighbour's row or group:
# they are wrong wherever they differ by more than any order does.
#
# ASSAY_SEED: other data.  ASSAY_LONG: more of them.
import os
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from judging import library  # noqa: E402
from legal import dot, draw  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

ROUNDS = 1500 if os.environ.get("ASSAY_LONG") else 60
DRAWS = 4
BIAS = 127  # of f8e8m0fnu
NORMAL = np.finfo(np.float32).smallest_normal
F32 = np.float32
MATRICES = {"lhs_batch_dimensions": [], "rhs_batch_dimensions": [],
            "lhs_contracting_dimensions": [1],
            "rhs_contracting_dimensions": [0]}


def given(a, element="f32"):
    return {"shape": f"{element}[{','.join(map(str, a.shape))}]",
            "hex": a.tobytes().hex()}


def numbers(*shape):
    """Of few digits, of which sums cancel, or of all digits."""
    x = draw.standard_normal(shape)
    return (np.round(x * 4) / 4 if draw.random() < 0.3 else x).astype(F32)


def times(a, b, but=-1):
    """Matrices, each element summed in an order of its own, without one term."""
    terms = [k for k in range(a.shape[1]) if k != but]
    sums = [dot(row[None, terms], column[None, terms], 0)[0] if terms else 0
            for row in a for column in b.T]
    return np.array(sums, F32).reshape(len(a), b.shape[1])


def flushed(x):
    return np.where(np.abs(x) < NORMAL, F32(0), x)


class Scaled:
    op = "ScaledDot"

    def __init__(self, tiny=False):
        m, n, self.block, blocks = draw.integers(1, 4, 4)
        k = self.block * blocks
        self.a, self.b = numbers(m, k), numbers(k, n)
        least = (-BIAS, 110) if tiny else (-6, -6)
        powers = [least[0] + draw.integers(3 if tiny else 13, size=(m, blocks)),
                  least[1] + draw.integers(13, size=(blocks, n))]
        self.scales = [np.exp2(p.astype(float)).astype(F32) for p in powers]
        inputs = [given((p + BIAS).astype(np.uint8), "f8e8m0fnu")
                  for p in powers]
        if not tiny and draw.random() < 0.3:
            self.scales = [s * (1 + draw.random(s.shape)).astype(F32)
                           for s in self.scales]
            inputs = [given(s) for s in self.scales]
        self.powers = inputs[0]["shape"].startswith("f8e8m0fnu")
        self.case = {
            "inputs": [given(self.a), inputs[0], given(self.b), inputs[1]],
            "attributes": {"dimension_numbers": MATRICES}}

    def factors(self, scales, flush=lambda x: x):
        return (flush(self.a * flush(np.repeat(scales[0], self.block, 1))),
                flush(self.b * flush(np.repeat(scales[1], self.block, 0))))

    def legal(self):
        if not self.powers or draw.random() < 0.5:
            return times(*self.factors(self.scales))
        s, t = self.scales
        sums = [times(self.a[:, i:i + self.block], self.b[i:i + self.block])
                * (s[:, i // self.block, None] * t[None, i // self.block])
                for i in range(0, len(self.b), self.block)]
        return sum(sums[1:], sums[0])

    def sizes(self):
        """The sums of all magnitudes."""
        l, r = self.factors(self.scales)
        return np.abs(l) @ np.abs(r)

    def wrong(self):
        s, t = self.scales
        twice = s.copy()
        twice[0, draw.integers(s.shape[1])] *= 2
        a, b = self.factors(self.scales)
        return {"a missing term": times(a, b, draw.integers(len(b))),
                "a scale twice": times(*self.factors([twice, t])),
                "a neighbour's scale":
                    times(*self.factors([s, np.roll(t, 1, 0)])),
                "a neighbour's row": times(np.roll(a, 1, 0), b)}


class Ragged:
    op = "RaggedDot"

    def __init__(self):
        self.free = draw.random() < 0.5
        m, n, k, groups = draw.integers(1, 6, 4)
        most = m if self.free else k
        cuts = np.sort(draw.integers(0, most + 1, groups - 1))
        self.ends = np.array([0, *cuts, most])
        self.a = numbers(m, k)
        self.b = numbers(*([groups] if self.free else []), k, n)
        self.case = {
            "inputs": [given(self.a), given(self.b),
                       given(np.diff(self.ends).astype(np.int32), "s32")],
            "attributes": {"dimension_numbers": {
                "lhs_batch_dimensions": [], "rhs_batch_dimensions": [],
                "lhs_contracting_dimensions": [1],
                "rhs_contracting_dimensions": [1 if self.free else 0],
                "lhs_ragged_dimensions": [0 if self.free else 1],
                "rhs_group_dimensions": [0] if self.free else []}}}

    def made(self, multiply, ends, shift=0):
        spans = list(zip(ends, ends[1:]))
        if not self.free:
            return np.array([multiply(self.a[:, i:k], self.b[i:k])
                             for i, k in spans])
        b = np.roll(self.b, shift, 0)
        return np.concatenate([multiply(self.a[i:k], b[g])
                               for g, (i, k) in enumerate(spans)])

    def legal(self):
        return self.made(times, self.ends)

    def sizes(self):
        most = np.max(np.abs(self.a)) * np.max(np.abs(self.b)) * len(self.a.T)
        return np.full_like(self.legal(), most)

    def wrong(self):
        but = draw.integers(self.a.shape[1])
        moved = self.ends.copy()
        moved[1:-1] = np.maximum(moved[1:-1] - 1, 0)
        found = {"a border too low": self.made(times, moved)}
        if self.free:
            found["a missing term"] = self.made(
                lambda a, b: times(a, b, but), self.ends)
            found["the next group"] = self.made(times, self.ends, 1)
        return found


def is_right(evaluation, value):
    """A zero has the sign of the reference's, which is another matter."""
    own = evaluation.outputs()[0]
    due = np.frombuffer(own.data, F32).reshape(value.shape)
    value = np.where((value == 0) & (due == 0), due, value).astype(F32)
    return evaluation.judge([own._replace(data=value.tobytes())]) is None


def check(kind):
    lost, missed, seen = [], [], {}
    for _ in range(ROUNDS):
        one = kind()
        with library.Evaluation(one.op, one.case, "strict") as e:
            lost += [one.case for _ in range(DRAWS)
                     if not is_right(e, one.legal())][:1]
            value, far = one.legal(), one.sizes() * F32(2.0 ** -14)
            for name, wrong in one.wrong().items():
                if np.any(np.abs(wrong - value) > far):
                    seen[name] = seen.get(name, 0) + 1
                    missed += [(name, one.case)] if is_right(e, wrong) else []
    ok(not lost, f"{kind.op}: legal evaluations are right", lost[:1])
    ok(not missed and min(seen.values()) > ROUNDS // 10,
       f"{kind.op}: wrong ones are not", missed[:1] or seen)
    figure(f"legal evaluations of {kind.op}", DRAWS * ROUNDS)


def check_tiny():
    """The first scales are subnormal in f32: flushed or not."""
    lost, kept = [], 0
    for _ in range(ROUNDS):
        one = Scaled(tiny=True)
        zeros = times(*one.factors(one.scales, flushed))
        with library.Evaluation(one.op, one.case, "spec") as e:
            lost += [] if is_right(e, zeros) and is_right(e, one.legal()) \
                else [one.case]
        with library.Evaluation(one.op, one.case, "strict") as e:
            kept += not is_right(e, zeros)
    ok(not lost, "ScaledDot: factors that are subnormal may become zeros",
       lost[:1])
    ok(kept > ROUNDS // 10, "not under the strict profile", kept)


def check_one():
    """2^-127 is normal in f8e8m0fnu, and subnormal in f32."""
    two = np.full((1, 1), 2, F32)
    powers = [given(np.full((1, 1), p, np.uint8), "f8e8m0fnu")
              for p in (0, BIAS + 120)]
    attributes = {"dimension_numbers": MATRICES,
                  "preferred_element_type": "f32"}
    cases = {"ScaledDot": [given(two), powers[0], given(two), powers[1]],
             "DotGeneral": powers}
    for op, inputs in cases.items():
        right = []
        for profile in ("spec", "strict"):
            with library.Evaluation(op, {
                    "inputs": inputs, "attributes": attributes}, profile) as e:
                right.append(is_right(e, np.zeros((1, 1), F32)))
        ok(right == [True, False], f"{op}: 2^-127 is flushed in f32, where a "
           "profile lets it", right)


check(Scaled)
check(Ragged)
check_tiny()
check_one()
finish()
