#!/usr/bin/python3
# backend.py MODE - a backend process that negates f32, and misbehaves.
#
# SPDX-License-Identifier: Apache-2.0
#
# It speaks version 1 of the protocol (spec/protocol.md).  MODE says at which
# call it does what; "good" behaves.
import json
import os
import signal
import struct
import sys
import time

from frames import frame, read_frame, send, stdout

mode = sys.argv[1] if len(sys.argv) > 1 else "good"

# What is sent instead of the reply to a call.
RAW = {
    "text": b"hello, world: this is not a frame\n",
    "half-prefix": b"ASY1\x02\x00",
    "half-header": frame({"outputs": []})[:20],
    "half-body": frame({"outputs": [{"dtype": "f32", "dims": [3]}]},
                       bytes(12))[:-4],
    "long-header": b"ASY1" + struct.pack("<IQ", 0xffffffff, 0),
    "long-body": b"ASY1" + struct.pack("<IQ", 2, 0xffffffff) + b"{}",
    "longest-body": b"ASY1" + struct.pack("<IQ", 2, 2**64 - 1) + b"{}",
    "no-json": frame(b"{outputs: 1"),
    "binary-header": frame(b"\0\xff\x80{}"),
    "list": frame([1, 2]),
    "trailing": frame(b"{} {}"),
    "deep": frame(b"[" * 100000),
    "empty-header": frame(b""),
}


def misbehave(call):
    """True if the reply was replaced."""
    if not mode.startswith(call + "-"):
        return False
    what = mode[len(call) + 1:]
    if what in RAW:
        send(RAW[what])
        if what.startswith("half"):
            sys.exit(0)
        return True
    if what == "exit":
        print("giving up", file=sys.stderr)
        sys.exit(7)
    if what == "quietly":
        sys.exit(0)
    if what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "segfault":
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        signal.raise_signal(signal.SIGSEGV)
    if what == "raise":
        raise RuntimeError("as was ordered")
    if what == "closed":
        os.close(1)
        time.sleep(100)
    if what == "deaf":
        os.close(0)
        return False
    if what == "silent":
        time.sleep(100)
    if what == "spin":
        while True:
            pass
    if what == "flood":
        while True:
            stdout.write(b"y" * 65536)
    return False


def reply_to_open(header):
    hello = {"protocol": 1, "name": "by-hand", "version": "1",
             "capabilities": {"dtypes": "f32 pred", "ops": "Neg",
                              "rejects-without-class": "yes"},
             "properties": {f"option.{k}": v
                            for k, v in header["options"].items()}}
    more = {"protocol-3": {"protocol": 3}, "no-name": {"name": ""},
            "bad-forms": {"forms": ["hlo"]},
            "stablehlo": {"forms": ["stablehlo"]},
            "both": {"forms": ["json", "stablehlo"],
                     "capabilities": {"ops": "Neg TopK"}},
            "bad-capability": {"capabilities": {"replicas": 4}},
            "bad-property": {"properties": {"x": [1]}},
            "declines": {"error": "failed", "text": "no device"}}
    if mode.startswith("says:"):
        name, value = mode[5:].split("=")
        hello["capabilities"][name] = value.replace("_", " ")
    check("openReply", hello)
    return hello | more.get(mode, {})


def reply_to_compile(header, body):
    check("compileReply", {})
    if mode in ("both", "stablehlo"):
        parts = {}
        for p in header["parts"]:
            parts[p["form"]], body = body[:p["bytes"]], body[p["bytes"]:]
        if "stablehlo" not in parts:
            return {"error": "unsupported",
                    "text": header["lacks"]["stablehlo"]}
        if "stablehlo.negate" not in parts["stablehlo"].decode():
            return {"error": "failed", "text": "no StableHLO"}
        if mode == "both" and json.loads(parts["json"])["format"] \
                != "assay-program/1":
            return {"error": "failed", "text": "no JSON"}
    if mode.startswith("class-"):
        return {"error": mode[6:], "text": "as was ordered"}
    if mode.startswith("long-"):
        return {"error": "failed", "text": mode[5:] + 100 * "\u00e9"}
    if mode == "no-class":
        return {"error": "fatal"}
    if mode == "no-text":
        return {"error": "failed"}
    return {}


def reply_to_execute(body):
    data = bytes(b ^ 0x80 if i % 4 == 3 else b for i, b in enumerate(body))
    out = {"dtype": "f32", "dims": [len(data) // 4]}
    odd = {
        "no-outputs": ({}, b""),
        "two-outputs": ({"outputs": [out, out]}, data + data),
        "dtype": ({"outputs": [out | {"dtype": "s32"}]}, data),
        "float32": ({"outputs": [out | {"dtype": "float32"}]}, data),
        "no-dtype": ({"outputs": [{"dims": [3]}]}, data),
        "negative": ({"outputs": [out | {"dims": [-1]}]}, data),
        "fraction": ({"outputs": [out | {"dims": [1.5]}]}, data),
        "huge-dims": ({"outputs": [out | {"dims": [2**40, 2**40]}]}, data),
        "rank": ({"outputs": [out | {"dims": [1] * 65}]}, data),
        "longer": ({"outputs": [out | {"dims": [9]}]}, data * 3),
        "shorter": ({"outputs": [out | {"dims": [2]}]}, data[:8]),
        "body": ({"outputs": [out]}, data + b"1"),
        "no-body": ({"outputs": [out]}, b""),
        "outfeed": ({"outputs": [out], "outfeed": 3}, data),
        "outfed": ({"outputs": [out],
                    "outfeed": [{"replica": 7, "dtype": "f32", "dims": []}]},
                   data + bytes(4)),
        "wrong": ({"outputs": [out]}, body),
        "unsupported": ({"error": "unsupported", "text": "not today"}, b""),
        "failed": ({"error": "failed", "text": "no\x1b[31m memory"}, b""),
        "failed-body": ({"error": "failed", "text": "why"}, b"12345"),
        "two-errors": (b'{"error": "shape", "error": "failed"}', b""),
        "two-dims": (b'{"outputs": [{"dtype": "f32", "dims": [3], '
                     b'"dims": [4]}]}', data),
    }
    check("executeReply", {"outputs": [out]})
    return frame(*odd.get(mode, ({"outputs": [out]}, data)))


def check(definition, document):
    """Mode schema: what is sent and received fits the schema."""
    if mode != "schema":
        return
    import jsonschema
    with open("spec/protocol.schema.json", encoding="utf-8") as f:
        defs = json.load(f)["$defs"]
    jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{definition}", "$defs": defs}).validate(document)


while True:
    header, body = read_frame()
    call = header["call"]
    check(call, header)
    if call == "compile":
        check("program", json.loads(body[:header["parts"][0]["bytes"]])
              if mode == "schema" else {})
    if misbehave(call) or call == "release":
        continue
    if call == "open":
        send(frame(reply_to_open(header),
                   b"123" if mode == "open-body" else b""))
    elif call == "compile":
        send(frame(reply_to_compile(header, body),
                   b"123" if mode == "compile-body" else b""))
    else:
        send(reply_to_execute(body))
