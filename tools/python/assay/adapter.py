"""What the adapters of libraries in assay.backends share.

SPDX-License-Identifier: Apache-2.0

Between XLA's attributes and what a library of arrays calls the same: which
function serves an element type, where dimensions go, and how a library says
that it lacks something.
"""
import contextlib
from typing import (Any, Callable, Dict, Iterable, Iterator, List, Optional,
                    Sequence, Tuple, Type, Union)

import numpy as np

from assay.backend import Backend, Error, Program, Unsupported
from assay.types import OPERATIONS

#: Errors as an except clause takes them.
Errors = Union[Type[BaseException], Tuple[Type[BaseException], ...]]


def elementwise(backend: Backend, functions: Dict[str, Any],
                call: Callable[..., Any],
                kinds: Optional[Dict[str, str]] = None,
                others: Optional[Dict[Tuple[str, str], Any]] = None) -> None:
    """Registers the operations of a table: ``call(op, function, *operands)``
    computes one, of arrays that are ready for NumPy's broadcasting.

    kinds: the kinds of NumPy's element types ("biufc") for which an operation's
    function is that of XLA, if not for all; others are unsupported.
    others: the function for an operation and a kind, if it is not that of the
    table."""
    def chosen(op, function, x):
        # The floating-point types of ml_dtypes are of the kind V.
        kind = {"V": "f"}.get(x.dtype.kind, x.dtype.kind)

        def another(*_operands, **_options):
            # When it is called: call may first reject the operands' sizes.
            raise Unsupported(f"the library's {op} of {x.dtype} is another "
                              "function")
        if kinds and kind not in kinds.get(op, kind):
            return another
        return (others or {}).get((op, kind), function)

    def register(op, function):
        def unary(x):
            return call(op, chosen(op, function, x), x)

        def binary(x, y, *, broadcast_dimensions, broadcasting):
            x, y = align(x, y, broadcast_dimensions, broadcasting)
            return call(op, chosen(op, function, x), x, y)
        backend.op(op)(binary if "broadcasting" in OPERATIONS[op]["attributes"]
                       else unary)

    for op, function in functions.items():
        register(op, function)


@contextlib.contextmanager
def lacking(errors: Errors, texts: Sequence[str] = ("",)) -> Iterator[None]:
    """Of what is raised within, these errors with one of these texts say that
    the library lacks something: unsupported."""
    try:
        yield
    except errors as e:
        if any(text in str(e) for text in texts):
            raise Unsupported(str(e)) from None
        raise


def place(sizes: Iterable[int], dimensions: Iterable[int], rank: int
          ) -> List[int]:
    """The sizes of an array of that rank: these in these dimensions, 1 in the
    others."""
    dims = [1] * rank
    for size, dim in zip(sizes, dimensions):
        dims[dim] = size
    return dims


def align(lhs: Any, rhs: Any, broadcast_dimensions: Sequence[int],
          broadcasting: str) -> Tuple[np.ndarray, np.ndarray]:
    """Two operands of a builder's operation, ready for NumPy's broadcasting:
    XLA's explicit broadcast_dimensions say where the dimensions of the operand
    of lower rank go."""
    lhs, rhs = np.asarray(lhs), np.asarray(rhs)
    if broadcasting == "numpy" or not broadcast_dimensions \
            or lhs.ndim == rhs.ndim:
        return lhs, rhs
    rank = max(lhs.ndim, rhs.ndim)

    def spread(x):
        return x if x.ndim == rank else x.reshape(
            place(x.shape, broadcast_dimensions, rank))
    return spread(lhs), spread(rhs)


def pads(padding_config: Sequence[Dict[str, int]]
         ) -> Tuple[List[int], List[int], List[int]]:
    """The low, high and interior padding of each dimension."""
    low, high, interior = (
        [p[k] for p in padding_config]
        for k in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    return low, high, interior


def feature_last(dimension_numbers: Dict[str, Any], which: str) -> List[int]:
    """The permutation that makes batch, spatial dimensions, feature of the
    "input" of a convolution; its inverse makes the "output" of these."""
    return [dimension_numbers[f"{which}_batch_dimension"],
            *dimension_numbers[f"{which}_spatial_dimensions"],
            dimension_numbers[f"{which}_feature_dimension"]]


def reject_broadcasting(backend: Backend, error: Errors, text: str
                        ) -> Callable[[Program], None]:
    """Backend.invalid for a library whose own broadcasting is that of NumPy,
    and whose other rules are not XLA's: of an invalid program that is one
    operation with ``broadcasting`` "numpy" the library is asked, and rejects
    it by raising error; the others are unsupported, because of text."""
    def invalid(program: Program) -> None:
        body = program.computations[program.entry]["body"]
        attributes = body[0].get("attributes", {}) if len(body) == 1 else {}
        same = len({s and s.dtype for s in program.inputs}) == 1
        if attributes.get("broadcasting") != "numpy" or not same \
                or attributes.get("broadcast_dimensions"):
            raise Unsupported(text)
        operands = [np.ones(s.dims, s.numpy) for s in program.inputs]
        try:
            program.run(program.entry, operands)
        except error as e:
            raise Error("rejected", str(e)) from None
    return invalid
