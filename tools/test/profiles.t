#!/usr/bin/env python3
# profiles.t - what is wrong under one profile only, and by which choice.
#
# SPDX-License-Identifier: Apache-2.0
#
# The backend native follows the documents and is right under spec, so what
# fails under another profile must be a consequence of that profile.  Each row
# names a case and the member of the profile (its text is in policies.json, its
# source in the profile's file) that makes it wrong: with that member as spec
# has it, the case passes.  The rows are all groups of cases of rules,
# errors, exact and special values, and of whole programs in which native fails
# under some profile and not under spec.
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
FLUSH = {"subnormal": ["flush-results", "flush-operands", "any-sign"],
         "nan": "any"}
NORM = {"choices": {"complex.accuracy": "norm"}}


def ulps(name, kind, n):
    return {"class": name, "types": [kind], "source": "a test",
            "budget": {"kind": "ulp", "ulps": n}}


# profile, case, what it differs in, as spec has it
ROWS = (
    ("xla-cpu-default", "Scatter/rules/partial-window",
     {"choices": {"scatter.partial-window": "element"}}),
    ("xla-gpu-default", "Scatter/rules/partial-window",
     {"choices": {"scatter.partial-window": "element"}}),
    ("xla-cpu-default", "Pow/special/grid@T=s8,N=49",
     {"choices": {"pow.int.negative-exponent": "any"}}),
    ("xla-gpu-default", "Pow/special/grid@T=s8,N=49",
     {"choices": {"pow.int.negative-exponent": "any"}}),
    ("xla-cpu-default", "TopK/special/zeros@T=f32,L=true",
     {"choices": {"topk.signed-zero": "either"}}),
    ("xla-exhaustive", "TopK/special/zeros@T=f32,L=true",
     {"choices": {"topk.signed-zero": "either"}}),
    ("xla-gpu-default", "Rsqrt/special/grid@T=f64,N=65",
     {"budgets": [ulps("Rsqrt", "f64", "1.5")]}),
    ("stablehlo", "Atan2/special/grid-complex-3-swapped@T=c64,N=64",
     {"types": {"f32": FLUSH}}),
    ("xla-gpu-default", "Atan2/special/grid-complex-3-swapped@T=c64,N=64",
     {"types": {"f32": FLUSH}}),
    ("strict", "Sign/special/grid@T=f64,N=1024",
     {"types": {"f64": {"subnormal": [], "nan": "any"}}}),
    ("strict", "ReducePrecision/special/grid@T=f64,E=5,M=10",
     {"types": {"f64": {"subnormal": [], "nan": "any"}}}),
    ("strict", "Pow/special/grid@T=f32,N=1024",
     {"choices": {"pow.signalling-nan": "either"}}),
    ("strict", "Cbrt/rules/value@T=f64",
     {"budgets": [ulps("Cbrt", "f64", "2.5")]}),
    ("strict", "Erfc/rules/value@T=f64",
     {"budgets": [ulps("Erfc", "f64", "8")]}),
    ("strict", "Logistic/rules/value@T=f64",
     {"budgets": [ulps("Logistic", "f64", "4")]}),
    ("strict", "Cos/rules/complex@T=c64",
     {**NORM, "budgets": [ulps("Cos.complex", "f32", "4")]}),
    ("strict", "Tanh/rules/complex@T=c128",
     {**NORM, "budgets": [ulps("Tanh.complex", "f64", "4")]}),
    ("strict", "Pow/special/grid-complex-0@T=c64,N=64",
     {**NORM, "budgets": [ulps("Pow.complex", "f32", "4")]}),
)


# Right under xla-exhaustive, whose relative errors are those of the modulus:
# xla: tests/exhaustive/exhaustive_op_test_base.cc, IsClose.
RIGHT = (
    ("xla-exhaustive", "Pow/special/grid-complex-0@T=c64,N=64"),
    ("xla-exhaustive", "Pow/special/grid-complex-3@T=c128,N=64"),
    ("xla-exhaustive", "Atan2/special/grid-complex-0@T=c64,N=64"),
)


def passes(folder, profile, name):
    run = subprocess.run(
        [ASSAY, "run", "--backend", "native", "--profile", profile, "--quiet",
         "--filter", name, "--expectations", os.devnull,
         "--database", os.path.join(folder, "x.db")],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return run.returncode == 0, run.stdout


def main():
    with tempfile.TemporaryDirectory() as folder:
        for number, (profile, name, members) in enumerate(ROWS):
            mine = os.path.join(folder, f"p{number}.json")
            with open(mine, "w", encoding="utf-8") as f:
                json.dump({"profile": "mine", "extends": profile,
                           "text": "a test", **members}, f)
            good, text = passes(folder, profile, name)
            ok(not good and "1 fail" in text, f"{profile}: {name}", text)
            good, text = passes(folder, mine, name)
            ok(good, f"{profile}: {name} but for {sorted(members)}", text)
        for profile, name in RIGHT:
            good, text = passes(folder, profile, name)
            ok(good, f"{profile}: {name} is right", text)
    finish()


main()
