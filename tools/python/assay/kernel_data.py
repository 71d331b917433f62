"""Operands that find what is wrong with a kernel.

SPDX-License-Identifier: Apache-2.0

A kind of data is a function of a random generator, sizes of an array, and the
program's variables.  Those of integers and of equal numbers are such that every
order of adding gives the same bits; the others reach what a kernel forgets:
overflow, tails, special values, masks without a key.
"""
import zlib
from typing import Any, Callable, Dict, Sequence, Tuple

import numpy as np

from assay import types

Make = Callable[[np.random.Generator, Tuple[int, ...], Dict[str, Any]], Any]
KINDS: Dict[str, Tuple[str, Make]] = {}

#: Of a program without data of its own: every parameter alike.
DEFAULT = ("normal", "integers", "equal", "wide", "zeros", "specials", "huge",
           "small")


def kind(name: str, text: str) -> Callable[[Make], Make]:
    def take(make: Make) -> Make:
        KINDS[name] = (text, make)
        return make
    return take


def _whole(value: float) -> Make:
    return lambda rng, dims, v: np.full(dims, value)


for _name, _value in (("zeros", 0), ("ones", 1), ("lowest", -128),
                      ("highest", 127), ("-inf", -np.inf), ("off", False),
                      ("on", True)):
    kind(_name, f"all {_value}")(_whole(_value))


def _scaled(factor: float) -> Make:
    return lambda rng, dims, v: rng.standard_normal(dims) * factor


for _name, _value in (("normal", 1), ("small", 1e-4), ("times-5", 5),
                      ("times-30", 30), ("times-100", 100)):
    kind(_name, f"normal numbers times {_value}")(_scaled(_value))


def _rows(dims: Tuple[int, ...], values: Any) -> np.ndarray:
    """Each row one number, in all of its elements."""
    return np.broadcast_to(np.asarray(values)[..., None], dims)


#: The exponents of a type's least and largest binade; of others those of bf16.
_EXPONENTS = {"f16": (-24, 15), "f32": (-149, 127), "f64": (-1074, 1023)}


def _exponents(v: Dict[str, Any]) -> Tuple[int, int]:
    return _EXPONENTS.get(v["T"], (-133, 127))


def _places(dims: Tuple[int, ...]) -> np.ndarray:
    """In each row another place: the first, one in the middle, the last."""
    rows, n = np.arange(int(np.prod(dims[:-1]))), dims[-1]
    return np.where(rows % 3 == 0, 0, np.where(
        rows % 3 == 1, n // 2 + rows // 3, n - 1)) % n


@kind("equal", "each row one number that needs all bits")
def _(rng, dims, v):
    return _rows(dims, rng.standard_normal(dims[:-1]) * 3) if dims else 1.7


@kind("signs", "1 and -1")
def _(rng, dims, v):
    return rng.integers(0, 2, dims) * 2 - 1


@kind("integers", "integers from -4 to 4: every order gives the same bits")
def _(rng, dims, v):
    return rng.integers(-4, 5, dims)


@kind("offset", "1000 plus integers: squares cancel")
def _(rng, dims, v):
    return 1000 + rng.integers(-8, 9, dims)


@kind("peaks", "the maximum of a row in some places, else -inf: exact")
def _(rng, dims, v):
    high = _rows(dims, rng.standard_normal(dims[:-1]) * 50)
    at = rng.random(dims) < 0.4
    if dims and dims[-1]:
        at[..., -1] = True
    return np.where(at, high, -np.inf)


@kind("late", "-inf in the first three quarters of a row, then normal numbers")
def _(rng, dims, v):
    n = dims[-1]
    return np.where(np.arange(n) < n - -(-n // 4), -np.inf,
                    rng.standard_normal(dims))


@kind("below", "around -30000: far below what a search may begin with")
def _(rng, dims, v):
    return rng.integers(-20, 21, dims) * 256 - 30000


@kind("huge", "normal numbers plus 1000: an exponential overflows")
def _(rng, dims, v):
    return rng.standard_normal(dims) + 1000


@kind("deep", "normal numbers minus 1000: an exponential underflows")
def _(rng, dims, v):
    return rng.standard_normal(dims) - 1000


@kind("spread", "from -60 to 0: weights that are almost nothing")
def _(rng, dims, v):
    return rng.random(dims) * -60


@kind("rising", "each element of a row above the one before it")
def _(rng, dims, v):
    n = dims[-1]
    return np.broadcast_to(np.linspace(-10, 10, n), dims) \
        + rng.random(dims) * (5 / max(n, 1))


LAST = "cliff"  # also for long rows


@kind(LAST, "the last element of a row 500 above the others")
def _(rng, dims, v):
    return np.where(np.arange(dims[-1]) == dims[-1] - 1, 300, -200) \
        + rng.standard_normal(dims)


@kind("spike", "one element of a row 500 above the others: the first of the "
      "first row, then one in the middle, then the last")
def _(rng, dims, v):
    made = rng.standard_normal(dims) - 200
    if made.size:
        flat = made.reshape(-1, dims[-1])
        flat[np.arange(len(flat)), _places(dims)] += 500
    return made


@kind("falling", "each element of a row below the one before it")
def _(rng, dims, v):
    return KINDS["rising"][1](rng, dims, v)[..., ::-1]


@kind("bottom", "below half of the lowest number")
def _(rng, dims, v):
    return -(1 + rng.random(dims)) * 2.0 ** (_exponents(v)[1] - 1)


@kind("range", "every magnitude that the type has")
def _(rng, dims, v):
    low, high = _exponents(v)
    return rng.choice([-1, 1], dims) * np.ldexp(
        1 + rng.random(dims), rng.integers(low, high + 1, dims)) \
        if v["T"] != "f64" else KINDS["wide"][1](rng, dims, v)


@kind("subnormal", "numbers below the smallest normal one")
def _(rng, dims, v):
    low = _exponents(v)[0]
    return np.ldexp(rng.integers(-100, 101, dims).astype(float), low)


@kind("pairs", "two infinities, or an infinity and NaN, in a row, and NaN first "
      "or last")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    ends = ((np.inf, np.inf), (np.nan, 1), (np.inf, -np.inf), (1, np.nan),
            (-np.inf, -np.inf), (np.nan, np.inf))
    if made.size:
        flat = made.reshape(-1, dims[-1])
        for i, row in enumerate(flat):
            row[0], row[-1] = ends[i % len(ends)]
    return made


@kind("infinite", "an infinity in each row of normal numbers")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    if made.size:
        flat = made.reshape(-1, dims[-1])
        rows = np.arange(len(flat))
        flat[rows, _places(dims)] = np.where(rows % 2, -np.inf, np.inf)
    return made


@kind("large", "numbers whose squares do not overflow yet")
def _(rng, dims, v):
    return rng.standard_normal(dims) * (1e3 if v["T"] == "f16" else 1e12)


@kind("wide", "magnitudes from 2^-12 to 2^12")
def _(rng, dims, v):
    return rng.choice([-1, 1], dims) * 2.0 ** rng.uniform(-12, 12, dims)


@kind("grid", "evenly from -6 to 6")
def _(rng, dims, v):
    n = int(np.prod(dims))
    return np.linspace(-6, 6, n).reshape(dims)


@kind("specials", "one infinity, NaN or zero in each row of normal numbers")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    values = [np.inf, -np.inf, np.nan, -0.0, 0.0]
    if made.ndim == 1:
        made[::2] = np.resize(values, made[::2].shape)
    elif made.size:
        flat = made.reshape(-1, dims[-1])
        for i, row in enumerate(flat):
            row[rng.integers(dims[-1])] = values[i % len(values)]
    return made


@kind("special-integers", "integers from 1 to 4, one infinity or NaN in each row")
def _(rng, dims, v):
    made = rng.integers(1, 5, dims).astype(float)
    if made.size:
        flat = made.reshape(-1, dims[-1])
        for i, row in enumerate(flat):
            row[rng.integers(dims[-1])] = [np.nan, np.inf, -np.inf][i % 3]
    return made


@kind("ranks", "integers from 1 to 9: some are equal")
def _(rng, dims, v):
    return rng.integers(1, 10, dims)


@kind("positive", "from 0.5 to 2")
def _(rng, dims, v):
    return rng.random(dims) * 1.5 + 0.5


@kind("small-positive", "positive, around 1e-5")
def _(rng, dims, v):
    return rng.random(dims) * 2e-5


@kind("s8", "every signed byte")
def _(rng, dims, v):
    return rng.integers(-128, 128, dims)


@kind("odd", "odd signed bytes: sums need all their bits")
def _(rng, dims, v):
    return rng.integers(-64, 64, dims) * 2 + 1


@kind("odd-high", "odd signed bytes from 97 on: sums pass 2^24, and are odd")
def _(rng, dims, v):
    return rng.integers(48, 64, dims) * 2 + 1


@kind("bits", "true and false")
def _(rng, dims, v):
    return rng.random(dims) < 0.5


@kind("first", "true in the first place of a row alone")
def _(rng, dims, v):
    return np.broadcast_to(np.arange(dims[-1]) == 0, dims)


@kind("last", "true in the last place of a row alone")
def _(rng, dims, v):
    return np.broadcast_to(np.arange(dims[-1]) == dims[-1] - 1, dims)


@kind("not-first", "true but for the first place of a row")
def _(rng, dims, v):
    return np.broadcast_to(np.arange(dims[-1]) != 0, dims)


@kind("not-last", "true but for the last place of a row")
def _(rng, dims, v):
    return np.broadcast_to(np.arange(dims[-1]) != dims[-1] - 1, dims)


@kind("one-each", "true in one place of each row, another one in the next")
def _(rng, dims, v):
    return np.arange(dims[-1]) == (np.arange(dims[0])[:, None] * 17 + 1) \
        % max(dims[-1], 1)


@kind("late-bits", "true and false in the last quarter of a row alone")
def _(rng, dims, v):
    n = dims[-1]
    return (np.arange(n) >= n - -(-n // 4)) & (rng.random(dims) < 0.7)


@kind("rows-off", "every other row false, the rest true")
def _(rng, dims, v):
    return np.broadcast_to((np.arange(dims[0]) % 2 == 1)[:, None], dims)


@kind("row-number", "each row its number, divided by 4")
def _(rng, dims, v):
    return np.broadcast_to((np.arange(dims[0]) / 4)[:, None], dims)


@kind("far-rows", "each row its number times 2^14 (2^8 in f16)")
def _(rng, dims, v):
    far = 2.0 ** (8 if v["T"] == "f16" else 14)
    return np.broadcast_to((np.arange(dims[0]) * far)[:, None], dims)


def _row_number(dims: Tuple[int, ...]) -> np.ndarray:
    return np.broadcast_to(np.arange(dims[0])[:, None], dims)


@kind("falling-rows", "each row its number from the end, times 2^8")
def _(rng, dims, v):
    return _row_number(dims)[::-1] * 2.0 ** (2 if v["T"] == "f16" else 8)


@kind("low-rows", "each row one of three numbers below -2^118 (-2^12 in f16)")
def _(rng, dims, v):
    return -(_row_number(dims) % 3 + 1) * 2.0 ** (12 if v["T"] == "f16" else 118)


@kind("first-row", "the first row 40, the others normal numbers")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    made[:1] = 40
    return made


@kind("nan-row", "the last row NaN, the others normal numbers")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    made[-1:] = np.nan
    return made


@kind("one-nan", "normal numbers, but NaN in the last row's first place")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    made[-1:, :1] = np.nan
    return made


@kind("one-row", "the last row 2, the others normal numbers")
def _(rng, dims, v):
    made = rng.standard_normal(dims)
    made[-1:] = 2
    return made


@kind("one-hot", "50 in the first place of a row, else 0")
def _(rng, dims, v):
    return np.broadcast_to((np.arange(dims[-1]) == 0) * 50.0, dims)


@kind("labels", "indices of a row, that of the last element among them")
def _(rng, dims, v):
    n = max(v.get("N", 1), 1)
    made = rng.integers(0, n, dims)
    made[-1:] = n - 1
    return made


@kind("last-label", "the index of the last element of a row")
def _(rng, dims, v):
    return np.full(dims, v["N"] - 1)


@kind("impulse", "1 in the first place, else 0")
def _(rng, dims, v):
    return np.arange(dims[0]) == 0


@kind("second", "1 in the second place, else 0")
def _(rng, dims, v):
    return np.arange(dims[0]) == min(1, dims[0] - 1)


@kind("tap", "one tap of a kernel 1 for each channel, else 0")
def _(rng, dims, v):
    made = np.zeros(dims)
    for o in range(dims[3]):
        made[tuple(rng.integers(n) for n in dims[:3]) + (o,)] = 1
    return made


def default(shape: types.Shape) -> str:
    """The kind for an operand that the data do not mention."""
    return "bits" if shape.dtype == "pred" else \
        "s8" if shape.dtype[0] in "su" else "normal"


def fitting(name: str, shape: types.Shape) -> str:
    """Of a kind for floats, one that integers can have."""
    return name if shape.dtype[0] in "fbc" and shape.dtype != "pred" \
        else "zeros" if name == "zeros" else default(shape)


def make(name: str, shape: types.Shape, variables: Dict[str, Any],
         seed: Sequence[Any]) -> np.ndarray:
    """An operand of that kind: the same for the same seed."""
    rng = np.random.default_rng(zlib.crc32(repr(tuple(seed)).encode()))
    with np.errstate(all="ignore"):
        made = np.asarray(KINDS[name][1](rng, shape.dims, variables))
        if shape.dtype[0] == "c":
            made = made + 1j * np.asarray(
                KINDS[name][1](rng, shape.dims, variables))
        if shape.dtype in ("u8", "u16", "u32", "u64"):
            made = np.abs(made)
        return np.array(made.astype(shape.numpy), order="C")

