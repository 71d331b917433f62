#!/usr/bin/env python3
# gate.t - every status before and after, through the gate.
#
# SPDX-License-Identifier: Apache-2.0
#
# What must close the gate is stated here as rules about classes of statuses; the
# gate's own table (report/gate.def) is not read.  The databases are made from
# the schema.
import itertools
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, HERE + "/../../tools/test")
import sample  # noqa: E402
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
DIR = tempfile.mkdtemp()
STATUSES = ["pass", "warn", "fail", "unsupported", "crash", "timeout",
            "refused", "accepted", "wrong-class", "xfail", "xpass", "flake",
            "limit", "missing", "not planned"]
UNSTEADY = 64
with open("spec/results.sql") as f:
    SCHEMA = f.read()


def make(name, statuses, flags=0, identity=(), state="complete"):
    """A run with a case of each status; "not planned" has no row."""
    path = f"{DIR}/{name}.db"
    if os.path.exists(path):
        os.unlink(path)
    db = sqlite3.connect(path)
    db.executescript(SCHEMA)
    run = sample.Run(db, 1, "mine", "1", state)
    rows = {"backend": "mine", "profile": "spec", "tier": "default",
            "expectations": "mine.expect", **dict(identity)}
    db.executemany("INSERT INTO identity VALUES (?,?,?)",
                   [(run.run, k, v) for k, v in rows.items()])
    for i, status in enumerate(statuses):
        if status == "not planned":
            continue
        plan = run.plan("Add/a", f"case{i:03d}", "Add", "f32")
        if status != "missing":
            run.result(plan, STATUSES.index(status) + 1)
            db.execute("UPDATE result SET flags = ? WHERE plan = ?",
                       (flags, plan))
        if status not in ("pass", "missing"):
            run.detail(plan, f"message of {status}")
    # So that some case is judged, whatever the others are.
    run.result(run.plan("Add/b", "other", "Add", "f32"), sample.PASS)
    run.end()
    db.commit()
    db.close()
    return path


def assay(*words):
    return subprocess.run([ASSAY, *words], capture_output=True, text=True,
                          check=False)


def gate(new, old, *more):
    return assay("gate", *more, "--baseline", old, new)


# ---- All pairs --------------------------------------------------------------

RIGHT = {"pass", "warn", "xpass"}
UNJUDGED = {"unsupported", "limit"}
# A later one is worse than an earlier one.
FAILURES = {"refused": 1, "wrong-class": 1, "fail": 2, "accepted": 2,
            "flake": 2, "timeout": 3, "crash": 4}


def closes(old, new):
    """The words of the line that closes the gate, and the option that opens it;
    None: open."""
    if new == "not planned":
        return None if old == new else ("disappeared from the plan", "--allow-removed")
    if new == "missing":
        return ("never ran", "--allow-unfinished")
    if new in FAILURES:
        if old not in FAILURES:
            return ("failed that did not before", "--max-failures=1")
        return ("worse way than before", None) \
            if FAILURES[new] > FAILURES[old] else None
    if new == "xfail":
        return ("became known failures, or worse ones", "--allow-known") \
            if old in RIGHT else None
    if new == "xpass":
        return None if old == new \
            else ("passed that mine.expect lists", "--allow-fixed")
    if new in UNJUDGED:
        return ("were not judged", "--allow-unsupported") \
            if old in RIGHT else None
    return None


made = {s: (make("old-" + s.replace(" ", "-"), [s]),
            make("new-" + s.replace(" ", "-"), [s])) for s in STATUSES}
wrong, opened, lines = [], [], []
for old, new in itertools.product(STATUSES, STATUSES):
    want = closes(old, new)
    got = gate(made[new][1], made[old][0])
    reasons = [l for l in got.stdout.splitlines() if l.startswith("gate: ")]
    if want is None and (got.returncode, reasons) != (0, ["gate: open"]):
        wrong.append((old, new, got.stdout))
    if want and (got.returncode != 1 or len(reasons) != 1
                 or want[0] not in reasons[0]):
        wrong.append((old, new, want, got.stdout))
    if want and want[1] and gate(made[new][1], made[old][0],
                                 want[1]).returncode != 0:
        opened.append((old, new, want[1]))
    case = f"Add/a/case000: {old} -> {new}"
    if want and new != "missing" and case not in got.stdout:
        lines.append((old, new, got.stdout))
ok(not wrong, "every pair opens or closes the gate, for its own reason", wrong)
ok(not opened, "and the option that accepts it opens it", opened)
ok(not lines, "and the case is named, with both statuses", lines)
ok(closes("pass", "xfail") and closes("fail", "crash")
   and not closes("crash", "fail"), "the rules of this test name the two holes")

# What its expectations called unsteady before is no news; what they call so
# only now is.
for before, after, code in ((UNSTEADY, UNSTEADY, 0), (0, UNSTEADY, 1),
                            (UNSTEADY, 0, 1), (0, 0, 1)):
    got = gate(make("after", ["xfail"], after), make("before", ["pass"], before))
    ok(got.returncode == code,
       f"pass -> xfail, called unsteady {before > 0}, {after > 0}: {code}",
       got.stdout)

# ---- Accuracy ---------------------------------------------------------------

def erring(name, status, ulps, flags=0):
    """A run in which the worst error of the case is that."""
    path = make(name, [status], flags)
    db = sqlite3.connect(path)
    db.execute("UPDATE result SET error = ? WHERE plan = (SELECT id FROM plan "
               "WHERE name = 'case000')", (int(ulps * 1e6),))
    db.commit()
    db.close()
    return path


# A failure that is counted has its error, which is no second reason to close the
# gate: the option that accepts the failure opens it.
wrong, seen = [], 0
for old, new in itertools.product(STATUSES[:-2], STATUSES[:-2]):
    want = closes(old, new)
    if not want or new not in FAILURES and new != "xfail":
        continue
    seen += 1
    paths = erring("after", new, 9), erring("before", old, 0.5)
    reasons = re.findall("^gate: .*", gate(*paths).stdout, re.M)
    if len(reasons) != 1 or want[0] not in reasons[0] or (
            want[1] and gate(*paths, want[1]).returncode != 0):
        wrong.append((old, new, reasons))
ok(seen > 30 and not wrong, "a failure that is counted lost no accuracy, too",
   wrong)
for old, new, before, after, flags, code in (
        ("pass", "pass", 0.5, 0.75, 0, 1), ("pass", "warn", 0.5, 0.75, 0, 1),
        ("fail", "fail", 2, 9, 0, 1), ("xfail", "xfail", 2, 9, 0, 1),
        ("xfail", "xfail", 2, 9, UNSTEADY, 0), ("pass", "pass", 0.75, 0.5, 0, 0),
        ("pass", "pass", 0.5, 0.5, 0, 0)):
    got = gate(erring("after", new, after, flags),
               erring("before", old, before, flags))
    ok(got.returncode == code
       and ("gate: 1 case lost accuracy" in got.stdout) == code,
       f"{old} -> {new}, {before} -> {after} ulps, called unsteady "
       f"{flags > 0}: {code}", got.stdout)

# ---- What is printed --------------------------------------------------------

got = gate(make("after", ["fail"] * 14), make("before", ["pass"] * 14))
ok(len(re.findall(r"^new failure +Add/a/case\d+: pass -> fail\n"
                  r" +.*message of fail|^new failure .*\n +\S", got.stdout,
                  re.M)) == 10
   and "gate: 14 cases failed that did not before" in got.stdout,
   "the first ten of fourteen, each with its cause", got.stdout)
more = re.search(r"^\.\.\. and 4 more: assay (diff .*)$", got.stdout, re.M)
ok(more and assay(*more[1].split()).stdout.count("new failure ") == 14,
   "and a command that shows the others", got.stdout)
got = gate(make("after", ["xpass"] * 14), make("before", ["fail"] * 14))
ok(f"gate: 14 cases passed that mine.expect lists: delete the entries, or assay "
   f"expect --keep mine.expect {DIR}/after.db" in got.stdout,
   "a fix is red under its own name", got.stdout)
got = assay("gate", f"{DIR}/after.db")
ok(got.returncode == 1 and "14 cases passed that mine.expect lists"
   in got.stdout and "cases failed" not in got.stdout,
   "without a baseline too", got.stdout)
ok(assay("gate", "--allow-fixed", f"{DIR}/after.db").returncode == 0,
   "unless that is allowed")
for member, label, before, after, code in (
        ("backend", "backend", "a", "b", 0),
        ("profile", "profile", "spec", "strict", 1),
        ("profile_sha256", "profile's SHA-256", "1", "2", 1),
        ("tier", "tier", "default", "quick", 0),
        ("filter", "filter", "", "Add/*", 0),
        ("suite", "suite", "1", "2", 0),
        ("backend_sha256", "backend's SHA-256", "1", "2", 0),
        ("sandbox", "sandbox", "full", "none", 0),
        ("expectations_sha256", "expectations' SHA-256", "", "1", 0)):
    old = make("before", ["pass"], identity=[(member, before)])
    new = make("after", ["pass"], identity=[(member, after)])
    got = gate(new, old)
    said = f"{label} changed: {before or 'none'} -> {after}"
    ok(got.returncode == code and "note: " + said in got.stdout,
       f"another {label} than the baseline's is said", got.stdout)
    ok("diff: " + said in assay("diff", old, new).stdout,
       f"by diff too: {label}")
    if code:
        ok(gate(new, old, "--allow-other-profile").returncode == 0,
           f"{label}: and accepted if that is meant")

# ---- Waivers and lists -------------------------------------------------------


def said(name, status, message):
    """A run in which a case of that status has that message."""
    path = make(name, [status])
    db = sqlite3.connect(path)
    db.execute("UPDATE detail SET message = ?", (message,))
    db.commit()
    db.close()
    return path


# A failure that is known to be a worse one than before: all pairs.
def known(name, status, of, digest):
    """A case of that status that is, or is known to be, such a failure."""
    path = make(name, [status], identity=[("expectations_sha256", digest)])
    db = sqlite3.connect(path)
    db.execute("UPDATE detail SET message = ?",
               (f"{of} (known): x" if status == "xfail" else "x",))
    db.commit()
    db.close()
    return path


wrong = []
for (old, new), status, after in itertools.product(
        itertools.product(FAILURES, FAILURES), ("xfail", "own"), ("1", "2")):
    status = old if status == "own" else status
    got = gate(known("after", "xfail", new, after),
               known("before", status, old, "1"))
    worse = FAILURES[new] > FAILURES[old] and after == "2"
    before = f"xfail ({old})" if status == "xfail" else old
    line = f"now known    Add/a/case000: {before} -> xfail ({new})\n"
    if got.returncode != worse or (line in got.stdout) != worse:
        wrong.append((status, old, new, after, got.stdout))
    if worse and gate(f"{DIR}/after.db", f"{DIR}/before.db",
                      "--allow-known").returncode != 0:
        wrong.append((status, old, new, "not allowed"))
ok(not wrong, "a failure that other expectations know as a worse one",
   wrong[:3])

OVER, AHEAD = "2020-01-31", "2999-12-31"
for status, message, red in (
        ("xfail", f"fail (rounds twice; until {OVER}; owner ann): x", True),
        ("xfail", f"fail (rounds twice; until {AHEAD}; owner ann): x", False),
        ("xfail", "fail (rounds twice; until then): x", False),
        ("xfail", "fail (rounds twice): x", False),
        ("fail", "1 of 2 units are wrong; not the expectation at mine.expect:4:"
                 f" it expired after {OVER}", True)):
    old, new = said("before", status, message), said("after", status, message)
    for got in assay("gate", new, "--max-failures", "1"), gate(new, old):
        ok(got.returncode == red
           and (f"case000: excused until {OVER}" in got.stdout) == red,
           f"{status}: {message}", got.stdout)
    ok(assay("gate", new, "--max-failures", "1", "--allow-expired").returncode
       == 0, "an expired waiver may be accepted")

new = make("after", ["pass", "warn", "xfail", "unsupported"])
with open(f"{DIR}/list", "w") as f:
    f.write("# must pass\nAdd/a/case000\nAdd/a/case001\n")
got = assay("gate", new, "--must-pass", f"{DIR}/list")
ok(got.returncode == 0 and "cases that must pass: 2, all right (" in got.stdout,
   "right cases that must pass", got.stdout)
for name, text in (("Add/a/case002", "Add/a/case002: xfail"),
                   ("Add/a/case003", "Add/a/case003: unsupported"),
                   ("Add/a/gone", "did not run; first: Add/a/gone")):
    with open(f"{DIR}/list", "w") as f:
        f.write(f"Add/a/case000\n{name}\n")
    got = assay("gate", new, "--must-pass", f"{DIR}/list")
    ok(got.returncode == 1 and text in got.stdout, f"must pass: {text}",
       got.stdout)
ok(assay("gate", new, "--must-pass", f"{DIR}/none").returncode == 2,
   "a list that is not there")

# ---- The page ---------------------------------------------------------------

with open("spec/verdicts.md") as f:
    page = f.read()
table = assay("gate", "--table")
ok(table.returncode == 0 and table.stdout.strip() in page,
   "spec/verdicts.md has the table that assay gate --table prints",
   table.stdout)
finish()
