#!/usr/bin/python3
# steps.t - which operation of a function of JAX, or of a program, is wrong?
#
# SPDX-License-Identifier: Apache-2.0
#
# jaxlib's cube root of 2^-149 has the wrong sign; all else that the functions
# here compute is right.  Needs `make jax`, and is skipped by name without it.
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402
from with_jax import ASSAY, ENVIRONMENT, JAX  # noqa: E402

BUILD = os.path.abspath(os.environ.get("B", "build"))
ENVIRONMENT = {**ENVIRONMENT, "ASSAY_LIBRARY": f"{BUILD}/libassay.so"}

WRONG = """
import assay, jax, jax.numpy as jnp, numpy as np
x = np.float32([1e-45, 1, -8, 2.5])
def f(x):
    return (jnp.cbrt(x)  # line 4
            * 2 + 1)
def loop(x):
    def body(i, a):
        return jnp.cbrt(a) * i  # line 8
    return jax.lax.fori_loop(0, 3, body, x) + 1
def branch(x):
    return jax.lax.cond(x[1] > 0, lambda y: jnp.cbrt(y) + 1,  # line 11
                        lambda y: y, x)
@jax.jit
def called(x):
    return jnp.cbrt(x) + 1  # line 15
for g in (f, loop, branch, lambda x: called(x) * 2):
    c = assay.check_jax(g, x)
    print(bool(c), c.first.op, c.first.place.rpartition("/")[2],
          c.first.inside.split(" (")[0], bool(c.first.alone), len(c.others))
    print(c.first.verdict.wrong[0].index, c.first.verdict.wrong[0].expected)
c = assay.check_jax(jnp.cbrt, x)
print("jax_check" in c.first.place or "site-packages" in c.first.place)
"""
# Of each: bool, what is wrong, how much is judged, and what is not.
RIGHT = """
import assay, jax, jax.numpy as jnp, numpy as np
random = np.random.default_rng(5)
def draw(*shape):
    return random.standard_normal(shape).astype(np.float32)
def norm(x):
    y = x - x.mean(-1, keepdims=True)
    return y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-5)
def scan(x):
    return jax.lax.scan(lambda c, a: (c / 2 + a, jnp.tanh(c)), x[0], x)
def attention(q, k, v):
    return jax.nn.softmax(q @ k.T / 2) @ v
def loss(x, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()
def count(n):
    return jax.lax.while_loop(lambda s: s[0] < s[1],
                              lambda s: (s[0] + 1, s[1]), (0 * n, n))
i = np.int32([0, 2, 3])
for name, f, *args in (
        ("softmax", jax.nn.softmax, draw(3, 6)), ("norm", norm, draw(3, 8)),
        ("scan", scan, draw(5)), ("count", count, np.int32(4)),
        ("where", lambda x: jnp.where(x > 0, x, x[::-1]), draw(6)),
        ("loss", loss, draw(3, 5), i),
        ("sorted", lambda x: (jnp.sort(x), jnp.argsort(x)), draw(7)),
        ("gradient of attention", jax.grad(lambda *a: attention(*a).sum()),
         draw(3, 4), draw(5, 4), draw(5, 2)),
        ("gradient of a norm", jax.grad(lambda x: (norm(x) ** 2).sum()),
         draw(2, 6)),
        ("gradient of a loss", jax.grad(loss), draw(3, 5), i),
        ("cholesky", jax.lax.linalg.cholesky, np.float32([[4, 2], [2, 5]])),
        ("triangular", lambda a, b: jax.scipy.linalg.solve_triangular(
            a, b, lower=True), np.float32([[2, 0], [1, 4]]), draw(2, 2)),
        ("transposed", lambda a, b: jax.scipy.linalg.solve_triangular(
            a, b, trans=1, unit_diagonal=True), np.float32([[2, 3], [1, 4]]),
         draw(2, 2)),
        ("bf16", lambda x, y: jnp.dot(x.astype(jnp.bfloat16),
                                      y.astype(jnp.bfloat16)), draw(3, 4),
         draw(4, 2))):
    c = assay.check_jax(f, *args)
    print(name, bool(c), len(c.wrong), c.judged > 0, c.others)
with jax.enable_x64(True):
    c = assay.check_jax(lambda x, n, y: (x * n.sum()).astype(np.float32) + y,
                        np.float64([1.5, -2]), np.int64([2**40, 3]),
                        np.float32([1, 2]))
print("types", bool(c), len(c.wrong), c.judged > 3, c.others)
schur = jax.scipy.linalg.schur
c = assay.check_jax(lambda x: schur(jnp.diag(jnp.abs(x)))[0] + 1, draw(3))
print("unjudged", c.whole, bool(c.why), bool(c.others), c.judged > 0)
"""


# x x + c, where c is 1 less than a rounded product: 2^-24, and 0 if both are
# rounded.  A cube root that is wrong alone is wrong by each profile.
FUSED = """
import assay, jax.numpy as jnp, numpy as np
x = np.float32([1 + 2.0 ** -12, 3])
f = lambda x, c: x * x + c
c = np.float32([-1 - 2.0 ** -11, -9])
found = assay.check_jax(f, x, c)
fuses = not found and found.whole.wrong[0].found == 2.0 ** -24
print(bool(found) or fuses, found.fused == ("xla-cpu-default" if fuses else ""),
      found.fused in str(found), not assay.check_jax(
          f, x, c, profile="xla-cpu-default").fused)
print(repr(assay.check_jax(jnp.cbrt, np.float32([1e-45])).fused))
"""


# A program of several operations that has a sine is given one with a cosine,
# whose result is another number everywhere here.
INSIDE = """
import assay, jax, jax.numpy as jnp, numpy as np
from assay import jax_check
x = np.float32([.5, -1])
def loop(x):
    def body(i, a):
        return jnp.sin(a) * 2  # line 6
    return jax.lax.fori_loop(0, 3, body, x)
def branch(x):
    return jax.lax.cond(x[0] > 0, lambda y: jnp.sin(y) + 1,  # line 9
                        lambda y: y, x)
@jax.jit
def called(x):
    return jnp.sin(x) + 1  # line 13
compile = jax_check._compile
planted = False
def plant(text):
    if planted and text.count('"stablehlo.') > 3:
        text = text.replace('"stablehlo.sine"', '"stablehlo.cosine"')
    return compile(text)
jax_check._compile = plant
def run(self):
    text = self.compiler_ir().operation.get_asm(print_generic_op_form=True)
    return lambda *args: jax_check._execute(plant(text), list(map(
        np.asarray, args)))
jax.stages.Lowered.compile = run
for g in (loop, branch, lambda x: called(x) * 2):
    planted = False
    c = assay.check_jax(g, x)
    print(bool(c), len(c.wrong), len(c.remarks), c.others)
    planted = True
    c = assay.check_jax(g, x)
    sines = [s for s in c.wrong if s.op == "stablehlo.sine"]
    print(bool(c), [(s.place.rpartition("/")[2], s.inside.split(" (")[0],
                     bool(s.alone)) for s in sines], len(c.wrong), c.others)
"""


def run(code):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/model.py", "w", encoding="utf-8") as f:
            f.write(code.lstrip())
        return subprocess.run([JAX, "model.py"], capture_output=True,
                              text=True, cwd=folder, env=ENVIRONMENT,
                              check=False)


def check_wrong():
    """The cube root of 2^-149 is 2^(-149/3), 1.1190347e-15 (mathematics);
    jaxlib's is -5.6e-16."""
    done = run(WRONG)
    expected = (("an operation", "4", ""),
                ("in a loop", "8", "closed_call, iteration 0 of "
                 "stablehlo.while"),
                ("in a branch", "11", "branch 1 of stablehlo.case"),
                ("in a function that is called", "15", "called"))
    lines = done.stdout.splitlines()
    for k, (name, line, inside) in enumerate(expected):
        ok(lines[2 * k:2 * k + 2] == [
            f"False stablehlo.cbrt model.py:{line} {inside} False 0",
            "(0,) 1.1190347e-15"], f"{name}: where it is wrong", done)
    ok(lines[8:] == ["False"], "a place is not Assay's own", done)


def check_right():
    done = run(RIGHT)
    *lines, last = done.stdout.splitlines() or [""]
    ok(len(lines) == 15, "functions are judged", done)
    for line in lines:
        ok(line.endswith(" True 0 True ()"), line.partition(" True")[0], done)
    ok(last == "unjudged None True True True", "what cannot be judged is "
       "listed, and the rest is judged", done)


def check_fused():
    done = run(FUSED)
    ok(done.stdout.splitlines() == ["True True True True", "''"],
       "what is right by XLA's profile is told so", done)


def check_inside():
    """What is wrong only beside others, and in what the program runs inside."""
    done = run(INSIDE)
    right = "True 0 0 ()"
    ok(done.stdout.splitlines() == [
        right, "False " + str([
            ("model.py:6", f"closed_call, iteration {n} of stablehlo.while",
             True) for n in range(3)]) + " 3 ()",
        right, "False [('model.py:9', 'branch 1 of stablehlo.case', True)] 1 ()",
        right, "False [('model.py:13', 'called', True)] 1 ()"],
       "in a loop, a branch and a function, beside others", done)


# Lines of operations: 3, 4 and 5.
PROGRAM = """func.func @main(%x: tensor<4xf32>) -> RESULTS {
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %b = stablehlo.cbrt %x : tensor<4xf32>
  %e = stablehlo.multiply %b, %two : tensor<4xf32>
  %s = stablehlo.negate %e : tensor<4xf32>
  return VALUES : TYPES
}
"""
LOOP = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %z, %a = %x) : tensor<i32>, tensor<4xf32>
   cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %c : tensor<i1> }
   do { %j = stablehlo.add %i, %one : tensor<i32>
     %f = stablehlo.sine %a : tensor<4xf32>
     stablehlo.return %j, %f : tensor<i32>, tensor<4xf32> }
  return %r#1 : tensor<4xf32>
}
"""
# The third value of the body is made in line 9; the loop is line 4.
BESIDE = """func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> (tensor<i32>, tensor<4xf32>, tensor<4xf32>) {
  %z = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%i = %z, %a = %x, %b = %x) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
   cond { %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
     stablehlo.return %c : tensor<i1> }
   do { %j = stablehlo.add %i, %one : tensor<i32>
     %f = stablehlo.sine %a : tensor<4xf32>
     %g = stablehlo.negate %b : tensor<4xf32>
     stablehlo.return %j, %f, %g : tensor<i32>, tensor<4xf32>, tensor<4xf32> }
  return %r#0, %r#1, %r#2 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
}
"""
# For the first x, e^x is within an ulp of 2: what it is rounded down to is not
# decided for the program, but for the value that a backend returned.
UNDECIDED = """func.func private @f(%e: tensor<4xf32>) -> tensor<4xf32> {
  %f = stablehlo.floor %e : tensor<4xf32>
  return %f : tensor<4xf32>
}
func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = stablehlo.exponential %x : tensor<4xf32>
  %f = func.call @f(%e) : (tensor<4xf32>) -> tensor<4xf32>
  %s = stablehlo.negate %x : tensor<4xf32>
  return %s, %f : tensor<4xf32>, tensor<4xf32>
}
"""
# A sum that overflows may be anything, and so may what is made of it.
OVERFLOW = """func.func @main(%x: tensor<2xui32>) -> tensor<2xui32> {
  %a = stablehlo.add %x, %x : tensor<2xui32>
  %b = stablehlo.not %a : tensor<2xui32>
  %c = stablehlo.xor %a, %b : tensor<2xui32>
  return %c : tensor<2xui32>
}
"""
ARRAYS = """import numpy as np
np.savez("u.npz", np.uint32([2**31 + 3, 7]))
np.savez("e.npz", np.float32([.6931472, -1, 2, .1]))
np.savez("x.npz", np.float32([1e-45, -1, 2, .1]))
np.savez("y.npz", np.float32([.5, -1, 2, .1]))
np.savez("n.npz", np.float32([.5, -1, 2, .1]), np.int32(3))
"""


def command(folder, *arguments):
    return subprocess.run([ASSAY, *arguments], capture_output=True, text=True,
                          cwd=folder, env={**ENVIRONMENT, "TMPDIR": folder
                                           + "/scratch"}, check=False)


def parts(done):
    """What each run of several says: its title, and its names that fail."""
    made = {}
    for line in done.stdout.splitlines():
        if line.startswith("== "):
            made[line.strip("= ")] = names = []
        elif line.startswith("fail "):
            names.append(line.split()[1].rstrip(":"))
    return made


def check_command(folder):
    one = ("tensor<4xf32>", "%s", "tensor<4xf32>")
    three = "tensor<4xf32>, tensor<4xf32>, tensor<4xf32>"
    for name, (results, values, kinds) in (
            ("one", one), ("hidden", one[:1] + ("%e",) + one[2:]),
            ("three", (f"({three})", "%b, %e, %s", three))):
        text = PROGRAM if name == "one" else PROGRAM.replace("negate %e",
                                                             "negate %x")
        with open(f"{folder}/{name}.mlir", "w", encoding="utf-8") as f:
            f.write(text.replace("RESULTS", results)
                    .replace("VALUES", values).replace("TYPES", kinds))
    for name, text in (("undecided", UNDECIDED), ("overflow", OVERFLOW),
                       ("loop", LOOP), ("beside", BESIDE)):
        with open(f"{folder}/{name}.mlir", "w", encoding="utf-8") as f:
            f.write(text)
    subprocess.run([JAX, "-c", ARRAYS], cwd=folder, check=True)
    os.mkdir(f"{folder}/scratch")
    whole, alone, each, inside, remarks, given = (
        "the program", "each operation alone", "each value of the program",
        "each value inside", "each value of the program (remarks)",
        "each value, by those of its operands (remarks)")
    jax = f"process:{JAX} -m assay.backends.jax"
    evil = f"{BUILD}/backends/evil"
    database = ["--database", "steps.db"]
    for name, inputs, backend, code, expected in (
            ("one", "x", "native", 0, {whole: [], alone: [], remarks: []}),
            ("loop", "n", "native", 0, {whole: [], alone: [], remarks: []}),
            ("one", "x", jax, 1, {whole: ["one/one"],
                                  alone: ["Cbrt/one/00000-one.mlir-3"]}),
            ("three", "y", f"{evil}/beside.so", 1,
             {whole: ["three/three"], alone: [], each: ["three/values"]}),
            ("beside", "n", "native", 0, {whole: [], alone: [], remarks: []}),
            ("beside", "n", f"{evil}/beside.so", 1,
             {whole: ["beside/beside"], alone: [], each: ["beside/values"],
              inside: [f"Neg/beside/inside-0000{n}-iteration-{n}-"
                       "beside.mlir-4" for n in range(3)]}),
            ("overflow", "u", "native", 0,
             {whole: [], alone: [], remarks: []}),
            ("overflow", "u", f"{evil}/beside.so", 0, {
                whole: [], alone: [], remarks: [], given: ["overflow/values"]}),
            ("undecided", "e", "native", 0,
             {whole: [], alone: [], remarks: []}),
            ("undecided", "e", f"{evil}/beside.so", 0, {
                whole: [], alone: [], remarks: [],
                given: ["undecided/values"]})):
        done = command(folder, "run", f"{name}.mlir", "-i", f"{inputs}.npz",
                       "--steps", "--backend", backend, *database)
        ok(done.returncode == code and parts(done) == expected,
           f"--steps: {name} on {os.path.basename(backend)}", done)
        ok(("--profile xla-cpu-default" in done.stdout) == (
            each in expected),
           f"--steps: {name}: a profile is suggested where operations are right "
           "alone and wrong together", done)
        if inside in expected:
            ok(done.stdout.count(" of output 2 (stablehlo.negate, line 9; v3)")
               >= 3, "the line of what is wrong inside", done)
    ok("Floor depends on" in done.stdout
       and " (stablehlo.floor, line 2; v0)" in done.stdout
       and " of output 2 (stablehlo.negate, line 8; v2)" in done.stdout,
       "the refusal has a line, and so has what is wrong all the same", done)
    for name in ("three/values", "three/three"):
        done = command(folder, "run", "three.mlir", "-i", "y.npz", "--steps",
                       "--backend", f"{evil}/beside.so", "--filter", name,
                       *database)
        ok(done.returncode == 1 and list(parts(done).values()) == [[name]],
           f"the reproducer's filter: {name}", done)
    name = "Neg/beside/inside-00001-iteration-1-beside.mlir-4"
    done = command(folder, "run", "beside.mlir", "-i", "n.npz", "--steps",
                   "--backend", f"{evil}/beside.so", "--filter", name,
                   *database)
    ok(done.returncode == 1 and list(parts(done).values()) == [[name]],
       f"the reproducer's filter: {name}", done)
    done = command(folder, "run", "hidden.mlir", "-i", "y.npz",
                   "--steps", "--backend", f"{evil}/beside.so", *database)
    ok(done.returncode == 0 and parts(done) == {
        whole: [], alone: [], remarks: ["hidden/values"]}
       and " of output 2 (stablehlo.negate, line 5; v" in done.stdout,
       "a value that is wrong beside others, and shows in no result", done)
    with open(f"{folder}/inner.mlir", "w", encoding="utf-8") as f:
        f.write("module @m {\n" + LOOP.replace(
            "%f = stablehlo.sine %a :", "%f = func.call @g(%a) : (tensor<4xf32>) "
            "->")
                + "func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                "  %f = stablehlo.sine %x : tensor<4xf32>\n"
                "  return %f : tensor<4xf32>\n}\n}\nmodule @n {}\n")
    done = command(folder, "run", "inner.mlir", "-i", "n.npz", "--steps",
                   "--entry", "m::main", "--backend", f"{evil}/all_wrong.so",
                   *database)
    ok(sum(n.startswith("Sin/") for n in parts(done).get(alone, [])) == 3,
       "a function called in a loop, in a module within a module", done)
    done = command(folder, "run", "loop.mlir", "-i", "n.npz", "--steps",
                   "--backend", f"{evil}/all_wrong.so", *database)
    # The condition is decided four times, the body runs three times.
    found = parts(done).get(alone, [])
    ok([sum(n.startswith(op) for n in found) for op in ("Lt/", "Add/", "Sin/")]
       == [4, 3, 3] and all(f"-iteration-{n}-" in "".join(found)
                            for n in range(4)) and all(n.endswith(("mlir-5", "mlir-7", "mlir-8"))
                            for n in found), "each iteration", done)
    done = command(folder, "run", "one.mlir", "-i", "x.npz", "--steps",
                   "--backend", jax, "--filter", "Cbrt/one/00000*", *database)
    ok(done.returncode == 1 and parts(done) == {
        alone: ["Cbrt/one/00000-one.mlir-3"]}, "the reproducer's filter", done)
    ok(not os.listdir(f"{folder}/scratch"), "no temporary file is left",
       os.listdir(f"{folder}/scratch"))
    for arguments, why in ((["--steps"], "--steps needs a program"),
                           (["one.mlir", "--steps", "--tap"],
                            "--steps cannot be combined with --tap")):
        done = command(folder, "run", *arguments)
        ok(done.returncode == 2 and why in done.stderr, why, done)


def main():
    if not os.path.exists(JAX):
        ok(True, "functions of JAX # SKIP make jax was not run")
        finish()
        return
    check_wrong()
    check_right()
    check_fused()
    check_inside()
    with tempfile.TemporaryDirectory() as folder:
        check_command(folder)
    finish()


main()
