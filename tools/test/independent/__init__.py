# __init__.py - the operations that are checked, and how often.
#
# SPDX-License-Identifier: Apache-2.0
from . import contract, elementwise, index, move, window

OPS = {**move.OPS, **index.OPS, **window.OPS, **contract.OPS,
       **elementwise.OPS}
# Of those that cost more, or say more with one program, less.
WEIGHT = {}
