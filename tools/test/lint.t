#!/usr/bin/env python3
# lint.t - assay lint: what it tells, and how it ends.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import subprocess
import sys
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def lint(*arguments):
    done = subprocess.run([ASSAY, "lint", *arguments], capture_output=True,
                          text=True, timeout=600, errors="replace")
    return done.returncode, done.stdout, done.stderr


PAIR = [{"shape": "f32[2]", "data": [1, 2]}, {"shape": "f32[2]", "splat": 3}]


def case(**members):
    return {"id": "x", "why": "a test", "inputs": PAIR, **members}


def text_of(*cases, **members):
    return json.dumps({"format": "assay-case/1", "op": "Add", **members,
                       "cases": list(cases)})


def entries(**members):
    return json.dumps({"format": "assay-expectations/1", "expect": [
        {"pattern": "Exp/*", "kind": "fail", "reason": "seen", **members}]})


# What stands in a file, and what lint must say of it (None: nothing).
SUM = [{"shape": "f32[2]", "data": [4, 5]}]
FILES = {
    "good": (text_of(case(expect=SUM)), None),
    "narrow expectations": (entries(nature="special"), None),
    "wide expectations": (entries(),
                          "would hide another kind of failure: the entry "
                          "needs a cause, a nature or a size"),
    "expectations until no day": (entries(until="soon"), "YYYY-MM-DD"),
    "expected error": (text_of(case(inputs=PAIR[:1],
                                    expect={"error": "structure"})), None),
    "two bad inputs": (text_of(case(inputs=[
        {"shape": "s8[]", "data": 1000}, {"shape": "s8[]", "data": 1.5}])),
        "/cases/0/inputs/0/data: 1000: outside"),
    "covers": (text_of(case(covers=["Add.value"])), None),
    "policies": (text_of(case(policies=["max.nan"])), None),
    "unknown requirement": (text_of(case(covers=["Add.nothing"])),
                            "/cases/0/covers/0: unknown requirement"),
    "constraint": (text_of(case(covers=["Add.error.sizes"],
                                expect={"error": ["type", "shape"]},
                                inputs=[{"shape": "f32[2]", "splat": 1},
                                        {"shape": "f32[3]", "splat": 1}])),
                   None),
    "unknown constraint": (text_of(case(covers=["Add.error.size"])),
                           "/cases/0/covers/0: unknown requirement or "
                           "constraint 'Add.error.size'"),
    "constraint without its error": (
        text_of(case(covers=["Add.error.sizes"])),
        "/cases/0/covers/0: constraint 'Add.error.sizes' covered by a case "
        "that does not expect the error 'shape'"),
    "constraint with another error": (
        text_of(case(covers=["Add.error.element-type"],
                     expect={"error": "shape"})),
        "that does not expect the error 'type'"),
    "requirement twice": (text_of(case(covers=["Add.value", "Add.value"])),
                          "/cases/0/covers/1: duplicate requirement"),
    "unknown policy": (text_of(case(policies=["max.man"])),
                       "/cases/0/policies/0: unknown policy"),
    "unknown choice": (text_of(case(policies={"max.nan": "maybe"})),
                       "/cases/0/policies/max.nan: policy"),
    "unknown profile": (text_of(case(profile="lax")),
                        "/cases/0/profile: unknown profile"),
    "unknown operation": (text_of(case(), op="Plus"), "/op: unknown operation"),
    "rejected": (text_of(case(inputs=PAIR[:1])),
                 "/cases/0: the program is rejected: structure"),
    "other class": (text_of(case(inputs=PAIR[:1], expect={"error": "type"})),
                    "expected type, but the program is rejected: structure"),
    "accepted": (text_of(case(expect={"error": "shape"})),
                 "/cases/0/expect: expected shape, but the program is acc"),
    "other shape": (text_of(case(expect=[{"shape": "f32[3]", "splat": 1}])),
                    "/cases/0/expect: result 0: the reference has shape"),
    "too many results": (text_of(case(expect=SUM + SUM)),
                         "/cases/0/expect: 2 results are expected"),
    "value kind": (text_of(case(attributes={"broadcast_dimensions": "0"})),
                   "/cases/0/attributes/broadcast_dimensions: expected"),
    "after substitution": (text_of(case(each={"N": [2, 3]},
                                        inputs=[{"shape": "f32[$N]",
                                                 "data": [1, 2]}] * 2)),
                           "/data: dimension 0 needs a list of 3"),
    "duplicate member": ('{"format": "assay-case/1", "format": 1}',
                         "duplicate member 'format'"),
    "empty file": ("", "1:1: /: "),
    "byte order mark": ("\ufeff" + text_of(case()), "1:1: /: "),
    "trailing text": (text_of(case()) + "x", ": /: "),
    "trailing comma": ('{"format": "assay-case/1",}', ": /: "),
    "single quotes": ("{'format': 1}", ": /: "),
    "comment": ("// no\n" + text_of(case()), "1:1: /: "),
    "leading zero": (text_of(case()).replace("[1, 2]", "[01, 2]"), ": /: "),
    "not a number": (text_of(case()).replace("[1, 2]", "[NaN, 2]"), ": /: "),
    "huge number": (text_of(case()).replace("[1, 2]", "[1e999999999, 2]"),
                    "/cases/0/inputs/0/data/0"),
    "long number": (text_of(case()).replace("[1, 2]", "[1, %s]" % ("9" * 99999)),
                    "/cases/0/inputs/0/data/1"),
    "deep": ("[" * 100000, "deep"),
    "deep data": (text_of(case()).replace("[1, 2]", "[" * 90 + "]" * 90),
                  "/cases/0/inputs/0/data"),
    "half a surrogate": (text_of(case()).replace("a test", "\\ud800"), ": /: "),
    "NUL": (text_of(case()).replace("a test", "\\u0000"), ""),
    "raw tab": (text_of(case()).replace("a test", "a\ttest"), ": /: "),
    "huge shape": (text_of(case(inputs=[{"shape": "f32[%d]" % 2**40,
                                         "splat": 1}])), "inputs/0/shape"),
    "overflowing shape": (text_of(case(inputs=[
        {"shape": "f32[%d,%d,%d]" % (2**40, 2**40, 2**40), "splat": 1}])),
        "inputs/0/shape"),
    "negative shape": (text_of(case(inputs=[{"shape": "f32[-1]",
                                             "splat": 1}])), "inputs/0/shape"),
    "rank": (text_of(case(inputs=[{"shape": "f32[%s]" % ",".join("1" * 65),
                                   "splat": 1}])), "inputs/0/shape"),
    "deep tuple": (text_of(case(inputs=[{"shape": "(" * 5000 + ")" * 5000,
                                         "tuple": []}])), "inputs/0/shape"),
    "too many cases": (text_of(case(each={c: list(range(10))
                                          for c in "ABCDEFG"})),
                       "more than 1000000 cases"),
    "calls itself": (text_of({
        "id": "x", "why": "w", "inputs": PAIR[:1], "module": {
            "entry": "m", "computations": {"m": {
                "parameters": ["f32[2]"], "result": "r", "body": [
                    {"name": "r", "op": "Call", "operands": ["p0"],
                     "attributes": {"computation": "m"}}]}}}},
        op="Call"),
        "the program is rejected: structure"),
}


def check_files(folder):
    for name, (text, part) in FILES.items():
        path = os.path.join(folder, "t.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        code, out, err = lint(path)
        if part is None:
            ok(code == 0 and re.search(r" cases?, 0 problems\n$", out),
               f"{name}: no problem", f"{code} {out}{err}")
            continue
        ok(code == 1 and part in out and not err, f"{name}: told",
           f"{code} {out[:500]}{err[:500]}")
        place = out.split(": ")[0].split(":")
        ok(out.startswith(path + ":") and place[-1].isdigit()
           and int(place[-2]) > 0, f"{name}: with its place", out[:500])


def check_text_expectations(folder):
    """What a run reads is checked, in the text form too, whatever its name."""
    path = os.path.join(folder, "mine.expect")
    for name, text, part in (
            ("narrow", "# why\nfail<=2 Tan/* two ulps\ncrash Sort/keys@T=f32 x\n",
             None),
            ("wide", "\nfail? Tanh/*@T=f64* any value\n",
             ":2:1: /: the pattern 'Tanh/*@T=f64*' would hide"),
            ("a crash of anything", "crash Sort/* x\n", "needs a message"),
            ("no reason", "fail Add/x\n", "expected a reason")):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        code, out, err = lint(path)
        ok((code, err) == (0, "") if part is None else code == 1
           and out.startswith(path + ":") and part in out,
           f"expectations as text: {name}", f"{code} {out}{err}")
    code, out, err = lint("runner/backends/native/native.expect")
    ok(code == 0 and not err, "those of native are narrow", out + err)


def check_broken_bytes(folder):
    path = os.path.join(folder, "t.json")
    for name, data in {"not UTF-8": b'{"format": "\xff"}',
                       "overlong UTF-8": b'{"format": "\xc0\x80"}',
                       "NUL byte": b'{"format": "assay\x00"}',
                       "nothing but NUL": bytes(1000),
                       "UTF-16": '{"a": 1}'.encode("utf-16")}.items():
        with open(path, "wb") as f:
            f.write(data)
        code, out, err = lint(path)
        ok(code == 1 and not err, f"{name}: told", f"{code} {out}{err}")
    whole = text_of(case(expect=SUM)).encode()
    crashed = []
    for n in range(0, len(whole), 7):
        with open(path, "wb") as f:
            f.write(whole[:n])
        code, out, err = lint(path)
        if code != 1 or err:
            crashed.append((n, code, out, err))
    ok(not crashed, "truncated files", crashed)


def check_all_told(folder):
    path = os.path.join(folder, "t.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text_of(case(colour=1), case(id="Y"), case(id="z", covers=1)))
    code, out, _ = lint(path)
    ok(code == 1 and "/cases/0/colour" in out and "/cases/1/id" in out
       and "/cases/2/covers" in out and "3 problems" in out,
       "the problems of all cases are told", out)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text_of(case(id="a", covers=["No.a"]),
                        case(id="b", covers=["No.b"], each={"N": [1, 2, 3]})))
    code, out, _ = lint(path)
    ok("2 problems" in out and "in 2 more cases" in out,
       "a problem that cases share is told once", out)


def check_command(folder):
    below = os.path.join(folder, "cases", "Add")
    os.makedirs(below)
    for name in "b", "a":
        with open(os.path.join(below, name + ".json"), "w",
                  encoding="utf-8") as f:
            f.write(text_of(case(expect=SUM)))
    with open(os.path.join(below, "notes.txt"), "w", encoding="utf-8") as f:
        f.write("not a case")
    code, out, err = lint(folder)
    ok(code == 0 and out == "2 files, 2 cases, 0 problems\n",
       "a folder: its .json files", out + err)
    code, out, _ = lint("--silent", folder)
    ok(code == 0 and out == "", "--silent says nothing", out)
    code, out, _ = lint("--quick", folder)
    ok(code == 0 and out == "2 files, 0 cases, 0 problems\n",
       "--quick makes no case", out)
    os.symlink("nowhere.json", os.path.join(below, "aa.json"))
    os.symlink("loop", os.path.join(below, "loop"))
    with open(os.path.join(below, "c.json"), "w", encoding="utf-8") as f:
        f.write(text_of(case(colour=1)))
    code, out, err = lint(folder)
    ok(code == 1 and not err
       and f"{below}/aa.json:1:1: /: No such file or directory\n" in out
       and f"{below}/loop:1:1: /: " in out and "/cases/0/colour" in out
       and "5 files, 2 cases, 3 problems\n" in out,
       "what cannot be read is told, and the rest is checked", out + err)
    for name in "aa.json", "loop", "c.json":
        os.unlink(os.path.join(below, name))
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    code, out, err = lint(empty)
    ok(code == 2 and not out and err ==
       f"assay lint: {empty} has no case file\n",
       "a folder without a case file: usage", out + err)
    ok(lint(folder, empty)[0] == 2, "also beside another")
    os.rmdir(empty)
    code, out, err = lint("--custom-call", f"typo={sys.executable}", folder)
    ok(code == 0 and err ==
       "assay lint: --custom-call: no chosen case calls typo\n",
       "a function that no case calls", out + err)
    ok(lint()[0] == 2, "without a file: usage")
    ok(lint("--nothing")[0] == 2, "an unknown option: usage")
    ok(lint(os.path.join(folder, "nowhere"))[0] == 2, "no such file")
    ok(lint("--limit-file-bytes", "x", folder)[0] == 2, "a bad limit: usage")
    code, out, _ = lint("--limit-file-bytes", "10", folder)
    ok(code == 1 and "limit of 10 bytes" in out, "a file beyond the limit", out)
    code, out, _ = lint("--help")
    ok(code == 0 and "--quick" in out, "--help")
    path = os.path.join(folder, "t.json")
    wrong = [{"shape": "f32[2]", "data": [4, 6]}]
    with open(path, "w", encoding="utf-8") as f:
        f.write(text_of(case(expect=wrong)))
    ok(lint(path)[0] == 0, "values are not looked at")
    code, out, _ = lint("--evaluate", path)
    ok(code == 1 and "element [1]: reference 5" in out, "but by --evaluate",
       out)
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": "Parameter", "cases": [
            {"id": "more", "why": "a parameter without an input", "inputs": [],
             "attributes": {"parameter_number": 0, "shape": "f32[2]"}}]}, f)
    code, out, _ = lint("--evaluate", path)
    ok(code == 1 and "the entry has 1 parameters; the case has 0 inputs" in out,
       "a parameter that no input is for", out)


def rounding(op, second, **members):
    """A comparison of e^a and e^b, where one element is second."""
    data = {"shape": "f32[2]", "data": [1, second]}
    body = ["a = Exp(p0)", "b = Exp(p1)", f"c = {members.pop('compare')}(a, b)"]
    return json.dumps({
        "format": "assay-case/1", "op": op,
        "computations": {"exp": {"parameters": ["f32[]", "f32[]"],
                                 "body": body, "result": "c"}},
        "cases": [{"id": "x", "why": "a test",
                   "inputs": [data, *members.pop("inputs", [])],
                   "attributes": members}]})


def check_decisions(folder):
    """e^1 = 2.7182818, e^2 = 7.389; e^(1 + 2^-23) is 3.2e-7 above e^1, where
    an ulp of f32 is 2.4e-7 and Exp may be off by several."""
    scalar = {"shape": "f32[]", "data": 0}
    source = {"shape": "f32[1]", "data": [5]}
    for name, second in (("far", 2), ("near", "bits:3f800001")):
        files = {
            "Sort": rounding("Sort", second, compare="Lt", comparator="exp"),
            "SelectAndScatter": rounding(
                "SelectAndScatter", second, compare="Ge", select="exp",
                scatter="add", window_dimensions=[2], window_strides=[1],
                padding="VALID", inputs=[source, scalar])}
        for op, text in files.items():
            path = os.path.join(folder, f"{op}-{name}.json")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            _, out, _ = lint("--evaluate", path)
            ok(("inadmissible" in out) == (name == "near"),
               f"{op} by values that are {name}", out)


def check_wrong(folder):
    """A sum beyond the type may stay at its end, with a remark: then it is left
    open which branch is right."""
    for name, value in (("inside", 1), ("beyond", 127)):
        path = os.path.join(folder, f"{name}.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump({"format": "assay-case/1", "op": "Conditional", "cases": [{
                "id": "x", "why": "a test",
                "inputs": [{"shape": "s8[]", "data": value}],
                "module": {"entry": "main", "computations": {
                    "same": {"parameters": ["s8[]"], "body": [], "result": "p0"},
                    "main": {"parameters": ["s8[]"], "result": "r", "body": [
                        "one = Constant() {literal = s8[] 1}",
                        "a = Add(p0, one)", "c = Gt(a, one)",
                        "r = Conditional(c, p0, a) {true_computation = same, "
                        "false_computation = same}"]}}}}]}, f)
        code, out, err = lint("--evaluate", path)
        ok(code == 0, f"{name}: the reference decides", out + err)
        code, out, err = lint("--wrong", path)
        ok((code, "a wrong result would not be seen" in out)
           == ((0, False) if name == "inside" else (1, True)),
           f"{name}: is a wrong result judged", out + err)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_files(folder)
        check_text_expectations(folder)
        check_broken_bytes(folder)
        check_all_told(folder)
    with tempfile.TemporaryDirectory() as folder:
        check_command(folder)
        check_decisions(folder)
        check_wrong(folder)
    finish()


main()
