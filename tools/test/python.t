#!/usr/bin/python3
# python.t - the Python package: types, backends, and NumPy as one.
#
# SPDX-License-Identifier: Apache-2.0
#
# With Debian's NumPy.  Bytes are those of IEEE 754, worked out by hand; the
# cases of seed 001 (broadcasting as NumPy does it) are judged against NumPy.
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path[:0] = [f"{ROOT}/tools/test", f"{ROOT}/tools/python"]
from tap import finish, ok  # noqa: E402

import numpy as np  # noqa: E402
from assay import backend, types  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}/tools/python"}

BACKEND = """
import numpy as np
from assay.backend import Backend, Unsupported

mine = Backend("mine", version="7", dtypes="f32 pred", properties={"a": "b"})

@mine.op("Neg")
def neg(x):
    print("this is not a frame")
    return -x

@mine.op("Abs")
def wrong(x):
    return x

@mine.op("Floor")
def other_type(x):
    return np.floor(x).astype(np.float64)

@mine.op("Ceil")
def raises(x):
    raise RuntimeError("as was\\nordered")

@mine.op("Sign")
def declines(x):
    raise Unsupported("not today")

@mine.op("Add")
def add(x, y):
    return x + y

@mine.op("Rev")
def rev(x, *, dimensions):
    return np.flip(x, tuple(dimensions))

@mine.op("Map")
def map_(x, y, *, computation, dimensions):
    return computation(x, y)

mine.serve()
"""

NUMBERS = {"shape": "f32[3]", "data": [-1, 2.5, 3]}
CASES = {
    "Neg": ({}, "pass", ""), "Abs": ({}, "fail", "1 of 3 units"),
    "Floor": ({}, "fail", "element type f64, expected f32"),
    "Ceil": ({}, "refused", "failed: RuntimeError: as was ordered"),
    "Sign": ({}, "unsupported", "not today"),
    "Sqrt": ({}, "unsupported", "no operation Sqrt"),
    "Rev": ({"dimensions": [0]}, "pass", ""),
    "Map": ({"computation": "sub", "dimensions": [0]}, "unsupported",
            "no operation Sub"),
    "Add": ({"broadcasting": "numpy"}, "unsupported", "Add: broadcasting"),
}


def run(command, *options, cwd=ROOT):
    done = subprocess.run(
        [ASSAY, "run", "--backend", f"process:{command}", "--json", "--jobs",
         "1", *options], capture_output=True, text=True, timeout=500,
        env=ENVIRONMENT, cwd=cwd)
    rows = [json.loads(x) for x in done.stdout.splitlines() if x[0] == "{"]
    return {r["name"]: r for r in rows}, done.stderr


def check_types():
    one = np.array([[1, -2]], np.float32)
    ok(types.to_bytes(one) == bytes.fromhex("0000803f000000c0"),
       "f32 as bytes")
    ok(types.to_bytes(np.array(258, ">u2")) == b"\2\1", "little-endian")
    shape = types.parse_shape("f32[1,2]")
    ok((types.from_bytes(types.to_bytes(one), shape) == one).all(), "and back")
    ok(types.parse_shape("(f32[<=3], (token[], pred[]))")
       == [types.Shape("f32", (3,), (True,)),
           [None, types.Shape("pred", (), ())]], "a shape as text")
    ok(types.byte_count(types.parse_shape("c64[2,3]")) == 48, "bytes of c64")
    ok({"s8": "int8", "u64": "uint64", "pred": "bool", "c128": "complex128"}
       .items() <= {n: d.name for n, d in types.DTYPES.items()}.items(),
       "NumPy's names", types.DTYPES)
    if types.ml_dtypes:  # 1.5 is 3fc0; -1 in four bits is f
        ok(types.to_bytes(np.array([1.5], types.DTYPES["bf16"])).hex() == "c03f"
           and types.to_bytes(np.array([-1], types.DTYPES["s4"])) == b"\x0f",
           "types of ml_dtypes")
    else:
        ok(True, "types of ml_dtypes # SKIP ml_dtypes is not installed")


def check_registration():
    for names, function, text in (
            (["Addd"], lambda x, y: x, "'Addd' is not an operation"),
            (["Reduce"], lambda x, y, *, dimensions: x,
             "no attribute 'dimensions'; it has: computation, dim")):
        try:
            backend.Backend("x").op(*names)(function)
            ok(False, text)
        except ValueError as e:
            ok(text in str(e), text, e)


def check_backend(folder):
    with open(f"{folder}/mine.py", "w", encoding="utf-8") as f:
        f.write(BACKEND)
    for op, (attributes, _, _) in CASES.items():
        os.makedirs(f"{folder}/cases/{op}")
        count = 2 if op in ("Add", "Map") else 1
        with open(f"{folder}/cases/{op}/a.json", "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": op, "cases": [
                {"id": "one", "why": "a backend in Python",
                 "inputs": [NUMBERS] * count, "attributes": attributes}]}, f)
    rows, messages = run(f"{sys.executable} mine.py", "--cases", "cases",
                         "--database", "r.db", "--filter", "*/a/one",
                         cwd=folder)
    for op, (_, status, text) in CASES.items():
        row = rows.get(f"{op}/a/one", {})
        ok(row.get("status") == status and text in row.get("text", ""),
           f"{op}: {status}", f"{row} {messages}")


def check_numpy(folder):
    """Broadcasting as seed 001 has it, and its errors."""
    rows, messages = run(f"{sys.executable} -m assay.backends.numpy",
                         "--filter", "Add/broadcast/*", "--filter",
                         "Add/errors/*", "--database", f"{folder}/n.db")
    count = {}
    for name, row in rows.items():
        count.setdefault(row["status"], []).append(name)
    ok(set(count) <= {"pass", "unsupported"}, "NumPy: no case fails",
       f"{[r for r in rows.values() if r['status'] not in ('pass', 'unsupported')]}"
       f"{messages}")
    ok(len(count.get("pass", [])) >= 10, "NumPy: some are judged", messages)
    refused = [n for n in count.get("pass", []) if "/errors/" in n]
    ok(refused, "NumPy: errors of broadcasting are judged", count)


def main():
    made = subprocess.run([sys.executable, f"{ROOT}/tools/make-python"],
                          capture_output=True, text=True, cwd=ROOT).stdout
    with open(f"{ROOT}/tools/python/assay/operations.json",
              encoding="utf-8") as f:
        ok(f.read() == made, "operations.json is what tools/make-python prints")
    check_types()
    check_registration()
    with tempfile.TemporaryDirectory() as folder:
        check_backend(folder)
        check_numpy(folder)
    finish()


main()
