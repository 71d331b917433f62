#!/usr/bin/python3
# jax.t - jaxlib as a backend: element types, several devices, its start.
#
# SPDX-License-Identifier: Apache-2.0
#
# Needs `make jax`, and is skipped without it.  That these cases pass is what
# the whole run of report/findings/jax.md found.
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
sys.path[:0] = [f"{ROOT}/tools/test"]
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
PYTHON = os.path.abspath(os.environ.get("B", "build") + "/jax/bin/python")
if not os.path.exists(PYTHON):
    print("1..0 # SKIP no JAX: make jax")
    sys.exit(0)
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}/tools/python"}




def passes(pattern, count):
    """Are there count cases of the pattern, and does each pass?"""
    with tempfile.TemporaryDirectory() as folder:
        made = subprocess.run(
            [ASSAY, "run", "--filter", pattern, "--backend",
             f"process:{PYTHON} -m assay.backends.jax", "--cases",
             f"{ROOT}/cases", "--database", f"{folder}/results.db"],
            capture_output=True, text=True, env=ENVIRONMENT, check=False)
    ok(f"\n{count} cases: {count} pass\n" in made.stdout,
       f"{pattern}: {count} pass", made.stdout + made.stderr)


passes("Add/shapes/length@T=*,N=17", 4)  # bf16, f16, f32, f64
passes("AllReduce/rules/*", 10)  # several replicas

started = subprocess.run(
    [PYTHON, "-c", "import sys, assay.backends.jax as j; j.backend.opened({});"
     "print('jax._src' in sys.modules, len(j.backend.devices))"],
    capture_output=True, text=True, env=ENVIRONMENT, check=False)
ok(started.stdout == "False 4\n", "four devices, without the package jax",
   started.stdout + started.stderr)

finish()
