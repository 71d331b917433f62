"""The exact reference, and its judge, in Python.

SPDX-License-Identifier: Apache-2.0

    import assay, numpy as np
    x = np.float32([0.5, 2, -0.0])
    assay.exact("Sqrt", x)                          # rounded once
    assay.judge("Sqrt", [x], np.sqrt(x))            # right? if not: which, why
    assay.assert_conforms(np.sqrt, "Sqrt", x)       # in a test

Operations and attributes have the names of spec/ops; ``assay doc Gather`` prints
one.  Attributes are given as the case format has them (spec/case-format.md),
except that a NumPy type stands for an element type and an array for a literal.

The library libassay.so is that of $ASSAY_LIBRARY, of the source tree's build/,
of the installed command assay, or of where the system looks, in this order.  It is called without the interpreter's lock,
and evaluates in several threads at once.
"""
import dataclasses

import numpy as np

from assay import library, types
from assay.library import EvaluationError, InvalidProgram

# ---- A case ---------------------------------------------------------------------

def _literal(value):
    if isinstance(value, (tuple, list)):
        return {"tuple": [_literal(v) for v in value]}
    if value is None:
        return {"shape": "token[]"}
    array = np.asarray(value)
    name = types.dtype_name(array.dtype)
    dims = ",".join(map(str, array.shape))
    return {"shape": f"{name}[{dims}]", "hex": types.to_bytes(array).hex()}


def _attribute(value):
    if isinstance(value, np.dtype) or isinstance(value, type):
        return types.dtype_name(value)
    if isinstance(value, np.ndarray):
        return _literal(value)
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {k: _attribute(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_attribute(v) for v in value]
    return value


class _Evaluation(library.Evaluation):
    """One operation, evaluated, with its results as arrays."""

    def __init__(self, op, operands, attributes, profile):
        super().__init__(op, {
            "inputs": [_literal(o) for o in operands],
            "attributes": {k: _attribute(v) for k, v in attributes.items()}},
            profile)

    def outputs(self):
        """Arrays of the result, depth first; None for a token."""
        return [t and types.from_bytes(t.data, types.Shape(
            t.dtype, t.dims, (False,) * len(t.dims)))
            for t in super().outputs()]

    def judge(self, arrays):
        """None if these outputs are right, else the first thing wrong."""
        return super().judge([
            None if a is None else library.Tensor(
                types.dtype_name(a.dtype), np.shape(a), types.to_bytes(a))
            for a in arrays])


# ---- What is offered -------------------------------------------------------------

def exact(op, *operands, profile=None, **attributes):
    """The exact result of an operation, rounded once.

    Operands are arrays (anything that NumPy takes, with the element type that
    it then has), tuples of them, or None for a token.  Returns an array, or a
    tuple of arrays where the operation has several results.  Raises
    InvalidProgram if the operation must be rejected, EvaluationError if it
    cannot be evaluated.
    """
    with _Evaluation(op, operands, attributes, profile) as e:
        outputs = e.outputs()
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


@dataclasses.dataclass(frozen=True)
class Wrong:
    """One wrong element: of which output, where, what it is, the exact value
    (rounded once), and all that is accepted."""
    output: int
    index: tuple
    found: object
    expected: str
    accepts: str

    def __str__(self):
        where = f"output {self.output}" + (
            f"[{', '.join(map(str, self.index))}]" if self.index else "")
        return (f"{where}: {self.found}, expected {self.expected} "
                f"(accepted: {self.accepts})")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """True if the results are right.  Else ``why`` says what is wrong first,
    and ``wrong`` lists elements, at most as many as were asked for."""
    right: bool
    why: str
    wrong: tuple

    def __bool__(self):
        return self.right

    def __str__(self):
        return "right" if self.right else "\n".join(
            [self.why, *(f"  {w}" for w in self.wrong)])


def judge(op, operands, results, profile="spec", most=10, **attributes):
    """Judge the results of an operation on these operands: a Verdict.

    results is an array, or a sequence of arrays where there are several.
    Where elements are judged one by one, up to ``most`` wrong ones are listed.
    """
    if not isinstance(results, (tuple, list)):
        results = [results]
    results = [None if r is None else np.asarray(r) for r in results]
    with _Evaluation(op, operands, attributes, profile) as e:
        due = e.outputs()
        why = e.judge(results)
        if why is None:
            return Verdict(True, "", ())
        return Verdict(False, why, tuple(_find_wrong(e, due, results, most)))


def _find_wrong(e, due, results, most):
    """Elements that are wrong with everything else as it should be."""
    same = len(due) == len(results) and all(
        d is not None and d.dtype == r.dtype and d.shape == r.shape
        for d, r in zip(due, results))
    if not same or e.judge(due) is not None:
        return
    for number, (d, r) in enumerate(zip(due, results)):
        size = d.dtype.itemsize
        bits = [np.frombuffer(types.to_bytes(x), f"V{size}") for x in (d, r)]
        for element in np.flatnonzero(bits[0] != bits[1]):
            trial = d.copy()
            trial.flat[element] = r.flat[element]
            if e.judge([*due[:number], trial, *due[number + 1:]]) is None:
                continue
            if most == 0:
                return
            most -= 1
            yield Wrong(number, tuple(int(i) for i in
                                      np.unravel_index(element, d.shape)),
                        r.flat[element], e.text("value", number, element),
                        e.text("accepts", number, element))


def assert_conforms(function, op, *operands, profile="spec", **attributes):
    """Call function with the operands, and assert that what it returns is
    right.  The AssertionError lists the operation, what is wrong first, and up
    to ten wrong elements with what is accepted; where the operation must be
    rejected, it says so if the function returns."""
    try:
        exact(op, *operands, profile=profile, **attributes)
    except InvalidProgram as e:
        if e.error == "unsupported":
            raise
        try:
            function(*operands)
        except Exception:  # any way to refuse is one
            return
        raise AssertionError(
            f"{op}: must be rejected ({e}), but returned a value") from None
    verdict = judge(op, operands, function(*operands), profile=profile,
                    **attributes)
    if not verdict:
        raise AssertionError(f"{op}, profile {profile}: {verdict}")
