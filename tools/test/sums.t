#!/usr/bin/env python3
"""sums.t - wrong sums at the sizes of models are rejected.

SPDX-License-Identifier: Apache-2.0

The bound of a long sum in any order admits narrowed operands and a missing
term, unless the data are such that every order gives the same bits.  So each
way of being wrong is planted in every operation that has such a case
(tools/make-sums, tools/make-drawn), and each case must fail.
"""
import json
import os
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")
CASES = ("*/sums/*", "Dot*/drawn/sums-*")
FAULTS = {"sums_operands_bf16": "operands rounded to bf16",
          "sums_bf16": "a sum rounded to bf16",
          "sums_missing": "a missing term", "sums_doubled": "a term twice",
          "sums_sign": "a term of the wrong sign"}


def statuses(backend, *options):
    with tempfile.TemporaryDirectory() as folder:
        filters = [word for c in CASES for word in ("--filter", c)]
        done = subprocess.run(
            [ASSAY, "run", "--backend", backend, "--json", "--database",
             f"{folder}/results.db", *filters, *options],
            capture_output=True, text=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()
            if line.startswith("{")]
    return {r["name"]: r["status"] for r in rows if "name" in r}


plain = statuses("native")
ok(len(plain) == 16 and set(plain.values()) == {"pass"},
   "the sums are right as they are", plain)
for fault, what in FAULTS.items():
    found = statuses(f"{B}/backends/faulty.so", "--backend-option",
                     f"fault={fault}")
    kept = {n: s for n, s in found.items() if s != "fail"}
    ok(set(found) == set(plain) and not kept,
       f"{what}: each of {len(found)} cases fails", kept)
finish()
