#!/usr/bin/python3
# sizes.t - programs whose sizes are operands, and HLO's round trip.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each dynamic operation of StableHLO with the sizes that --inputs gives, and
# StochasticConvert; results are NumPy's, or worked out with fractions.  The
# programs of the tier quick go to HLO's text and back.  Needs `make jax`.
import json
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import figure, finish, ok  # noqa: E402
from with_jax import ASSAY, ENVIRONMENT, JAX, ROOT  # noqa: E402

if not os.path.exists(JAX):
    ok(True, "sizes that are operands # SKIP make jax was not run")
    finish()

X = [[float(4 * i + k) for k in range(4)] for i in range(3)]
CONV = ("#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count "
        "= 1 : i64, batch_group_count = 1 : i64, window_strides = "
        "array<i64: 1>")
GATHER = ("#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
          "start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = "
          "false")
# (types of the operands, their values, the operation, its type, its result)
DYNAMIC = (
    ("6xf32 2xi32", ([0.0, 1, 2, 3, 4, 5], [2, 3]),
     "dynamic_reshape %a0, %a1", "?x?xf32", [[0, 1, 2], [3, 4, 5]]),
    ("?xf32 2xi64", ([5.0, 6], [3, 2]),
     "dynamic_broadcast_in_dim %a0, %a1, dims = [1]", "?x?xf32",
     [[5, 6]] * 3),
    ("1xi32", ([4],), "dynamic_iota %a0, dim = 0", "?xf32", [0, 1, 2, 3]),
    ("3xf32 f32 1xi32 1xi32 1xi32", ([1.0, 2, 3], 9.0, [1], [2], [1]),
     "dynamic_pad %a0, %a1, %a2, %a3, %a4", "?xf32",
     [9, 1, 9, 2, 9, 3, 9, 9]),
    ("6xf32 1xi32 1xi32 1xi32", ([0.0, 1, 2, 3, 4, 5], [1], [6], [2]),
     "real_dynamic_slice %a0, %a1, %a2, %a3", "?xf32", [1, 3, 5]),
    ("3x4xf32 2x1xi64 2xi64", (X, [[2], [0]], [1, 3]),
     f'"dynamic_gather"(%a0, %a1, %a2) {{dimension_numbers = {GATHER}}}',
     "2x?xf32", [[8, 9, 10], [0, 1, 2]]),
    ("1x4x1xf32 2x1x1xf32 1x2xi64",
     ([[[0.0], [1], [2], [3]]], [[[1.0]], [[1.0]]], [[1, 0]]),
     f'"dynamic_conv"(%a0, %a1, %a2) {{dimension_numbers = {CONV}}}',
     "1x?x1xf32", [[[0], [1], [3], [5]]]))


def call(folder, *arguments):
    return subprocess.run([ASSAY, *arguments], cwd=folder, env=ENVIRONMENT,
                          capture_output=True, text=True, check=False)


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def save(path, values, kinds):
    """As numpy.savez, by the Python that has NumPy."""
    code = ("import json, sys, numpy as np; v, k = json.load(sys.stdin); "
            "np.savez(sys.argv[1], *[np.array(x, d) for x, d in zip(v, k)])")
    subprocess.run([JAX, "-c", code, path], check=True, text=True,
                   input=json.dumps([values, kinds]))


def elements(done):
    if done.returncode:
        return None
    case = json.loads(done.stdout)["cases"][0]
    return [float(e["value"]) for e in case["replicas"][0][0]["elements"]]


def flat(value):
    return [value] if not isinstance(value, list) else \
        [y for x in value for y in flat(x)]


def check_dynamic(folder):
    for types, values, op, result, due in DYNAMIC:
        kinds = types.split()
        text = op if op.startswith('"') else f"stablehlo.{op}"
        text = text.replace('"dynamic', '"stablehlo.dynamic')
        signature = ", ".join(f"tensor<{t}>" for t in kinds)
        arguments = ", ".join(f"%a{i}: tensor<{t}>"
                              for i, t in enumerate(kinds))
        write(f"{folder}/p.mlir", f"""
func.func @main({arguments}) -> tensor<{result}> {{
  %0 = {text} : ({signature}) -> tensor<{result}>
  return %0 : tensor<{result}>
}}""")
        save(f"{folder}/p.npz", values,
             [{"f32": "f4", "i32": "i4", "i64": "i8"}[t.split("x")[-1]]
              for t in kinds])
        done = call(folder, "eval", "p.mlir", "--inputs", "p.npz", "--json")
        ok(elements(done) == [float(v) for v in flat(due)],
           f"{op.split()[0]}: sizes from the inputs", done)
        done = call(folder, "import", "p.mlir")
        ok(done.returncode == 2 and done.stderr.count("\n") == 1
           and ("--inputs" in done.stderr or "bound" in done.stderr),
           f"{op.split()[0]}: refused without them", done)
    write(f"{folder}/p.mlir", """
func.func @main(%a: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}""")
    save(f"{folder}/p.npz", [2.0], ["f4"])
    done = call(folder, "import", "p.mlir", "--inputs", "p.npz")
    ok(done.returncode == 2 and done.stderr == "assay import: p.mlir:5:8: "
       "stablehlo.dynamic_iota: its sizes are neither constant nor made of "
       "integers that --inputs gives\n", "a size that is a float", done)


def stochastic(x, random, bits, low, high):
    """By its definition: up, away from zero, if random < the fraction."""
    if x <= low or x >= high:
        return low if x <= low else high
    size = abs(Fraction(x))
    whole = size.numerator // size.denominator
    whole += random < (size - whole) * 2 ** bits
    return -whole if x < 0 else whole


def check_stochastic(folder):
    for kind, code, bits in (("f32", "f4", 32), ("f16", "f2", 16),
                             ("f64", "f8", 64)):
        half = 1 << (bits - 1)
        x = [0.5, 0.5, -0.5, -2.25, -2.25, 3.75, 126.5, 127.5, -128.5, -127.5,
             4.0, 0.0, 1000.0, -1000.0]
        r = [half - 1, half, half - 1, half // 2 - 1, half // 2, 0, 0, 0, 0,
             half - 1, 0, 0, 0, 0]
        n = len(x)
        write(f"{folder}/s.hlo", f"""HloModule m
ENTRY e {{
  x = {kind}[{n}] parameter(0)
  r = u{bits}[{n}] parameter(1)
  ROOT c = s8[{n}] stochastic-convert(x, r)
}}
""")
        save(f"{folder}/s.npz", [x, r], [code, f"u{bits // 8}"])
        done = call(folder, "eval", "s.hlo", "--inputs", "s.npz", "--json")
        ok(elements(done) == [stochastic(a, b, bits, -128, 127)
                              for a, b in zip(x, r)],
           f"StochasticConvert of {kind}", done)
    write(f"{folder}/s.hlo", """HloModule m
ENTRY e {
  x = f32[2] parameter(0)
  r = u32[2] parameter(1)
  ROOT c = bf16[2] stochastic-convert(x, r)
}
""")
    done = call(folder, "import", "s.hlo")
    ok(done.returncode == 2 and "mhlo.stochastic_convert: to bf16: XLA "
       "converts to signed integers alone" in done.stderr,
       "to a float, which XLA does not have", done)


def check_broadcast(folder):
    """CHLO's forms that broadcast: zeta(2, 1) and zeta(4, 1) are pi^2 / 6 and
    pi^4 / 90."""
    write(f"{folder}/b.mlir", """
func.func @main(%a: tensor<2x1xf64>, %b: tensor<1x1xf64>) -> tensor<2x1xf64> {
  %0 = chlo.broadcast_zeta %a, %b : (tensor<2x1xf64>, tensor<1x1xf64>) -> tensor<2x1xf64>
  return %0 : tensor<2x1xf64>
}""")
    save(f"{folder}/b.npz", [[[2.0], [4.0]], [[1.0]]], ["f8", "f8"])
    done = call(folder, "eval", "b.mlir", "--inputs", "b.npz", "--json")
    ok(elements(done) == [1.6449340668482264, 1.0823232337111382],
       "chlo.broadcast_zeta", done)


def check_zeros(folder):
    """XLA prints -0.0 as -0, and reads that as 0."""
    write(f"{folder}/z.mlir", """
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[0.0, -0.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}""")
    call(folder, "import", "z.mlir", "-o", "z.json")
    write(f"{folder}/z.hlo", call(folder, "emit", "--hlo", "z.json").stdout)
    done = call(folder, "eval", "z.hlo", "--json")
    ok(elements(done) == [0, 0] and "80000000" in done.stdout,
       "the sign of zero in HLO's text", done)


# What does not survive, with jaxlib 0.10.2.
LOST = (
    # XLA's conversion to HLO ends the process.
    r"A(cos|cosh)/sweep/narrow@T=f6e2m3fn,.*: XLA's conversion was ended",
    r"RaggedAllToAll/.*: XLA's conversion was ended",
    # It has no such operation of the types of 4 to 8 bits.
    r"(BesselI1e|Digamma|Erfc|ErfInv|Lgamma|Polygamma|Zeta)/[^:]*@T=f[468]e.*"
    r"failed to legalize operation 'chlo\.",
    # It writes these as approximations by other operations.
    r"(Acosh|Asinh|Erfc|Sinh)/.*: another program",
    r"Cosh/.*complex.*: another program",
    r"(BesselI1e|Digamma|ErfInv|Lgamma|Polygamma|Zeta)/.*: another program",
    r"\w+/regress-complex/\w+(-g)?: another program",
    # From HLO it makes a decomposition with another number of results.
    r"CompositeCall/.*: .*has 1 result\(s\), but decomposition has \d+",
    # It prints complex constants with six digits.
    r"Fft/values/all: .*3.40282e\+38 is out of range",
    # Its text differs, and a size that is drawn gives no result to compare.
    r"Lt/dynamic/one-left: another program",
    # Its text differs, and for random operands the loops do not end.
    r"programs/flow/nested-.*: another program",
)


def check_roundtrip():
    """Every 5th program of the tier quick, or as ASSAY_ROUNDTRIP says."""
    step = os.environ.get("ASSAY_ROUNDTRIP") or "5"
    done = subprocess.run(["nice", JAX, f"{ROOT}/tools/test/roundtrip.py",
                           ASSAY, step, "hlo"], capture_output=True,
                          text=True, cwd=ROOT, check=False)
    *other, last = done.stdout.splitlines() or [""]
    other = [line for line in other if not any(re.match(r, line) for r in LOST)]
    same, _, count = last.partition(" of ")
    with open(f"{ROOT}/spec/quick.json", encoding="utf-8") as f:
        all_of_them = len([n for n in json.load(f)["cases"] if "#" not in n])
    ok(not other and int(count or 0) * int(step) > all_of_them // 2,
       "programs are the same after HLO and back, but what XLA does not take",
       "\n".join(other) or f"{done.stdout[-400:]}{done.stderr[-2000:]}")
    figure("programs through HLO and back", int(same or 0))


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_dynamic(folder)
        check_stochastic(folder)
        check_broadcast(folder)
        check_zeros(folder)
    check_roundtrip()
    finish()


main()
