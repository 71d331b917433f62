#!/usr/bin/env python3
# pack.t - a pack of a run: what it has, and what assay verify finds.
#
# SPDX-License-Identifier: Apache-2.0
#
# Bytes are changed all over a pack, and then packs are forged: rows or results
# are changed and the manifest made anew, so that only judging again can find it.
import hashlib
import io
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
folder = pathlib.Path(tempfile.mkdtemp())
os.environ["TMPDIR"] = str(folder / "tmp")
(folder / "tmp").mkdir()
CASES = ["--filter", "@(Abs|Sin)/@(rules|special)*", "--filter", "Sort/rules/*"]


def assay(*command):
    return subprocess.run([ASSAY, *map(str, command)], text=True,
                          capture_output=True, timeout=300)


def run(name, *more, cases=CASES):
    db, bits = folder / f"{name}.db", folder / f"{name}.bits"
    done = assay("run", "-q", "--database", db, "--bits", bits, *cases, *more)
    return db, bits, done


def pack(name, *more, **how):
    db, bits, _ = run(name, *more, **how)
    done = assay("pack", "--bits", bits, "-o", folder / f"{name}.tar", db)
    ok(done.returncode == 0, f"pack {name}", done.stderr)
    return folder / f"{name}.tar"


def members(path):
    with tarfile.open(path) as t:
        return {m.name: t.extractfile(m).read() for m in t}


def write(path, parts):
    """As assay pack does, in Python's words; the manifest is made anew."""
    head = re.match(rb'(.*\n.*\n) "members"', parts["manifest.json"])[1]
    rows = ["\n  {%s, %s,\n   %s}" % (
        f'"name": "{n}"', f'"bytes": {len(b)}',
        f'"sha256": "{hashlib.sha256(b).hexdigest()}"')
        for n, b in parts.items() if n != "manifest.json"]
    parts = dict(parts, **{"manifest.json": head + (
        ' "members": [' + ",".join(rows) + "\n]}\n").encode()})
    out = io.BytesIO()
    for name, data in parts.items():
        info = tarfile.TarInfo(name)
        info.size, info.mode = len(data), 0o644
        out.write(info.tobuf(tarfile.USTAR_FORMAT))
        out.write(data + bytes(-len(data) % 512))
    path.write_bytes(out.getvalue() + bytes(1024))
    return path


good = pack("good")
parts = members(good)
ok(list(parts) == ["manifest.json", "conformance.txt", "expectations",
                   "profile.json", "results.db", "bits-1"], "its members",
   list(parts))
manifest = json.loads(parts["manifest.json"])
ok(manifest["format"] == "assay-pack/1"
   and [(m["name"], m["bytes"], m["sha256"]) for m in manifest["members"]]
   == [(n, len(b), hashlib.sha256(b).hexdigest()) for n, b in parts.items()
       if n != "manifest.json"], "the manifest has the SHA-256 of each",
   manifest)
ok("claim: " in parts["conformance.txt"].decode()
   and manifest["suite"] in parts["conformance.txt"].decode(),
   "the statement has claim and suite")
done = assay("verify", good)
planned = sqlite3.connect(folder / "good.db").execute(
    "SELECT count(*) FROM outcome").fetchone()[0]
ok(done.returncode == 0 and planned > 50
   and f"verdicts: {planned} of {planned} cases derived" in done.stdout,
   "all verdicts follow from the bits", done.stdout + done.stderr)
ok(write(folder / "again.tar", parts).read_bytes() == good.read_bytes(),
   "the forger of this test writes the same bytes")

# Another run in the same database stays out of the pack.
assay("run", "-q", "--database", folder / "good.db", "--filter", "Neg/rules/*")
done = assay("pack", "--bits", folder / "good.bits", "-o", folder / "one.tar",
             f"{folder}/good.db@1")
(folder / "one.db").write_bytes(members(folder / "one.tar")["results.db"])
ok(sqlite3.connect(folder / "one.db").execute(
    "SELECT count(*), (SELECT count(*) FROM plan) FROM run").fetchone()
   == (1, planned) and assay("verify", folder / "one.tar").returncode == 0,
   "a pack has one run", done.stderr)

# Any byte.  A few of each member and header, and others at random.
data = good.read_bytes()
at, places = 0, []
for name, body in parts.items():
    places += [at, at + 100, at + 130, at + 200, at + 400, at + 511, at + 512,
               at + 512 + len(body) // 2, at + 511 + len(body)]
    at += 512 + len(body) + -len(body) % 512
    places += [at - 1]
places += [len(data) - 1, len(data) - 1024]
seed = int(os.environ.get("ASSAY_SEED", "1"))
places += random.Random(seed).sample(range(len(data)), 20)
missed = []
for place in places:
    changed = bytearray(data)
    changed[place] ^= 1 << place % 8
    (folder / "changed.tar").write_bytes(changed)
    if assay("verify", folder / "changed.tar").returncode not in (1, 2):
        missed.append(place)
ok(not missed, f"each of {len(places)} changed bytes is found (seed {seed})",
   missed)
for name, cut in (("cut", data[:-512]), ("longer", data + bytes(512)),
                  ("empty", b""), ("no pack", b"x" * 2048)):
    (folder / "changed.tar").write_bytes(cut)
    ok(assay("verify", folder / "changed.tar").returncode in (1, 2), name)

# Forged: a failure that became a pass, and a wrong result behind a pass.
bad = pack("bad", "--backend", "evil/flip_bit")
ok(assay("verify", bad).returncode == 0, "a bad backend's pack is honest")
forged = members(bad)
(folder / "x.db").write_bytes(forged["results.db"])
with sqlite3.connect(folder / "x.db") as db:
    name, = db.execute("SELECT name FROM outcome WHERE status = 'fail'"
                       " ORDER BY plan LIMIT 1").fetchone()
    db.execute("UPDATE result SET status = 1, bad = 0 WHERE plan ="
               " (SELECT plan FROM outcome WHERE name = ?)", (name,))
db.close()
forged["results.db"] = (folder / "x.db").read_bytes()
done = assay("verify", write(folder / "forged.tar", forged))
ok(done.returncode == 1 and "conformance.txt does not agree" in done.stderr,
   "the statement is of other results", done.stderr)


forged["conformance.txt"] = re.sub(
    rb"(\d+) failed", lambda m: b"%d failed" % (int(m[1]) - 1),
    forged["conformance.txt"], count=1)
done = assay("verify", write(folder / "forged.tar", forged))
ok(done.returncode == 1 and f"{name}: recorded pass, the bits give fail"
   in done.stdout, "a forged pass", done.stdout + done.stderr)
forged = members(good)
bits = bytearray(forged["bits-1"])
place = bits.index(b"Abs/rules/")
size = int.from_bytes(bits[place - 8:place], "little")
title = bits[place:bits.index(b"\0", place)].decode()
bits[place + (len(title) + 8) // 8 * 8 + size - 8] ^= 1
forged["bits-1"] = bytes(bits)
done = assay("verify", write(folder / "forged.tar", forged))
ok(done.returncode == 1 and f"{title}: recorded" in done.stdout,
   "a result that is not what was recorded", done.stdout + done.stderr)

# What leaves no result is named.
crash = pack("crash", "--backend", "evil/segfault",
             cases=["--filter", "Abs/rules/*"])
done = assay("verify", crash)
ok(done.returncode == 0 and re.search(r"not derived: \d+ crash", done.stdout)
   and "verdicts: 0 of" in done.stdout, "crashes are not derived",
   done.stdout + done.stderr)

# Expectations: known failures follow from them, a waiver as on that day.
waived = folder / "waived.json"
waived.write_text(json.dumps({"format": "assay-expectations/1", "expect": [
    {"pattern": "*", "kind": "fail", "reason": "flips a bit", "owner": "me",
     "until": "2999-12-31"}]}))
known, _, _ = run("known", "--backend", "evil/flip_bit", "--expectations", waived)
done = assay("pack", "--bits", folder / "known.bits", known)
ok(done.returncode == 2 and "name them with --expectations" in done.stderr,
   "expectations that are elsewhere", done.stderr)
done = assay("pack", "--bits", folder / "known.bits", "--expectations",
             "README.md", known)
ok(done.returncode == 2 and "not the expectations" in done.stderr,
   "other expectations", done.stderr)
done = assay("pack", "--bits", folder / "known.bits", "--expectations", waived,
             known)
done = assay("verify", f"{known}.pack.tar")
ok(done.returncode == 0 and "known to be wrong" in done.stdout,
   "known failures follow, too", done.stdout + done.stderr)

# What cannot be packed or verified.
ok(assay("pack", folder / "good.db").returncode == 2, "without bits")
(folder / "half.bits").write_bytes((folder / "good.bits").read_bytes()[:-8])
done = assay("pack", "--bits", folder / "half.bits", folder / "good.db")
ok(done.returncode == 3 and "within a record" in done.stderr, "half of them",
   done.stderr)
lost = members(good)
lost["bits-1"] = lost["bits-1"][:64]
done = assay("verify", write(folder / "lost.tar", lost))
ok(done.returncode == 1 and "there are no bits of it" in done.stdout,
   "none of them", done.stdout)
(folder / "cases").mkdir()
shutil.copytree("cases/Abs", folder / "cases/Abs")
done = assay("verify", "--cases", folder / "cases", good)
ok(done.returncode == 2 and "made with the suite" in done.stderr,
   "another suite", done.stderr)
for path, said in ((folder / "none.tar", "No such file or directory"),
                   (folder / "cases", "empty, or not a regular file")):
    done = assay("verify", path)
    ok((done.returncode, done.stderr)
       == (2, f"assay verify: {path}: {said}\n"),
       "a pack that cannot be read is named once", done.stderr)
ok(not [f for f in os.listdir(folder / "tmp") if f.startswith("assay-")],
   "no file is left behind")
shutil.rmtree(folder)
finish()
