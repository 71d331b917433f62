"""Custom calls by definition: those of jaxlib's LAPACK that are operations, and
those between arrays and their parts.

SPDX-License-Identifier: Apache-2.0
"""
import re
from typing import Callable, Optional

from assay import definitions, mlir, shards, types
from assay.mlir import Refused, ir

#: LAPACK's letters.
_LOWER, _LEFT, _UNIT = ord("L"), ord("L"), ord("U")
_TRANSPOSED = {ord("N"): "NO_TRANSPOSE", ord("T"): "TRANSPOSE",
               ord("C"): "ADJOINT"}


def _letters(i, *names: str):
    config = i.there.get("mhlo.backend_config")
    if config is None or isinstance(i.there.get("backend_config"),
                                    ir.DictAttr):
        config = i.there.get("backend_config")
    if config is None or not isinstance(config, ir.DictAttr):
        raise Refused("a call of LAPACK without its dictionary of options")
    found = mlir.named(ir.DictAttr(config))
    return [ir.IntegerAttr(found[name]).value for name in names]


def _potrf(i) -> None:
    """The second result is 0: the matrix is positive definite.  That the other
    triangle is the operand's is not judged."""
    lower = _letters(i, "uplo")[0] == _LOWER
    info = types.parse_mlir(str(i.results[1].type))
    i.body.names[i.results[0]] = i.body.add(
        "Cholesky", [i.body.name(i.operands[0])], lower=lower)
    i.body.names[i.results[1]] = i.body.add(
        "Constant", literal=definitions.splat(0, info))


def _trsm(i) -> None:
    side, uplo, transposed, diagonal = _letters(i, "side", "uplo", "trans_x",
                                                "diag")
    i.give(i.body.add(
        "TriangularSolve", [i.body.name(v) for v in i.operands],
        left_side=side == _LEFT, lower=uplo == _LOWER,
        unit_diagonal=diagonal == _UNIT, transpose_a=_TRANSPOSED[transposed]))


_CALLS = ((re.compile(r"lapack_[sdcz]potrf_ffi"), _potrf),
          (re.compile(r"lapack_[sdcz]trsm_ffi"), _trsm),
          (re.compile("SPMDFullToShardShape"), shards.write_to_shard),
          (re.compile("SPMDShardToFullShape"), shards.write_to_full))


def find(target: str) -> Optional[Callable]:
    """What writes a custom call by definition."""
    return next((write for name, write in _CALLS if name.fullmatch(target)),
                None)
