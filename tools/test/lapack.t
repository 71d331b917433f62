#!/usr/bin/python3
# lapack.t - factorizations of LAPACK: what is imported, and what is right.
#
# SPDX-License-Identifier: Apache-2.0
#
# Factors that NumPy's LAPACK gives are right, and so are others that differ by
# a freedom: the sign of a vector, the pivot among equal rows.  Each mistake is
# beyond the bound.
#
# Results are moved at random, as far as the judge of the call alone accepts
# them: a program that computes with them must accept what it then gives.  Needs `make jax`, and is skipped by name without it.
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from imported import (finish, import_command, importer, library,  # noqa: E402
                      mlir, np, ok, types)
from with_jax import ASSAY, ENVIRONMENT  # noqa: E402

TYPES = {np.dtype(np.float32): ("s", "f32"), np.dtype(np.float64): ("d", "f64"),
         np.dtype(np.complex64): ("c", "complex<f32>"),
         np.dtype(np.complex128): ("z", "complex<f64>")}


def tensor(dims, dtype):
    return f"tensor<{''.join(f'{n}x' for n in dims)}{dtype}>"


def text_of(a, call, operands="%x", kinds="", more="", second=None):
    """A program of one call."""
    own = TYPES[a.dtype][1]
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
    letter = TYPES[a.dtype][0]
    name = "syevd" if letter in "sd" else "heevd"
    return text_of(a, (f"lapack_{letter}{name}_ffi", "api_version = 4 : i32, "
                       f"backend_config = {{mode = {ord(mode)} : ui8, uplo = "
                       f"{ord(uplo)} : ui8}}"), second=own_real(a))


def own_real(a):
    return TYPES[a.real.dtype][1]


def plain(a, name, operands, results, options=""):
    """A program of a call with any operands; results: (dims, type)."""
    kinds = [tensor(x.shape, TYPES[x.dtype][1]) for x in operands]
    made = ", ".join(tensor(*r) for r in results)
    given = [f"%x{i}" for i in range(len(kinds))]
    parts = [f"%r#{i}" for i in range(len(results))] if len(results) > 1 \
        else ["%r"]
    return f"func.func @main({', '.join(map(': '.join, zip(given, kinds)))}) " \
        f"-> ({made}) {{\n%r{f':{len(parts)}' if len(parts) > 1 else ''} = " \
        f"stablehlo.custom_call @lapack_{TYPES[a.dtype][0]}{name}_ffi(" \
        f"{', '.join(given)}) {{mhlo.backend_config = {{{options}}}, " \
        f"api_version = 4 : i32}} : ({', '.join(kinds)}) -> ({made})\n" \
        f"return {', '.join(parts)} : {made}\n}}\n"


def geqrf(a):
    own = TYPES[a.dtype][1]
    return plain(a, "geqrf", [a], [(a.shape, own), (
        (*a.shape[:-2], min(a.shape[-2:])), own)])


def orgqr(a, tau):
    own = TYPES[a.dtype][1]
    return plain(a, "orgqr" if own[0] == "f" else "ungqr", [a, tau],
                 [(a.shape, own)])


def gesdd(a, mode):
    own, (m, n), batch = TYPES[a.dtype][1], a.shape[-2:], a.shape[:-2]
    k = min(m, n)
    thin = mode == "S"
    return plain(a, "gesdd", [a], [
        (a.shape, own), ((*batch, k), own_real(a)),
        ((*batch, m, k if thin else m), own),
        ((*batch, k if thin else n, n), own), (batch, "i32")],
        f"mode = {ord(mode)} : ui8")


class Judge:
    """Of one program on one matrix."""

    def __init__(self, text, *operands, profile="spec"):
        arrays = {f"x{i}": a for i, a in enumerate(operands)}
        module = importer.import_program(text.encode(), "p.mlir", arrays=arrays)
        case = import_command.make_case(module, "c", "w", arrays)["cases"][0]
        del case["id"], case["why"]
        self.evaluation = library.Evaluation(module.operation(), case,
                                             profile)

    def exact(self):
        return [np.frombuffer(t.data, types.DTYPES[t.dtype]).reshape(t.dims)
                for t in self.evaluation.outputs()]

    def why(self, *results):
        return self.evaluation.judge([library.Tensor(
            types.dtype_name(r.dtype), r.shape, np.ascontiguousarray(r).tobytes()) for r in results])


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
    return int(np.argmax(np.abs(column.real) + np.abs(column.imag)))


def draw(random, shape, dtype):
    a = random.standard_normal(shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * random.standard_normal(shape)
    return a.astype(dtype)


def near_of(dtype):
    return 1e-5 if np.finfo(dtype).bits == 32 else 1e-13


def rebuild(f, pivots):
    """The matrix of which these are factors, in f64."""
    f = f.astype(np.complex128)
    k = min(f.shape)
    a = (np.tril(f, -1)[:, :k] + np.eye(*f.shape)[:, :k]) @ np.triu(f)[:k]
    for i, p in reversed(list(enumerate(pivots - 1))):
        a[[i, p]] = a[[p, i]]
    return a


def alone(text, number, made):
    """A program that passes on no more than that result, of that type."""
    head, tail = text.split(") -> (", 1)
    tail = tail.split(") {\n", 1)[1].rsplit("return", 1)[0]
    return f"{head}) -> {made} {{\n{tail}return %r#{number} : {made}\n}}\n"


def info_of(a):
    return alone(getrf(a), 2, tensor(a.shape[:-2], "i32"))


def check_info(random):
    """info alone: 0 of a good matrix, the number of a column that depends on
    those before it, exactly or nearly; nothing else."""
    for dtype in TYPES:
        for shape in ((5, 5), (6, 3), (3, 6)):
            a = draw(random, shape, dtype)
            judge, k = Judge(info_of(a), a), min(shape)
            wrong = [i for i in (-1, *range(1, k + 2))
                     if judge.why(np.int32(i)) is None]
            ok(judge.why(np.int32(0)) is None and not wrong,
               f"info of {dtype.name}{shape}: only 0", wrong)
            for scale in (0, 1):
                near = a.copy()
                near[:, 1] = near[:, 0] * scale
                judge = Judge(info_of(near), near)
                right = [i for i in range(-1, k + 2)
                         if judge.why(np.int32(i)) is None]
                # Rounding may leave something of a column that depends.
                due = [2] if scale == 0 else [0, *range(2, k + 1)]
                ok(right == due, f"info of {dtype.name}{shape}: "
                   f"{'zeros' if scale == 0 else 'a dependent column'}", right)


def check_getrf(random):
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        near = near_of(dtype)
        for shape in ((1, 1), (4, 4), (5, 3), (3, 6), (13, 13)):
            a = draw(random, shape, dtype)
            judge = Judge(getrf(a), a)
            exact = judge.exact()
            ok(np.allclose(rebuild(*exact[:2]), a, near, near)
               and exact[2] == 0, f"getrf of {dtype.__name__}{shape}", exact)
            f, pivots, info = eliminate(a, largest)
            ok(judge.why(f, pivots, info) is None, "Gauss's factors are right",
               judge.why(f, pivots, info))
            bad = f.copy()
            bad[-1, -1] *= dtype(1 + 1e2 * near)
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
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        for n in (1, 2, 5, 12):
            a = draw(random, (n, n), dtype)
            a = ((a + a.T.conj()) / dtype(2)).astype(dtype)
            judge = Judge(syevd(a), a)
            v, w, info = judge.exact()
            due = np.linalg.eigvalsh(a.astype(np.complex128))
            ok(np.allclose(w, due, 1e-6, 1e-6) and info == 0,
               f"syevd of {dtype.__name__} {n}: eigenvalues", (w, due))
            w, v = np.linalg.eigh(a)
            zero = np.int32(0)
            sign = np.where(random.random(n) < .5, -1, 1).astype(dtype)
            if v.dtype.kind == "c":
                sign = np.exp(1j * random.random(n)).astype(dtype)
            ok(judge.why(v, w, zero) is None, "NumPy's are right",
               judge.why(v, w, zero))
            ok(judge.why(v * sign, w, zero) is None, "with other signs",
               judge.why(v * sign, w, zero))
            for name, row in (
                    ("vectors that are too long", (v * dtype(1.001), w, zero)),
                    ("rows for columns", (v.T, w, zero) if n > 2 else None),
                    ("eigenvalues that fall", (v[:, ::-1], w[::-1], zero)
                     if n > 1 else None),
                    ("an eigenvalue off", (v, w + w.dtype.type(.01) * (
                        np.arange(n) == n - 1).astype(w.dtype), zero)),
                    ("info", (v, w, np.int32(1))),
                    ("NaN", (v, w * w.dtype.type(np.nan), zero))):
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


def check_qr(random):
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        near = near_of(dtype)
        for m, n in ((1, 1), (4, 4), (7, 3), (3, 6), (12, 9)):
            a, k = draw(random, (m, n), dtype), min(m, n)
            judge, name = Judge(geqrf(a), a), f"{dtype.__name__}({m}, {n})"
            # A wide matrix has no more reflectors than rows.
            h, tau = (x.astype(dtype) for x in np.linalg.qr(a, "raw"))
            f = h.T.copy()
            exact = judge.exact()
            ok(np.allclose(exact[0], f, 100 * near, 100 * near)
               and np.allclose(exact[1], tau, 100 * near, 100 * near),
               f"geqrf of {name}", (exact, f, tau))
            ok(judge.why(f, tau) is None, f"NumPy's factors: {name}",
               judge.why(f, tau))
            low = f.copy()
            low[-1, 0] += dtype(1e3 * near)
            for bad, row in (("R", (f + np.triu(np.full_like(f, 1e3 * near)),
                                    tau)),
                             ("a vector", (low, tau) if m > 1 else None),
                             ("tau", (f, tau + dtype(1e3 * near))),
                             ("the other sign of R", (f - 2 * np.triu(f), tau)),
                             ("NaN", (f * dtype(np.nan), tau))):
                if row:
                    ok(judge.why(*row), f"wrong: {bad}, {name}", row)
            if m < n:
                continue
            judge = Judge(orgqr(f, tau), f, tau)
            q = np.linalg.qr(a)[0]
            ok(np.allclose(judge.exact()[0], q, 100 * near, 100 * near),
               f"orgqr of {name}", judge.exact())
            ok(judge.why(q) is None, f"NumPy's Q: {name}", judge.why(q))
            for bad, row in (("Q off", q + dtype(1e3 * near)),
                             ("-Q", -q), ("Q of NaN", q * dtype(np.nan))):
                ok(judge.why(row), f"wrong: {bad}, {name}", row)
    check_r_alone(random)
    both = draw(random, (2, 4, 3), np.float32)
    rows = [np.linalg.qr(a, "raw") for a in both]
    row = [np.stack([h.T for h, _ in rows]), np.stack([t for _, t in rows])]
    judge = Judge(geqrf(both), both)
    ok(judge.why(*row) is None, "geqrf of a batch", judge.why(*row))
    ok(judge.why(row[0][::-1], row[1]), "wrong: geqrf's batch in reverse")
    f, tau = np.float32([[9, 0], [3, 9], [5, 7]]), np.float32([2, 3])
    first = np.eye(3) - 2 * np.outer([1, 3, 5], [1, 3, 5])
    second = np.eye(3) - 3 * np.outer([0, 1, 7], [0, 1, 7])
    due = (first @ second)[:, :2].astype(np.float32)
    judge = Judge(orgqr(f, tau), f, tau)
    ok(np.array_equal(judge.exact()[0], due) and judge.why(due) is None,
       "the product of vectors that reflect nothing", judge.exact())
    ok(judge.why(due * np.float32(1.01)), "wrong: another product")


def check_r_alone(random):
    """What is right beside tau is right without it, and nothing much worse."""
    for dtype in (np.float32, np.complex64):
        for m, n in ((4, 4), (2, 50), (60, 2), (3, 1)):
            a = draw(random, (m, n), dtype) + dtype(2)
            both = Judge(geqrf(a), a)
            judge = Judge(alone(geqrf(a), 0, tensor(
                a.shape, TYPES[a.dtype][1])), a)
            h, tau = (x.astype(dtype) for x in np.linalg.qr(a, "raw"))
            f, name = h.T.copy(), f"{dtype.__name__}({m}, {n})"
            scaled = f + np.triu(f) * dtype(20 * m * 2. ** -24)
            ok(both.why(scaled, tau) is None and judge.why(scaled) is None,
               f"R alone: {name}", (both.why(scaled, tau), judge.why(scaled)))
            ok(judge.why(f + np.triu(f) * dtype(.05)),
               f"wrong: R alone off by a twentieth, {name}")


def check_gesdd(random):
    for dtype in (np.float32, np.float64, np.complex64, np.complex128):
        near, zero = near_of(dtype), np.int32(0)
        for m, n in ((1, 1), (4, 4), (7, 3), (3, 6), (10, 9)):
            a, name = draw(random, (m, n), dtype), f"{dtype.__name__}({m}, {n})"
            for mode in "AS":
                judge = Judge(gesdd(a, mode), a)
                u, s, v = np.linalg.svd(a, mode == "A")
                _, t, x, y, _ = judge.exact()
                k, own = len(s), s.dtype.type
                ok(np.allclose(t, s, 100 * near, 100 * near) and np.allclose(
                    x[:, :k] * t @ y[:k], a, 100 * near, 100 * near)
                    and np.allclose(x.T.conj() @ x, np.eye(len(x.T)), 0, near)
                    and np.allclose(y @ y.T.conj(), np.eye(len(y)), 0, near),
                    f"gesdd of {name}, {mode}", (t, s, x, y))
                ok(judge.why(a * 0, s, u, v, zero) is None,
                   f"NumPy's are right: {name}, {mode}",
                   judge.why(a * 0, s, u, v, zero))
                turn = np.exp(1j * np.arange(k)) if v.dtype.kind == "c" \
                    else (-1.) ** np.arange(k)
                turned = u.copy(), v.copy()
                turned[0][:, :k] *= turn.astype(dtype)
                turned[1][:k] *= turn.conj()[:, None].astype(dtype)
                ok(judge.why(a, s, *turned, zero) is None,
                   "with other signs", judge.why(a, s, *turned, zero))
                for bad, row in (
                        ("a value off", (s + own(1e3 * near), u, v, zero)),
                        ("values that rise", (s[::-1], u, v, zero)
                         if k > 1 else None),
                        ("a negative value", (-s, -u, v, zero)),
                        ("U too long", (s, u * dtype(1.001), v, zero)),
                        ("the sign of U", (s, -u, v, zero)),
                        ("V for V^H", (s, u, v.T.conj(), zero)
                         if v.shape == (n, n) and n > 2 else None),
                        ("NaN", (s * own(np.nan), u, v, zero)),
                        ("info", (s, u, v, np.int32(1)))):
                    if row:
                        ok(judge.why(a, *row), f"wrong: {bad}, {name}, {mode}",
                           row)
    a = np.float32([[1, 2], [2, 4], [3, 6]])
    judge = Judge(gesdd(a, "A"), a)
    _, s, u, v, _ = judge.exact()
    ok(s[1] == 0 and np.allclose(s[0], 70 ** .5) and np.allclose(
        u.T @ u, np.eye(3), 0, 1e-6), "a singular matrix", (s, u))
    row = [x.astype(np.float32) for x in np.linalg.svd(a)]
    ok(judge.why(a, row[1], row[0], row[2], np.int32(0)) is None,
       "NumPy's of a singular matrix")
    a = np.zeros((2, 3), np.float32)
    judge = Judge(gesdd(a, "A"), a)
    eye = np.eye(3, dtype=np.float32)
    ok(judge.why(a, a[:, 0], eye[:2, :2], eye[::-1], np.int32(0)) is None
       and list(judge.exact()[1]) == [0, 0], "zero: any bases")
    ok(judge.why(a, a[:, 0], eye[:2, :2] * 0, eye, np.int32(0)),
       "wrong: no basis")
    a = draw(random, (4, 3), np.float32)
    judge = Judge(gesdd(a, "N"), a)
    s, nothing = np.linalg.svd(a, compute_uv=False), np.float32(np.nan)
    row = [np.full((4, 4), nothing), np.full((3, 3), nothing), np.int32(0)]
    ok(judge.why(a, s, *row) is None, "without vectors")
    ok(judge.why(a, s * np.float32(1.01), *row), "wrong: without vectors")


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
    module = importer.import_program(getrf(a).encode(), "p.mlir")
    ok([n for n in module.notices if "as stored by columns" in n],
       "without layouts: what is assumed", module.notices)
    for target, why in (("lapack_sgees_ffi", "no function registered"),
                        ("lapack_sgesdd_ffi", "mode is missing"),
                        ("lapack_sgeqrf_ffi", "lapack_sgeqrf_ffi returns"),
                        ("lapack_cgetrf_ffi", "is f32[3,3]; expected c64")):
        try:
            Judge(getrf(a).replace("lapack_sgetrf_ffi", target), a).exact()
            ok(False, f"refused: {target}")
        except (mlir.Refused, library.InvalidProgram) as e:
            ok(why in str(e), f"refused: {target}", e)


def spoil(a):
    """Its last number off by a hundredth of the largest."""
    if a.dtype.kind not in "fc" or a.size == 0:
        return a
    a = np.array(a)
    a.reshape(-1)[-1] += np.max(np.abs(a)) / 100 + a.real.dtype.type(0.01)
    return a


def check_whole(random):
    """Functions of JAX, as jax.jit lowers and XLA:CPU, which contracts products
    and sums, compiles them."""
    import jax
    import jax.numpy as jnp
    from assay import jax_check
    linalg, square = jnp.linalg, draw(random, (3, 3), np.float32)
    symmetric = square + square.T
    tall, definite = draw(random, (4, 3), np.float32), square @ square.T + 1
    for name, function, a in (
            ("svd", linalg.svd, tall), ("eigh", linalg.eigh, symmetric),
            ("det", linalg.det, square), ("complex svd", linalg.svd,
                                          draw(random, (3, 2), np.complex64)),
            ("svdvals", lambda x: linalg.svd(x, compute_uv=False), tall)):
        lowered = jax.jit(function).lower(a)
        row = [np.asarray(r) for r in jax.tree.leaves(lowered.compile()(a))]
        judge = Judge(lowered.as_text(), a, profile="xla-cpu-default")
        ok(judge.why(*row) is None, f"the whole of {name}", judge.why(*row))
        for i, bad in enumerate(map(spoil, row)):
            wrong = [*row[:i], bad, *row[i + 1:]]
            ok(judge.why(*wrong), f"wrong: result {i} of {name}", wrong)
    compiled, execute, planted = jax_check._compile, jax_check._execute, ""

    def run(loaded, inputs):
        results = execute(loaded[0], inputs)
        return list(map(spoil, results)) if loaded[1] else results
    # An operation alone is the first function of its program.
    jax_check._compile = lambda text: (
        compiled(text), planted and planted in text.split('"func.func"')[1])
    jax_check._execute = run
    for name, function, a, planted in (
            ("qr", linalg.qr, tall, "geqrf"), ("qr", linalg.qr, tall, "orgqr"),
            ("svd", linalg.svd, tall, "gesdd"),
            ("eigh", linalg.eigh, symmetric, "syevd"),
            ("lu", jax.scipy.linalg.lu, tall, "getrf"),
            ("cholesky", linalg.cholesky, definite, "potrf"),
            ("solve", lambda x: linalg.solve(x, x[0]), square, "trsm"),
            ("pinv", linalg.pinv, tall, "gesdd")):
        ok(planted in jax.jit(function).lower(a).as_text(),
           f"{name} calls {planted}")
        kept, planted = planted, ""
        found = jax_check.check(function, (a,), None, {})
        ok(found and found.judged > 2 and not found.others,
           f"check_jax: {name} is right", found)
        planted = kept
        found = jax_check.check(function, (a,), None, {})
        ok(not found and {s.op for s in found.wrong}
           == {"stablehlo.custom_call"}, f"check_jax: {name}, {planted} wrong",
           found)


def handed_on(text, number, made):
    """The program of a call that returns that result less zero."""
    text = alone(text, number, made)
    return text.replace("return", f"%z = stablehlo.constant dense<0.0> : {made}"
                        f"\n%s = stablehlo.subtract %r#{number}, %z : {made}\n"
                        "return").replace(f"return %r#{number}", "return %s")


def widths(judge, count):
    """Half-widths of the sets of the first result's elements."""
    ends = [[float(x) for x in re.findall(
        r"[-+0-9.e]+", judge.evaluation.accepts(0, i))] for i in range(count)]
    return np.array([(e[-1] - e[0]) / 2 for e in ends])


def farthest(random, results, number, near, is_right):
    """Results, one of which is moved as far as is right."""
    value = results[number]
    way = (random.standard_normal(value.shape)
           * (random.random(value.shape) < 0.4)).astype(value.dtype)
    best, low, high = list(results), near / 100, 1.0
    for _ in range(14):
        middle = (low * high) ** 0.5
        trial = list(results)
        trial[number] = value + value.dtype.type(middle) * way
        if is_right(*trial):
            best, low = trial, middle
        else:
            high = middle
    return best


def check_one_handed_on(random, name, text, a, number):
    alone_judge = Judge(text, a)
    results = [x.copy() for x in alone_judge.exact()]
    made = tensor(results[number].shape, TYPES[results[number].dtype][1])
    judge = Judge(handed_on(text, number, made), a)
    half, share, lost = widths(judge, results[number].size), 0, []
    for _ in range(12):
        row = farthest(random, results, number, near_of(a.dtype),
                       lambda *r: alone_judge.why(*r) is None)
        if judge.why(row[number]):
            lost.append(row[number])
        off = np.abs(row[number] - results[number]).ravel()
        share = max(share, (off / np.maximum(half, 1e-300)).max())
    far = results[number].copy()
    far.flat[-1] += 3 * half[-1]
    ok(not lost, f"what is right of {name} is handed on", lost[:1])
    ok(judge.why(far), f"three half-widths off is not: {name}", far)
    ok(share > 1 / 64, f"{name} fills much of the set", share)


def check_handed_on(random):
    for dtype in (np.float32, np.float64):
        for n in (2, 5):
            a = draw(random, (n, n), dtype)
            name = f"{dtype.__name__} {n}"
            for p in range(n):  # no other pivot is near
                a[p, p] += np.sign(a[p, p]) * 6
            check_one_handed_on(random, f"getrf of {name}", getrf(a), a, 0)
            a = ((a + a.T) / 2).astype(dtype)
            check_one_handed_on(random, f"syevd of {name}", syevd(a, "L", "N"),
                                a, 1)
            check_one_handed_on(random, f"gesdd of {name}", gesdd(a, "N"), a, 1)
    a = np.float32([[1, 2], [-1 + 2 ** -20, 5]])
    try:
        Judge(handed_on(getrf(a), 0, tensor((2, 2), "f32")), a).exact()
        said = "judged"
    except library.InvalidProgram as e:
        said = str(e)
    ok("several values" in said, "a pivot that rounding may change", said)


def check_solvers(random):
    """Whole functions of jnp.linalg, as JAX computes them."""
    import jax
    import jax.numpy as jnp
    linalg, a = jnp.linalg, draw(random, (4, 4), np.float32)
    b = draw(random, (4,), np.float32)
    definite = (a @ a.T + np.eye(4)).astype(np.float32)
    for name, function, given in (
            ("solve", linalg.solve, (a, b)), ("inv", linalg.inv, (a,)),
            ("det", linalg.det, (a,)), ("cond", linalg.cond, (a,)),
            ("slogdet", lambda x: linalg.slogdet(x)[1], (a,)),
            ("norm", lambda x: linalg.norm(x, 2), (a,)),
            ("eigvalsh", lambda x: linalg.eigvalsh(x) ** 2, (definite,)),
            ("cho_solve", lambda x, y: jax.scipy.linalg.solve(
                x, y, assume_a="pos"), (definite, b))):
        lowered = jax.jit(function).lower(*given)
        row = np.asarray(lowered.compile()(*given))
        judge = Judge(lowered.as_text(), *given, profile="xla-cpu-default")
        ok(judge.why(row) is None, f"jnp.linalg's {name}", judge.why(row))
        bad = (row.astype(np.float64) * 1.03).astype(np.float32)
        ok(judge.why(bad), f"wrong: 3 % off, {name}", bad)


def check_native():
    """The backend native has getrf of its own, and no other of these."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/a.mlir"
        for dims, dtype in (((3, 5), np.float32), ((2, 4, 4), np.complex128)):
            with open(path, "w", encoding="utf-8") as f:
                f.write(getrf(np.zeros(dims, dtype)))
            found = run_native(path)
            ok("\n1 case: 1 pass" in found, f"native: getrf of {dims}", found)
        with open(path, "w", encoding="utf-8") as f:
            f.write(syevd(np.zeros((3, 3), np.float32)))
        found = run_native(path)
        ok("no function registered for 'lapack_ssyevd_ffi'" in found,
           "native: no syevd", found)


def run_native(path):
    done = subprocess.run(
        [ASSAY, "run", path, "--backend", "native", "--database",
         f"{path}.db"],
        capture_output=True, text=True, env=ENVIRONMENT, check=False)
    return done.stdout + done.stderr


made = np.random.default_rng(2026)
check_getrf(made)
check_syevd(made)
check_qr(made)
check_gesdd(made)
check_names(made)
check_whole(made)
check_info(made)
check_handed_on(made)
check_solvers(made)
check_native()
finish()
