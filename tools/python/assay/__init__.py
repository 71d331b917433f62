"""Assay in Python: the exact results of XLA's operations, and backends.

SPDX-License-Identifier: Apache-2.0

``assay.exact``            the exact result of an operation
``assay.judge``            is a result right, and if not, where and why
``assay.assert_conforms``  the same in a test
``assay.check_jax``        which operations of a function of JAX are wrong
``assay.kernel``           a gate for kernels: is it right, and if not, why
``assay.settle``           of several results, which is right
``assay.backend``          write a backend that Assay judges, in Python
``assay.compiler``         the same for a compiler of StableHLO
``assay.types``            element types and shapes as NumPy has them
``assay.strategies``       Hypothesis strategies for operands of each type
``assay.backends``         NumPy, PyTorch, JAX and IREE as backends
"""
from typing import Any, Callable, Optional

from assay.library import EvaluationError, InvalidProgram
from assay.reference import Verdict, Wrong, assert_conforms, exact, judge


def check_jax(function: Callable[..., Any], *args: Any,
              profile: Optional[str] = "spec", **options: Any
              ) -> "assay.jax_check.Check":
    """Judge a function of JAX: lower it, run it, compare it with the exact
    result, and find the operations that leave their acceptance sets.  See
    assay.jax_check.Check for what is returned; options are those of jax.jit."""
    from assay import jax_check  # JAX only when it is asked for
    return jax_check.check(function, args, profile, options)


def kernel(function: Callable[..., Any], program: Any, dtypes: Any = None,
           shapes: Any = "auto", **options: Any) -> "assay.gate.Gate":
    """A gate for a kernel: assay.kernel(f, "softmax").check() asserts that f is
    right, .run() gives the report.  program is a name, a file of StableHLO or a
    case, or a function of JAX.  See assay.gate.Gate for the options."""
    from assay import gate
    return gate.Gate(function, program, dtypes, shapes, **options)


def settle(op_or_program: Any, operands: Any, results: Any,
           profile: str = "spec", **attributes: Any
           ) -> "assay.settling.Settlement":
    """Which of several results is right: {"torch": a, "jax": b, "test": c}.
    See assay.settling.settle."""
    from assay import settling
    return settling.settle(op_or_program, operands, results, profile,
                           **attributes)


__version__ = "0.2.0"
__all__ = ["InvalidProgram", "EvaluationError", "Verdict", "Wrong",
           "assert_conforms", "check_jax", "exact", "judge", "kernel",
           "settle"]
