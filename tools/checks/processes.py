# processes.py - process trees, for checks that stop or kill them.
#
# SPDX-License-Identifier: Apache-2.0
import os


def descendants(pid):
    """A process and all below it, of whatever group."""
    parent = {}
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as f:
                parent[int(name)] = int(f.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            pass
    found = [pid]
    for one in found:
        found += [p for p, of in parent.items() if of == one]
    return found


def running(text):
    """Those whose command line, its words joined by blanks, contains this."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as f:
                words = f.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if text in " ".join(words):
            found.append(int(name))
    return found


def send(pids, number):
    """A signal to each; one that is gone is not an error."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
