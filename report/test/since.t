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
P, W, F, C, U, X = (sample.PASS, sample.WARN, sample.FAIL, sample.CRASH,
                    sample.UNSUPPORTED, sample.XFAIL)
# Operation, status before, status after (None: not planned), cases.
FATES = [("Abs", P, P, 5), ("Acos", P, F, 3), ("Add", F, P, 2),
         ("Cos", F, C, 1), ("Exp", P, U, 4), ("Log", P, X, 2),
         ("Sin", F, F, 6), ("Tan", P, None, 1), ("Sqrt", None, P, 2),
         ("Cosh", C, F, 3), ("Neg", P, W, 2), ("Erf", P, P, 3),
         ("Tanh", P, P, 2)]
# Worst errors before and after, in millionths of an ulp.
ERRORS = {"Erf": (700000, 900000), "Tanh": (600000, 500000)}
# More than a page keeps of a fate; only the cases of the first are known.
MANY = [("Acos", P, F, 260), ("Sin", F, F, 1)]
WORDS = {(P, F): "new failures", (F, P): "fixed", (F, C): "worse failures",
         (P, U): "no longer judged, right before",
         (P, X): "now known to be wrong, right or less wrong before",
         (P, None): "no longer planned", (None, P): "new cases",
         (C, F): "otherwise changed", (P, W): "otherwise changed"}


def make(db, number, side, fates):
    run = sample.Run(db, number, "mine", "1")
    for fate in fates:
        if fate[1 + side] is None:
            continue
        for i in range(fate[3]):
            p = run.plan(f"{fate[0]}/x", f"case{i}@T=f32", fate[0], "f32")
            run.result(p, fate[1 + side],
                       error=ERRORS.get(fate[0], (None, None))[side])
            if fate[1 + side] != P:
                run.detail(p, f"because of /home/ada/{fate[0]}.cc", None)
    run.end()


def make_two(path, fates):
    db = sqlite3.connect(path, isolation_level=None)
    with open(f"{HERE}/../../spec/results.sql") as f:
        db.executescript(f.read())
    for side in 0, 1:
        make(db, side + 1, side, fates)
    db.close()


def articles_of(page):
    """Whether each listed failure can be hidden."""
    return dict((n, "same" in c.split()) for c, n in re.findall(
        r'<section [^>]*class="(failure[^"]*)".*?<h4>([^<]*)</h4>', page, re.S))


def report(*arguments, code=0):
    done = subprocess.run([ASSAY, "report", *arguments], capture_output=True,
                          text=True, timeout=100)
    ok(done.returncode == code, f"report {' '.join(arguments[:-1])}: {code}",
       done.stderr)
    return done.stdout if code == 0 else done.stderr


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/two.db"
        make_two(path, FATES)
        due = collections.Counter()
        for _, before, after, n in FATES:
            if (before, after) in WORDS:
                due[WORDS[before, after]] += n
        due = {w.replace("failures", "failure") if n == 1 else w: n
               for w, n in due.items()}
        due["with a larger worst error"] = 3
        due["with a smaller worst error"] = 2
        changed = {f[0] for f in FATES if f[1] != f[2]}
        before = ("--since", f"{path}@1")
        label = "mine 1, 2026-05-04 03:02, run 1"
        for form in "text", "markdown", "html":
            said = report("-f", form, *before, path)
            plain = html.unescape(said)
            ok(all(re.search(rf"\b{n} {word}\b", said) for word, n in due.items())
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
        articles = articles_of(page)
        ok(articles == {f"{op}/x/case{i}@T=f32": op == "Sin"
                        for op, b, a, n in FATES for i in range(n)
                        if a in (F, C)}, "html: and failures likewise", articles)
        ok("because of \u2026/Acos.cc" in page and "/home" not in page,
           "html: no reason names a folder", re.findall(".*/home.*", page)[:3])
        ok('id="only-changed"' in page and "only-changed:checked" in page,
           "html: by a mark")
        alone = report("-f", "html", path)
        ok("only-changed\"" not in alone and " same" not in re.sub(
            r"<style>.*?</style>|<p.*?</p>", "", alone, flags=re.S),
           "html: without --since there is none")
        data = json.loads(report("-f", "json", *before, path))["runs"][0]
        own = data["since"]["changes"]
        ok((data["since"]["run"], own["new_failures"], own["fixed"],
            own["lost"], own["now_known"], own["removed"], own["added"],
            own["changed"]) == (1, 3, 2, 4, 2, 1, 2, 5), "json: the numbers",
           own)
        ok("since" not in json.loads(report("-f", "json", path))["runs"][0],
           "json: without --since nothing")
        for form in "junit", "tap", "badge":
            ok("has no place" in report("-f", form, *before, path, code=2),
               f"{form}: refused")
        ok("needs one run, got 2" in report(*before, f"{path}@all", code=2),
           "several runs are refused")
        ok("needs one run, got 2" in report("--since", f"{path}@all", path,
                                            code=2), "on either side")
        error = report("--since", f"{folder}/none.db", path, code=2)
        ok("none.db" in error and error.count("\n") == 1,
           "no such database", error)
        ok("no case differs" in report("--since", path, path),
           "a run and itself: no case differs")
        many = f"{folder}/many.db"
        make_two(many, MANY)
        hidden = articles_of(report("-f", "html", "--limit", "999", "--since",
                                    f"{many}@1", many))
        ok(len(hidden) == 261 and [n for n, same in hidden.items() if same]
           == ["Sin/x/case0@T=f32"],
           "html: of more new failures than are kept none can be hidden",
           [n for n, same in hidden.items() if same])
    finish()


main()
