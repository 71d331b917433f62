"""A gate for kernels: is this function right, and if not, why?

SPDX-License-Identifier: Apache-2.0

    import assay
    assay.kernel(my_softmax, "softmax", dtypes="f32 bf16").check()

The kernel is called with operands of every kind that the definition names
(kernel_data.py), in several sizes, and each result is judged by the exact one
and its acceptance set.  What is wrong is compared with the definition's known
deviations: one is named as the cause only if the program that deviates so
accepts every result, right and wrong, and cannot give the exact value somewhere
that the kernel is wrong.
"""
import contextlib
import dataclasses
import itertools
import pathlib
import re
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Set, Tuple)

import numpy as np

from assay import kernel_data, library, reference, types
from assay.kernel_program import (Deviation, Named, Unknown, find, fits,
                                  nearest)

Place = Tuple[int, Tuple[int, ...]]  # output, index
LISTED = 3  # wrong calls that are printed
#: The profile of the gate, and the one where products and sums may be fused.
KERNEL, FUSED = (str(pathlib.Path(__file__).parent / f"profiles/{name}.json")
                 for name in ("kernel", "kernel-fused"))
FUSED_TEXT = "products and sums are fused (arithmetic.contraction)"
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

    @property
    def wrong(self) -> bool:
        return bool(self.error) or (self.verdict is not None
                                    and not self.verdict)

    def __str__(self) -> str:
        return f"{self.dtype} {self.where}, data {self.data!r}"


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
    """The verdict on a kernel; true if something was judged and nothing is
    wrong.

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

    def __bool__(self) -> bool:
        """Right: units were judged, and none is wrong."""
        return not self.wrong and any(c.units for c in self.judged)

    def json(self) -> Dict[str, Any]:
        """For programs: plain values."""
        return {
            "format": "assay-gate/1", "program": self.program,
            "profile": self.profile, "right": bool(self),
            "calls": len(self.judged), "wrong_calls": len(self.wrong),
            "units": sum(c.units for c in self.judged),
            "wrong_units": sum(c.verdict.wrong_elements for c in self.wrong
                               if c.verdict),
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
        elif self:
            yield f"{head}right in {len(self.judged)} calls, {units} units"
        else:
            yield f"{head}nothing was judged"
        yield from self._wrong_lines()
        p = self.power()
        if p["sampled"]:
            yield (f"  power: {p['one_value']} of {p['sampled']} sampled units "
                   "have one right value; half-width of the other sets: median "
                   f"{p['median_ulps']:.3g} ulps, at most "
                   f"{p['most_ulps']:.3g}")
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
                shown = call.verdict.wrong[:1] or [call.verdict.why]
                yield from (f"    {w}" for w in shown)
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
    if call.verdict and call.verdict.wrong:
        w = call.verdict.wrong[0]
        made.update(output=w.output, index=list(w.index), found=str(w.found),
                    expected=w.expected, accepts=w.accepts, ulps=w.ulps)
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


# ---- Arrays of other libraries ----------------------------------------------------

def to_torch(array: np.ndarray, device: Optional[str]) -> Any:
    """A tensor with the same bits."""
    import torch
    name = array.dtype.name
    if array.dtype.kind != "V" and hasattr(np, name):
        tensor = torch.from_numpy(array)
    else:
        bits = {1: np.uint8, 2: np.int16}[array.dtype.itemsize]
        tensor = torch.from_numpy(array.view(bits)).view(getattr(torch, name))
    return tensor.to(device) if device else tensor


def to_jax(array: np.ndarray, device: Optional[str]) -> Any:
    import jax
    return jax.device_put(array, jax.devices(device)[0] if device else None)


ARRAYS: Dict[str, Callable[[np.ndarray, Optional[str]], Any]] = {
    "numpy": lambda array, device: array, "torch": to_torch, "jax": to_jax}


# ---- The gate -----------------------------------------------------------------------

class Gate:
    """A kernel and its definition.  run() gives a Report, check() asserts."""

    def __init__(self, kernel: Callable[..., Any], program: Any,
                 dtypes: Any = None, shapes: Any = "auto", data: Any = None,
                 arrays: str = "numpy", device: Optional[str] = None,
                 profile: Optional[str] = None, seed: int = 0) -> None:
        jax_arguments = shapes if not isinstance(shapes, str) else ()
        self.definition = find(program, jax_arguments)
        self.kernel, self.seed = kernel, seed
        self.profile, self.fused = profile or "kernel", profile is None
        self._file = profile or KERNEL
        self.dtypes = self._types(dtypes)
        self.shapes = self._shapes(shapes)
        self.data = self._data(data)
        if arrays not in ARRAYS:
            raise Unknown(f"unknown arrays {arrays!r}{nearest(arrays, list(ARRAYS))}"
                          f"; known: {', '.join(ARRAYS)}")
        self._convert, self._device = ARRAYS[arrays], device

    def _types(self, dtypes: Any) -> List[str]:
        known = list(self.definition.dtypes)
        if dtypes is None:
            return ["f32"] if "f32" in known else known[:1]
        made = dtypes.replace(",", " ").split() if isinstance(dtypes, str) \
            else [d if isinstance(d, str) else types.dtype_name(d)
                  for d in dtypes]
        for name in made:
            if name not in known:
                raise Unknown(
                    f"{self.definition.name}: no type {name!r}"
                    f"{nearest(name, known)}; it has: {', '.join(known)}")
        if not made:
            raise Unknown("no element type is given")
        return made

    def _shapes(self, shapes: Any) -> List[Any]:
        if isinstance(shapes, str) and shapes != "auto":
            raise Unknown(f"shapes: found {shapes!r}, expected 'auto' or a "
                          "list of sizes")
        if isinstance(shapes, str) or not isinstance(self.definition, Named):
            return list(self.definition.shapes)
        wanted = set(self.definition.sizes)
        for sizes in shapes:
            if not isinstance(sizes, dict) or set(sizes) != wanted:
                raise Unknown(
                    f"{self.definition.name}: found sizes {sizes!r}, expected "
                    f"a number for each of {', '.join(sorted(wanted))}")
        return [dict(s) for s in shapes]

    def _data(self, data: Any) -> Dict[str, Dict[str, str]]:
        all_data = self.definition.data or {
            name: {"*": name} for name in kernel_data.DEFAULT}
        if data is None:
            return dict(all_data)
        names = data.replace(",", " ").split() if isinstance(data, str) \
            else list(data)
        for name in names:
            if name not in all_data:
                raise Unknown(
                    f"{self.definition.name}: no data {name!r}"
                    f"{nearest(name, list(all_data))}; it has: "
                    f"{', '.join(all_data)}")
        return {name: all_data[name] for name in names}

    # -- one call

    def operands(self, dtype: str, sizes: Any, data: str) -> List[np.ndarray]:
        """The arrays of one call."""
        kinds = self.data[data]
        variables = {**(sizes if isinstance(sizes, dict) else {}), "T": dtype}
        made = []
        for i, shape in enumerate(self.definition.operands(dtype, sizes)):
            name = kinds.get(f"p{i}", kinds.get("*"))
            if name is None:
                name = kernel_data.default(shape)
            elif "*" in kinds:
                name = kernel_data.fitting(name, shape)
            made.append(kernel_data.make(
                name, shape, variables,
                (self.definition.name, dtype, repr(shape), data, i, self.seed)))
        return made

    def _run_kernel(self, operands: Sequence[np.ndarray], call: Call
                    ) -> Optional[List[np.ndarray]]:
        """The results, or None: then call.error says what happened."""
        given = [x.copy() for x in operands]
        try:
            with np.errstate(all="ignore"):
                if hasattr(self.kernel, "into"):
                    return self.kernel.into(given, call.exact)
                results = self.kernel(*(self._convert(x, self._device)
                                        for x in given))
        except Died as e:
            call.error = str(e)
            return None
        except Unsupported as e:
            call.unjudged = f"unsupported: {e}"
            return None
        except Exception as e:  # whatever a kernel raises is its answer
            text = str(e).strip().splitlines()
            call.error = f"raised {type(e).__name__}" \
                + (f": {text[0]}" if text else "")
            return None
        for i, (a, b) in enumerate(zip(operands, given)):
            if types.to_bytes(a) != types.to_bytes(b):
                call.error = f"operand {i} was overwritten"
                return None
        if not isinstance(results, (tuple, list)):
            results = [results]
        try:
            made = [np.array(types.as_array(r)) for r in results]
            for x in made:
                types.dtype_name(x.dtype)
            return made
        except (TypeError, ValueError) as e:
            call.error = f"what was returned is no array: {e}"
            return None

    def call(self, dtype: str, sizes: Any, data: str,
             widths: Optional[List[float]] = None) -> Call:
        """Call the kernel once, and judge what it returns."""
        made = Call(dtype, sizes, data, self.definition.sizes_text(sizes),
                    self.operands(dtype, sizes, data))
        try:
            with self.evaluate(made) as e:
                made.exact = [reference._array(t) for t in e.outputs()]
                made.found = self._run_kernel(made.operands, made)
                if made.found is None:
                    return made
                made.units = sum(x.size for x in made.exact)
                made.error = misshapen(made.exact, made.found)
                if made.error:
                    return made
                made.verdict, made.excused = self.judge(made, made.found, e=e)
                if widths is not None:
                    widths += _widths(e, made.exact)
        except (library.EvaluationError, library.InvalidProgram) as e:
            try:
                if not self._judge_empty(made):
                    made.unjudged = str(e)
            except (library.EvaluationError, library.InvalidProgram):
                made.unjudged = str(e)
        return made

    def evaluate(self, call: Call, deviations: Sequence[Deviation] = ()
                 ) -> library.Evaluation:
        """The program as written, or one that deviates, on a call's operands."""
        return self.definition.evaluate(call.dtype, call.sizes, call.operands,
                                        self._file, deviations)

    def judge(self, call: Call, results: Sequence[np.ndarray],
              deviation: Optional[Deviation] = None,
              e: Optional[library.Evaluation] = None,
              as_written: bool = False
              ) -> Tuple[reference.Verdict, List[str]]:
        """The verdict on results of the call's operands, of a program that may
        deviate, and what else than the program as written was needed: a unit
        that another form of it, or fused products and sums, give is right,
        unless only the program as written counts."""
        verdict, needed = None, []
        for why, form, profile in itertools.islice(
                self._ways(), 1 if as_written else None):
            rows = [r for r in (form, deviation) if r]
            with contextlib.ExitStack() as stack:
                made = e if e and verdict is None else stack.enter_context(
                    self.definition.evaluate(call.dtype, call.sizes,
                                             call.operands, profile, rows))
                new = reference.verdict(made, results)
            if verdict is None:
                verdict = new
            else:
                left = {(w.output, w.index) for w in new.wrong}
                wrong = tuple(w for w in verdict.wrong
                              if (w.output, w.index) in left)
                if len(wrong) < len(verdict.wrong):
                    needed.append(why)
                verdict = dataclasses.replace(
                    verdict, wrong=wrong, wrong_elements=len(wrong),
                    why=f"{len(wrong)} of {call.units} units are wrong",
                    status="fail" if wrong else "pass")
            if verdict:
                break
        if verdict and needed:
            verdict = reference.Verdict("pass", "")
        return verdict, needed

    def _ways(self) -> Iterator[Tuple[str, Optional[Deviation], str]]:
        """The program as written, its other forms, and both fused."""
        forms = [(f.text, f) for f in self.definition.forms]
        yield "", None, self._file
        yield from ((text, form, self._file) for text, form in forms)
        if self.fused:
            yield FUSED_TEXT, None, FUSED
            yield from ((f"{text}, and {FUSED_TEXT}", form, FUSED)
                        for text, form in forms)

    def _judge_empty(self, call: Call) -> bool:
        """Of results without elements only the shape is judged."""
        with self.definition.evaluate(call.dtype, call.sizes, call.operands,
                                      self._file, values_only=True) as e:
            call.exact = [reference._array(t) for t in e.outputs()]
        if any(x.size for x in call.exact):
            return False
        call.found = self._run_kernel(call.operands, call)
        if call.found is not None:
            call.error = misshapen(call.exact, call.found)
        if call.found is not None and not call.error:
            call.verdict = reference.Verdict("pass", "")
        return True

    # -- all

    def run(self, first: bool = False) -> Report:
        """Every type, size and kind of data: a Report.  With first, only until
        a call is wrong, and without causes: for a loop that only needs to know
        whether a kernel is right."""
        calls, missing, widths = [], [], []
        for dtype in self.dtypes:
            if dtype not in types.DTYPES:
                missing.append((dtype, "NumPy has it only with the package "
                                       "ml_dtypes, which is not installed"))
                continue
            for sizes in self.shapes:
                for data in self._useful(dtype, sizes):
                    if first and calls and calls[-1].wrong:
                        break
                    calls.append(self.call(dtype, sizes, data, widths))
        remarks = sorted({c.verdict.why for c in calls
                          if c.verdict and c.verdict.status == "warn"})
        for why in sorted({why for c in calls for why in c.excused}):
            count = sum(why in c.excused for c in calls)
            remarks.append(f"right in {count} calls only because {why}")
        return Report(self.definition.name, self.profile, calls,
                      [] if first else find_causes(self, calls),
                      remarks + ([] if first else self._again(calls)), missing,
                      widths)

    def _useful(self, dtype: str, sizes: Any) -> List[str]:
        """Of sizes without an element one kind of data is enough."""
        empty = any(0 in s.dims for s in self.definition.operands(dtype, sizes))
        return list(self.data)[:1] if empty else list(self.data)

    def _again(self, calls: Sequence[Call]) -> List[str]:
        """Is a result the same the second time?"""
        made = [c for c in calls if c.found is not None]
        if not made:
            return []
        call = max(made, key=lambda c: c.units)
        second = self._run_kernel(call.operands, dataclasses.replace(call))
        same = second is not None and len(second) == len(call.found) and all(
            types.to_bytes(a) == types.to_bytes(b)
            for a, b in zip(second, call.found))
        return [] if same else [
            f"a second call with the same operands had other bits ({call})"]

    def check(self) -> Report:
        """run(), and an AssertionError unless the kernel is right."""
        made = self.run()
        if not made:
            raise AssertionError(str(made))
        return made


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


def _widths(e: library.Evaluation, exact: Sequence[np.ndarray]) -> List[float]:
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


# ---- Causes --------------------------------------------------------------------------

def find_causes(gate: Gate, calls: Sequence[Call]) -> List[Cause]:
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


def _spread(gate: Gate, deviation: Deviation, calls: Sequence[Call]) -> float:
    """How wide the sets of the deviating program are where the kernel is wrong:
    the mean of half-widths, in ulps."""
    widths: List[float] = []
    for call in calls:
        if call.wrong and gate.definition.applies(deviation, call.dtype,
                                                  call.sizes):
            with contextlib.suppress(library.EvaluationError,
                                     library.InvalidProgram), \
                    gate.evaluate(call, [deviation]) as e:
                e.check_valid()
                widths += _widths(e, call.exact)
    return sum(widths) / max(len(widths), 1)


def off_grid(arrays: Sequence[np.ndarray], grid: str,
             places: Optional[Set[Place]] = None) -> bool:
    """Is some float element, of those places, no number of the type grid?"""
    for output, array in enumerate(arrays):
        if grid and array.dtype.kind == "f":
            out = np.argwhere(~fits(array, grid))
            if places is None and len(out) or places is not None and any(
                    (output, tuple(map(int, i))) in places for i in out):
                return True
    return False


def explains(gate: Gate, deviation: Deviation, calls: Sequence[Call]) -> int:
    """How many wrong units the deviation explains: the program that deviates so
    accepts them.  0 if it rejects any result, right or wrong, or if it also
    accepts the exact value everywhere that the kernel is wrong."""
    told, explained = False, 0
    judged = [c for c in calls if c.verdict is not None and c.units]
    for call in sorted(judged, key=lambda c: (not c.wrong, c.units)):
        if not gate.definition.applies(deviation, call.dtype, call.sizes):
            if call.wrong:
                return 0
            continue
        try:
            if not gate.judge(call, call.found, deviation)[0] \
                    or off_grid(call.found, deviation.grid):
                return 0
            if call.wrong:
                places = {(w.output, w.index) for w in call.verdict.wrong}
                told = told or off_grid(call.exact, deviation.grid, places) \
                    or any((w.output, w.index) in places for w in
                           gate.judge(call, call.exact, deviation,
                                      as_written=True)[0].wrong)
                explained += len(places)
        except (library.EvaluationError, library.InvalidProgram):
            continue  # not verified there
    return explained if told else 0
