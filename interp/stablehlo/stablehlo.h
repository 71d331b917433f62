/* stablehlo.h - a program as StableHLO text, for PJRT plugins and for people.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One module in MLIR's generic form, which both old and new plugins read.
 * Names come from spec/ops; tuples are flattened into several values; implicit
 * broadcasting is written out; computations become regions, or functions
 * where they are called.
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_H
#define INTERP_STABLEHLO_STABLEHLO_H

#include "interp/program/program.h"

/* The text, in the arena.  Fails with UNSUPPORTED and the reason for what
 * StableHLO cannot express.  A program that inference rejected is written too,
 * with the faulty instruction's result returned; its type is the one that a
 * frontend would write (stablehlo_claim.c).  A fault that the text would not
 * show is UNSUPPORTED. */
bool stablehlo_text(struct arena *a, const struct program *p, const char **text,
                    struct status *st);

#endif
