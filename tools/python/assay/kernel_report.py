"""What a gate says of a kernel: calls, causes, and the report of them.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses
import re
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from assay import library, reference, types
from assay.kernel_memory import Layout

LISTED = 3  # wrong calls that are printed
SAMPLED = 24  # units of a call whose set is measured


class Died(Exception):
    """The kernel ended its process, or wrote where it must not."""


class Unsupported(Exception):
    """The kernel does not take this type or these sizes."""


@dataclasses.dataclass
class Call:
    """One call of the kernel.

    dtype, sizes, data  which one
    verdict             assay.Verdict, or None:
    error               what the kernel raised, or did instead of returning
    excused             what some of its units needed to be right
    unjudged            why there is no verdict and no error
    units               elements of the results
    layout              how its operands were arranged (kernel_memory.py)
    rows                of a call with very many rows those that were judged
    again               it repeats another call
    """
    dtype: str
    sizes: Any
    data: str
    where: str
    operands: List[np.ndarray]
    found: Optional[List[np.ndarray]] = None
    exact: Optional[List[np.ndarray]] = None
    verdict: Optional[reference.Verdict] = None
    error: str = ""
    excused: List[str] = dataclasses.field(default_factory=list)
    unjudged: str = ""
    units: int = 0
    layout: Optional[Layout] = None
    rows: Optional[List[int]] = None
    again: bool = False

    @property
    def wrong(self) -> bool:
        return bool(self.error) or (self.verdict is not None
                                    and not self.verdict)

    @property
    def first(self) -> reference.Wrong:
        """The first wrong element, by its own row."""
        w = self.verdict.wrong[0]
        return w if self.rows is None else dataclasses.replace(
            w, index=(self.rows[w.index[0]], *w.index[1:]))

    def __str__(self) -> str:
        return f"{self.dtype} {self.where}, data {self.data!r}" \
            + (f", {self.layout[0]}" if self.layout else "") \
            + (", called again" if self.again else "")


@dataclasses.dataclass(frozen=True)
class Cause:
    """A deviation that no result contradicts, and that explains wrong units of
    a type: all of them, or those for which the program that deviates so has
    a bounded result.

    explained, wrong  units
    """
    id: str
    text: str
    dtype: str
    explained: int
    wrong: int

    def __str__(self) -> str:
        rest = self.wrong - self.explained
        return f"{self.text} [{self.id}]; explains " + (
            f"all {self.wrong} wrong units" if not rest else
            f"{self.explained} of {self.wrong} wrong units (the others cannot "
            "be verified)") + ", contradicts no right one"


@dataclasses.dataclass
class Report:
    """The verdict on a kernel; true if something of each type was judged and
    nothing is wrong.

    dtypes   the types that were asked for
    calls    every call, with its verdict
    causes   the deviations that explain what is wrong; several, if the data do
             not tell which of them it is
    remarks  what is not wrong but worth knowing
    missing  element types that were not tried, with the reason
    widths   of sampled units: half the width of the set, in ulps; 0 where only
             one value is right
    """
    program: str
    profile: Optional[str]
    dtypes: List[str]
    calls: List[Call]
    causes: List[Cause]
    remarks: List[str]
    missing: List[Tuple[str, str]]
    widths: List[float]

    @property
    def judged(self) -> List[Call]:
        return [c for c in self.calls if c.verdict is not None or c.error]

    @property
    def wrong(self) -> List[Call]:
        return [c for c in self.calls if c.wrong]

    @property
    def unjudged(self) -> List[str]:
        """The types of which no unit was judged, though there are some; of a
        result without elements its type and shape are all there is to judge."""
        seen = {c.dtype for c in self.judged if c.units}
        left = {c.dtype for c in self.calls
                if c.verdict is None and not c.error}
        empty = {c.dtype for c in self.judged} - left
        return [d for d in self.dtypes if d not in seen | empty]

    def __bool__(self) -> bool:
        """Right: each type was judged, and nothing is wrong."""
        return not self.wrong and not self.unjudged and bool(self.dtypes)

    def json(self) -> Dict[str, Any]:
        """For programs: plain values."""
        return {
            "format": "assay-gate/1", "program": self.program,
            "profile": self.profile, "right": bool(self),
            "calls": len(self.judged), "wrong_calls": len(self.wrong),
            "units": sum(c.units for c in self.judged),
            "wrong_units": sum(c.verdict.wrong_elements for c in self.wrong
                               if c.verdict is not None),
            "causes": [dataclasses.asdict(c) for c in self.causes],
            "wrong": [_wrong_json(c) for c in self.wrong],
            "not_judged": [{"dtype": c.dtype, "sizes": c.where, "data": c.data,
                            "why": c.unjudged}
                           for c in self.calls if c.unjudged]
            + [{"dtype": d, "why": why} for d, why in self.missing],
            "remarks": self.remarks, "power": self.power()}

    def power(self) -> Dict[str, Any]:
        """How sharp the judgement was."""
        wide = sorted(w for w in self.widths if w > 0)
        return {"sampled": len(self.widths),
                "one_value": len(self.widths) - len(wide),
                "median_ulps": wide[len(wide) // 2] if wide else 0,
                "most_ulps": wide[-1] if wide else 0}

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        units = sum(c.units for c in self.judged)
        head = f"{self.program}, profile {self.profile}: "
        if self.wrong:
            yield (f"{head}wrong in {len(self.wrong)} of {len(self.judged)} "
                   "calls")
        elif self.unjudged:
            yield f"{head}nothing was judged in {', '.join(self.unjudged)}"
        else:
            yield f"{head}right in {len(self.judged)} calls, {units} units"
            if not units:
                yield ("  the results have no elements: their types and shapes "
                       "are right")
        yield from self._wrong_lines()
        p = self.power()
        if p["sampled"]:
            others = ("" if p["one_value"] == p["sampled"] else
                      "; half-width of the other sets: median "
                      f"{p['median_ulps']:.3g} ulps, at most "
                      f"{p['most_ulps']:.3g}")
            yield (f"  power: {p['one_value']} of {p['sampled']} sampled units "
                   f"have one right value{others}")
        yield from (f"  remark: {r}" for r in self.remarks)
        for why, calls in _grouped(
                [(c.unjudged, str(c)) for c in self.calls if c.unjudged]):
            yield f"  not judged: {calls}: {why}"
        yield from (f"  not tried: {d}: {why}" for d, why in self.missing)

    def _wrong_lines(self) -> Iterator[str]:
        for call in _chosen(self.wrong):
            yield f"  {call}:"
            if call.error:
                yield f"    {call.error}"
            else:
                if call.verdict.wrong:
                    yield f"    {call.first}"
                else:
                    yield f"    {call.verdict.why}"
                if call.verdict.wrong:
                    yield f"    {call.verdict.why}"
        more = len(self.wrong) - LISTED
        if more > 0:
            yield f"  ... and {more} more calls"
        values = [c for c in self.wrong if not c.error]
        if values and not self.causes:
            yield "  cause: none of the known deviations explains this"
        for cause in self.causes[:LISTED]:
            several = sum(c.dtype == cause.dtype for c in self.causes) > 1
            yield (f"  {'possible ' if several else ''}cause ({cause.dtype}): "
                   f"{cause}")
        if len(self.causes) > LISTED:
            yield f"  ... and {len(self.causes) - LISTED} more possible causes"


def _wrong_json(call: Call) -> Dict[str, Any]:
    made = {"dtype": call.dtype, "sizes": call.where, "data": call.data,
            "error": call.error or call.verdict.why}
    if call.verdict is not None and call.verdict.wrong:
        w = call.first
        made.update(output=w.output, index=list(w.index), found=str(w.found),
                    expected=w.expected, accepts=w.accepts, ulps=w.ulps)
        if w.ulps and w.ulps >= reference.BEYOND:  # as spec/results.md has it
            made.update(ulps=None, ulps_beyond="at least 10^12")
    return made


def _chosen(wrong: Sequence[Call]) -> List[Call]:
    """A few that differ in type and data, errors first."""
    seen, first, rest = set(), [], []
    for call in sorted(wrong, key=lambda c: (not c.error, c.units)):
        fresh = (call.dtype, call.data) not in seen
        seen.add((call.dtype, call.data))
        (first if fresh else rest).append(call)
    return (first + rest)[:LISTED]


def _grouped(pairs: Sequence[Tuple[str, str]]) -> Iterator[Tuple[str, str]]:
    groups: Dict[str, List[str]] = {}
    for why, name in pairs:
        groups.setdefault(why, []).append(name)
    for why, names in groups.items():
        yield why, names[0] + (f" and {len(names) - 1} more"
                               if len(names) > 1 else "")


# ---- Shapes and sets ---------------------------------------------------------

def misshapen(exact: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> str:
    """What is wrong with the results' number, types or shapes; or ""."""
    if len(exact) != len(found):
        return f"{len(found)} results, expected {len(exact)}"
    for i, (e, f) in enumerate(zip(exact, found)):
        if (e.dtype, e.shape) != (f.dtype, f.shape):
            return (f"result {i} is {types.dtype_name(f.dtype)}"
                    f"{list(f.shape)}, expected "
                    f"{types.dtype_name(e.dtype)}{list(e.shape)}")
    return ""


_SET = re.compile(r"\[(\S+), (\S+)\]")


def half_width(accepts: str, dtype: np.dtype) -> Optional[float]:
    """Half the width of a set like "[1, 2] | nan", in ulps at its middle; 0 of
    one value; None of one that is not an interval of numbers."""
    found = _SET.findall(accepts)
    if not found:
        return None if "any" in accepts or "|" in accepts else 0.0
    low = min(float(a) for a, _ in found)
    high = max(float(b) for _, b in found)
    if not np.isfinite(low) or not np.isfinite(high):
        return np.inf
    middle = max(abs(low), abs(high))
    info = (np.finfo if hasattr(np, dtype.name) else types.ml_dtypes.finfo)(
        dtype)
    ulp = max(2.0 ** np.floor(np.log2(middle or 1e-300)) * float(info.eps),
              float(info.tiny) * float(info.eps))
    return (high - low) / 2 / ulp


def widths(e: library.Evaluation, exact: Sequence[np.ndarray]
           ) -> List[float]:
    """Half-widths of the sets of some units."""
    made = []
    for output, array in enumerate(exact):
        if array.dtype.kind in "iub" or not array.size:
            continue
        step = max(1, array.size // SAMPLED)
        for element in range(0, array.size, step):
            width = half_width(e.accepts(output, element), array.dtype)
            if width is not None:
                made.append(width)
    return made
