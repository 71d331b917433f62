#!/usr/bin/env python3
# english.t - tools/checks/check-english counts words where sentences are.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

FORTY = " ".join(["word"] * 40)


def check(text):
    with tempfile.NamedTemporaryFile("w", suffix=".md") as f:
        f.write(text)
        f.flush()
        return subprocess.run(["tools/checks/check-english", f.name],
                              capture_output=True, text=True)


for name, text, bad in (
        ("forty words", f"{FORTY}.", False),
        ("one more", f"{FORTY} more.", True),
        ("on two lines", FORTY.replace(" ", "\n", 1) + "\nmore.", True),
        ("two sentences", f"{FORTY}. {FORTY.capitalize()}.", False),
        ("a semicolon and a colon end none", f"a; b: {FORTY}.", True),
        ("an abbreviation ends none", f"see e.g. {FORTY}.", True),
        ("before a capital neither", f"see (e.g. X) {FORTY[10:]}.", True),
        ("a number after a point ends none", f"to 1. 5 {FORTY}.", True),
        ("items of a list", f"- {FORTY}\n- {FORTY}\n", False),
        ("an item over two lines", f"- a\n  {FORTY}\n", True),
        ("cells of a table", f"| {FORTY} | {FORTY} |\n", False),
        ("one cell", f"| {FORTY} more | x |\n", True),
        ("a list of names in a cell",
         f"| {', '.join(['Name'] * 50)} | x |\n", False),
        ("definitions", f"`a`: {FORTY[5:]}; `b`: {FORTY[5:]}\n", False),
        ("code in a block", f"Text:\n\n    {FORTY} more.\n\n", False),
        ("code in backquotes has forty words", f"`{FORTY}`.", False),
        ("and one more", f"`{FORTY}` word.", True),
        ("a table's row for each make target", "Others are\n\n" + "".join(
            f"| `make x{i}` | X ([what it gets wrong](x.md)) |\n"
            for i in range(9)), False),
        ("the same as a sentence", "Others are " + ", ".join(
            f"`make x{i}` for X ([likewise](x.md))" for i in range(9)) + ".",
         True),
        ("a stop in code ends none", f"`a. B` {FORTY}.", True),
        ("a tag has no words", f"{FORTY} <br title='a b'>.", False),
        ("less and greater are no tag", f"a < {FORTY}, b > c.", True),
        ("a sentence ends between them",
         f"{FORTY[5:]} <= 2. And {FORTY[10:]} >= 2.", False),
        ("the text of a link counts", f"[{FORTY}](x) more.", True),
        ("a heading", f"# {FORTY} more\n", True),
        ("parentheses that begin no sentence", f"a (b. c) {FORTY}.", True)):
    got = check(text)
    ok(got.returncode == bad, name, got.stderr)
# One helper writes "1 case" and "2 cases": text_plural.
got = subprocess.run(["git", "grep", "-nE", r'== 1 \? "[a-z ]*" *: "[a-z ]*s?"',
                      "--", "runner/*.c", "report/*.c", "tools/*.c"],
                     capture_output=True, text=True)
own = [x for x in got.stdout.splitlines()
       if "/test/" not in x and re.search(r': "s"|: "[a-z]+s"', x)]
ok(not own, "no plural of its own", own)
got = subprocess.run(["tools/checks/check-english"], capture_output=True, text=True)
ok(got.returncode == 0, "no document has a sentence above 40 words", got.stderr)
finish()
