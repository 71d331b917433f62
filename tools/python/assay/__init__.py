"""Assay in Python: the exact results of XLA's operations, and backends.

SPDX-License-Identifier: Apache-2.0

``assay.exact``            the exact result of an operation
``assay.judge``            is a result right, and if not, where and why
``assay.assert_conforms``  the same in a test
``assay.backend``          write a backend that Assay judges, in Python
``assay.compiler``         the same for a compiler of StableHLO
``assay.types``            element types and shapes as NumPy has them
``assay.strategies``       Hypothesis strategies for operands of each type
``assay.backends``         NumPy, PyTorch and JAX as backends
"""
from assay.library import EvaluationError, InvalidProgram
from assay.reference import Verdict, Wrong, assert_conforms, exact, judge

__version__ = "0.1.0"
__all__ = ["InvalidProgram", "EvaluationError", "Verdict", "Wrong",
           "assert_conforms", "exact", "judge"]
