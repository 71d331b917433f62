#!/usr/bin/env python3
# messages.t - what is said of a wrong plugin, an unknown name, a pattern that
# matches nothing; and the command that runs a case again.
#
# SPDX-License-Identifier: Apache-2.0
import contextlib
import json
import os
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__))
                + "/../../tools/test")
from tap import finish, ok  # noqa: E402

BUILD = os.environ.get("B", "build")
ASSAY = os.environ.get("ASSAY", f"{BUILD}/assay")
folder = tempfile.mkdtemp()


def assay(*arguments, program=ASSAY, **how):
    return subprocess.run([program, *arguments], capture_output=True,
                          text=True, timeout=100, **how)


def refused(name, want, *arguments):
    done = assay(*arguments)
    ok(done.returncode == 2 and re.search(want, done.stderr)
       and len(done.stderr.splitlines()) == 1, name,
       (done.returncode, done.stderr))


os.makedirs(f"{folder}/cases/Add")
with open(f"{folder}/cases/Add/a.json", "w") as f:
    number = {"shape": "f32[1]", "data": [1]}
    json.dump({"format": "assay-case/1", "op": "Add", "cases": [
        {"id": i, "why": "a number", "inputs": [number, number]}
        for i in ("one", "two", "long-one")]}, f)
RUN = ["run", "--cases", f"{folder}/cases", "--database", f"{folder}/r.db"]

# ---- What was judged ----------------------------------------------------------

for op, line in (("Add", "\n1 operation as expected\n"), ("Sin", "")):
    done = assay("run", "--backend", "example", "--filter", f"{op}/rules/*", "--database",
                 f"{folder}/{op}.db")
    ok(("as expected" in done.stdout) == (line != "") and line in done.stdout,
       f"{op}: only what was judged is as expected", done.stdout)

# ---- Paths --------------------------------------------------------------------

TOP = os.path.realpath(os.path.dirname(os.path.abspath(__file__)) + "/../..")
for where, want in ((TOP, "in cases matches"), (f"{TOP}/spec", f"in {TOP}/cases matches")):
    done = assay("run", "--backend", "example", "--filter", "None/*",
                 program=os.path.realpath(ASSAY), cwd=where)
    ok(done.returncode == 2 and done.stderr.endswith(f"{want}\n"),
       f"the suite's folder as a user in {where[len(TOP):] or 'the top'} would write it",
       done.stderr)
done = assay("run", "--backend", "example", "--filter", "Add/rules/*", "--database",
             os.path.realpath(folder) + "/at.db", program=os.path.realpath(ASSAY), cwd=TOP)
with contextlib.closing(sqlite3.connect(f"{folder}/at.db")) as db:
    places = [at for at, in db.execute("SELECT at FROM detail WHERE at IS NOT NULL")]
ok(places and all(re.fullmatch(r"cases/[^:]*\.json:\d+:\d+", at) for at in places),
   "a case's place in the suite as a user would write it", (done.stderr, places[:3]))

# ---- Plugins ------------------------------------------------------------------

with open(f"{BUILD}/backends/native.so", "rb") as f:
    whole = f.read()


def plugin(name, content):
    with open(f"{folder}/{name}.so", "wb") as f:
        f.write(content)
    return ["--backend", f"{folder}/{name}.so"]


# elf.h: e_machine is the half word at 18, e_type that at 16; EM_AARCH64 is 183
# and ET_EXEC 2.  A PJRT plugin is looked at likewise.
foreign = whole[:18] + struct.pack("<H", 183) + whole[20:]
program = whole[:16] + struct.pack("<H", 2) + whole[18:]
refused("a plugin that is cut short", r"truncated: 4096 bytes; its headers",
        *RUN, *plugin("short", whole[:4096]))
refused("one cut in its header", r"truncated: 30 bytes",
        *RUN, *plugin("header", whole[:30]))
if os.uname().machine != "aarch64":
    refused("one for another architecture", r"built for AArch64; this machine is ",
            *RUN, *plugin("foreign", foreign))
refused("a program", r"not a shared object \(link it with -shared\)",
        *RUN, *plugin("program", program))
refused("an empty file", r"not a shared object: empty",
        *RUN, *plugin("empty", b""))
refused("a text", r"not a shared object: no ELF header",
        *RUN, *plugin("text", b"#!/bin/sh\n"))
if os.path.exists(f"{BUILD}/backends/pjrt.so"):
    refused("a PJRT plugin that is cut short", r"truncated: 4096 bytes",
            *RUN, "--backend", f"pjrt:{folder}/short.so")
else:
    ok(True, "a PJRT plugin that is cut short # SKIP the adapter is not built")

# ---- Unknown names --------------------------------------------------------------

for option, name, nearest in (
        ("--backend", "natvie", "native"), ("--tier", "defualt", "default"),
        ("--profile", "Stict", "strict"), ("--filter", "Ad/*", "Add"),
        ("--form", "loop-33", "loop-3")):
    refused(f"{option} {name}", rf"'{re.escape(name)}'.*\(nearest: "
            f"'{nearest}'\\)", *RUN, option, name)
refused("a filter near no operation", r"'zzzzzz': no case of tier default in "
        r"\S+ matches$", *RUN, "--filter", "zzzzzz")
refused("an operation to sweep", r"'Atn' \(nearest: 'Atan'\)", "sweep", "Atn",
        "--type", "f16")
refused("a form of a report", r"'htlm' \(nearest: 'html'\)", "report",
        "--format", "htlm", "x.db")
for verb in ("run", "eval", "import"):
    refused(f"a program that does not exist: {verb}", f"assay {verb}: none.mlir: No such file or "
            "directory$", verb, "none.mlir")
done = assay("rnu")
ok(done.returncode == 2 and "rnu (nearest: 'run')" in done.stderr, "a command",
   done.stderr)
with open(f"{folder}/bad.json", "w") as f:
    json.dump({"format": "assay-case/1", "cases": [
        {"id": "x", "why": "y", "module": {"entry": "main", "computations": {
            "main": {"parameters": [], "body": [
                {"name": "a", "op": "Adr", "operands": []}],
                "result": "a"}}}}]}, f)
done = assay("lint", f"{folder}/bad.json")
ok("'Adr' (nearest: 'Add')" in done.stdout + done.stderr
   and "1 file, 0 cases, 2 problems\n" in done.stdout,
   "an operation in a case", done.stdout + done.stderr)

# ---- What matches nothing ---------------------------------------------------------

for glob in ("loop-7*", "scalar(nosuch)", "transposed(lhs)"):
    refused(f"--form {glob}", rf"unknown form '{re.escape(glob)}'", *RUN, "--form", glob)
for glob, said in (("loop-*", ""), ("scalar(rhs)", ""), ("none", ""),
                   ("scalar(init_value)", "assay run: warning: --form "
                    "'scalar(init_value)': no chosen case has this form\n")):
    done = assay(*RUN, "--form", glob, "--quiet")
    ok(done.returncode == 0 and done.stderr == said, f"--form {glob}",
       (done.returncode, done.stderr))

done = assay(*RUN, "--filter", "Add/a/one", "--filter", "Sbu/*", "--quiet")
ok(done.returncode == 0 and done.stderr == "assay run: warning: --filter "
   "'Sbu/*': no case of tier default matches (nearest: 'Sub')\n",
   "one of two filters that matches nothing is told, and the run continues",
   (done.returncode, done.stderr))
with open(f"{folder}/some.expect", "w") as f:
    f.write("# known\nfail? Add/a/one known\nfail Add/a/gone known\n"
            "fail Add/a/long-one of the tier full\n")
known = ["--expectations", f"{folder}/some.expect", "--quiet"]
done = assay(*RUN, *known)
ok(done.returncode == 0 and done.stderr == f"assay run: warning: {folder}/"
   "some.expect:3: 'Add/a/gone': no case matches\n",
   "an expectation that matches no case", done.stderr)
done = assay(*RUN, *known, "--filter", "*/two")
ok(done.stderr == "", "but not where cases are chosen", done.stderr)
with open(f"{folder}/some.expect", "w") as f:
    f.writelines(f"fail Add/b/{i} known\n" for i in range(9))
lines = assay(*RUN, *known).stderr.splitlines()
ok(len(lines) == 6 and "4 more expectations match no" in lines[-1],
   "many are counted", lines)

with open(f"{folder}/wide.expect", "w") as f:
    f.write("fail Add/* known\n" * 7)
done = assay(*RUN, "--filter", "Add/*", "--expectations",
             f"{folder}/wide.expect")
lines = done.stderr.splitlines()
ok(len(lines) == 6 and "wide.expect:1: would hide another kind of failure: the"
   " entry needs a cause, a nature or a size" in lines[0]
   and "2 more entries would hide" in lines[-1],
   "entries that hide everything are named", lines)

# ---- The command that runs a case again -----------------------------------------------

elsewhere = f"{folder}/it's here"
os.makedirs(elsewhere)
os.symlink(os.path.abspath(ASSAY), f"{elsewhere}/assay")
# ---- A deviation that changes nothing ---------------------------------------------

DEVIATES = [*RUN, "--form", "constant", "--backend", "reference",
            "--backend-option"]
for name, want, deviation in (
        ("an operand that no operation has",
         r"no operation has the operand 'nosuch'", "operand.zero(nosuch)"),
        ("with the nearest name", r"'lhz' \(nearest: 'lhs'\)",
         "operand.zero(lhz)"),
        ("an attribute that no operation has",
         r"no operation has the attribute 'dimensionz'",
         "attribute.reversed(dimensionz)"),
        ("an operand that Add lacks", r"changes no planned case: Add lacks",
         "operand.zero(init_value)"),
        ("a formula of other operations", r"changes no planned case",
         "formula.rsqrt-sqrt"),
        ("a place that no case has", r"changes no planned case",
         "results.zero-sign@in-loop"),
        ("start indices, which Add has none of", r"changes no planned case",
         "starts.modulo"),
        ("a conversion of others", r"changes no planned case",
         "memory.zeros + conversions.wrapped"),
        ("a pair of one", r"both are the same",
         "memory.zeros + memory.zeros")):
    refused(f"deviation={deviation}: {name}", want, *DEVIATES,
            f"deviation={deviation}")
OF_MAX = ["run", "--filter", "Max/*", *RUN[3:], "--backend", "reference",
          "--backend-option"]
# Max has programs with several computations: what these do is looked at.
for deviation in ("formula.cosh-half", "formula.exp-clamped@in-loop",
                  "results.flushed + formula.cosh-half@in-map"):
    refused(f"deviation={deviation}: what no program of Max has",
            r"Max lacks what it changes", *OF_MAX, f"deviation={deviation}")
done = assay(*OF_MAX, "deviation=formula.max-number@in-map")
ok(done.returncode == 1, "one that a Map of Max shows makes its cases fail",
   done.stdout + done.stderr)
# A program that is refused has no shapes.
os.makedirs(f"{folder}/refused/Add")
with open(f"{folder}/refused/Add/a.json", "w") as f:
    json.dump({"format": "assay-case/1", "op": "Add", "cases": [
        {"id": "c0", "why": "two shapes", "expect": {"error": "shape"},
         "inputs": [{"shape": "f32[2]", "data": [1, 2]},
                    {"shape": "f32[3]", "data": [1, 2, 3]}]}]}, f)
refused("a program that is refused", r"changes no planned case",
        "run", "--cases", f"{folder}/refused", *RUN[3:], "--backend",
        "reference", "--backend-option", "deviation=memory.zeros")
done = assay(*DEVIATES, "deviation=operand.zero(lhs)")
ok(done.returncode == 1, "one that Add has makes its cases fail",
   done.stdout + done.stderr)

run = [*RUN[:-1], f"{folder}/s.db", "--backend",
       os.path.abspath(f"{BUILD}/backends/evil/flip_bit.so"), "--timeout", "7"]
for program, where, path in (
        (f"{elsewhere}/assay", ".", None), ("./assay", elsewhere, None),
        ("assay", folder, f"{elsewhere}:{os.environ['PATH']}")):
    env = {**os.environ, "PATH": path or os.environ["PATH"]}
    done = subprocess.run([program, *run, "--json"], capture_output=True,
                          text=True, cwd=where, env=env, timeout=100)
    row = json.loads(done.stdout.splitlines()[0])
    ok("--timeout 7" in row["command"], "as this run was limited",
       row["command"])
    again = subprocess.run(row["command"] + f" --database '{folder}/t.db'",
                           shell=True, capture_output=True, text=True,
                           cwd=where, env=env, timeout=100)
    ok(again.returncode == 1 and re.search(r"^1 cases?: 1 fail", again.stdout,
                                           re.M),
       f"started as {program}: the command runs as it is printed",
       (row["command"], again.stdout, again.stderr))
shutil.rmtree(folder)
finish()
