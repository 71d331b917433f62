#!/usr/bin/env python3
# quick.t - the tier quick has chosen cases, and a run says what they catch.
#
# SPDX-License-Identifier: Apache-2.0
#
import json
import os
import pathlib
import re
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
QUICK = json.loads(pathlib.Path("spec/quick.json").read_text())
LOCK = pathlib.Path("spec/deviations.lock").read_text()


def check(folder, assay=ASSAY, seed="random"):
    return subprocess.run([os.path.abspath("tools/makers/make-quick"), "--check"],
                          cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "ASSAY": assay,
                               "PYTHONHASHSEED": seed})


def check_seeds(folder):
    """Python's sets in three other orders; what the program says is kept."""
    assay = pathlib.Path(folder, "assay")
    assay.write_text('#!/bin/sh\n'
                     f'said={folder}/$(echo "$*" | tr -d " -")\n'
                     f'[ -e $said ] || {ASSAY} "$@" >$said\ncat $said\n')
    assay.chmod(0o755)
    done = [check(".", str(assay), seed) for seed in "123"]
    ok(not any(d.returncode for d in done),
       "whatever the order of Python's sets", [d.stderr for d in done])


def listed(tier):
    return subprocess.run([ASSAY, "run", "--list", "--tier", tier],
                          capture_output=True, text=True).stdout.split()


with tempfile.TemporaryDirectory() as folder:
    check_seeds(folder)
with tempfile.TemporaryDirectory() as folder:
    spec = pathlib.Path(folder, "spec")
    spec.mkdir()
    pathlib.Path(spec, "quick.json").write_text(json.dumps(QUICK))
    first = QUICK["cases"][0]
    pathlib.Path(spec, "deviations.lock").write_text(
        LOCK.replace(first, first + "x"))
    done = check(folder)
    ok(done.returncode == 1 and "run tools/makers/make-quick" in done.stderr,
       "but not after another case rejects a deviation", done.stderr)

names = listed("quick")
ok(sorted(names) == QUICK["cases"], "the tier has these cases",
   sorted(set(names) ^ set(QUICK["cases"]))[:9])
ok(set(names) < set(listed("default")) and any("#" in n for n in names),
   "of the default tier, forms included")

# Evaluated, by nothing but these cases.
caught = QUICK["catches"]
done = subprocess.run([ASSAY, "cover", "--deviations", "--tier", "quick",
                       "-f", "json"], capture_output=True, check=True)
rejected = json.loads(done.stdout)["rejected"]
ok(rejected >= caught["deviations"]["caught"],
   "which reject as many deviations as they are chosen for, or more",
   f"{rejected}, {caught}")
ok(100 * caught["deviations"]["caught"] >= 75 * caught["deviations"]["of"] > 0,
   "at least 75 % of the deviations", caught)
with tempfile.TemporaryDirectory() as folder:
    def run(*more):
        return subprocess.run(
            [ASSAY, "run", "-q", "--backend", "reference", "--tier", "quick",
             "--database", f"{folder}/r.db", *more],
            capture_output=True, text=True, timeout=600).stdout
    out = run()
    said = re.search(r"^tier quick catches (\d+) of (\d+) deviations .*, (\d+) of "
                     r"(\d+) values in places .* the default tier", out, re.M)
    ok(said and [int(n) for n in said.groups()]
       == [c[k] for c in caught.values() for k in ("caught", "of")],
       "a run says so", out)
    ok("catches" not in run("-f", "Abs/*"), "but not one of part of the cases")
finish()
