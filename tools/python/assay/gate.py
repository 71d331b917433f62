"""A gate for kernels: is this function right, and if not, why?

SPDX-License-Identifier: Apache-2.0

    import assay
    assay.kernel(my_softmax, "softmax", dtypes="f32 bf16").check()

The kernel is called with operands of every kind that the definition names
(kernel_data.py), in several sizes, and each result is judged by the exact one
and its acceptance set.  kernel_cause.py says why a result is wrong, and
kernel_report.py what is told of it all.
"""
import collections.abc
import contextlib
import dataclasses
import itertools
import pathlib
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple)

import numpy as np

from assay import kernel_data, kernel_memory, kernel_rows, library, \
    reference, types
from assay.kernel_cause import find_causes
from assay.kernel_program import Deviation, Named, Unknown, find, nearest
from assay.kernel_report import (Call, Died, Report, Unsupported, misshapen,
                                 widths)

#: The profile of the gate, and the one where products and sums may be fused.
KERNEL, FUSED = (str(pathlib.Path(__file__).parent / f"profiles/{name}.json")
                 for name in ("kernel", "kernel-fused"))
KEPT = 4  # results of earlier calls that must not change
FUSED_TEXT = "products and sums are fused (arithmetic.contraction)"


# ---- The gate ----------------------------------------------------------------

class Gate:
    """A kernel and its definition.  run() gives a Report, check() asserts."""

    def __init__(self, kernel: Callable[..., Any], program: Any,
                 dtypes: Any = None, shapes: Any = "auto", data: Any = None,
                 arrays: str = "numpy", device: Optional[str] = None,
                 profile: Optional[str] = None, seed: int = 0) -> None:
        jax_arguments = shapes if not isinstance(shapes, str) else ()
        self.definition = find(program, jax_arguments)
        if kernel is not None and not callable(kernel) \
                and not hasattr(kernel, "into"):
            raise Unknown(f"kernel: expected a function, got {kernel!r}")
        self.kernel, self.seed = kernel, seed
        self.profile, self.fused = profile or "kernel", profile is None
        self._file = profile or KERNEL
        if profile:
            check_profile(profile)
        self.dtypes = self._types(dtypes)
        self.shapes = self._shapes(shapes)
        self.data = self._data(data)
        if arrays not in kernel_memory.ARRAYS:
            raise Unknown(f"unknown arrays {arrays!r}"
                          f"{nearest(arrays, list(kernel_memory.ARRAYS))}; "
                          f"known: {', '.join(kernel_memory.ARRAYS)}")
        self._arrays, self._device = arrays, device
        self._has_strides = arrays != "jax" and not hasattr(kernel, "into")
        self._handed: List[Tuple[Any, bytes]] = []  # the last results
        self._is_auto = isinstance(shapes, str)

    def _types(self, dtypes: Any) -> List[str]:
        known = list(self.definition.dtypes)
        if dtypes is None:
            return ["f32"] if "f32" in known else known[:1]
        if isinstance(dtypes, str):
            dtypes = dtypes.replace(",", " ").split()
        elif not isinstance(dtypes, collections.abc.Iterable):
            dtypes = [dtypes]
        made = [d if isinstance(d, str) else types.dtype_name(d)
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

    def run_kernel(self, operands: Sequence[np.ndarray], call: Call,
                   expected: Sequence[np.ndarray]
                   ) -> Optional[List[np.ndarray]]:
        """The results, or None: then call.error says what happened."""
        given = call.layout[1](operands) if call.layout \
            else [x.copy() for x in operands]
        try:
            kernel_memory.soil(expected)
            with np.errstate(all="ignore"):
                if hasattr(self.kernel, "into"):
                    return self.kernel.into(given, expected)
                results = self.kernel(*kernel_memory.convert(
                    given, self._arrays, self._device))
        except Died as e:
            call.error = str(e)
            return None
        except Unsupported as e:
            call.unjudged = f"unsupported: {e}"
            return None
        except Exception as e:  # whatever a kernel raises is its answer
            text = str(e).strip().splitlines()
            text = f"raised {type(e).__name__}" \
                + (f": {text[0]}" if text else "")
            if call.layout:  # a kernel may ask for arrays of its own
                call.unjudged = text
            else:
                call.error = text
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
            if any(types.to_bytes(np.array(types.as_array(r))) != b
                   for r, b in self._handed):
                call.error = "the result of an earlier call was overwritten"
                return None
            self._handed = self._handed[-KEPT:] + [
                (r, types.to_bytes(x)) for r, x in zip(results, made)]
            return made
        except (TypeError, ValueError) as e:
            call.error = f"what was returned is no array: {e}"
            return None

    def call(self, dtype: str, sizes: Any, data: str,
             sampled: Optional[List[float]] = None,
             layout: Optional[kernel_memory.Layout] = None) -> Call:
        """Call the kernel once, and judge what it returns."""
        operands = self.operands(dtype, sizes, data)
        if layout is kernel_memory.SHARED:
            operands = kernel_memory.share(operands)
        made = Call(dtype, sizes, data, self.definition.sizes_text(sizes),
                    operands, layout=layout)
        try:
            with self.evaluate(made) as e:
                made.exact = [reference.array(t) for t in e.outputs()]
                made.found = self.run_kernel(made.operands, made, made.exact)
                if made.found is None:
                    return made
                made.units = sum(x.size for x in made.exact)
                made.error = misshapen(made.exact, made.found)
                if made.error:
                    return made
                made.verdict, made.excused = self.judge(made, made.found, e=e)
                if sampled is not None:
                    sampled += widths(e, made.exact)
        except (library.EvaluationError, library.InvalidProgram) as e:
            try:
                if not self._judge_empty(made):
                    made.unjudged = str(e)
            except (library.EvaluationError, library.InvalidProgram):
                made.unjudged = str(e)
        return made

    def evaluate(self, call: Call, deviations: Sequence[Deviation] = ()
                 ) -> library.Evaluation:
        """The program as written, or one that deviates, on the operands."""
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
        fused = self.fused and self.definition.fuses \
            and not (deviation and deviation.narrows)
        for why, form, profile in itertools.islice(
                self._ways(fused), 1 if as_written else None):
            rows = [r for r in (form, deviation) if r]
            try:
                with contextlib.ExitStack() as stack:
                    made = e if e and verdict is None else stack.enter_context(
                        self.definition.evaluate(call.dtype, call.sizes,
                                                 call.operands, profile, rows))
                    new = reference.verdict(made, results)
            except (library.EvaluationError, library.InvalidProgram):
                if verdict is None:
                    raise
                continue  # what cannot be evaluated excuses nothing
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

    def _ways(self, fused: bool) -> Iterator[Tuple[str, Optional[Deviation], str]]:
        """The program as written, its other forms, and, if fused, both so."""
        forms = [(f.text, f) for f in self.definition.forms]
        yield "", None, self._file
        yield from ((text, form, self._file) for text, form in forms)
        if fused:
            yield FUSED_TEXT, None, FUSED
            yield from ((f"{text}, and {FUSED_TEXT}", form, FUSED)
                        for text, form in forms)

    def _judge_empty(self, call: Call) -> bool:
        """Of results without elements only the shape is judged."""
        with self.definition.evaluate(call.dtype, call.sizes, call.operands,
                                      self._file, values_only=True) as e:
            call.exact = [reference.array(t) for t in e.outputs()]
        if any(x.size for x in call.exact):
            return False
        call.found = self.run_kernel(call.operands, call, call.exact)
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
        calls, missing, sampled = [], [], []
        for dtype in self.dtypes:
            if dtype not in types.DTYPES:
                missing.append((dtype, "NumPy has it only with the package "
                                       "ml_dtypes, which is not installed"))
                continue
            own: List[Call] = []
            for sizes in self.shapes:
                for data in self.useful(dtype, sizes):
                    wrong = any(c.wrong for c in own)
                    if wrong and (first or self._is_long(sizes)):
                        break
                    own.append(self.call(dtype, sizes, data, sampled))
            for more in (self._many, self._arranged):
                if not any(c.wrong for c in own):
                    own += more(dtype)
            calls += own
            if first and any(c.wrong for c in own):
                break
        remarks = sorted({c.verdict.why for c in calls
                          if c.verdict and c.verdict.status == "warn"})
        for why in sorted({why for c in calls for why in c.excused}):
            count = sum(why in c.excused for c in calls)
            remarks.append(f"right in {count} calls only because {why}")
        causes = []
        if not first:
            remarks += self._again(calls)
            causes = find_causes(self, calls)
        return Report(self.definition.name, self.profile, self.dtypes, calls,
                      causes, remarks, missing, sampled)

    def _elements(self, dtype: str, sizes: Any) -> List[int]:
        """How many elements each operand has."""
        return [int(np.prod(s.dims))
                for s in self.definition.operands(dtype, sizes)]

    def _is_long(self, sizes: Any) -> bool:
        """Is it one of the sizes that are only tried last?"""
        return any(sizes is s for s in self.definition.long)

    def useful(self, dtype: str, sizes: Any) -> List[str]:
        """Of sizes without an element one kind of data is enough; of long ones
        another, too, in which the last element of a row counts most."""
        names = list(self.data)
        if 0 in self._elements(dtype, sizes):
            return names[:1]
        if self._is_long(sizes):
            return names[:1] + [n for n in names[1:] if n == kernel_data.LAST]
        return names

    def _many(self, dtype: str) -> List[Call]:
        """Calls with very many rows, where rows depend on none but their own."""
        return kernel_rows.calls(self, dtype) if self._is_auto \
            and self.definition.many and self.data else []

    def _arranged(self, dtype: str) -> List[Call]:
        """The largest operands again, in each layout, and equal ones as one
        array, where there are such arrays."""
        sizes = sorted((s for s in self.shapes if not self._is_long(s)),
                       key=lambda s: -sum(self._elements(dtype, s)))
        if not self._has_strides or not sizes or not self.data:
            return []
        data = next(iter(self.data))
        made = [(sizes[0], layout) for layout in kernel_memory.layouts(
            len(self.definition.operands(dtype, sizes[0])))]
        for s in sizes:
            shapes = list(map(str, self.definition.operands(dtype, s)))
            if len(set(shapes)) < len(shapes):
                made.append((s, kernel_memory.SHARED))
                break
        return [self.call(dtype, s, data, layout=layout) for s, layout in made]

    def _again(self, calls: List[Call]) -> List[str]:
        """Is a result the same the second time?  If it is wrong then, that is
        one more call; other bits are a remark."""
        made = [c for c in calls if c.found is not None and c.verdict]
        if not made:
            return []
        call = max(made, key=lambda c: c.units)
        second = dataclasses.replace(call, again=True)
        second.found = self.run_kernel(call.operands, second, call.exact)
        if second.found is not None:
            if list(map(types.to_bytes, second.found)) \
                    == list(map(types.to_bytes, call.found)):
                return []
            second.error = misshapen(call.exact, second.found)
            if not second.error and second.units:
                second.verdict, second.excused = self.judge(second,
                                                            second.found)
        if second.wrong:
            calls.append(second)
            return []
        return ["a second call with the same operands "
                + (f"gave no result: {second.unjudged}"
                   if second.found is None else "had other bits")
                + f" ({call})"]

    def check(self) -> Report:
        """run(), and an AssertionError unless the kernel is right."""
        made = self.run()
        if not made:
            raise AssertionError(str(made))
        return made


def check_profile(profile: str) -> None:
    """Unknown if there is no such profile."""
    try:
        library.Evaluation("Neg", {"inputs": [{"shape": "s32[]", "data": 0}]},
                           profile).__exit__()
    except library.EvaluationError as e:
        raise Unknown(str(e)) from None
