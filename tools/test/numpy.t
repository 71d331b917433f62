#!/usr/bin/python3
# numpy.t - the interpreter against NumPy, SciPy and mpmath, on random programs.
#
# SPDX-License-Identifier: Apache-2.0
#
# Usage: tools/test/numpy.t [OPERATION...]
#
# Every operation has a function in independent/ that draws a shape, data and
# attributes and says what must come out, computed by NumPy, SciPy or mpmath,
# or by the definition where they have no such operation.  Data is such that
# the result is exact, or rounded once, so all is compared bit for bit.
#
# The system's Python, for it is that one which the Debian packages are for.
# ASSAY_SAMPLES: random programs for each operation.  ASSAY_SEED: other ones.
import os
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from independent import harness  # noqa: E402
from independent import OPS, WEIGHT  # noqa: E402
from tap import finish, ok  # noqa: E402

SAMPLES = int(os.environ.get("ASSAY_SAMPLES") or 40)
SEED = os.environ.get("ASSAY_SEED", "1")
BATCH = 4000  # programs for one process


def judge(batch):
    """Evaluate the cases of some operations and report each of these."""
    cases = [c for _, list in batch for c in list]
    told = harness.evaluate(cases)
    i = 0
    for op, list in batch:
        complaints = []
        for c in list:
            wrong = harness.compare(c, told[i])
            if wrong:
                complaints.append(f"{c.op} {c.json}\n{wrong}")
            i += 1
        why = [line[:2000] for c in complaints[:3] for line in c.splitlines()]
        ok(not complaints, f"{op}: {len(list)} random programs",
           "\n".join(why))


def main():
    asked = sys.argv[1:] or OPS
    batch, size = [], 0
    for op in asked:
        start = time.monotonic()
        s = harness.Source(f"{op} {SEED}")
        count = max(1, int(SAMPLES * WEIGHT.get(op, 1)))
        cases = [OPS[op](s) for _ in range(count)]
        if os.environ.get("ASSAY_TIMES"):
            print(f"# {op}: {time.monotonic() - start:.2f} s")
        batch.append((op, cases))
        size += count
        if size > BATCH:
            judge(batch)
            batch, size = [], 0
    if batch:
        judge(batch)
    finish()


main()
