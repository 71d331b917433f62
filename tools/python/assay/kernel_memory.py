"""Where the operands of a kernel are in memory, and whose arrays they are.

SPDX-License-Identifier: Apache-2.0

A kernel may read past what it was given, take one operand's strides for those
of all, or leave part of its result unwritten.  The gate (gate.py) hands the same
operands over in every layout of LAYOUTS; none may change the result.
"""
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from assay import types


# ---- Arrays of other libraries -----------------------------------------------

def to_torch(array: np.ndarray, device: Optional[str]) -> Any:
    """A tensor with the same bits and strides."""
    import torch
    name = array.dtype.name
    if array.dtype.kind != "V" and hasattr(np, name):
        tensor = torch.from_numpy(array)
    else:
        bits = {1: np.uint8, 2: np.int16}[array.dtype.itemsize]
        tensor = torch.from_numpy(array.view(bits)).view(getattr(torch, name))
    there = tensor.to(device) if device else tensor
    if there.stride() != tensor.stride():  # to() packs what has gaps
        there = torch.empty_strided(tensor.size(), tensor.stride(),
                                    dtype=tensor.dtype, device=device)
        there.copy_(tensor)
    return there


def to_jax(array: np.ndarray, device: Optional[str]) -> Any:
    import jax
    return jax.device_put(array, jax.devices(device)[0] if device else None)


ARRAYS: Dict[str, Callable[[np.ndarray, Optional[str]], Any]] = {
    "numpy": lambda array, device: array, "torch": to_torch, "jax": to_jax}


def convert(arrays: Sequence[np.ndarray], library: str, device: Optional[str]
            ) -> List[Any]:
    """Arrays of a library; one that is given twice is one there, too."""
    made: Dict[int, Any] = {}
    for x in arrays:
        if id(x) not in made:
            made[id(x)] = ARRAYS[library](x, device)
    return [made[id(x)] for x in arrays]


# ---- Layouts -----------------------------------------------------------------

def _strided(array: np.ndarray) -> np.ndarray:
    """With the last dimension first, and other values between the elements."""
    if not array.ndim:
        return array.copy()
    turned = np.moveaxis(array, -1, 0)
    room = np.repeat(turned[..., ::-1], 2, -1)
    room[..., ::2] = turned
    return np.moveaxis(room[..., ::2], 0, -1)


def _sliced(array: np.ndarray) -> np.ndarray:
    """The rows are parts of longer ones, as queries beside keys and values."""
    if not array.ndim:
        return array.copy()
    room = np.concatenate([array[..., :1], array, array, array[..., :1]], -1)
    return room[..., array[..., :1].shape[-1]:][..., :array.shape[-1]]


def _transposed(array: np.ndarray) -> np.ndarray:
    """Column by column, without gaps."""
    return np.array(array, order="F")


Layout = Tuple[str, Callable[[Sequence[np.ndarray]], List[np.ndarray]]]


def _each(make: Callable[[np.ndarray], np.ndarray], only: Optional[int] = None
          ) -> Callable[[Sequence[np.ndarray]], List[np.ndarray]]:
    return lambda arrays: [make(x) if only in (None, i) else x.copy()
                           for i, x in enumerate(arrays)]


def layouts(count: int) -> List[Layout]:
    """Of so many operands: all of them alike, and one of several alone."""
    made = [("strided", _each(_strided)), ("parts of longer rows",
                                           _each(_sliced)),
            ("transposed", _each(_transposed))]
    return made + [(f"operand {i} strided", _each(_strided, i))
                   for i in range(count) if count > 1]


def _once(arrays: Sequence[np.ndarray]) -> List[np.ndarray]:
    made: Dict[Any, np.ndarray] = {}
    return [made.setdefault((x.dtype.name, x.shape, types.to_bytes(x)),
                            x.copy()) for x in arrays]


#: Equal operands are one array.
SHARED: Layout = ("equal operands are one array", _once)


def share(arrays: Sequence[np.ndarray]) -> List[np.ndarray]:
    """Operands of which those of one type and shape are equal, and not
    negative, so that one of them may be a variance."""
    made: Dict[Any, np.ndarray] = {}
    return [made.setdefault((x.dtype.name, x.shape), np.abs(x)
                            if x.dtype.kind == "f" else x) for x in arrays]


def soil(arrays: Sequence[np.ndarray]) -> None:
    """Leave NaN where an array of the size of one of these is likely to be made
    next: a result that is not written shows."""
    kept = [np.full(x.nbytes, 0xff, np.uint8) for x in arrays
            for _ in range(4)]
    del kept
