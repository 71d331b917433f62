# legal.py - arithmetic in f32 as a right backend may do it, drawn by chance.
#
# SPDX-License-Identifier: Apache-2.0
#
# ASSAY_SEED: other draws.
import os

import numpy as np

SEED = int(os.environ.get("ASSAY_SEED", "1"))
draw = np.random.default_rng(SEED)
print(f"# seed {SEED}")

# Of many evaluations at once: arrays are [evaluation, ...].


def cut(x, ways):
    """x of more digits, rounded to f32 down (0) or up (1)."""
    near = x.astype(np.float32)
    low = np.where(near > x, np.nextafter(near, np.float32(-np.inf)), near)
    high = np.where(near < x, np.nextafter(near, np.float32(np.inf)), near)
    return np.where(ways, high, low)


def function(f, x):
    """Always the same way in a column, or a way for each number."""
    ways = draw.random(x.shape[1:] if draw.random() < 0.5 else x.shape) < 0.5
    return cut(f(x.astype(np.longdouble)), ways)


def fold(columns, add):
    """From left to right, or any two at a time."""
    if draw.random() < 0.5:
        while len(columns) > 1:
            a = columns.pop(draw.integers(len(columns)))
            b = columns.pop(draw.integers(len(columns)))
            columns.append(add(a, b))
        return columns[0]
    total = columns[0]
    for c in columns[1:]:
        total = add(total, c)
    return total


def halve(columns, add):
    while len(columns) > 1:
        tail = [columns[-1]] if len(columns) % 2 else []
        columns = [add(a, b) for a, b in zip(columns[::2], columns[1::2])] + tail
    return columns[0]


def total(x, block):
    """The sum over the last dimension."""
    columns = [x[..., i] for i in draw.permutation(x.shape[-1])]
    way = draw.integers(3)
    if way < 2:  # by size, which loses most
        columns.sort(key=lambda c: abs(float(c.flat[0])), reverse=bool(way == 1))
    if block == 0:
        return fold(columns, np.add)
    return halve([fold(columns[i:i + block], np.add)
                  for i in range(0, len(columns), block)], np.add)


def dot(a, b, block):
    """a @ b over the last dimension of both; fused only from left to right."""
    if block or draw.random() < 0.5:
        return total(a * b, block)
    sum_ = np.zeros(np.broadcast_shapes(a.shape, b.shape)[:-1], np.float32)
    for i in draw.permutation(a.shape[-1]):
        sum_ = (a[..., i].astype(np.longdouble) * b[..., i] + sum_).astype(
            np.float32)
    return sum_
