#!/usr/bin/python3
# control.t - control flow, on random programs, against an evaluator in Python.
#
# SPDX-License-Identifier: Apache-2.0
#
# The interpreter's values are compared, and then the built-in backend is
# judged on the same programs: the judge asks only for values, by other code
# than for values with what is known about them.
#
# ASSAY_SEED: other programs.  ASSAY_LONG: 10,000 of them.
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap  # noqa: E402
from independent import control, harness  # noqa: E402

COUNT = 10000 if os.environ.get("ASSAY_LONG") else 300
SEED = os.environ.get("ASSAY_SEED", "1")
BATCH = 1000  # programs for one process


def values(cases):
    """What the interpreter says otherwise."""
    told = harness.evaluate(cases)
    wrong = []
    for i, c in enumerate(cases):
        text = harness.compare(c, told[i])
        if text:
            wrong.append(f"program {i}: {text}\n{c.json}")
    return wrong


def verdicts(cases):
    """What the built-in backend gets wrong."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/cases")
        harness.write(cases, f"{folder}/cases")
        done = subprocess.run(
            [harness.ASSAY, "run", "--backend=native", "--profile=strict",
             f"--cases={folder}/cases", f"--database={folder}/results.db"],
            capture_output=True, text=True)
    return [] if done.returncode == 0 else [done.stdout + done.stderr]


def main():
    source = harness.Source(f"control {SEED}")
    for first in range(0, COUNT, BATCH):
        cases = [control.control(source)
                 for _ in range(min(BATCH, COUNT - first))]
        for name, check in (("values", values), ("verdicts", verdicts)):
            wrong = check(cases)
            tap.ok(not wrong, f"{name} of {len(cases)} programs from {first} "
                   f"on, seed {SEED}", "\n".join(wrong[:3]))
    tap.finish()


main()
