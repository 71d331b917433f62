#!/usr/bin/env python3
# stablehlo.t - the StableHLO text of programs.
#
# SPDX-License-Identifier: Apache-2.0
#
# stablehlo.golden holds the text of small cases: every operation, attribute
# and element type, and faults of each kind.  It was read by hand against
# StableHLO's specification; `interp/test/stablehlo.t --update` writes it anew
# for the same cases, and the difference is to be read in the same way.  Left
# out of it are the module's line where there is one replica, and closing
# braces.
#
# With jaxlib all programs of cases/ are given to StableHLO's own verifier:
#
#     make jax
import fnmatch
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tools/test"))

import tap  # noqa: E402

BUILD = os.environ.get("B", "build")
ASSAY = os.environ.get("ASSAY", f"{BUILD}/assay")
GOLDEN = os.path.join(HERE, "stablehlo.golden")
ONE = ("module @assay attributes {mhlo.num_replicas = 1 : i32, "
       "mhlo.num_partitions = 1 : i32} {")

# Faults that the verifier does not look for: of replica groups and shards, of
# algorithms' states, of element types and precisions that it lets through, and
# of what a custom call means.  All are in the text, for a backend to find.
BEYOND = """
    AllGather/errors/global-without-channel AllGather/errors/shard-count*
    */errors/group-missing AllReduce/errors/group-empty*
    AllReduce/errors/global-of-replicas AllReduce/rules/error-missing
    CollectiveBroadcast/errors/group-outside CollectivePermute/errors/*-above
    ReduceScatter/errors/divisible ReduceScatter/errors/shard-count
    RaggedAllToAll/errors/* RngBitGenerator/errors/state-*
    Conv*/errors/p* Dot*/rules/error-precision Dot*/rules/error-type
    RaggedDot/errors/types *TotalOrder/errors/operand-type@T=c64*
    BesselI1e/errors/operand-type@T=c64* Cbrt/errors/operand-type@T=c64*
    Rem/errors/operand-type@T=c64*
    Fft/errors/negative Fft/errors/size* Scatter/errors/element-type
    SelectAndScatter/errors/source-type TopK/errors/pred TopK/errors/complex
""".split()

# What the verifier says of a result's type is another fault than the one meant,
# unless the result is what is wrong, or follows from the region alone.
RESULT = re.compile(r"result #|expected \d+ results|requires one result|"
                    r"incompatible with return type|expected valid keyword|"
                    r"expected operation name|undeclared SSA value|redefinition")
IS_RESULT = ["Iota/*", "RngBitGenerator/errors/type", "TopK/errors/k-negative",
             "AllReduce/errors/tuple-types"]


def read(text):
    """Name to the lines of its program, and the names of invalid ones."""
    programs, invalid, lines = {}, set(), None
    for line in text.splitlines():
        if line.startswith("// invalid: "):
            invalid.add(name)
        elif line.startswith("// "):
            name = line[3:]
            lines = programs[name] = []
        elif line not in ("}", "  }", ONE):
            lines.append(line)
    return programs, invalid


def matches(name, patterns):
    return any(fnmatch.fnmatchcase(name, p) for p in patterns)


def check_golden(programs):
    with open(GOLDEN, encoding="utf-8") as f:
        golden, _ = read(f.read())
    for name, want in golden.items():
        have = programs.get(name, ["no such program"])
        tap.ok(have == want, f"{name}: text",
               "\n".join(["expected:", *want, "have:", *have,
                          "if it is right: interp/test/stablehlo.t --update"]))


def check_returns(programs, invalid):
    """An invalid program's result is used, so that it is not dropped."""
    dead = []
    for name in sorted(invalid):
        returned = [l for l in programs[name] if '"func.return"(' in l][0]
        tokens = "!stablehlo.token)" in "".join(programs[name])
        if '"func.return"()' in returned and not tokens:
            dead.append(name)
    tap.ok(not dead, "invalid programs return their result", "\n".join(dead))


def find_python():
    for python in (os.environ.get("ASSAY_MLIR_PYTHON"),
                   f"{BUILD}/jax/bin/python", sys.executable):
        if python and shutil.which(python) and subprocess.run(
                [python, "-c", "import jaxlib.mlir.dialects.stablehlo"],
                stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return python
    return None


def check_verifier(text, invalid):
    python = find_python()
    if not python:
        tap.ok(True, "StableHLO's verifier # SKIP no jaxlib: make jax")
        return
    told = subprocess.run([python, os.path.join(HERE, "stablehlo_verify.py")],
                          input=text, capture_output=True, text=True,
                          check=False)
    tap.ok(told.returncode == 0, "the verifier runs", told.stderr)
    refused, accepted, others = [], [], []
    for line in told.stdout.splitlines():
        name, _, why = line.partition("\t")
        if name not in invalid:
            if why:
                refused.append(line)
        elif not why:
            if not matches(name, BEYOND):
                accepted.append(name)
        elif RESULT.search(why) and not matches(name, IS_RESULT):
            others.append(line)
    tap.ok(not refused, "valid programs are accepted", "\n".join(refused))
    tap.ok(not accepted, "invalid programs are refused", "\n".join(accepted))
    tap.ok(not others, "for the fault, not for the type that is claimed",
           "\n".join(others))


def main():
    text = subprocess.run([ASSAY, "emit", os.path.join(ROOT, "cases")],
                          capture_output=True, text=True, check=False).stdout
    programs, invalid = read(text)
    if sys.argv[1:] == ["--update"]:
        with open(GOLDEN, encoding="utf-8") as f:
            names = list(read(f.read())[0])
        with open(GOLDEN, "w", encoding="utf-8") as f:
            for name in names:
                f.write("\n".join([f"// {name}", *programs[name], ""]))
        return
    tap.ok(len(programs) > 10000, "programs of cases/ are written")
    check_golden(programs)
    check_returns(programs, invalid)
    check_verifier(text, invalid)
    tap.finish()


main()
