#!/usr/bin/env python3
# columns.t - what reads a query's row knows the query's columns.
#
# SPDX-License-Identifier: Apache-2.0
#
# A row of SELECT * has the columns of its table in the table's order, which
# record.def decides: only store_record_read may read it, by name.  The queries
# that report_case_next reads by position have the same columns.  What a run
# prints as JSON is what spec/results.md lists.
import glob
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = f"{HERE}/../.."
sys.path.insert(0, f"{TOP}/tools/test")
from tap import finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", f"{TOP}/build/assay")
CASES = ["cases", "failures", "names"]
ALIKE = 17  # columns; then correct, which failures.sql does not count


def read(path):
    with open(path) as f:
        return f.read()


def functions(text):
    """The functions of a C file."""
    return re.findall(r"^[a-z][^;{}]*\)\n\{\n.*?^\}", text, re.M | re.S)


def by_position(text, names):
    """Functions that run a query of these and take its columns by number."""
    uses = re.compile(r'report_query\([^;]*"(%s)"' % "|".join(names))
    return [f.split("\n{")[0] for f in functions(text) if uses.search(f)
            and ("sqlite3_column_" in f or "report_column" in f
                 or "store_record_read" not in f)]


queries = {os.path.basename(path)[:-4]: re.sub(r"--.*", "", read(path))
           for path in glob.glob(f"{TOP}/report/*.sql")}
whole = [name for name, sql in queries.items()
         if re.match(r"\s*SELECT \*", sql)]
sources = [path for folder in ("report", "report/doc", "runner",
                               "runner/store", "tools/verbs")
           for path in glob.glob(f"{TOP}/{folder}/*.c")]
texts = {os.path.relpath(path, TOP): read(path) for path in sources}

used = [name for name in whole for text in texts.values()
        if re.search(r'report_query\([^;]*"%s"' % name, text)]
ok(sorted(used) == sorted(whole), "each query of a whole row has one reader",
   f"{sorted(whole)}, read: {sorted(used)}")
bad = [f"{path}: {f}" for path, text in texts.items()
       for f in by_position(text, whole)]
ok(not bad, f"rows of {len(whole)} queries are read by name", "\n".join(bad))
bad = [path for path, text in texts.items()
       if re.search(r'"\s*SELECT \* FROM', text)]
ok(not bad, "no query in C is of a whole row", "\n".join(bad))
planted = """static bool read_first(struct report *r, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "%s", 1, st);
    return q && sqlite3_column_text(q, 0);
}
"""
ok(all(by_position(planted % name, whole) for name in whole)
   and not by_position(planted % "names", whole),
   "one that is read by position is found")

db = sqlite3.connect(":memory:")
db.executescript(read(f"{TOP}/spec/results.sql"))
columns = {}
for name in CASES:
    cursor = db.execute(queries[name], {"1": 1, "2": 1, "3": 1}
                        if name == "failures" else {"1": 1})
    columns[name] = [c[0] for c in cursor.description]
ok(len({tuple(c[:ALIKE]) for c in columns.values()}) == 1,
   "the queries of cases have the same columns", columns)
ok(all("flags" in c for c in columns.values()), "and all have the flags",
   columns)

# ---- assay run --json --------------------------------------------------------------


def printed(rows, text):
    """The keys of a result in record.def, and what record.c adds."""
    own = re.search(r"#define RECORD_result.*?[^\\]\n", rows, re.S)[0]
    keys = re.findall(r'\(of, (\w+), \w+, "(\w+)"\)', own)
    beyond = [f"{key}_beyond" for kind, key in keys if kind == "SIZE"]
    body = [f for f in functions(text) if " put_json(" in f]
    return {key for _, key in keys} | {*beyond} | set(
        re.findall(r'\\"(\w+)\\": ', body[0]))


def listed(page):
    part = page.split("\n## The lines of a run\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", part, re.M)
            for name in re.findall(r"`(\w+)`", row)}


ROWS, PAGE = read(f"{TOP}/runner/store/record.def"), read(
    f"{TOP}/spec/results.md")
RECORD = texts["runner/record.c"]
due = printed(ROWS, RECORD)
ok(len(due) > 15 and listed(PAGE) == due, "results.md lists what a run prints",
   f"not in both: {listed(PAGE) ^ due}")
ok(printed(ROWS.replace('"attempt"', '"tries"'), RECORD) ^ listed(PAGE)
   == {"attempt", "tries"}, "another key in record.def would be seen")
ok(printed(ROWS, RECORD.replace('\\"held\\"', '\\"kept\\"')) ^ listed(PAGE)
   == {"held", "kept"}, "and so would one in record.c")
with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run(
        [ASSAY, "run", "--backend", "reference", "--backend-option",
         "deviation=operands.swapped(lhs,rhs)", "--filter", "Sub/s*", "--json",
         "--database", f"{folder}/r.db"], capture_output=True, text=True,
        timeout=300)
found = set()
for line in done.stdout.splitlines():
    case = json.loads(line) if line.startswith("{") else {}
    found |= set(case) | {k for c in case.get("causes", []) for k in c}
ok({"causes", "held", "error_micro_ulps_beyond", "violates"} <= found <= due,
   "a run prints nothing else", found ^ due)
finish()
