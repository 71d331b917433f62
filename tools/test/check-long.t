#!/usr/bin/env python3
# check-long.t - the steps of the long check: where they build, how they fail,
# how they end.
#
# SPDX-License-Identifier: Apache-2.0
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402

TOOL = os.path.abspath("tools/checks/check-long")
DIR = tempfile.mkdtemp()
with open(os.path.join(DIR, "Makefile"), "w") as f:
    f.write("""B ?= build
place:
	@echo "# figure: in $(B): 7"
bad:
	@echo no good; exit 3
endless:
	@sleep 1000 & echo $$! >pid; wait
""")


# The tool, whose own processes run for a while before it knows of them.
LATE = """
import runpy, subprocess, sys, time
class Late(subprocess.Popen):
    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        time.sleep(0.5)
subprocess.Popen = Late
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def start(*words, late=False):
    """As a make with two jobs starts it."""
    flags = " -j2 --jobserver-auth=3,4 -- V=1"
    tool = [sys.executable, "-c", LATE, TOOL] if late else [TOOL]
    return subprocess.Popen([*tool, *words], cwd=DIR, text=True,
                            env={**os.environ, "MAKEFLAGS": flags, "B": "no"},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


run = start("out", "place", "bad", "place B=out/other")
text = run.communicate()[0]
ok(run.returncode == 1, "a step that fails is a failure", text)
ok("| in out | 7 |" in text, "the folder reaches each step", text)
ok("| minutes | processor minutes |" in text, "with what each cost", text)
ok("| in out/other | 7 |" in text, "but one that names another", text)
ok(text.count("check-long: bad failed: exit 2, see out/long/bad.log") == 2,
   "the step that failed is named, and its log", text)
ok(text.index("bad failed") < text.index("LONG  place B=out/other"),
   "at once", text)
with open(os.path.join(DIR, "out/long/bad.log")) as f:
    log = f.read()
ok("no good" in log and "jobserver" not in log, "the log has what it said", log)

for number, late in ((signal.SIGINT, False), (signal.SIGTERM, False),
                     (signal.SIGHUP, False), (signal.SIGINT, True)):
    pid = os.path.join(DIR, "pid")
    if os.path.exists(pid):
        os.unlink(pid)
    run = start("out", "endless", "place", late=late)
    while not os.path.exists(pid) or not os.path.getsize(pid):
        time.sleep(0.01)
    with open(pid) as f:
        sleeper = int(f.read())
    os.kill(run.pid, number)
    text = run.communicate()[0]
    ok(run.returncode == 130 and "interrupted in endless" in text
       and "LONG  place" not in text, f"signal {int(number)} ends it", text)
    for _ in range(500):
        try:
            with open(f"/proc/{sleeper}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                    break
        except OSError:
            break
        time.sleep(0.01)
    else:
        ok(False, "and everything that it started")
        os.kill(sleeper, signal.SIGKILL)
        continue
    ok(True, "and everything that it started")
subprocess.run(["rm", "-rf", DIR], check=True)
finish()
