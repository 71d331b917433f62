"""assay import: a program of StableHLO as a case file.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import errno
import json
import os
import pathlib
import re
import stat
import sys
import zipfile
import zlib
from typing import Any, Dict, Iterator, List, Optional, Sequence

import numpy as np

from assay import document, importer, library, mlir, step_cases, types
from assay.mlir import Refused
from assay.output import write


def _shape_text(shape: Optional[types.Shape], sizes: Sequence[int]) -> str:
    if shape is None:
        return "token[]"
    return f"{shape.dtype}[{','.join(map(str, sizes))}]"


def _random(shape: Optional[types.Shape], seed: int) -> dict:
    """Numbers of a normal distribution; of integers, pred, and the type that
    has no sign, any bits."""
    if shape is None:
        return {"shape": "token[]"}
    text = _shape_text(shape, [f"<={n}" if d else n for n, d in
                               zip(shape.dims, shape.dynamic)])
    made: Dict[str, Any] = {"shape": text}
    if shape.dtype[0] in "fbc" and shape.dtype != "f8e8m0fnu":
        made["random"] = {"seed": seed, "dist": "normal", "mean": 0,
                          "stddev": 1}
    else:
        made["random"] = {"seed": seed, "dist": "bits"}
    if any(shape.dynamic):
        made["dynamic_sizes"] = [n for n, d in zip(shape.dims, shape.dynamic)
                                 if d]
    return made


def literal(array: np.ndarray, shape: types.Shape, name: str) -> dict:
    """An array as a literal.  np.save keeps of the types of ml_dtypes nothing
    but their size."""
    if array.dtype.kind == "V" and array.dtype.itemsize \
            == shape.numpy.itemsize:
        array = array.view(shape.numpy)
    if array.dtype != shape.numpy or array.shape != shape.dims:
        found = array.dtype.name if array.dtype not in types.DTYPES.values() \
            else types.dtype_name(array.dtype)
        raise Refused(f"{name}: found {found}{list(array.shape)}, expected "
                      f"{_shape_text(shape, shape.dims)}")
    return {"shape": _shape_text(shape, shape.dims),
            "hex": types.to_bytes(array).hex()}


def make_case(module: importer.Module, name: str, why: str,
              arrays: Optional[Dict[str, np.ndarray]] = None) -> dict:
    """A case file with one case.  Without arrays the inputs are random."""
    shapes = module.inputs()
    if arrays is None:
        inputs = [_random(s, i + 1) for i, s in enumerate(shapes)]
    else:
        if len(arrays) != len(shapes):
            raise Refused(f"found {len(arrays)} arrays of input, expected "
                          f"{len(shapes)}")
        inputs = [literal(np.asarray(a), s, n)
                  for (n, a), s in zip(arrays.items(), shapes)]
    case: Dict[str, Any] = {
        "id": name, "why": why, "inputs": inputs,
        "module": {"computations": module.computations,
                   "entry": module.entry}}
    if module.policies:
        case["policies"] = module.policies
    if module.replicas * module.partitions > 1:
        case.update(inputs=[inputs] * (module.replicas * module.partitions),
                    replicas=module.replicas, partitions=module.partitions)
    return {"format": "assay-case/1", "op": module.operation(),
            "cases": [case]}


def places(module: importer.Module) -> Iterator[str]:
    """Where the values of the case of make_case come from: a line for each,
    "POINTER TAB LINE:COLUMN TAB WHAT"."""
    base = "/cases/0/module/computations"
    for name, computation in module.computations.items():
        at = f"{base}/{name.replace('~', '~0').replace('/', '~1')}"
        for i, origin in enumerate(module.arguments.get(name, ())):
            yield "\t".join((f"{at}/parameters/{i}", *origin))
        for i, instruction in enumerate(computation["body"]):
            origin = module.origins.get(id(instruction), ("", ""))
            yield "\t".join((f"{at}/body/{i}", *origin))
    rows = module.replicas * module.partitions
    for row in range(rows):
        for i, origin in enumerate(module.arguments[module.entry]):
            at = f"{row}/{i}" if rows > 1 else f"{i}"
            yield "\t".join((f"/cases/0/inputs/{at}", *origin))


def read_arrays(path: str) -> Dict[str, np.ndarray]:
    """The operands that numpy.savez wrote, in order, each by what a message
    calls it."""
    with open(path, "rb") as f:
        if not stat.S_ISREG(os.fstat(f.fileno()).st_mode) \
                or not zipfile.is_zipfile(f):
            raise Refused(f"{path}: not an archive of numpy.savez")
        f.seek(0)
        try:
            with np.load(f, allow_pickle=False) as archive:
                return {f"{path}: {n}": archive[n] for n in archive.files}
        except (ValueError, EOFError, zlib.error, NotImplementedError,
                zipfile.BadZipFile) as e:
            raise Refused(f"{path}: {e}") from None


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 65536:
        raise argparse.ArgumentTypeError(
            f"found '{text}', expected a number from 1 to 65536")
    return int(text)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="assay import", description="Write a program of StableHLO (text, "
        "bytecode, or a portable artifact) or HLO (text, or a serialized "
        "module) as a case file.", epilog="Without "
        "--inputs the inputs are random numbers. Exit status: 0 success, 2 "
        "the program or an input cannot be expressed as a case, or usage "
        "error, 3 no room for the case file.")
    parser.add_argument("file", metavar="FILE", help="- is standard input")
    parser.add_argument("-i", "--inputs", metavar="FILE.npz",
                        help="operands of the entry, in order (numpy.savez); "
                        "they give dimensions without a bound their sizes")
    parser.add_argument("-e", "--entry", metavar="NAME",
                        help="the function to import, MODULE::NAME in one of "
                        "several modules (main, or the first public one)")
    parser.add_argument("-r", "--replicas", metavar="N", type=_count,
                        help="number of replicas (that of the module, or as "
                        "many as its groups of replicas name)")
    parser.add_argument("-o", "--output", metavar="FILE.json",
                        help="the case file (default: standard output)")
    # For messages of assay eval and assay run, and run --steps
    # (tools/verbs/import.c).
    parser.add_argument("--places", help=argparse.SUPPRESS)
    parser.add_argument("--steps", help=argparse.SUPPRESS)
    parser.add_argument("--titles", action="store_true",
                        help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    try:
        data = document.read_bytes(chosen.file)
        arrays = read_arrays(chosen.inputs) if chosen.inputs else None
        stem = re.sub(r"[^a-z0-9._-]+", "-",
                      pathlib.Path(chosen.file).stem.lower()).strip("-._")
        module = importer.import_program(data, chosen.file, chosen.entry,
                                         arrays, chosen.replicas)
        case = make_case(module, stem or "imported",
                         f"imported from {chosen.file}", arrays)
        if chosen.titles:
            case["cases"][0]["module"]["computations"] = \
                step_cases.titled(module.computations, module)
        if chosen.steps:
            with mlir.context():
                module.notices += step_cases.write(
                    chosen.steps, stem or "imported", case, module)
    except OSError as e:
        print(f"assay import: {e.filename or chosen.file}: {e.strerror}",
              file=sys.stderr)
        return 2
    except (ValueError, Refused, library.EvaluationError) as e:
        print(f"assay import: {e}", file=sys.stderr)
        return 2
    for notice in module.notices:
        print(f"assay import: {notice}", file=sys.stderr)
    output = chosen.output
    try:
        write(json.dumps(case, indent=1) + "\n", output)
        if chosen.places:
            output = chosen.places
            write("\n".join(places(module)) + "\n", output)
    except OSError as e:
        print(f"assay import: {output}: cannot be written: "
              f"{e.strerror}", file=sys.stderr)
        return 3 if e.errno in (errno.ENOSPC, errno.EFBIG) else 2
    return 0
