"""Operands of sums of products that are the same in every order.

SPDX-License-Identifier: Apache-2.0

The bound of a sum in any order grows with its length: of 4,096 products of f32
it admits operands that were rounded to bf16, of 16,384 a missing term.  Here
each partial sum, in any order, is a number of the type, so one result is right,
and a narrowed operand or sum, a missing or doubled term or a wrong sign shows:

- few: each column has 1 and -1 in two places, and the left operand odd numbers
  that need all but one bit of the type;
- many: small integers, as many as the type can hold the sum of.
"""
from typing import Any, Tuple

import numpy as np

from assay import types

#: Significant bits.
PRECISION = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}


def exact_sums(dtype: str, rows: int, terms: int, columns: int,
               kind: str = "few", seed: int = 0
               ) -> Tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
    """Operands [rows, terms] and [terms, columns] of a product of matrices, by
    Assay's name of their type."""
    if dtype not in PRECISION:
        raise ValueError(f"exact_sums: {dtype!r} is none of "
                         + ", ".join(PRECISION))
    if terms < 2 or kind not in ("few", "many"):
        raise ValueError("exact_sums: at least 2 terms, 'few' or 'many'")
    draw = np.random.default_rng(seed)
    numpy = types.Shape(dtype, (), ()).numpy
    p = PRECISION[dtype]
    right = np.zeros((terms, columns))
    if kind == "few":
        left = draw.integers(2 ** (p - 3), 2 ** (p - 2), (rows, terms)) * 2 + 1
        # The first column has the first term and the last one.
        for j in range(columns):
            at = draw.choice(terms, 2, replace=False) if j else (0, terms - 1)
            right[at[0], j], right[at[1], j] = 1, -1
    else:
        # The products are at most 9, and their sum at most 2^p.
        count = min(terms, 2 ** p // 9)
        left = draw.integers(1, 4, (rows, terms))
        for j in range(columns):
            at = draw.permutation(terms)[:count]
            right[at, j] = draw.integers(1, 4, count)
    return left.astype(numpy), right.astype(numpy)
