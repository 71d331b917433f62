"""A function of JAX, judged as a whole and operation by operation.

SPDX-License-Identifier: Apache-2.0

    import assay, jax.numpy as jnp
    print(assay.check_jax(lambda x: jnp.cbrt(x) + 1, x))

The function is lowered to StableHLO and run as jax.jit runs it; that result is
compared with the exact one.  Then each operation, also of what is called and of
each iteration of a loop, is run as a program of its own, on the exact values of
its operands (steps.py).  Last the program is compiled once more, with the value
of each operation of its entry as a result, and each is judged on the operands
that it was given there: what is wrong only so depends on its neighbours, and is
a remark unless the whole is wrong.  Where it is, each iteration of a loop, each
branch that is taken and each function that is called is a program, too.
"""
import contextlib
import dataclasses
import re
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import jax
import numpy as np
from jax.extend.backend import get_backend
from jaxlib import xla_client

from assay import importer, library, mlir, reference, sources, steps
from assay.mlir import Refused, ir

_REFUSALS = (Refused, library.EvaluationError, library.InvalidProgram,
             jax.errors.JaxRuntimeError, ir.MLIRError)
_PROFILES = {"cpu": "xla-cpu-default", "gpu": "xla-gpu-default"}
_EMPTY = "the result has no elements"
_CALLBACK = re.compile(r'call_target_name = "[^"]*python[^"]*callback"')


@dataclasses.dataclass(frozen=True)
class Step:
    """An operation whose result is wrong.

    op       its name in StableHLO, or the function that it calls
    place    where the user wrote it, "model.py:12"
    verdict  assay.Verdict
    alone    the verdict on the operation as a program of its own, on the same
             operands; None if it could not be run or judged
    inside   what it stands in: a loop's iteration, a branch, a function
    """
    op: str
    place: str
    verdict: reference.Verdict
    alone: Optional[reference.Verdict] = None
    inside: str = ""

    def __str__(self) -> str:
        inside = f", {self.inside}" if self.inside else ""
        text = f"{self.op} ({self.place}{inside}): {self.verdict}"
        if self.alone is None or self.alone is self.verdict:
            return text
        return text + "\nalone, on the same operands, it is " + (
            "right: it is wrong only beside other operations"
            if self.alone else "wrong, too")


@dataclasses.dataclass(frozen=True)
class Check:
    """True if an element was judged, and nothing is wrong.

    whole    the verdict on the function's result; None if there is none:
    why      the reason
    wrong    the operations that are wrong alone, then, if the whole is wrong,
             those that are wrong only beside others
    remarks  these, if it is not
    judged   how many operations were judged
    others   (operation, reason) of those that could not be
    fused    the profile of XLA by which the whole is right, if it is wrong by
             the one given and no operation is wrong alone; "" otherwise
    """
    whole: Optional[reference.Verdict]
    why: str
    wrong: Tuple[Step, ...]
    remarks: Tuple[Step, ...]
    judged: int
    others: Tuple[Tuple[str, str], ...]
    fused: str = ""

    @property
    def first(self) -> Optional[Step]:
        """The first wrong operation, or None."""
        return self.wrong[0] if self.wrong else None

    def __bool__(self) -> bool:
        judged = self.whole is not None or self.judged > 0
        right = self.whole is None or bool(self.whole)
        return judged and right and not self.wrong

    def __str__(self) -> str:
        lines = [f"result: {self.whole}" if self.whole is not None
                 else f"result: not judged: {self.why}"]
        lines += [f"wrong operation: {step}" for step in self.wrong]
        if not self.wrong:
            lines.append(f"no wrong operation among {self.judged} judged"
                         if self.judged else "no operation was judged")
        if self.fused:
            lines.append("the result is right by the profile of XLA, which may "
                         f"fuse operations: profile={self.fused!r}")
        lines += [f"remark: {step}" for step in self.remarks]
        lines += [f"not judged: {op}: {why}" for op, why in self.others]
        return "\n".join(lines)


def check(function: Callable[..., Any], args: Sequence[Any],
          profile: Optional[str], options: Dict[str, Any]) -> Check:
    """assay.check_jax."""
    lowered = jax.jit(function, keep_unused=True, **options).lower(*args)
    args = _dynamic(args, options.get("static_argnums", ()))
    inputs = [_array(x) for x in jax.tree.leaves(args)]  # donated ones go
    results = [_array(x) for x in jax.tree.leaves(lowered.compile()(*args))]
    text = lowered.as_text(debug_info=True)
    with mlir.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        whole, why, fused = None, "", ""
        try:
            program = importer.Module(sources.of_module(module, "the function"))
            case = {
                **({"policies": program.policies} if program.policies else {}),
                "inputs": [reference.literal(x) for x in inputs],
                "module": {"computations": program.computations,
                           "entry": program.entry}}
            whole = _judge(program.operation(), case, results, profile)
            if whole and _is_empty(results):
                whole, why = None, _EMPTY
        except _REFUSALS as e:
            why = str(e)
        found = _Found(module, profile)
        found.look_alone(inputs)
        found.look_together(inputs)
        wrong = whole is not None and not whole
        if wrong:
            found.look_inside()
        if wrong and not found.alone:
            fused = _right_by(program.operation(), case, results)
        return Check(whole, why, tuple(
            found.alone + (found.together if wrong else [])),
            tuple([] if wrong else found.together), found.judged,
            tuple(dict.fromkeys(found.others)), fused)


def _right_by(op: str, case: Dict[str, Any], results: Sequence[np.ndarray]
              ) -> str:
    """The profile of XLA on this platform, if results are right by it; or ""."""
    profile = _PROFILES.get(jax.default_backend(), "")
    try:
        return profile if profile and _judge(op, case, results, profile) else ""
    except _REFUSALS:
        return ""


def _dynamic(args: Sequence[Any], static: Any) -> Sequence[Any]:
    """Arguments that the compiled function has, too."""
    numbers = {n % len(args) for n in
               ([static] if isinstance(static, int) else static or ())}
    return [x for i, x in enumerate(args) if i not in numbers]


def _array(x: Any) -> np.ndarray:
    """As JAX casts it: without x64, f64 becomes f32; a key is its words."""
    x = jax.numpy.asarray(x)
    if jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key):
        x = jax.random.key_data(x)
    return np.asarray(x)


def _judge(op: str, case: Dict[str, Any], results: Sequence[np.ndarray],
           profile: Optional[str], operands: Sequence[np.ndarray] = (),
           attributes: Optional[dict] = None) -> reference.Verdict:
    """operands, if the case is one operation of them, in order."""
    with library.Evaluation(op, case, profile) as e:
        return reference.verdict(e, results, 10, op if operands else "",
                                 operands, attributes or {})


class _Found:
    """The wrong operations of a module: alone, and only beside others."""

    def __init__(self, module: ir.Module, profile: Optional[str]) -> None:
        self.module, self.profile = module, profile
        self.alone: List[Step] = []
        self.together: List[Step] = []
        self.others: List[Tuple[str, str]] = []
        self.judged = 0
        self._known: Dict[ir.Operation, bool] = {}  # judged, and right alone?
        self._compiled: Dict[Any, Any] = {}  # operations, and blocks
        self._program = sources.of_module(module, "the function")
        self._importer = importer.Module(self._program, whole=False)
        self._walk = steps.Walk(self._importer, profile)
        self._beside = [op.operation for op in module.body.operations
                        if not _is_main(op.operation)]

    def look_alone(self, inputs: Sequence[np.ndarray]) -> None:
        walk = self._walk
        walk.run(_entry(self.module), inputs)
        self.others += [(op, f"{why} ({place})")
                        for op, place, why in walk.others]
        for step in walk.steps:
            verdict = self._judge_alone(step)
            if verdict is None:
                continue
            self.judged += 1
            self._known[step.op] = bool(verdict) \
                and self._known.get(step.op, True)
            if not verdict:
                self.alone.append(Step(
                    steps.title(step.op), step.place, verdict,
                    verdict, step.path))

    def _judge_alone(self, step: steps.Step, note: bool = True
                     ) -> Optional[reference.Verdict]:
        """None, and why among the others, if it cannot be run or judged."""
        try:
            if step.op not in self._compiled:
                self._compiled[step.op] = _compile(
                    steps.program(step.taken, [step.op], self._beside))
            results = _execute(self._compiled[step.op], step.operands)
            verdict = self._judge_step(step, results)
            if not verdict or not _is_empty(results):
                return verdict
            raise Refused(_EMPTY)
        except _REFUSALS as e:
            if note:
                self.others.append((steps.title(step.op),
                                    str(e).splitlines()[0]))
            return None

    def _judge_step(self, step: steps.Step, results: Sequence[np.ndarray]
                    ) -> reference.Verdict:
        body = [i for i in step.computation["body"] if i["op"] != "Constant"]
        plain = len(body) == 1 and body[0]["operands"] == [
            f"p{i}" for i in range(len(step.operands))]
        return _judge(step.main(), step.case(), results, self.profile,
                      step.operands if plain else (),
                      body[0]["attributes"] if plain else None)

    def look_together(self, inputs: Sequence[np.ndarray]) -> None:
        """On the operands that they have in the program."""
        block = _entry(self.module)
        self._look_into(steps.Part(block, "", list(block.arguments),
                                   list(inputs)))

    def look_inside(self) -> None:
        """On those that they have in what is run inside."""
        for part in self._walk.parts:
            self._look_into(part)

    def _look_into(self, part: steps.Part) -> None:
        operations = part.operations()
        values = dict(zip(part.taken, part.operands))
        made = [v for op in operations for v in op.results]
        try:
            if part.block not in self._compiled:
                self._compiled[part.block] = _compile(steps.program(
                    part.taken, operations, self._beside))
            values.update(zip(made, _execute(self._compiled[part.block],
                                             part.operands)))
        except _REFUSALS as e:
            self.others.append((f"{part.path or 'main'}, with all values as "
                                "results", str(e).splitlines()[0]))
            return
        for op in operations:
            if not steps.is_entered(op) and self._known.get(op, True):
                self._look_at(op, values, part)

    def _look_at(self, op: ir.Operation, values: dict, part: steps.Part
                 ) -> None:
        try:
            taken, computation = self._importer.step(op)
            step = steps.Step(op, part.path, taken, [values[v] for v in taken],
                              [], computation, self._importer.computations,
                              dict(self._importer.policies))
            results = [values[v] for v in op.results]
            verdict = self._judge_step(step, results)
        except _REFUSALS as e:
            if op not in self._known:
                self.others.append((steps.title(op), str(e).splitlines()[0]))
            return
        if op not in self._known and not (verdict and _is_empty(results)):
            self.judged += 1
        if verdict:
            return
        alone = self._judge_alone(step, note=False)
        to = self.together if alone else self.alone
        to.append(Step(steps.title(op), self._walk.place(op, part.caller),
                       verdict, alone, part.path))


# ---- Running -----------------------------------------------------------------

def _is_empty(results: Sequence[np.ndarray]) -> bool:
    return not any(x.size for x in results)


def _compile(text: str) -> Any:
    if _CALLBACK.search(text):
        raise Refused("it calls Python, which only the whole function can")
    client = get_backend()
    return client.compile_and_load(
        text, xla_client.DeviceList((client.local_devices()[0],)),
        xla_client.CompileOptions())


@contextlib.contextmanager
def _wide() -> Iterator[None]:
    """JAX keeps arrays of 64 bits as they are."""
    enable = getattr(jax, "enable_x64", None)
    if enable is None:
        from jax.experimental import enable_x64 as enable
    with enable(True):
        yield


def _execute(loaded: Any, inputs: Sequence[np.ndarray]) -> List[np.ndarray]:
    device = get_backend().local_devices()[0]
    with _wide():
        parts = loaded.execute_sharded(
            [jax.device_put(x, device) for x in inputs]) \
            .disassemble_into_single_device_arrays()
        return [np.asarray(p[0]) for p in parts]


def _is_main(op: ir.Operation) -> bool:
    return "sym_name" in op.attributes \
        and mlir.text(op.attributes["sym_name"]) == "main"


def _entry(module: ir.Module) -> ir.Block:
    """The body of main."""
    main = next(op for op in module.body.operations if _is_main(op.operation))
    return main.operation.regions[0].blocks[0]
