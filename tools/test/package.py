# package.py - what tests of the Python package begin with.
#
# SPDX-License-Identifier: Apache-2.0
#
# Found are the library that was built, NumPy (else the file is skipped), and the
# environment in which the command finds the package.
import os
import sys

from sanitized import preload

ROOT = os.path.abspath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
sys.path.insert(0, f"{ROOT}/tools/python")
os.environ.setdefault("ASSAY_LIBRARY", os.path.abspath(
    os.environ.get("B", "build") + "/libassay.so"))
preload(os.environ["ASSAY_LIBRARY"])
try:
    import numpy as np  # noqa: F401
except ModuleNotFoundError:
    print("1..0 # SKIP no NumPy for /usr/bin/python3 (python3-numpy)")
    sys.exit(0)
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}/tools/python",
               "ASSAY_PYTHON": sys.executable}
ENVIRONMENT.pop("LD_PRELOAD", None)
