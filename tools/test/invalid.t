#!/usr/bin/env python3
# invalid.t - no invalid program crashes a verb, or reaches another case.
#
# SPDX-License-Identifier: Apache-2.0
#
# The programs are those of the suite's rules with one thing changed
# (invalid.py), and some by hand.  Whatever reads them ends with a documented
# exit code; a run gives the same rows in batches and alone, and no case dies.
#
# ASSAY_SEED: other changes.  ASSAY_LONG: 10,000 of them.
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import invalid  # noqa: E402
import rows  # noqa: E402
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")
COUNT = 10000 if os.environ.get("ASSAY_LONG") else 800
SEED = os.environ.get("ASSAY_SEED", "1")
DIR = tempfile.TemporaryDirectory()
CASES = os.path.join(DIR.name, "cases")
DEATHS = {"crash", "timeout", "memory", "flake", "refused"}


def assay(*words):
    return subprocess.run([ASSAY, *words], text=True, capture_output=True,
                          check=False, errors="replace")


def file_of(k):
    return f"{CASES}/Invalid/f{k:05}.json"


def write(k, op, cases):
    with open(file_of(k), "w", encoding="utf-8") as to:
        json.dump({"format": "assay-case/1", "op": op, "cases": cases}, to)


def loop(condition, body):
    """A While with these computations, by name."""
    def shape(name):
        return {"parameters": ["s32[]"], "result": name}
    return {"module": {"entry": "main", "computations": {
        "main": shape("w") | {"body": [
            {"name": "w", "op": "While", "operands": ["p0"], "attributes": {
                "condition": condition, "body": body}}]},
        "less": shape("l") | {"body": ["l = Lt(p0, p0)"]},
        "itself": shape("w") | {"body": [
            {"name": "w", "op": "While", "operands": ["p0"], "attributes": {
                "condition": "less", "body": "itself"}}]},
        "next": shape("n") | {"body": ["n = Add(p0, p0)"]}}},
        "inputs": [{"shape": "s32[]", "data": 1}]}


def call(op, name):
    attributes = {"computation": name}
    if op == "CompositeCall":
        attributes["name"] = "assay.test"
    return {"module": {"entry": "main", "computations": {"main": {
        "parameters": ["s32[]"], "result": "w", "body": [
            {"name": "w", "op": op, "operands": ["p0"],
             "attributes": attributes}]}}},
            "inputs": [{"shape": "s32[]", "data": 1}]}


def nested(depth):
    """Each loop has the next one twice: the text would have 2^depth."""
    computations = {"less": {"parameters": ["s32[]"], "result": "l",
                             "body": ["l = Lt(p0, p0)"]},
                    f"l{depth}": {"parameters": ["s32[]"], "result": "n",
                                  "body": ["n = Add(p0, p0)"]}}
    for k in range(depth):
        computations[f"l{k}"] = {
            "parameters": ["s32[]"], "result": "b", "body": [
                {"name": n, "op": "While", "operands": [o], "attributes": {
                    "condition": "less", "body": f"l{k + 1}"}}
                for n, o in (("a", "p0"), ("b", "a"))]}
    return {"module": {"entry": "l0", "computations": computations},
            "inputs": [{"shape": "s32[]", "data": 1}]}


# What was reported, the nearest of its class, and a text that never ends.
BY_HAND = [("While", loop("nosuch", "next")), ("While", loop("less", "nosuch")),
           ("While", loop("lt", "next")), ("While", loop("less", "lt")),
           ("While", loop("less", "itself")), ("Call", call("Call", "nosuch")),
           ("Call", call("Call", "add")),
           ("CompositeCall", call("CompositeCall", "nosuch")),
           ("CompositeCall", call("CompositeCall", "lt"))]


def programs():
    told = assay("emit", "--as=program", "cases", "-c", "*/rules/*").stdout
    found = [json.loads(line) for line in told.splitlines()]
    return [p for p in found if "module" in p]


def read(made):
    """Keeps those whose file is valid; a valid program expects no error."""
    for _ in range(2):
        told = assay("lint", CASES)
        if told.returncode not in (0, 1):
            return ok(False, "lint ends", told.stderr[-400:])
        for line in told.stdout.splitlines():
            match = re.match(r".*/f(\d+)\.json:\d+:\d+: (.*)", line)
            if not match or "the program is rejected" in match[2]:
                continue
            k = int(match[1])
            if "expected shape or type" in match[2]:
                made[k][2].pop("expect", None)
                write(k, made[k][1], [made[k][2]])
            elif os.path.exists(file_of(k)):
                os.unlink(file_of(k))
    return ok(True, f"lint reads {len(made)} programs, seed {SEED}")


def ends(name, *words, codes=(0, 1)):
    """A verb ends with one of these codes; if not, for which case."""
    told = assay(*words, CASES)
    why = ""
    if told.returncode not in codes:
        for name_of in sorted(os.listdir(CASES + "/Invalid")):
            one = assay(*words, f"{CASES}/Invalid/{name_of}")
            if one.returncode not in codes:
                with open(f"{CASES}/Invalid/{name_of}", encoding="utf-8") as f:
                    why += f"{one.returncode}: {f.read()}\n"
    ok(told.returncode in codes, name, f"{told.returncode}\n{why}")


def run(database, *words):
    return assay("run", "--backend", "native", "--cases", CASES, "-q",
                 "--expectations", os.devnull, "--database",
                 os.path.join(DIR.name, database), *words)


def statuses(database):
    return {row[1] for row in
            rows.content(os.path.join(DIR.name, database))["result"]}


def main():
    os.makedirs(CASES + "/Invalid")
    made = invalid.make(programs(), COUNT, SEED)
    for op, c in BY_HAND:
        made.append(("by hand", op, c | {
            "id": f"n{len(made)}", "why": "by hand", "expect": {"error": [
                "structure", "computation", "type"]}}))
    for k, (_, op, c) in enumerate(made):
        write(k, op, [c])
    read(made)
    kinds = {m for k, (m, _, c) in enumerate(made)
             if "expect" in c and os.path.exists(file_of(k))}
    missing = set(invalid.MUTATIONS) - kinds
    ok(not missing, "every kind of change makes an invalid program",
       " ".join(sorted(missing)))
    # Not invalid; only its text is beyond all limits.
    write(len(made), "While", [nested(60) | {"id": "deep", "why": "nested"}])
    ends("emit as StableHLO", "emit")
    ends("emit as a program", "emit", "--as=program")
    ends("eval", "eval", codes=(0, 1, 3))
    for words in (["--batch", "1"], ["--batch", "50"]):
        told = run(words[1] + ".db", *words)
        ok(told.returncode in (0, 1, 3), f"a run with {' '.join(words)}",
           told.stdout + told.stderr)
        dead = statuses(words[1] + ".db") & DEATHS
        ok(not dead, f"no case dies with {' '.join(words)}", sorted(dead))
    one, many = (rows.content(os.path.join(DIR.name, f"{n}.db"))
                 for n in (1, 50))
    other = [t for t in rows.ROWS if one[t] != many[t]]
    ok(not other, "the rows are the same alone and in batches", other)
    # A backend that takes invalid programs fails, so the run stops, and goes on.
    words = ["--backend", f"{B}/backends/evil/accept.so", "--cases", CASES, "-q",
             "--expectations", os.devnull, "--database", f"{DIR.name}/part.db"]
    told = assay("run", *words, "--fail-fast")
    ok(told.returncode == 1 and "missing" in told.stdout,
       "a run that stops at its first failure", told.stdout + told.stderr)
    told = assay("run", *words, "--resume")
    ok(told.returncode in (1, 3) and "missing" not in told.stdout,
       "--resume ends it", told.stdout + told.stderr)
    dead = statuses("part.db") & DEATHS
    ok(not dead, "no case dies with --resume", sorted(dead))
    for op in sorted({op for _, op, _ in made}):
        told = assay("doc", "-c", CASES, "-f", "html", op)
        if told.returncode not in (0, 2):
            ok(False, f"assay doc {op}", f"{told.returncode} {told.stderr}")
    ok(True, "assay doc with these cases as examples")
    for verb in ("explain", "report", "expect", "gate"):
        told = assay(verb, os.path.join(DIR.name, "50.db"))
        ok(told.returncode in (0, 1, 3), f"assay {verb} of the run",
           f"{told.returncode} {told.stderr}")
    for words in (["cover"], ["cover", "--deviations"],
                  ["cover", "--requirements"]):
        ends(" ".join(words), *words)
    finish()


main()
