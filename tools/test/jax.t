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
    ok(f"\n{count} case{'s' * (count != 1)}: {count} pass\n" in made.stdout,
       f"{pattern}: {count} pass", made.stdout + made.stderr)


passes("Add/shapes/length@T=*,N=17", 4)  # bf16, f16, f32, f64
passes("AllReduce/rules/*", 10)  # several replicas

# 5 / 3 is one number, 5 * (1 / 3) the next: XLA:CPU multiplies by the reciprocal
# of a divisor that is broadcast, and divides by one that is a parameter.  Its
# cbrt of a subnormal number is wrong wherever it stands.
checked = subprocess.run(
    [PYTHON, "-c", "import numpy as np, jax.numpy as jnp, assay\n"
     "print(assay.check_jax(lambda x, y: x / y, np.float32([[5, 1]]),"
     " np.float32([[3]])))\n"
     "print(assay.check_jax(jnp.cbrt, np.float32([1e-45])))"],
    capture_output=True, text=True, check=False,
    env={**ENVIRONMENT, "ASSAY_LIBRARY": f"{os.path.dirname(ASSAY)}/libassay.so"})
ok("stablehlo.divide" in checked.stdout
   and "it is right: it is wrong only beside other operations"
   in checked.stdout,
   "a quotient that is replaced beside a broadcast is right alone",
   checked.stdout + checked.stderr)
ok(checked.stdout.count("wrong operation: ") == 2
   and "wrong operation: stablehlo.cbrt" in checked.stdout
   and checked.stdout.count("it is wrong only beside") == 1,
   "cbrt is wrong alone, too", checked.stdout + checked.stderr)

# NumPy's f64 is f32 to JAX, unless x64 is enabled.  A program of nothing but its
# argument has no operation, and one that cannot be imported no verdict.
judged = subprocess.run(
    [PYTHON, "-c", "import numpy as np, jax.numpy as jnp, assay\n"
     "from assay.jax_check import Check\n"
     "c = assay.check_jax(jnp.cbrt, np.array([1e-45]))\n"
     "print(bool(c), c.judged, c.first.verdict.wrong[0].expected)\n"
     "c = assay.check_jax(jnp.sin, np.array([0.5]))\n"
     "print(bool(c), c.judged, c.whole.status)\n"
     "print(bool(Check(None, 'refused', (), (), 0, (('x', 'y'),))),"
     " Check(None, 'refused', (), (), 0, ()))\n"
     "c = assay.check_jax(jnp.sin, np.zeros((0, 3), 'f'))\n"
     "print(bool(c), c.judged, c.why)\n"
     "c = assay.check_jax(lambda x: jnp.sum(x), np.zeros((0, 3), 'f'))\n"
     "print(bool(c), c.judged > 0)"],
    capture_output=True, text=True, check=False,
    env={**ENVIRONMENT, "ASSAY_LIBRARY": f"{os.path.dirname(ASSAY)}/libassay.so"})
ok(judged.stdout.splitlines() == [
    "False 1 1.1190347e-15", "True 1 pass",
    "False result: not judged: refused", "no operation was judged",
    "False 0 the result has no elements", "True True"],
   "operands are cast as JAX casts them; nothing judged is not right",
   judged.stdout + judged.stderr)

# Python within the program ends no process; a typed key is its words, and a
# static argument none of the compiled function.
judged = subprocess.run(
    [PYTHON, "-c", "import jax, numpy as np, assay\n"
     "x = np.float32([1, 2])\n"
     "def f(x):\n"
     "  y = jax.pure_callback(np.sin, jax.ShapeDtypeStruct((2,), 'f'), x)\n"
     "  return y + x * x\n"
     "c = assay.check_jax(f, x)\n"
     "print(bool(c), c.whole, c.judged, 'CustomCall' in c.why)\n"
     "c = assay.check_jax(jax.random.split, jax.random.key(0))\n"
     "print(bool(c), c.whole.status)\n"
     "c = assay.check_jax(lambda x, n: x * n, x, 3, static_argnums=-1)\n"
     "print(bool(c), c.whole.status)"],
    capture_output=True, text=True, check=False,
    env={**ENVIRONMENT, "ASSAY_LIBRARY": f"{os.path.dirname(ASSAY)}/libassay.so"})
ok(judged.stdout.splitlines() == ["True None 1 True", "True pass", "True pass"],
   "a callback, a key, a static argument", judged.stdout + judged.stderr)

started = subprocess.run(
    [PYTHON, "-c", "import sys, assay.backends.jax as j; j.backend.opened({});"
     "print('jax._src' in sys.modules, len(j.backend.devices))"],
    capture_output=True, text=True, env=ENVIRONMENT, check=False)
ok(started.stdout == "False 4\n", "four devices, without the package jax",
   started.stdout + started.stderr)

finish()
