#!/usr/bin/env python3
# inside.t - what spec/inside.md names is in the sources.
#
# SPDX-License-Identifier: Apache-2.0
import os
import pathlib
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

page = pathlib.Path("spec/inside.md").read_text()
text = "\n".join(p.read_text() for top in ("interp", "runner", "report")
                 for p in pathlib.Path(top).rglob("*.c"))
functions = set(re.findall(r"`(\w+)\(\)`", page)) | set(
    re.findall(r"'break (\w+)'", page))


def defined(name):
    return re.search(rf"(?m)^[a-z][\w *]*\b{name}\(|^{name}\(", text)


missing = sorted(f for f in functions if not defined(f))
ok(len(functions) > 20 and not missing,
   f"{len(functions)} functions of the walks exist", missing)
ok(not defined("judge_everything"), "and one that does not is missed")
files = re.findall(r"`((?:tools|runner|report|interp|spec|cases)/[\w./-]+)`", page)
gone = [f for f in files if not os.path.exists(f)]
ok(len(files) > 10 and not gone, "and so do its files", gone)
finish()
