#!/usr/bin/python3
# surplus.t - a reply, a line or a byte too many or too few, at every call.
#
# SPDX-License-Identifier: Apache-2.0
#
# process/surplus.py changes one reply of each case in one way.  The case whose
# reply it is must end as its table says, and an innocent case stands before and
# after each of them: all of these must pass, at once.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{ROOT}/../../tools/test")
from tap import finish, ok  # noqa: E402

BUILD = os.environ.get("B", "build")
ASSAY = os.environ.get("ASSAY", f"{BUILD}/assay")
BACKEND = f"{ROOT}/process/surplus.py"
LARGE = 1 << 21  # elements: more than the pipes hold

sys.path.insert(0, f"{ROOT}/process")
sys.dont_write_bytecode = True
import surplus  # noqa: E402

folder = tempfile.mkdtemp()


def run(version, names, *mode):
    """Each case has a program of its own, as equal ones are compiled once."""
    cases = [{"id": name, "why": "a name",
              "inputs": [{"shape": f"f32[{LARGE}]", "iota": 0}
                         if name.endswith("deaf") else
                         {"shape": f"f32[{i + 1}]", "iota": 0}]}
             for i, name in enumerate(names)]
    os.makedirs(f"{folder}/Neg", exist_ok=True)
    with open(f"{folder}/Neg/a.json", "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": "Neg", "cases": cases}, f)
    done = subprocess.run(
        [ASSAY, "run", "--backend", f"process:{BACKEND} {version} "
         + " ".join(mode), "--cases", folder, "--database", f"{folder}/db",
         "--json", "--jobs", "1", "--filter", "Neg/a/!(*#*)", "--give-up", "0", "--timeout", "2",
         "--sleep-timeout", "1"],
        capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)
    os.remove(f"{folder}/db") if os.path.exists(f"{folder}/db") else None
    rows = [json.loads(x) for x in done.stdout.splitlines() if x[0] == "{"]
    return {r["name"].removeprefix("Neg/a/"): r for r in rows}, \
        done.stdout + done.stderr


# ---- One case each -------------------------------------------------------------

for version in surplus.CALLS:
    table = list(surplus.cases(version))
    names = ["innocent-0"]
    for i, (call, mutation, *_) in enumerate(table):
        names += [f"{call}-{mutation}", f"innocent-{i + 1}"]
    rows, messages = run(version, names)
    for call, mutation, status, text in table:
        row = rows.get(f"{call}-{mutation}", {"status": "none"})
        ok(re.fullmatch(status, row["status"])
           and re.search(text, row.get("text", "")),
           f"version {version}, {call}: {mutation}: {status}", row)
    innocent = [r for n, r in rows.items() if n.startswith("innocent")]
    bad = [r for r in innocent if r["status"] != "pass" or r.get("attempt", 1)
           != 1]
    ok(len(innocent) == len(table) + 1 and not bad,
       f"version {version}: all others pass, at once", f"{bad}\n{messages}")

# ---- The greeting ---------------------------------------------------------------

for version in surplus.CALLS:
    for mutation, (_, status, text, first) in surplus.MUTATIONS.items():
        if first > version or status != "crash":
            continue
        if mutation in ("earlier", "later", "half-number"):
            text = "the reply is to request"
        rows, messages = run(version, ["innocent"], f"open-{mutation}")
        ok(not rows and re.search(text, messages)
           and re.search("open: ", messages),
           f"version {version}, open: {mutation}: nothing is run", messages)

shutil.rmtree(folder)
finish()
