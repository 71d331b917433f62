#!/usr/bin/env python3
# suite.t - the versions of the suite, and of the program.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")


def output(*command):
    return subprocess.run(command, text=True, capture_output=True)


said = output(ASSAY, "--version").stdout.splitlines()
version = said[0].split()[1]
number = re.search(r"(?m)^VERSION +:= (\S+)$", open("Makefile").read())[1]
python = re.search(r'(?m)^version = "(.*)"$',
                   open("tools/python/pyproject.toml").read())[1]
package = re.search(r'(?m)^__version__ = "(.*)"$',
                    open("tools/python/assay/__init__.py").read())[1]
ok(version == number == python == package, "one version of the program",
   (version, number, python, package))
changes = re.findall(r"(?m)^## (\S+)$", open("spec/changes.md").read())
ok(changes[0] == version, "the newest entry of changes.md is this version",
   changes)

rows = [line.split() for line in open("spec/suites.lock")
        if line.strip() and not line.startswith("#")]
digest = said[1].split()[-1]
ok(re.fullmatch("[0-9a-f]{64}", digest) and rows, "the suite has a digest", said)
named = [row[0] for row in rows if row[1] == digest]
ok(said[1].split()[1:-1] == named, "named only if it was released so", said)
check = output("tools/makers/make-suite", "--check", ASSAY)
ok(check.returncode == 0, "every released list is as it was, and its cases are"
   " there", check.stdout)

# Controls, in a copy: a list that was changed, and one that lost a case.
folder = pathlib.Path(tempfile.mkdtemp())
for name in "tools/makers/make-suite", "spec/suites.lock":
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(name, folder / name)
shutil.copytree("spec/mustpass", folder / "spec/mustpass")
first = folder / f"spec/mustpass/{rows[0][0]}.txt"
text = first.read_text()
assay = os.path.abspath(ASSAY)
for name, changed, why in (
        ("a changed list", text + "Abs/no/case\n", "was changed after"),
        ("a case that is gone", text + "Abs/no/case\n", "cases/ lacks"),
        ("a shorter list", "\n".join(text.splitlines()[:-1]) + "\n", "cases, not")):
    first.write_text(changed)
    got = output(str(folder / "tools/makers/make-suite"), "--check", assay)
    ok(got.returncode == 1 and why in got.stdout, name, got.stdout)
first.write_text(text)
later = re.sub(r"\n[^#\n]+\n", "\n", text, count=1)
with open(folder / "spec/suites.lock", "a") as lock:
    import hashlib
    (folder / "spec/mustpass/99.0.txt").write_text(later)
    lock.write(f"99.0 {'0' * 64} {int(rows[0][2]) - 1} "
               f"{hashlib.sha256(later.encode()).hexdigest()}\n")
got = output(str(folder / "tools/makers/make-suite"), "--check", assay)
ok("99.0 lacks 1 cases" in got.stdout, "a later list must have all cases of"
   " the earlier one", got.stdout)
got = output(str(folder / "tools/makers/make-suite"), rows[0][0], assay)
ok(got.returncode and "released already" in got.stderr, "no version twice")

# The name stands in the identity of a run of that suite, and of no other.
db = str(folder / "r.db")
output(ASSAY, "run", "-q", "--database", db, "--filter", "Abs/rules/*")
run = json.loads(output(ASSAY, "report", "-f", "json", db).stdout)["runs"][0]
ok(run["suite_release"] == (named[0] if named else None), "JSON names it")
cases = folder / "cases/Abs"
shutil.copytree("cases/Abs", cases)
done = output(ASSAY, "run", "-q", "--database", db, "--cases",
              str(folder / "cases"), "--filter", "Abs/rules/*")
ok("not the shipped one" in done.stdout, "another suite has no version",
   done.stdout)
shutil.rmtree(folder)
finish()
