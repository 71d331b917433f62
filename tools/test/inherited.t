#!/usr/bin/env python3
# inherited.t - what a parent leaves to Assay does not change what it does.
#
# SPDX-License-Identifier: Apache-2.0
#
# Each state is set between fork and exec; then verbs that start children and
# verbs that do not must end with the code that they have without it.  The
# control sets nothing.
import os
import resource
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import rows  # noqa: E402
from tap import finish, ok  # noqa: E402

ASSAY = os.path.abspath(os.environ.get("ASSAY", "build/assay"))
CASES = os.path.abspath("cases")
TEMP = tempfile.TemporaryDirectory()
DIR = TEMP.name
SECONDS = 30


def ignore(*signals):
    def state():
        for s in signals:
            signal.signal(s, signal.SIG_IGN)
    return state


def block():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, signal.NSIG))


def close(*files):
    def state():
        for f in files:
            os.close(f)
    return state


def timer(which):
    return lambda: signal.setitimer(which, 0.02)


def removed():
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)


STATES = {
    "SIGCHLD ignored": ignore(signal.SIGCHLD),
    "SIGTERM, SIGALRM, SIGPIPE and SIGUSR1 ignored": ignore(
        signal.SIGTERM, signal.SIGALRM, signal.SIGPIPE, signal.SIGUSR1),
    "SIGINT and SIGHUP ignored": ignore(signal.SIGINT, signal.SIGHUP),
    "all signals blocked": block,
    "standard input closed": close(0),
    "standard error closed": close(2),
    "files 0 and 2 closed": close(0, 2),
    "a timer of elapsed time": timer(signal.ITIMER_REAL),
    "a timer of processor time": timer(signal.ITIMER_PROF),
    "umask 077": lambda: os.umask(0o077) and None,
    "a working folder that was removed": removed,
    "no core files, few open files": lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, (64, 64)),
}


def database(name):
    return os.path.join(DIR, name.replace(" ", "-") + ".db")


def run(name, state, *words):
    done = subprocess.Popen([ASSAY, *words], preexec_fn=state, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = done.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        done.kill()
        return None, "", f"{name}: no end after {SECONDS} s"
    return done.returncode, out, err


def suite(name, state):
    return run(name, state, "run", "--backend", "native", "--cases", CASES,
               "--filter", "Neg/rules/*", "--filter", "While/rules/*", "-q",
               "--jobs", "2", "--database", database(name))


def main():
    code, _, err = suite("control", lambda: None)
    ok(code == 0, "a run without any of it", err)
    want = rows.content(database("control"))
    for name, state in STATES.items():
        code, _, err = suite(name, state)
        good = code == 0 and all(
            rows.content(database(name))[t] == want[t] for t in rows.ROWS)
        ok(good, f"a run with {name}", f"{code} {err}")
        code, out, err = run(name, state, "eval", f"{CASES}/Neg/rules.json")
        ok(code == 0 and out, f"eval with {name}", f"{code} {err}")
    # SIGTERM ends a run whose parent ignored or blocked everything.
    for name, state in (("SIGCHLD and SIGTERM ignored",
                         ignore(signal.SIGCHLD, signal.SIGTERM)),
                        ("all signals blocked", block)):
        going = subprocess.Popen(
            [ASSAY, "run", "--backend", "native", "--cases", CASES, "-q",
             "--jobs", "1", "--database", database("long " + name)],
            preexec_fn=state, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        try:
            going.wait(2)
        except subprocess.TimeoutExpired:
            pass
        going.send_signal(signal.SIGTERM)
        try:
            code = going.wait(SECONDS)
        except subprocess.TimeoutExpired:
            going.kill()
            code = "no end"
        ok(code == 130, f"SIGTERM ends a run with {name}", code)
    finish()


main()
