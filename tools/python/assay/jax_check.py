"""A function of JAX, judged as a whole and operation by operation.

SPDX-License-Identifier: Apache-2.0

    import assay, jax.numpy as jnp
    print(assay.check_jax(lambda x: jnp.cbrt(x) + 1, x))

The function is lowered to StableHLO and run as jax.jit runs it; that result is
compared with the exact one.  Then the same program is compiled once more, with
the value of each operation of its entry as a result, and each operation is
judged on the operands that it was given there.  The more results a program has
the less is fused, so an operation may be right here and wrong in the whole.  The
first wrong one is run again as a program of its own, on the same operands: a
compiler may be right there, and wrong where it sees how they are computed.
"""
import dataclasses
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import jax
import numpy as np
from jax.extend.backend import get_backend
from jaxlib import xla_client
from jaxlib.mlir.dialects import func

from assay import importer, library, mlir, reference, sources
from assay.mlir import Refused, ir


@dataclasses.dataclass(frozen=True)
class Step:
    """An operation whose result is wrong.

    op       its name in StableHLO, or the function that it calls
    place    where JAX says it was written, "model.py:12"
    verdict  assay.Verdict
    alone    the verdict on the operation as a program of its own, on the same
             operands; None if it could not be run or judged
    """
    op: str
    place: str
    verdict: reference.Verdict
    alone: Optional[reference.Verdict] = None

    def __str__(self) -> str:
        text = f"{self.op} ({self.place}): {self.verdict}"
        if self.alone is None:
            return text
        return text + "\nalone, on the same operands, it is " + (
            "right: it is wrong only beside other operations"
            if self.alone else "wrong, too")


@dataclasses.dataclass(frozen=True)
class Check:
    """True if something was judged, and nothing of it is wrong.

    whole   the verdict on the function's result; None if there is none:
    why     the reason
    first   the first operation that leaves its acceptance set; or None
    judged  how many operations were judged
    others  (operation, reason) of those that could not be
    """
    whole: Optional[reference.Verdict]
    why: str
    first: Optional[Step]
    judged: int
    others: Tuple[Tuple[str, str], ...]

    def __bool__(self) -> bool:
        judged = self.whole is not None or self.judged > 0
        right = self.whole is None or bool(self.whole)
        return judged and right and self.first is None

    def __str__(self) -> str:
        lines = [f"result: {self.whole}" if self.whole is not None
                 else f"result: not judged: {self.why}"]
        lines.append(f"first wrong operation: {self.first}" if self.first
                     else f"no wrong operation among {self.judged} judged"
                     if self.judged else "no operation was judged")
        lines += [f"not judged: {op}: {why}" for op, why in self.others]
        return "\n".join(lines)


def check(function: Callable[..., Any], args: Sequence[Any],
          profile: Optional[str], options: Dict[str, Any]) -> Check:
    """assay.check_jax."""
    lowered = jax.jit(function, keep_unused=True, **options).lower(*args)
    results = [np.asarray(x) for x in
               jax.tree.leaves(lowered.compile()(*args))]
    # As JAX casts them: without x64, f64 becomes f32.
    inputs = [np.asarray(jax.numpy.asarray(x)) for x in jax.tree.leaves(args)]
    text = lowered.as_text(debug_info=True)
    with mlir.context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        whole, why, program = None, "", None
        try:
            program = importer.Module(sources.of_module(module, "the function"))
            whole = _judge(program, program.computations[program.entry],
                           inputs, results, profile)
        except (Refused, library.EvaluationError,
                library.InvalidProgram) as e:
            why = str(e)
        return Check(whole, why, *_find_first(module, inputs, profile))


def _judge(program: importer.Module, computation: dict,
           operands: Sequence[np.ndarray], results: Sequence[np.ndarray],
           profile: Optional[str]) -> reference.Verdict:
    """A computation of a module on these operands."""
    body = computation["body"]
    alone = body[0] if len(body) == 1 else {"op": "Tuple"}
    in_order = alone.get("operands") == [f"p{i}" for i in range(len(operands))]
    case = {"inputs": [reference.literal(x) for x in operands],
            "module": {"computations": {**program.computations,
                                        "judged": computation},
                       "entry": "judged"}}
    with library.Evaluation(alone["op"], case, profile) as e:
        return reference.verdict(
            e, results, 10, alone["op"] if in_order else "", operands,
            alone.get("attributes"))


def _find_first(module: ir.Module, inputs: Sequence[np.ndarray],
                profile: Optional[str]):
    """The first wrong operation, how many were judged, and the others."""
    steps = _steps(_entry(module))
    values = dict(zip(_entry(module).arguments, inputs))
    made = [v for op in steps for v in op.results]
    others: List[Tuple[str, str]] = []
    try:
        values.update(zip(made, _run_all(module, inputs)))
        program = importer.Module(sources.of_module(module, "the function"),
                                  whole=False)
    except (Refused, jax.errors.JaxRuntimeError) as e:
        return None, 0, (("main", str(e).splitlines()[0]),)
    judged = 0
    for index, op in enumerate(steps):
        if op.name == "stablehlo.constant":
            continue
        try:
            taken, computation = program.step(op)
            operands = [values[v] for v in taken]
            verdict = _judge(program, computation, operands,
                             [values[v] for v in op.results], profile)
        except (Refused, library.EvaluationError,
                library.InvalidProgram) as e:
            others.append((op.name, str(e)))
            continue
        judged += 1
        if not verdict:
            alone = _judge_alone(module, index, inputs, operands, profile)
            return (Step(_name(op), _place(op), verdict, alone), judged,
                    tuple(others))
    return None, judged, tuple(others)


def _judge_alone(module: ir.Module, index: int, inputs: Sequence[np.ndarray],
                 operands: Sequence[np.ndarray], profile: Optional[str]
                 ) -> Optional[reference.Verdict]:
    """The operation of that index as a program of its own: its operands are
    parameters, beside those of the entry."""
    copy = _copy(module)
    block = _entry(copy)
    op = _steps(block)[index]
    try:
        program = importer.Module(sources.of_module(copy, "the function"),
                                  whole=False)
        taken, computation = program.step(op)
        for value in taken:
            value.replace_all_uses_with(
                block.add_argument(value.type, ir.Location.unknown()))
        results = _run(copy, list(op.results), [*inputs, *operands])
        return _judge(program, computation, operands, results, profile)
    except (Refused, library.EvaluationError, library.InvalidProgram,
            jax.errors.JaxRuntimeError):
        return None


def _run_all(module: ir.Module, inputs: Sequence[np.ndarray]
             ) -> List[np.ndarray]:
    """The values of all operations of the entry."""
    copy = _copy(module)
    return _run(copy, [v for op in _steps(_entry(copy)) for v in op.results],
                inputs)


def _run(module: ir.Module, made: Sequence[ir.Value],
         inputs: Sequence[np.ndarray]) -> List[np.ndarray]:
    """These values of the entry.  It is changed: they become its results."""
    block = _entry(module)
    operation = block.owner
    for name in ("res_attrs", "arg_attrs"):
        if name in operation.attributes:
            del operation.attributes[name]
    operation.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get([a.type for a in block.arguments],
                            [v.type for v in made]))
    list(block.operations)[-1].operation.erase()
    with ir.InsertionPoint(block):
        func.ReturnOp(list(made))
    client = get_backend()
    device = client.local_devices()[0]
    loaded = client.compile_and_load(
        module.operation.get_asm(print_generic_op_form=True),
        xla_client.DeviceList((device,)), xla_client.CompileOptions())
    parts = loaded.execute_sharded(
        [jax.device_put(x, device) for x in inputs]) \
        .disassemble_into_single_device_arrays()
    return [np.asarray(p[0]) for p in parts]


def _copy(module: ir.Module) -> ir.Module:
    return ir.Module.parse(
        module.operation.get_asm(print_generic_op_form=True))


def _entry(module: ir.Module) -> ir.Block:
    """The body of main."""
    main = next(f for f in module.body.operations
                if ir.StringAttr(f.operation.attributes["sym_name"]).value
                == "main")
    return main.operation.regions[0].blocks[0]


def _steps(block: ir.Block) -> List[ir.Operation]:
    return [op.operation for op in block.operations
            if op.operation.name != "func.return"]


def _name(op: ir.Operation) -> str:
    return f"{op.name} {op.attributes['callee']}" \
        if "callee" in op.attributes else op.name


def _place(op: ir.Operation) -> str:
    """The innermost place of a file, of a nested location."""
    found = re.findall(r'"([^"]*)":(\d+)(?::\d+)?', str(op.location))
    return ":".join(found[0]) if found else "place unknown"
