#!/usr/bin/python3
# bisect.t - assay bisect finds planted changes.
#
# SPDX-License-Identifier: Apache-2.0
#
# The versions are links: to the native backend, which is right; to zero_sign,
# which gives every zero the other sign; and to the example, which does not
# support Sign.  Where a change was planted is what must be found.  Each case has
# a variant with constants.
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
BACKENDS = os.path.abspath(os.environ.get("B", "build")) + "/backends"
CASES = {"format": "assay-case/1", "op": "Sign", "cases": [
    {"id": "zero", "why": "sign(0) = 0",
     "inputs": [{"shape": "f32[1]", "data": [0]}]},
    {"id": "one", "why": "sign(1) = 1",
     "inputs": [{"shape": "f32[1]", "data": [1]}]}]}
ZERO, ONE = "Sign/planted/zero", "Sign/planted/one"


class Project:
    """A folder with cases, and versions v1, v2, ... of a backend."""

    def __init__(self, folder, kinds):
        self.folder, self.count = folder, len(kinds)
        os.makedirs(f"{folder}/cases/Sign")
        os.makedirs(f"{folder}/versions")
        with open(f"{folder}/cases/Sign/planted.json", "w") as f:
            json.dump(CASES, f)
        # The evil ones look for the native one in the folder above.
        os.symlink(f"{BACKENDS}/native.so", f"{folder}/native.so")
        for i, kind in enumerate(kinds, 1):
            name = {"right": "native", "example": "example"}.get(
                kind, f"evil/{kind}")
            os.symlink(f"{BACKENDS}/{name}.so", f"{folder}/versions/v{i}.so")

    def assay(self, *arguments):
        return subprocess.run([ASSAY, *arguments], capture_output=True,
                              text=True, cwd=self.folder, timeout=600)

    def bisect(self, *arguments):
        versions = ",".join(f"v{i}" for i in range(1, self.count + 1))
        return self.assay("bisect", "--cases", "cases", "--backend",
                          "versions/{}.so", "--versions", versions,
                          *arguments)

    def runs(self):
        """What was run: the lines of progress."""
        return [x for x in self.errors.splitlines() if ": running " in x]

    def json(self, *arguments):
        done = self.bisect("--json", *arguments)
        self.errors, self.code = done.stderr, done.returncode
        try:
            found = json.loads(done.stdout)
        except ValueError:
            found = {"cases": [], "versions": []}
        return {c["name"]: c for c in found["cases"]}


def changes(case):
    return [(x["last"]["version"], x["last"]["verdict"],
             x["first"]["version"], x["first"]["verdict"])
            for x in case["changes"]] if case else None


def check_one_change(folder):
    """Nine versions, wrong from the sixth on."""
    p = Project(folder, ["right"] * 5 + ["zero_sign"] * 4)
    found = p.json()
    ok(changes(found.get(ZERO)) == [("v5", "right", "v6", "wrong")],
       "the planted change is found", p.errors)
    ok(changes(found.get(ONE)) == [], "a case that never changed has none")
    ok(p.code == 1, "a case that became wrong: exit status 1", p.code)
    bound = 2 + math.ceil(math.log2(8))
    ok(2 < len(p.runs()) <= bound, f"in at most {bound} runs", p.runs())
    ok(all("running 2 cases" in x for x in p.runs()[2:]),
       "those in the middle only on what changed", p.runs())
    p.json()
    ok(not p.runs() and p.code == 1, "again: from the database", p.runs())
    p.json("Sign/planted/z*")
    ok(not p.runs(), "another filter: the files are the same", p.runs())
    p.json("--fresh")
    ok(len(p.runs()) > 2, "--fresh runs again", p.errors)
    p.json("--profile", "strict")
    ok(len(p.runs()) > 2, "another profile is another run", p.errors)
    done = p.bisect("-v")
    ok("last right in v5" in done.stdout and "first wrong (fail" in done.stdout
       and f"{ONE}  never changed: right" in done.stdout, "the table",
       done.stdout)


def check_databases(p):
    """The full table, and databases of runs instead of versions."""
    for i in range(1, p.count + 1):
        p.assay("run", "--quiet", "--cases", "cases", "--backend",
                f"versions/v{i}.so", "--database", f"v{i}.db")
    files = [f"v{i}.db" for i in range(1, p.count + 1)]
    done = p.assay("bisect", "--json", *files)
    found = {c["name"]: c for c in json.loads(done.stdout)["cases"]}
    ok(len(found[ZERO]["changes"]) == 2 and not found[ONE]["changes"]
       and done.returncode == 1, "the same from databases", done.stdout)
    ok(found[ZERO]["statuses"] == ["pass", "fail", "pass"], "with statuses")
    done = p.assay("bisect", "-f", "*/one", *files)
    ok(done.returncode == 0 and "0 of 1 cases changed" in done.stdout,
       "nothing changed: exit status 0", done.stdout)
    done = p.assay("bisect", "v1.db")
    ok(done.returncode == 2 and "at least two runs" in done.stderr,
       "one run is too few", done.stderr)


def check_reverted(folder):
    p = Project(folder, ["right", "zero_sign", "right"])
    found = p.json()
    ok(found.get(ZERO, {}).get("changes") == [] and p.code == 0,
       "a reverted change hides between equal ends", found)
    ok("may be missed (--every)" in p.bisect().stdout, "which is said")
    found = p.json("--every")
    ok(changes(found.get(ZERO)) == [("v1", "right", "v2", "wrong"),
                                    ("v2", "wrong", "v3", "right")]
       and p.code == 1, "--every finds it", found)
    ok("(changed 2 times)" in p.bisect("--every").stdout, "the table says it")
    check_databases(p)


def check_three(folder):
    """Right, then not supported, then wrong: the search meets both changes."""
    p = Project(folder, ["right"] * 2 + ["example"] * 2 + ["zero_sign"])
    found = p.json("Sign/planted/zero")
    ok(changes(found.get(ZERO)) == [("v2", "right", "v3", "not judged"),
                                    ("v4", "not judged", "v5", "wrong")]
       and p.code == 1, "two changes", found)
    q = Project(f"{folder}/mended", ["zero_sign", "zero_sign", "right"])
    found = q.json()
    ok(changes(found.get(ZERO)) == [("v2", "wrong", "v3", "right")]
       and q.code == 0, "a mended case is no failure", found)


def check_errors(folder):
    p = Project(folder, ["right", "right"])
    for arguments, text in (
            ([], "results databases"),
            (["--versions", "1,2"], "--versions needs --backend"),
            (["--backend", "native"], "--backend needs --versions"),
            (["--backend", "native", "--versions", "1,2"], "expected {}"),
            (["--backend", "{}", "--versions", "native"], "at least two"),
            (["--backend", "{}", "--versions", "native,native"], "duplicate"),
            (["--backend", "{}", "--versions", "native,"], "empty version"),
            (["--backend", "{}", "--versions", "native,nativ"], "nativ"),
            (["--backend", "versions/{}.so", "--versions", "v1,v2",
              "--cases", "cases", "Sing/*"], "nearest: 'Sign'"),
            (["no.db", "none.db"], "no.db")):
        done = p.assay("bisect", *arguments)
        ok(done.returncode == 2 and text in done.stderr, f"an error: {text}",
           f"{done.returncode} {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_one_change(f"{folder}/one")
        check_reverted(f"{folder}/reverted")
        check_three(f"{folder}/three")
        check_errors(f"{folder}/errors")
    finish()


main()
