#!/usr/bin/env python3
# layers.t - tools/checks/check-layers finds what a room must not include.
#
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

CHECK = pathlib.Path("tools/checks/check-layers").resolve()


def check(files):
    """What is said of a tree; files: what each of them includes."""
    with tempfile.TemporaryDirectory() as root:
        for name, targets in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'#include "{t}"\n' for t in targets))
        return subprocess.run([CHECK], cwd=root, capture_output=True,
                              text=True)


UP = "interp/base/a.c:1: interp/base must not include interp/exact/real.h"
for name, files, said in (
        ("an include of a lower room",
         {"interp/exact/a.c": ["interp/base/arena.h"]}, ""),
        ("an include of the own room",
         {"interp/base/a.c": ["interp/base/arena.h"]}, ""),
        ("a header that is allowed alone",
         {"interp/ops/a.c": ["interp/fast/enclosure.h"]}, ""),
        ("its neighbour", {"interp/ops/a.c": ["interp/fast/other.h"]},
         "interp/ops must not include interp/fast/other.h"),
        ("an upward include", {"interp/base/a.c": ["interp/exact/real.h"]}, UP),
        ("one in the second line",
         {"interp/base/a.c": ["interp/base/a.h", "interp/judge/judge.h"]},
         "interp/base/a.c:2: interp/base must not"),
        ("an upward include of a header",
         {"interp/program/a.h": ["interp/judge/judge.h"]}, "must not include"),
        ("a plugin that includes the product",
         {"runner/backends/evil/a.c": ["interp/base/arena.h"]},
         "must not include"),
        ("a test includes what it wants",
         {"interp/test/a.c": ["runner/store/store.h"]}, ""),
        ("an unknown room", {"interp/attic/a.c": []},
         "interp/attic/a.c: the folder is not in"),
        ("a room of the wrong top", {"report/base/a.c": []},
         "report/base/a.c: the folder is not in"),
        ("two headers that include each other",
         {"interp/base/a.h": ["interp/base/b.h"],
          "interp/base/b.h": ["interp/base/a.h"]}, "cycle of includes:"),
        ("three of them",
         {"interp/base/a.h": ["interp/base/b.h"],
          "interp/base/b.h": ["interp/base/c.h"],
          "interp/base/c.h": ["interp/base/a.h"]}, "cycle of includes:"),
        ("a diamond is no cycle",
         {"interp/base/a.h": ["interp/base/b.h", "interp/base/c.h"],
          "interp/base/b.h": ["interp/base/d.h"],
          "interp/base/c.h": ["interp/base/d.h"],
          "interp/base/d.h": []}, "")):
    got = check(files)
    ok(got.returncode == bool(said) and said in got.stderr
       and bool(got.stderr) == bool(said), name, got.stderr)

# The table itself: a room that may include one above it.
with tempfile.NamedTemporaryFile("w", suffix=".py") as f:
    text = CHECK.read_text()
    row = '"interp/base": set(),'
    f.write(text.replace(row, '"interp/base": {"interp/judge"},'))
    f.flush()
    got = subprocess.run([sys.executable, f.name], capture_output=True,
                         text=True)
    ok(row in text and got.returncode == 1
       and "cycle of includes:" in got.stderr and "interp/judge" in got.stderr,
       "a cycle of rooms", got.stderr)

got = subprocess.run([CHECK], capture_output=True, text=True)
ok(got.returncode == 0 and not got.stderr, "the sources", got.stderr)
finish()
