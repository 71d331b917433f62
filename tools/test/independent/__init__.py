# __init__.py - the operations that are checked, and how often.
#
# SPDX-License-Identifier: Apache-2.0
from . import (algorithms, contract, elementwise, functions, index, move,
               replicas, window)

OPS = {**move.OPS, **index.OPS, **window.OPS, **contract.OPS,
       **elementwise.OPS, **functions.OPS, **algorithms.OPS,
       **replicas.OPS}
# Of those that cost more, or say more with one program, less.
WEIGHT = {"Fft (rounded)": 0.25, "BatchNormTraining": 0.5,
          "BatchNormInference": 0.5, "BatchNormGrad": 0.5}
