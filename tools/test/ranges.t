#!/usr/bin/env python3
# ranges.t - no set reaches beyond the range of its function.
#
# SPDX-License-Identifier: Apache-2.0
#
# Ranges are those of the real functions; pi to 40 digits is the textbooks'.
import struct
from fractions import Fraction

from accepts import accepts
from tap import finish, ok

PI = Fraction("3.141592653589793238462643383279502884197")
PROFILES = ("spec", "strict", "stablehlo", "xla-cpu-default",
            "xla-gpu-default", "xla-exhaustive")
# Near 0, near 1, large, and where functions come near the ends.
POINTS = ("0", "-0", "0x1p-13", "-0x1p-13", "0x1p-27", "-0x1p-27", "0.5",
          "-0.5", "0.99", "-0.99", "1", "-1", "1.001", "1.5707964", "3.1415927",
          "-3.1415927", "4", "-4", "9", "-9", "17.5", "-17.5", "40", "-40",
          "1000", "-1000", "6e4", "-6e4")
RANGES = {
    "Acos": (0, PI), "Acosh": (0, None), "Asin": (-PI / 2, PI / 2),
    "Atan": (-PI / 2, PI / 2), "Atan2": (-PI, PI), "Cos": (-1, 1),
    "Cosh": (1, None), "Erf": (-1, 1), "Erfc": (0, 2), "Exp": (0, None),
    "Expm1": (-1, None), "Logistic": (0, 1), "Pow": (0, None),
    "Rsqrt": (0, None), "Sin": (-1, 1), "Sqrt": (0, None), "Tanh": (-1, 1),
}
SECOND = {"Atan2": "-1", "Pow": "1.5"}
POSITIVE = ("Pow", "Rsqrt", "Sqrt")  # -0 and its like have ranges of their own
FORMATS = {"f64": ("<d", "<Q", 0), "f32": ("<f", "<I", 0),
           "bf16": ("<f", "<I", 16), "f16": ("<e", "<H", 0)}


def number(kind, bits):
    value, pattern, shift = FORMATS[kind]
    return Fraction(struct.unpack(value, struct.pack(pattern, bits << shift))[0])


def outwards(kind, end):
    """The number of the type that is next to |end| or is it, from above."""
    low, high = 0, {"f64": 0x7fe << 52, "f32": 0xfe << 23, "bf16": 0xfe << 7,
                    "f16": 0x1e << 10}[kind]
    while low < high:
        middle = (low + high) // 2
        if number(kind, middle) < abs(end):
            low = middle + 1
        else:
            high = middle
    return number(kind, low) * (-1 if end < 0 else 1)


def evaluate(op, kind, profile):
    """The sets' texts by the input."""
    points = [p for p in POINTS if op not in POSITIVE or p[0] != "-"]
    inputs = [{"shape": f"{kind}[{len(points)}]", "data": points}]
    if op in SECOND:
        inputs.append({"shape": f"{kind}[{len(points)}]", "splat": SECOND[op]})
    return dict(zip(points, accepts(op, *inputs, profile=profile)))


def ends(accept):
    """All numbers in the text of a set."""
    words = accept.replace("[", "").replace("]", "").replace(" |", ",")
    return [w for w in words.split(", ") if w != "nan"]


def read(kind, text):
    """The number of the type that a shortest decimal stands for."""
    value, pattern, shift = FORMATS[kind]
    bits = struct.unpack(pattern, struct.pack(value, float(text)))[0]
    return number(kind, (bits + (1 << shift >> 1)) >> shift)


def is_beyond(kind, text, low, high):
    if text in ("inf", "-inf"):
        return (high if text == "inf" else low) is not None
    value = read(kind, text)
    return (low is not None and value < low
            or high is not None and value > high)


def wrong(op, kind, profile):
    low, high = (None if e is None else outwards(kind, Fraction(e))
                 for e in RANGES[op])
    for point, accept in evaluate(op, kind, profile).items():
        if any(is_beyond(kind, end, low, high) for end in ends(accept)):
            return f"{op}({point}) of {kind}, {profile}: {accept}"
    return ""


for name in RANGES:
    why = [w for kind in FORMATS for profile in PROFILES
           if (w := wrong(name, kind, profile))]
    ok(not why, f"{name}: within its range", "\n".join(why))
ok(evaluate("Cosh", "f32", "spec")["0x1p-13"] == "[1, 1.0000005]",
   "4 ulps, but not below 1")
ok(evaluate("Asin", "f32", "spec")["1"] == "[1.5707959, 1.5707964]",
   "4 ulps, but not above pi/2 rounded up")
finish()
