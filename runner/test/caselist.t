#!/usr/bin/env python3
# caselist.t - which cases a run has: --exclude, --case-list, --lf.
#
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__))
                + "/../../tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
folder = tempfile.mkdtemp()
db = f"{folder}/results.db"


def run(*arguments):
    return subprocess.run([ASSAY, "run", "--database", db, *arguments],
                          text=True, capture_output=True, timeout=120)


def listed(*arguments):
    return run("--list", *arguments).stdout.split()


def write(name, text):
    with open(f"{folder}/{name}", "w") as f:
        f.write(text)
    return f"{folder}/{name}"


every = listed("--filter", "Abs/*")
some = listed("--filter", "Abs/*", "--exclude", "*@T=f*", "--exclude",
              "Abs/shapes/*")
ok(some and some == [n for n in every if "@T=f" not in n
                     and not n.startswith("Abs/shapes/")],
   "--exclude leaves out what it matches, and nothing else", some)
formed = [n for n in every if "#" in n and not n.endswith("#constant")]
chosen = sorted(formed[:2] + [every[0], "Neg/rules/f32-bits"][:1])
path = write("list", "# chosen\n\n" + "".join(f"  {n} \r\n" for n in chosen)
             + chosen[0] + "\n")
ok(len(formed) > 2 and sorted(listed("--case-list", path)) == chosen,
   "--case-list: exactly those, forms too, whatever their order",
   listed("--case-list", path))
done = run("--case-list", write("more", chosen[0] + "\nAbs/no-such-case\n"))
ok(done.returncode == 0 and "no case of tier default has 1 of the names; "
   "first: Abs/no-such-case" in done.stderr, "a name that no case has is named",
   done.stderr)
for text, said in (("", "names no case"), ("# nothing\n", "names no case"),
                   ("Abs/no-such-case\n", "names no case of tier default")):
    done = run("--case-list", write("bad", text))
    ok(done.returncode == 2 and said in done.stderr, f"a list {text!r}",
       done.stderr)
ok(run("--case-list", f"{folder}/none").returncode == 2, "a list that is not there")
for path, said in (("/dev/zero", "larger than the limit"),
                   (folder, "Is a directory"),
                   (write("nul", f"{every[0]}\0\n"), "has a NUL byte")):
    done = run("--case-list", path)
    ok(done.returncode == 2 and done.stderr == f"assay run: {path}: {said}"
       + done.stderr.partition(said)[2] and done.stderr.count("\n") == 1,
       f"a list that is no list: {said}", done.stderr)
done = run("--filter", "Abs/*", "--exclude", "*")
ok(done.returncode == 2 and "without what --exclude names: no case" in done.stderr,
   "nothing is left", done.stderr)

# What failed last: of the bad backend's cases, exactly those.
run("-q", "--backend", "evil/zero_sign", "--filter", "Abs/special/*")
failed = [row[0] for row in sqlite3.connect(db).execute(
    "SELECT name FROM outcome WHERE failure AND run ="
    " (SELECT max(id) FROM run) ORDER BY plan")]
ok(failed and listed("--lf") == failed, "--lf: what failed last", failed)
ok(sorted(listed("--last-failed", "--exclude", failed[0])) == sorted(failed[1:]),
   "--last-failed, and less")
done = run("--lf", "--backend", "native")
ok(done.returncode == 0 and f"{len(failed)} cases:" in done.stdout,
   "another backend runs them", done.stdout)
filters = [row[0] for row in sqlite3.connect(db).execute(
    "SELECT value FROM identity WHERE member = 'filter' ORDER BY run")]
ok(filters[-2] == "Abs/special/*" and filters[-1].startswith("list:")
   and "no claim of conformance" in done.stdout,
   "a list is part of the identity, and claims nothing", filters)
done = run("--lf")
ok(done.returncode == 2 and "no case failed in run" in done.stderr,
   "nothing failed last", done.stderr)
ok(run("--lf", "--case-list", path).returncode == 2, "--lf or a list")
shutil.rmtree(folder)
finish()
