#!/usr/bin/env python3
# version.t - results databases of older versions are read, and converted once.
#
# SPDX-License-Identifier: Apache-2.0
#
# version1.sql was recorded by a program of that version.  What is in it is
# in its head: zero_sign is wrong in two of five cases, native in none.
import hashlib
import json
import os
import random
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tools/test"))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
DIR = tempfile.mkdtemp()
CASES = os.path.join(DIR, "cases")
OLD = os.path.join(DIR, "old.db")


def make(path):
    with open(os.path.join(HERE, "version1.sql")) as f:
        db = sqlite3.connect(path)
        db.executescript(f.read())
        db.close()


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def assay(*words, limit=None):
    def confine():
        if limit:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([ASSAY, *words], stdin=subprocess.DEVNULL, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=confine, check=False)


def run(path, **more):
    return assay("run", "--backend", "native", "--cases", CASES, "--quiet",
                 "--database", path, **more)


def ask(path, sql):
    db = sqlite3.connect(path)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


def rows(path):
    return ask(path, "select plan, status, units, bad from result"
                     " where plan <= 10 order by 1")


os.makedirs(os.path.join(CASES, "Neg"))
with open(os.path.join(CASES, "Neg", "one.json"), "w") as f:
    json.dump({"format": "assay-case/1", "op": "Neg", "cases": [
        {"id": "n", "why": "one",
         "inputs": [{"shape": "f32[1]", "data": [1]}]}]}, f)
make(OLD)
before, content = digest(OLD), rows(OLD)
ok(ask(OLD, "pragma user_version") == [(1,)] and len(content) == 10,
   "the file is of version 1")

# ---- Read, in a folder where nothing may be written too, by those whom modes
# concern.
os.chmod(DIR, 0o555)
got = assay("report", "-f", "json", OLD)
runs = json.loads(got.stdout)["runs"] if got.returncode == 0 else []
ok([(r["planned"], r["failed"]) for r in runs][-1:] == [(5, 0)],
   "report: the latest run has five cases, none wrong", got.stderr)
got = assay("diff", OLD + "@1", OLD + "@2")
ok(got.returncode in (0, 1) and "Add/few/zero" in got.stdout,
   "diff: what was wrong is right", got.stdout + got.stderr)
got = assay("gate", OLD + "@1")
ok(got.returncode == 1, "gate: the first run is shut out",
   got.stdout + got.stderr)
got = assay("gate", OLD + "@2", "-b", OLD + "@1")
ok(got.returncode == 0, "and the second is not", got.stdout + got.stderr)
got = assay("expect", OLD + "@1")
ok(got.returncode == 0 and "Add/few/zero" in got.stdout,
   "expect: the wrong cases", got.stdout + got.stderr)
os.chmod(DIR, 0o755)
ok(digest(OLD) == before, "and the file is as it was")
ok(sorted(os.listdir(DIR)) == ["cases", "old.db"], "with nothing beside it",
   os.listdir(DIR))

# ---- A full disk, then room: a limit on files' sizes stands for the disk.
got = run(OLD, limit=4096)
ok(got.returncode == 3 and digest(OLD) == before,
   "without room for the copy the file stays as it was",
   f"{got.returncode} {got.stderr}")
ok(sorted(os.listdir(DIR)) == ["cases", "old.db"], "and no part of one stays",
   os.listdir(DIR))
got = run(OLD)
ok(got.returncode == 0 and "the old file is kept as " + OLD + ".v1" in got.stderr,
   "a run converts it, and says so", f"{got.returncode} {got.stderr}")
with open("spec/results.sql") as schema:
    LATEST = int(re.search(r"user_version = (\d+)", schema.read())[1])
ok(ask(OLD, "pragma user_version") == [(LATEST,)] and rows(OLD) == content,
   "with its rows")
ok(ask(OLD + ".v1", "pragma user_version") == [(1,)]
   and rows(OLD + ".v1") == content, "the copy is of version 1 and has them")
got = run(OLD)
ok(got.returncode == 0 and "kept" not in got.stderr, "only once", got.stderr)

# ---- Another one of that name does not lose the first copy.
first = digest(OLD + ".v1")
os.unlink(OLD)
make(OLD)
got = run(OLD)
ok(got.returncode == 0 and digest(OLD + ".v1") == first
   and rows(OLD + ".v1-2") == content, "a second copy has another name",
   got.stderr)

# ---- Every version since: the first file, brought that far by the statements
# that make each version of the one before.
NOW = ask(OLD, "pragma user_version")[0][0]
for version in range(2, NOW):
    path = os.path.join(DIR, f"version{version}.db")
    make(path)
    with sqlite3.connect(path) as db:
        for v in range(1, version):
            with open(f"spec/results-{v}.sql") as f:
                db.executescript(f.read())
            db.execute(f"pragma user_version = {v + 1}")
    db.close()
    before = digest(path)
    got = assay("report", "-f", "json", path)
    ok(got.returncode == 0 and digest(path) == before
       and json.loads(got.stdout)["runs"][-1]["planned"] == 5,
       f"version {version}: is read, and stays as it is", got.stderr)
    got = run(path)
    ok(got.returncode == 0 and rows(path) == content
       and ask(path, "pragma user_version") == [(NOW,)],
       f"version {version}: a run converts it", got.stderr)
    ok(ask(f"{path}.v{version}", "pragma user_version") == [(version,)]
       and rows(f"{path}.v{version}") == content, "and keeps a copy")
with sqlite3.connect(OLD) as db:
    db.execute(f"pragma user_version = {NOW + 1}")
db.close()
before = digest(OLD)
for got in assay("report", OLD), run(OLD):
    ok(got.returncode == 2 and "written by a newer assay: schema version"
       f" {NOW + 1}" in got.stderr and digest(OLD) == before,
       "a newer version is refused, and stays as it is", got.stderr)

# ---- Killed at any time: the old one or the new one.
seed = random.randrange(1 << 30)
print(f"# seed {seed}")
random.seed(seed)
bad = []
for i in range(20):
    path = os.path.join(DIR, f"kill{i}.db")
    make(path)
    killed = subprocess.Popen(
        [ASSAY, "run", "--backend", "native", "--cases", CASES, "--quiet",
         "--database", path], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0, 0.2))
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    version = ask(path, "pragma user_version")[0][0]
    kept = os.path.exists(path + ".v1")
    good = (rows(path) == content
            and ask(path, "pragma quick_check") == [("ok",)]
            and (version == 1 or (version == NOW and kept))
            and (not kept or rows(path + ".v1") == content))
    got = assay("report", "-f", "json", path)
    if not good or got.returncode != 0:
        bad.append((i, version, kept, got.stderr))
ok(not bad, "killed 20 times, it is whole", bad)
subprocess.run(["rm", "-rf", DIR], check=True)
finish()
