#!/usr/bin/env python3
# cover.t - assay cover: its counts against the files themselves.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def cover(*arguments):
    done = subprocess.run([ASSAY, "cover", *arguments], capture_output=True,
                          text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/a.json"
    value = {"shape": "$T[2]", "splat": 1}
    with open(path, "w") as f:
        json.dump({"format": "assay-case/1", "op": "Neg", "cases": [
            {"id": "a", "why": "w", "covers": ["Neg.value"],
             "each": {"T": ["f32", "s8"]}, "inputs": [value]},
            {"id": "b", "why": "w", "covers": ["Neg.value", "Abs.value"],
             "inputs": [{"shape": "f32[1]", "splat": 1}]},
            {"id": "c", "why": "w", "inputs": [],
             "expect": {"error": "structure"}},
            {"id": "d", "why": "w", "covers": ["Neg.error.type"],
             "inputs": [{"shape": "pred[1]", "data": [True]}],
             "expect": {"error": "type"}},
            # A constraint counts if the case expects an error.
            {"id": "e", "why": "w", "covers": ["Not.error.type"],
             "inputs": [{"shape": "f32[1]", "splat": 1}]}]}, f)
    code, out, err = cover("-f", "json", path)
    rows = {r["op"]: r for r in json.loads(out)["operations"]}
    ok(code == 0 and not err, "a file alone", err)
    ok(rows["Neg"]["cases"] == 6 and rows["Neg"]["error_cases"] == 2
       and rows["Neg"]["types"] == 3, "cases, error cases, types", rows["Neg"])
    ok(rows["Neg"]["covered"] == 1 and "Neg.value" not in rows["Neg"]["missing"],
       "a requirement that two cases cover counts once", rows["Neg"])
    ok(rows["Abs"]["covered"] == 1 and rows["Abs"]["cases"] == 0,
       "a requirement of another operation counts there", rows["Abs"])
    ok(rows["Neg"]["constraints"] == rows["Neg"]["violated"] == 1
       and rows["Neg"]["not_violated"] == [] and rows["Not"]["violated"] == 0
       and rows["Not"]["not_violated"] == ["Not.error.type"],
       "a constraint counts once an error case names it",
       (rows["Neg"], rows["Not"]))
    ok("Not.error.type (" in cover("--missing", path)[1],
       "--missing lists a constraint without one")
    ok(len(rows["Neg"]["missing"]) == rows["Neg"]["requirements"] - 1,
       "what is missing")
    ok(all(name in cover("--missing", path)[1] for name in
           rows["Neg"]["missing"]), "--missing lists it")
    ok(cover("--require", "50", path)[0] == 1, "too little is covered")
    with open(path, "w") as f:
        f.write("{")
    code, out, err = cover(path)
    ok(code == 2 and not out and len(err.splitlines()) == 1,
       "bad input: one message, status 2", (code, out, err))
with tempfile.TemporaryDirectory() as folder:
    code, out, err = cover(folder)
    ok(code == 2 and not out and len(err.splitlines()) == 1,
       "a folder without a case file", (code, out, err))
    # As it is installed: the suite's own cases are found from anywhere.
    os.makedirs(f"{folder}/bin")
    os.makedirs(f"{folder}/share/assay")
    os.makedirs(f"{folder}/elsewhere")
    shutil.copy(ASSAY, f"{folder}/bin/assay")
    os.symlink(os.path.abspath("cases"), f"{folder}/share/assay/cases")
    done = subprocess.run([f"{folder}/bin/assay", "cover"],
                          cwd=f"{folder}/elsewhere", capture_output=True,
                          text=True, timeout=600)
    ok(done.returncode == 0 and " 0 missing\n" in done.stdout,
       "installed: the cases beside it", done.stderr)
ok(cover("/nonexistent")[0] == 2, "a folder that is not there")
ok(cover("--format", "xml")[0] == 2, "an unknown format")
code, out, err = cover("--require", "100", "--missing")
ok(code == 0, "the suite covers what the specification requires", out[-200:])
ok(" not testable, with reason; 0 missing\n" in out
   and 'Infeed.layout (Operation semantics, "Infeed" (004:1109)): not testable:'
   ' The case format has no layouts' in out,
   "what no case can show has its reason and its source", out[-200:])
code, out, err = cover("--format", "json")
root = json.loads(out)
rows = {r["op"]: r for r in root["operations"]}
ok(rows["Infeed"]["untestable"] == ["Infeed.layout"]
   and rows["Infeed"]["missing"] == [] and root["untestable"] >= 1,
   "and in JSON", rows["Infeed"])
ok(root["violated"] == root["constraints"] > 400,
   "each constraint has an error case that names it",
   [i for r in rows.values() for i in r["not_violated"]])
finish()
