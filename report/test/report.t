#!/usr/bin/env python3
# report.t - reports, diff and gate, from real runs of a good and a bad backend.
#
# SPDX-License-Identifier: Apache-2.0
#
# Every format is read by a parser of its own kind, and its figures must be
# those that SQL gives from the database.
import html.parser
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__))
                + "/../../tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
EVIL = "<script>alert(1)</script> & \"quotes\" 'single'"


def eq(got, want, name):
    ok(got == want, name, f"got {got!r}, want {want!r}")


def assay(*arguments, **how):
    how.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([ASSAY, *arguments], stderr=subprocess.PIPE,
                          text=True, timeout=120, errors="replace", **how)


def report(form, where, *more):
    done = assay("report", "--format", form, where, *more)
    eq(done.returncode, 0, f"{form}: exit status")
    return done.stdout


folder = tempfile.mkdtemp()
cases, db = f"{folder}/cases", f"{folder}/results.db"
os.makedirs(f"{cases}/Add")
os.makedirs(f"{cases}/Sin")


def literal(shape, data):
    return {"shape": shape, "data": data}


with open(f"{cases}/Add/a.json", "w") as f:
    json.dump({"format": "assay-case/1", "op": "Add", "cases": [
        {"id": "plain", "why": EVIL, "covers": ["Add.value"],
         "inputs": [literal("f32[2]", [1, 2]), literal("f32[2]", [0.5, 4])]},
        {"id": "ints", "why": "whole numbers",
         "inputs": [literal("s8[2]", [1, 2]), literal("s8[2]", [3, 4])]}]}, f)
with open(f"{cases}/Sin/b.json", "w") as f:
    json.dump({"format": "assay-case/1", "op": "Sin", "cases": [
        {"id": "one", "why": "a function",
         "inputs": [literal("f64[3]", [0, 0.5, 1])]},
        {"id": "narrow", "why": "a type that the backend lacks",
         "inputs": [literal("f8e5m2[1]", [1])]}]}, f)
for backend in "native", "evil/flip_bit":
    assay("run", "--quiet", "--cases", cases, "--database", db, "--backend",
          backend)
good, bad = f"{db}@1", f"{db}@2"
sql = sqlite3.connect(db)


def count(run, *statuses):
    first, planned = sql.execute(
        "select plan_first, plan_count from run where id = ?", (run,)).fetchone()
    where = ",".join("?" * len(statuses))
    return sql.execute(
        f"select count(*) from result r join status s on s.id = r.status"
        f" where r.plan between ? and ? and s.name in ({where})",
        (first, first + planned - 1, *statuses)).fetchone()[0], planned


fails, planned = count(2, "fail")
skipped, _ = count(2, "unsupported")
ok(fails > 0 and skipped > 0 and fails + skipped == planned,
   "the bad backend fails what it supports", (fails, skipped, planned))
eq(count(1, "pass")[0], fails, "the good one passes the same")

# ---- text, markdown, JSON ---------------------------------------------------

text = report("text", bad)
ok(f"FAILED: {planned} cases, {fails} fail" in text, "text: the sum", text)
ok(re.search(r"got +-?[0-9.e+]+ \(-?0x[0-9a-f.p+-]+, 0x[0-9a-f]+\)", text),
   "text: got in decimal, hexadecimal and bits", text)
ok("\x1b" not in text, "text: no colour outside a terminal")
again = re.search(r"run again: (.*)", text).group(1)
rerun = subprocess.run(f"{again} --database {folder}/again.db", shell=True,
                       capture_output=True, text=True, timeout=100)
eq(rerun.returncode, 1, "text: the printed command fails again")
ok(re.search(r"^1 cases?: 1 fail", rerun.stdout, re.M),
   "text: and runs that case alone", rerun.stdout + rerun.stderr)
markdown = report("markdown", bad)
ok(f"{fails} of {fails} judged cases failed, {skipped} not judged" in markdown,
   "markdown: the sum", markdown)
rows = [line for line in markdown.splitlines() if line.startswith("|")]
ok(all(r.count("|") in (3, 5, 7) for r in rows), "markdown: rows have all cells",
   "\n".join(rows))

doc = json.loads(report("json", db))
run = json.loads(report("json", good))["runs"][0]
eq(doc["format"], "assay-report/1", "json: format")
eq(doc["runs"][0]["run"], 2, "json: the latest run, unless another is named")
eq(doc["runs"][0]["failed"], fails, "json: failures")
eq(len(doc["runs"][0]["failures"]), fails, "json: listed failures")
eq(run["failed"], 0, "json: none in the good run")
eq(run["backend"]["name"], "native", "json: backend")
sin = [o for o in run["operations"] if o["op"] == "Sin" and o["type"] == "f64"]
ok(sin and abs(sin[0]["worst_error_ulps"]) <= 1,
   "json: the C library's sine is within an ulp", sin)
eq(len(json.loads(report("json", f"{db}@all"))["runs"]), 2, "json: all runs")
limited = json.loads(report("json", bad, "--limit", "1"))["runs"][0]
eq((len(limited["failures"]), limited["failures_omitted"]), (1, fails - 1),
   "json: what a limit leaves out is told")

# ---- JUnit, TAP, badge ------------------------------------------------------

suites = xml.fromstring(report("junit", bad))
eq([sum(int(s.get(a)) for s in suites) for a in ("tests", "failures")],
   [planned, fails], "junit: tests and failures")
# JUnit.xsd of windyroad/JUnit-Schema (Ant's format): what it demands, and that
# testsuites has no attribute; junit-10.xsd of Jenkins' xunit plugin allows it.
eq(suites.attrib, {}, "junit: no attribute of testsuites")
ok(all(set(s.attrib) == {"name", "timestamp", "hostname", "tests", "failures",
                         "errors", "time", "package", "id", "skipped"}
       for s in suites), "junit: the attributes of a testsuite")
ok(all(set(c.attrib) == {"name", "classname", "time"}
       for c in suites.iter("testcase")), "junit: and of a testcase")
eq([s.get("id") for s in suites], [str(i) for i in range(len(suites))],
   "junit: numbers of testsuites")
eq(len(suites.findall(".//testcase")), planned, "junit: a testcase each")
eq(len(suites.findall(".//failure")), fails, "junit: a failure each")
eq(len(suites.findall(".//skipped")), skipped, "junit: skipped ones")
for suite in suites.findall("testsuite"):
    eq(int(suite.get("tests")), len(suite.findall("testcase")),
       f"junit: {suite.get('name')} counts its own")

tap = report("tap", bad)
eq(re.findall(r"^1\.\.(\d+)$", tap, re.M), [str(planned)], "tap: plan")
eq(len(re.findall(r"^not ok ", tap, re.M)), fails, "tap: failures")
eq(len(re.findall(r"^ok .*# SKIP", tap, re.M)), skipped, "tap: skipped ones")
if shutil.which("prove"):
    with open(f"{folder}/x.tap", "w") as f:
        f.write(report("tap", good))
    proved = subprocess.run(["prove", "-e", "cat", f"{folder}/x.tap"],
                            capture_output=True, text=True)
    ok("Result: PASS" in proved.stdout, "tap: prove reads it", proved.stdout)
else:
    ok(True, "tap: prove reads it # SKIP no prove")

badge = xml.fromstring(report("badge", bad))
ok(badge.tag.endswith("svg") and f"{fails} of" in "".join(badge.itertext()),
   "badge: says it")

# ---- HTML -------------------------------------------------------------------

VOID = {"meta", "link", "br", "hr", "input", "img", "col", "wbr", "source"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.bad, self.outside, self.ids = [], [], [], []
        self.links, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name in ("src", "href") and value and not value.startswith("#"):
                self.outside.append(value)
            if name == "href" and value and value.startswith("#"):
                self.links.append(value[1:])
            if name == "id":
                self.ids.append(value)
            if name.startswith("on"):
                self.bad.append(f"{name}={value}")

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in (
                "p", "li", "td", "th", "tr", "dt", "dd", "option", "tbody",
                "thead"):
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.bad.append(f"</{tag}>")

    def handle_data(self, data):
        self.text += data


for where, runs in (good, 1), (bad, 1), (f"{db}@all", 2):
    source = report("html", where)
    page = Page()
    page.feed(source)
    eq((page.bad, [t for t in page.open if t not in ("html", "body")]),
       ([], []), f"html of {runs}: well-formed")
    # Links to the public pages are followed by a person alone.
    eq([u for u in page.outside if not u.startswith("data:")
        and f'<a href="{u}">public page</a>' not in source], [],
       "html: needs nothing from outside")
    ok(not re.search(r"@import|url\((?!#|['\"]?data:)", source),
       "html: nor does its style")
    eq(sorted(set(page.links) - set(page.ids)), [],
       "html: every link within the page leads somewhere")
    eq(len(page.ids), len(set(page.ids)), "html: ids are unique")
    ok("<script>alert" not in source, "html: what cases say is escaped")
    ok("@media screen and (prefers-color-scheme: dark)" in source
       and source.count("prefers-color-scheme") == 1
       and 'name="viewport"' in source,
       "html: dark screens and narrow ones; paper is never dark")
    # Two columns of words at their least width and three of numbers exceed
    # A4 paper in landscape, of 1047 CSS pixels without margins.
    ok(re.search(r"@media print \{.*\.words \{ min-width: 0 !important; \}", source,
                 re.S), "html: columns of words fit on paper")
source = report("html", bad)
page = Page()
page.feed(source)
requirement = json.load(open("spec/ops/Add.json"))["requirements"] \
    if os.path.exists("spec/ops/Add.json") else []
ok("Add.value" in page.text, "html: a failure names its requirement")
ok(re.search(r"0x[0-9a-f]{8}", page.text), "html: and the bits")

# A database of every status, with names that no format may trip over.
sample = f"{folder}/sample.db"
here = os.path.dirname(os.path.abspath(__file__))
made = subprocess.run(["python3", f"{here}/sample.py", sample, "2", "50"],
                      capture_output=True, text=True)
ok(made.returncode == 0 and os.path.exists(sample), "a sample database",
   made.stderr)
page = Page()
source = report("html", f"{sample}@all")
page.feed(source)
eq((page.bad, sorted(set(page.links) - set(page.ids))), ([], []),
   "sample, html: well-formed")
ok("<script>alert" not in source, "sample, html: escaped")
xml.fromstring(report("junit", sample))
xml.fromstring(report("badge", sample))
of_all = json.loads(report("json", f"{sample}@all"))
eq(of_all["runs"][0]["remarks"],
   {"flush": {"cases": 1, "units": 7}, "sort.nan": {"cases": 1, "units": 3}},
   "sample, json: remarks by name")
ok("flush (1 case), sort.nan (1 case)" in page.text, "sample, html: remarks")
ok("Right with a remark: flush (1 case), sort.nan (1 case)"
   in report("text", f"{sample}@all"), "sample, text: remarks")
sums = re.findall(r"^(?:not )?ok ", report("tap", sample), re.M)
eq(f"1..{len(sums)}", report("tap", sample).splitlines()[1],
   "sample, tap: as many lines as planned")

# ---- diff and gate ----------------------------------------------------------

done = assay("diff", good, bad)
eq(done.returncode, 1, "diff: a worse run")
ok(f"{fails} new failures" in done.stdout, "diff: counts them", done.stdout)
done = assay("diff", bad, good)
ok(f"{fails} fixed" in done.stdout, "diff: and what was fixed", done.stdout)
eq(assay("diff", good, good).returncode, 0, "diff: no difference")
json.loads(assay("diff", "--json", good, bad).stdout)
eq(assay("gate", good).returncode, 0, "gate: open")
eq(assay("gate", bad).returncode, 1, "gate: closed")
eq(assay("gate", "--max-failures", str(fails), bad).returncode, 0,
   "gate: as many failures as are allowed")
eq(assay("gate", "--max-failures", str(fails - 1), bad).returncode, 1,
   "gate: one more")
# Cases that never ran are no failures, and a run without them is unfinished.
part = f"{folder}/part.db@1"
shutil.copyfile(db, part[:-2])
with sqlite3.connect(part[:-2]) as c:
    c.execute("DELETE FROM result WHERE plan IN"
              " (SELECT plan FROM result ORDER BY plan LIMIT 2)")
done = assay("gate", part)
eq((done.returncode, [line for line in done.stdout.splitlines()
                      if line.startswith("gate:")]),
   (1, ["gate: 2 cases never ran"]),
   "gate: closed by cases that never ran")
for more in [], ["--baseline", good]:
    eq(assay("gate", "--allow-unfinished", *more, part).returncode, 0,
       "gate: which --allow-unfinished accepts")
done = assay("gate", "--baseline", good, part)
ok(done.returncode == 1 and "did not before" not in done.stdout,
   "gate: nor are they new failures", done.stdout)
eq(assay("gate", "--baseline", bad, bad).returncode, 0,
   "gate: no worse than the baseline")
eq(assay("gate", "--baseline", good, bad).returncode, 1,
   "gate: worse than the baseline")

# A backend that stops supporting what it did right is no better: the rows of
# the good run again, Add's as unsupported.
gone = f"{folder}/gone.db"
shutil.copy(db, gone)
with sqlite3.connect(gone) as n:
    n.execute("""update result set status =
        (select id from status where name = 'unsupported') where plan in
        (select plan.id from plan join op on op.id = plan.op
         where op.name = 'Add' and plan.id <= ?)""", (planned,))
    lost = n.execute("select changes()").fetchone()[0]
n.close()
ok(lost > 0, "gate: some cases of the sample are Add's", lost)
done = assay("gate", "--baseline", good, f"{gone}@1")
ok(done.returncode == 1 and f"gate: {lost} cases passed before and were not judged"
   in done.stdout, "gate: closed by what is unsupported now", done.stdout)
ok(re.search(r"^lost +Add/a/ints\b.*: pass -> unsupported$", done.stdout, re.M),
   "gate: and which", done.stdout)
eq(assay("gate", "--allow-unsupported", "--baseline", good,
         f"{gone}@1").returncode, 0, "gate: open if that is meant")
done = assay("diff", good, f"{gone}@1")
ok(f"{lost} no longer judged" in done.stdout, "diff: counts what is lost", done.stdout)
eq(json.loads(assay("diff", "--json", good, f"{gone}@1").stdout)["lost"], lost,
   "diff: as JSON too")
eq(assay("gate", f"{gone}@1").returncode, 0, "gate: nothing is lost alone")
with sqlite3.connect(gone) as n:
    n.execute("""update result set status =
        (select id from status where name = 'unsupported')""")
n.close()
done = assay("gate", gone)
ok(done.returncode == 1 and "no case was judged" in done.stdout,
   "gate: a run in which no case was judged", done.stdout)
for form, said in (("text", "FAILED"), ("markdown", "no case was judged"),
                   ("html", "No case was judged"),
                   ("badge", "nothing was judged")):
    ok(said in report(form, gone), f"{form}: says that none was judged")
done = assay("diff", bad, f"{gone}@2")
ok(" otherwise changed" in done.stdout and "fixed" not in done.stdout,
   "diff: what is unsupported is not fixed", done.stdout)

# ---- What is wrong is told once ---------------------------------------------

with open(f"{folder}/text.db", "w") as f:
    f.write("no database\n" * 500)
other = f"{folder}/other.db"
sqlite3.connect(other).execute("create table t (x)").connection.commit()
newer = f"{folder}/newer.db"
shutil.copy(db, newer)
with sqlite3.connect(newer) as n:
    n.execute("pragma user_version = 999")
for where in ("/nonexistent/x.db", folder, f"{folder}/text.db", other, newer,
              f"{db}@9", f"{db}@zzz"):
    for verb in ["report"], ["gate"], ["diff", good]:
        done = assay(*verb, where)
        said = done.stderr.strip().splitlines()
        ok(done.returncode == 2 and len(said) == 1 and not done.stdout,
           f"{verb[0]} {os.path.basename(where)}: one message, status 2",
           (done.returncode, done.stderr, done.stdout[:200]))
eq(open(f"{folder}/text.db").read(), "no database\n" * 500,
   "a foreign file is left alone")
done = assay("report", "--format", "nosuch", db)
eq(done.returncode, 2, "an unknown format")
output = f"{folder}/out.txt"
with open(output, "w") as f:
    f.write("old")
assay("report", "--output", output, "/nonexistent/x.db")
eq(open(output).read(), "old", "a failed report leaves the old file")
assay("report", "--output", output, bad)
ok("FAILED" in open(output).read(), "a good one replaces it")
eq(assay("report", "--output", "/nonexistent/out", bad).returncode, 2,
   "an output that cannot be written")
if os.path.exists("/dev/full"):
    with open("/dev/full", "w") as full:
        ok(assay("report", bad, stdout=full).returncode != 0,
           "a full disk is not a success")
else:
    ok(True, "a full disk is not a success # SKIP no /dev/full")

# Forms are listed once, in formats.def.
forms = re.findall(r'(?m)^FORMAT\("(\w+)"', open("report/formats.def").read())
told = " ".join(assay("report", "--help").stdout.split())
ok(f"Format: {' '.join(forms)} (text)" in told, "--help lists every form", told)
done = assay("report", "-f", forms[1][:-1], good)
ok(done.returncode == 2 and f"(nearest: '{forms[1]}')" in done.stderr
   and done.stderr.strip().endswith(" ".join(forms)),
   "a form that is none: the nearest, and all", done.stderr)

# The same figures in every form, and at the end of a run.
SUMS = """
select count(*), sum(judged > 0), sum(judged > 0 and bad = 0),
       sum(bad > 0), coalesce(group_concat(case when failed > 0 then op end,
                                           ' '), '') from (
  select op, sum(status not in ('unsupported', 'limit', 'missing')) as judged,
         sum(failure or status = 'xfail') as bad, sum(failure) as failed
    from outcome where run = ? group by op order by op)"""
for run, where in enumerate((good, bad), 1):
    ops, supported, right, wrong, failing = sql.execute(SUMS, (run,)).fetchone()
    line = f"{supported} of {ops} operations supported, {right} wholly right"
    eq(json.loads(report("json", where))["runs"][0]["summary"],
       {"operations": ops, "supported": supported, "right": right,
        "wrong": wrong, "unknown": ops - right - wrong,
        "failing": failing.split(), "text": line}, f"json: run {run} summed up")
    for form in ("text", "html", "markdown", "junit", "tap", "badge"):
        ok(line in report(form, where), f"{form}: {line}")
eq((ops, supported, right, failing), (2, 2, 0, "Add Sin"),
   "the bad backend is wrong about both operations")
ends = {}
for backend in "native", "evil/flip_bit":
    for flag in ([], ["-v"], ["-q"], ["--tap"]):
        done = assay("run", "--cases", cases, "--database", f"{folder}/end.db",
                     "--backend", backend, *flag)
        ends[backend, *flag] = done.stdout, done.stderr
ok("2 of 2 operations supported, 2 wholly right\n2 operations as expected\n"
   in ends["native",][0], "run: all as expected", ends["native",][0])
last = ends["evil/flip_bit",][0]
ok(re.search(r"2 of 2 operations supported, 0 wholly right\n\noperation .*\n"
             r"Add .*\nSin .*\n\nfailures by cause:\n", last),
   "run: what failed, and why", last)
ok(re.search(r"by cause:\n +\d+  \S.*\n +\S*assay run .*--filter ", last),
   "with the command that shows it", last)
ok(f"explain {folder}/end.db  # every cause" in last, "and what is next", last)
ok("explain" not in ends["native",][0], "no cause to see without a failure")
table = [line for line in ends["evil/flip_bit", "-v"][0].splitlines()
         if re.match(r"(operation|Add|Sin) ", line)]
ok(len(table) == 3 and all(line in report("text", f"{folder}/end.db@6")
                           for line in table),
   "run -v: the table of the report", table)
ok(all("0 wholly right" in ends["evil/flip_bit", flag][stream]
       and "by cause" not in "".join(ends["evil/flip_bit", flag])
       for flag, stream in (("-q", 0), ("--tap", 1))),
   "run -q and --tap: one line")

# Judged as a whole: no share of units that are rounded right; norms: an error.
with sqlite3.connect(db) as whole:
    of = "(SELECT plan.id FROM plan JOIN op ON op.id = plan.op WHERE op.name = ?)"
    whole.execute(f"UPDATE result SET correct = NULL WHERE plan IN {of}", ["Add"])
    whole.execute("UPDATE result SET error = NULL, share = 894427"
                  f" WHERE plan IN {of}", ["Sin"])
row = {line.split()[0]: line.split() for line in report("text", good).splitlines()
       if line.startswith(("Add ", "Sin "))}
eq(row["Add"][-1], "-", "text: nothing is rounded where all is judged at once")
ok("E" in row["Sin"], "text: a share of the bound E", row["Sin"])
cells = {c["op"]: c for c in json.loads(report("json", good))["runs"][0]["operations"]
         if c["op"] in ("Add", "Sin")}
eq((cells["Add"]["correct"], cells["Add"]["rated"]), (0, 0), "json: none rated")
eq(cells["Sin"]["worst_error_bounds"], 0.894427, "json: in bounds")
page = report("html", good)
ok("0.895 E" in page,
   "html: a share of the bound", re.findall(r"[0-9.]+ E<", page))
ok(">0\u00a0%<" not in page, "html: no 0 %")
sql.close()
shutil.rmtree(folder)
finish()
