"""compile_cost - what a case costs a compiler, by its name.

SPDX-License-Identifier: Apache-2.0
"""
# What a case costs a compiler, in milliseconds: one in eleven cases of the
# default tier (one in six of the files crossed), each compiled alone by XLA:CPU
# 0.11.2, less the 9 ms of a program (2026-11-26).  By file, the plain cases (of
# some, by how their names begin) and those in forms; by operation, how many
# times as much as others of these files.  Two rows are estimates, from the times
# of whole runs beside other work: crossed/kinds and flow/of.  Those of
# values/plain and its like are 14 ms for each instruction of a shape of its own.
# Cases of the files states and weaves were not measured and have no row: they
# count as PLAIN.
BATCH = 1.5
CONSTANT = 5
PLAIN, FORMED = 33, 57
FILES = {"broadcast": 31, "chains": 24, "control": 29, "crossed": 428,
         "crossed/kinds": 130, "drawn": 175, "dynamic": 14, "empty": 8,
         "errors": 1, "exact": 24, "exact-index": 17, "flow": 122,
         "flow/of": 200, "impulse": 11, "integers": 24, "layouts": 19,
         "modes": 15, "open": 57, "patterns": 45, "planted": 44,
         "properties": 117, "random": 29, "regress-backends": 17,
         "rounding": 36, "rules": 26, "shapes": 41, "special": 34, "sweep": 24,
         "thresholds": 28, "values": 58,
         "values/complex": 130, "values/double": 140, "values/paired": 870,
         "values/partitions": 160, "values/plain": 400}
FORMED_FILES = {"drawn": 218, "empty": 35, "exact": 38, "flow": 73, "integers":
                50, "layouts": 45, "patterns": 77, "planted": 39, "properties":
                85, "rounding": 85, "rules": 29, "shapes": 21, "special": 72,
                "values": 155}
OPERATIONS = {"Acos": 1.5, "Acosh": 1.7, "AllReduce": 0.3, "Asinh": 1.8,
              "BatchNormGrad": 1.5, "BatchNormTraining": 1.4, "Broadcast": 1.5,
              "Cholesky": 4.9, "Collapse": 0.3, "ConvGeneralDilated": 1.7,
              "ConvWithGeneralDimensions": 1.6, "ConvWithGeneralPadding": 1.7,
              "DotGeneral": 1.6, "DynamicReshape": 2.6, "Fft": 0.2, "Gt": 2.3,
              "Le": 1.6, "RaggedDot": 0.3, "RngBitGenerator": 2,
              "RngUniform": 1.4, "ScaledDot": 0.4, "Scan": 0.2,
              "SelectAndScatter": 2.1, "ShiftRightLogical": 1.6, "Sort": 0.2,
              "TriangularSolve": 4.4, "Tuple": 0.4, "Zeta": 2.2}


def cost(name):
    """Milliseconds of processor time."""
    plain, _, form = name.partition("#")
    op, file, case = (plain.split("/") + ["", ""])[:3]
    begins = f"{file}/{case.partition('-')[0]}"
    ms = (CONSTANT if form == "constant" else
          FORMED_FILES.get(file, FORMED) if form else
          FILES.get(begins, FILES.get(file, PLAIN)))
    return ms * OPERATIONS.get(op, 1) + BATCH
