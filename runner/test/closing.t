#!/usr/bin/env python3
# closing.t - calls without a verdict are reported; a hanging one is given up.
#
# SPDX-License-Identifier: Apache-2.0
#
# native is the control: it closes properly, and never hangs.
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tools/test"))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")
DIR = tempfile.TemporaryDirectory()


def run(backend, *words):
    if os.path.exists(f"{DIR.name}/results.db"):
        os.unlink(f"{DIR.name}/results.db")
    done = subprocess.run(
        [ASSAY, "run", "--backend", backend, "-q", "--expectations",
         os.devnull, "--database", os.path.join(DIR.name, "results.db"),
         *words], text=True, capture_output=True, check=False)
    return done.returncode, done.stdout + done.stderr


def report(form):
    return subprocess.run([ASSAY, "report", "-f", form, f"{DIR.name}/results.db"],
                          text=True, capture_output=True, check=False).stdout


def evil(name):
    return f"{B}/backends/evil/{name}.so"


# ---- Crashes in release and close: no verdict changes, and the summary says it.
for batch in ("1", "64"):
    words = ["--filter", "Neg/rules/*", "--batch", batch]
    for name, calls in (("native", ()), ("close_crash", ("close",)),
                        ("release_crash", ("release", "close"))):
        code, text = run("native" if name == "native" else evil(name), *words)
        said = {call: int(n) for n, call in re.findall(
            r"the backend died (\d+) times? in (\w+), which costs no case its "
            r"verdict; first: killed by signal 6", text)}
        good = code == 0 and set(said) <= set(calls) \
            and bool(said) == bool(calls) and all(said.values())
        ok(good, f"{name} in batches of {batch}: said once, all pass", text)
        for form in ("text", "markdown", "html", "json"):
            page = report(form)
            ok(set(re.findall(r"died \d+ times? in (\w+)", page)) == set(said),
               f"{name} in batches of {batch}: {form} says the same", page)

# ---- A row of time-outs is not ended by cases that are never executed.
CASES = os.path.join(DIR.name, "cases")
os.makedirs(CASES + "/Neg")
valid = {"why": "is executed", "inputs": [{"shape": "f32[2]", "data": [1, 2]}]}
wrong = {"why": "is rejected", "inputs": [{"shape": "pred[]", "data": True}],
         "expect": {"error": "type"}}
cases = []
for k in range(8):
    cases.append(valid | {"id": f"v{k}"})
    cases += [wrong | {"id": f"r{k}-{i}"} for i in range(7)]
with open(CASES + "/Neg/hang.json", "w", encoding="utf-8") as to:
    json.dump({"format": "assay-case/1", "op": "Neg", "cases": cases}, to)
words = ["--cases", CASES, "--batch", "1", "--jobs", "1", "--timeout", "0.3"]
GAVE_UP = "consecutive timeouts, each confirmed alone"
code, text = run(evil("hang_execute"), *words, "--give-up", "3")
ok(code != 0 and GAVE_UP in text and "3 timeout" in text,
   "a backend that hangs in execute and rejects between is given up", text)
code, text = run(evil("hang_one"), *words, "--give-up", "3")
ok(GAVE_UP not in text, "one that hangs now and then is not", text)
code, text = run("native", *words, "--give-up", "3")
ok(code == 0 and GAVE_UP not in text, "native is not", text)
finish()
