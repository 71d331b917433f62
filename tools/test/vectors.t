#!/usr/bin/env python3
# vectors.t - what assay vectors writes, and the readers of tools/readers.
#
# SPDX-License-Identifier: Apache-2.0
#
# The results of a bad backend are judged twice: by Assay, and by each reader
# from the vectors alone.  Both must find the same wrong units.
import hashlib
import json
import os
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
folder = pathlib.Path(tempfile.mkdtemp())
CASES = ["--filter", "@(Abs|Add|Sin|Max|Rsqrt|Transpose)/@(rules|special|rounding)*",
         "--filter", "Sort/rules/*", "--filter", "Reduce/rules/*"]


def run(*command, **how):
    return subprocess.run([str(c) for c in command], text=True,
                          capture_output=True, timeout=300, **how)


# ---- The files ---------------------------------------------------------------

out = folder / "vectors"
done = run(ASSAY, "vectors", "-o", out, *CASES)
ok(done.returncode == 0, "vectors are written", done.stderr)
manifest = json.loads((out / "manifest.json").read_text())
lines = [json.loads(line) for line in open(out / "vectors.jsonl")]
data = (out / "vectors.bin").read_bytes()
ok(all(hashlib.sha256((out / f["name"]).read_bytes()).hexdigest() == f["sha256"]
       for f in manifest["files"]) and manifest["cases"] == len(lines) > 200,
   "the manifest knows them", manifest)
ok((out / "LICENSE").read_bytes() == open("LICENSE", "rb").read(),
   "with the licence")
planned = run(ASSAY, "run", "--list", *CASES).stdout.split()
plain = [n for n in planned if "#" not in n]
ok(len(lines) + sum(manifest["left_out"].values()) == len(plain)
   and {c["name"] for c in lines} <= set(plain),
   "every case is written, or counted with a reason", manifest)
ok(run(ASSAY, "vectors", "-o", out, *CASES).returncode == 2,
   "nothing is overwritten")
ok(run(ASSAY, "vectors").returncode == 2
   and run(ASSAY, "vectors", "-o", folder / "x", "--filter", "No/*").returncode
   == 2, "wrong usage")


def numbers(at, n, size):
    return [int.from_bytes(data[at + i * size:at + (i + 1) * size], "little")
            for i in range(n)]


# ---- Against assay eval ------------------------------------------------------

FORM = {"f32": "<f", "f64": "<d", "f16": "<e"}


def bits(kind, text):
    if kind in FORM:
        return int.from_bytes(struct.pack(FORM[kind], float(text)), "little")
    return int(text) & (1 << int(kind[1:])) - 1


def value_range(kind, accept, value):
    """The part of a set that has the value, as patterns."""
    for part in accept.split(" | "):
        ends = part.strip("[]").split(", ")
        if part == value or len(ends) == 2:
            low, high = (bits(kind, e) for e in (ends[0], ends[-1]))
            if part == value or float(ends[0]) <= float(value) <= float(ends[1]):
                return low, high
    return None


compared, wrong = 0, []
by_name = {c["name"]: c for c in lines}
for path in ("Sin/special", "Add/rules", "Rsqrt/rounding", "Reduce/rules"):
    for path in sorted(pathlib.Path("cases").glob(path + "*.json"))[:2]:
        told = json.loads(run(ASSAY, "eval", "--json", "--elements", 9999,
                              path).stdout)
        for c in told["cases"]:
            a = by_name.get(c["name"], {"outputs": [{"shape": "-["}]})["outputs"][0]
            kind = a["shape"].split("[")[0]
            if kind not in FORM and kind not in ("s32", "u8"):
                continue
            size = a["width"] // 8
            low, high = (numbers(a[k] if a[k] >= 0 else a["at"], a["units"], size)
                         for k in ("low", "high"))
            for e, l, h in zip(c["replicas"][0][0]["elements"], low, high):
                if e["accept"] in ("any", "nan") or "nan" in e["value"]:
                    continue
                want = value_range(kind, e["accept"], e["value"])
                compared += 1
                if want and want != (l, h) and "0" not in (e["value"], e["value"][1:]):
                    wrong.append((c["name"], e, l, h))
ok(compared > 300 and not wrong, f"{compared} intervals are those of assay eval",
   wrong[:5])

# ---- Readers -----------------------------------------------------------------

READERS = {
    "read.py": [sys.executable, "tools/readers/read.py"],
    "read.c": ["cc", "-O1", "-Wall", "-Werror", "-o", folder / "c",
               "tools/readers/read.c"],
    "read.cpp": ["g++", "-O1", "-Wall", "-Werror", "-o", folder / "cpp",
                 "tools/readers/read.cpp"],
    "read.rs": ["rustc", "-o", folder / "rs", "tools/readers/read.rs"],
    "read.go": ["go", "build", "-o", folder / "go", "tools/readers/read.go"]}
commands = {}
for name, build in READERS.items():
    text = open(f"tools/readers/{name}").read()
    ok(len(text.splitlines()) <= 40, f"{name} has at most 40 lines")
    if not shutil.which(build[0]):
        print(f"ok - {name} # SKIP {build[0]} is not installed")
        import tap
        tap.number += 1
    elif name == "read.py":
        commands[name] = build
    else:
        made = run(*build, env=dict(os.environ, GOCACHE=str(folder / "cache"),
                                    GO111MODULE="off"))
        ok(made.returncode == 0, f"{name} is built", made.stderr)
        commands[name] = [folder / name.split(".")[1]]


def outputs(path):
    """What a backend returned: the last record of each case (bits.h)."""
    raw = path.read_bytes()
    head, size = (int(n) for n in raw[:64].split()[2:4])
    at, last = 64, {}
    while at < len(raw):
        n, length = struct.unpack_from("<QQ", raw, at)
        name = raw[at + 16:at + 15 + n].decode()
        at += 16 + (n + 7) // 8 * 8
        last[name] = raw[at:at + length]
        at += (length + 7) // 8 * 8
    for name, record in last.items():
        count = struct.unpack_from("<i", record, 24)[0]
        at, arrays = head, []
        for _ in range(count):
            if at + size > len(record):
                break
            held, _, dims = struct.unpack_from("<Qii", record, at + 32)
            at += size + 16 * dims
            arrays.append(record[at:at + held])
            at += (held + 7) // 8 * 8
        last[name] = arrays
    return last


def judged(results):
    (folder / "results").write_bytes(results)
    said = {n: run(*c, out, folder / "results").stdout for n, c in commands.items()}
    ok(len(set(said.values())) == 1, "all readers say the same", said)
    return int(said["read.py"].split()[2])


units = sum(a["units"] for c in lines for a in c["outputs"])
for name, command in commands.items():
    done = run(*command, out)
    ok(done.stdout == f"{units} units, 0 wrong\n", f"{name}: its own results",
       done.stdout + done.stderr)
# Under a profile that permits nothing besides: what is right with a remark only
# is not in a vector.
shutil.rmtree(out)
run(ASSAY, "vectors", "-o", out, "-p", "strict", *CASES)
lines = [json.loads(line) for line in open(out / "vectors.jsonl")]
data = (out / "vectors.bin").read_bytes()
for backend in "evil/flip_bit", "evil/zero_sign", "evil/low_bits", "native":
    db, file = folder / "r.db", folder / "r.bits"
    db.unlink(missing_ok=True)
    run(ASSAY, "run", "-q", "--backend", backend, "--database", db, "--bits",
        file, "--profile", "strict", *CASES)
    rows = dict(sqlite3.connect(db).execute(
        "SELECT name, CASE WHEN status = 'fail' THEN bad ELSE 0 END FROM outcome"
        " WHERE status IN ('pass', 'warn', 'fail')"))
    got, results, bad, skipped = outputs(file), b"", 0, 0
    warned = {r[0] for r in sqlite3.connect(db).execute(
        "SELECT outcome.name FROM outcome JOIN remark USING (plan)")}
    for c in lines:
        own = [data[a["at"]:a["at"] + a["units"] * ((a["width"] + 7) // 8)]
               for a in c["outputs"]]
        arrays = got.get(c["name"], [])
        opened = any(a["flags"] >= 0 and any(
            f & 1 for f in data[a["flags"]:a["flags"] + a["units"]])
            for a in c["outputs"])
        if c["name"] not in rows or c["name"] in warned or opened \
                or [len(a) for a in arrays] != [len(a) for a in own]:
            skipped += 1
            results += b"".join(own)
        else:
            results += b"".join(arrays)
            bad += rows[c["name"]]
    found = judged(results)
    ok(found == bad and skipped < len(lines) / 2
       and (bad > 100 or backend != "evil/flip_bit"),
       f"{backend}: {bad} wrong units, as Assay finds ({skipped} cases apart)",
       found)
random.seed(1)
units = sum(a["units"] for c in lines for a in c["outputs"])
noise = b"".join(random.randbytes(a["units"] * ((a["width"] + 7) // 8))
                 for c in lines for a in c["outputs"])
ok(judged(noise) > units / 3, "noise is wrong")
shutil.rmtree(folder)
finish()
