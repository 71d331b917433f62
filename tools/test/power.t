#!/usr/bin/python3
# power.t - what a verdict on a long sum says that it does not see.
#
# SPDX-License-Identifier: Apache-2.0
#
# With Debian's NumPy.  Each mistake is made here, too: products of numbers of
# f32 are exact in f64, and fsum adds them exactly.  assay.judge is asked about
# the result; the statement must have the mistakes that it passes without a
# remark, where they change the result, and no others.
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import finish, ok  # noqa: E402
from package import ASSAY, np  # noqa: E402

import assay  # noqa: E402
from assay import reference, sums  # noqa: E402

SEED = int(os.environ.get("ASSAY_SEED", "1"))
print(f"# seed {SEED}")
draw = np.random.default_rng(SEED)


def bf16(x):
    """f32 to bf16, to nearest, ties to even; no NaN."""
    bits = np.atleast_1d(np.float32(x)).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7fff + ((bits >> 16) & 1)) & 0xffff0000
    return bits.astype(np.uint32).view(np.float32).reshape(np.shape(x))


def exact(x):
    return math.fsum(map(float, x))


def narrow(x):
    total = np.float32(0)
    for term in x:  # a product is exact in f64
        total = bf16(np.float32(float(total) + float(term)))
    return total


def median(x):
    """The place of the element of median magnitude, but for zeros."""
    flat = np.abs(x.astype(np.float64)).ravel()
    order = [i for i in np.lexsort((np.arange(flat.size), flat)) if flat[i]]
    return np.unravel_index(order[len(order) // 2], x.shape)


def changed(x, how):
    x = x.copy()
    at = median(x)
    x[at] = how(x[at])
    return x


def mistakes(operands, compute):
    """What comes out by each mistake; compute(operands, how a sum is added)."""
    last = operands[-1]
    with_last = lambda x: [*operands[:-1], x]  # noqa: E731
    return {
        "bf16 operands": compute([bf16(x) for x in operands], exact),
        "a missing term": compute(with_last(changed(last, lambda v: 0)), exact),
        "a narrowed accumulator": compute(operands, narrow),
        "a doubled term": compute(
            with_last(changed(last, lambda v: 2 * v)), exact),
        "a wrong sign": compute(with_last(changed(last, lambda v: -v)), exact)}


def dot(operands, add):
    a, b = (x.astype(np.float64) for x in operands)
    return np.float32([[add(row * column) for column in b.T] for row in a])


def total(operands, add):
    return np.float32([add(row.astype(np.float64)) for row in operands[0]])


def check(name, op, operands, compute, extra=(), **attributes):
    """The statement, and whether it is what the mistakes show."""
    given = [*operands, *extra]
    right = compute(operands, exact)
    told = assay.judge(op, given, right, **attributes)
    due = {k for k, x in mistakes(operands, compute).items()
           if (x != right).any()
           and assay.judge(op, given, x, **attributes).status == "pass"}
    ok(told.status == "pass" and set(told.would_accept) == due,
       f"{name}: {', '.join(told.would_accept) or 'nothing'}",
       f"due {due}, {told}")
    ok(("would also accept" in str(told)) == bool(due), f"{name}: as text",
       str(told))
    return set(told.would_accept)


def normal(*shape):
    return draw.standard_normal(shape).astype(np.float32)


def uniform(*shape):
    return draw.uniform(0.5, 1, shape).astype(np.float32)


found = check("4,096 products", "Dot", [normal(1, 4096), normal(4096, 2)], dot)
ok("bf16 operands" in found, "4,096 products of f32 admit bf16 operands", found)
positive = check("4,096 products of one sign", "Dot",
                 [uniform(1, 4096), uniform(4096, 1)], dot)
found |= positive | check("16,384 products", "Dot",
                          [uniform(1, 16384), uniform(16384, 1)], dot)
ok("a missing term" in found, "16,384 products admit a missing term", found)
few = check("8 products", "Dot", [uniform(2, 8), uniform(8, 2)], dot)
ok(few == set(), "a control: 8 products of one sign admit nothing", few)
for kind in ("few", "many"):
    data = list(sums.exact_sums("f32", 1, 4096, 2, kind, SEED))
    ok(check(f"exact sums, {kind}", "Dot", data, dot) == set(),
       "a control: where every order is exact, all is seen")
check("a reduction", "Reduce", [normal(2, 8192)], total, [np.float32(0)],
      computation="add", dimensions_to_reduce=[1])

x = normal(3)
ok(assay.judge("Exp", [x], assay.exact("Exp", x)).would_accept == (),
   "an operation without a sum")
with reference.evaluate("Exp", [x], {}, None) as e:
    ok(e.power() is None, "and none was tried")

# The command has the same.
a, b = normal(1, 4096), normal(4096, 1)
told = assay.judge("Dot", [a, b], dot([a, b], exact)).would_accept
with tempfile.TemporaryDirectory() as folder:
    path = f"{folder}/long.json"
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": "Dot", "cases": [
            {"id": "long", "why": "a wide bound",
             "inputs": [reference.literal(a), reference.literal(b)]}]}, f)
    run = [subprocess.run([ASSAY, "eval", *form, path], text=True,
                          capture_output=True).stdout
           for form in ([], ["--json"])]
ok(f"would also accept: {', '.join(told)}\n" in run[0], "assay eval", run[0])
ok(json.loads(run[1])["cases"][0]["would_accept"] == list(told),
   "assay eval --json", run[1])

# Where a sum is wrong, a run and its reports say it: a report from the case in
# the database.


def drawn(*shape):
    return {"shape": f"f32[{','.join(map(str, shape))}]", "random": {
        "seed": SEED, "dist": "uniform", "low": 0.5, "high": 1}}


with tempfile.TemporaryDirectory() as folder:
    os.mkdir(f"{folder}/Dot")
    with open(f"{folder}/Dot/sums.json", "w", encoding="utf-8") as f:
        json.dump({"format": "assay-case/1", "op": "Dot", "cases": [
            {"id": name, "why": "a bound",
             "inputs": [drawn(1, n), drawn(n, 1)]}
            for name, n in (("long", 4096), ("short", 8))]}, f)
    done = subprocess.run(
        [ASSAY, "run", "--backend", "reference", "--backend-option",
         "deviation=operand.zero(rhs)", "--exclude", "*#*", "--cases", folder, "--tier", "full",
         "--database",
         f"{folder}/r.db"], text=True, capture_output=True)
    lines = [x.strip() for x in done.stdout.splitlines()
             if "would also accept" in x]
    line = lines[0] if lines else "none"
    ok(done.returncode == 1 and len(lines) == 1 and "bf16 operands" in line, "a run with two wrong sums names the wide one",
       done.stdout + done.stderr)
    reports = {form: subprocess.run(
        [ASSAY, "report", "-f", form, f"{folder}/r.db"], text=True,
        capture_output=True).stdout for form in ("json", "html", "markdown")}
    own = {x["name"].split("/")[2]: x["would_accept"]
           for x in json.loads(reports["json"])["runs"][0]["failures"]}
    ok(own == {"long": line.partition(": ")[2], "short": None}, "JSON", own)
    ok(reports["html"].count(f"W{line[1:]}</p>") == 1, "HTML")
    ok(reports["markdown"].count(f"<br>{line}") == 1, "Markdown")
finish()
