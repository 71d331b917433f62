#!/usr/bin/python3
# lapack.t - factorizations of LAPACK: what is imported, and what is right.
#
# SPDX-License-Identifier: Apache-2.0
#
# Factors that NumPy's LAPACK gives are right, and so are others that differ by
# a freedom: the sign of a vector, the pivot among equal rows.  Each mistake is
# beyond the bound.  Needs `make jax`, and is skipped by name without it.
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from imported import (finish, import_command, importer, library,  # noqa: E402
                      mlir, np, ok)

TYPES = {np.dtype(np.float32): ("s", "f32"), np.dtype(np.float64): ("d", "f64")}


def text_of(a, call, operands="%x", kinds="", more="", second=None):
    """A program of one call."""
    own = TYPES[a.dtype][1]

    def tensor(dims, dtype):
        return f"tensor<{''.join(f'{n}x' for n in dims)}{dtype}>"
    batch, k = a.shape[:-2], min(a.shape[-2:])
    results = ", ".join((tensor(a.shape, own), tensor(
        (*batch, k), second or "i32"), tensor(batch, "i32")))
    x = tensor(a.shape, own)
    return f"func.func @main(%x: {x}) -> ({results}) {{\n{more}" \
        f"%r:3 = stablehlo.custom_call @{call[0]}({operands}) {{{call[1]}}} : " \
        f"({kinds}{x}) -> ({results})\nreturn %r#0, %r#1, %r#2 : {results}\n}}\n"


def getrf(a):
    return text_of(a, (f"lapack_{TYPES[a.dtype][0]}getrf_ffi",
                       "mhlo.backend_config = {}, api_version = 4 : i32"))


def syevd(a, uplo="L", mode="V"):
    letter, own = TYPES[a.dtype]
    return text_of(a, (f"lapack_{letter}syevd_ffi", "api_version = 4 : i32, "
                       f"backend_config = {{mode = {ord(mode)} : ui8, uplo = "
                       f"{ord(uplo)} : ui8}}"), second=own)


class Judge:
    """Of one program on one matrix."""

    def __init__(self, text, a):
        arrays = {"x": a}
        module = importer.import_program(text.encode(), "p.mlir", arrays=arrays)
        case = import_command.make_case(module, "c", "w", arrays)["cases"][0]
        del case["id"], case["why"]
        self.evaluation = library.Evaluation(module.operation(), case)

    def exact(self):
        return [np.frombuffer(t.data, {"f32": np.float32, "f64": np.float64,
                                       "s32": np.int32}[t.dtype]).reshape(t.dims)
                for t in self.evaluation.outputs()]

    def why(self, *results):
        return self.evaluation.judge([library.Tensor(
            {"float32": "f32", "float64": "f64", "int32": "s32"}[str(r.dtype)],
            r.shape, np.ascontiguousarray(r).tobytes()) for r in results])


def eliminate(a, choose):
    """Gauss in the type of a; choose(column) is the pivot's place."""
    u, pivots = a.copy(), []
    for k in range(min(a.shape)):
        p = k + choose(u[k:, k])
        pivots.append(p + 1)
        u[[k, p]] = u[[p, k]]
        if u[k, k]:
            u[k + 1:, k] /= u[k, k]
            u[k + 1:, k + 1:] -= np.outer(u[k + 1:, k], u[k, k + 1:])
    zero = [i + 1 for i in range(min(a.shape)) if u[i, i] == 0]
    return u, np.int32(pivots), np.int32(zero[0] if zero else 0)


def largest(column):
    return int(np.argmax(np.abs(column)))


def rebuild(f, pivots):
    """The matrix of which these are factors, in f64."""
    f = f.astype(np.float64)
    k = min(f.shape)
    a = (np.tril(f, -1)[:, :k] + np.eye(*f.shape)[:, :k]) @ np.triu(f)[:k]
    for i, p in reversed(list(enumerate(pivots - 1))):
        a[[i, p]] = a[[p, i]]
    return a


def check_getrf(random):
    for dtype in (np.float32, np.float64):
        near = 1e-5 if dtype == np.float32 else 1e-13
        for shape in ((1, 1), (4, 4), (5, 3), (3, 6), (13, 13)):
            a = random.standard_normal(shape).astype(dtype)
            judge = Judge(getrf(a), a)
            exact = judge.exact()
            ok(np.allclose(rebuild(*exact[:2]), a, near, near)
               and exact[2] == 0, f"getrf of {dtype.__name__}{shape}", exact)
            f, pivots, info = eliminate(a, largest)
            ok(judge.why(f, pivots, info) is None, "Gauss's factors are right",
               judge.why(f, pivots, info))
            bad = f.copy()
            bad[-1, -1] *= dtype(1.001) if dtype == np.float32 \
                else dtype(1 + 1e-9)
            for name, row in (("a wrong factor", (bad, pivots, info)),
                              ("NaN", (f * dtype(np.nan), pivots, info)),
                              ("info of no zero", (f, pivots, np.int32(1))),
                              ("pivots from 0", (f, pivots - np.int32(1),
                                                 info))):
                ok(judge.why(*row), f"wrong: {name}, {shape}", row)
    a = np.float32([[1, 2], [-1, 5]])
    judge = Judge(getrf(a), a)
    for place in (0, 1):
        row = eliminate(a, lambda c, p=place: min(p, len(c) - 1))
        ok(judge.why(*row) is None, f"either of equal rows: {place}", row)
    a = np.float32([[1, 2], [4, 5]])
    row = eliminate(a, lambda c: 0)
    ok(Judge(getrf(a), a).why(*row), "wrong: a pivot that is not the largest",
       row)
    a = np.float32([[1, 3e38], [-1, 3e38]])
    row = (np.float32([[-1, 3e38], [-1, np.inf]]), np.int32([2, 2]),
           np.int32(0))
    ok(Judge(getrf(a), a).why(*row) is None, "a factor that overflows")
    a = np.float32([[0, 0], [0, 5]])
    judge = Judge(getrf(a), a)
    ok(judge.exact()[2] == 1 and judge.why(*eliminate(a, largest)) is None
       and judge.why(*eliminate(a, largest)[:2], np.int32(0)),
       "info is the number of the first zero", judge.exact())
    both = random.standard_normal((2, 3, 3)).astype(np.float32)
    judge = Judge(getrf(both), both)
    rows = [eliminate(a, largest) for a in both]
    row = [np.stack([np.asarray(r[i]) for r in rows]) for i in range(3)]
    ok(judge.why(*row) is None, "a batch", judge.why(*row))
    ok(judge.why(row[0][::-1], *row[1:]), "wrong: the batch in reverse", row)
    batch = np.float32([[[0, 0], [0, 5]], [[np.nan, 1], [1, 2]]])
    info = Judge(getrf(batch), batch).exact()[2]
    ok(list(info) == [1, 0], "info of a NaN beside a singular matrix", info)


def check_syevd(random):
    for dtype in (np.float32, np.float64):
        for n in (1, 2, 5, 12):
            a = random.standard_normal((n, n)).astype(dtype)
            a = ((a + a.T) / dtype(2)).astype(dtype)
            judge = Judge(syevd(a), a)
            v, w, info = judge.exact()
            due = np.linalg.eigvalsh(a.astype(np.float64))
            ok(np.allclose(w, due, 1e-6, 1e-6) and info == 0,
               f"syevd of {dtype.__name__} {n}: eigenvalues", (w, due))
            w, v = np.linalg.eigh(a)
            zero = np.int32(0)
            sign = np.where(random.random(n) < .5, -1, 1).astype(dtype)
            ok(judge.why(v, w, zero) is None, "NumPy's are right",
               judge.why(v, w, zero))
            ok(judge.why(v * sign, w, zero) is None, "with other signs",
               judge.why(v * sign, w, zero))
            for name, row in (
                    ("vectors that are too long", (v * dtype(1.001), w, zero)),
                    ("rows for columns", (v.T, w, zero) if n > 2 else None),
                    ("eigenvalues that fall", (v[:, ::-1], w[::-1], zero)
                     if n > 1 else None),
                    ("an eigenvalue off", (v, w + dtype(.01) * (
                        np.arange(n) == n - 1).astype(dtype), zero)),
                    ("info", (v, w, np.int32(1))),
                    ("NaN", (v, w * dtype(np.nan), zero))):
                if row:
                    ok(judge.why(*row), f"wrong: {name}, {n}", row)
    a = np.float32([[2, 0, 0], [0, 2, 0], [0, 0, 3]])
    turned = np.float32([[.6, -.8, 0], [.8, .6, 0], [0, 0, 1]])
    ok(Judge(syevd(a), a).why(turned, np.float32([2, 2, 3]), np.int32(0))
       is None, "any basis of one eigenvalue")
    a = np.float32([[1, 7], [2, 3]])
    for uplo, off in (("L", 2), ("U", 7)):
        w = Judge(syevd(a, uplo), a).exact()[1]
        ok(np.allclose(w, np.linalg.eigvalsh([[1., off], [off, 3.]])),
           f"the triangle {uplo}", w)
    a = np.float32([[1, np.nan], [0, 2]])
    judge = Judge(syevd(a), a)
    v, w = np.eye(2, dtype=np.float32), np.float32([1, 2])
    ok(judge.why(v, w, np.int32(0)) is None, "a NaN that is not read",
       judge.why(v, w, np.int32(0)))
    ok(judge.why(v, w[::-1], np.int32(0)), "wrong: beside such a NaN")
    a = np.float32([[2e-40, 0], [0, 1e-40]])
    v, w = np.eye(2, dtype=np.float32), np.float32([2e-40, 1e-40])
    ok(Judge(syevd(a), a).why(v, w, np.int32(0)) is None,
       "subnormal numbers that are taken for zeros")
    a = a * np.float32(1e10)
    ok(Judge(syevd(a), a).why(v, w * np.float32(1e10), np.int32(0)),
       "wrong: larger ones in that order")
    a = np.full((2, 2), 3e38, np.float32)
    ok(Judge(syevd(a), a).why(
        np.float32([[-1, 1], [1, 1]]) * np.float32(.5 ** .5),
        np.float32([0, np.inf]), np.int32(0)) is None, "an infinite eigenvalue")
    nan = np.float32([[np.nan, 1], [1, 2]])
    ok(Judge(syevd(nan), nan).why(np.zeros((2, 2), np.float32),
                                  np.float32([5, 1]), np.int32(0)) is None,
       "of NaN anything is right")


def check_names(random):
    """The names that calls had before jaxlib's FFI."""
    a = random.standard_normal((3, 3)).astype(np.float32)
    scalars = "".join(f"%c{k} = stablehlo.constant dense<{v}> : tensor<i32>\n"
                      for k, v in enumerate((1, 3, 3)))
    kinds = "tensor<i32>, " * 3
    text = text_of(a, ("lapack_sgetrf", 'backend_config = ""'),
                   "%c0, %c1, %c2, %x", kinds, scalars)
    ok(Judge(text, a).why(*eliminate(a, largest)) is None, "lapack_sgetrf")
    text = text_of(a, ("lapack_ssyevd", 'backend_config = ""'),
                   "%c0, %c1, %c2, %x", kinds, scalars, "f32")
    w = Judge(text, a).exact()[1]
    ok(np.allclose(w, np.linalg.eigvalsh(a.astype(np.float64)), 1e-5, 1e-5),
       "lapack_ssyevd reads the lower triangle", w)
    matrix = "dense<[MINOR]> : tensor<2xindex>"
    text = getrf(a).replace(
        "api_version", f"operand_layouts = [{matrix}], result_layouts = ["
        f"{matrix}, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], "
        "api_version")
    ok(Judge(text.replace("MINOR", "0, 1"), a).why(*eliminate(a, largest))
       is None, "a matrix stored by columns")
    try:
        Judge(text.replace("MINOR", "1, 0"), a)
        ok(False, "refused: a matrix stored by rows")
    except mlir.Refused as e:
        ok("operand_layouts: dense<[1, 0]> : tensor<2xindex>: LAPACK's matrices"
           in str(e), "refused: a matrix stored by rows", e)
    for target, why in (("lapack_sgesdd_ffi", "no function registered"),
                        ("lapack_cgetrf_ffi", "no function registered")):
        try:
            Judge(getrf(a).replace("lapack_sgetrf_ffi", target), a).exact()
            ok(False, f"refused: {target}")
        except (mlir.Refused, library.InvalidProgram) as e:
            ok(why in str(e), f"refused: {target}", e)


made = np.random.default_rng(2026)
check_getrf(made)
check_syevd(made)
check_names(made)
finish()
