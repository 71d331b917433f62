#!/usr/bin/env python3
# program.t - programs as JSON: what is written can be read, and is the same.
#
# SPDX-License-Identifier: Apache-2.0
#
# `assay emit --as program` writes every program of cases/ as a document, each
# of which fits the schema; as a case with a module it is read and written
# again.  The second document must be the first: an attribute that is lost or
# changed on its way shows.
import collections
import json
import os
import subprocess
import tempfile

from jsonschema import Draft202012Validator

from accepts import filed
from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def emit(*paths):
    """The documents of the cases in these files, by name."""
    done = subprocess.run([ASSAY, "emit", "--as", "program", *paths],
                          capture_output=True, text=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()], done


def split(shape):
    """The elements of a tuple's text."""
    depth, parts = 0, [""]
    for c in shape[1:-1]:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def literal(shape):
    if shape.startswith("("):
        return {"tuple": [literal(s) for s in split(shape)]}
    if shape == "token[]":
        return {"shape": shape}
    return {"shape": shape, "splat": [1, 0] if shape[0] == "c" else 1}


def module(document):
    """The module of a document, without what inference found."""
    m = json.loads(json.dumps(document["module"]))
    for c in m["computations"].values():
        for i in c["body"]:
            i.pop("shape", None)
    return m


def case(number, document):
    entry = document["module"]["entry"]
    m = module(document)
    inputs = [literal(s) for s in m["computations"][entry]["parameters"]]
    rows = document["replicas"] * document["partitions"]
    made = {"id": f"n{number}", "why": "read what was written", "module": m}
    if rows > 1 or document["partitions"] > 1:
        made |= {"replicas": document["replicas"],
                 "partitions": document["partitions"],
                 "inputs": [inputs] * rows}
    else:
        made["inputs"] = inputs
    return made


def main():
    with open("spec/protocol.schema.json", encoding="utf-8") as f:
        schema = json.load(f)
    documents, done = emit("cases")
    ok(len(documents) > 10000, f"{len(documents)} programs", done.stderr[-500:])

    validator = Draft202012Validator(
        {"$ref": "#/$defs/program", "$defs": schema["$defs"]})
    bad = [f"{d['name']}: {e.json_path}: {e.message[:100]}"
           for d in documents[::10] for e in validator.iter_errors(d)]
    ok(not bad, "each tenth fits the schema", "\n".join(bad[:9]))

    # Different programs for different devices have one document, several
    # modules: those are left out here.
    single = [d for d in documents if "entries" not in d]
    with tempfile.TemporaryDirectory() as folder:
        files = collections.defaultdict(list)
        for n, d in enumerate(single):
            op = d["name"].split("/")[0]
            files[op if op != "programs" else "Call"].append((n, d))
        for op, some in files.items():
            with open(f"{folder}/{op}.json", "w", encoding="utf-8") as f:
                json.dump({"format": "assay-case/1", "op": op,
                           "cases": [filed(op, case(n, d)) for n, d in some]}, f)
        again, done = emit(*[f"{folder}/{op}.json" for op in files])
    by_number = {int(d["name"].rsplit("/n", 1)[1]): d for d in again}
    lost = [single[n]["name"] for n in range(len(single)) if n not in by_number]
    ok(not lost, "each is read again", f"{lost[:5]} {done.stderr[-900:]}")
    differ = []
    for n, d in by_number.items():
        d["name"] = single[n]["name"]
        if d != single[n]:
            differ.append(f"{json.dumps(single[n])[:600]}\n"
                          f"{json.dumps(d)[:600]}")
    ok(not differ, "and is the same program",
       f"{len(differ)} differ\n" + "\n".join(differ[:3]))
    finish()


main()
