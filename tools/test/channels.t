#!/usr/bin/env python3
# channels.t - who waits for ever is named; functions of custom calls.
#
# SPDX-License-Identifier: Apache-2.0
#
# A backend that waits for ever does what the documents say (004:56,
# 004:1697), so programs that do are tested here and are not cases.
import json
import os
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")
HERE = os.path.dirname(os.path.abspath(__file__))
BACKENDS = ("reference", "native")

# The function of the documents' example (004:593-616), and others.
SOURCE = r"""
void myfunc(void *out, const void **in)
{
    const float *x = in[0];
    const float (*y)[3] = in[1];
    float (*z)[3] = out;
    z[0][0] = x[1] + y[1][0];
}
void first_of_tuple(void *out, const void **in)
{
    const void *const *tuple = in[0];
    *(int *)out = *(const int *)tuple[1];
}
void to_tuple(void *out, const void **in)
{
    void **tuple = out;
    *(int *)tuple[0] = *(const int *)in[0] + 1;
    *(int *)tuple[1] = *(const int *)in[0] + 2;
}
void scribble(void *out, const void **in)
{
    *(int *)out = 5;
    *(int *)in[0] = 6;
}
void crash(void *out, const void **in)
{
    *(volatile int *)16 = 1;
}
"""


def assay(*arguments):
    done = subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          timeout=100)
    return done.returncode, done.stdout + done.stderr


def array(shape, data):
    return {"shape": shape, "data": data}


def write(folder, *cases):
    os.makedirs(folder + "/CustomCall", exist_ok=True)
    path = folder + "/CustomCall/rules.json"
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": "CustomCall",
                   "cases": list(cases)}, f)
    return path


def call(name, shape, inputs, expect):
    case = {"id": name.replace("_", "-"), "why": "a test", "inputs": inputs,
            "attributes": {"call_target_name": name, "shape": shape}}
    if expect:
        case["expect"] = expect
    return case


def check_deadlocks(folder):
    due = {
        "deadlock/cycle": "device 0 waits in RecvDone 'got' for the Send "
        "of channel 2, device 1 waits in RecvDone 'got' for the Send of "
        "channel 1",
        "deadlock/tokens": "device 0 waits in Send 'send' for the Recv "
        "of channel 1, device 1 waits in Send 'send' for the Recv of channel "
        "2",
        "deadlock/no-recv": "device 0 waits in Send 'send' for the Recv "
        "of channel 1",
        "deadlock/once-too-often": "device 1 waits in RecvDone 'got' for "
        "the Send of channel 1",
    }
    code, out = assay("eval", HERE + "/deadlock/Send")
    ok(code == 0, "deadlocks are expected", out)
    for name, text in due.items():
        ok(f"{name}\n  rejected: structure: deadlock: {text}\n" in out, name,
           out)
    code, out = assay("eval", HERE + "/deadlock/AllReduce")
    ok(code == 0 and "deadlock: replica 1 waits in AllReduce 'y' for replica 0, "
       "which never arrives" in out, "a loop that one replica leaves", out)
    for backend in BACKENDS:
        code, out = assay("run", f"--backend={backend}", "-j1",
                          f"--cases={HERE}/deadlock",
                          f"--database={folder}/{backend}.db")
        ok(code == 0 and "5 pass" in out, f"{backend} finds deadlocks", out)


def check_functions(folder, so):
    x, y = array("f32[2]", [1, 2]), array("f32[2,3]", [[10, 20, 30],
                                                       [40, 50, 60]])
    z = array("f32[3,3]", [[42, 0, 0], [0, 0, 0], [0, 0, 0]])
    one, pair = array("s32[]", 7), [array("s32[]", 8), array("s32[]", 9)]
    cases = [
        call("myfunc", "f32[3,3]", [x, y], [z]),
        call("first_of_tuple", "s32[]", [{"tuple": pair}], [pair[1]]),
        call("to_tuple", "(s32[], s32[])", [one], pair),
    ]
    scribble = {"id": "scribble", "why": "operands are safe from it",
                "inputs": [one],
                "module": {"entry": "main", "computations": {"main": {
                    "parameters": ["s32[]"], "body": [
                        {"name": "a", "op": "CustomCall", "operands": ["p0"],
                         "attributes": {"call_target_name": "scribble",
                                        "shape": "s32[]"}},
                        {"name": "r", "op": "Add", "operands": ["a", "p0"]}],
                    "result": "r"}}}, "expect": [array("s32[]", 12)]}
    path = write(folder, *cases, scribble)
    names = ["myfunc", "first_of_tuple", "to_tuple", "scribble"]
    options = [f"--custom-call={n}={so}" for n in names]
    code, out = assay("eval", *options, path)
    ok(code == 0 and out.count("\n  ok") == 4, "eval", out)
    database = f"--database={folder}/r.db"
    for backend in BACKENDS:
        code, out = assay("run", f"--backend={backend}", f"--cases={folder}",
                          database, "-j1", *options)
        ok(code == 0 and "7 pass" in out,
           f"{backend}, as parameters and constants", out)
    code, out = assay("eval", path)
    ok(code == 3 and "no function registered for 'myfunc'" in out, "no option", out)
    for backend in BACKENDS:
        code, out = assay("run", f"--backend={backend}", f"--cases={folder}",
                          database, "-j1")
        ok("7 unsupported" in out, f"no option: {backend} says unsupported",
           out)
    code, out = assay("eval", f"--custom-call=myfunc={so}", path)
    ok("'to_tuple'" in out and "accept 42" in out, "only one of them", out)


def check_suite():
    """The suite's own cases, with and without their functions."""
    so = os.environ.get("B", "build") + "/custom-calls.so"
    options = [f"--custom-call={n}={so}" for n in
               ["myfunc", "no_operand", "three_alike", "three_types", "tuples"]]
    code, out = assay("lint", "--evaluate", *options, "cases/CustomCall")
    ok(code == 0 and "not evaluated" not in out, "cases/CustomCall", out)
    code, out = assay("lint", "--evaluate", "cases/CustomCall")
    ok(code == 0 and "7 cases are not evaluated, the last: CustomCall: no "
       "function registered for 'three_types'" in out, "no option: lint says so", out)


def check_crash(folder, so):
    write(folder, call("crash", "s32[]", [array("s32[]", 1)], None),
          call("assay.identity", "s32[]", [array("s32[]", 1)], None))
    for backend in BACKENDS:
        code, out = assay("run", f"--backend={backend}", f"--cases={folder}",
                          f"--database={folder}/{backend}.db", "-j1",
                          f"--custom-call=crash={so}")
        ok(code == 1 and "crash CustomCall/rules/crash" in out
           and "2 pass" in out,
           f"{backend}: a function that crashes costs its own case", out)


def check_wrong(path, so):
    for text, why in ((so, "expected NAME=PATH"), ("f=", "expected NAME=PATH"),
                      ("=" + so, "expected NAME=PATH"),
                      ("f=/no/such/file.so", "No such file"),
                      ("assay.f=" + so, "are reserved")):
        code, out = assay("eval", "--custom-call=" + text, path)
        ok(code == 2 and why in out, f"--custom-call={why}", out)
    code, out = assay("eval", f"--custom-call=myfunc={so}",
                      f"--custom-call=myfunc={so}", path)
    ok(code == 2 and "duplicate name 'myfunc'" in out, "the same name twice", out)
    write(os.path.dirname(os.path.dirname(path)),
          call("nothing", "s32[]", [array("s32[]", 1)], None))
    code, out = assay("eval", f"--custom-call=nothing={so}", path)
    ok(code == 3 and "has no function 'nothing'" in out, "no such function",
       out)
    code, out = assay("eval", f"--custom-call=nothing={path}", path)
    ok(code == 3 and "invalid ELF header" in out or "too short" in out,
       "no shared object", out)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_deadlocks(folder)
        so = folder + "/functions.so"
        with open(folder + "/functions.c", "w", encoding="utf-8") as f:
            f.write(SOURCE)
        subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", so,
                        folder + "/functions.c"], check=True)
        cases = folder + "/cases"
        check_functions(cases, so)
        check_crash(folder + "/crash", so)
        check_suite()
        check_wrong(cases + "/CustomCall/rules.json", so)
    finish()


main()
