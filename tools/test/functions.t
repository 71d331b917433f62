#!/usr/bin/env python3
"""functions.t - check-functions sees what is too long, too deep or too much.

SPDX-License-Identifier: Apache-2.0

The functions are written here line by line, so that their sizes are known.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import tap

CHECK = pathlib.Path(__file__).parents[1] / "checks/check-functions"


def complaints(*lines):
    """What is said of a file of these lines."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "a.c")
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        run = subprocess.run([CHECK, file], stderr=subprocess.PIPE, text=True,
                             check=False)
        said = run.stderr.replace(str(file), "a.c")
        tap.ok(run.returncode == bool(said), "the exit status", run.returncode)
        return said


def says(want, name, *lines):
    """A check of what is said."""
    said = complaints(*lines)
    tap.ok(said == want, name, said)


def body(count):
    """A function of count lines."""
    return ["int f(void)", "{"] + ["    ;"] * (count - 3) + ["}"]


def nested(levels):
    """One whose innermost loop is this deep."""
    return ["static void f(int n)", "{"] + [
        "    " * (k + 1) + "for (int i = 0; i < n; i++)"
        for k in range(levels)] + ["    " * (levels + 1) + "g();", "}"]


def taking(*parameters):
    """One with these parameters, in two lines."""
    return ["bool f(" + parameters[0] + ",",
            "       " + ", ".join(parameters[1:]) + ")", "{", "}"]


INTS = [f"int p{i}" for i in range(8)]
says("", "60 lines", *body(60))
says("a.c:1: 61 lines; 60 is the limit\n", "61 lines", *body(61))
says("a.c:63: 61 lines; 60 is the limit\n", "the second function", *body(60),
     "", "/* f(",  *body(61))
says("", "4 levels", *nested(4))
says("a.c:1: 5 levels; 4 is the limit\n", "5 levels", *nested(5))
says("", "7 parameters", *taking(*INTS[:7]))
says("a.c:1: 8 parameters; 7 is the limit\n", "8 parameters", *taking(*INTS))
says("", "arena and status aside", *taking("struct arena *a", *INTS[:7],
                                           "struct status *st"))
says("", "a pointer to a function is one parameter",
     *taking("int (*g)(int a, int b)", *INTS[:6]))
tap.finish()
