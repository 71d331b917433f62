#!/usr/bin/python3
# compare.t - assay compare: what it counts is what the runs say of each case.
#
# SPDX-License-Identifier: Apache-2.0
#
# The expected numbers are counted here from the rows that `assay run --json`
# prints: the reference as it is, and with two deviations.
import html.parser
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path.insert(0, f"{ROOT}/tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
FILTERS = ("Sign/rules/*", "Neg/special/*")
RIGHT, WRONG = ("pass", "warn"), ("fail", "crash", "refused")


def assay(*arguments, folder=ROOT):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          cwd=folder, timeout=300)


def run(database, *options):
    filters = [x for f in FILTERS for x in ("--filter", f)]
    done = assay("run", "--backend", "reference", "--json", "--database",
                 database, "--cases", "cases", *filters, *options)
    rows = [json.loads(x) for x in done.stdout.splitlines() if x[0] == "{"]
    return {r["name"]: r["status"] for r in rows}


class Page(html.parser.HTMLParser):
    """Which elements are open at the end, and addresses."""

    def __init__(self):
        super().__init__()
        self.open, self.bad, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        self.bad += [v for k, v in attributes
                     if k in ("src", "href") and not v.startswith("#")]
        if tag not in ("meta", "br", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.bad.append(tag)

    def handle_data(self, data):
        self.text += data


def check_counts(folder):
    d = f"{folder}/r.db"
    runs = [run(d), run(d, "--backend-option", "deviation=results.zero-sign"),
            run(d, "--backend-option", "deviation=memory.zeros")]
    ok(len(runs[0]) > 20 and all(len(r) == len(runs[0]) for r in runs),
       "the runs", runs[0])
    done = assay("compare", "-n", "1000", "--html", f"{folder}/c.html",
                 f"{d}@all")
    ok(done.returncode == 0, "compared", done.stderr)
    names = list(runs[0])
    for op in ("Sign", "Neg", "all"):
        mine = [n for n in names if op == "all" or n.startswith(op + "/")]
        row = re.search(rf"(?m)^{op} .*", done.stdout)
        found = re.findall(r"[\d,]+", re.sub(r"\|( +\S+ +\S+)[^|\n]*", r"|\1",
                                             row[0] if row else ""))
        apart = sum(any(r[n] in RIGHT for r in runs)
                    and any(r[n] in WRONG for r in runs) for n in mine)
        due = [len(mine), apart]
        for r in runs:
            due += [sum(r[n] in RIGHT for n in mine),
                    sum(r[n] in WRONG for n in mine)]
        ok([int(x.replace(",", "")) for x in found] == due, f"{op}: {due}",
           row and row[0])
    for i, x in enumerate(runs):
        line = re.findall(rf"(?m)^\[{i + 1}\] +((?:[\d-]+ *)+)$",
                          done.stdout)[0].split()
        due = ["-" if y is x else str(sum(x[n] in RIGHT and y[n] in WRONG
                                          for n in names)) for y in runs]
        ok(line == due, f"run {i} against the others: {due}", line)
    listed = re.findall(r"(?m)^(\S+/\S+): (\w+).*?\| (\w+).*?\| (\w+)",
                        done.stdout)
    due = {n for n in names if len({r[n] in WRONG for r in runs}) == 2}
    ok({x[0] for x in listed} == due and due, "each disagreement is listed")
    ok(all(x[1 + i] == r[x[0]] for x in listed for i, r in enumerate(runs)),
       "with its verdicts")
    check_page(f"{folder}/c.html", due)
    check_labels(d, done.stdout, f"{folder}/c.html")
    done = assay("compare", "-n", "1", f"{d}@1", f"{d}@2", "-f", "Sign/*")
    ok("\nNeg" not in done.stdout and "... and " in done.stdout, "a filter",
       done.stdout)


def check_labels(database, text, path):
    """Runs of one backend: version, build, date, and here the number, too."""
    with sqlite3.connect(database) as base:
        due = [f"{name} {version}, build {digest[:8]}, {date[:10]} {date[11:16]}"
               for name, version, digest, date in base.execute(
                   "SELECT name, version, value, started FROM run JOIN backend"
                   " ON backend.run = run.id JOIN identity ON identity.run ="
                   " run.id AND member = 'backend_sha256' ORDER BY run.id")]
    several = [i for i, x in enumerate(due) if due.count(x) > 1]
    due = [x + (f", run {i + 1}" if i in several else "")
           for i, x in enumerate(due)]
    listed = re.findall(r"(?m)^\[\d+\] (reference.*)$", text)
    ok(listed == due and len(set(due)) == 3, f"labels: {due}", listed)
    with open(path, encoding="utf-8") as f:
        page = f.read()
    ok(all(page.count(f">{x}</th>") > 1 for x in due), "on the page, too")


def check_unexpected(folder):
    """A case that is right although it is expected to be wrong is right, and
    one that was never run has no verdict."""
    d, expect = f"{folder}/x.db", f"{folder}/x.expect"
    with open(expect, "w", encoding="utf-8") as f:
        f.write("fail Sign/rules/zero@T=f32 planted\n")
    runs = [run(d), run(d, "--expectations", expect),
            run(d, "--fail-fast", "--jobs", "1", "--expectations", expect)]
    ok("xpass" in runs[1].values(), "unexpectedly right", runs[1])
    done = assay("compare", f"{d}@1", f"{d}@2", f"{d}@3")
    ok("cases on which they disagree" not in done.stdout, "is right",
       done.stdout)


def check_page(path, due):
    page = Page()
    with open(path, encoding="utf-8") as f:
        page.feed(f.read())
    ok(not page.open and not page.bad, "the page is whole and needs nothing",
       page.open + page.bad)
    ok(all(n in page.text for n in due), "the page has the disagreements")
    ok(page.text.index("disagree (") < page.text.index("Operations by") if
       "Operations by" in page.text else "disagree (" in page.text,
       "which come first")


def check_run(folder):
    done = assay("compare", "--database", f"{folder}/n.db", "-f",
                 "Neg/rules/*", "native", "reference")
    ok(done.returncode == 0 and re.search(r"(?m)^all .* 0 +\|", done.stdout)
       and "native" in done.stdout, "backends are run", done.stdout
       + done.stderr)


def check_errors(folder):
    for arguments, text in (
            ([], "expected databases or backends"),
            (["-f", "Nothing/*", f"{folder}/r.db"], "no case matches"),
            ([f"{folder}/r.db@99"], "r.db"),
            (["no-such-backend"], "no-such-backend"),
            (["--html", "/nowhere/x.html", f"{folder}/r.db"], "/nowhere")):
        done = assay("compare", *arguments, folder=folder)
        ok(done.returncode == 2 and text in done.stderr, f"an error: {text}",
           f"{done.returncode} {done.stderr}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_counts(folder)
        check_unexpected(folder)
        check_run(folder)
        check_errors(folder)
    finish()


main()
