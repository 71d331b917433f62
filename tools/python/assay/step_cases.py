"""A program's operations as cases of their own, for assay run --steps.

SPDX-License-Identifier: Apache-2.0

Below a folder, steps/OP/NAME.json has each operation alone, on the exact values
of its operands; values/NAME.json has the program with the value of each
operation of its entry as a result.  parts/OP/NAME.json has the same of each
iteration of a loop, each branch that is taken and each function that is called.
"""
import json
import os
import re
from typing import Any, Dict, List, Set

import numpy as np

from assay import importer, library, reference, steps
from assay.mlir import Refused


def _inputs(case: Dict[str, Any], module: importer.Module
            ) -> List[np.ndarray]:
    """As arrays, also those that are random numbers."""
    shapes = module.computations[module.entry]["parameters"]
    names = [f"p{i}" for i in range(len(shapes))]
    made = {"inputs": case["inputs"], "module": {
        "computations": {"main": {"parameters": shapes, "body": [
            {"name": "t", "op": "Tuple", "operands": names,
             "attributes": {}}], "result": "t"}}, "entry": "main"}}
    with library.Evaluation("Tuple", made, values_only=True) as e:
        return [reference.array(t) for t in e.outputs()]


def _name(place: str) -> str:
    """A place as part of a case's name."""
    last = place.rpartition("/")[2].lower()
    return re.sub(r"[^a-z0-9._-]+", "-", last).strip("-._")


def _iteration(path: str) -> str:
    """"iteration-2.0-": of the outermost loop, and of one in it."""
    numbers = re.findall(r"iteration (\d+) of ", path)
    return f"iteration-{'.'.join(numbers[::-1])}-" if numbers else ""


class _Cases:
    """By operation, each once: an iteration may be as the one before."""

    def __init__(self) -> None:
        self.made: Dict[str, List[dict]] = {}
        self._seen: Set[str] = set()

    def add(self, op: str, name: str, why: str, case: Dict[str, Any]) -> None:
        key = json.dumps([case, op], sort_keys=True)
        if key not in self._seen:
            self._seen.add(key)
            self.made.setdefault(op, []).append(
                {"id": name, "why": why, **case})


def _steps(walk: steps.Walk) -> Dict[str, List[dict]]:
    cases = _Cases()
    for number, step in enumerate(walk.steps):
        inside = f", {step.path}" if step.path else ""
        cases.add(step.main(), f"{number:05}-{_iteration(step.path)}"
                  f"{_name(step.place) or 'unknown'}",
                  f"{steps.title(step.op)} ({step.place}{inside})",
                  step.case())
    return cases.made


def _parts(walk: steps.Walk, module: importer.Module) -> Dict[str, List[dict]]:
    """Each value of what the program runs inside.  What cannot be written as a
    computation is no part: its operations are steps, or among the others."""
    cases, known = _Cases(), {}
    for number, part in enumerate(walk.parts):
        if part.block not in known:
            try:
                known[part.block] = module.part(part.block, part.taken)
            except Refused:
                known[part.block] = None
        computation = known[part.block]
        if computation:
            cases.add(importer.operation_of(computation),
                      f"inside-{number:05}-{_iteration(part.path)}"
                      f"{_name(part.place) or 'unknown'}", part.path,
                      _with_values(steps.case_of(
                          computation, walk.reached(computation), part.operands,
                          dict(module.policies)), module))
    return cases.made


def titled(computations: Dict[str, dict], module: importer.Module
           ) -> Dict[str, dict]:
    """The computations, whose instructions say what they are in the program:
    "stablehlo.divide, line 20; v9"."""
    made = {}
    for key, computation in computations.items():
        titles = {}
        for i in computation["body"]:
            place, what = module.origins.get(id(i), ("", ""))
            line = f", line {place.partition(':')[0]}" if place else ""
            titles[i["name"]] = f"{what or i['op']}{line}; {i['name']}"
        made[key] = {**computation, "result": titles.get(
            computation["result"], computation["result"]), "body": [
                {**i, "name": titles[i["name"]],
                 "operands": [titles.get(o, o) for o in i["operands"]]}
                for i in computation["body"]]}
    return made


def _with_values(case: Dict[str, Any], module: importer.Module
                 ) -> Dict[str, Any]:
    """A case with the values of all operations of its entry as results."""
    computations = titled(case["module"]["computations"], module)
    key = case["module"]["entry"]
    entry = computations[key]
    names = [i["name"] for i in entry["body"]
             if i["op"] not in ("Constant", "Tuple", "AfterAll")]
    result = {"name": "all_values", "op": "Tuple", "operands": names,
              "attributes": {}}
    return {**case, "module": {"computations": {**computations, key: {
        **entry, "body": [*entry["body"], result], "result": "all_values"}},
        "entry": key}}


def write(folder: str, name: str, whole: Dict[str, Any],
          module: importer.Module) -> List[str]:
    """What make_case made, step by step; what could not be a step."""
    case = whole["cases"][0]
    if module.replicas * module.partitions > 1:
        raise Refused(f"{module.where}: --steps: found {module.replicas} "
                      f"replicas and {module.partitions} partitions, expected "
                      "1 and 1")
    walk = steps.Walk(module)
    block = module.chosen.op.regions[0].blocks[0]
    computations = dict(module.computations)
    walk.run(block, _inputs(case, module))
    files = {f"{kind}/{op}/{name}.json": (op, cases)
             for kind, found in (("steps", _steps(walk)),
                                 ("parts", _parts(walk, module)))
             for op, cases in found.items()}
    values = _with_values({**case, "id": "values",
                           "why": "each value of the program", "module": {
                               "computations": computations,
                               "entry": module.entry}}, module)
    if values["module"]["computations"][module.entry]["body"][-1]["operands"]:
        files[f"values/{name}.json"] = whole["op"], [values]
    module.computations = computations
    for path, (op, cases) in files.items():
        path = f"{folder}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)
    return [f"{place}: {op} is no step: {why}"
            for op, place, why in dict.fromkeys(walk.others)]
