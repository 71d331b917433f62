# sanitized.py - a library that was built with the address sanitizer, in Python.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import sys


def preload(library):
    """Start this program again with the sanitizer's runtime, which has to be
    there first, if the library needs it.  Python's own leaks do not count."""
    try:
        with open(library, "rb") as f:
            needs = re.search(rb"libasan\.so\.\d+", f.read())
    except OSError:
        return
    if not needs or "libasan" in os.environ.get("LD_PRELOAD", ""):
        return
    os.environ["LD_PRELOAD"] = subprocess.run(
        ["gcc", f"-print-file-name={needs[0].decode()}"], text=True,
        capture_output=True, check=True).stdout.strip()
    options = os.environ.get("ASAN_OPTIONS", "")
    os.environ["ASAN_OPTIONS"] = f"{options}:detect_leaks=0".lstrip(":")
    os.execv(sys.executable, [sys.executable, *sys.argv])
