#!/usr/bin/python3
# settle.t - assay settle: of several results, which is right, and why.
#
# SPDX-License-Identifier: Apache-2.0
#
# With Debian's NumPy.  Expected answers are those of IEEE 754 (a square root is
# correctly rounded), of well-known constants, or of arithmetic that is exact.
import json
import os
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402
from package import ASSAY, ENVIRONMENT, np  # noqa: E402
import assay  # noqa: E402
from assay import settling  # noqa: E402
from assay.kernel_program import Unknown  # noqa: E402

FILE = {"format": "assay-settle/1", "title": "Roots <&>",
        "source": "https://example.org/1", "op": "Sqrt",
        "operands": [{"shape": "f32[2]", "data": [4, 2]}],
        "results": {"a<b": {"shape": "f32[2]", "data": [2, "1.4142135"]},
                    "c": {"shape": "f32[2]", "data": [2, "1.414"]}}}


def check_python():
    x = np.float32([4, 2, 0.25])
    root = np.sqrt(x)
    off = root.copy()
    off[1] = np.nextafter(off[1], np.float32(2))
    made = assay.settle("Sqrt", [x], {"a": root, "b": off})
    ok(not made and made.answer == "b is wrong; a is right",
       "a square root that is off by one number is wrong", made)
    ok([(s.steps, s.where) for s in made.sides]
       == [(0, (0, (0,))), (1, (0, (1,)))], "by how much, and where", made)
    made = assay.settle("Exp", [np.float32([1])], {
        "a": np.float32([2.7182817]), "b": np.float32([2.7182820])})
    ok(made and made.answer == "all of them are right",
       "two values of e in the set", made)
    made = assay.settle("Exp", [np.float32([1, 2])], {
        "test": np.float32([2.718, 7.389]), "f16": np.float32(
            np.exp(np.float16([1, 2])))})
    ok(made.answer == "none of them is right"
       and any("4 significant digits" in r for r in made.sides[0].reasons)
       and any("computed in f16" in r for r in made.sides[1].reasons),
       "reasons: few digits, and a narrow type", made)
    ok(not any("digits" in r for r in made.sides[1].reasons),
       "no reason that does not hold", made)
    made = assay.settle("Neg", [np.float32([0])], {
        "a": np.float32([-0.0]), "b": np.float32([[1]])})
    ok(made.sides[0].right and not made.sides[1].right
       and "b is f32" not in str(made) and "expected f32[1]" in str(made),
       "a result of another shape is wrong", made)
    made = assay.settle("softmax", [np.float32([[1000, 1000]])], {
        "a": np.float32([[0.5, 0.5]]), "b": np.float32([[np.nan, np.nan]])})
    ok(made.answer == "b is wrong; a is right" and any(
        "maximum" in r for r in made.sides[1].reasons),
       "a program: no maximum is subtracted", made)
    made = assay.settle("Add", [np.int32([1]), np.int32([2])],
                        {"a": np.int32([3]), "b": np.int32([5])})
    ok(made.answer == "b is wrong; a is right" and made.sides[1].steps == 2,
       "integers", made)
    for arguments, why in (
            (("Sqrtt", [x], {"a": x}), "nearest: 'Sqrt'"),
            (("softmax", [x], {"a": x}), "expected $T[$R,$N]"),
            (("Sqrt", [x], {}), "no results")):
        try:
            settling.settle(*arguments)
            ok(False, why)
        except Unknown as e:
            ok(why in str(e), f"refused: {why}", e)


def check_power():
    """The set of 4,096 terms is wider than one of them: 4095 u times the sum of
    their magnitudes, 1390, is 0.34, and their median is 0.18.  Sums of integers are exact in every order, and hold none."""
    for terms, wide in ((np.sin(np.arange(4096)) ** 5, True),
                        (np.arange(4096) % 7 - 3.0, False)):
        terms = terms.astype(np.float32)
        made = assay.settle(
            "Reduce", [terms, np.float32(0)],
            {"<all>": np.float32(terms.sum(dtype=np.float64))},
            computation="add", dimensions_to_reduce=[0])
        said = [("ould also accept: " in text, "a missing term" in text)
                for text in (str(made), made.page())]
        ok(made and said == [(wide, wide)] * 2
           and ("a missing term" in made.json()["would_accept"]) == wide,
           "a wide set says what it would accept" if wide
           else "a set of one number says nothing", made)


def command(value, *options, text=None):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/file.json"
        with open(path, "w", encoding="utf-8") as f:
            f.write(json.dumps(value) if text is None else text)
        done = subprocess.run(
            [ASSAY, "settle", path, *options], capture_output=True, text=True,
            timeout=500, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


def check_command():
    code, out, _ = command(FILE)
    ok(code == 1 and "c is wrong; a<b is right" in out, "a file", out)
    code, out, _ = command({**FILE, "results": {"a": FILE["results"]["a<b"]}})
    ok(code == 0 and "a is right" in out, "exit status 0", out)
    code, out, _ = command(FILE, "--json")
    ok(code == 1 and json.loads(out)["sides"][1]["right"] is False, "--json",
       out)
    with tempfile.TemporaryDirectory() as folder:
        code, out, err = command(FILE, f"--html={folder}/page.html")
        with open(f"{folder}/page.html", encoding="utf-8") as f:
            page = f.read()
        ok(code == 1 and "Roots &lt;&amp;&gt;" in page and "a&lt;b" in page
           and "<b" not in page.replace("<b>", "").replace("<br", "").replace(
               "<body", "") and 'href="https://example.org/1"' in page,
           "--html: texts are escaped", page)
        ok(page.count("<td") == page.count("<td data-label=") > 0
           and "a{color:" in page.partition("dark")[2],
           "each cell names its column, and links are seen in the dark", page)
        code, out, err = command(FILE, f"--html={folder}/none/page.html")
        ok(code == 2 and "none/page.html" in err, "no such folder",
           (code, err))
        pipe = f"{folder}/pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
            code, out, err = command(FILE, f"--html={pipe}")
            kept = stat.S_ISFIFO(os.stat(pipe).st_mode)
            if not kept:
                reader.kill()
            page = reader.communicate()[0]
        ok(kept and b"Roots" in page, "a pipe is written to, not replaced",
           (code, err))
        for name in ("kept", "page.html.part"):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as f:
                f.write("mine")
        os.chmod(f"{folder}/kept", 0o444)
        os.chmod(folder, 0o777)
        done = subprocess.run(  # root may write any file
            [sys.executable, "-c", "import os\nfrom assay.output import write\n"
             "os.geteuid() or os.setuid(65534)\nwrite('new', 'kept')"],
            cwd=folder, capture_output=True, text=True, env=ENVIRONMENT)
        ok("PermissionError" in done.stderr,
           "a file that may not be written is not replaced", done)
        code, out, err = command(FILE, f"--html={folder}/page.html")
        found = {}
        for name in sorted(os.listdir(folder)):
            if name != "pipe":
                with open(f"{folder}/{name}", encoding="utf-8") as f:
                    found[name] = f.read(4)
        ok(found == {"kept": "mine", "page.html": "<!do",
                     "page.html.part": "mine"}, "no other file is touched",
           found)
    code, out, err = command(FILE, "--html=/dev/full/x")
    ok(code == 2 and "Traceback" not in err, "not a folder", err)
    for change, why in (
            ({"opp": 1}, "/opp: unknown member (nearest: 'op')"),
            ({"format": "x"}, "/format: found 'x', expected 'assay-settle/1'"),
            ({"program": "softmax"}, "expected one of the members"),
            ({"operands": 1}, "/operands: expected a list"),
            ({"operands": [1]}, "/operands/0: found 1, expected a literal"),
            ({"operands": [{"shape": "f32[2]", "data": [1]}]}, "/operands/0"),
            ({"results": {}}, "/results: expected at least one"),
            ({"results": {"a": {"shape": "f31[2]", "data": [1, 2]}}},
             "/results/a"),
            ({"op": "Sqrtt"}, "nearest: 'Sqrt'"),
            ({"profile": "spce"}, "spce"),
            ({"operands": []}, "file.json: structure: Sqrt: 0 operands"),
            ({"attributes": {"axis": 1}}, "unknown attribute 'axis'")):
        code, out, err = command({**FILE, **change})
        ok(code == 2 and why in err and "Traceback" not in err,
           f"refused: {why}", (code, out, err))
    for text, why in (("{", ":1:2:"), ("[]", "expected an object"),
                      ("[" * 100000, "file.json"),
                      ('{"op": "Exp", "op": "Sqrt"}',
                       "file.json: duplicate member 'op'"),
                      ('{"operands": [NaN]}', "file.json: NaN is no JSON"),
                      ("[1e400]", "file.json: 1e400 is beyond f64")):
        code, out, err = command(None, text=text)
        ok(code == 2 and why in err and "Traceback" not in err,
           f"refused: {text[:9]}", (code, out, err[:300]))
    done = subprocess.run([ASSAY, "settle", "/dev/zero"], timeout=500,
                          capture_output=True, text=True, env=ENVIRONMENT)
    ok(done.returncode == 2 and done.stderr.count("\n") == 1
       and "/dev/zero: larger than the limit" in done.stderr,
       "a device without an end", done)
    # The negative of -0 is 0: a lost sign would make "wrong" right.
    zeros = json.dumps({**FILE, "op": "Neg", "operands": [{
        "shape": "f32[1]", "data": ["X"]}], "results": {
            "right": {"shape": "f32[1]", "data": [0]},
            "wrong": {"shape": "f32[1]", "data": ["-0"]}}})
    code, out, err = command(None, text=zeros.replace('"X"', "-0"))
    ok(code == 1 and "wrong is wrong; right is right" in out,
       "-0 keeps its sign", (code, out, err))


check_python()
check_power()
check_command()
finish()
