#!/usr/bin/env python3
# identity.t - what was judged, by what, and how: recorded, printed, not mixed.
#
# SPDX-License-Identifier: Apache-2.0
#
# Digests are those of Python's hashlib; the suite's is made from the files as
# spec/results.md says.
import glob
import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tools/test"))
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
B = os.path.abspath(os.environ.get("B", "build"))
DIR = tempfile.mkdtemp()
BACKEND = f"{DIR}/mine.so"
CASES = f"{DIR}/cases"
PROCESS = f"{HERE}/process/backend.py"


def db(name):
    return f"{DIR}/{name}.db"


def assay(*words, **how):
    return subprocess.run([ASSAY, *words], capture_output=True, text=True,
                          check=False, **how)


def run(name, *words, **how):
    if "--cases" not in words:
        words = ("--cases", CASES, *words)
    return assay("run", "-q", "--database", db(name), *words, **how)


def sha256(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def suite(folder):
    """spec/results.md: the digest of the lines that sha256sum prints."""
    files = {"cases/" + os.path.relpath(p, folder): p for p in
             glob.glob(f"{folder}/**/*.json", recursive=True)}
    for pattern in "*", "ops/*", "families/*", "profiles/*":
        files |= {p: p for p in glob.glob(f"spec/{pattern}.json")}
    lines = "".join(f"{sha256(files[name])}  {name}\n"
                    for name in sorted(files, key=os.fsencode))
    return hashlib.sha256(lines.encode()).hexdigest()


def identity(name):
    con = sqlite3.connect(db(name))
    rows = dict(con.execute(
        "select member, value from identity where run ="
        " (select max(id) from run)"))
    con.close()
    return rows


def sql(name, text, *values):
    con = sqlite3.connect(db(name))
    with con:
        con.execute(text, values)
    con.close()


def stop(name):
    """As if the run had been killed before its last cases."""
    sql(name, "update run set state = 'stopped', finished = null")
    sql(name, "delete from result where plan > (select min(plan) + 3"
              " from result)")


def write_cases(folder, count):
    os.makedirs(f"{folder}/Neg")
    with open(f"{folder}/Neg/a.json", "w") as f:
        json.dump({"format": "assay-case/1", "op": "Neg", "cases": [
            {"id": f"n{i}", "why": "a number",
             "inputs": [{"shape": "f32[2]", "data": [i + 1, 2]}]}
            for i in range(count)]}, f)


write_cases(CASES, 6)
shutil.copy(f"{B}/backends/native.so", BACKEND)
other = f"{B}/backends/evil/flip_bit.so"

# ---- What is recorded ---------------------------------------------------------

got = run("whole", "--backend", BACKEND)
ok(got.returncode == 0, "a run", got.stdout + got.stderr)
its = identity("whole")
ok(its["suite"] == suite(CASES) and its["shipped"] == "no",
   "the suite: cases and specification", its)
ok(its["backend_sha256"] == sha256(BACKEND), "the plugin", its)
ok((its["backend"], its["backend_version"], its["profile"], its["tier"],
    its["filter"], its["expectations"], its["backend_options"])
   == ("native", "1", "spec", "default", "", "", ""), "and the rest", its)
ok(its["sandbox"] in ("full", "partial"), "the sandbox", its)
got = assay("run", "-q", "--filter", "Neg/rules*", "--database", db("own"))
ok(identity("own")["suite"] == suite("cases")
   and identity("own")["shipped"] == "yes",
   "the shipped suite has its digest, whatever the filter",
   (identity("own"), suite("cases")))
run("profile", "--backend", BACKEND, "--profile", "strict", "--seed", "7",
    "--no-sandbox", "--filter", "Neg/*", "--tier", "full")
its2 = identity("profile")
ok((its2["profile"], its2["seed"], its2["sandbox"], its2["filter"],
    its2["tier"]) == ("strict", "7", "none", "Neg/*", "full")
   and its2["profile_sha256"] != its["profile_sha256"],
   "other options are other members", its2)
with open(f"{DIR}/program", "w") as f:
    f.write(f"#!/bin/sh\nexec {PROCESS} \"$@\"\n")
os.chmod(f"{DIR}/program", 0o755)
run("file", "--backend", f"{DIR}/program")
ok(identity("file")["backend_sha256"] == sha256(f"{DIR}/program"),
   "the program that speaks the protocol", identity("file"))
run("command", "--backend", f"process:/bin/sh '{DIR}/program' good")
ok(identity("command")["backend_sha256"] == " ".join(
    [sha256("/bin/sh"), sha256(f"{DIR}/program")]),
   "the files of a command", identity("command"))
run("found", "--backend", f"process:X=1 env sh {DIR}/program good")
ok(identity("found")["backend_sha256"].split()
   == [sha256(shutil.which("env")), sha256(f"{DIR}/program")],
   "the first word may be found in PATH", identity("found"))
mock = f"{B}/runner/test/mock_pjrt.so"
if os.path.exists(mock) and os.path.exists(f"{B}/backends/pjrt.so"):
    run("pjrt", "--backend", f"pjrt:{mock}")
    ok(identity("pjrt").get("backend_sha256") == sha256(mock),
       "the plugin behind the PJRT adapter", identity("pjrt"))
else:
    ok(True, "the plugin behind the PJRT adapter # SKIP it is not built")

# ---- Only the suite, unless it is asked for -------------------------------------

os.makedirs(f"{DIR}/elsewhere/cases/Neg")
shutil.copy(f"{CASES}/Neg/a.json", f"{DIR}/elsewhere/cases/Neg/a.json")
got = assay("run", "--list", "--filter", "Neg/*", cwd=f"{DIR}/elsewhere")
ok("Neg/rules" in got.stdout and "Neg/a/n0" not in got.stdout,
   "a folder of the name cases is not taken for the suite", got.stdout[:300])
shutil.copy(ASSAY, f"{DIR}/assay")
got = subprocess.run([f"{DIR}/assay", "run", "--list", "-b", BACKEND], capture_output=True,
                     text=True, cwd=f"{DIR}/elsewhere", check=False)
ok(got.returncode == 2 and "--cases" in got.stderr
   and "Neg/a" not in got.stdout,
   "nor if there is no suite beside the command", got.stdout + got.stderr)

# ---- Runs that are not mixed ------------------------------------------------------

def refused(what, name, *words, said=(), prepare=lambda: None):
    shutil.copy(db("whole"), db(name))
    stop(name)
    prepare()
    got = run(name, "--resume", *words)
    con = sqlite3.connect(db(name))
    n = con.execute("select count(*) from result").fetchone()[0]
    con.close()
    ok(got.returncode == 2 and n == 4 and all(s in got.stderr for s in said),
       f"--resume refuses {what}", (got.returncode, n, got.stderr))


shutil.copy(db("whole"), db("same"))
stop("same")
got = run("same", "--resume", "--backend", BACKEND)
ok(got.returncode == 0 and re.search(r"^(\d+) cases: \1 pass$", got.stdout, re.M),
   "the same run is continued", got.stdout + got.stderr)
old = sha256(BACKEND)


def rebuild():
    with open(BACKEND, "ab") as f:
        f.write(b"another build")


refused("another build", "r1", "--backend", BACKEND, prepare=rebuild,
        said=["backend's SHA-256", old, "now"])
ok(sha256(BACKEND) in run("r1", "--resume", "--backend", BACKEND).stderr,
   "and says both digests")
shutil.copy(f"{B}/backends/native.so", BACKEND)
refused("another backend", "r2", "--backend", other,
        said=["'native'", "backend"])
refused("another profile", "r3", "--backend", BACKEND, "--profile", "strict",
        said=["profile is 'spec'", "'strict'"])
refused("another filter", "r4", "--backend", BACKEND, "--filter", "Neg/a/n*",
        said=["filter is 'none'", "Neg/a/n*"])
refused("another seed", "r5", "--backend", BACKEND, "--seed", "3",
        said=["seed is '0'", "'3'"])
refused("another sandbox", "r6", "--backend", BACKEND, "--no-sandbox",
        said=["sandbox is", "'none'"])


def expect():
    with open(f"{DIR}/mine.expect", "w") as f:
        f.write("fail? Neg/a/n1 to begin with\n")


refused("expectations that were added", "r7", "--backend", BACKEND,
        prepare=expect, said=["expectations is 'none'", "'mine.expect'"])
run("expected", "--backend", BACKEND)
shutil.copy(db("expected"), db("whole2"))
stop("whole2")
with open(f"{DIR}/mine.expect", "a") as f:
    f.write("fail? Neg/a/n2 another one\n")
got = run("whole2", "--resume", "--backend", BACKEND)
ok(got.returncode == 2 and "expectations' SHA-256" in got.stderr,
   "--resume refuses expectations that were changed", got.stderr)
os.unlink(f"{DIR}/mine.expect")
shutil.copytree(CASES, f"{DIR}/more")
with open(f"{DIR}/more/Neg/b.json", "w") as f:
    json.dump({"format": "assay-case/1", "op": "Neg", "cases": [
        {"id": "m", "why": "more",
         "inputs": [{"shape": "f32[1]", "data": [1]}]}]}, f)
shutil.copy(db("whole"), db("r8"))
stop("r8")
got = run("r8", "--resume", "--backend", BACKEND, "--cases", f"{DIR}/more")
ok(got.returncode == 2 and "suite" in got.stderr,
   "--resume refuses another suite", got.stderr)
shutil.copy(db("whole"), db("r9"))
stop("r9")
sql("r9", "delete from identity")
sql("r9", "update run set plan_hash = 'older'")
got = run("r9", "--resume", "--backend", BACKEND)
ok(got.returncode == 2 and "not recorded" in got.stderr,
   "and a run whose identity is not recorded", got.stderr)

run("s1", "--backend", BACKEND, "--shard", "1/2")
rebuild()
run("s2", "--backend", BACKEND, "--shard", "2/2")
got = assay("merge", "-o", db("m"), db("s1"), db("s2"))
ok(got.returncode == 2 and "backend's SHA-256" in got.stderr
   and sha256(BACKEND) in got.stderr and not os.path.exists(db("m")),
   "merge refuses two builds, with both digests", got.stderr)
shutil.copy(f"{B}/backends/native.so", BACKEND)
run("s3", "--backend", BACKEND, "--shard", "2/2")
got = assay("merge", "-o", db("m"), db("s1"), db("s3"))
ok(got.returncode == 0 and identity("m") == identity("s1"),
   "and joins one, whose identity the joined run has", got.stderr)
shutil.copytree(os.path.dirname(BACKEND), f"{DIR}.moved",
                ignore=lambda d, names: [n for n in names
                                         if n != "mine.so"])
run("s4", "--backend", f"{DIR}.moved/mine.so", "--shard", "2/2")
got = assay("merge", "-o", db("m2"), db("s1"), db("s4"))
ok(got.returncode == 0, "a plugin elsewhere is the same plugin", got.stderr)
shutil.rmtree(f"{DIR}.moved")

assay("run", "-q", "--database", db("forms"), "--cases", "cases", "--filter",
      "Abs/rules/*", "--form", "loop-3")
with sqlite3.connect(db("forms")) as forms:
    ok(forms.execute("SELECT value FROM identity WHERE member = 'forms'")
       .fetchall() == [("loop-3",)], "--form is part of the identity")

# ---- What is claimed ---------------------------------------------------------------

FULL = {"suite": "1" * 64, "shipped": "yes", "backend": "native",
        "profile": "spec", "tier": "default", "filter": "", "forms": "",
        "sandbox": "full"}


def claim(name, status=None, state="complete", **members):
    """What each report calls a run of that identity."""
    shutil.copy(db("whole"), db(name))
    sql(name, "delete from identity")
    for key, value in (FULL | members).items():
        if value is not None:
            sql(name, "insert into identity values (1, ?, ?)", key, value)
    sql(name, "update run set state = ?", state)
    if status:
        sql(name, "update result set status = ? where plan = 1", status)
    told = {f: assay("report", "-f", f, db(name)).stdout
            for f in ("text", "markdown", "html", "json", "badge", "junit",
                      "tap")}
    run_json = json.loads(told["json"])["runs"][0]
    return run_json["claim"], run_json["conforms"], run_json["claim_lacks"], told


word, conforms, lacks, told = claim("c")
ok((word, conforms, lacks) == ("conforms", True, ""), "a claim of conformance",
   (word, lacks))
ok(all("conforms" in told[f] for f in told)
   and all("no claim of conformance" not in told[f] for f in told)
   and "#1a7f37" in told["badge"], "every report has its word", told["badge"])
for word, lacking, more in (
        ("known failures", "1 known to be wrong", {"status": 10}),
        ("failed", "1 failed", {"status": 3}),
        ("failed", "1 failed", {"status": 11}),
        ("unfinished", "the run did not finish", {"state": "stopped"}),
        ("no failure", "filter Neg", {"filter": "Neg"}),
        ("no failure", "forms loop-3", {"forms": "loop-3"}),
        ("no failure", "tier quick", {"tier": "quick"}),
        ("no failure", "profile xla-exhaustive",
         {"profile": "xla-exhaustive"}),
        ("no failure", "profile file spec", {"profile": "file spec"}),
        ("no failure", "sandbox none", {"sandbox": "none"}),
        ("no failure", "sandbox not recorded", {"sandbox": None}),
        ("no failure", "not the shipped suite", {"shipped": "no"})):
    its_word, conforms, lacks, told = claim("c", **more)
    ok((its_word, conforms, lacks) == (word, False, lacking),
       f"not with {more}: {word}", (its_word, conforms, lacks))
    said = [f for f in told if f != "json"
            and "no claim of conformance: " + lacking not in told[f]]
    ok(not said and "#1a7f37" not in told["badge"]
       and "is-ok" not in told["html"].split("<body")[1],
       f"in every report, and nowhere green: {more}", (said, told["badge"]))
ok(claim("c", tier="full")[0] == "conforms", "the full tier is more, not less")
got = run("whole", "--backend", BACKEND)
ok(re.search(r"^verdict: no failure; (\d+) of \1 cases judged; no claim of"
             r" conformance: not the shipped suite$", got.stdout, re.M)
   and f"suite {suite(CASES)[:12]} (not the shipped one)" in got.stdout
   and f"backend native (sha256 {sha256(BACKEND)[:12]})" in got.stdout,
   "the summary of a run says so too", got.stdout)
got = assay("gate", db("whole"))
ok(got.returncode == 0 and "verdict: no failure" in got.stdout
   and sha256(BACKEND)[:12] in got.stdout, "and the gate", got.stdout)

# ---- What is not judged ---------------------------------------------------------------

got = run("p", "--backend", f"process:{PROCESS} good", "--no-sandbox")
ok(got.returncode == 0 and "6 pass" in got.stdout,
   "ops without Parameter: every program has parameters",
   got.stdout + got.stderr)
os.makedirs(f"{DIR}/two/Abs")
with open(f"{DIR}/two/Abs/a.json", "w") as f:
    json.dump({"format": "assay-case/1", "op": "Abs", "cases": [
        {"id": f"x{i}", "why": "not supported",
         "inputs": [{"shape": f"{t}[1]", "data": [1]}]}
        for i, t in enumerate(["f32", "f32", "f64"])]}, f)
got = run("n", "--backend", f"process:{PROCESS} good", "--cases", f"{DIR}/two")
said = [line for line in got.stderr.splitlines()
        if line.startswith("assay run: ")]
reasons = [re.fullmatch(r"assay run: (\d+) cases?: (.+)", x) for x in said[1:]]
counts = [int(r[1]) for r in reasons if r]
ok(got.returncode == 1 and said[0] == "assay run: no case was judged"
   and reasons[0] and reasons[0][2] == "the backend has no operation Abs"
   and counts == sorted(counts, reverse=True) and len(counts) > 1,
   "where nothing is judged the most frequent reasons are named", got.stderr)
shutil.rmtree(DIR)
finish()
