#!/usr/bin/env python3
# sample.py - a results database with something of everything, from the schema.
#
# SPDX-License-Identifier: Apache-2.0
#
#     sample.py DATABASE [RUNS [CASES]]
#
# Made with Python's sqlite3, not with runner/store/store.c, so that reports are
# tested against the schema and not against our own writer.  CASES is how many
# plain rows each run has beyond the fixed ones.
import os
import random
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NASTY = "<script>alert('x')</script>&\"`|]]>\x07\u2028"

PASS, WARN, FAIL, UNSUPPORTED, CRASH, TIMEOUT, REFUSED, ACCEPTED, \
    WRONG_CLASS, XFAIL, XPASS, FLAKE, LIMIT = range(1, 14)

INEXACT = ["Exp", "Log", "Sin", "Tan", "Tanh", "Erf", "Pow", "Rsqrt", "Cbrt",
           "Logistic", "DotGeneral", "Reduce"]
EXACT = ["Abs", "Add", "And", "BroadcastInDim", "Clamp", "ConcatInDim",
         "ConvertElementType", "DynamicSlice", "Gather", "Max", "Mul", "Pad",
         "Reverse", "Scatter", "Select", "Slice", "Sort", "Sub", "Transpose"]
FLOATS = ["f8e4m3fn", "f16", "bf16", "f32", "f64"]
OTHERS = ["pred", "s8", "s32", "u8", "u64"]


class Run:
    def __init__(self, db, number, backend, version, state="complete"):
        self.db = db
        self.ids = {}
        self.first = 1 + db.execute(
            "SELECT coalesce(max(id), 0) FROM plan").fetchone()[0]
        self.next = self.first
        done = state == "complete"
        self.run = db.execute(
            "INSERT INTO run VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?,?,?,?,"
            "?,?,?,0,NULL,NULL,NULL)",
            (f"0000000{number}-0000-4000-8000-000000000000",
             "2026-05-04T03:02:01.000Z",
             "2026-05-04T03:02:41.500Z" if done else None,
             state, "0.1.0", "c0ffee", f"plan{number}",
             "18446744073709551615", None, "default", 2, "spec", "{}",
             f"assay run --backend {backend}",
             '{"system": "Linux", "processors": 2}',
             None if done else "interrupted", self.first)).lastrowid
        db.execute("INSERT INTO backend VALUES (?,?,?,?,?)",
                   (self.run, backend, version, f"/lib/{backend}.so", ""))
        db.execute("INSERT INTO property VALUES (?,?,?)",
                   (self.run, "flags", "-O2 " + NASTY))

    def id_of(self, table, name):
        if (table, name) not in self.ids:
            row = self.db.execute(f"SELECT id FROM {table} WHERE name = ?",
                                  (name,)).fetchone()
            self.ids[table, name] = row[0] if row else self.db.execute(
                f"INSERT INTO {table} (name) VALUES (?)", (name,)).lastrowid
        return self.ids[table, name]

    def plan(self, file, name, op, type_, variant=0, tier="default"):
        self.db.execute(
            "INSERT INTO plan VALUES (?,?,?,?,?,?,?,NULL,NULL)",
            (self.next, self.id_of("file", file), name, variant,
             self.id_of("op", op),
             self.id_of("type", type_) if type_ else None,
             self.id_of("tier", tier)))
        self.next += 1
        return self.next - 1

    def result(self, plan, status, units=1024, correct=1024, bad=0, special=0,
               error=None, worst=None, share=None):
        self.db.execute(
            "INSERT INTO result VALUES (?,?,1,?,?,?,?,?,?,?,?,?,NULL)",
            (plan, status, 123456, units, correct, bad, special, error,
             share, None if error is None and share is None else 17, worst))

    def detail(self, plan, message, requirements=None, name="x"):
        self.db.execute(
            "INSERT INTO detail VALUES (?,?,?,?,?,?,?)",
            (plan, message, requirements,
             f"assay run --backend native --case '{name}'",
             "cases/Exp/rounding.json:12:8",
             '[{"shape": "f32[4]", "random": {"seed": 7}}]',
             '{"op": "Exp", "operands": ["p0"]}'))

    def wrong(self, plan, n, place, type_, got, want, low, high, accept, error,
              operands=(), share=None):
        self.db.execute(
            "INSERT INTO wrong VALUES (?,?,0,0,?,?,?,?,?,?,?,?,?)",
            (plan, n, place, type_, got, want, low, high, accept, error,
             share))
        for k, (kind, bits, imaginary) in enumerate(operands):
            self.db.execute("INSERT INTO operand VALUES (?,?,?,?,?,?)",
                            (plan, n, k, kind, bits, imaginary))

    def bins(self, plan, counts):
        for b, n in counts.items():
            self.db.execute("INSERT INTO bin VALUES (?,?,?)", (plan, b, n))

    def remark(self, plan, name, units):
        self.db.execute("INSERT INTO remark VALUES (?,?,?)", (plan, name, units))

    def end(self):
        self.db.execute("UPDATE run SET plan_count = ? WHERE id = ?",
                        (self.next - self.first, self.run))


def add_failures(run):
    """The fixed rows that the tests ask for."""
    p = run.plan("Exp/rounding", "hard@T=f32,N=1024", "Exp", "f32")
    run.result(p, FAIL, 1024, 1000, 3, 1, -2500000, "f32:3f800000")
    run.detail(p, "3 of 1,024 elements are outside their set", "Add.degenerate",
               "Exp/rounding/hard@T=f32,N=1024")
    # exp(1) = 2.71828182845904...; as binary32 0x402df854.
    run.wrong(p, 0, "[17]", "f32", 0x402df856, 0x402df854, 0x402df853,
              0x402df855, "within 1 ulp", 2150000,
              [("f32", 0x3f800000, None)])
    run.wrong(p, 1, "[18]", "f32", 0x7fc00000, 0x3f000000, 0x3f000000,
              0x3f000000, "correctly rounded", None,
              [("f32", 0x3f800000, 0x40000000)])
    run.wrong(p, 2, "[19]", "f32", 0x80000000, 0, None, None, None, 0)
    run.bins(p, {0: 900, 3: 60, -4: 30, 6: 20, -7: 10, 18: 2, -20: 1, 128: 1})
    p = run.plan("Exp/special", NASTY, "Exp", "f32", 1)
    run.result(p, CRASH, None, None, None, None)
    run.detail(p, "killed by signal 11 " + NASTY, "No.such " + NASTY, NASTY)
    p = run.plan("Add/errors", "rank", "Add", None)
    run.result(p, ACCEPTED, None, None, None, None)
    run.detail(p, "expected shape, got a value", None, "Add/errors/rank")
    p = run.plan("Sort/exact", "unstable@T=s32", "Sort", "s32")
    run.result(p, WARN)
    run.detail(p, "results are flushed")
    run.remark(p, "flush", 7)
    run.remark(p, "sort.nan", 3)
    p = run.plan("Cholesky/exact", "spd@T=f64", "Cholesky", "f64")
    run.result(p, UNSUPPORTED, None, None, None, None)
    run.detail(p, "no Cholesky # here")
    p = run.plan("Exp/known", "far@T=f64", "Exp", "f64")
    run.result(p, XFAIL, 10, 9, 1, 0, 4000000, "f64:3ff0000000000000")
    run.plan("Add/shapes", "never-run", "Add", "f32")


def add_plain(run, rng, count):
    for i in range(count):
        inexact = i % 3 == 0
        op = rng.choice(INEXACT if inexact else EXACT)
        type_ = rng.choice(FLOATS if inexact else FLOATS + OTHERS)
        p = run.plan(f"{op}/sample", f"case{i}@T={type_},N=1024", op, type_,
                     i % 2)
        if not inexact or type_.startswith("f8"):
            run.result(p, PASS)
            continue
        error = rng.randrange(500001, 1400000) * rng.choice((1, -1))
        missed = rng.randrange(1, 60)
        run.result(p, PASS, 1024, 1024 - missed, 0, 0, error, "f32:40490fdb")
        run.bins(p, {0: 700, 2: 100, -3: 224 - missed, 5: missed - missed // 2,
                     -6: missed // 2})


def main():
    path = sys.argv[1]
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    if os.path.exists(path):
        os.unlink(path)
    db = sqlite3.connect(path, isolation_level=None)
    with open(os.path.join(HERE, "../../spec/results.sql")) as f:
        db.executescript(f.read())
    db.execute("BEGIN")
    rng = random.Random(1)
    names = [("native", "0.1.0"), ("pjrt-cpu", "xla 2026-01"),
             ("<b>evil</b>", "1&2")]
    for i in range(runs):
        run = Run(db, i + 1, *names[i % 3])
        if i % 2 == 0:
            add_failures(run)
        add_plain(run, rng, count)
        run.end()
    db.execute("COMMIT")
    db.close()


if __name__ == "__main__":
    main()
