#!/usr/bin/python3
# untrusted.t - databases whose schema, or whose texts, somebody else has made.
#
# SPDX-License-Identifier: Apache-2.0
#
# Every verb that reads a results database gets one with a foreign schema, which
# it must refuse, and one with hostile text in every column that may hold text,
# which it must read: what it prints is UTF-8 without control characters, and
# JSON, XML and HTML where it says so.
import html.parser
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

ROOT = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{ROOT}/../../tools/test")
from tap import finish, ok  # noqa: E402

BUILD = os.environ.get("B", "build")
ASSAY = os.environ.get("ASSAY", f"{BUILD}/assay")
SECONDS = 60

folder = tempfile.mkdtemp()
base, shards, bad = (f"{folder}/{n}.db" for n in ("base", "shards", "bad"))
subprocess.run([sys.executable, f"{ROOT}/sample.py", base, "2", "8"],
               check=True)
db = sqlite3.connect(base)
db.executescript("""
    CREATE TEMP TABLE r AS SELECT * FROM run WHERE id = 1;
    UPDATE r SET id = 9, uuid = replace(uuid, '1', '9'), plan_count = 0;
    INSERT INTO run SELECT * FROM r;
    INSERT INTO backend VALUES (9, 'swept', '1', 'swept.so', '');
    INSERT INTO sweep VALUES (1, 9, 1, 1, 'x', '65536', 0);
    INSERT INTO sweep VALUES (2, 9, 1, 1, 'y', '4294967296', 1);
    INSERT INTO sweep_part VALUES (1, 0, 65536, 65000, 0, 0, 750000, 15360, 9,
                                   NULL, 0, NULL, 1, 2);
    INSERT INTO sweep_part VALUES (2, 0, 100, 90, 1, 0, -1750000, 15360, 9,
                                   NULL, NULL, NULL, NULL, NULL);
    INSERT INTO sweep_bin VALUES (1, 0, 65536);
    INSERT INTO sweep_bin VALUES (2, 1, 100)""")
db.close()
for i in "12":
    subprocess.run([ASSAY, "run", "--backend",
                    f"{BUILD}/backends/evil/zero_sign.so", "--filter",
                    "Add/rules/*", "--shard", f"{i}/2", "--database", shards],
                   capture_output=True, check=False)


# ---- Verbs -----------------------------------------------------------------

class Page(html.parser.HTMLParser):
    VOID = {"meta", "link", "br", "hr", "img", "input", "col", "wbr"}

    def __init__(self, text):
        super().__init__()
        self.open, self.tags = [], set()
        self.feed(text)
        self.close()
        if set(self.open) - {"html", "body"}:
            raise ValueError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if any(name.startswith("on") for name, _ in attrs):
            raise ValueError(f"a handler: {attrs}")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("p", "li", "td", "th", "tr") or tag in self.open:
            while self.open and self.open.pop() != tag:
                pass


def parse_html(text):
    Page(text)
    if re.search(r"<script>alert", text):
        raise ValueError("a script")


def any_text(text):
    pass


OUT = f"{folder}/out"
# Words, {} being the database, and what must parse the output, or the file OUT.
VERBS = [(["report", "-f", f, "{}@all"], p) for f, p in (
    ("text", any_text), ("html", parse_html), ("json", json.loads),
    ("markdown", any_text), ("junit", xml.fromstring), ("tap", any_text),
    ("badge", xml.fromstring))] + [
    (["compare", "{}@1", "{}@2"], any_text),
    (["compare", "{}@1", "{}@2", "--html", OUT], any_text),
    (["explain", "-v", "{}"], any_text),
    (["explain", "-f", "json", "{}"], json.loads),
    (["diff", "{}@1", "{}@2"], any_text),
    (["diff", "--json", "{}@1", "{}@2"], json.loads),
    (["gate", "{}"], any_text),
    (["gate", "{}@2", "-b", "{}@1"], any_text),
    (["atlas", "{}"], any_text),
    (["atlas", "-f", "html", "{}"], parse_html),
    (["atlas", "-f", "json", "{}"], json.loads),
    (["atlas", "-f", "profile", "{}"], json.loads),
    (["expect", "{}@all"], any_text),
    (["bisect", "-v", "{}@all"], any_text),
    (["bisect", "--json", "{}@all"], json.loads),
]
MERGE = (["merge", "{}", "-o", OUT], any_text)


def run(words, database):
    """Exit status, output and messages as bytes."""
    if os.path.exists(OUT):
        os.remove(OUT)
    done = subprocess.run([ASSAY] + [w.replace("{}", database) for w in words],
                          capture_output=True, timeout=SECONDS, check=False)
    return done.returncode, done.stdout, done.stderr


def named(words):
    return " ".join(words).replace("{}", "DB").replace(OUT, "OUT")


def check_text(data):
    """The text, if it may be shown on a terminal."""
    text = data.decode("utf-8")
    for c in text:
        if c not in "\n\t" and (unicodedata.category(c) in ("Cc", "Zl", "Zp")
                                or unicodedata.bidirectional(c) in (
                                    "LRE", "RLE", "LRO", "RLO", "PDF", "LRI",
                                    "RLI", "FSI", "PDI") or c in "\u200e\u200f"):
            raise ValueError(f"U+{ord(c):04X}")
    return text


for words, parse in VERBS:
    status, out, err = run(words, base)
    ok(status in (0, 1), f"as it is: {named(words)}", err)


# ---- Schemas -----------------------------------------------------------------

def rewrite(table, old, new):
    """A definition replaced, as only writable_schema can."""
    return f"""PRAGMA writable_schema = 1;
        UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}')
        WHERE name = '{table}';
        PRAGMA writable_schema = 0"""


SLOW = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
VIEW = """DROP VIEW outcome; CREATE VIEW outcome AS SELECT 1 AS run, 1 AS plan,
    'a' AS name, 'Add' AS op, 'f32' AS type, NULL AS tier, 'pass' AS status,
    0 AS failure, 1 AS attempt, 0 AS time, 1 AS units, 1 AS correct, 0 AS bad,
    0 AS special, 0 AS error, 0 AS share, 0 AS worst_unit, '' AS worst_input,
    0 AS flags"""
SCHEMAS = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON result BEGIN"
                 " DELETE FROM wrong; END",
    "a trigger on the view": "CREATE TRIGGER t INSTEAD OF DELETE ON outcome"
                             " BEGIN SELECT 1; END",
    "another view": "CREATE VIEW v AS SELECT * FROM result",
    "a recursive view": f"CREATE VIEW v AS {SLOW} SELECT i FROM n",
    "outcome says pass": VIEW,
    "outcome never ends": "DROP VIEW outcome; CREATE VIEW outcome AS "
                          f"{SLOW} SELECT i AS run FROM n",
    "outcome is missing": "DROP VIEW outcome",
    "outcome is a table": "DROP VIEW outcome; CREATE TABLE outcome (run, status)",
    "result is a view": "ALTER TABLE result RENAME TO r; CREATE VIEW result AS"
                        " SELECT plan, 1 AS status, 1 AS attempt FROM r",
    "another table": "CREATE TABLE t (x)",
    "a virtual table": "CREATE VIRTUAL TABLE t USING fts5 (x)",
    "a table is missing": "DROP TABLE wrong",
    "another column": "ALTER TABLE result ADD COLUMN extra",
    "a column is missing": "ALTER TABLE detail DROP COLUMN at",
    "a column is renamed": "ALTER TABLE detail RENAME COLUMN at TO place",
    "a generated column": "ALTER TABLE result ADD COLUMN g AS"
                          " (hex(zeroblob(500000000)))",
    "an index": "CREATE INDEX i ON result (bad)",
    "an index of an expression": "CREATE INDEX i ON result"
                                 " (length(hex(zeroblob(100000))))",
    "a known index of something else": "DROP INDEX IF EXISTS result_status;"
                                       " CREATE INDEX result_status ON result"
                                       " (abs(bad))",
    "statistics": "ANALYZE",
    "a check": rewrite("result", "attempt INTEGER NOT NULL",
                       "attempt INTEGER NOT NULL CHECK (like(attempt, 1))"),
    "a collation": rewrite("status", "name TEXT NOT NULL",
                           "name TEXT COLLATE NOCASE NOT NULL"),
    "another type": rewrite("result", "bad INTEGER", "bad TEXT"),
    "another default": rewrite("result", "bad INTEGER", "bad INTEGER DEFAULT 0"),
    "a failure is none": "UPDATE status SET failure = 0",
    "a status has another name": "UPDATE status SET name = CASE id WHEN 1 THEN"
                                 " '-' ELSE 'pass' END WHERE id IN (1, 3)",
    "a virtual table of a known name": "DROP TABLE bin; CREATE VIRTUAL TABLE bin"
                                       " USING fts5 (x)",
    "a status is missing": "DELETE FROM status WHERE id = 3",
    "another status": "INSERT INTO status VALUES (99, 'fine', 0, '')",
    "runs share cases": "UPDATE run SET plan_first = 1, plan_count = 1000000",
}


def is_refused(name, words, database):
    try:
        status, out, err = run(words, database)
    except subprocess.TimeoutExpired:
        ok(False, f"{name}: {named(words)}", "no end")
        return
    ok(status == 2 and (not out or words[0] == "compare") and re.search(
        rb"spec/results\.sql|damaged", err), f"{name}: {named(words)}",
       f"{status} {out[:200]} {err}")


for name, sql in SCHEMAS.items():
    shutil.copyfile(base, bad)
    db = sqlite3.connect(bad)
    db.executescript(sql)
    db.close()
    one = name not in ("a trigger", "outcome says pass")
    for words, _ in VERBS[:1] if one else VERBS:
        is_refused(name, words, bad)
    is_refused(name, ["run", "--backend", "native", "--filter", "Not/rules/*",
                      "--database", "{}"], bad)
shutil.copyfile(shards, bad)
db = sqlite3.connect(bad)
db.executescript(SCHEMAS["a trigger"])
db.close()
is_refused("a trigger", MERGE[0], bad)

# ---- Texts -------------------------------------------------------------------

HOSTILE = [
    b"\x1b[2J\x1b]0;title\x07", b"\xff\xfe\x80\xc0\xaf\xed\xa0\x80\xf4\x90\x80",
    b"a\0b\0", b"]]><!--<script>alert(1)</script>", b"&amp;&lt;&#27;\"'",
    b"|`*_[x](y)#@all\\", b"one\ntwo\r\nthree\ttab\x0b\x0c\x08\x7f",
    "\u202egnp.\u2066\u2069\u200f\u061c".encode(), "\u2028\u2029\x85\x9b".encode(),
    b"\xef\xbf\xbe\xef\xbf\xbf\xef\xbb\xbf", b"not ok 1\nok 2 # SKIP",
    b"%s%n{}\\u0000\\x1b", b"]]>" * 40, b"x" * 5000 + b"\xe2\x82",
    # What is cut short is cut between characters.
    *(b"x" * n + 300 * "\u20ac".encode() for n in range(3)),
]


def columns(db):
    for (table,) in db.execute("SELECT name FROM sqlite_schema WHERE type ="
                               " 'table'").fetchall():
        for _, column, kind, *_ in db.execute(
                f"PRAGMA table_info({table})").fetchall():
            if kind == "TEXT" and table != "status":
                yield table, column


def fill(source, chosen, text, blob=False):
    """A copy whose columns of that kind begin with the text; their own text
    stays, so that what must be unique is."""
    shutil.copyfile(source, bad)
    db = sqlite3.connect(bad)
    db.execute("PRAGMA ignore_check_constraints = 1")
    for table, column in columns(db):
        if chosen not in (None, (table, column)):
            continue
        value = f"?1 || coalesce(CAST({column} AS BLOB), '')"
        kind = "BLOB" if blob else "TEXT"
        db.execute(f"UPDATE {table} SET {column} = CAST({value} AS {kind})",
                   (text,))
    db.commit()
    db.close()


def is_clean(name, words, parse):
    try:
        status, out, err = run(words, bad)
        text = check_text(out)
        check_text(err)
        good = status in (0, 1, 2)
        if status < 2:
            parse(text)
        if os.path.exists(OUT) and words[0] == "compare":
            with open(OUT, "rb") as f:
                parse_html(check_text(f.read()))
        why = f"{status} {err}"
    except (ValueError, xml.ParseError, subprocess.TimeoutExpired) as e:
        good, why = False, repr(e)
    ok(good, f"{name}: {named(words)}", why)
    return good and status < 2


# Only then has it been read.
read = 0
for i, text in enumerate(HOSTILE):
    fill(base, None, text, i % 3 == 1)
    for words, parse in VERBS:
        read += is_clean(f"text {i} everywhere", words, parse)
    fill(shards, None, text)
    is_clean(f"text {i} everywhere", *MERGE)
ok(read > len(HOSTILE) * len(VERBS) / 2, "most are read, not refused", read)

db = sqlite3.connect(base)
every = list(columns(db))
db.close()
read = 0
for i, chosen in enumerate(every):
    fill(base, chosen, b"".join(HOSTILE))
    for words, parse in VERBS[i % 4::4]:
        read += is_clean(".".join(chosen), words, parse)
ok(read > len(every) * len(VERBS) / 4 * 0.8, "so are most with one column", read)

# ---- Sizes -------------------------------------------------------------------

for column in ("message", "inputs", "program"):
    shutil.copyfile(base, bad)
    db = sqlite3.connect(bad)
    db.execute(f"UPDATE detail SET {column} = zeroblob(200000000)"
               " WHERE plan = (SELECT min(plan) FROM detail)")
    db.commit()
    db.close()
    status, out, err = run(["report", "-f", "text", "{}"], bad)
    ok(status == 2 and b"too big" in err, f"200 MB of {column}", (status, err))

shutil.rmtree(folder)
finish()
