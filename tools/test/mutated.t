#!/usr/bin/python3
# mutated.t - assay import refuses programs with mistakes, each in one line.
#
# SPDX-License-Identifier: Apache-2.0
#
# mutants.py changes bytes, tokens and lines of programs as text, bytecode, HLO,
# and its message.  ASSAY_SEED=N draws others: with 4, two end the process of the bindings.
# ASSAY_LONG takes ASSAY_SAMPLES.
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import figure, finish, ok  # noqa: E402
from with_jax import ASSAY, ENVIRONMENT, JAX, ROOT  # noqa: E402

PERMITTED = {"accepted", "refused", "ended"}


def mutants(seed, count, folder, *files):
    done = subprocess.run(
        [JAX, f"{ROOT}/tools/test/mutants.py", str(seed), str(count), *files],
        capture_output=True, text=True,
        env={**ENVIRONMENT, "MUTANTS_KEEP": folder})
    lines = done.stdout.splitlines() or ["{}"]
    return json.loads(lines[-1]), lines[:-1], done.stderr


def check_kept(folder):
    """Where the bindings end their process, the command says so in a line."""
    for name in sorted(os.listdir(folder))[:20]:
        done = subprocess.run([ASSAY, "import", f"{folder}/{name}"],
                              capture_output=True, text=True, env=ENVIRONMENT)
        ok(done.returncode == 2 and done.stderr.count("\n") == 1
           and name in done.stderr, f"{name}: one line", done)


def check_oracle(folder):
    """The controls: what ends Python, and what has no line, is found."""
    with open(f"{folder}/mutants.py", "w", encoding="utf-8") as f:
        with open(f"{ROOT}/tools/test/mutants.py", encoding="utf-8") as g:
            f.write(g.read().replace("__file__", repr(g.name)).replace(
                "\nmain()\n", ""))
    for said, code, due in (
            ("Traceback (most recent call last):\n", 1, "trace"),
            ("", 7, "trace"), ("", 2, "lines"), ("a\nb\n", 2, "lines"),
            ("assay import: m.mlir: no line\n", 2, "place"),
            ("assay import: m.mlir:3:1: no\n", 2, ""), ("", 0, "")):
        done = subprocess.run(
            [JAX, "-c", "import mutants, os\npid = os.fork()\n"
             f"if not pid: os._exit({code})\n"
             "print(repr(mutants.fault('.mlir', b'', os.waitpid(pid, 0)[1], "
             f"{said!r})))"], capture_output=True, text=True, cwd=folder,
            env={**ENVIRONMENT, "PYTHONPATH":
                 f"{folder}:{ROOT}/tools/python"})
        ok(done.stdout == f"{due!r}\n", f"{code}, {said!r}: {due!r}", done)


def main():
    if not os.path.exists(JAX):
        ok(True, "programs with mistakes # SKIP make jax was not run")
        finish()
    seed = int(os.environ.get("ASSAY_SEED") or 4)
    count = int(os.environ.get("ASSAY_SAMPLES") or 3000) \
        if os.environ.get("ASSAY_LONG") else 40
    with tempfile.TemporaryDirectory() as folder:
        found, lines, errors = mutants(seed, count, folder)
        ok(sum(found.values()) == count and not set(found) - PERMITTED,
           f"mutants of programs, seed {seed}",
           "\n".join([line for line in lines
                      if line.split()[0] not in PERMITTED] + [errors]))
        figure("mutants of programs", sum(found.values()))
        check_kept(folder)
        check_oracle(folder)
    finish()


main()
