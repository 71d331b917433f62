"""Where a command writes what it made: as report/whole_file.c does.

SPDX-License-Identifier: Apache-2.0
"""
import errno
import os
import sys
from typing import Optional


def write(text: str, path: Optional[str]) -> None:
    """Whole or not at all.  A device or a pipe is written to, not replaced."""
    if path in (None, "-"):
        sys.stdout.write(text)
        return
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return
    if os.path.exists(path) and not os.access(path, os.W_OK):
        # The folder may allow what the file does not.
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    part = f"{path}.part-{os.getpid()}"
    try:
        with open(part, "w", encoding="utf-8") as f:
            f.write(text)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)
