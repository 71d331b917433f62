"""Why a kernel is wrong: deviations of its program, tried one by one.

SPDX-License-Identifier: Apache-2.0

One is named as the cause only if the program that deviates so accepts every
result, right and wrong, and cannot give the exact value in most places where
the kernel is wrong.
"""
import contextlib
from typing import TYPE_CHECKING, List, Optional, Sequence, Set, Tuple

import numpy as np

from assay import library
from assay.kernel_program import Deviation, fits
from assay.kernel_report import Call, Cause, widths

if TYPE_CHECKING:
    from assay.gate import Gate

Place = Tuple[int, Tuple[int, ...]]  # output, index


def find_causes(gate: "Gate", calls: Sequence[Call]) -> List[Cause]:
    """Deviations that explain what is wrong, type by type: those that explain
    the most units, that with the narrowest sets first."""
    found = []
    for dtype in gate.dtypes:
        own = [c for c in calls if c.dtype == dtype]
        if any(c.error for c in own):
            continue  # an exception is not a value
        wrong = sum(c.verdict.wrong_elements for c in own if c.wrong)
        made = [(d, Cause(d.id, d.text, dtype, explained, wrong))
                for d in gate.definition.deviations if wrong
                for explained in [explains(gate, d, own)] if explained]
        most = max((c.explained for _, c in made), default=0)
        best = [(d, c) for d, c in made if c.explained == most]
        if len(best) > 1:
            best.sort(key=lambda pair: _spread(gate, pair[0], own))
        found += [c for _, c in best]
    return found


def _spread(gate: "Gate", deviation: Deviation, calls: Sequence[Call]
            ) -> float:
    """How wide the sets of the deviating program are where the kernel is wrong:
    the mean of half-widths, in ulps."""
    found: List[float] = []
    for call in calls:
        if call.wrong and gate.definition.applies(deviation, call.dtype,
                                                  call.sizes):
            with contextlib.suppress(library.EvaluationError,
                                     library.InvalidProgram), \
                    gate.evaluate(call, [deviation]) as e:
                e.check_valid()
                found += widths(e, call.exact)
    return sum(found) / max(len(found), 1)


def off_grid(arrays: Sequence[np.ndarray], grid: str) -> Set[Place]:
    """The float elements that are no numbers of the type grid."""
    return {(output, tuple(map(int, index)))
            for output, array in enumerate(arrays)
            if grid and array.dtype.kind == "f"
            for index in np.argwhere(~fits(array, grid))}


def accepts(gate: "Gate", call: Call, deviation: Optional[Deviation],
            e: Optional[library.Evaluation] = None) -> bool:
    """Does the program, or the one that deviates, which may be evaluated
    already, give all that the kernel returned?"""
    return bool(gate.judge(call, call.found, deviation, e)[0]) \
        and not (deviation and off_grid(call.found, deviation.grid))


def explains(gate: "Gate", deviation: Deviation, calls: Sequence[Call]
             ) -> int:
    """How many wrong units the deviation explains: the program that deviates so
    accepts them.  0 if it rejects any result, right or wrong, or if its sets
    are so wide that they say little: where most of these units are, it could
    give the exact value, too."""
    told, explained = 0, 0
    judged = [c for c in calls if c.verdict is not None and c.units]
    for call in sorted(judged, key=lambda c: (not c.wrong, c.units)):
        if not gate.definition.applies(deviation, call.dtype, call.sizes):
            if call.wrong:
                return 0
            continue
        try:
            if not accepts(gate, call, deviation):
                return 0
            if call.wrong:
                places = {(w.output, w.index) for w in call.verdict.wrong}
                explained += len(places)
                told += len(places & impossible(gate, deviation, call))
        except (library.EvaluationError, library.InvalidProgram):
            continue  # not verified there
    return explained if told * 2 >= explained else 0


def impossible(gate: "Gate", deviation: Deviation, call: Call) -> Set[Place]:
    """Where the program that deviates, as written, cannot give the exact
    value."""
    made = {(w.output, w.index) for w in gate.judge(
        call, call.exact, deviation, as_written=True)[0].wrong}
    return made | off_grid(call.exact, deviation.grid)
