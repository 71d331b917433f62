"""A program's operations as cases of their own, for assay run --steps.

SPDX-License-Identifier: Apache-2.0

Below a folder, steps/OP/NAME.json has each operation alone, on the exact values
of its operands; values/NAME.json has the program with the value of each
operation of its entry as a result.
"""
import json
import os
import re
from typing import Any, Dict, List, Optional

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


def _steps(walk: steps.Walk) -> Dict[str, List[dict]]:
    """Cases by operation."""
    made: Dict[str, List[dict]] = {}
    seen = set()
    for number, step in enumerate(walk.steps):
        place = step.place
        inside = f", {step.path}" if step.path else ""
        case = step.case()
        key = json.dumps([case, step.main()], sort_keys=True)
        if key not in seen:  # an iteration may be as the one before
            seen.add(key)
            made.setdefault(step.main(), []).append({
                "id": f"{number:05}-{_name(place) or 'unknown'}",
                "why": f"{steps.title(step.op)} ({place}{inside})", **case})
    return made


def titled(module: importer.Module) -> Dict[str, dict]:
    """The computations, whose instructions say what they are in the program:
    "stablehlo.divide, line 20; v9"."""
    made = {}
    for key, computation in module.computations.items():
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


def _values(case: Dict[str, Any], module: importer.Module) -> Optional[dict]:
    """The program with more results."""
    computations = titled(module)
    entry = computations[module.entry]
    names = [i["name"] for i in entry["body"]
             if i["op"] not in ("Constant", "Tuple", "AfterAll")]
    result = {"name": "all_values", "op": "Tuple", "operands": names,
              "attributes": {}}
    if not names:
        return None
    return {**case, "id": "values", "why": "each value of the program", "module":
            {"computations": {**computations, module.entry: {
                **entry, "body": [*entry["body"], result],
                "result": "all_values"}}, "entry": module.entry}}


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
    module.computations = computations
    files = {f"steps/{op}/{name}.json": (op, cases)
             for op, cases in _steps(walk).items()}
    values = _values(case, module)
    if values:
        files[f"values/{name}.json"] = whole["op"], [values]
    for path, (op, cases) in files.items():
        path = f"{folder}/{path}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": cases}, f)
    return [f"{place}: {op} is no step: {why}"
            for op, place, why in dict.fromkeys(walk.others)]
