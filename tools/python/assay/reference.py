"""The exact reference, and its judge, in Python.

SPDX-License-Identifier: Apache-2.0

    import assay, numpy as np
    x = np.float32([0.5, 2, -0.0])
    assay.exact("Sqrt", x)                          # rounded once
    assay.judge("Sqrt", [x], np.sqrt(x))            # right? if not: which, why
    assay.assert_conforms(np.sqrt, "Sqrt", x)       # in a test

Operations and attributes have the names of spec/ops; ``assay doc Gather`` prints
one.  Attributes are given as the case format has them (spec/case-format.md),
except that a type of NumPy or PyTorch stands for an element type and an array
for a literal.
Arrays may be those of NumPy, PyTorch or JAX, or anything with DLPack.

The library libassay.so is that of $ASSAY_LIBRARY, of the wheel, of the source
tree's build/, of the installed command assay, or of where the system looks, in
this order.
Evaluations run in several threads at once, without the interpreter's lock.
"""
import collections.abc
import dataclasses
import functools
import difflib
from typing import (Any, Callable, Dict, Iterator, List, Optional, Sequence,
                    Tuple, Type, Union)

import numpy as np

from assay import library, types
from assay.library import EvaluationError, InvalidProgram

__all__ = ["EvaluationError", "InvalidProgram", "Verdict", "Wrong",
           "assert_conforms", "exact", "judge"]


# ---- A case ---------------------------------------------------------------------

def literal(value: Any) -> Dict[str, Any]:
    """An operand as the case format has it."""
    if isinstance(value, (tuple, list)):
        return {"tuple": [literal(v) for v in value]}
    if value is None:
        return {"shape": "token[]"}
    array = types.as_array(value)
    name = types.dtype_name(array.dtype)
    dims = ",".join(map(str, array.shape))
    return {"shape": f"{name}[{dims}]", "hex": types.to_bytes(array).hex()}


#: Arrays of these types, of at least so many bytes, are passed as they are, not
#: as text.
RAW_BYTES = 1 << 16
RAW_TYPES = ("f16", "f32", "f64", "s8", "s16", "s32", "s64", "u8", "u16", "u32",
             "u64")


def _raw(value: Any) -> Optional[library.Tensor]:
    """A large array of a type that has a zero; None: any other operand."""
    if value is None or isinstance(value, (tuple, list)):
        return None
    array = types.as_array(value)
    if array.nbytes < RAW_BYTES \
            or types.dtype_name(array.dtype) not in RAW_TYPES:
        return None
    return _tensor(array)


def _place(tensor: library.Tensor) -> Dict[str, Any]:
    """The input that an array takes the place of."""
    return {"shape": f"{tensor.dtype}[{','.join(map(str, tensor.dims))}]",
            "splat": 0}


def attribute(value: Any) -> Any:
    """An attribute's value as the case format has it."""
    if isinstance(value, np.dtype) or isinstance(value, type):
        return types.dtype_name(value)
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__dlpack__"):
        return literal(value)
    if isinstance(value, dict):
        return {k: attribute(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [attribute(v) for v in value]
    if str(value).startswith("torch."):
        return types.dtype_name(types.of_torch(value))
    return value


def _check_attributes(op: str, attributes: Dict[str, Any]) -> None:
    """A misspelt keyword is the call's mistake, said in the call's words."""
    known = types.OPERATIONS.get(op, {}).get("attributes")
    for name in attributes:
        if known is not None and name not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f" (nearest: {near[0]!r})" if near else ""
            raise EvaluationError(
                f"{op}: unknown attribute {name!r}{hint}; it has: "
                f"{', '.join(known) or 'none'}")


def _check_operands(op: str, operands: Any) -> None:
    if not isinstance(operands, collections.abc.Sequence) \
            or isinstance(operands, (str, bytes)):
        raise TypeError(
            f"{op}: operands must be a list or tuple of arrays, got "
            f"{type(operands).__name__}; one operand x is [x]")


def evaluate(op: str, operands: Sequence[Any], attributes: Dict[str, Any],
             profile: Optional[str], values_only: bool = False
             ) -> library.Evaluation:
    """An operation on arrays, evaluated."""
    _check_attributes(op, attributes)
    raw = [_raw(o) for o in operands]
    return library.Evaluation(op, {
        "inputs": [literal(o) if r is None else _place(r)
                   for o, r in zip(operands, raw)],
        "attributes": {k: attribute(v) for k, v in attributes.items()}},
        profile, values_only, raw)


def _flat(op: str, operands: Sequence[Any], attributes: Dict[str, Any]
          ) -> Optional[Tuple[List[np.ndarray], Tuple[int, ...]]]:
    """The operands as arrays of rank 1 and the shape that the result then has,
    if an element of it depends on those at its place alone."""
    if not types.OPERATIONS.get(op, {}).get("elementwise") or attributes \
            or not operands or any(o is None or isinstance(o, (tuple, list))
                                   for o in operands):
        return None
    arrays = [types.as_array(o) for o in operands]
    if any(a.shape != arrays[0].shape or a.dtype != arrays[0].dtype
           for a in arrays):
        return None
    return [a.reshape(-1) for a in arrays], arrays[0].shape


def array(tensor: Optional[library.Tensor]) -> Optional[np.ndarray]:
    return tensor and types.from_bytes(tensor.data, types.Shape(
        tensor.dtype, tensor.dims, (False,) * len(tensor.dims)))


def _tensor(array: Optional[np.ndarray]) -> Optional[library.Tensor]:
    return None if array is None else library.Tensor(
        types.dtype_name(array.dtype), np.shape(array), types.to_bytes(array))


# ---- What is offered -------------------------------------------------------------

def exact(op: str, *operands: Any, profile: Optional[str] = None,
          **attributes: Any) -> Any:
    """The exact result of an operation, rounded once.

    Operands are arrays (anything that NumPy takes, with the element type that
    it then has), tuples of them, or None for a token.  Returns an array, or a
    tuple of arrays where the operation has several results.  Raises
    InvalidProgram if the operation must be rejected, EvaluationError if it
    cannot be evaluated.
    """
    flat = _flat(op, operands, attributes)
    with evaluate(op, flat[0] if flat else operands, attributes, profile,
                   values_only=True) as e:
        outputs: List[Any] = [array(t) for t in e.outputs()]
    if flat and len(outputs) == 1 and outputs[0] is not None:
        return outputs[0].reshape(flat[1])
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


BEYOND = 1e12  # an error is not measured further


def _size(error: float) -> str:
    return "at least 10^12" if error >= BEYOND else f"{error:.6g}"


@dataclasses.dataclass(frozen=True)
class Wrong:
    """One wrong element.

    output, index   which output, and where in it
    operands        what an elementwise operation was given there; else ()
    found           what the result has
    expected        the exact value, rounded once
    accepts         all that is accepted: "1.5", "[0.9999999, 1.0000001] | nan"
    budget          in words: "correctly rounded (arithmetic)"
    ulps            distance from the exact value; None if it is not measured
                    (integers, NaN, infinities, sums); BEYOND is that or more
    bounds          of a sum: the error in units of what its bound allows;
                    BEYOND is that or more
    """
    output: int
    index: Tuple[int, ...]
    operands: Tuple[Any, ...]
    found: Any
    expected: str
    accepts: str
    budget: str
    ulps: Optional[float]
    bounds: Optional[float]

    def __str__(self) -> str:
        where = f"output {self.output}" + (
            f"[{', '.join(map(str, self.index))}]" if self.index else "")
        off = f", off by {_size(self.ulps)} ulps" if self.ulps else \
            f", {_size(self.bounds)} times its bound" if self.bounds else ""
        of = f" of ({', '.join(map(str, self.operands))})" \
            if self.operands else ""
        return (f"{where}{of}: {self.found!s}, expected {self.expected}{off} "
                f"(accepted: {self.accepts})")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """True if the results are right.

    status          "pass"; "warn": right, with a remark; "fail"
    why             the remark, or what is wrong first
    wrong           wrong elements, at most as many as were asked for
    wrong_elements  how many there are
    rule            the rule that the first of them breaks: its id in spec/ops,
    rule_text       its sentence,
    rule_source     and its source ("" where the rule is a formula of Assay's)
    repeat          an expression that computes the first wrong element alone
    would_accept    mistakes in a sum that would be right on these operands, as
                    its bound is wide: "bf16 operands", "a missing term", ...;
                    they are evaluated when they are first asked for
    """
    status: str
    why: str
    wrong: Tuple[Wrong, ...] = ()
    wrong_elements: int = 0
    rule: str = ""
    rule_text: str = ""
    rule_source: str = ""
    repeat: str = ""
    _power: Any = dataclasses.field(default=None, repr=False, compare=False)

    @functools.cached_property
    def would_accept(self) -> Tuple[str, ...]:
        """What the verdict does not see (spec/verdicts.md, "Power")."""
        return (self._power() or ()) if self._power else ()

    @property
    def right(self) -> bool:
        """Is the status not "fail"?"""
        return self.status != "fail"

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        first = self.why
        if self.right:
            first = f"right: {self.why}" if self.why else "right"
        return "\n".join([first, *(f"  {line}" for line in self._lines())])

    def _lines(self) -> Iterator[str]:
        yield from map(str, self.wrong)
        if self.wrong_elements > len(self.wrong):
            yield f"... and {self.wrong_elements - len(self.wrong)} more"
        if self.wrong:
            yield f"judged by: {self.wrong[0].budget}"
        if self.rule:
            source = f" ({self.rule_source})" if self.rule_source else ""
            yield f"breaks {self.rule}: {self.rule_text}{source}"
        if self.repeat:
            yield f"exact value: {self.repeat}"
        if self.would_accept:
            yield f"would also accept: {', '.join(self.would_accept)}"


def _scalar(value: Any) -> str:
    """An expression for a NumPy scalar: np.float32(0.5)."""
    name = value.dtype.name
    text = str(value)
    if value.dtype.kind not in "biuc" and not np.isfinite(value):
        text = repr(text)
    module = "np" if hasattr(np, name) or name == "bool" else "ml_dtypes"
    return f"{module}.{'bool_' if name == 'bool' else name}({text})"


def _repeat(op: str, wrong: Sequence[Wrong], attributes: dict) -> str:
    if not wrong or not wrong[0].operands:
        return ""
    arguments = [repr(op), *map(_scalar, wrong[0].operands),
                 *(f"{k}={v!r}" for k, v in attributes.items()
                   if k not in ("broadcast_dimensions", "broadcasting"))]
    return f"assay.exact({', '.join(arguments)})"


def _operands_at(op: str, operands: Sequence[Any], attributes: dict,
                 index: Tuple[int, ...]) -> Tuple[Any, ...]:
    """The elements of an elementwise operation's operands that an element of
    the result is made of; () of any other operation."""
    if not types.OPERATIONS.get(op, {}).get("elementwise"):
        return ()
    found = []
    for operand in map(types.as_array, operands):
        dims = range(len(index) - operand.ndim, len(index))
        if 0 < operand.ndim < len(index):
            dims = attributes.get("broadcast_dimensions") or dims
        at = tuple(0 if size == 1 else index[d]
                   for size, d in zip(operand.shape, dims))
        found.append(operand[at])
    return tuple(found)


def judge(op: str, operands: Sequence[Any], results: Any,
          profile: Optional[str] = "spec", most: Optional[int] = None,
          **attributes: Any) -> Verdict:
    """Judge the results of an operation on these operands: a Verdict.

    results is an array, or a sequence of arrays where there are several.
    The verdict lists every wrong element, or at most ``most``.  A result that
    is judged as a whole (random numbers, an order) has one at most: where the
    check ended.
    """
    _check_operands(op, operands)
    if not isinstance(results, (tuple, list)):
        results = [results]
    results = [None if r is None else types.as_array(r) for r in results]
    def power() -> Optional[Tuple[str, ...]]:
        with evaluate(op, operands, attributes, profile) as again:
            return again.power()

    with evaluate(op, operands, attributes, profile) as e:
        made = verdict(e, results, most, op, operands, attributes)
    return dataclasses.replace(made, _power=power)


def verdict(e: library.Evaluation, results: Sequence[Any],
            most: Optional[int] = None, op: str = "",
            operands: Sequence[Any] = (),
            attributes: Optional[dict] = None) -> Verdict:
    """The verdict of an evaluation on arrays; with the operation that it is,
    wrong elements have their operands."""
    made = e.judgement([_tensor(r) for r in results], most)
    wrong = []
    for w in made.wrong:
        index = tuple(int(i) for i in
                      np.unravel_index(w.element, results[w.output].shape))
        wrong.append(Wrong(
            w.output, index,
            _operands_at(op, operands, attributes or {}, index),
            results[w.output][index], w.expected, w.accepts, w.budget, w.ulps,
            w.bounds))
    return Verdict(made.status, made.why, tuple(wrong), made.wrong_elements,
                   made.rule, made.rule_text, made.rule_source,
                   _repeat(op, wrong, attributes or {}))


#: Exceptions that say nothing about the operands: a mistake in the function, or
#: the machine's state.  None of them is a rejection.
NO_REJECTION = (NameError, AttributeError, ImportError, SyntaxError,
                MemoryError, RecursionError, OSError, AssertionError,
                NotImplementedError)


def _check_classes(rejects: Any) -> None:
    classes = rejects if isinstance(rejects, tuple) else (rejects,)
    if not isinstance(rejects, bool) and not (classes and all(
            isinstance(c, type) and issubclass(c, BaseException)
            for c in classes)):
        raise TypeError("rejects must be a bool, a class of exceptions or a "
                        f"tuple of such classes, got {rejects!r}")


def _assert_rejected(function: Callable[..., Any], op: str,
                     operands: Sequence[Any], why: InvalidProgram,
                     rejects: Any) -> None:
    kinds = Exception if rejects is True else rejects
    try:
        function(*operands)
    except kinds as e:
        if rejects is True and isinstance(e, NO_REJECTION):
            raise
        return
    raise AssertionError(f"{op}: must be rejected ({why}), but returned a value")


def assert_conforms(function: Callable[..., Any], op: str, *operands: Any,
                    profile: Optional[str] = "spec",
                    rejects: Union[bool, Type[BaseException],
                                   Tuple[Type[BaseException], ...]] = False,
                    **attributes: Any) -> None:
    """Call function with the operands, and assert that what it returns is
    right.  The AssertionError lists the operation, what is wrong, up to ten
    wrong elements with what is accepted, the rule, and an expression that
    computes the first of them.

    With ``rejects``, assert instead that the operation must be rejected and
    that the function raises: an exception of the given class or classes, or,
    with True, any but those of NO_REJECTION, which pass on.  Without it, an
    operation that must be rejected is the caller's mistake: InvalidProgram.
    """
    _check_classes(rejects)
    try:
        with evaluate(op, operands, attributes, profile) as e:
            e.check_valid()
    except InvalidProgram as e:
        if e.error == "unsupported":
            raise
        if not rejects:
            raise InvalidProgram(e.error, str(e).partition(": ")[2]
                                 + " (rejects=True asserts that the function"
                                   " raises)") from None
        return _assert_rejected(function, op, operands, e, rejects)
    if rejects:
        raise AssertionError(f"{op}: is valid, and need not be rejected")
    verdict = judge(op, operands, function(*operands), profile=profile,
                    most=10, **attributes)
    if not verdict:
        raise AssertionError(f"{op}, profile {profile}: {verdict}")
