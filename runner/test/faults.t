#!/usr/bin/env python3
# faults.t - kills, signals, a busy machine and a frozen one change no verdict.
#
# SPDX-License-Identifier: Apache-2.0
#
# The expected result is the verdict table of a run that nothing disturbs, and of
# backends whose fault is in their file (runner/backends/evil).
import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../tools/test"))
from tap import figure, finish, ok  # noqa: E402

ASSAY = os.environ.get("ASSAY", "build/assay")
DIR = tempfile.mkdtemp()
CASES = os.path.join(DIR, "cases")
CASE_COUNT = 6  # five, and one of them with constants
MANY = os.path.join(DIR, "many")
CRASHES = os.path.join(DIR, "crashes")


def spell(folder, name, count):
    os.makedirs(os.path.join(folder, "Add"))
    with open(os.path.join(folder, "Add", f"{name}.json"), "w") as f:
        json.dump({"format": "assay-case/1", "op": "Add", "cases": [
            {"id": "n", "why": "many cases",
             "each": {"S": list(range(1, count + 1))},
             "inputs": [{"shape": "f32[4]",
                         "random": {"seed": "$S", "dist": "bits"}},
                        {"shape": "f32[4]",
                         "random": {"seed": 9, "dist": "bits"}}]}]}, f)


spell(CASES, "few", 5)
spell(MANY, "many", 20000)
spell(CRASHES, "crash", 300)


def command(backend, *options, cases=CASES, name="x"):
    return [ASSAY, "run", "--backend", backend, "--cases", cases, "--database",
            os.path.join(DIR, name + ".db"), "--json", *options]


def start(words, out=subprocess.PIPE, err=subprocess.PIPE):
    """In a group of its own, as a shell starts a job."""
    return subprocess.Popen(words, stdout=out, stderr=err, text=True,
                            start_new_session=True)


def end(run):
    out, err = run.communicate(timeout=300)
    rows = [json.loads(line) for line in out.splitlines()]
    return {r["name"]: r["status"] for r in rows}, run.returncode, err


def children(pid):
    """Of a process: pids."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat") as f:
                if int(f.read().rsplit(")", 1)[1].split()[1]) == pid:
                    found.append(int(name))
        except (OSError, ValueError, IndexError):
            pass
    return found


sent = {}


def send(pid, number):
    try:
        os.kill(pid, number)
        sent[number] = sent.get(number, 0) + 1
    except ProcessLookupError:
        pass


def ask(name, sql):
    db = sqlite3.connect(f"file:{DIR}/{name}.db?mode=ro", uri=True)
    try:
        return db.execute(sql).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        db.close()


def until(run, name, sql):
    """Wait until the database of a run has a row."""
    while run.poll() is None:
        try:
            if ask(name, sql):
                return
        except sqlite3.Error:
            pass
        time.sleep(0.002)


idle, code, err = end(start(command("native")))
ok(code == 0 and len(idle) == CASE_COUNT and set(idle.values()) == {"pass"},
   "a run that nothing disturbs", err)

# ---- Killed from outside: workers and judges, by signals of other people.
for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
    run = start(command("evil/slow", "--jobs", "2"))
    kills = 0
    while run.poll() is None and kills < 3:
        time.sleep(0.15)
        for pid in children(run.pid)[:2]:
            send(pid, number)
        kills += 1
    got, code, err = end(run)
    ok(code == 0 and got == idle, f"signal {number} to workers and judges",
       f"{code} {got} {err}")

# ---- Frozen: the runner alone, and all of it.
for whole in (False, True):
    run = start(command("evil/slow", "--timeout", "1", "--sleep-timeout", "1",
                        "--jobs", "2"))
    for _ in range(3):
        time.sleep(0.2)
        frozen = [run.pid] + (children(run.pid) if whole else [])
        for pid in frozen:
            send(pid, signal.SIGSTOP)
        time.sleep(2)
        for pid in frozen:
            send(pid, signal.SIGCONT)
    got, code, err = end(run)
    ok(code == 0 and got == idle,
       f"frozen three times, {'all' if whole else 'the runner alone'}",
       f"{code} {got} {err}")
    ok("were not confirmed" not in err, "and no timeout is seen", err)

# ---- Beside busy loops: the time limit is close to what a case computes.
loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
         for _ in range(4)]
run = start(command("evil/slow", "--timeout", "0.5", "--jobs", "4"))
got, code, err = end(run)
for loop in loops:
    loop.kill()
    loop.wait()
ok(code == 0 and got == idle, "beside four busy loops", f"{code} {got} {err}")

# ---- A call that takes 0.1 s of processor time is near a limit of 0.07 s: the
# second try may take twice as long; with a limit of 0.005 s that is too little.
got, code, err = end(start(command("evil/slow", "--timeout", "0.07",
                                   "--give-up", "0", "--jobs", "1")))
ok(code == 0 and got == idle and "were not confirmed" in err,
   "a call that exceeds the limit, but not twice the limit, has its verdict",
   f"{code} {got} {err}")
got, code, err = end(start(command("evil/slow", "--timeout", "0.005",
                                   "--give-up", "0", "--jobs", "1")))
ok(code == 1 and "timeout" in got.values(),
   "one that exceeds twice the limit is a timeout", f"{code} {got} {err}")

# ---- A backend that always hangs.
got, code, err = end(start(command("evil/hang_compile", "--timeout", "0.3",
                                   "--sleep-timeout", "0.3", "--jobs", "1",
                                   "--give-up", "9")))
ok(code == 1
   and list(got.values()) == ["timeout"] * 3 + ["missing"] * 3,
   "it sleeps: after a third of nine consecutive timeouts the rest is not run", f"{code} {got}")
note = ask("x", "select state, note from run order by id desc limit 1")[0]
ok(note[0] == "stopped" and note[1].startswith("3 consecutive timeouts"),
   "and the run says why", note)
got, code, err = end(start(command("evil/hang_compile", "--timeout", "0.3",
                                   "--sleep-timeout", "0.3", "--jobs", "1",
                                   "--give-up", "0")))
ok(code == 1 and list(got.values()) == ["timeout"] * CASE_COUNT, "or is, if so ordered",
   f"{code} {got}")

# ---- Interrupted while failures wait for their second try.
HELD = "select 1 from result where flags & 16 limit 1"
NOTES = {signal.SIGINT: "interrupted by SIGINT",
         signal.SIGTERM: "interrupted by SIGTERM", signal.SIGKILL: None}
for backend, first, numbers in (
        ("evil/fickle", "fail", (signal.SIGKILL, signal.SIGINT)),
        ("evil/flaky", "crash", (signal.SIGTERM,))):
    for number in numbers:
        note = NOTES[number]
        name = f"{first}-{int(number)}"
        state = os.path.join(DIR, name)
        os.environ["ASSAY_EVIL_STATE"] = state
        words = command(backend, "--jobs", "1", "--seed", "1", cases=MANY,
                        name=name)
        # Nobody would read its pipes while it is waited for.
        run = start(words, subprocess.DEVNULL, subprocess.DEVNULL)
        until(run, name, HELD)
        send(run.pid, number)
        run.wait()
        with open(state, "w"):
            pass
        held = ask(name, "select status.name from result join status on"
                         " status.id = result.status where flags & 16")
        ok(held == [(first,)], f"{name}: the failure has its row", held)
        run_note = ask(name, "select note from run")
        ok(run_note == [(note,)], f"{name}: and the run its note", run_note)
        got, code, err = end(start(words + ["--resume"]))
        flakes = [n for n, s in got.items() if s == "flake"]
        ok(code == 1 and len(flakes) == 1
           and set(got.values()) == {"flake", "pass"},
           f"{name}: resumed, it is a flake", f"{code} {len(got)} {err}")
        rows = ask(name, "select count(*) from result where flags & 16")
        ok(rows == [(0,)], f"{name}: and nothing is left to be tried", rows)
del os.environ["ASSAY_EVIL_STATE"]
got, code, err = end(start(command("evil/flip_bit", "--fail-fast",
                                   name="fast")))
ok(ask("fast", "select note from run")
   == [("stopped at the first failure (--fail-fast)",)], "another note")

# ---- The runner gets no more memory: the run ends, whatever it had to note.
run = start(command("evil/abort", "--jobs", "2", cases=CRASHES, name="memory"))
until(run, "memory", "select 1 from result limit 1")
try:
    with open(f"/proc/{run.pid}/statm") as f:
        used = int(f.read().split()[0]) * resource.getpagesize()
    resource.prlimit(run.pid, resource.RLIMIT_AS, (used, used))
except ProcessLookupError:
    pass
got, code, err = end(run)
# The limit is its processes', too: they may die before it is told.
ok(code in (1, 3, 71) and (code == 1 or "assay" in err),
   "without memory the run ends", f"{code} {err}")

# ---- The database is another run's.
first = start(command("evil/slow", "--jobs", "1", name="both"))
until(first, "both", "select 1 from run")
got, code, err = end(start(command("native", name="both")))
ok(code == 0 and got == idle, "a second run waits for the first", err)
ok(f"waiting for process {first.pid}" in err, "and says so", err)
first.communicate()
subprocess.run(["rm", "-rf", DIR], check=True)
figure("processes killed (runner, judges, workers)",
       sum(sent.get(n, 0)
           for n in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
figure("processes frozen", sent.get(signal.SIGSTOP, 0))
finish()
