#!/usr/bin/env python3
# since.t - assay report --since: what changed, in each form, and only that.
#
# SPDX-License-Identifier: Apache-2.0
#
# Two runs are made with Python's sqlite3, the second from a list of what
# becomes of each case; the counts that are expected are counted from the list.
import collections
import html
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE + "/../../tools/test")
sys.path.insert(0, HERE)
from tap import finish, ok  # noqa: E402
import sample  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
P, F, C, U, X = (sample.PASS, sample.FAIL, sample.CRASH, sample.UNSUPPORTED,
                 sample.XFAIL)
# Operation, status before, status after (None: not planned), cases.
FATES = [("Abs", P, P, 5), ("Acos", P, F, 3), ("Add", F, P, 2),
         ("Cos", F, C, 1), ("Exp", P, U, 4), ("Log", P, X, 2),
         ("Sin", F, F, 6), ("Tan", P, None, 1), ("Sqrt", None, P, 2)]
WORDS = {(P, F): "new failures", (F, P): "fixed", (F, C): "worse failures",
         (P, U): "no longer judged, right before",
         (P, X): "now known to be wrong, right before",
         (P, None): "no longer planned", (None, P): "new cases"}


def make(db, number, side):
    run = sample.Run(db, number, "mine", "1")
    for fate in FATES:
        if fate[1 + side] is None:
            continue
        for i in range(fate[3]):
            p = run.plan(f"{fate[0]}/x", f"case{i}@T=f32", fate[0], "f32")
            run.result(p, fate[1 + side])
            if fate[1 + side] != P:
                run.detail(p, f"because {fate[0]}", None)
    run.end()


def report(*arguments, code=0):
    done = subprocess.run([ASSAY, "report", *arguments], capture_output=True,
                          text=True, timeout=100)
    ok(done.returncode == code, f"report {' '.join(arguments[:-1])}: {code}",
       done.stderr)
    return done.stdout if code == 0 else done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/two.db"
        db = sqlite3.connect(path, isolation_level=None)
        with open(f"{HERE}/../../spec/results.sql") as f:
            db.executescript(f.read())
        for side in 0, 1:
            make(db, side + 1, side)
        db.close()
        due = collections.Counter()
        for _, before, after, n in FATES:
            if (before, after) in WORDS:
                due[WORDS[before, after]] += n
        changed = {f[0] for f in FATES if f[1] != f[2]}
        before = ("--since", f"{path}@1")
        label = "mine 1, 2026-05-04 03:02, run 1"
        for form in "text", "markdown", "html":
            said = report("-f", form, *before, path)
            plain = html.unescape(said)
            ok(all(f"{n} {word}" in said for word, n in due.items())
               and label in said, f"{form}: what changed, since which run", plain)
            ok("Acos/x/case2@T=f32" in plain,
               f"{form}: and which cases")
        page = report("-f", "html", *before, path)
        rows = {op: kind for kind, op in re.findall(
            r'<tr(?: class="([^"]*)")? data-op="(\w+)" data-text="[^"]*">'
            r'<th scope="row">\w', page)}
        same = {op for op, kind in rows.items() if "same" in kind.split()}
        ok(same and same == set(rows) - changed,
           "html: rows of which nothing changed can be hidden", rows)
        articles = dict((n, "same" in c.split()) for c, n in re.findall(
            r'<article class="([^"]*)".*?<h4>([^<]*)</h4>', page, re.S))
        ok(articles == {f"{op}/x/case{i}@T=f32": op == "Sin"
                        for op, b, a, n in FATES for i in range(n)
                        if a in (F, C)}, "html: and failures likewise", articles)
        ok('id="only-changed"' in page and "only-changed:checked" in page,
           "html: by a mark")
        alone = report("-f", "html", path)
        ok("only-changed\"" not in alone and " same" not in re.sub(
            r"<style>.*?</style>|<p.*?</p>", "", alone, flags=re.S),
           "html: without --since there is none")
        data = json.loads(report("-f", "json", *before, path))["runs"][0]
        own = data["since"]["changes"]
        ok((data["since"]["run"], own["new_failures"], own["fixed"],
            own["lost"], own["now_known"], own["removed"], own["added"])
           == (1, 3, 2, 4, 2, 1, 2), "json: the numbers", own)
        ok("since" not in json.loads(report("-f", "json", path))["runs"][0],
           "json: without --since nothing")
        for form in "junit", "tap", "badge":
            ok("has no place" in report("-f", form, *before, path, code=2),
               f"{form}: refused")
        ok("needs one run, got 2" in report(*before, f"{path}@all", code=2),
           "several runs are refused")
        error = report("--since", f"{folder}/none.db", path, code=2)
        ok("none.db" in error and error.count("\n") == 1,
           "no such database", error)
        ok("no case differs" in report("--since", path, path),
           "a run and itself: no case differs")
    finish()


main()
