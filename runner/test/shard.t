#!/usr/bin/env python3
# shard.t - a run in parts, joined, is the run in one piece.
#
# SPDX-License-Identifier: Apache-2.0
#
# What is expected is the database of an unsplit run of the same cases, row by
# row; times and the machine's own facts excepted.
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tools/test"))
from tap import finish, ok  # noqa: E402
import rows  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
B = os.environ.get("B", "build")
DIR = tempfile.mkdtemp()
# It loses NaNs, so there are wrong units, causes and error histograms.
BACKEND = os.path.join(B, "backends/evil/nan_lost.so")
CHOICE = ["--backend", BACKEND, "--filter", "Add/rules*"]


def db(name):
    return os.path.join(DIR, name + ".db")


def assay(*words, env=None):
    return subprocess.run([ASSAY, *words], text=True, capture_output=True,
                          env={**os.environ, **(env or {})}, check=False)


def run(name, *words, choice=CHOICE, env=None):
    return assay("run", "-q", *choice, "--database", db(name), *words, env=env)


def merge(name, *names, more=()):
    return assay("merge", "-o", db(name), *[db(n) for n in names], *more)


def rows_of(name):
    return rows.content(db(name))


def same(a, b, what):
    x, y = rows_of(a), rows_of(b)
    bad = [table for table in x if x[table] != y[table]]
    return ok(not bad, f"{what}: all rows are equal", bad)


whole = run("whole")
cases = len(rows_of("whole")["plan"])
ok(whole.returncode == 1 and cases > 100
   and all(rows_of("whole")[t] for t in ("wrong", "cause", "bin")),
   "the whole run has wrong units, causes and histograms", whole.stderr)

# ---- Parts ----
parts = [run(f"s{i}", "--shard", f"{i}/3") for i in (1, 2, 3)]
ok(all(p.returncode in (0, 1) and f"/3 of {cases} cases" in p.stdout
       for p in parts), "three shards", [p.stderr for p in parts])
sizes = [len(rows_of(f"s{i}")["plan"]) for i in (1, 2, 3)]
ok(sum(sizes) == cases and max(sizes) - min(sizes) <= 1,
   "they have all cases, and about equally many", sizes)
got = merge("m", "s3", "s1", "s2")
ok(got.returncode == 0 and "all with a result" in got.stdout,
   "joined, in any order", got.stdout + got.stderr)
same("whole", "m", "three shards")
ok(assay("diff", db("whole"), db("m")).returncode == 0, "assay diff agrees")
# A shard has not all cases that may contradict a cause.
said = [assay("report", db(n)).stdout for n in ("s1", "m")]
ok("explained (" in said[0] and "Held against" not in said[0]
   and "Held against" in said[1], "causes are held when shards are joined",
   said[0][:600])
os.mkdir(os.path.join(DIR, "other"))
got = merge("mo", "s1", "s2", "s3", more=["--cases", os.path.join(DIR, "other")])
ok(got.returncode == 0 and "causes: not held against passing cases: "
   in got.stdout and rows_of("mo")["cause"]
   and not any("Held against" in r[3] for r in rows_of("mo")["cause"]),
   "not without the suite, which is said", got.stdout + got.stderr)
for i in (1, 2, 3):
    run("one", "--shard", f"{i}/3")
ok(merge("m1", "one").returncode == 0, "three shards in one database")
same("whole", "m1", "one database")
ok(merge("one", "one").returncode == 0, "joined into the same database")
same("whole", "one", "the same database")
got = assay("report", db("s2"))
ok(f"shard 2/3 of {cases} cases" in got.stdout, "a report says which shard",
   got.stdout[:300])

# ---- Repeated, lost, unfinished ----
shutil.copy(db("s2"), db("s2copy"))
got = merge("m2", "s1", "s2", "s2copy", "s3", "s3")
ok(got.returncode == 0 and "0 of them have a different verdict" in got.stdout,
   "a shard twice", got.stdout + got.stderr)
same("whole", "m2", "a shard twice")
con = sqlite3.connect(db("s2copy"))
con.execute("update result set status = 6 where plan ="
            " (select min(plan) from result where status = 1)")
con.commit()
con.close()
got = merge("m2b", "s1", "s2", "s2copy", "s3")
ok(got.returncode == 0 and "1 of them have a different verdict: " in got.stdout
   and "pass in" in got.stdout and "timeout in" in got.stdout,
   "another verdict of the same shard is named", got.stdout)
same("whole", "m2b", "the first one given counts")

got = merge("lost", "s1", "s3")
second = [r[1][:-1] for r in rows_of("s2")["plan"]]
ok(got.returncode == 1 and f"shard 2/3: {sizes[1]} of {sizes[1]} cases missing"
   in got.stdout and "  " + second[0] in got.stdout,
   "a lost shard: its cases are named", got.stdout + got.stderr)
ok(rows_of("lost")["run"][0][8:10]
   == ("stopped", f"{sizes[1]} cases have no result"), "the run is unfinished")
ok(assay("gate", db("lost")).returncode == 1, "the gate refuses it")
got = run("lost", "--resume")
ok(got.returncode == 1, "--resume runs what is missing", got.stderr)
same("whole", "lost", "resumed")

# ---- Killed ----
open(db("z0"), "w").close()
con = sqlite3.connect(db("z1"))
copy = sqlite3.connect(db("s1"))
con.executescript("\n".join(
    line for line in copy.iterdump()
    if not line.startswith("INSERT INTO") or 'INTO "status"' in line)
    + "\npragma application_id = 1098085217; pragma user_version = 7;")
con.close()
copy.close()
got = merge("mz", "z0", "s1", "z1", "s2", "s3")
ok(got.returncode == 0 and "skipped: " + db("z0") + " and 1 more" in got.stdout,
   "a shard that was killed before it had a plan", got.stdout + got.stderr)
same("whole", "mz", "blank files")
slow = ["--backend", os.path.join(B, "backends/evil/slow.so"), "--filter",
        "Add/rules*T=f*"]
fast = subprocess.Popen([ASSAY, "run", "-q", *slow, "--shard", "1/2",
                         "--database", db("k")], stdout=subprocess.DEVNULL,
                        stderr=subprocess.DEVNULL, start_new_session=True)


def recorded():
    try:
        con = sqlite3.connect(f"file:{db('k')}?mode=ro", uri=True)
        n = con.execute("select count(*) from result").fetchone()[0]
        con.close()
        return n
    except sqlite3.Error:
        return 0


while fast.poll() is None and recorded() < 3:
    time.sleep(0.01)
try:
    os.killpg(fast.pid, signal.SIGKILL)
except ProcessLookupError:
    pass
fast.wait()
run("k2", "--shard", "2/2", choice=slow)
got = merge("km", "k", "k2")
ok(got.returncode in (0, 1) and "shard 2/2" not in got.stdout,
   "a killed shard gives what it has", got.stdout + got.stderr)
run("k", "--shard", "1/2", "--resume", choice=slow)
ok(merge("km2", "k", "k2").returncode == 0, "resumed, it is whole")
run("kw", choice=slow)
same("kw", "km2", "killed and resumed")

# ---- Balance ----
got = [run(f"b{i}", "--shard", f"{i}/2", "--balance", db("whole"))
       for i in (1, 2)]
ok(all(g.returncode in (0, 1) for g in got), "split by the times of a run",
   [g.stderr for g in got])
ok(merge("bm", "b1", "b2").returncode == 0, "joined")
same("whole", "bm", "balanced")
con = sqlite3.connect(db("whole"))
names = [[r[1] for r in rows_of(f"b{i}")["plan"]] for i in (1, 2)]
times = dict(con.execute(
    "select f.name || '/' || p.name || p.variant, r.time + 50000 from result r"
    " join plan p on p.id = r.plan join file f on f.id = p.file"))
con.close()
sums = [sum(times[n] for n in part) for part in names]
# The heaviest first to the lightest shard: the sums differ by at most one case.
ok(abs(sums[0] - sums[1]) <= max(times.values()),
   "the sums of the times differ by at most one case's", sums)
run("c1", "--shard", "1/3")
run("c2", "--shard", "2/3", "--balance", db("whole"))
got = merge("cm", "c1", "c2")
ok(got.returncode == 2 and "the shards were split differently" in got.stderr
   and not os.path.exists(db("cm")), "two splits cannot be joined", got.stderr)

# ---- The environment ----
got = run("e1", "--shard", "env", env={"SLURM_ARRAY_TASK_ID": "0",
                                      "SLURM_ARRAY_TASK_COUNT": "2"})
ok("shard 1/2" in got.stdout and "SLURM_ARRAY_TASK_ID" in got.stdout,
   "from a job array's environment, which is named", got.stdout + got.stderr)
run("e2", "--shard", "env/2", env={"JOB_COMPLETION_INDEX": "1"})
ok(merge("em", "e1", "e2").returncode == 0, "two engines, one run")
same("whole", "em", "from the environment")

# ---- More shards than cases ----
few = ["--backend", BACKEND, "--filter", "Add/rules/value*"]
got = run("f9", "--shard", "9/9", choice=few)
ok(got.returncode == 0, "a shard without a case is not a failure", got.stderr)

# ---- Bad input ----
other = {"seed": ["--seed", "7"], "profile": ["--profile", "strict"],
         "backend": ["--backend", os.path.join(B, "backends/evil/flush.so")]}
for what, words in other.items():
    name = "o" + what[0]
    run(name, "--shard", "2/3", *words)
    got = merge("bad", "s1", name)
    ok(got.returncode == 2 and db(name) in got.stderr
       and what in got.stderr and not os.path.exists(db("bad")),
       f"another {what} is refused", got.stderr)
run("ot", "--shard", "2/3", "--timeout", "11")
got = merge("bad", "s1", "ot")
ok(got.returncode == 2 and "limits" in got.stderr, "another limit",
   got.stderr)
run("of", "--shard", "2/4")
got = merge("bad", "s1", "of")
ok(got.returncode == 2 and "into 4" in got.stderr, "another number of shards",
   got.stderr)
got = merge("bad", "s1", "whole")
ok(got.returncode == 2 and "holds no shard" in got.stderr, "no shard",
   got.stderr)
got = merge("bad", "whole")
ok(got.returncode == 2 and "holds no shard" in got.stderr, "no shard at all",
   got.stderr)
got = merge("bad", "nothing")
ok(got.returncode == 2 and db("nothing") in got.stderr, "no such file",
   got.stderr)
with open(db("junk"), "w") as f:
    f.write("no database" * 1000)
got = merge("bad", "s1", "junk")
ok(got.returncode == 2 and "not a results database" in got.stderr,
   "another file", got.stderr)
ok(not os.path.exists(db("bad")), "nothing was made")
got = assay("merge", "-o", os.path.join(DIR, "no/where.db"), db("s1"), db("s2"))
ok(got.returncode in (2, 3) and "where.db" in got.stderr,
   "a place that cannot be written", got.stderr)
con = sqlite3.connect(db("s2copy"))
con.execute("update plan set place = 1 where id = 1 + (select min(id) from plan)")
con.commit()
con.close()
got = merge("bad", "s2copy", "s1")
ok(got.returncode == 2 and "damaged" in got.stderr, "a damaged plan",
   got.stderr)
for words, text in ((["merge"], "expected the databases"),
                    (["merge", db("s1")], "expected --output"),
                    (["run", "--balance", db("s1")], "--balance needs --shard"),
                    (["run", "--shard", "4/3"], "shard 4 of 3"),
                    (["run", "--shard", "1/2", "--balance", db("no")],
                     db("no"))):
    got = assay(*words)
    ok(got.returncode == 2 and text in got.stderr, f"refused: {text}",
       got.stderr)
shutil.rmtree(DIR)
finish()
