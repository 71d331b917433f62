#!/usr/bin/env python3
# full-disk.t - on a full disk no file is half written, and the exit code is 3.
#
# SPDX-License-Identifier: Apache-2.0
#
# The disk is a small tmpfs in a mount namespace of this test's own.  What a file
# must hold is what the same command writes where there is room; what it must
# still hold where there is none is what it held before.
import glob
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

from tap import figure, finish, ok

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
OLD = "as it was\n"
PAGE = 4096

if "ASSAY_OWN_MOUNTS" not in os.environ:
    os.environ["ASSAY_OWN_MOUNTS"] = "1"
    try:
        mounts = subprocess.run(["unshare", "-rm", "true"], check=False,
                                stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        mounts = False
    if not mounts:
        print("1..0 # SKIP no mount namespace (unshare -rm) here")
        sys.exit(0)
    os.execvp("unshare", ["unshare", "-rm", sys.executable, *sys.argv])

DIR = tempfile.mkdtemp()
DISK = f"{DIR}/disk"
os.mkdir(DISK)


def assay(*words):
    return subprocess.run([ASSAY, *words], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300,
                          check=False)


class Disk:
    """With so many bytes left beside a file that is there already."""

    full = 0  # those with less room than is asked of them

    def __init__(self, room, old):
        self.room, self.old = room, old

    def __enter__(self):
        size = self.room + (PAGE if self.old else 0)
        Disk.full += self.room < 64 << 20
        subprocess.run(["mount", "-t", "tmpfs", "-o",
                        f"size={max(size, PAGE)}", "none", DISK], check=True)
        if self.old:
            with open(self.old, "w") as f:
                f.write(OLD)
        elif not size:
            with open(f"{DISK}/filler", "w") as f:
                f.write("x" * PAGE)
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", DISK], check=True)


os.makedirs(f"{DIR}/cases/Exp")
with open(f"{DIR}/cases/Exp/a.json", "w") as f:
    json.dump({"format": "assay-case/1", "op": "Exp", "cases": [
        {"id": "n", "why": "many", "each": {"S": list(range(40))},
         "inputs": [{"shape": "f32[4]",
                     "random": {"seed": "$S", "dist": "bits"}}]}]}, f)
RUN = ["run", "--backend", "native", "--cases", f"{DIR}/cases", "--quiet",
       "--expectations", "/dev/null"]
DB, SWEPT = f"{DIR}/results.db", f"{DIR}/sweep.db"
assay(*RUN, "--database", DB)
SWEEP = ["sweep", "Exp", "--type", "bf16"]
assay(*SWEEP, "--database", SWEPT)

# ---- One file each -------------------------------------------------------------

forms = [("report", f, ["report", "--format", f, DB, "--output"])
         for f in ("text", "html", "json", "markdown", "junit", "tap", "badge")]
forms += [("atlas", f, ["atlas", "--format", f, SWEPT, "--output"])
          for f in ("text", "html", "json", "profile")]
forms += [("compare", "html", ["compare", DB, DB, "--html"]),
          ("run", "html", [*RUN, "--database", f"{DIR}/other.db", "--html"]),
          ("sweep", "svg", [*SWEEP, "--database", f"{DIR}/again.db", "--svg"])]
for command, form, words in forms:
    target = f"{DISK}/x"
    with Disk(64 << 20, None):
        done = assay(*words, target)
        whole = os.path.getsize(target) if os.path.exists(target) else 0
    ok(whole > 0, f"{command}, {form}: written", done.stderr)
    for room in {0, PAGE} if whole > PAGE else {0}:
        with Disk(room, target):
            done = assay(*words, target)
            with open(target) as f:
                kept = f.read()
            beside = os.listdir(DISK)
        ok((kept, beside) == (OLD, ["x"]),
           f"{command}, {form}: {room} bytes left: the old file stays", beside)
        ok(done.returncode == 3 and "No space left on device" in done.stderr,
           "and it is said", f"{done.returncode} {done.stderr}")

# ---- A folder of pages ---------------------------------------------------------

with Disk(256 << 20, None):
    assay("doc", "--site", f"{DISK}/site")
    pages = {}
    for path in glob.glob(f"{DISK}/site/*"):
        with open(path, "rb") as f:
            pages[path] = f.read()
with Disk(sum(map(len, pages.values())) // 2, None):
    done = assay("doc", "--site", f"{DISK}/site")
    found = {}
    for path in glob.glob(f"{DISK}/site/*"):
        with open(path, "rb") as f:
            found[path] = f.read()
ok(0 < len(found) < len(pages) and all(
    found[p] == pages.get(p) for p in found), "doc --site: whole pages only",
   [p for p in found if found[p] != pages.get(p)])
ok(done.returncode == 3 and "No space left on device" in done.stderr,
   "and it is said", f"{done.returncode} {done.stderr}")

# ---- Results -------------------------------------------------------------------

for room in (0, 4 * PAGE, 64 * PAGE):
    with Disk(room, None):
        path = f"{DISK}/x.db"
        done = assay(*RUN, "--database", path)
        ok(done.returncode == 3 and done.stderr.count("\n") < 4
           and ("full" in done.stderr or "No space" in done.stderr),
           f"run: {room} bytes for the results: 3",
           f"{done.returncode} {done.stderr}")
        if os.path.exists(path):
            db = sqlite3.connect(path)
            state = db.execute("pragma integrity_check").fetchall()
            db.close()
            ok(state == [("ok",)], "and what is there is whole", state)
for n in "12":
    assay(*RUN, "--database", f"{DIR}/shard{n}.db", "--shard", f"{n}/2")
SHARDS = [f"{DIR}/shard{n}.db" for n in "12"]
done = assay("merge", "--output", f"{DIR}/joined.db", *SHARDS)
ok(done.returncode == 0, "merge: where there is room", done.stderr)
with Disk(8 * PAGE, None):
    done = assay("merge", "--output", f"{DISK}/m.db", *SHARDS)
    ok(done.returncode == 3, "merge: 3", f"{done.returncode} {done.stderr}")
    db = sqlite3.connect(f"{DISK}/m.db")
    state = db.execute("pragma integrity_check").fetchall()
    runs = [t for t, in db.execute("select name from sqlite_master")
            if t == "run" and db.execute("select * from run").fetchall()]
    db.close()
    ok((state, runs) == ([("ok",)], []), "and no part of a run is there",
       f"{state} {runs}")
subprocess.run(["rm", "-rf", DIR], check=True)
figure("full disks", Disk.full)
finish()
