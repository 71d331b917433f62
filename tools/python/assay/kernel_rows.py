"""Calls with very many rows, which cost no more than a few to judge.

SPDX-License-Identifier: Apache-2.0

Where a program computes each row of its results from that row of its operands,
rows that repeat have results that repeat.  So the rows of a call of 66567 are
those of a small one again and again, and only results that differ are judged.
The period is a prime: an index that wraps, or a row that is taken for another,
meets other values.
"""
from typing import TYPE_CHECKING, Iterator, List, Sequence

import numpy as np

from assay import library, reference
from assay.kernel_report import Call, misshapen

if TYPE_CHECKING:
    from assay.gate import Gate

#: Whole blocks of threads, one row more; and indices of more than 16 bits.
COUNTS = (16, 17, 32, 33, 64, 65, 128, 256, 257, 512, 1024, 1025, 66567)


def _assemblies(found: Sequence[np.ndarray], period: int
                ) -> Iterator[np.ndarray]:
    """The numbers of rows, one of each residue, until each row that differs
    from those before it was among them."""
    count = len(found[0])
    seen: List[dict] = [{} for _ in range(period)]
    same = np.ones(count, bool)
    for x in found:
        bits = np.ascontiguousarray(x).reshape(count, -1).view(np.uint8)
        first = np.resize(bits[:period], bits.shape)
        same &= (bits == first).all(1)
    for row in np.flatnonzero(~same):
        key = b"".join(np.ascontiguousarray(x[row]).tobytes() for x in found)
        seen[row % period].setdefault(key, row)
    others = [[k, *rows.values()] for k, rows in enumerate(seen)]
    for n in range(max(map(len, others))):
        yield np.array([rows[min(n, len(rows) - 1)] for rows in others])


def calls(gate: "Gate", dtype: str) -> List[Call]:
    """One for each number of rows, until one is wrong."""
    size, sizes = gate.definition.many
    data = next(iter(gate.data))
    period = sizes[size]
    more = gate.definition.operands(dtype, {**sizes, size: period + 1})
    grows = [a.dims != b.dims for a, b in zip(
        more, gate.definition.operands(dtype, sizes))]
    made: List[Call] = []
    for count in (n for n in COUNTS if n > period):
        call = Call(dtype, sizes, data, gate.definition.sizes_text(
            {**sizes, size: count}) + f", {period} of them different",
                    gate.operands(dtype, sizes, data))
        given = [np.resize(x, (count, *x.shape[1:])) if grown else x
                 for x, grown in zip(call.operands, grows)]
        _judge(gate, call, given, period, count)
        made.append(call)
        if call.wrong:
            break
    return made


def _judge(gate: "Gate", call: Call, given: Sequence[np.ndarray], period: int,
           count: int) -> None:
    try:
        with gate.evaluate(call) as e:
            call.exact = [reference.array(t) for t in e.outputs()]
            whole = [np.resize(x, (count, *x.shape[1:])) for x in call.exact]
            found = gate.run_kernel(given, call, whole)
            call.units = sum(x.size for x in whole)
            call.error = call.error or (
                misshapen(whole, found) if found is not None else "")
            if call.error or found is None:
                return
            for rows in _assemblies(found, period):
                call.found, call.rows = [x[rows] for x in found], rows.tolist()
                call.verdict, call.excused = gate.judge(call, call.found, e=e)
                if not call.verdict:
                    return
    except (library.EvaluationError, library.InvalidProgram) as e:
        call.unjudged = str(e)
