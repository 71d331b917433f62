#!/usr/bin/env python3
# seeds.t - tools/makers/make-seeds: the same cases give the same seeds.
#
# SPDX-License-Identifier: Apache-2.0
#
# A case whose entry calls a computation through another one, in a folder of its own.
import json
import os
import pathlib
import subprocess
import tempfile

from tap import finish, ok

TOOL = os.path.abspath("tools/makers/make-seeds")
NAMES = ["add", "less", "step", "twice", "other", "unused"]
BODY = {"parameters": ["s32[]"] * 2, "body": ["r = Add(p0, p1)"], "result": "r"}
FILE = {"format": "assay-case/1", "op": "While",
        "computations": {name: BODY for name in NAMES},
        "cases": [{"id": "x", "attributes": dict.fromkeys(NAMES[:5])}]}
FILE["computations"]["twice"] = {**BODY, "body": ["r = Call(p0) {to_apply = last}"]}
FILE["computations"]["last"] = BODY


def made(folder, seed):
    """What the tool writes: the text of each file of a folder of seeds."""
    out = pathlib.Path(folder, seed)
    done = subprocess.run([TOOL, out], cwd=folder, capture_output=True,
                          text=True, env={**os.environ, "PYTHONHASHSEED": seed})
    return {p.relative_to(out): p.read_text() for p in out.rglob("*")
            if p.is_file()}, done.stderr


with tempfile.TemporaryDirectory() as place:
    case = pathlib.Path(place, "cases/While/x.json")
    case.parent.mkdir(parents=True)
    case.write_text(json.dumps(FILE))
    first, why = made(place, "1")
    cut = [json.loads(text) for path, text in first.items()
           if path.parts[0] == "case"]
    ok(len(cut) == 1 and set(cut[0]["computations"]) == {*NAMES[:5], "last"},
       "a seed has the computations that its case comes to, and no others",
       f"{cut} {why}")
    ok(all(made(place, seed)[0] == first for seed in "23456"),
       "whatever the order of Python's sets")
finish()
