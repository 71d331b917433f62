#!/usr/bin/env python3
# findings.t - tools/makers/make-findings: figures of a page are those of whole runs.
#
# SPDX-License-Identifier: Apache-2.0
#
# The counts of the small run follow by hand: of three additions, with
# parameters and with constants, under a deviation that reads the second operand
# as zero, the one that adds zero is right.
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
ELSEWHERE = "Atan/shapes/length@T=f32,N=50"  # of the shipped suite, tier full
PAGE = """# A page

<!-- figures: runs -->
<!-- end -->

    build/assay run --backend x --filter 'Add/a/c*'

<!-- figures: cases -->
<!-- end -->

<!-- figures: causes -->
<!-- end -->

    build/assay run --backend x --tier full --filter 'ELSEWHERE'

<!-- figures: cases -->
<!-- end -->
""".replace("ELSEWHERE", ELSEWHERE)


def make(folder, *arguments):
    done = subprocess.run(["tools/makers/make-findings", *arguments],
                          capture_output=True, text=True,
                          env={**os.environ, "FINDINGS": folder,
                               "ASSAY": ASSAY})
    return done.returncode, done.stdout + done.stderr


def run(folder, *options):
    database = f"{folder}/r.db"
    if os.path.exists(database):
        os.unlink(database)
    subprocess.run([ASSAY, "run", "--backend", "reference", "--cases",
                    f"{folder}/cases", "--database", database, "-j", "1",
                    "--form", "constant",
                    "--backend-option", "deviation=operand.zero(rhs)",
                    *options], capture_output=True)
    return database


def write_cases(folder):
    os.makedirs(f"{folder}/cases/Add")
    cases = [{"id": f"c{k}", "why": "w", "inputs": [
        {"shape": "s32[2]", "data": [1, 2]},
        {"shape": "s32[2]", "data": [k, k]}]} for k in range(3)]
    with open(f"{folder}/cases/Add/a.json", "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": "Add", "cases": cases}, f)


with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder) / "README.md"
    other = pathlib.Path(folder) / "other.md"
    write_cases(folder)
    page.write_text(PAGE, encoding="utf-8")
    code, out = make(folder, "--check")
    ok(code == 2 and "no runs" in out, "without a run there are no figures",
       out)
    code, out = make(folder, "--run", f"old={run(folder, '-f', 'Add/*')}")
    ok(code == 2 and "not a whole one" in out and page.read_text() == PAGE,
       "a filtered run is refused, and nothing is written", out)
    database = run(folder)
    code, out = make(folder, "--run", f"old={database}")
    text = page.read_text(encoding="utf-8")
    ok(code == 0 and "| fail | 4 |" in text and "| pass | 2 |" in text,
       "the counts of the run", out + text)
    row = text.split("| processor | ")[1].split(" |")[0].split(", ")
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        flags = f.read().split()
    ok(("AVX-512" in row[1:]) == ("avx512f" in flags)
       and ("AVX512-BF16" in row[1:]) == ("avx512_bf16" in flags)
       and ("AVX2" in row[1:]) == ("avx2" in flags and "avx512f" not in flags),
       "the processor's extensions are those of /proc/cpuinfo", row)
    ok("Cases that fail: 4 of 6." in text,
       "how many of the command's cases are wrong", text)
    ok("\nNot in the default tier: not measured in these runs.\n" in text
       and "0 of 0" not in text, "of none that it is not measured", text)
    ok("| 4 of 4 (100.0 %) |" in text, "and how many are explained", text)
    code, out = make(folder, "--check", "--run", f"old={database}")
    ok(code == 0 and not out, "the page is that of the run", out)
    page.write_text(text.replace("fail: 4 of 6", "fail: 3 of 6"),
                    encoding="utf-8")
    code, out = make(folder, "--check")
    ok(code == 1 and "README.md: its figures are not" in out
       and "fail: 3 of 6" in page.read_text(),
       "a figure that was changed by hand is found", out)
    code, out = make(folder)
    ok(code == 0 and page.read_text() == text, "and made anew", out)
    for wrong, part in (("figures: run -->", "unknown figures 'run'"),
                        ("figures: runs", "without its '<!-- end -->'")):
        page.write_text(text.replace("figures: runs -->", wrong, 1)
                        if "end" not in part
                        else text.replace("<!-- end -->", "", 1),
                        encoding="utf-8")
        code, out = make(folder)
        ok(code == 2 and part in out, f"exit code 2: {part}", out)
    page.write_text(text.replace(ELSEWHERE, "Atan/shape/*"), encoding="utf-8")
    code, out = make(folder, "--run", f"old={database}")
    ok(code == 2 and "'Atan/shape/*': no case of the suite" in out,
       "a filter that no case has is misspelt", out)
    page.write_text(text, encoding="utf-8")
    other.write_text(PAGE, encoding="utf-8")
    code, out = make(folder)
    ok(code == 2 and "other.md: figures.json has no run of it" in out,
       "a page without its run", out)
    code, out = make(folder, "--run", f"other={database}", "--run",
                     f"new={database}")
    ok(code == 0 and other.read_text() == text.replace("| old |", "| other |"),
       "a page has the figures of the run with its name", out)
    ok("Cases that fail: old 4 of 6, new 4 of 6." in page.read_text()
       and "| fail | 4 | 4 |" in page.read_text(),
       "README.md has those of two runs", page.read_text())
    known = f"{folder}/known.json"
    pathlib.Path(known).write_text(json.dumps({
        "format": "assay-expectations/1", "backend": "reference", "expect": [
            {"pattern": f"Add/a/c{k}*", "kind": "fail", "nature": "value",
             "reason": "planted"} for k in range(2)]}), encoding="utf-8")
    code, out = make(folder, "--run",
                     f"old={run(folder, '--expectations', known)}")
    text = page.read_text(encoding="utf-8")
    ok(code == 0 and "| fail | 4 | 4 |" in text
       and "old 4 of 6, new 4 of 6." in text
       and "| of which without a value (refused, crash, limit) | 0 | 0 |" in text,
       "a right case that was expected to fail is not wrong", out + text)
    code, out = make(folder, "--run", "older=x.db")
    ok(code == 2 and "expected old or new or other" in out, "an unknown name", out)
    code, out = make(folder, "--run", "new=nowhere.db")
    ok(code == 2 and "no such database" in out, "a missing database", out)

with tempfile.TemporaryDirectory() as folder:
    # A run of the shipped suite is current; one of other cases is not, nor is
    # one whose digest is unknown.
    page = pathlib.Path(folder) / "README.md"
    page.write_text("<!-- figures: suites -->\n<!-- end -->\n", encoding="utf-8")
    write_cases(folder)
    make(folder, "--run", f"old={run(folder)}")
    text = page.read_text(encoding="utf-8")
    ok("no: measured on another suite" in text
       and "1 of 1 runs are not of today's suite" in text,
       "a run of another suite is not current", text)
    store = pathlib.Path(folder) / "figures.json"
    data = json.loads(store.read_text(encoding="utf-8"))
    database = f"{folder}/shipped.db"
    subprocess.run([ASSAY, "run", "--backend", "reference", "--filter",
                    "Abs/rules/*", "--database", database],
                   capture_output=True)
    base = sqlite3.connect(database)
    today = base.execute("SELECT value FROM identity WHERE member = 'suite'"
                         ).fetchone()[0]
    for digest, expected, what in (
            (today, "| yes |", "a run of the shipped suite is current"),
            (None, "before digests were recorded | no:",
             "one without a digest is not")):
        data["runs"]["old"]["digest"] = digest
        store.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n",
                         encoding="utf-8")
        code, out = make(folder, "--check")
        ok(code == 1 and "its figures are not" in out,
           f"{what}: the page that says otherwise fails", out)
        make(folder)
        text = page.read_text(encoding="utf-8")
        ok(expected in text, what, text)
        code, out = make(folder, "--check")
        ok(code == 0, f"{what}: and the page made anew does not", out)

code, out = make("report/findings", "--check")
ok(code == 0, "report/findings has the figures of its runs", out)
finish()
