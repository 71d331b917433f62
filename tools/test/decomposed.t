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
# ASSAY_SEED: other data.
import os
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
    finish()


main()
