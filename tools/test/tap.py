# tap.py - the Test Anything Protocol, for tests in Python.
#
# SPDX-License-Identifier: Apache-2.0
import sys

LINES = 100  # of what went wrong
number = failed = 0


def ok(good, name, why=""):
    """One check; why is shown if it fails."""
    global number, failed
    number += 1
    failed += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    if not good:
        for line in str(why).splitlines()[:LINES]:
            print(f"# {line}")


def figure(name, count):
    """A count for tools/checks/check-long."""
    print(f"# figure: {name}: {count}")


def finish():
    """Print the plan and end, with 1 if a check failed."""
    print(f"1..{number}")
    sys.exit(failed != 0)
