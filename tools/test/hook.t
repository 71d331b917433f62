#!/usr/bin/env python3
# hook.t - the hook of .pre-commit-hooks.yaml, its entry run as it stands.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

try:
    import yaml
except ImportError:
    print("1..0 # SKIP python3-yaml is not installed")
    sys.exit(0)

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
with open(".pre-commit-hooks.yaml") as f:
    hooks = yaml.safe_load(f)
ok([h["id"] for h in hooks] == ["assay-lint"], "one hook", hooks)
hook = hooks[0]
# What pre-commit requires of a hook, and what it takes for a filter.
ok({"id", "name", "entry", "language"} <= set(hook), "with what it must have")
chosen = {path: bool(re.search(hook["files"], path)) for path in (
    "cases/Add/rules.json", "vendor/assay/cases/Sin/mine.json",
    "spec/ops/Add.json", "tools/test/bad/x.json")}
ok(list(chosen.values()) == [True, True, False, False],
   "it is for case files", chosen)

with tempfile.TemporaryDirectory() as folder:
    os.mkdir(f"{folder}/bin")
    os.symlink(ASSAY, f"{folder}/bin/assay")
    os.makedirs(f"{folder}/cases/Add")
    env = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}")

    def run(*files):
        return subprocess.run([*shlex.split(hook["entry"]), *files], env=env,
                              cwd=folder, text=True, capture_output=True)
    for name in "rules.json", "errors.json":
        shutil.copy(f"cases/Add/{name}", f"{folder}/cases/Add/{name}")
    done = run("cases/Add/rules.json", "cases/Add/errors.json")
    ok(done.returncode == 0, "good files pass", done.stdout + done.stderr)
    with open(f"{folder}/cases/Add/bad.json", "w") as f:
        f.write(open("cases/Add/rules.json").read().replace("why", "wy", 1))
    done = run("cases/Add/rules.json", "cases/Add/bad.json")
    ok(done.returncode != 0 and "bad.json" in done.stdout + done.stderr,
       "a bad one is stopped, and named", done.stdout + done.stderr)
finish()
