#!/usr/bin/env python3
"""faults.t - planted faults are caught by the cases of their operations.

SPDX-License-Identifier: Apache-2.0

Two of each class; `make check-faults` plants them all.  The control is a
fault of a place in which the quick tier has no case.
"""
import os
import re
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")


SAMPLE = """
    elementwise_rank_5/Ne cross_dot_vector_3 binary_mod_8/Min cross_fft_prime
    add_associated late_select_of_reduce/Clamp control_trips_1000
    seventh_branch_result/Conditional in_place_update
    cross_in_place_reverse/Transpose element_9 eighth_barrier_three zero_times_inf
    sixth_clamp_infinite dynamic_reduce eighth_product_of_padding
    replica_five/AllReduce eighth_split_in_four mul_s64_double sixth_bits_nibble
    conv_1x1_padding/ConvGeneralDilated late_fft_2d_batch""".split()


def faults(*words):
    return subprocess.run(
        ["tools/checks/faults", "--assay", ASSAY, "--backend", f"{B}/backends/faulty.so",
         "--native", f"{B}/backends/native.so", "--functions", f"{B}/custom-calls.so",
         *words], capture_output=True, text=True, check=False)


done = faults("--first", "--operations", "0", "--require", "100", *SAMPLE)
ok(done.returncode == 0, "two faults of each class: each is caught",
   done.stdout + done.stderr)
kinds = re.findall(r"^(\S+) +(\d+) of +(\d+)", done.stdout, re.M)
ok(len(kinds) == 12, "of each of eleven classes, and all", done.stdout)
# The quick tier has no stride above 16: the condition holds nowhere.
done = faults("--tier", "quick", "--first", "slice_stride_16",
              "--require", "1")
ok(done.returncode == 1 and "in no case: length: slice_stride_16" in done.stdout,
   "a fault beyond what a tier has is not caught", done.stdout + done.stderr)
# Of one that passes it is said whether it changed anything: no number whose
# exponential is the least normal one is in a case.
done = faults("--tier", "quick", "--first", "fifth_least_normal/Exp",
              "--operations", "0", "--require", "1")
ok(done.returncode == 1 and re.search(
    r"^changed nothing judged in \d+ cases: special: fifth_least_normal/Exp",
    done.stdout, re.M), "a fault that changes no result is told",
   done.stdout + done.stderr)
# What lies beyond a dynamic size is no part of a result, and is not judged.
done = faults("--first", "--operations", "0", "--require", "100",
              "cross_dynamic_two/*", "cross_dynamic_scatter/*",
              "cross_dynamic_conditional/*")
ok(done.returncode == 0, "a fault of a dynamic array spoils an element that counts",
   done.stdout + done.stderr)
# A program whose value depends on a rounding passes while the backend is right,
# but a wrong result in it is no failure: such a program tests nothing.
for fault in ("concat_many", "pad_narrow/ConcatInDim"):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [ASSAY, "run", "--backend", f"{B}/backends/faulty.so",
             "--backend-option", f"fault={fault}", "--form", "none", "--filter",
             "*/flow/*", "--expectations", "runner/backends/native/native.expect",
             "--database", f"{folder}/results.db"],
            capture_output=True, text=True, check=False)
    words = re.search(r"^\d+ cases: (.*)", done.stdout, re.M)
    ok(words and re.search(r"\d{3} fail", words[1]) and "limit" not in words[1],
       f"{fault}: what is wrong fails, and is not beyond the judge's limits",
       done.stdout[-600:] + done.stderr[-300:])
done = faults("no_such_fault")
ok(done.returncode == 1 and "no fault has this name" in done.stderr,
   "an unknown fault", done.stderr)
finish()
