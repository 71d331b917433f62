#!/usr/bin/env python3
# freedoms.t - where a document leaves several results, the set has them all.
#
# SPDX-License-Identifier: Apache-2.0
#
# Signs that C11 leaves unspecified are those of G.6; NaNs are IEEE 754's; the
# neighbours of pi/2 in f32 are 0x1.921fb4p+0 and 0x1.921fb6p+0.
import math
from decimal import Context, Decimal

from accepts import accepts, parts
from tap import finish, ok


def numbers(kind, *data):
    return {"shape": f"{kind}[{len(data)}]", "data": list(data)}


def one(op, *operands, kind="c64", **members):
    inputs = [numbers(kind, [str(p) for p in x]) for x in operands]
    return parts(accepts(op, *inputs, **members)[0])


def check_unspecified_signs():
    """G.6: "where the sign of the ... part of the result is unspecified"."""
    inf, zero = "-inf | inf", "[-0, 0]"
    for op, operand, part, due in (
            ("Acos", ("inf", "nan"), 1, inf),  # G.6.1.1
            ("Asinh", ("nan", "inf"), 0, inf),  # G.6.2.2
            ("Atanh", ("nan", "inf"), 0, zero),  # G.6.2.3
            ("Cosh", ("0", "inf"), 1, zero),  # G.6.2.4
            ("Cosh", ("0", "nan"), 1, zero),
            ("Cosh", ("inf", "inf"), 0, inf),
            ("Cosh", ("nan", "0"), 1, zero),
            ("Sinh", ("0", "inf"), 0, zero),  # G.6.2.5
            ("Sinh", ("0", "nan"), 0, zero),
            ("Sinh", ("inf", "inf"), 0, inf),
            ("Sinh", ("inf", "nan"), 0, inf),
            ("Tanh", ("inf", "inf"), 1, zero),  # G.6.2.6
            ("Tanh", ("inf", "nan"), 1, zero),
            ("Exp", ("-inf", "inf"), 0, zero),  # G.6.3.1
            ("Exp", ("-inf", "inf"), 1, zero),
            ("Exp", ("inf", "inf"), 0, inf),
            ("Exp", ("-inf", "nan"), 0, zero),
            ("Exp", ("inf", "nan"), 0, inf),
            ("Sqrt", ("-inf", "nan"), 1, inf)):  # G.6.4.2
        got = one(op, operand, profile="strict")[part]
        got = " | ".join(sorted(got.split(" | ")))
        ok(got == due, f"{op}({operand[0]} + {operand[1]} i): either sign", got)
    near = "[{0}1.5707964, {0}1.5707963] | [1.5707963, 1.5707964]".format("-")
    got = one("Acosh", ("0", "nan"), profile="strict")[1]
    ok(got == near, "Acosh(0 + nan i): pi/2 of either sign, faithfully", got)


def check_extremes():
    """Of complex numbers, real parts first: 0 and -0 are equal."""
    for op, due in (("Max", ("-0", "2")), ("Min", ("0", "1"))):
        got = one(op, (0, 1), ("-0", 2))
        ok(got == due, f"{op} of 0 + i and -0 + 2i", got)
    for op in ("Max", "Min"):
        got = one(op, (0, 1), ("-0", 1))
        ok(sorted(got[0].split(" | ")) == ["-0", "0"] and got[1] == "1",
           f"{op} of equal numbers is either", got)
    got = one("Clamp", (0, 1), ("-0", 2), (0, 2))
    ok(sorted(got[0].split(" | ")) == ["-0", "0"] and got[1] == "2",
       "Clamp: of equal numbers either", got)
    got = one("Clamp", (0, 1), ("-0", 1), (-1, 1))
    ok(got == ("-1", "1"), "Clamp: no zero where the upper end is less", got)


def check_signalling():
    """A copy keeps a signalling NaN, a conversion makes it quiet."""
    snan = numbers("f32", "snan")
    convert = {"profile": "strict", "attributes": {"new_element_type": "f32"}}
    got = accepts("ConvertElementType", snan, **convert)
    ok(got == ["nan | nan(0x7f800001)"], "f32 to f32 may copy", got)
    got = accepts("ConvertElementType", numbers("c64", ["snan", 1]), **convert)
    ok(got == ["nan | nan(0x7f800001)"], "c64 to f32 too", got)
    convert["attributes"]["new_element_type"] = "f64"
    got = accepts("ConvertElementType", snan, **convert)
    ok(got == ["nan"], "f32 to f64 may not", got)
    for bits, due in ((23, "nan | nan(0x7f800001)"), (22, "nan")):
        got = accepts("ReducePrecision", snan, profile="strict",
                      attributes={"exponent_bits": 8, "mantissa_bits": bits})
        ok(got == [due], f"ReducePrecision to {bits} bits", got)


def check_root():
    """IEEE 754 rounds a root and a quotient once each: 1.464 ulps from the
    exact value (by decimals of 60 digits), which 1.5 ulps allow."""
    x = float.fromhex("0x1.0251aaf917582p+0")
    y = 1 / math.sqrt(x)
    beyond = y + math.copysign(math.ulp(y), y - float(
        1 / Decimal(x).sqrt(Context(60))))
    for profile in ("spec", "stablehlo", "xla-cpu-default"):
        got = accepts("Rsqrt", numbers("f64", x.hex()), profile=profile)[0]
        low, high = map(float, got[1:-1].split(", "))
        ok(low <= y <= high and not low <= beyond <= high,
           f"Rsqrt of f64 under {profile}: a rounded root and quotient", got)


check_unspecified_signs()
check_extremes()
check_signalling()
check_root()
finish()
