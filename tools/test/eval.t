#!/usr/bin/env python3
# eval.t - assay eval: values, sets, expectations, and how it ends.
#
# SPDX-License-Identifier: Apache-2.0
#
# Expected values are worked out by hand, or are IEEE 754's patterns.
import json
import os
import subprocess
import tempfile

from tap import finish, ok

ASSAY = os.environ.get("ASSAY", "build/assay")


def run(*arguments):
    done = subprocess.run([ASSAY, "eval", *arguments], capture_output=True,
                          text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


def write(path, op, *cases):
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": op, "cases": list(cases)}, f)


def case(name, *inputs, **members):
    return {"id": name, "why": "a test", "inputs": list(inputs), **members}


def array(shape, data):
    return {"shape": shape, "data": data}


def first(path, *arguments):
    """The only case of a file, from --json."""
    code, out, _ = run("--json", path, *arguments)
    return code, json.loads(out)["cases"][0]


def check_free(path):
    """004:813: the value of a division by zero is implementation-defined."""
    for divisors, judged in (([0, 0], "any"), ([0, 1], "exact")):
        write(path, "Div", case("x", array("s32[2]", [6, 7]),
                                array("s32[2]", divisors)))
        got = first(path)[1]["replicas"][0][0]
        ok((got["judged"], got["elements"][0]["accept"]) == (judged, "any"),
           f"divided by {divisors}: judged as {judged}", got)


def check_values(path):
    write(path, "Add", case("x", array("f32[2,1]", [[1], ["nan"]]),
                            array("f32[1,2]", [["0x1p-149", -1]])))
    code, got = first(path)
    elements = got["replicas"][0][0]["elements"]
    ok(code == 0 and got["status"] == "ok", "evaluated", got)
    ok([e["index"] for e in elements] == [[0, 0], [0, 1], [1, 0], [1, 1]],
       "indices", elements)
    ok([e["bits"] for e in elements][:2] == ["3f800000", "00000000"], "bits",
       elements)
    ok([e["value"] for e in elements] == ["1", "0", "nan", "nan"],
       "values", elements)
    ok(elements[0]["hex"] == "0x1p+0", "hexadecimal float", elements[0])
    ok([e["accept"] for e in elements][::3] == ["1", "nan"], "sets", elements)
    ok(got["shape"] == "f32[2,2]" and got["replicas"][0][0]["count"] == 4,
       "shape and count", got)
    code, out, _ = run(path)
    ok(code == 0 and "  1  0x1p+0  3f800000  accept 1\n" in out
       and out.endswith("  ok\n"), "the same as text", out)
    code, out, _ = run(path, "--elements", "1")
    ok("3 more elements" in out, "--elements", out)
    ok(len(first(path, "--elements", "1")[1]["replicas"][0][0]["elements"])
       == 1, "--elements in JSON")


def check_profiles(path):
    write(path, "Add", case("x", array("f32[]", "0x1p-149"),
                            array("f32[]", "0x1p-149")))
    def accept(*a):
        return first(path, *a)[1]["replicas"][0][0]["elements"][0]["accept"]
    ok(accept("--profile", "strict") == "3e-45", "strict keeps subnormals",
       accept("--profile", "strict"))
    ok("0" in accept(), "spec lets them be flushed", accept())
    write(path, "Div", case("x", array("s32[2]", [1, -7]),
                            array("s32[2]", [0, 2])))
    got = first(path)[1]["replicas"][0][0]["elements"]
    ok(got[0]["accept"] == "any" and got[1]["accept"] == "-3",
       "x / 0 is open, -7 / 2 is -3", got)


def check_expect(path):
    good = case("good", array("f32[]", 1), array("f32[]", 2),
                expect=[array("f32[]", 3)])
    bad = case("bad", array("f32[]", 1), array("f32[]", 2),
               expect=[array("f32[]", 4)])
    shape = case("shape", array("f32[2]", [1, 2]), array("f32[3]", [1, 2, 3]),
                 expect={"error": "shape"})
    other = case("other", array("f32[2]", [1, 2]), array("f32[3]", [1, 2, 3]),
                 expect={"error": "type"})
    value = case("value", array("f32[]", 1), array("f32[]", 2),
                 expect={"error": "type"})
    write(path, "Add", good, bad, shape, other, value)
    ok(run(path)[0] == 1, "one differs: 1")
    for name, code, status in (("good", 0, "ok"), ("bad", 1, "differs"),
                               ("shape", 0, "rejected"),
                               ("other", 1, "differs"),
                               ("value", 1, "differs")):
        got = first(path, "--case", name)
        ok(got[0] == code and got[1]["status"] == status,
           f"{name}: {status}", got)
    got = first(path, "--case", "shape")[1]
    ok(got["class"] == "shape" and "/cases/2" in got["place"],
       "class and place of a rejection", got)
    code, out, _ = run(path, "--case", "bad")
    ok("reference 3 (bits 40400000), expected 4 (bits 40800000)" in out,
       "the difference", out)


def check_round_trip(path):
    """What --expect prints is what the case may expect."""
    cases = [
        ("Add", case("x", array("f32[2]", ["0.1", "-0"]),
                     array("f32[2]", ["0.2", "-0"]))),
        ("Add", case("x", array("c64[2]", [[1, "nan"], ["inf", -1]]),
                     array("c64[2]", [[1, 2], [3, 4]]))),
        ("Add", case("x", array("s64[]", "9223372036854775807"),
                     array("s64[]", 0))),
        ("Add", case("x", array("f64[1,0,2]", [[]]), array("f64[1,0,2]",
                                                           [[]]))),
        ("Eq", case("x", array("f32[2]", [1, 2]), array("f32[2]", [1, 3]))),
        ("Neg", case("x", {"shape": "f8e4m3fn[256]", "sweep": "all"})),
        ("Neg", case("x", {"shape": "bf16[64]", "specials": True})),
        ("Tuple", case("x", array("f32[]", 1), array("s4[2]", [-8, 7]))),
        ("Add", case("x", array("f32[]", 1), array("f32[2]", [1, 2]),
                     attributes={"broadcast_dimensions": [7]})),
    ]
    for op, one in cases:
        write(path, op, one)
        code, out, err = run("--expect", path, "--case", "x")
        member = json.loads("{" + out.split("\n", 0)[0] + "}")
        one["expect"] = member["expect"]
        write(path, op, one)
        code, out, err = run(path)
        ok(code == 0, f"{op}: {json.dumps(member)[:60]}", out + err)


def check_replicas(path):
    row = [array("f32[]", 1), array("f32[]", 2)]
    write(path, "Add", case("x", row, row[::-1], replicas=2,
                            expect=[[array("f32[]", 3)]] * 2))
    code, got = first(path)
    ok(code == 0 and len(got["replicas"]) == 2, "two replicas", got)
    code, out, _ = run("--form=constant", path)
    ok(code == 2, "no constants that differ between replicas", out)


def check_command(path):
    write(path, "Add", case("a", array("f32[]", 1), array("f32[]", 2)),
          case("b", array("$T[]", 1), array("$T[]", 2),
               each={"T": ["f32", "s8"]}))
    def names(*a):
        return [c["name"] for c in json.loads(run("--json", path, *a)[1])
                ["cases"]]
    ok(names() == ["t/a", "t/b@T=f32", "t/b@T=s8"], "names", names())
    ok(names("-c", "b") == ["t/b@T=f32", "t/b@T=s8"], "by id")
    ok(names("-c", "b@T=s8") == ["t/b@T=s8"], "by the name's end")
    ok(names("-c", "t/a") == ["t/a"], "by the full name")
    ok(names("-c", "a#called") == ["t/a#called"], "in a form, by its name")
    ok(names("-c", "a", "--form=constant") == ["t/a#constant"], "as constants")
    ok(run(path, "-c", "c")[0] == 2, "no such case: 2")
    ok(run()[0] == 2, "without a file: 2")
    ok(run(path, path)[0] == 2, "two files: 2")
    ok(run(path, "--profile", "lax")[0] == 2, "no such profile: 2")
    ok(run(path, "--elements", "0")[0] == 2, "a bad number: 2")
    code, _, err = run("/nowhere/t.json")
    ok(code == 2 and "/nowhere/t.json" in err, "no such file: 2", err)
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"format": 1}')
    code, _, err = run(path)
    ok(code == 2 and err.startswith(path + ":1:12: /format: "),
       "a bad file: 2, with its place", err)
    code, out, _ = run("--help")
    ok(code == 0 and "--expect" in out, "--help")


def check_algebra(path):
    """What is declared associative is tried on the data."""
    def reduce(op, count):
        body = [{"name": "r", "op": op, "operands": ["p0", "p1"]}]
        write(path, "Reduce", case(
            "x", array(f"s32[{count}]", list(range(1, count + 1))),
            array("s32[]", 0),
            attributes={"computation": "f", "dimensions_to_reduce": [0]},
            computations={"f": {"parameters": ["s32[]", "s32[]"],
                                "algebra": "associative", "body": body,
                                "result": "r"}}))
        return run(path)
    code, out, _ = reduce("Add", 20)
    ok(code == 0 and " 210 " in out, "an associative computation", out)
    code, out, _ = reduce("Sub", 20)
    ok(code == 3 and "'f' is declared associative, but is not" in out,
       "one that is only declared so", out)
    code, out, _ = reduce("Sub", 3)
    ok(code == 3 and "is declared associative, but is not" in out,
       "on few values too", out)


def check_dynamic(path):
    """What lies beyond the actual size is not a value."""
    write(path, "SetDimensionSize",
          case("x", array("f32[2,3]", [[1, 2, 3], [4, 5, 6]]),
               array("s32[]", 2), attributes={"dimension": 1}))
    code, got = first(path)
    leaf = got["replicas"][0][0]
    ok(code == 0 and leaf["sizes"] == [2, 2] and leaf["count"] == 4, "sizes")
    ok([e["value"] for e in leaf["elements"]] == ["1", "2", "4", "5"]
       and leaf["elements"][2]["index"] == [1, 0], "elements", leaf)
    code, out, _ = run(path)
    ok("f32[2,<=3] of size [2,2]" in out and " 3 " not in out, "text", out)


def check_special(path):
    """Where IEEE 754 and C give a function's value, strict takes no other."""
    write(path, "Pow", case("x", array("f32[4]", [2, "nan", -1, 3]),
                            array("f32[4]", [0, 0, "inf", 2])))
    def accepts(profile):
        _, got = first(path, "--profile", profile)
        return [e["accept"] for e in got["replicas"][0][0]["elements"]]
    ok(accepts("strict")[:3] == ["1", "1", "1"], "strict: exactly 1",
       accepts("strict"))
    ok(accepts("strict")[3].startswith("["), "and 3 to the 2 within an ulp")
    # spec permits the budget there with a remark; the set is the exact one.
    ok(accepts("spec")[:3] == ["1", "1", "1"]
       and accepts("spec")[3].startswith("["), "spec: exactly 1, with a permit",
       accepts("spec"))
    write(path, "BatchNormTraining", case(
        "x", array("f32[2,1]", [[1], [1]]), array("f32[1]", [1]),
        array("f32[1]", [0]), attributes={"epsilon": 1, "feature_index": 1}))
    _, got = first(path, "--profile", "strict")
    variance = got["replicas"][0][2]["elements"][0]["accept"]
    ok(variance.startswith("[-0, 1"), "a variance is not negative", variance)


def check_scaled_tf32(path):
    """ScaledDot is the dot product of lhs * lhs_scale and rhs * rhs_scale, so
    these products are the operands of which TF32 takes 11 bits: (1+2^-7)^2 is
    1+2^-6+2^-14, and 1+2^-6 when cut off; 1.5 * 1.25 fits."""
    def has(low, profile, lhs, scale, kind="f32", **attributes):
        contract = {"lhs_batch_dimensions": [], "rhs_batch_dimensions": [],
                    "lhs_contracting_dimensions": [0],
                    "rhs_contracting_dimensions": [0]}
        write(path, "ScaledDot", case(
            "x", *[array(f"{kind}[1]", [x]) for x in (lhs, scale, 1, 1)],
            attributes={"dimension_numbers": contract,
                        "preferred_element_type": "f32", **attributes}))
        accept = first(path, "--profile", profile)[1]
        got = json.loads(accept["replicas"][0][0]["elements"][0]["accept"])
        return (got[0] if isinstance(got, list) else got) <= low
    near, cut = 1 + 2 ** -7, 1 + 2 ** -6
    ok(has(cut, "xla-gpu-default", near, near), "an element times its scale")
    ok(not has(cut, "spec", near, near), "is used as it is under spec")
    ok(not has(cut, "xla-gpu-default", near, near,
               precision_config=["DEFAULT", "HIGHEST"]), "and with HIGHEST")
    # A sum of bf16 would be cut off, too: it must be of f32.
    with open(path + ".profile", "w") as f:
        json.dump({"profile": "mine", "extends": "xla-gpu-default",
                   "choices": {"accumulate.type": "f32"}}, f)
    ok(has(cut, path + ".profile", near, near), "also with sums of f32")
    ok(not has(cut, path + ".profile", near, near, kind="bf16"),
       "but not where no operand is an f32")
    ok(not has(1.8749, "xla-gpu-default", 1.5, 1.25), "and where it fits")


def check_tf32(path):
    """Operands of 11 significant bits.  Worked out by hand, in units of 2^-13
    above 6: exact 3(4+2) + 3(8+1) = 45; both operands rounded to nearest give
    1+2^-10 and 1+2^-10, 24+24 = 48; cut off, 1 and 1+2^-10, 0+24 = 24."""
    def bounds(profile, lhs, rhs, **attributes):
        write(path, "Dot", case("x", array("f32[2]", lhs), array("f32[2]", rhs),
                                attributes=attributes))
        accept = first(path, "--profile", profile)[1]
        accept = accept["replicas"][0][0]["elements"][0]["accept"]
        if accept == "any":
            return accept
        got = json.loads(accept)
        return tuple(got) if isinstance(got, list) else (got, got)
    def units(n):
        return 6 + n * 2 ** -13
    lhs = ["0x1.003p0", 3]          # 1 + 2^-11 + 2^-12
    rhs = [3, "0x1.0048p0"]         # 1 + 2^-10 + 2^-13
    low, high = bounds("xla-gpu-default", lhs, rhs)
    ok(low <= units(24) and units(48) <= high, "TF32 is right", (low, high))
    # At most (2^-9 + 2^-20)(6 + 45 * 2^-13) beyond 45, which is 96.2 units.
    ok(units(-52) < low and high < units(142), "by how much it may be off",
       (low, high))
    for what, got in (
            ("strict", bounds("strict", lhs, rhs)),
            ("HIGHEST", bounds("xla-gpu-default", lhs, rhs,
                               precision_config=["HIGHEST", "DEFAULT"]))):
        ok(units(44.9) < got[0] <= got[1] < units(45.1),
           f"not under {what}", got)
    ok(bounds("xla-gpu-default", [1, 3], [3, "0x1.004p0"]) == (6.0029297, 6.0029297),
       "numbers of TF32 are exact")
    check_scaled_tf32(path)
    # 2^-140 + 2^-149 may be cut off to anything from 0 on, and the largest
    # number rounds to infinity: infinity times 0 is NaN.
    for x in ("0x1.008p-140", "0x1.fffffep127"):
        got = bounds("xla-gpu-default", [x, 1], [0, 1])
        ok(got == "any", f"{x} leaves the sum free", got)


def check_domains(path):
    """1 + 2 = 2 + 1 = 3, where an ulp in f32 is 2^-22."""
    mine = path + ".profile.json"
    with open(mine, "w", encoding="utf-8") as f:
        json.dump({"profile": "mine", "extends": "strict", "budgets": [
            {"class": "arithmetic", "types": ["f32"],
             "if": {"operand": 0, "abs-below": "2"},
             "budget": {"kind": "ulp", "ulps": "1"}}]}, f)
    write(path, "Add", case("x", array("f32[4]", [1, 2, -1, "nan"]),
                            array("f32[4]", [2, 1, -2, 1])))
    _, got = first(path, "--profile", mine)
    leaf = got["replicas"][0][0]
    ok([e["accept"] for e in leaf["elements"]]
       == ["[2.9999998, 3.0000002]", "3", "[-3.0000002, -2.9999998]", "nan"],
       "each element has the budget of its operand", leaf)
    ok(leaf["judged"] == "by the operands (arithmetic)", "in words", leaf)
    write(path, "ConvertElementType", case(
        "x", array("s64[2]", [1, 2]), attributes={"new_element_type": "f32"}))
    _, got = first(path, "--profile", mine)
    ok([e["accept"] for e in got["replicas"][0][0]["elements"]]
       == ["[0.9999999, 1.0000001]", "2"], "the same for a conversion", got)
    # s = 1 + 1 may be one ulp off 2.  Where it is 2, s + 2 may be 100 ulps of
    # 2^-21 off 4; where it is not, not: the ends of s say nothing of that.
    with open(mine, encoding="utf-8") as f:
        both = json.load(f)
    both["budgets"][:0] = [
        {"class": "arithmetic", "types": ["f32"],
         "if": {"operand": 0, "from": "1.9999999", "below": "2.0000001"},
         "budget": {"kind": "ulp", "ulps": "100"}}]
    with open(path + ".both.json", "w", encoding="utf-8") as f:
        json.dump(both, f)
    write(path, "Add", case(
        "x", array("f32[]", 1), array("f32[]", 2),
        module={"entry": "main", "computations": {"main": {
            "parameters": ["f32[]", "f32[]"], "result": "t",
            "body": ["s = Add(p0, p0)", "t = Add(s, p1)"]}}}))
    code, got = first(path, "--profile", path + ".both.json")
    accept = got["replicas"][0][0]["elements"][0]["accept"]
    low, high = json.loads(accept)
    ok(3.99995 < low <= 4 - 100 / 2 ** 21 < 4 + 100 / 2 ** 21 <= high < 4.00005,
       "every budget between two ends of an operand counts", accept)
    with open(mine, encoding="utf-8") as f:
        text = f.read().replace('"operand": 0', '"operand": 5')
    with open(mine, "w", encoding="utf-8") as f:
        f.write(text)
    code, _, err = run(path, "--profile", mine)
    ok(code == 2 and "/budgets/0/if/operand" in err
       and "no operand 5: expected 0 to 2" in err, "no such operand: 2", err)


def check_limits(path):
    """Each limit ends an evaluation, and the message names its option."""
    write(path, "Fft", case(
        "x", array("c64[8]", [[1, 0]] * 8),
        attributes={"fft_type": "FFT", "fft_length": [8]}))
    for option, most in (("steps", 8), ("evaluate-bytes", 100),
                         ("fft-length", 4)):
        code, out, _ = run(path, f"--limit-{option}", str(most))
        ok(code == 3 and "limit: " in out and f"--limit-{option}" in out,
           f"--limit-{option} in eval", out)
    for option in ("file-bytes", "literal-bytes"):
        code, _, err = run(path, f"--limit-{option}", "10")
        ok(code == 2 and f"--limit-{option}" in err,
           f"--limit-{option} in eval", err)
    ok(run(path, "--limit-fft-length", "8")[0] == 0, "as many as it needs")
    # Beyond a limit nothing is known, least of all that an error is expected.
    write(path, "Add", case("x", {"shape": "f32[10,1]", "splat": 1},
                            {"shape": "f32[1,10]", "splat": 1},
                            expect={"error": "shape"}))
    code, out, _ = run(path, "--limit-literal-bytes", "64")
    ok(code == 3 and "limit: an array of 400 bytes" in out,
       "a result beyond a limit", out)
    loop = {"parameters": ["s32[]"], "result": "s",
            "body": [{"name": "s", "op": "Neg", "operands": ["p0"]}]}
    yes = {"parameters": ["s32[]"], "result": "t", "body": [
        {"name": "t", "op": "Constant", "operands": [], "attributes":
         {"literal": {"shape": "pred[]", "data": True}}}]}
    write(path, "While", case("x", array("s32[]", 1),
                              attributes={"condition": "yes", "body": "loop"},
                              computations={"yes": yes, "loop": loop}))
    code, out, _ = run(path, "--limit-steps", "100000000")
    ok(code == 3 and "--limit-steps" in out, "a loop without an end", out)
    code, _, err = run(path, "--limit-steps", "0")
    ok(code == 2 and "from 1 to" in err, "no limit at all: 2", err)


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.json")
        for check in (check_values, check_free, check_profiles, check_expect,
                      check_round_trip, check_replicas, check_algebra,
                      check_limits, check_tf32, check_domains, check_dynamic,
                      check_special, check_command):
            check(path)
    finish()


main()
