#!/usr/bin/python3
# import.t - programs of StableHLO as cases.
#
# SPDX-License-Identifier: Apache-2.0
#
# Programs are written by hand, after StableHLO's specification, or lowered by
# JAX.  Expected results are worked out by hand.  All but the first checks need
# `make jax`, and are skipped by name without it.
import contextlib
import json
import os
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import figure, finish, ok  # noqa: E402
from with_jax import ASSAY, ENVIRONMENT, JAX, ROOT  # noqa: E402

# The text has no tuples as operands: their elements are several operands, and
# assay.identity takes one.
LOST = ["CustomCall/rules/identity-tuple: cannot be emitted again"]

MAIN = "func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {{\n{}\n}}\n"
PRETTY = MAIN.format("%0 = stablehlo.constant dense<2.0> : tensor<3xf32>\n"
                     "%1 = stablehlo.add %x, %0 : tensor<3xf32>\n"
                     "return %1 : tensor<3xf32>")

# A condition within a condition, 400 times.
DEEP = "stablehlo.return %x : tensor<3xf32>\n"
for _ in range(400):
    DEEP = f"""%r = "stablehlo.if"(%p) ({{
{DEEP}}}, {{
stablehlo.return %x : tensor<3xf32>
}}) : (tensor<i1>) -> tensor<3xf32>
stablehlo.return %r : tensor<3xf32>
"""
DEEP = DEEP.rpartition("stablehlo.return")[0]

# What is refused, and the words that say why.
REFUSED = (
    (MAIN.format("%0 = chlo._asin_acos_kernel %x : tensor<3xf32> -> "
                 "tensor<3xf32>\nreturn %0 : tensor<3xf32>").replace(
                     "f32", "complex<f32>"),
     ":2:6: chlo._asin_acos_kernel: the case format has no such operation"),
    ("func.func @main(%x: tensor<3x!quant.uniform<i8:f32, 0.5>>) -> "
     "tensor<3x!quant.uniform<i8:f32, 0.5>> {\n%0 = stablehlo.abs %x : "
     "tensor<3x!quant.uniform<i8:f32, 0.5>>\n"
     "return %0 : tensor<3x!quant.uniform<i8:f32, 0.5>>\n}\n",
     ":2:6: stablehlo.abs: quantized types are not supported here: "
     "!quant.uniform<i8:f32, 0.5>"),
    ("func.func @main(%x: tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5, "
     "0.25:3}>>) -> tensor<2xf32> {\n%0 = stablehlo.convert %x : "
     "(tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5, 0.25:3}>>) -> "
     "tensor<2xf32>\nreturn %0 : tensor<2xf32>\n}\n",
     "!quant.uniform<i8<-127:127>:f32:0, {"),
    (MAIN.format('%0 = "tosa.abs"(%x) : (tensor<3xf32>) -> tensor<3xf32>\n'
                 "return %0 : tensor<3xf32>"),
     ":2:6: tosa.abs: the case format has no such operation"),
    ("func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {\n"
     "return %x : tensor<*xf32>\n}\n",
     ":1:1: func.func: argument 0: found tensor<*xf32>, expected a tensor of known rank"),
    (MAIN.format("%0 = call @main(%x) : (tensor<3xf32>) -> tensor<3xf32>\n"
                 "return %0 : tensor<3xf32>"),
     ":2:6: func.call: the function main calls itself"),
    ("func.func @main(%x: tensor<3xf32>, %p: tensor<i1>) -> tensor<3xf32> {\n"
     + DEEP + "return %r : tensor<3xf32>\n}\n",
     ": regions or calls are nested too deeply"),
    ("this is no program\n", ":1:1: custom op 'this' is unknown"),
    (PRETTY.replace("stablehlo.add %x, %0", "stablehlo.convolution(%x, %0) "
                    "dim_numbers = [b, f, 2147483648]x[o, i, 0]->[b, f, 0], "
                    "window = {}"),
     ":3:57: dim_numbers: found the dimension 2147483648, expected one of"),
    (b"func.func @f() {\n  \xd0}", ":2:3: neither MLIR's bytecode nor HLO nor "
     "text: byte 19 is not UTF-8"),
    (b"HloModule m\n\nENTRY e {\n  \xff", ":4:3: HLO: byte 25 is not UTF-8"),
    (b"\n\x01m\x12\x01\xff", ": INVALID_ARGUMENT: Failed to deserialize "
     "HloModuleProto\n"),  # XLA's log, with the reason, is not shown
    (b"\x7fELF\xd0", ":1:5: neither MLIR's bytecode nor HLO nor text: byte 4 "
     "is not UTF-8"),
    (b"ML\xefR", ": attempting to parse a byte at the end of the bytecode"),
    ("func.func @main(%x: tensor<?xf32>, %n: tensor<1xi32>) -> tensor<?xf32> "
     "{\n%0 = stablehlo.dynamic_reshape %x, %n : (tensor<?xf32>, tensor<1xi32>)"
     " -> tensor<?xf32>\nreturn %0 : tensor<?xf32>\n}\n",
     ":2:6: stablehlo.dynamic_reshape: its sizes are neither constant nor made "
     "of integers that --inputs gives"),
    ("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n"
     "return %x : tensor<2xf32>\n}\n", ":2:8: "),
    ("", "a module without a function"),
)

FORMS = """
import io, sys
sys.path.insert(0, sys.argv[1])
from assay import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo
with mlir.context():
    module = ir.Module.parse(open("pretty.mlir").read())
    with open("generic.mlir", "w") as f:
        f.write(module.operation.get_asm(print_generic_op_form=True))
    buffer = io.BytesIO()
    module.operation.write_bytecode(buffer)
    open("bytecode.mlirbc", "wb").write(buffer.getvalue())
    made = stablehlo.serialize_portable_artifact(module, "1.0.0")
    open("artifact.mlirbc", "wb").write(made)
    open("artifact.mlir", "w").write(str(ir.Module.parse(made)))
import numpy as np, ml_dtypes
np.savez("good.npz", x=np.float32([1, 2, -0.5]))
np.savez("type.npz", x=np.float64([1, 2, -0.5]))
np.savez("shape.npz", x=np.float32([1, 2]))
np.savez("two.npz", x=np.float32([1, 2, 3]), y=np.float32(1))
np.save("array.npy", np.float32([1, 2, 3]))
whole = open("good.npz", "rb").read()
open("half.npz", "wb").write(whole[:len(whole) // 2])
first = whole.index(np.float32(1).tobytes())
open("bits.npz", "wb").write(whole[:first] + b"\1" + whole[first + 1:])
np.savez("bf16.npz", np.array([1.5, -2], ml_dtypes.bfloat16))
"""

MODEL = """
import jax, jax.numpy as jnp
def f(x):
    def body(i, a):
        return a + x[i]
    total = jax.lax.fori_loop(0, 4, body, jnp.float32(0))
    swapped = jax.lax.cond(total > 0, lambda: x[::-1], lambda: x)
    return total, swapped, jnp.sort(x), x.at[1].set(9), jnp.argmax(x)
open("model.mlir", "w").write(
    jax.jit(f).lower(jax.ShapeDtypeStruct((4,), "float32")).as_text())
import numpy as np
np.savez("model.npz", np.float32([3, -1, 4, 1]))
"""


def call(folder, *arguments):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          env=ENVIRONMENT, cwd=folder, timeout=500)


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def read(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def check_missing(folder):
    """Of a Python without jaxlib, and one without the package's."""
    write(f"{folder}/pretty.mlir", PRETTY)
    nothing = f"{folder}/nothing"
    write(nothing, "#!/bin/sh\nexec /usr/bin/python3 -S -E \"$@\"\n")
    os.chmod(nothing, 0o755)
    ended = f"{folder}/ended"
    write(ended, "#!/bin/sh\necho rubbish >&2\nkill -ABRT $$\n")
    os.chmod(ended, 0o755)
    for python, text in (("/no/python", "/no/python: No such file"),
                         (nothing, "has no package assay"),
                         (ended, "pretty.mlir: its import was ended by signal "
                          "6 (Aborted)\n")):
        done = call(folder, "import", "--python", python, "pretty.mlir")
        ok(done.returncode == 2 and text in done.stderr
           and done.stderr.count("\n") == 1, f"{text.strip()}: 2", done)


def check_ended(folder):
    """XLA's parser ends the process where a shape is impossible."""
    write(f"{folder}/ended.hlo", "HloModule m\n\nENTRY e {\n  x = f32[4,3] "
          "parameter(0)\n  ROOT y = f32[5] reshape(x)\n}\n")
    done = call(folder, "import", "ended.hlo")
    ok(done.returncode == 2 and "ended.hlo: " in done.stderr
       and "f32[5]" in done.stderr and done.stderr.count("\n") == 1,
       "an import that ends names the condition that was not met", done)


def check_bytes(folder):
    """MLIR's bindings end the process where a name is no text."""
    for name in ("bytecode", "artifact"):
        with open(f"{folder}/{name}.mlirbc", "rb") as f:
            data = f.read()
        ok(b"\0add" in data, f"{name} names its operations", data)
        with open(f"{folder}/bytes.mlirbc", "wb") as f:
            f.write(data.replace(b"\0add", b"\0\xff\xff\xff"))
        done = call(folder, "import", "bytes.mlirbc")
        ok(done.returncode == 2 and done.stderr.count("\n") == 1
           and "a name or a text in it is not UTF-8" in done.stderr,
           f"{name}: a name of bytes that are no text", done)
        done = subprocess.run(
            [JAX, "-c", "import assay\ntry:\n"
             f"    assay.kernel(abs, '{folder}/bytes.mlirbc')\n"
             "except ValueError as e:\n    print('still here:', e)"],
            capture_output=True, text=True, env=ENVIRONMENT)
        ok("still here" in done.stdout and "was ended by signal 6"
           in done.stdout, f"{name}: the Python that asks survives", done)


def check_branch(folder):
    """A test whose only check stands in a branch judges nothing."""
    check = "check.expect_eq_const %x, dense<1> : tensor<i32>\n"
    body = '"stablehlo.if"(%p) ({{\n{}stablehlo.return\n}}, {{\n' \
        'stablehlo.return\n}}) : (tensor<i1>) -> ()\n{}return\n'
    head = "func.func @main(%p: tensor<i1>, %x: tensor<i32>) {{\n{}}}\n"
    for name, text, due in (
            ("in a branch", body.format(check, ""), "returns nothing: the 1 "
             "values that are checked in regions or in functions that it calls "
             "are not judged; the first is at 3:"),
            ("in both", body.format(check, check), "the first is at 3:"),
            ("outside", body.format("", check), "")):
        write(f"{folder}/branch.mlir", head.format(text))
        done = call(folder, "import", "branch.mlir")
        ok(done.returncode == 0 and due in done.stderr
           and ("in regions" in done.stderr) == bool(due),
           f"a value that is checked {name}", done)


def check_forms(folder):
    done = subprocess.run([JAX, "-c", FORMS, f"{ROOT}/tools/python"],
                          capture_output=True, text=True, cwd=folder)
    ok(done.returncode == 0, "the forms are written", done.stderr)
    made = {}
    for form in ("pretty.mlir", "generic.mlir", "bytecode.mlirbc",
                 "artifact.mlirbc", "artifact.mlir"):
        done = call(folder, "import", form, "--inputs", "good.npz", "-o",
                    f"{form}.json")
        ok(done.returncode == 0 and not done.stderr, f"{form} is read", done)
        made[form] = read(f"{folder}/{form}.json")["cases"][0]
    programs = [c["module"] for c in made.values()]
    ok(all(p == programs[0] for p in programs), "all are the same program",
       programs)
    check_results(folder, "pretty.mlir.json",  # 1 + 2, 2 + 2, -0.5 + 2
                  [{"shape": "f32[3]", "data": [3, 4, 1.5]}])


def check_results(folder, name, expect):
    made = read(f"{folder}/{name}")
    made["cases"][0]["expect"] = expect
    write(f"{folder}/{name}", json.dumps(made))
    done = call(folder, "eval", name)
    ok(done.returncode == 0, f"{name} has the results worked out by hand", done)


def check_inputs(folder):
    for name, text in (("type.npz",
                        "type.npz: x: found f64[3], expected f32[3]"),
                       ("shape.npz",
                        "shape.npz: x: found f32[2], expected f32[3]"),
                       ("array.npy",
                        "array.npy: not an archive of numpy.savez"),
                       ("half.npz", "half.npz: not an archive of numpy.savez"),
                       ("/dev/zero", "zero: not an archive of numpy.savez"),
                       ("bits.npz", "bits.npz: Bad CRC-32 for file 'x.npy'"),
                       ("two.npz", "found 2 arrays of input, expected 1"),
                       ("none.npz", "none.npz: No such file")):
        done = call(folder, "import", "pretty.mlir", "-i", name, "-o",
                    "not.json")
        ok(done.returncode == 2 and text in done.stderr
           and done.stderr.count("\n") == 1
           and not os.path.exists(f"{folder}/not.json"), f"{name}: {text}",
           done)
    done = call(folder, "import", "none.mlir")
    ok((done.returncode, done.stderr)
       == (2, "assay import: none.mlir: No such file or directory\n"),
       "a program that does not exist", done)
    write(f"{folder}/bf16.mlir", PRETTY.replace("3xf32", "2xbf16"))
    done = call(folder, "import", "bf16.mlir", "-i", "bf16.npz")
    # 1.5 is 3fc0, -2 is c000, least byte first
    ok(json.loads(done.stdout)["cases"][0]["inputs"]
       == [{"shape": "bf16[2]", "hex": "c03f00c0"}], "bits of ml_dtypes", done)
    done = call(folder, "import", "pretty.mlir", "-o", "random.json")
    again = call(folder, "lint", "random.json")
    ok(again.returncode == 0, "without inputs it is a case, too", again)


def check_refused(folder):
    for i, (text, why) in enumerate(REFUSED):
        with open(f"{folder}/refused.mlir", "wb") as f:
            f.write(text if isinstance(text, bytes) else text.encode())
        done = call(folder, "import", "refused.mlir", "-o", "not.json")
        ok(done.returncode == 2 and why in done.stderr
           and done.stderr.startswith("assay import: refused.mlir")
           and done.stderr.count("\n") == 1
           and not os.path.exists(f"{folder}/not.json"),
           f"refused: {why}", done)


def check_model(folder):
    """3 - 1 + 4 + 1 = 7 > 0, so the array is reversed; its largest is at 2."""
    done = subprocess.run([JAX, "-c", MODEL], capture_output=True, text=True,
                          cwd=folder, env=ENVIRONMENT)
    ok(done.returncode == 0, "JAX lowers a model", done.stderr)
    done = call(folder, "import", "model.mlir", "-i", "model.npz", "-o",
                "model.json")
    ok(done.returncode == 0, "it is imported", done)
    check_results(folder, "model.json", [
        {"shape": "f32[]", "data": 7},
        {"shape": "f32[4]", "data": [1, 4, -1, 3]},
        {"shape": "f32[4]", "data": [-1, 1, 3, 4]},
        {"shape": "f32[4]", "data": [3, 9, 4, 1]},
        {"shape": "s32[]", "data": 2}])


def check_direct(folder):
    """eval and run take the program itself.  Results as in check_forms."""
    scratch = f"{folder}/scratch"
    os.mkdir(scratch)
    ENVIRONMENT["TMPDIR"] = scratch
    done = call(folder, "eval", "pretty.mlir", "--inputs", "good.npz", "--json")
    elements = json.loads(done.stdout)["cases"][0]["replicas"][0][0]["elements"]
    ok([float(e["value"]) for e in elements] == [3, 4, 1.5],
       "eval of a program", done)
    done = call(folder, "eval", "bytecode.mlirbc")
    ok(done.returncode == 0 and "bytecode" in done.stdout,
       "with random inputs", done)
    for name, code in (("native", 0), ("flip_bit", 1)):
        path = f"{os.path.dirname(ASSAY)}/backends/evil/{name}.so"
        done = call(folder, "run", "pretty.mlir", "-i", "good.npz", "-b",
                    name if code == 0 else path, "--database", f"{name}.db")
        ok(done.returncode == code and "1 case:" in done.stdout,
           f"run of a program on {name}", done)
    ok("run pretty.mlir --backend" in done.stdout
       and "--inputs good.npz" in done.stdout,
       "the reproducer names the program", done)
    for arguments in (["run", "pretty.mlir", "-i", "type.npz"],
                      ["eval", "pretty.mlir", "-i", "type.npz"]):
        done = call(folder, *arguments)
        ok(done.returncode == 2 and not done.stdout and done.stderr
           == "assay import: type.npz: x: found f64[3], expected f32[3]\n",
           f"{arguments[0]}: one message for inputs of another type", done)
    ok(not os.listdir(scratch), "no temporary file is left",
       os.listdir(scratch))
    del ENVIRONMENT["TMPDIR"]


# Small models, and NumPy's results in f64.  What a right result in f32 is off
# by: some dozens of roundings of the largest value.
MODELS = """
import json, math
import jax, jax.numpy as jnp, numpy as np
random = np.random.default_rng(5)
def draw(*shape):
    return random.standard_normal(shape).astype(np.float32)
def softmax(x, n, axis=-1):
    e = n.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
def norm(x, n):
    y = x - x.mean(-1, keepdims=True)
    return y / n.sqrt((y * y).mean(-1, keepdims=True) + np.float32(1e-5))
def attention(q, k, v, n):
    return softmax(q @ k.T * np.float32(0.5), n) @ v
def gelu(x, n):
    return 0.5 * x * (1 + n.tanh(np.float32(0.8) * (x + np.float32(0.04)
                                                     * x * x * x)))
def block(x, q, k, v, w, u, n):
    h = norm(x, n)
    y = x + attention(h @ q, h @ k, h @ v, n)
    return y + gelu(norm(y, n) @ w, n) @ u
def waves(x, w, n):
    h = gelu(x @ w, n)
    return n.sin(h) + n.cos(3 * h) + (n.abs(h) + 0.5) ** 1.5 + n.arctan2(
        h, 2 + n.exp(x)) + n.fmod(n.tanh(h), 2)
def window(x, w, n):
    x, w = n.tanh(x), n.exp(w)
    if n is jnp:
        return jax.lax.conv(x[None], w, (1, 1), "VALID")[0]
    return np.array([[[(x[:, i:i + 2, j:j + 2] * f).sum() for j in range(3)]
                      for i in range(3)] for f in w])
models = {
    "softmax": (softmax, draw(4, 8)), "norm": (norm, draw(4, 16)),
    "attention": (attention, draw(4, 4), draw(5, 4), draw(5, 3)),
    "block": (block, draw(4, 6), *(draw(6, 6) / 2 for _ in range(3)),
              draw(6, 8) / 2, draw(8, 6) / 2),
    "waves": (waves, draw(3, 4), draw(4, 4)),
    "window": (window, draw(2, 4, 4), draw(3, 2, 2, 2))}
for name, (f, *args) in models.items():
    open(name + ".mlir", "w").write(jax.jit(
        lambda *a: f(*a, jnp)).lower(*args).as_text())
    np.savez(name + ".npz", *args)
    right = f(*(a.astype(np.float64) for a in args), np)
    json.dump(right.ravel().tolist(), open(name + ".right", "w"))
json.dump(softmax(models["softmax"][1].astype(np.float64), np, 0).astype(
    np.float32).ravel().tolist(), open("axis.right", "w"))
"""


def ends(element):
    found = re.fullmatch(r"\[(.*), (.*)\]", element["accept"])
    return [float(x) for x in (found.groups() if found
                               else (element["accept"],) * 2)]


def check_models(folder):
    done = subprocess.run([JAX, "-c", MODELS], capture_output=True, text=True,
                          cwd=folder, env=ENVIRONMENT)
    ok(done.returncode == 0, "JAX lowers the models", done.stderr)
    for name in ("softmax", "norm", "attention", "block", "waves", "window"):
        done = call(folder, "eval", f"{name}.mlir", "-i", f"{name}.npz",
                    "--json", "--elements", "1000")
        made = json.loads(done.stdout)["cases"][0]
        elements = made["replicas"][0][0]["elements"] \
            if "replicas" in made else []
        right = read(f"{folder}/{name}.right")
        sets = [ends(e) for e in elements]
        ok(len(sets) == len(right) and all(
            low <= y <= high for (low, high), y in zip(sets, right)),
           f"{name}: NumPy's results are right", done)
        scale = max(map(abs, right)) * 2**-24
        widest = max((high - low) / scale for low, high in sets) if sets else 0
        ok(0 < widest < (1e5 if name == "block" else 1e3),
           f"{name}: at most {widest:.0f} roundings wide")
        done = call(folder, "run", f"{name}.mlir", "-i", f"{name}.npz",
                    "--database", "models.db")
        ok(done.returncode == 0, f"{name}: native is right", done)
    done = call(folder, "import", "softmax.mlir", "-i", "softmax.npz", "-o",
                "axis.json")
    made = read(f"{folder}/axis.json")
    wrong = read(f"{folder}/axis.right")
    made["cases"][0]["expect"] = [{"shape": "f32[4,8]", "data": [
        [str(x) for x in wrong[i:i + 8]] for i in range(0, 32, 8)]}]
    write(f"{folder}/axis.json", json.dumps(made))
    done = call(folder, "eval", "axis.json")
    ok(done.returncode == 1 and "differs" in done.stdout,
       "softmax over the other axis is wrong", done)


# Of one value each, which is larger than any memory: its line and column.
LARGE = (
    ("func.func @main(%x: tensor<3xf32>, %y: tensor<100000x100000xf32>) -> "
     "tensor<3xf32> {\nreturn %x : tensor<3xf32>\n}\n",
     "1:36: argument 1"),
    (MAIN.format("%0 = stablehlo.broadcast_in_dim %x, dims = [1] : "
                 "(tensor<3xf32>) -> tensor<9000000000x3xf32>\n"
                 "return %x : tensor<3xf32>"),
     "2:6: stablehlo.broadcast_in_dim"),
    (MAIN.format("%0 = stablehlo.while(%a = %x) : tensor<3xf32>\n cond {\n"
                 "%p = stablehlo.constant dense<true> : tensor<i1>\n"
                 "stablehlo.return %p : tensor<i1>\n } do {\n"
                 "  %1 = stablehlo.iota dim = 0 : tensor<9000000000xf32>\n"
                 "stablehlo.return %a : tensor<3xf32>\n }\n"
                 "return %0 : tensor<3xf32>"), "7:8: stablehlo.iota"),
)


def check_places(folder):
    """A message names the program and the value in it, not the file between;
    places are counted by hand."""
    for text, place in LARGE:
        write(f"{folder}/large.mlir", text)
        done = call(folder, "eval", "large.mlir")
        ok(done.returncode in (2, 3) and "limit: an array of" in
           done.stdout + done.stderr and f"large.mlir:{place}"
           in done.stdout + done.stderr and "assay-import"
           not in done.stdout + done.stderr, f"eval: {place}", done)
        done = call(folder, "run", "large.mlir", "--database", "large.db")
        ok(done.returncode == 1 and "limit large/large: " in done.stdout
           and "assay-import" not in done.stdout + done.stderr,
           "run says why it is not judged", done)
    with contextlib.closing(sqlite3.connect(f"{folder}/large.db")) as db:
        found = db.execute("SELECT DISTINCT at FROM detail").fetchall()
    ok(found == [("large.mlir",)], "the database names the program", found)
    for arguments, text in (
            (["eval", "pretty.mlir", "--case", "no"],
             "assay eval: pretty.mlir has no case 'no'\n"),
            (["run", "pretty.mlir", "--filter", "no"], "in pretty.mlir matches"),
            (["eval", "pretty.mlir", "--limit-file-bytes", "100"],
             "assay eval: pretty.mlir: the file is larger than the limit"),
            (["run", "pretty.mlir", "--limit-file-bytes", "100"],
             "assay run: pretty.mlir: the file is larger than the limit")):
        done = call(folder, *arguments)
        ok(done.returncode == 2 and text in done.stderr
           and "assay-import" not in done.stderr, text.strip(), done)
    ENVIRONMENT["TMPDIR"] = "/no"
    done = call(folder, "eval", "pretty.mlir")
    ok(done.returncode == 2 and done.stderr.startswith(
        "assay eval: pretty.mlir: no temporary folder can be made in /no"),
       "no temporary folder", done)
    del ENVIRONMENT["TMPDIR"]


REDUCED = MAIN.format(
    '%0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : '
    "tensor<1x2xi64>}> ({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "%m = stablehlo.add %a, %b : tensor<f32>\n"
    "stablehlo.return %m : tensor<f32>\n}) : (tensor<3xf32>) -> "
    "tensor<3xf32>\nreturn %0 : tensor<3xf32>")
OTHER = PRETTY.replace("main", "other").replace("2.0", "5.0")
HLO = """HloModule t
ENTRY e {
  p = f32[3]{0} parameter(0)
  ROOT r = f32[3]{0} negate(p)
}
"""


def check_options(folder):
    write(f"{folder}/reduced.mlir", REDUCED)
    write(f"{folder}/two.mlir", PRETTY + OTHER)
    write(f"{folder}/bug.hlo", HLO)
    done = call(folder, "import", "reduced.mlir", "--replicas", "1", "-o",
                "not.json")
    ok(done.returncode == 2 and done.stderr.startswith(
        "reduced.mlir:2:6: stablehlo.all_reduce: AllReduce: replica_groups has")
       and done.stderr.count("\n") == 1
       and not os.path.exists(f"{folder}/not.json"),
       "what Assay would not read again is not written", done)
    for arguments, count in ((["reduced.mlir"], 2),
                             (["reduced.mlir", "--replicas", "2"], 2)):
        done = call(folder, "eval", *arguments, "--json")
        made = json.loads(done.stdout)["cases"][0]
        ok(len(made.get("replicas", ())) == count,
           f"{arguments}: {count} replicas", done)
    notice = "assay import: two.mlir: imported 'main' of 2 functions; " \
        "--entry chooses another: other\n"
    for arguments, first, said in (([], 3, notice),
                                   (["--entry", "other"], 6, "")):
        done = call(folder, "eval", "two.mlir", "-i", "good.npz", "--json",
                    *arguments)
        made = json.loads(done.stdout)["cases"][0]["replicas"][0][0]
        ok(float(made["elements"][0]["value"]) == first
           and done.stderr == said, f"entry: {arguments}", done)
    done = call(folder, "run", "two.mlir", "--entry", "other", "-i",
                "good.npz", "-b", f"{os.path.dirname(ASSAY)}/backends/evil/"
                "flip_bit.so", "--database", "two.db")
    ok(done.returncode == 1 and "--entry other" in done.stdout,
       "the reproducer names the entry", done)
    done = call(folder, "run", "bug.hlo", "-i", "good.npz", "--database",
                "hlo.db")
    ok(done.returncode == 0 and "1 case: 1 pass" in done.stdout,
       "run of a program in HLO", done)
    done = call(folder, "import", "bug.hlo", "-o", "bug.json")
    done = call(folder, "emit", "--hlo", "bug.json")
    ok(done.returncode == 0 and done.stdout.startswith(
        "// bug/bug\nHloModule ") and " negate(" in done.stdout, "and back",
       done)
    write(f"{folder}/again.hlo", done.stdout)
    done = call(folder, "eval", "again.hlo", "-i", "good.npz", "--json")
    made = json.loads(done.stdout)["cases"][0]["replicas"][0][0]
    ok([float(e["value"]) for e in made["elements"]] == [-1, -2, 0.5],
       "and again", done)
    for arguments, text in (
            (["import", "two.mlir", "--entry", "third"],
             "two.mlir: no function 'third': main, other\n"),
            (["run", "--entry", "x"], "--entry needs a program (.mlir"),
            (["eval", "x.json", "--replicas", "2"], "--replicas needs a "),
            (["eval", "two.mlir", "--replicas", "0"], "--replicas"),
            (["emit", "--as", "hlos", "bug.json"], "expected stablehlo, hlo "
             "or program")):
        done = call(folder, *arguments)
        ok(done.returncode == 2 and text in done.stderr, text.strip(), done)


def check_mutated(folder):
    """Bytecode cut short, and with other bytes: one line, and no signal."""
    with open(f"{folder}/artifact.mlirbc", "rb") as f:
        whole = f.read()
    seed = int(os.environ.get("ASSAY_SEED") or random.randrange(2**32))
    chosen, other = random.Random(seed), []
    for i in range(int(os.environ.get("ASSAY_MUTATIONS") or 12)):
        at = chosen.randrange(4, len(whole))
        made = whole[:at] if i % 2 else whole[:at] + bytes(
            [chosen.randrange(256)]) + whole[at + 1:]
        with open(f"{folder}/mutated.mlirbc", "wb") as f:
            f.write(made)
        done = call(folder, "import", "mutated.mlirbc", "-o", "mutated.json")
        if done.returncode not in (0, 2) or "Traceback" in done.stderr \
                or done.returncode and done.stderr.count("\n") != 1:
            other.append(done)
    ok(not other, f"mutations of bytecode, seed {seed}", other[:2])


def check_usage(folder):
    for arguments, text in (
            (["run", "-i", "x.npz"], "--inputs needs a program"),
            (["eval", "x.json", "-i", "x.npz"],
             "--inputs needs a program"),
            (["run", "a.mlir", "b.mlir"], "unexpected argument: b.mlir"),
            (["run", "Add/rules"], "unexpected argument: Add/rules"),
            (["run", "a.mlir", "--cases", "."], "--cases cannot be combined")):
        done = call(folder, *arguments)
        ok(done.returncode == 2 and text in done.stderr, text, done)


def check_roundtrip():
    """Every 97th program of cases/, or as ASSAY_ROUNDTRIP says: 1 is all."""
    step = os.environ.get("ASSAY_ROUNDTRIP") or "97"
    done = subprocess.run([JAX, f"{ROOT}/tools/test/roundtrip.py", ASSAY, step],
                          capture_output=True, text=True, cwd=ROOT)
    *other, last = done.stdout.splitlines() or [""]
    other = [line for line in other if line not in LOST]
    count = int(last.partition(" of ")[2] or 0)
    ok(not other and count > 15000 // int(step),
       "programs are the same after emit, import and emit", done)
    figure("programs through MLIR and back", count)


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_missing(folder)
        check_usage(folder)
        if not os.path.exists(JAX):
            ok(True, "programs of StableHLO # SKIP make jax was not run")
            finish()
        check_ended(folder)
        check_branch(folder)
        check_forms(folder)
        check_bytes(folder)
        check_inputs(folder)
        check_refused(folder)
        check_model(folder)
        check_direct(folder)
        check_options(folder)
        check_mutated(folder)
        check_places(folder)
        check_models(folder)
    check_roundtrip()
    finish()


main()
