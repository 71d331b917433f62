#!/usr/bin/env python3
# breaks.t - assay cover --requirements: what breaks each requirement.
#
# SPDX-License-Identifier: Apache-2.0
#
# The outcomes of the small files follow by hand.
import json
import os
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
NONE = "no deviation"


SO = os.environ.get("B", "build") + "/custom-calls.so"
# As `make run` has them: the example of the documents calls its function.
CALLS = [f"--custom-call={name}={SO}"
         for name in ("myfunc", "no_operand", "three_alike", "three_types", "tuples")]


def cover(*arguments):
    done = subprocess.run([ASSAY, "cover", "--requirements", *arguments],
                          capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def pair(shape, a, b):
    return [{"shape": shape, "data": a}, {"shape": shape, "data": b}]


def rules(op, cases):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.json"
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": [
                {"why": "w", **c} for c in cases]}, f)
        code, out, err = cover("-f", "json", path)
        page = cover("-f", "html", path)[1]
        text = cover(path)[1]
    ok(code == 0 and not err, f"{op}: status 0", err)
    root = json.loads(out)
    return {r["id"]: r for r in root["requirements"]}, root, text, page


found, root, text, page = rules("Max", [
    {"id": "numbers", "covers": ["Max.value", "Max.nan", "Max.elementwise"],
     "inputs": pair("f32[2]", [1, 4], [3, 2])},
    {"id": "error", "covers": ["Max.error.sizes"],
     "inputs": [{"shape": "f32[2]", "splat": 1},
                {"shape": "f32[3]", "splat": 1}],
     "expect": {"error": "shape"}}])
ok(found["Max.value"]["broken"] == "named"
   and found["Max.value"]["first"] == "a/numbers",
   "max(1, 3) is not 1: the rule of the value is named", found["Max.value"])
ok(found["Max.nan"]["broken"] == NONE and not found["Max.nan"]["deviations"],
   "a case without a NaN breaks no rule of NaN, though it claims to cover it",
   found["Max.nan"])
ok(found["Max.elementwise"]["broken"] == "covered"
   and found["Max.elementwise"]["deviations"],
   "a rule without a condition: the case that covers it rejects something",
   found["Max.elementwise"])
ok(found["Max.error.sizes"]["broken"] == "accepted"
   and found["Max.error.sizes"]["first"] == "a/error",
   "a program that must be refused: whoever accepts it",
   found["Max.error.sizes"])
ok(found["Max.error.rank"]["broken"] == NONE, "a constraint without a case")
ok(found["Infeed.layout"]["broken"] == "untestable"
   and found["Infeed.layout"]["why"], "what no case can show has its reason")
ok(sum(root[k] for k in ("named", "accepted", "specific", "covered", "strict",
                              "permitted", "untestable", NONE))
   == len(found), "each counts once")
ok("Max.nan: no deviation: " in text and "(a/numbers)" in text, "text", text)
ok("Min.nan" not in text, "of files: no operation without a case", text)
ok(">a/numbers</td>" in page and page.endswith("</html>\n")
   and "prefers-color-scheme: dark" in page, "a page, in both colour schemes")

found = rules("Max", [
    {"id": "nan", "covers": ["Max.nan"],
     "inputs": pair("f32[2]", [1, "nan"], ["nan", 2])}])[0]
ok(found["Max.nan"]["broken"] == "named"
   and "formula.max-keeps-first" in found["Max.nan"]["deviations"],
   "a lost NaN breaks the rule of NaN", found["Max.nan"])

found, root, text, page = rules("Max", [
    {"id": "half", "covers": ["Max.nan"],
     "inputs": pair("f16[2]", [1, "nan"], ["nan", 2])},
    {"id": "single", "covers": ["Max.nan"],
     "inputs": pair("f32[2]", [1, 4], [3, 2])},
    {"id": "whole", "covers": ["Max.nan"],
     "inputs": pair("s32[2]", [1, 4], [3, 2])}])
ok(found["Max.nan"]["broken"] == NONE
   and {c: f["broken"] for c, f in found["Max.nan"]["classes"].items()}
   == {"f16": "named", "wide float": NONE},
   "a rule counts in each class of types that can break it", found["Max.nan"])
ok("Max.nan: no deviation of wide float: " in text
   and ">wide float</td>" in page, "its class is named", text)

found = rules("Max", [
    {"id": "none", "covers": ["Max.elementwise"],
     "inputs": pair("f32[0]", [], [])},
    {"id": "some", "covers": ["Max.elementwise"],
     "inputs": pair("s32[2]", [1, 4], [3, 2])}])[0]
ok(list(found["Max.elementwise"]["classes"]) == ["integer"]
   and found["Max.elementwise"]["broken"] == "covered",
   "nothing can break a rule where there are no elements",
   found["Max.elementwise"])

found = rules("Sub", [
    {"id": "wrap", "covers": ["Sub.wrap"],
     "inputs": pair("s8[1]", [-128], [1])},
    {"id": "value", "covers": ["Sub.value"],
     "inputs": pair("s8[1]", [5], [3])}])[0]
ok(found["Sub.wrap"]["broken"] == "strict" and found["Sub.wrap"]["deviations"],
   "what a policy leaves open breaks a rule under strict only",
   found["Sub.wrap"])
ok(found["Sub.value"]["broken"] in ("covered", "specific"),
   "the rule of the value, where the judge names the rule of integers",
   found["Sub.value"])

for options in (["--deviations"], ["-f", "markdown"]):
    code, out, err = cover(*options)
    ok(code == 2 and not out, f"{options}: status 2", (code, out, err))

code, out, err = cover("-f", "json", *CALLS)
ok(code == 0, "the suite", err)
broken = {r["id"]: r["broken"] for r in json.loads(out)["requirements"]}
none = {i for i, how in broken.items() if how in (NONE, "permitted")}
ok(not none, "every requirement of the suite has a deviation", "\n".join(
    [*sorted(none),
     "add a case that covers it, of which a deviation breaks this rule, or a "
     "deviation: spec/deviations.md, What breaks a requirement?"]))
finish()
