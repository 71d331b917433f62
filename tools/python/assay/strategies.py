"""Hypothesis strategies: operands of every element type, special values
included.

SPDX-License-Identifier: Apache-2.0

    from hypothesis import given
    from assay import assert_conforms, strategies

    @given(strategies.arrays("f32"))
    def test_sqrt(x):
        assert_conforms(my_sqrt, "Sqrt", x)

Elements are drawn as bit patterns: zeros of both signs, the smallest and the
largest subnormal and normal numbers, one and its neighbours, infinities, quiet
and signalling NaNs of both signs, with and without payload, and any pattern at
all.  They need the package hypothesis.
"""
from typing import Any, List, Tuple, Union

import numpy as np
from hypothesis import strategies as st

from assay import sums, types

_PARTS = {"c64": "f32", "c128": "f64"}
#: Bits of the fraction of the types that are too wide to draw every pattern.
_FRACTION = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
Shape = Union[Tuple[int, ...], "st.SearchStrategy[Tuple[int, ...]]"]


def special_patterns(dtype: str) -> List[int]:
    """Bit patterns of the special values of a type, "f32"; all patterns of a
    type of eight bits or less.  A complex type has those of its parts."""
    dtype = _PARTS.get(dtype, dtype)
    bits = _bits(dtype)
    if bits <= 8:
        return list(range(1 << bits))
    top = 1 << (bits - 1)
    if dtype not in _FRACTION:  # an integer: 0, 1, -1, largest, smallest
        return [0, 1, 2 * top - 1, top - 1, top]
    m = _FRACTION[dtype]
    ones = (1 << m) - 1                      # a fraction of ones
    infinity = top - 1 - ones                # an exponent of ones
    one = (infinity >> m + 1 << m)           # half of them, rounded down
    quiet = 1 << (m - 1)
    magnitudes = [0, 1, ones, ones + 1, ones + 2, one - 1, one, one + 1,
                  infinity - 1, infinity, infinity + quiet,
                  infinity + quiet + 1, infinity + ones, infinity + 1,
                  infinity + quiet - 1]
    return magnitudes + [top + x for x in magnitudes]


def _bits(dtype: str) -> int:
    if dtype == "pred":
        return 1
    return types.bits(dtype)


def patterns(dtype: str) -> "st.SearchStrategy[int]":
    """Bit patterns of a type that is not complex: special ones half of the
    time."""
    special = st.sampled_from(special_patterns(dtype))
    return st.one_of(special, st.integers(0, (1 << _bits(dtype)) - 1))


def arrays(dtype: str, shape: Shape = None) -> "st.SearchStrategy[np.ndarray]":
    """Arrays of an element type by Assay's name.  shape is a tuple or a
    strategy of them (default: shapes)."""
    part = _PARTS.get(dtype, dtype)
    numpy = types.Shape(dtype, (), ()).numpy
    word = np.dtype(f"u{types.Shape(part, (), ()).numpy.itemsize}")

    def fill(dims: Tuple[int, ...]) -> Any:
        count = int(np.prod(dims, dtype=np.int64)) * (2 if part != dtype else 1)
        drawn = st.lists(patterns(part), min_size=count, max_size=count)
        return drawn.map(lambda p: np.array(p, word).view(numpy).reshape(dims))
    if shape is None:
        shape = shapes()
    return st.just(shape).flatmap(fill) if isinstance(shape, tuple) \
        else shape.flatmap(fill)


def shapes(rank: int = 3, size: int = 5
           ) -> "st.SearchStrategy[Tuple[int, ...]]":
    """Shapes up to a rank and a size of each dimension, scalars and empty ones
    included."""
    return st.lists(st.integers(0, size), max_size=rank).map(tuple)


def operands(dtype: str, count: int = 2, shape: Shape = None
             ) -> "st.SearchStrategy[Tuple[np.ndarray, ...]]":
    """That many arrays of one element type and shape: the operands of an
    elementwise operation."""
    drawn = shapes() if shape is None else \
        st.just(shape) if isinstance(shape, tuple) else shape
    return drawn.flatmap(lambda dims: st.tuples(
        *[arrays(dtype, dims)] * count))


def exact_sums(dtype: str = "f32", rows: int = 2, terms: int = 4096,
               columns: int = 8
               ) -> "st.SearchStrategy[Tuple[np.ndarray, np.ndarray]]":
    """Operands of a product of matrices whose result is the same in every
    order of additions, and needs the operands' bits (assay.sums)."""
    return st.builds(sums.exact_sums, st.just(dtype), st.just(rows),
                     st.just(terms), st.just(columns),
                     st.sampled_from(["few", "many"]),
                     st.integers(0, 2 ** 32 - 1))
