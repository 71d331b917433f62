"""A backend that returns what a file says: replay_backend.py FILE.

SPDX-License-Identifier: Apache-2.0

FILE is JSON: {"ops": [NAME...], "results": {INPUTS: [{"dtype": ..., "dims": [...],
"hex": BYTES}]}}, where INPUTS are the bytes of all inputs, one after the other,
as hexadecimal digits.  Other inputs are unsupported.
"""
import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def protocol():
    """The package's protocol.py alone: the package needs NumPy."""
    spec = importlib.util.spec_from_file_location(
        "assay_protocol", HERE + "/../python/assay/protocol.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def reply(pipe, told, header, body):
    if header["call"] == "open":
        pipe.write({"protocol": 1, "name": "replay", "version": "1",
                    "forms": ["json"], "capabilities":
                    {"ops": " ".join(["Parameter", *told["ops"]])}})
    elif header["call"] == "execute":
        outputs = told["results"].get(body.hex())
        if outputs is None:
            pipe.write({"error": "unsupported", "text": "other inputs"})
        else:
            pipe.write({"outputs": [{"dtype": o["dtype"], "dims": o["dims"]}
                                    for o in outputs]},
                       [bytes.fromhex(o["hex"]) for o in outputs])
    else:
        pipe.write({})


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        told = json.load(f)
    pipe = protocol().Pipe()
    while (request := pipe.read()) is not None:
        if request[0]["call"] == "release":
            continue
        reply(pipe, told, *request)


main()
