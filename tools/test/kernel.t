#!/usr/bin/python3
# kernel.t - assay kernel: a gate that passes right kernels, catches wrong ones,
# and names a cause only if that is it.
#
# SPDX-License-Identifier: Apache-2.0
#
# With Debian's NumPy.  Right and wrong kernels are those of planted.py; what is
# due of them is that they are right or wrong, as they were written to be.  Every
# deviation of a program is a wrong kernel, too: its own results must be caught.
#
# Some of the kernels are tried.  ASSAY_SEED: others.  ASSAY_LONG: all of them.
import json
import os
import subprocess
import sys
import tempfile
import warnings

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import figure, finish, ok  # noqa: E402
from package import ASSAY, ENVIRONMENT, ROOT, np  # noqa: E402
import assay  # noqa: E402
import planted  # noqa: E402
import planted_right  # noqa: E402
from assay import gate, kernel_program, kernel_report, reference  # noqa: E402

warnings.simplefilter("ignore")
LONG = bool(os.environ.get("ASSAY_LONG"))
SEED = int(os.environ.get("ASSAY_SEED", "1"))
print(f"# seed {SEED}")

#: Of planted kernels, by what is wrong, the deviation that is it.
CAUSES = {
    ("softmax", "no maximum is subtracted"): "no-max",
    ("softmax", "1e-6 is added to the sum"): "eps-in-sum-1e-6",
    ("logsumexp", "an infinite maximum is subtracted"): "infinite-max",
    ("logsumexp", "the sum drops the last incomplete block of 16"): "tail-16",
    ("rms-norm", "eps is outside of the root"): "eps-outside",
    ("gelu", "the form with tanh"): "tanh-form",
    ("quantised-matmul", "sums wrap in 16 bits"): "accumulator-s16",
    ("causal-attention", "the mask admits one position too many"):
        "mask-one-more",
    ("mlp", "hidden values are rounded to f16"): "hidden-f16",
}

SOFTMAX = r"""
#include <assay/kernel.h>
#include <math.h>
#include <string.h>
int assay_kernel(const char *program, const assay_kernel_array *in, int32_t n,
                 const assay_kernel_array *out, int32_t m, char *error,
                 uint64_t size)
{
    if (strcmp(program, "softmax") != 0 || n != 1 || m != 1)
        return 9;
    if (strcmp(in[0].dtype, "f32") != 0)
        return ASSAY_KERNEL_UNSUPPORTED;
    int64_t rows = in[0].dims[0], k = in[0].dims[1];
    const float *x = in[0].data;
    float *y = out[0].data;
    (void)error, (void)size;
    MISTAKE
    for (int64_t r = 0; r < rows; r++) {
        float high = -INFINITY, sum = 0;
        for (int64_t i = 0; i < k; i++)
            high = x[r * k + i] > high || isnan(x[r * k + i]) ? x[r * k + i]
                                                              : high;
        for (int64_t i = 0; i < k; i++)
            sum += y[r * k + i] = expf(x[r * k + i] - high);
        for (int64_t i = 0; i < k; i++)
            y[r * k + i] /= sum;
    }
    return 0;
}
"""
MISTAKES = {
    "right": ("", 0, "right in"),
    "crash": ("if (k == 131) *(volatile char *)0 = 1;", 1,
              "crashed: Segmentation fault"),
    "beyond": ("((char *)y)[4 * rows * k] = 0;", 1,
               "memory beside an array was written to"),
    "operand": ("((char *)x)[0] ^= 1;", 1, "operand 0 was overwritten"),
    "unwritten": ("return 0;", 1, "units are wrong"),
    "failed": ('strcpy(error, "no such luck"); return 7;', 1,
               "assay_kernel returned 7: no such luck"),
    "hang": ("if (k == 8) for (volatile int i = 1; i;) {}", 1,
             "did not return within 1 s"),
}


def adam_without_eps(p, g, m, v):
    m = np.float32(0.9) * m + np.float32(0.1) * g
    v = np.float32(0.999) * v + np.float32(0.001) * (g * g)
    root = np.sqrt(v / np.float32(0.002997001))
    return p - np.float32(0.001) * (m / np.float32(0.271) / root), m, v


def rope_at_first(x, c, s):
    a, b, c, s = *np.split(x, 2, 1), c[:1], s[:1]
    return np.concatenate([a * c - b * s, a * s + b * c], 1)


def last_experts(x):
    i = x.shape[1] - 1 - np.argsort(-x[:, ::-1], 1, "stable")[:, :2]
    v = np.take_along_axis(x, i, 1)
    e = np.exp(v - v.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True), i.astype(np.int32)


def attention_over_queries(q, k, v):
    s = q @ k.T / np.sqrt(np.float32(q.shape[1]))
    e = np.exp(s - s.max(0, keepdims=True, initial=-np.inf))
    return e / e.sum(0, keepdims=True) @ v


#: Kernels of this file, by program, and the deviation that each is.
OWN = (("adam-step", adam_without_eps, "no-eps"),
       ("rope", rope_at_first, "first-position"),
       ("moe-topk", last_experts, "last-of-equal"),
       ("attention", attention_over_queries, "over-queries"))


def command(*arguments, verb="kernel"):
    done = subprocess.run([ASSAY, verb, *arguments], capture_output=True,
                          text=True, timeout=500, env=ENVIRONMENT)
    return done.returncode, done.stdout, done.stderr


def dtypes(program):
    known = kernel_program.find(program).dtypes
    return [d for d in ("f16", "f32") if d in known
            and program not in planted.RESULT or d == "f32"]


def some(rows, step):
    """Every step-th, the first by the seed; all of them with ASSAY_LONG."""
    return rows if LONG else rows[SEED % step::step]


def check_right():
    ok(sorted(planted.RIGHT) == kernel_program.names(),
       "each program has a right kernel", kernel_program.names())
    for program, kernel in some(sorted(planted.RIGHT.items()), 6):
        made = assay.kernel(kernel, program, dtypes(program)).run()
        ok(made, f"{program}: a right kernel is right", made)


def check_other_ways():
    """Another order of adding, fused products, functions within budget."""
    for program, text, kernel in some(planted_right.RIGHTS, 12):
        made = assay.kernel(kernel, program).run(first=True)
        ok(made, f"{program}: {text}: right", made)


def check_planted():
    wrong = some(planted.WRONG, 12)
    missed = [(program, text) for program, text, kernel in wrong
              if not assay.kernel(kernel, program).run(first=True).wrong]
    ok(not missed, f"{len(wrong)} wrong kernels are caught", missed)
    figure("planted kernels", len(wrong))


def check_causes():
    named = [w for w in planted.WRONG if w[:2] in CAUSES]
    ok(len(named) == len(CAUSES), "each cause has its kernel", CAUSES)
    rows = [(*w, CAUSES[w[:2]]) for w in named] + [
        (program, kernel.__name__, kernel, due) for program, kernel, due in OWN]
    for program, text, kernel, due in some(rows, 5):
        made = assay.kernel(kernel, program).run()
        ok(made.causes and made.causes[0].id == due,
           f"{program}, {text}: the first cause is {due}", made)


def check_no_cause():
    """Mistakes that no deviation describes have no cause, though a wide set of
    one would hold the results."""
    for program, text in (
            ("layer-norm", "the variance is E[x^2] - E[x]^2"),
            ("quantised-matmul", "products are added in f32 after the scale"),
            ("gelu", "results beyond -3 are 0")):
        kernel = next(k for p, t, k in planted.WRONG if (p, t)
                      == (program, text))
        made = assay.kernel(kernel, program).run()
        ok(made.wrong and not made.causes, f"{program}, {text}: no cause", made)


def differs(definition, deviation):
    """In some call the exact results of the program that deviates are wrong."""
    for dtype in definition.dtypes:
        if dtype not in assay.types.DTYPES:
            continue
        probe = assay.kernel(None, definition, dtype)
        for sizes in definition.shapes:
            if not definition.applies(deviation, dtype, sizes):
                continue
            for data in probe.data:
                call = kernel_report.Call(dtype, sizes, data, "",
                                 probe.operands(dtype, sizes, data))
                try:
                    with definition.evaluate(dtype, sizes, call.operands,
                                             gate.KERNEL, [deviation]) as e:
                        found = [reference.array(t) for t in e.outputs()]
                    if not probe.judge(call, found)[0]:
                        return True
                except (assay.EvaluationError, assay.InvalidProgram):
                    continue
    return False


def check_deviations():
    known = [(d, definition) for definition in map(kernel_program.find,
                                                   kernel_program.names())
             for d in definition.deviations]
    tried = some(known, 60)
    same = [(definition.name, d.id) for d, definition in tried
            if not differs(definition, d)]
    ok(not same, f"{len(tried)} of {len(known)} deviations of programs are "
       "caught", same)
    figure("deviations of programs", len(tried))


def check_behaviour():
    softmax = planted.RIGHT["softmax"]

    def overwrite(x):
        x[...] = softmax(x)
        return x
    calls = iter(range(10**6))
    for text, kernel, why in (
            ("another type", lambda x: softmax(x).astype(np.float64),
             "result 0 is f64[3, 8], expected f32[3, 8]"),
            ("another shape", lambda x: softmax(x).T.copy(),
             "result 0 is f32[8, 3], expected f32[3, 8]"),
            ("two results", lambda x: (softmax(x), x),
             "2 results, expected 1"),
            ("an exception", lambda x: 1 // 0, "raised ZeroDivisionError"),
            ("no array", lambda x: object(), "what was returned is no array"),
            ("an operand overwritten", overwrite,
             "operand 0 was overwritten")):
        made = assay.kernel(kernel, "softmax", shapes=[{"R": 3, "N": 8}],
                            data="normal").run()
        ok(not made and why in str(made), f"{text} is wrong", made)
    made = assay.kernel(
        lambda x: softmax(x) * np.float32(1 + 1e-7 * (next(calls) % 3)),
        "softmax", shapes=[{"R": 3, "N": 8}], data="normal").run()
    ok("a second call with the same operands had other bits" in str(made),
       "a kernel that is not deterministic gets a remark", made)
    empty = [{"R": 2, "N": 0}]
    made = assay.kernel(softmax, "softmax", shapes=empty).run()
    ok(made and "the results have no elements" in str(made),
       "an empty result of the right shape is right", made)
    for text, kernel in (
            ("another shape", lambda x: softmax(x).T),
            ("another type", lambda x: softmax(x).astype(np.float64))):
        made = assay.kernel(kernel, "softmax", shapes=empty).run()
        ok(not made and "result 0 is" in str(made),
           f"an empty result of {text} is wrong", made)

    def packed(x):
        if not x.flags.c_contiguous:
            raise ValueError("not packed")
        return softmax(x)
    made = assay.kernel(packed, "softmax", shapes=[{"R": 3, "N": 8}]).run()
    ok(made and ", strided and 2 more: raised ValueError: not packed"
       in str(made), "a kernel may refuse strides", made)
    turns = iter(range(10**6))
    made = assay.kernel(
        lambda x: softmax(x) * np.float32(1 + (next(turns) == 4)), "softmax",
        shapes=[{"R": 3, "N": 8}], data="normal").run()
    ok(not made and ", called again:" in str(made),
       "a result that is wrong when the kernel is called again", made)
    # A form that cannot be evaluated excuses nothing.
    own = kernel_program.Named({
        "name": "own", "text": "-x", "types": ["f32"], "sizes": ["N"],
        "shapes": [{"N": 3}], "operands": ["$T[$N]"], "data": {"normal": {}},
        "module": {"body": ["y = Neg(p0)"], "result": "y"},
        "forms": [{"id": "none", "text": "none", "replace": ["y = None(p0)"]}],
        "deviations": []})
    ok(assay.kernel(lambda x: -x, own).run()
       and assay.kernel(lambda x: x, own).run().wrong,
       "a wrong unit is wrong, though a form cannot be evaluated")
    try:
        assay.kernel(lambda x: x, "softmax").check()
        ok(False, "check raises")
    except AssertionError as e:
        ok("wrong in" in str(e), "check raises with the report", e)
    ok(not assay.kernel(softmax, "softmax", shapes=[]).run(),
       "nothing judged is not right")

    def only_f32(x):
        if x.dtype != np.float32:
            raise kernel_report.Unsupported("f32 only")
        return softmax(x)
    made = assay.kernel(only_f32, "softmax", "f32 f16", data="normal").run()
    ok(not made and "nothing was judged in f16" in str(made),
       "a type that was asked for, and not judged, is not right", made)
    turns = iter(range(10**6))

    def not_again(x):
        if next(turns) > 1:
            raise kernel_report.Unsupported("no more")
        return softmax(x)
    made = assay.kernel(not_again, "softmax", shapes=[{"R": 3, "N": 8}],
                        data="normal").run()
    ok("gave no result: unsupported: no more" in str(made)
       and "other bits" not in str(made), "a second call without a result", made)
    for options, why in (
            ({"program": "sotfmax"}, "nearest: 'softmax'"),
            ({"dtypes": "f31"}, "no type 'f31' (nearest: 'f32')"),
            ({"data": "normla"}, "no data 'normla' (nearest: 'normal')"),
            ({"dtypes": np.int8}, "no type 's8'"),
            ({"function": 3}, "expected a function, got 3"),
            ({"arrays": "nunpy"}, "(nearest: 'numpy')"),
            ({"shapes": [{"R": 3}]}, "a number for each of N, R"),
            ({"shapes": "all"}, "expected 'auto' or a list of sizes")):
        try:
            assay.kernel(**{"function": softmax, "program": "softmax",
                            **options})
            ok(False, f"refused: {options}")
        except kernel_program.Unknown as e:
            ok(why in str(e), f"refused: {options}", e)


def like_first(a, b):
    """A circular convolution whose second operand is read with the strides of
    the first."""
    step = (a.strides[0] if a.size else 4) // 4
    own = (b.strides[0] if b.size else 4) // 4
    if step > own:  # what is beyond the last element is the first again
        b = np.resize(b, step * len(b))[::step]
    return convolve(a, b.copy())


def in_place(a, b):
    """Doubles an operand, and halves it again."""
    a *= 2
    made = convolve(a, b) / 2
    a /= 2
    return made


def convolve(a, b):
    return planted.RIGHT["fft-convolution"](a, b)


def check_hidden():
    """Mistakes that show in few sizes, layouts or calls: each of these kernels
    is right in all others."""
    softmax = planted.RIGHT["softmax"]
    turns = iter(range(10**6))

    def wrapped(x):
        y = softmax(x)
        y[65536:] = y[:max(len(y) - 65536, 0)]
        return y

    def whole_blocks(x):
        y = softmax(x)
        if x.shape[1] % 128 == 0 and x.size:
            y[:, -1] = y[:, 0]
        return y

    def two_buffers(x):
        if x.shape != (3, 8):
            return softmax(x)
        y = buffers[next(turns) % 2]
        y[...] = softmax(x)
        return y
    buffers = [np.empty((3, 8), np.float32) for _ in range(2)]

    def not_written(x):
        y = np.empty_like(x)
        y[:-1] = softmax(x)[:-1]
        if x.shape != (261, 3):
            y[-1:] = softmax(x)[-1:]
        return y
    for program, text, kernel, words in (
            ("softmax", "row numbers of 16 bits", wrapped, "R=66567"),
            ("softmax", "lengths that 128 divides", whole_blocks, "N=128"),
            ("softmax", "two buffers in turn", two_buffers,
             "the result of an earlier call was overwritten"),
            ("softmax", "a row that is not written", not_written, ": nan, "),
            ("fft-convolution", "another operand's strides", like_first,
             "operand 0 strided"),
            ("fft-convolution", "an operand changed for a while", in_place,
             "equal operands are one array")):
        made = assay.kernel(kernel, program).run()
        ok(made.wrong and words in str(made), f"found: {text}", made)
    made = assay.kernel(wrapped, "softmax").run()
    first = made.wrong[0].first
    ok(len(made.wrong) == 1 and first.index[0] >= 65536,
       "a row of many is named by its own number", made)


def check_native(folder):
    for name, (mistake, code, words) in MISTAKES.items():
        source = f"{folder}/{name}.c"
        with open(source, "w", encoding="utf-8") as f:
            f.write(SOFTMAX.replace("MISTAKE", mistake))
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", f"-I{ROOT}/spec", "-o",
                        f"{folder}/{name}.so", source, "-lm"], check=True)
        got = command("--program", "softmax", "--data=normal", "--timeout=1"
                      if name == "hang" else "--timeout=60",
                      f"{folder}/{name}.so")
        ok(got[0] == code and words in got[1],
           f"a shared object: {name}: exit status {code}", got)
    got = command("--program=softmax", "--type=f16", "--data=normal",
                  f"{folder}/right.so")
    ok(got[0] == 1 and "nothing was judged in f16" in got[1]
       and "does not support" in got[1], "an unsupported type is not right", got)


def check_command(folder):
    with open(f"{folder}/mine.py", "w", encoding="utf-8") as f:
        f.write("import numpy as np\ndef softmax(x):\n    e = np.exp(x)\n"
                "    return e / e.sum(1, keepdims=True)\n")
    mine = f"{folder}/mine.py"
    code, out, _ = command("--program", "softmax", "--json", "--data",
                           "normal huge", f"{mine}:softmax")
    report = json.loads(out)
    ok(code == 1 and not report["right"]
       and [c["id"] for c in report["causes"]] == ["no-max"]
       and report["wrong"][0]["data"] == "huge", "--json", out)
    # e^1000 overflows: every quotient is inf / inf.
    ok(report["wrong_units"] == sum(int(c["error"].split()[0])
                                    for c in report["wrong"]) > 0
       and all(c["found"] == "nan" and c["index"] == [0, 0]
               for c in report["wrong"]), "with the units that are wrong", out)
    code, out, _ = command("--program", "softmax", "--sizes", "R=2,N=3",
                           "--data", "normal", f"{mine}:softmax")
    # One for each layout of the operand.
    ok(code == 0 and "right in 4 calls" in out, "--sizes, --data", out)
    code, out, _ = command("--list")
    ok(code == 0 and all(n in out for n in kernel_program.names()), "--list",
       out)
    code, out, _ = command("--program", "layer-norm")
    ok(code == 0 and "eps-outside" in out and "$T[$R,$N]" in out,
       "without a kernel the program is described", out)
    with open(f"{folder}/text.so", "w", encoding="utf-8") as f:
        f.write("no object")
    for arguments, why in (
            ((f"{mine}:softmax",), "--program is missing"),
            (("--program=softmaxx", f"{mine}:softmax"), "nearest: 'softmax'"),
            (("--program=softmax", f"{mine}:sofmax"),
             "no function 'sofmax' (nearest: 'softmax')"),
            (("--program=softmax", mine), "name the function"),
            (("--program=softmax", f"{folder}/none.so"), "no such file"),
            (("--program=softmax", f"{folder}/text.so"), "not a shared object"),
            (("--program=softmax", f"{folder}/none.py:f"), "no such file"),
            (("--program=softmax", "--sizes=R", f"{mine}:softmax"),
             "found 'R', expected NAME=NUMBER"),
            (("--program=softmax", "--profile=none", f"{mine}:softmax"),
             "none"),
            (("--program=none.mlir", f"{mine}:softmax"), "none.mlir"),
            (("a", "b"), "expected one kernel")):
        code, out, err = command(*arguments)
        ok(code == 2 and why in err and "Traceback" not in err,
           f"refused: {why}", (code, out, err))
    program = f"{folder}/program.json"
    for text, why in (
            ('{"format": "assay-case/1"}', "not a case with a module"),
            ('{"format": "assay-case/1", "cases": [1]}', "not a case with a m"),
            ('{"format": "x", "format": "assay-case/1"}',
             "duplicate member 'format'"),
            ("[", ":1:2:")):
        with open(program, "w", encoding="utf-8") as f:
            f.write(text)
        code, out, err = command("--program", program)
        ok(code == 2 and f"{program}:" in err and why in err
           and err.count("\n") == 1, f"refused: {text}", (code, out, err))


with tempfile.TemporaryDirectory() as place:
    check_right()
    check_other_ways()
    check_planted()
    check_causes()
    check_no_cause()
    check_deviations()
    check_behaviour()
    check_hidden()
    check_native(place)
    check_command(place)
finish()
