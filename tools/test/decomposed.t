#!/usr/bin/python3
# decomposed.t - Cholesky and TriangularSolve of what is inexact, in a program.
#
# SPDX-License-Identifier: Apache-2.0
#
# The matrix is made of exponentials, whose sets assay gives for them alone.
# Matrices drawn from these sets are decomposed by NumPy, in f32 and in f64; each
# factor must be accepted.  The factor of a matrix with one element changed by
# 2^-10 of itself must not be, and neither must a program be judged whose matrix
# may not be positive definite.
#
# Triangular systems of exponentials likewise, on both sides: each is solved by
# substitution in f32 and in f64.
#
# What a program computes from a factor or a solution: results are moved at
# random, as far as the judge of the operation alone accepts them.  The next
# operation must take each, and its set may not be much larger.
#
# ASSAY_SEED: other data.
import os
import re
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from accepts import accepts  # noqa: E402
from judging import library, profile  # noqa: E402
from legal import draw  # noqa: E402
from tap import figure, finish, ok  # noqa: E402

F = np.float32
N, ROUNDS, DRAWS = 4, 6, 8


def texts(a):
    return [texts(x) if isinstance(x, np.ndarray) else str(x) for x in a]


def line(name, op, *operands, **attributes):
    return {"name": name, "op": op, "operands": list(operands),
            "attributes": attributes}


def program(x, y, lower, mask, other="0"):
    """Cholesky of exp(x), or of exp(x) + i y; mask: its other triangle is
    selected from an array of such numbers."""
    kind = "f32" if y is None else "c64"
    inputs = [{"shape": f"f32[{N},{N}]", "data": texts(a)}
              for a in (x, y) if a is not None]
    body = [line("e", "Exp", "p0")]
    if y is not None:
        body.append(line("z", "Complex", "e", "p1"))
    body.append(line("l", "Cholesky", body[-1]["name"], lower=lower))
    if mask:
        one = other if y is None else [other, other]
        kept = np.tri(N) if lower else np.tri(N).T
        body += [
            line("m", "Constant", literal={"shape": f"pred[{N},{N}]",
                                           "data": (kept > 0).tolist()}),
            line("o", "Constant", literal={
                "shape": f"{kind}[{N},{N}]", "data": [[one] * N] * N}),
            line("s", "Select", "m", "l", "o")]
    return {"id": "one", "why": "a matrix of exponentials", "inputs": inputs,
            "module": {"entry": "main", "computations": {"main": {
                "parameters": [i["shape"] for i in inputs], "body": body,
                "result": body[-1]["name"]}}}}


def ends(x):
    """What exp(x) may be: its least and its greatest values."""
    sets = accepts("Exp", {"shape": f"f32[{N},{N}]", "data": texts(x)})
    pairs = [[float(n) for n in s.strip("[]").split(", ")] for s in sets]
    return (np.array([p[k] for p in pairs], F).reshape(N, N) for k in (0, -1))


def factor(a, lower, kind):
    """By NumPy in this type, the other triangle zero."""
    whole = np.tril(a) if lower else np.triu(a)
    whole = whole + np.tril(whole, -1).conj().T + np.triu(whole, 1).conj().T
    made = np.linalg.cholesky(whole.astype(kind))
    made = made if lower else made.conj().T
    return np.where((np.tri(N) if lower else np.tri(N).T) > 0, made, 0)


def is_right(evaluation, result):
    outputs = evaluation.outputs()
    bits = np.ascontiguousarray(result).astype(
        F if not np.iscomplexobj(result) else np.complex64).tobytes()
    outputs[0] = outputs[0]._replace(data=bits)
    return evaluation.judge(outputs) is None


def check(folder, lower, mask, is_complex):
    name = f"{'lower' if lower else 'upper'}, " \
        f"{'complex' if is_complex else 'real'}" \
        f"{', masked' if mask else ''}"
    spec = profile(folder, "mine", extends="spec")
    good = wrong = tried = 0
    for _ in range(ROUNDS):
        x = draw.uniform(-3, 0, (N, N)).astype(F)
        x[np.diag_indices(N)] = draw.uniform(1, 3, N).astype(F)
        y = None
        if is_complex:
            y = draw.uniform(-0.3, 0.3, (N, N)).astype(F)
            y[np.diag_indices(N)] = 0
        low, high = ends(x)
        with library.Evaluation("Cholesky", program(x, y, lower, mask), spec
                                ) as evaluation:
            for k in range(DRAWS):
                a = np.where(draw.random((N, N)) < 0.5, low, high)
                a = a if y is None else a + 1j * y
                wide = np.complex128 if is_complex else np.float64
                near = np.complex64 if is_complex else F
                right = factor(a, lower, wide if k % 2 else near)
                at = tuple(draw.integers(N, size=2))
                at = (max(at), min(at)) if lower else (min(at), max(at))
                a[at] *= 1 + 2.0 ** -10
                off = factor(a, lower, wide)
                tried += 1
                good += is_right(evaluation, right)
                wrong += not is_right(evaluation, off)
            if mask:
                right[(0, 1) if lower else (1, 0)] = 1
                wrong -= is_right(evaluation, right)
    ok(good == tried, f"{name}: each factor is accepted", f"{good} of {tried}")
    ok(wrong == tried, f"{name}: that of another matrix is not",
       f"{wrong} of {tried}")
    figure("factors of inexact matrices", tried)


def system(x, y, z, attributes):
    """exp(x), or exp(x) + i z, and exp(y) as the operands of a TriangularSolve.
    """
    inputs = [{"shape": f"f32[{N},{N}]", "data": texts(a)}
              for a in (x, y, z) if a is not None]
    body = [line("a", "Exp", "p0"), line("b", "Exp", "p1")]
    if z is not None:
        body += [line("c", "Complex", "a", "p2"), line("d", "Complex", "b", "p2")]
    body.append(line("r", "TriangularSolve", body[-2]["name"],
                     body[-1]["name"], **attributes))
    return {"id": "one", "why": "a system of exponentials", "inputs": inputs,
            "module": {"entry": "main", "computations": {"main": {
                "parameters": [i["shape"] for i in inputs], "body": body,
                "result": "r"}}}}


def solved(a, b, attributes, kind):
    """By substitution in this type, with t x = b and a lower triangular t."""
    left, how = attributes["left_side"], attributes["transpose_a"]
    t = np.tril(a) if attributes["lower"] else np.triu(a)
    if attributes["unit_diagonal"]:
        t[np.diag_indices(N)] = 1
    t = t if how == "NO_TRANSPOSE" else t.T
    t = (t.conj() if how == "ADJOINT" else t).astype(kind)
    t, b = (t, b) if left else (t.T, b.T)
    x = b.astype(kind)
    rows = range(N) if t[0, N - 1] == 0 else range(N - 1, -1, -1)
    for k, i in enumerate(rows):
        for j in rows[:k]:
            x[i] = x[i] - t[i, j] * x[j]
        x[i] = x[i] / t[i, i]
    return x if left else x.T


def used(attributes):
    """Where an element counts, off the diagonal."""
    at = draw.choice(N, size=2, replace=False)
    return (max(at), min(at)) if attributes["lower"] else (min(at), max(at))


def check_systems(folder, residual, is_complex):
    """residual: of each row, or by norms."""
    mine = profile(folder, "mine", extends="spec", choices={
        "triangular-solve.residual": residual})
    good = wrong = tried = 0
    wide = np.complex128 if is_complex else np.float64
    near = np.complex64 if is_complex else F
    for _ in range(2 * ROUNDS):
        attributes = {
            "left_side": bool(draw.integers(2)),
            "lower": bool(draw.integers(2)),
            "unit_diagonal": bool(draw.integers(2)),
            "transpose_a": str(draw.choice(
                ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]))}
        x = draw.uniform(-1, 0, (N, N)).astype(F)
        x[np.diag_indices(N)] = draw.uniform(0, 1, N).astype(F)
        y = draw.uniform(0, 1, (N, N)).astype(F)
        z = draw.uniform(-0.3, 0.3, (N, N)).astype(F) if is_complex else None
        a_ends, b_ends = list(ends(x)), list(ends(y))
        with library.Evaluation("TriangularSolve", system(x, y, z, attributes),
                                mine) as evaluation:
            for k in range(DRAWS):
                a, b = (np.where(draw.random((N, N)) < 0.5, *e)
                        + (0 if z is None else 1j * z)
                        for e in (a_ends, b_ends))
                kind = wide if k % 2 else near
                tried += 1
                good += is_right(evaluation, solved(a, b, attributes, kind))
                at = used(attributes)
                a[at] += 2.0 ** -6
                wrong += not is_right(evaluation,
                                      solved(a, b, attributes, wide))
    name = f"by {residual}, {'complex' if is_complex else 'real'} systems"
    ok(good == tried, f"{name}: each solution is accepted",
       f"{good} of {tried}")
    ok(wrong == tried, f"{name}: that of another system is not",
       f"{wrong} of {tried}")
    figure("solutions of inexact systems", tried)


def check_refused_systems(folder):
    """A diagonal that may be zero, and solutions that may overflow."""
    x = np.zeros((N, N), F)
    plain = {"left_side": True, "lower": True, "unit_diagonal": False,
             "transpose_a": "NO_TRANSPOSE"}
    for name, at, value in (("a diagonal that may vanish", (2, 2), -100),
                            ("solutions that may overflow", (2, 1), 88)):
        x[:] = 0
        x[at] = value
        got = refused("TriangularSolve", system(x, x, None, plain), profile(
            folder, "mine", extends="spec"))
        ok("may overflow or divide by next to nothing" in got, name, got)


def refused(op, case, mine):
    """Why a program is not judged, or "judged"."""
    try:
        with library.Evaluation(op, case, mine) as evaluation:
            evaluation.outputs()
            return "judged"
    except library.InvalidProgram as e:
        return str(e)


def refusal(folder, *arguments):
    return refused("Cholesky", program(*arguments),
                   profile(folder, "mine", extends="spec"))


# ---- What is computed from them ----------------------------------------------

def given(kind, *arrays):
    """Inputs of f32 or c64."""
    def texts_of(a):
        return texts(a) if kind == "f32" else [
            [[str(z.real), str(z.imag)] for z in row] for row in a]
    return [{"shape": f"{kind}[{','.join(map(str, a.shape))}]",
             "data": texts_of(a)} for a in arrays]


def one_module(inputs, body):
    return {"inputs": inputs, "module": {"entry": "main", "computations": {
        "main": {"parameters": [i["shape"] for i in inputs], "body": body,
                 "result": body[-1]["name"]}}}}


def two_programs(kind, op, arrays, attributes, mask):
    """The operation alone, and what it gives in the triangle less zero."""
    inputs = given(kind, *arrays)
    names = [f"p{k}" for k in range(len(arrays))]
    zero = given(kind, np.zeros((N, N), F if kind == "f32" else np.complex64))
    body = [line("r", op, *names, **attributes)]
    alone, last = one_module(inputs, body), "r"
    more = [line("z", "Constant", literal=zero[0])]
    if mask is not None:
        more += [line("m", "Constant", literal={
            "shape": f"pred[{N},{N}]", "data": mask.tolist()}),
                 line("s", "Select", "m", "r", "z")]
        last = "s"
    more.append(line("o", "Sub", last, "z"))
    return alone, one_module(inputs, body + more)


def moved(alone, value, mask):
    """A result as far from this one, in a random direction, as is right."""
    one = np.sign(draw.normal(size=value.shape)) * draw.choice(
        (0, 1), p=(0.7, 0.3), size=value.shape)
    one = (one * np.abs(value)).astype(value.dtype)
    if np.iscomplexobj(value):
        one = one * draw.choice(np.array([1, 1j], np.complex64), value.shape)
        one[np.diag_indices(N)] = one[np.diag_indices(N)].real
    one = one * mask
    best, low, high = value, -30.0, 0.0
    for _ in range(12):
        middle = (low + high) / 2
        off = (value + one * 2.0 ** middle).astype(value.dtype)
        if is_right(alone, off):
            best, low = off, middle
        else:
            high = middle
    return best


def half_widths(evaluation):
    """Of the parts of each element."""
    out = []
    for i in range(N * N):
        found = [float(x) for x in re.findall(
            r"[-+0-9.e]+", evaluation.accepts(0, i))]
        kinds = 2 if evaluation.outputs()[0].dtype == "c64" else 1
        count = len(found) // kinds
        out.append([(found[k * count + count - 1] - found[k * count]) / 2
                    for k in range(kinds)])
    return np.array(out)


def compare(op, kind, arrays, attributes, mask, mine):
    """The greatest part of a half-width that a right result is off; how many
    of them were refused, and whether one that is far off was not."""
    alone, both = two_programs(kind, op, arrays, attributes, mask)
    share, refusals = 0.0, 0
    with library.Evaluation(op, alone, mine) as a, \
            library.Evaluation(op, both, mine) as b:
        size = F if kind == "f32" else np.complex64
        value = np.frombuffer(a.outputs()[0].data, size).reshape(N, N)
        inside = np.ones((N, N), bool) if mask is None else mask
        widths = half_widths(b).reshape(N, N, -1)
        for _ in range(2 * DRAWS):
            off = moved(a, value, inside)
            refusals += not is_right(b, np.where(inside, off, 0))
            far = (off - value)[inside]
            parts = np.abs(np.stack([far.real, far.imag], -1))
            share = max(share, (parts[:, :widths.shape[2]]
                                / (widths[inside] + 1e-30)).max())
        far = np.where(inside, value, 0).astype(size)
        far[1, 1] += 3 * widths[1, 1, 0]
        return share, refusals, is_right(b, far)


def spread_matrix(is_complex):
    """Definite, of rows of several sizes."""
    a = draw.normal(size=(N, N + 2))
    if is_complex:
        a = a + 1j * draw.normal(size=(N, N + 2))
    a = np.diag(2.0 ** draw.integers(-3, 4, N)) @ a
    return (a @ a.conj().T).astype(np.complex64 if is_complex else F)


def check_handed_on(name, is_complex):
    kind = "c64" if is_complex else "f32"
    shares, refusals, far = [], 0, 0
    for k in range(2 * ROUNDS):
        lower = bool(draw.integers(2))
        triangle = np.tri(N) > 0 if lower else np.tri(N).T > 0
        a = spread_matrix(is_complex)
        if k % 2:
            got = compare("Cholesky", kind, [a], {"lower": lower}, triangle,
                          name)
        else:
            b = spread_matrix(is_complex)
            got = compare("TriangularSolve", kind, [a, b], {
                "left_side": bool(draw.integers(2)), "lower": lower,
                "unit_diagonal": False, "transpose_a": str(draw.choice(
                    ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]))}, None, name)
        shares.append(got[0])
        refusals += got[1]
        far += got[2]
    text = f"{name}, {kind}: what is right alone"
    ok(refusals == 0, f"{text} is handed on", refusals)
    ok(far == 0, f"{text}, three half-widths off, is not", far)
    ok(np.median(shares) > 1 / 64, f"{text} fills much of the set", shares)


def check_solver(name):
    """x = A^-1 b by a factor and two systems, then x + x."""
    good = wrong = tried = 0
    for _ in range(2 * ROUNDS):
        a, b = spread_matrix(False), draw.normal(size=(N, N)).astype(F)
        plain = {"left_side": True, "lower": True, "unit_diagonal": False}
        body = [line("l", "Cholesky", "p0", lower=True),
                line("y", "TriangularSolve", "l", "p1", **plain,
                     transpose_a="NO_TRANSPOSE"),
                line("x", "TriangularSolve", "l", "y", **plain,
                     transpose_a="TRANSPOSE"), line("r", "Add", "x", "x")]
        with library.Evaluation("Cholesky", one_module(
                given("f32", a, b), body), name) as evaluation:
            for kind in (F, np.float64):
                for off in (0, 2.0 ** -5):
                    other = a.astype(np.float64)
                    other[1, 0] *= 1 + off
                    l = factor(other, True, kind)
                    y = solved(l, b, {**plain, "transpose_a": "NO_TRANSPOSE"},
                               kind)
                    x = solved(l, y, {**plain, "transpose_a": "TRANSPOSE"},
                               kind)
                    right = is_right(evaluation, x + x)
                    tried += off == 0
                    good += right and off == 0
                    wrong += not right and off > 0
    ok(good == tried, f"{name}: solutions by Cholesky are accepted",
       f"{good} of {tried}")
    ok(wrong == tried, f"{name}: those of another matrix are not",
       f"{wrong} of {tried}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for lower in (True, False):
            for is_complex in (False, True):
                for mask in (False, True):
                    check(folder, lower, mask, is_complex)
        # 1 and exp(2^-26), which may be 1: the matrix may be singular.
        x = np.diag(np.full(N, 2.0)).astype(F)
        x[:2, :2] = 0
        x[1, 1] = 2.0 ** -26
        got = refusal(folder, x, None, True, False)
        ok("may not be positive definite" in got, "one that may be singular",
           got)
        x[1, 1] = 2
        got = [refusal(folder, x, None, True, True, o) for o in ("1", "nan")]
        ok(got[0] == "judged" and "several values" in got[1],
           "NaN, whose bits a profile may leave open, is not selected", got)
        for residual in ("row", "norm"):
            for is_complex in (False, True):
                check_systems(folder, residual, is_complex)
        check_refused_systems(folder)
    for name in ("strict", "spec", "xla-cpu-default"):
        for is_complex in (False, True):
            check_handed_on(name, is_complex)
        check_solver(name)
    finish()


main()
