#!/usr/bin/env python3
# ci.t - the steps of tools/ci/action.yml and workflow.yml, run as they stand.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
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

HOME = os.getcwd()
ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
with open("tools/ci/action.yml") as f:
    action = yaml.safe_load(f)
with open("tools/ci/workflow.yml") as f:
    workflow = yaml.safe_load(f)
folder = tempfile.mkdtemp()
summary = f"{folder}/summary.md"


def filled(text, inputs):
    return re.sub(r"\$\{\{ *inputs\.([\w-]+) *\}\}",
                  lambda m: inputs[m[1]], str(text))


def shell(step, inputs, where):
    """As the runner does: bash -eo pipefail."""
    env = dict(os.environ, GITHUB_STEP_SUMMARY=summary,
               **{k: filled(v, inputs) for k, v in step.get("env", {}).items()})
    return subprocess.run(["bash", "-eo", "pipefail", "-c",
                           filled(step["run"], inputs)], cwd=where, env=env,
                          text=True, capture_output=True)


def act(where, **given):
    """The action with these inputs: the first step that fails, or None."""
    for name, one in action["inputs"].items():
        if name not in given:
            assert not one.get("required"), name
            given[name] = one["default"]
    for step in action["runs"]["steps"]:
        ok(step["shell"] == "bash", f"{step['name']} has a shell")
        done = shell(step, given, where)
        if done.returncode:
            return step["name"], done.stdout + done.stderr
    return None, ""


# ---- The action --------------------------------------------------------------

options = "--filter Abs/rules/*"
failed, text = act(folder, backend="native", assay=ASSAY, options=options)
ok(failed is None, "a good backend passes", text)
ok(all(os.path.getsize(f"{folder}/assay.{s}") for s in ("db", "html", "xml"))
   and "wholly right" in open(summary).read(), "and leaves its reports")
shutil.copy(f"{folder}/assay.db", f"{folder}/good.db")
os.unlink(f"{folder}/assay.db")
failed, text = act(folder, backend="evil/flip_bit", assay=ASSAY, options=options)
ok(failed == "Gate" and "cases failed" in text, "a bad one is stopped by the gate",
   (failed, text))
shutil.copy(f"{folder}/assay.db", f"{folder}/bad.db")
failed, text = act(folder, backend="evil/flip_bit", assay=ASSAY, options=options,
                   baseline=f"{folder}/bad.db")
ok(failed is None, "unless it was as bad before", text)
failed, text = act(folder, backend="evil/flip_bit", assay=ASSAY, options=options,
                   baseline=f"{folder}/good.db")
ok(failed == "Gate" and "failed that did not before" in text, "or was better", (failed, text))
ok("### Since native" in open(summary).read(), "its summary says what changed")
failed, text = act(folder, backend="no-such-backend", assay=ASSAY)
ok(failed == "Judge", "a run that cannot begin fails at once", (failed, text))

# ---- The workflow ------------------------------------------------------------

steps = workflow["jobs"]["gate"]["steps"]
ok([s.get("uses", "").split("@")[0] for s in steps if "uses" in s]
   == ["actions/checkout", "./tools/ci", "actions/upload-artifact"]
   and os.path.exists("tools/ci/action.yml"), "what it uses is there")
where = f"{folder}/tree"
os.mkdir(where)
for name in os.listdir(HOME):
    if name not in (".git", "example.so"):
        os.symlink(f"{HOME}/{name}", f"{where}/{name}")
for step in steps:
    if "run" in step and step["run"].strip() == "make all":
        done = subprocess.run(["make", "-n", "all"], cwd=HOME, text=True,
                              capture_output=True)
        ok(done.returncode == 0, "make all is a target; the tests need it built",
           done.stderr)
    elif "run" in step:
        done = shell(step, {}, where)
        ok(done.returncode == 0, step["name"], done.stderr)
    elif step["uses"] == "./tools/ci":
        ok(set(step["with"]) <= set(action["inputs"]), "its inputs exist")
        failed, text = act(where, **dict({"assay": ASSAY}, **step["with"]))
        ok(failed is None, "the example passes the gate", text)
kept = steps[-1]["with"]["path"].split()
ok(all(os.path.exists(f"{where}/{name}") for name in kept),
   "what it keeps is there", kept)
shutil.rmtree(folder)
finish()
