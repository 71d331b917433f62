# rows.py - what a results database holds, to compare two runs row by row.
#
# SPDX-License-Identifier: Apache-2.0
import sqlite3

ROWS = {
    "result": "status, attempt, units, correct, bad, special, error, share,"
              " worst_unit, worst_input, flags",
    "detail": "message, requirements, command, at, inputs, program",
    "wrong": "n, replica, output, place, type, got, want, low, high, accept,"
             " error, share",
    "operand": "n, k, type, bits, imaginary",
    "remark": "name, units",
    "cause": "n, name, text, units, moved, exact",
    "bin": "bin, count",
}


def content(path):
    """Every row of the latest run in a database but times, by full name of the
    case."""
    con = sqlite3.connect(path)
    run_id, first, count = con.execute(
        "select id, plan_first, plan_count from run order by id desc").fetchone()
    of = f"where p.id >= {first} and p.id < {first + count}"
    name_of = "f.name || '/' || p.name || p.variant"
    rows = {"plan": con.execute(
        f"select p.id - {first}, {name_of}, o.name, t.name, i.name from plan p"
        " join file f on f.id = p.file join op o on o.id = p.op"
        " left join type t on t.id = p.type left join tier i on i.id = p.tier"
        f" {of} order by p.id").fetchall()}
    for table, columns in ROWS.items():
        rows[table] = sorted(con.execute(
            f"select {name_of}, "
            + ", ".join("x." + c.strip() for c in columns.split(","))
            + f" from {table} x join plan p on p.id = x.plan"
            f" join file f on f.id = p.file {of}").fetchall(), key=repr)
    rows["run"] = con.execute(
        "select suite_version, case_set_hash, plan_hash, seed, filter, tier,"
        " profile, profile_json, state, note, shard, shards, whole"
        f" from run where id = {run_id}").fetchall()
    rows["backend"] = con.execute("select name, version, path, options from"
                                  f" backend where run = {run_id}").fetchall()
    rows["identity"] = con.execute("select member, value from identity"
                                   f" where run = {run_id}"
                                   " order by member").fetchall()
    rows["property"] = con.execute("select key, value from property"
                                   f" where run = {run_id}"
                                   " order by key").fetchall()
    con.close()
    return rows
