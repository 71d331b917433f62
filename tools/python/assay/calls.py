"""Custom calls by definition: those of jaxlib's LAPACK that are operations, and
those between arrays and their parts.

SPDX-License-Identifier: Apache-2.0
"""
import re
from typing import Callable, Optional

from assay import definitions, mlir, shards
from assay.mlir import Refused, ir

#: LAPACK's letters.
_LOWER, _LEFT, _UNIT = ord("L"), ord("L"), ord("U")
_TRANSPOSED = {ord("N"): "NO_TRANSPOSE", ord("T"): "TRANSPOSE",
               ord("C"): "ADJOINT"}


#: And those of its names, by element type.
_LETTERS = {"f32": "s", "f64": "d", "c64": "c", "c128": "z"}
#: Those that a factorization's results depend on.
_OPTIONS = {"evd": ("mode", "uplo"), "gesdd": ("mode",)}


def _letters(i, *names: str):
    config = i.there.get("mhlo.backend_config")
    if config is None or isinstance(i.there.get("backend_config"),
                                    ir.DictAttr):
        config = i.there.get("backend_config")
    if config is None or not isinstance(config, ir.DictAttr):
        raise Refused("a call of LAPACK without its dictionary of options")
    found = mlir.named(ir.DictAttr(config))
    return [ir.IntegerAttr(found[name]).value for name in names]


def _check_layouts(i) -> None:
    """LAPACK reads and writes columns, so that another layout would be another
    matrix; a program without layouts means the matrices as they are."""
    rank = max(len(mlir.shape_of(v).dims) for v in i.operands)
    if "operand_layouts" not in i.there:
        notice = f"{i.body.module.where}: {i.target} has no operand_layouts: " \
            "its matrices are taken as stored by columns"
        if notice not in i.body.module.notices:
            i.body.module.notices.append(notice)
    for name, values in (("operand_layouts", i.operands),
                         ("result_layouts", i.results)):
        for value, layout in zip(values, i.there.get(name) or ()):
            if len(mlir.shape_of(value).dims) == rank > 1 \
                    and mlir.ints(layout)[:2] != [rank - 2, rank - 1]:
                raise Refused(f"{name}: {mlir.shown(layout)}: LAPACK's matrices"
                              " are stored by columns")


def _potrf(i) -> None:
    """The second result is 0: the matrix is positive definite.  That the other
    triangle is the operand's is not judged."""
    lower = _letters(i, "uplo")[0] == _LOWER
    _check_layouts(i)
    info = mlir.shape_of(i.results[1])
    i.body.names[i.results[0]] = i.body.add(
        "Cholesky", [i.body.name(i.operands[0])], lower=lower)
    i.body.names[i.results[1]] = i.body.add(
        "Constant", literal=definitions.splat(0, info))


def _trsm(i) -> None:
    _check_layouts(i)
    side, uplo, transposed, diagonal = _letters(i, "side", "uplo", "trans_x",
                                                "diag")
    i.give(i.body.add(
        "TriangularSolve", [i.body.name(v) for v in i.operands],
        left_side=side == _LEFT, lower=uplo == _LOWER,
        unit_diagonal=diagonal == _UNIT, transpose_a=_TRANSPOSED[transposed]))


def _factorize(i) -> None:
    """By a function that is registered."""
    _check_layouts(i)
    letters = next((n for k, n in _OPTIONS.items() if k in i.target), ())
    options = ", ".join(f"{k} = {v} : ui8" for k, v in zip(
        letters, _letters(i, *letters)))
    made = i.body.add("CustomCall", [i.body.name(v) for v in i.operands],
                      call_target_name=i.target,
                      opaque=f"{{{options}}}" if options else "",
                      shape=mlir.joined_shape([v.type for v in i.results]))
    i.body.scatter(made, i.results)


def _reflectors(i) -> None:
    """XLA's and IREE's calls of LAPACK's functions by what they do, on matrices
    as they are."""
    kind = mlir.shape_of(i.operands[0]).dtype
    if kind not in _LETTERS:
        raise Refused(f"of {kind}")
    name = "geqrf" if i.target == "Qr" else \
        "ungqr" if kind[0] == "c" else "orgqr"
    made = i.body.add("CustomCall", [i.body.name(v) for v in i.operands],
                      call_target_name=f"lapack_{_LETTERS[kind]}{name}_ffi",
                      shape=mlir.joined_shape([v.type for v in i.results]))
    i.body.scatter(made, i.results)


def _factorize_old(i) -> None:
    """Of a matrix, by the name that a function had before jaxlib's FFI: scalars
    stand before the matrix, syevd's first being whether the lower triangle is
    read, and room for work after the results."""
    _check_layouts(i)
    target = f"{i.target}_ffi"
    matrix = next((v for v in i.operands if len(mlir.shape_of(v).dims) > 1),
                  None)
    if matrix is None or len(i.results) < 3:
        raise Refused(f"a call of {i.target} without a matrix or its three "
                      "results")
    found = {}
    if "syevd" in target:
        lower = re.search(r"dense<([01])>", str(i.operands[0].owner))
        if not lower:
            raise Refused(f"a call of {i.target} whose first operand is not "
                          "the constant 0 or 1")
        found = {"mode": ord("V"), "uplo": ord("UL"[int(lower[1])])}
    options = ", ".join(f"{k} = {v} : ui8" for k, v in found.items())
    made = i.body.add("CustomCall", [i.body.name(matrix)],
                      call_target_name=target,
                      opaque=f"{{{options}}}" if options else "",
                      shape=mlir.joined_shape([v.type for v in i.results[:3]]))
    i.body.scatter(made, i.results[:3])


def _top_k(i) -> None:
    """XLA makes this call of sorts by "greater" only (xla: topk_rewriter.cc,
    IsNanSafeGt), so it gives the largest values of rows."""
    made = i.body.add("TopK", [i.body.name(i.operands[0])],
                      k=mlir.shape_of(i.results[0]).dims[-1], largest=True)
    i.body.scatter(made, i.results)


def _composite(i) -> None:
    """As converters of other frameworks write a composite: its decomposition
    is the computation that it calls."""
    callee = ir.ArrayAttr(i.there["called_computations"])[0]
    made = i.body.add("Call", [i.body.name(v) for v in i.operands],
                      computation=i.body.module.function(
                          ir.FlatSymbolRefAttr(callee).value, i.body.scope))
    i.body.scatter(made, i.results)


_CALLS = ((re.compile(r"lapack_[sdcz]potrf_ffi"), _potrf),
          (re.compile(r"lapack_[sdcz]trsm_ffi"), _trsm),
          (re.compile(r"lapack_([sdcz](getrf|geqrf|gesdd)|[sd](syevd|orgqr)|"
                      r"[cz](heevd|ungqr))_ffi"), _factorize),
          (re.compile(r"lapack_[sd](getrf|syevd)"), _factorize_old),
          (re.compile("Qr|ProductOfElementaryHouseholderReflectors"),
           _reflectors),
          (re.compile("TopK"), _top_k),
          (re.compile(r"stablehlo\.composite"), _composite),
          (re.compile("SPMDFullToShardShape"), shards.write_to_shard),
          (re.compile("SPMDShardToFullShape"), shards.write_to_full))


def find(target: str) -> Optional[Callable]:
    """What writes a custom call by definition."""
    return next((write for name, write in _CALLS if name.fullmatch(target)),
                None)
