#!/usr/bin/env python3
# hostile.t - what a hostile backend says does no harm in any output.
#
# SPDX-License-Identifier: Apache-2.0
#
# evil/hostile puts control characters, bytes that are not UTF-8, bidirectional
# controls, separators and markup into its name, properties, element types,
# errors and last words.  Which characters those are is asked of Python's
# Unicode database, not of ours.
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__))
                + "/../../tools/test")
from tap import figure, finish, ok  # noqa: E402

BUILD = os.environ.get("B", "build")
ASSAY = os.environ.get("ASSAY", f"{BUILD}/assay")
BACKEND = f"{BUILD}/backends/evil/hostile.so"
CONTROLS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
MARKS = "\u200e\u200f\u061c"  # the rest of Bidi_Control

folder = tempfile.mkdtemp()
db = f"{folder}/results.db"


def harmful(text):
    """The characters of a text that no output may hold."""
    return {f"U+{ord(c):04X}" for c in text
            if c != "\n" and unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")
            or unicodedata.bidirectional(c) in CONTROLS or c in MARKS}


outputs = 0


def harmless(output, name):
    global outputs
    outputs += 1
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as e:
        ok(False, f"{name}: UTF-8", e)
        return ""
    ok(not harmful(text), f"{name}: harmless", harmful(text))
    return text


def assay(name, *arguments):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, timeout=100)
    harmless(done.stderr, f"{name}: messages")
    return harmless(done.stdout, name)


def case(op, inputs, **more):
    os.makedirs(f"{folder}/cases/{op}")
    with open(f"{folder}/cases/{op}/a.json", "w") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": [
            {"id": "one", "why": "a text", "inputs": inputs, **more}]}, f)


numbers = {"shape": "f32[2]", "data": [1, 2]}
case("Add", [numbers, numbers])
case("Rev", [numbers], attributes={"dimensions": [0]})
case("ConvertElementType", [numbers], attributes={"new_element_type": "f16"})
RUN = ["run", "--backend", BACKEND, "--cases", f"{folder}/cases", "--database"]

lines = assay("--json", *RUN, db, "--json").splitlines()
rows = []
for line in lines:
    try:
        rows.append(json.loads(line))
    except ValueError as e:
        ok(False, "--json: a line is JSON", f"{e}: {line}")
ok(len(rows) == len(lines) == 6, "--json: every line is JSON", lines)
ok({r["status"] for r in rows} == {"fail", "refused", "crash"},
   "an element type, an error and last words are hostile", rows)
ok(all("?" in r["text"] for r in rows), "and each is told", rows)

tap = assay("--tap", *RUN, f"{folder}/tap.db", "--tap")
ok(not re.search(r"^(not )?ok .*[^\\]# TODO", tap, re.M),
   "--tap: no directive is smuggled in", tap)
assay("terminal", *RUN, f"{folder}/text.db", "--verbose", "--color", "never")
with open(f"{folder}/known.expect", "w") as f:
    f.write("fail,refused,crash * known\n")
for row in map(json.loads, assay(
        "expected", *RUN, f"{folder}/known.db", "--json", "--expectations",
        f"{folder}/known.expect").splitlines()):
    ok(row["status"] == "xfail" and "known" in row["text"],
       f"expected: {row['name']}", row)

# ---- The database and what is made from it -----------------------------------

with sqlite3.connect(db) as s:
    s.text_factory = bytes
    tables = [t for t, in s.execute(
        "select name from sqlite_master where type = 'table'")]
    for table in tables:
        texts = [v for row in s.execute(f"select * from {table.decode()}")
                 for v in row if isinstance(v, bytes)]
        if texts:
            harmless(b"\n".join(texts), f"database: {table.decode()}")
s.close()
for form in "text", "html", "json", "markdown", "junit", "tap", "badge":
    page = assay(form, "report", "--format", form, db)
    ok("<script>alert" not in page or form in ("text", "json", "tap"),
       f"{form}: markup is escaped")
    if form in ("junit", "badge"):
        xml.fromstring(page)
    if form == "json":
        ok(json.loads(page)["runs"][0]["failed"] == 6, "json: is read")
json.loads(assay("expect", "expect", db))
assay("diff", "diff", db, f"{folder}/known.db")
assay("sweep", "sweep", "Abs", "--type", "f16", "--backend", BACKEND,
      "--database", f"{folder}/sweep.db")
shutil.rmtree(folder)
figure("outputs without harmful characters", outputs)
finish()
