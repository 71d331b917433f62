/* interval_nan.h - NaNs inside a program whose bits a profile leaves open.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where an instruction computes a NaN, a right backend may hand on any pattern
 * that the profile allows.  An instruction that moves it moves that pattern;
 * one whose result depends on the pattern makes the case inadmissible.
 */
#ifndef INTERP_PROGRAM_INTERVAL_NAN_H
#define INTERP_PROGRAM_INTERVAL_NAN_H

#include "interp/program/op.h"

/* Evaluate an instruction in all replicas with other operands: values[replica *
 * operands + operand], NULL where it keeps its own.  Results are in again. */
bool interval_nan_again(const struct eval *evs, int count,
                        struct literal *const *values, struct eval *again,
                        struct status *st);

/* Evaluations with other operands, one after the other. */
struct interval_trial {
    int passes;
    /* What operand k is in that pass; NULL: as it was. */
    struct literal *(*patterns)(const struct eval *ev, int k, int pass);
    /* Note in the goals of ev where the results of again differ. */
    bool (*compare)(const struct eval *ev, const struct eval *again,
                    struct status *st);
};
bool interval_nan_try(struct eval *evs, int count,
                      const struct interval_trial *trial, struct status *st);

/* Has a value a NaN that may have another pattern? */
bool interval_nan_open(const struct profile *profile,
                       const struct outcome *value);

/* evs[0..count-1] were evaluated on operands that are exact except for the bits
 * of NaNs: mark the NaNs of their results that may have another pattern. */
bool interval_nan_propagate(struct eval *evs, int count, struct status *st);

#endif
