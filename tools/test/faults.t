#!/usr/bin/env python3
"""faults.t - planted faults are caught by the cases of their operations.

SPDX-License-Identifier: Apache-2.0

A sample of each class; `make check-faults` plants them all.  The control is
native itself: the same command with a fault that is never met reports it.
"""
import os
import re
import subprocess

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")


def faults(*words):
    return subprocess.run(
        ["tools/faults", "--assay", ASSAY, "--backend", f"{B}/backends/faulty.so",
         "--native", f"{B}/backends/native.so", "--functions", f"{B}/custom-calls.so",
         *words], capture_output=True, text=True, check=False)


done = faults("--first", "--operations", "1", "--sample", "3", "--require", "100")
ok(done.returncode == 0, "a sample of faults: each is caught",
   done.stdout + done.stderr)
kinds = re.findall(r"^(\S+) +(\d+) of +(\d+)", done.stdout, re.M)
ok(len(kinds) == 12, "of each class", done.stdout)
# The quick tier has no case of 65,536 elements.
done = faults("--tier", "quick", "--first", "unary_long/Exp", "--require", "1")
ok(done.returncode == 1 and "not caught: length: unary_long/Exp" in done.stdout,
   "a fault beyond the sizes of a tier is not caught", done.stdout + done.stderr)
done = faults("no_such_fault")
ok(done.returncode == 1 and "no fault has this name" in done.stderr,
   "an unknown fault", done.stderr)
finish()
