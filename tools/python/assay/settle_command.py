"""assay settle: which of several results is right?

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import errno
import json
import pathlib
import sys
from typing import Any, Dict, List, Sequence

import numpy as np

from assay import document, library, reference, settling
from assay.kernel_program import Unknown, nearest
from assay.output import write

FORMAT = "assay-settle/1"
MEMBERS = ("format", "title", "source", "why", "op", "program", "attributes",
           "operands", "results", "profile")


def read_literal(value: Any, where: str) -> np.ndarray:
    """A literal of spec/case-format.md, as the reference reads it: a
    transposition that moves nothing gives it back."""
    if not isinstance(value, dict) or not isinstance(value.get("shape"), str):
        raise Unknown(f"{where}: found {json.dumps(value)[:60]}, expected a "
                      "literal: {\"shape\": \"f32[2]\", \"data\": [1, 2]}")
    dims = value["shape"].partition("[")[2].rstrip("]")
    rank = dims.count(",") + 1 if dims else 0
    try:
        with library.Evaluation("Transpose", {
                "inputs": [value],
                "attributes": {"permutation": list(range(rank))}},
                values_only=True) as e:
            return reference.array(e.outputs()[0])
    except (library.EvaluationError, library.InvalidProgram) as e:
        raise Unknown(f"{where}: {e}") from None
    except LookupError as e:
        raise Unknown(f"{where}: {e.args[0]}") from None


def read(path: str) -> Dict[str, Any]:
    """The file's members, literals as arrays."""
    try:
        value = document.read_json(path)
    except ValueError as e:
        raise Unknown(str(e)) from None
    if not isinstance(value, dict):
        raise Unknown(f"{path}: expected an object")
    for name in value:
        if name not in MEMBERS:
            raise Unknown(f"{path}: /{name}: unknown member"
                          f"{nearest(name, MEMBERS)}")
    if value.get("format") != FORMAT:
        raise Unknown(f"{path}: /format: found {value.get('format')!r}, "
                      f"expected '{FORMAT}'")
    if ("op" in value) == ("program" in value):
        raise Unknown(f"{path}: expected one of the members op and program")
    kinds = {"operands": (list, "a list"), "results": (dict, "an object"),
             "attributes": (dict, "an object")}
    for name, found in value.items():
        kind, words = kinds.get(name, (str, "a string"))
        if not isinstance(found, kind):
            raise Unknown(f"{path}: /{name}: expected {words}")
    if not value.get("results"):
        raise Unknown(f"{path}: /results: expected at least one result")
    value["operands"] = [read_literal(o, f"{path}: /operands/{i}")
                         for i, o in enumerate(value.get("operands", []))]
    value["results"] = {n: _read_result(r, f"{path}: /results/{n}")
                        for n, r in value["results"].items()}
    program = value.get("program", "")
    if path != "-" and pathlib.Path(program).suffix:  # beside the file
        value["program"] = str(pathlib.Path(path).parent / program)
    return value


def _read_result(value: Any, where: str) -> List[np.ndarray]:
    rows = value if isinstance(value, list) else [value]
    return [read_literal(r, where) for r in rows]


def main(arguments: Sequence[str]) -> int:
    """0: all results are right; 1: one is not; 2: usage or bad input; 3: no
    room for the output."""
    parser = argparse.ArgumentParser(
        prog="assay settle",
        description="Which of several results is right?")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--html", metavar="FILE")
    parser.add_argument("--profile", metavar="PROFILE")
    parser.add_argument("--json", action="store_true")
    o = parser.parse_args(list(arguments))
    at = ""
    try:
        value = read(o.file)
        at = f"{o.file}: "
        made = settling.settle(
            value.get("op") or value["program"], value["operands"],
            value["results"], o.profile or value.get("profile") or "spec",
            **value.get("attributes", {}))
    except (Unknown, library.EvaluationError, library.InvalidProgram,
            TypeError) as e:
        print(f"assay settle: {at}{e}", file=sys.stderr)
        return 2
    except OSError as e:
        print(f"assay settle: {e.filename}: {e.strerror}", file=sys.stderr)
        return 2
    try:
        print(json.dumps(made.json(), indent=1) if o.json else made, flush=True)
        if o.html:
            write(made.page(value.get("title", ""), value.get("source", "")),
                  o.html)
    except BrokenPipeError:
        sys.stderr.close()
        return 3
    except OSError as e:
        print(f"assay settle: {e.filename or 'standard output'}: "
              f"{e.strerror}", file=sys.stderr)
        full = e.errno in (errno.ENOSPC, errno.EFBIG) or not e.filename
        return 3 if full else 2
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
