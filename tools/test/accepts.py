# accepts.py - the sets that `assay eval` prints, for tests in Python.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import subprocess
import tempfile

ASSAY = os.environ.get("ASSAY", "build/assay")


def operations(case):
    """Names of the operations in a case's modules, the entry's first."""
    modules = case.get("programs", [case["module"]] if "module" in case else [])
    for m in modules:
        named = m["computations"]
        for c in [named[m["entry"]], *named.values()]:
            for line in c["body"]:
                yield (line["op"] if isinstance(line, dict)
                       else re.match(r"\S+ = (\w+)", line)[1])


def own_op(case):
    """An operation of a case: of its module, if it has one, the first."""
    return next(operations(case), "Add")


def filed(op, case):
    """The case for a file of op: one whose modules lack op names an operation
    that they have (spec/case-format.md, `op` of a case)."""
    found = list(operations(case))
    return {**case, "op": found[0]} if found and op not in found else case


def evaluate_all(cases, op=None, profile="spec", elements=64):
    """What `assay eval --json` says of each case; and what it complains of."""
    op = op or own_op(cases[0])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": [
                {"id": f"x{i}", "why": "a test", **case}
                for i, case in enumerate(cases)]}, f)
        done = subprocess.run([ASSAY, "eval", "--json", "--profile", profile,
                               "--elements", str(elements), path],
                              capture_output=True, text=True, timeout=1200)
    return json.loads(done.stdout)["cases"], done.stderr


def evaluate(case, op=None, profile="spec"):
    """The same of one case."""
    told, said = evaluate_all([case], op, profile)
    return told[0] if told else {"status": "invalid", "text": said}


def program(inputs, body, result, outfeed=None, **computations):
    """A case whose entry has this body; a computation is its parameters and
    its body, whose result is r."""
    module = {name: {"parameters": c[0], "body": c[1], "result": "r"}
              for name, c in computations.items()}
    module["main"] = {"parameters": [i["shape"] for i in inputs], "body": body,
                      "result": result}
    case = {"inputs": inputs,
            "module": {"entry": "main", "computations": module}}
    return case if outfeed is None else {**case, "outfeed": outfeed}


def accepts(op, *inputs, profile="spec", **members):
    """Texts of the sets of all elements of one operation's result."""
    case = evaluate({"inputs": inputs, **members}, op, profile)
    return [e["accept"] for e in case["replicas"][0][0]["elements"]]


def complexes(kind, numbers):
    """A literal of complex numbers, signs of zeros kept."""
    return {"shape": f"{kind}[{len(numbers)}]",
            "data": [[repr(z.real), repr(z.imag)] for z in numbers]}


def parts(accept):
    """The text "[a, [b, c]]" as the sets of the two parts."""
    inner, depth = accept[1:-1], 0
    for i, c in enumerate(inner):
        depth += (c == "[") - (c == "]")
        if c == "," and depth == 0:
            return inner[:i], inner[i + 2:]
    return inner, ""
