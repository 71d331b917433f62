# with_jax.py - the command with the Python that `make jax` makes, for tests.
#
# SPDX-License-Identifier: Apache-2.0
#
# A test that uses it is skipped by name where there is no JAX.
import os

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
JAX = f"{ROOT}/build/jax/bin/python"
ENVIRONMENT = {**os.environ, "ASSAY_PYTHON": JAX, "JAX_PLATFORMS": "cpu",
               "PYTHONPATH": f"{ROOT}/tools/python"}
