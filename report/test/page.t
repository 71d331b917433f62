#!/usr/bin/env python3
# page.t - what a report must not hide: known-wrong results, failures of every
# operation, sets of NaN, decimals of complex elements, budgets.
#
# SPDX-License-Identifier: Apache-2.0
#
# The database is made with Python's sqlite3; decimals are Python's own.
import html.parser
import json
import os
import re
import shutil
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
folder = tempfile.mkdtemp()
path = f"{folder}/page.db"
OPS = ["Abs", "Acos", "Add", "Atan", "Cos", "Exp", "Log", "Sin", "Sqrt", "Tan"]
TYPES = ["pred", "s8", "f8e5m2", "f16", "bf16", "f32", "f64", "c64"]

db = sqlite3.connect(path, isolation_level=None)
with open(f"{HERE}/../../spec/results.sql") as f:
    db.executescript(f.read())
db.execute("BEGIN")
run = sample.Run(db, 1, "mine", "1")
for op in OPS:  # 10 operations, 8 types, 4 failures each
    for type_ in TYPES:
        for i in range(4):
            p = run.plan(f"{op}/x", f"f{i}@T={type_}", op, type_)
            run.result(p, sample.CRASH if op == "Tan" else sample.FAIL)
            run.detail(p, f"failure {i}", None, f"{op}{i}")
p = run.plan("Abs/x", "complex@T=c64", "Abs", "c64")
run.result(p, sample.FAIL, 2, 1, 1, 1, 700000, "c64:40490fdb:c0000000")
run.detail(p, "wrong")
# 0x40490fdb is 3.1415927 and 0xc0000000 is -2 in IEEE 754 binary32.
run.wrong(p, 0, "[1].re", "f32", 0x3f800000, 0x7fc00000, None, None,
          "within ulps (Abs.complex)", None, [("c64", 0x40490fdb, 0xc0000000)])
# 1 and 3 in binary32: no error was measured, but they differ by 2.
run.wrong(p, 1, "[1].im", "f32", 0x40400000, 0x3f800000, 0x3f800000,
          0x3f800000, "within its bound", None)
for i in range(13):
    p = run.plan("Neg/x", f"known{i}@T=f32", "Neg", "f32")
    run.result(p, sample.XFAIL)
    run.detail(p, f"fail (rounds twice; see (12)): {i} of 4 are wrong")
for i in range(7):
    p = run.plan("Neg/x", f"right{i}@T=f32", "Neg", "f32")
    run.result(p, sample.PASS)
for op, type_, error in (("Exp", "f32", 700000), ("Sqrt", "f32", 600000),
                         ("Sin", "c64", 900000)):
    p = run.plan(f"{op}/x", f"near@T={type_}", op, type_)
    run.result(p, sample.PASS, 10, 9, 0, 0, error, f"{type_}:0:0")
p = run.plan("Reduce/x", "sum@T=f32", "Reduce", "f32")
run.result(p, sample.PASS, 10, 9, share=500000)
for i in range(900):
    p = run.plan("Cholesky/x", f"no{i}", "Cholesky", "f64")
    run.result(p, sample.UNSUPPORTED, None, None, None, None)
for i in range(3):  # an error was expected: no unit
    p = run.plan("Fft/errors", f"e{i}", "Fft", "c64")
    run.result(p, sample.PASS, None, None, None, None)
p = run.plan("Rev/x", "listed", "Rev", "f32")
run.result(p, sample.XPASS)
# What a path of this machine would be.
HOME = "/home/ada/very secret"
p = run.plan("Ge/x", "crash", "Ge", "f32")
run.result(p, sample.CRASH, None, None, None, None)
run.detail(p, f"Check failed: '{HOME}/src/ge.cc':12 (see https://x.org/a/b)")
db.execute("UPDATE detail SET command = ?, at = ?", (
    f"/home/ada/assay run --backend '{HOME}/mine.so' --filter Ge/x/crash",
    "/home/ada/cases/Ge/x.json:1:2"))
db.execute("UPDATE run SET command = ?, host = ?", (
    "assay run --backend ~/mine.so --backend-option flags=-I/home/ada/x "
    "@/Users/ada/flags", '{"cwd": "/home/ada"}'))
db.execute("UPDATE backend SET path = ?, options = ?", (
    f"{HOME}/mine.so", "plugin=/home/ada/x.so,name=mine"))
db.execute("INSERT INTO identity VALUES (?, 'backend_options', ?)",
           (run.run, "plugin=/home/ada/x.so"))
db.execute("INSERT INTO property VALUES (?, 'home', 'file:///home/ada/lib.so')",
           (run.run,))
run.end()
db.execute("COMMIT")
FAILED = len(OPS) * len(TYPES) * 4 + 1 + 2  # Ge, Rev
JUDGED = FAILED + 13 + 7 + 4 + 3


def report(form, *more):
    done = subprocess.run([ASSAY, "report", "--format", form, *more, path],
                          capture_output=True, text=True, timeout=100)
    ok(done.returncode == 0, f"{form}: written", done.stderr)
    return done.stdout


class Page(html.parser.HTMLParser):
    def __init__(self, source):
        super().__init__()
        self.ids, self.links, self.cells, self.row = set(), [], {}, None
        self.columns, self.tables, self.cell = [], [], None
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if "id" in a:
            self.ids.add(a["id"])
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            kind = {"ok", "bad", "warn", "known", "skip", "reject"} & set(
                a.get("class", "").split())
            self.cell = [kind.pop() if kind else tag, "", ""]
            self.tables[-1][-1].append(self.cell)
        elif self.cell and tag == "a":
            self.cell[2] = a.get("href", "")[1:]

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.cell:
            self.cell[1] += data


for limit in "200", "5":
    source = report("html", "--limit", limit)
    page = Page(source)
    matrix = next(t for t in page.tables if t[0] and t[0][0][1] == "Operation")
    red = [c for row in matrix for c in row if c[0] == "bad"]
    ok(len(red) == len(OPS) * len(TYPES) + 2, f"limit {limit}: red cells",
       len(red))
    ok(all(c[2] in page.ids for c in red),
       f"limit {limit}: each leads to a failure")
    listed = re.findall(r"<h4>(\w+)/x/\w+@T=(\w+)<", source)
    ok(len(set(listed)) == len(OPS) * len(TYPES),
       f"limit {limit}: of its operation and type", len(set(listed)))
names = re.findall(r"<h4>(\w+)/x/[^lc<]", report("html"))
ok(max(names.count(op) for op in OPS) - min(names.count(op) for op in OPS) <= 1
   and len(names) >= 197, "failures are spread over the operations")
for form in "text", "markdown", "json":
    source = report(form, "--limit", str(len(OPS) + 2))
    ok(all(f"{op}/x/" in source for op in OPS), f"{form}: the same")

heads = [c[1] for c in matrix[0]]
ok(heads[1:5] == ["f32", "f64", "bf16", "f16"], "common types come first",
   heads)
neg = next(row for row in matrix if row[0][1] == "Neg")[1]
ok(neg[0] == "known" and "13" in neg[1] and neg[2] in page.ids,
   "a cell with known-wrong results looks it, and leads to them", neg)
for form in "html", "text", "markdown":
    source = report(form)
    plain = re.sub(r"&#?\w+;|[`*_]", "", source)
    ok("rounds twice" in plain and "Neg" in plain, f"{form}: and says why")
    if form == "text":
        line = next(n for n in source.splitlines() if n.startswith("Neg"))
        ok(line.split()[1:7] == ["20", "7", "0", "0", "13", "0"],
           "text: known-wrong results are not skipped ones", line)
    if form != "text":
        ok(f"{FAILED} of {JUDGED} judged cases failed, 13 known to be wrong, "
           "900 not judged" in source, f"{form}: what was judged")
planned = JUDGED + 900
for form, number in ("html", f"{planned:,}"), ("text", str(planned)):
    ok(f"; {JUDGED} of {number} cases judged; no claim of conformance: "
       in report(form), f"{form}: the claim has its numbers")
doc = json.loads(report("json"))["runs"][0]
ok(doc["known"] == [{"op": "Neg", "cases": 13,
                     "reason": "fail (rounds twice; see (12))"}],
   "json: and says why", doc["known"])

# ---- The first screen, and what is below it -----------------------------------

source = report("html")
page = Page(source)
first = source[:source.index('id="causes"')]
score = next(t for t in page.tables if t[0][1][1] == "Supported")
got = {row[0][1]: [c[1] for c in row[1:5]] for row in score[1:]}
ops = {o for o in OPS} | {"Neg", "Reduce", "Fft", "Rev", "Ge", "Cholesky"}
ok(got["Operations"] == [f"{len(ops) - 1} of {len(ops)}", "3",
                         f"{len(ops) - 4} 1 known", "1"],
   "operations: supported, right (Reduce, Fft, Rev), wrong, unknown", got)
wrong = FAILED - 1 + 13  # that of Rev is right
ok(got["Cases"] == [f"{JUDGED} of {JUDGED + 900:,}", str(JUDGED - wrong),
                    f"{wrong} 13 known", "900"],
   "cases: supported, right, wrong, unknown", got)
bars = re.findall(r'<svg class="bar".*?aria-label="(\w+): ([^"]*)"', first)
ok(bars == [("Operations", f"3 right, {len(ops) - 5} wrong, 1 known to be "
             "wrong, 1 unknown"),
            ("Cases", f"{JUDGED - wrong} right, {wrong - 13} wrong, 13 known to"
             " be wrong, 900 unknown")], "bars of the same numbers", bars)
for text in ("identity", "no claim of conformance", "Largest causes"):
    ok(text in first, f"the first screen has: {text}")
rows = [row[0][1] for row in next(t for t in page.tables
                                  if t[0][0][1] == "Operation")[1:]]
counts = {op: sum(f["op"] == op for f in json.loads(
    report("json", "--limit", "9999"))["runs"][0]["failures"]) for op in ops}
ok(rows == sorted(rows, key=lambda op: (-counts[op], op != "Neg", op))
   and "Cholesky" not in rows and rows.index("Neg") == len(rows) - 3,
   "operations come by need: failures, known failures, then the rest", rows)
ok(re.search(r'<details class="skipped"><summary>1 operation of .*?'
             r'data-op="Cholesky"', source, re.S), "skipped ones are folded")
fft = next(row for row in matrix if row[0][1] == "Fft")
cell = next(c for c in fft[1:] if c[0] != "td")
ok(cell[0] == "reject" and "\u2298" in cell[1] and "passed" not in cell[1],
   "a cell in which only errors were judged has a sign of its own", cell)
causes = re.findall(r'<tr[^>]*data-op="([^"]*)" data-text="([^"]*)"><th[^>]*'
                    r'class="words"', source)
ok(causes and any(op == "crash" and "Ge" in text for op, text in causes),
   "the filter finds causes, by name and operation", causes[:3])
# 700000 millionths of an ulp of f32's Exp is far from 8, and of a case that
# failed; that of Sqrt's passed one as well: colours are the verdicts'.
ok("hist" not in source or not re.search(r'class="(far|off|mid)"', source),
   "no bar is coloured by its size")
for form in "html", "markdown", "junit", "badge":
    leaks = re.findall(r".{30}(?:/home|ada\b|secret).{30}", report(form))
    ok(not leaks, f"{form}: no path of the machine", leaks[:3])
ok("https://x.org/a/b" in source and "\u2026/mine.so" in source
   and "\u2026/ge.cc" in source, "but addresses, and what the files are called")
ok("flags=-I\u2026/x @\u2026/flags" in source,
   "a home folder is seen after any byte", re.findall(r"flags=\S* \S*", source))
ok("/home/ada" in report("text"), "which a terminal shows whole")
script = source[source.rindex("<script>"):]
ok("history.replaceState" in script and 'get("find")' in script,
   "the filter is in the address")
ok(script.count("location.search") == 1
   and script.index("location.search") > script.index("hashchange"),
   "whose first filter does not come back with a link to a place")
ok(source.index('id="find"') < source.index('id="causes"'),
   "and above all that it filters")
narrow = re.search(r"@media screen and \(max-width: 40rem\) \{(.*?)\n\}",
                   source, re.S)[1]
ok('<th class="num" scope="col">Worst, ulps</th>' in source
   and '<th scope="col">At input</th>' in source,
   "a column's title is aligned as its numbers are")
labels = re.findall(r'<td[^>]*data-label="Worst, ulps"', source)
ok(labels and "attr(data-label)" in narrow and "thead { display: none" in narrow
   and "overflow: visible" in narrow, "a narrow page has boxes, not tables")
paper = re.search(r"@media print \{(.*?)\n\}", source, re.S)[1]
folded = re.findall(r"<details><summary>[^<]*</summary>\s*<dl class=\"facts\">",
                    source)
ok(folded and "details:has(> dl.facts)::details-content" in paper,
   "on paper the facts are not folded", folded)
ok("button.sort { display: contents; }" in paper,
   "and each repeated head has its buttons")
source = report("html", "--limit", "1000")
ok("(3.1415927, -2)" in source, "a complex input in decimal")
ok(re.search(r"within ulps \(Abs.complex\)</span><strong>nan</strong>", source,
             re.I),
   "the set of a NaN")
ok(">2 (absolute)<" in source, "a difference where no error was measured")
causes = next(t for t in Page(source).tables if t[0] and t[0][0][1] == "Cause")
ok([c[1] for c in causes[0]] == ["Cause", "Cases", "Known", "Operations",
                                 "Types", "Smallest case"]
   and sum(int(row[1][1].replace(",", "")) for row in causes[1:]) >= FAILED,
   "every failure is in a row of the causes", causes[:3])
accuracy = next(t for t in Page(source).tables
                if any(c[1] == "Budget" for c in t[0]))
at = [c[1] for c in accuracy[0]].index("Budget")
budget = {(r[0][1], r[1][1]): r[at][1] for r in accuracy[1:]}
# spec/profiles/spec.json, as profiles.md tabulates it.
for cell, want in {("Exp", "f32"): "6.5", ("Sqrt", "f32"): "0.5",
                   ("Sin", "c64"): "4", ("Reduce", "f32"): "1 E"}.items():
    ok(budget.get(cell) == want, f"budget of {cell[0]} {cell[1]}",
       budget.get(cell))


# Contrast of text by the formulas of WCAG 2.2 (relative luminance, success
# criterion 1.4.3: at least 4.5), of the variables in both colour schemes.
def luminance(colour):
    digits = colour[1:] if len(colour) == 7 else "".join(
        d + d for d in colour[1:])
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4
               for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


ok(abs(contrast("#fff", "#000000") - 21) < 1e-9, "contrast of black on white")
css = re.search(r"<style>(.*?)</style>", source, re.S)[1].split("@media print")[0]
light, dark = (dict(re.findall(r"--([\w-]+): *(#\w+)", block)) for block in
               re.findall(r":root \{(.*?)\}", css, re.S)[:2])
pairs = [(text, ground) for ground in ("back", "card")
         for text in ("text", "soft", "link")]
pairs += [(f"{kind}-text", kind)
          for kind in ("ok", "bad", "warn", "known", "skip")]
pairs += [("ok-text", "skip")]  # .reject
for scheme, colours in (("light", light), ("dark", {**light, **dark})):
    low = [f"{a} on {b}: {contrast(colours[a], colours[b]):.2f}"
           for a, b in pairs if contrast(colours[a], colours[b]) < 4.5]
    ok(not low, f"{scheme} scheme: text can be read", low)
ok("opacity" not in css, "and nothing fades it")
db.close()
shutil.rmtree(folder)
finish()
