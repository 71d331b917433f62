/* evaluate.h - run a program exactly.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_EVALUATE_H
#define INTERP_PROGRAM_EVALUATE_H

#include "interp/program/op.h"

/* Evaluate the entry computation in every replica.  inputs[r][i] is parameter
 * i of replica r.  Gives outcome[r].  Everything lives in the arena.  Sets
 * MPFR's exponent range for this thread.  Fails with UNSUPPORTED, or with
 * SYSTEM "limit: ..." when a limit of machine->limits is exceeded. */
bool evaluate_program(struct arena *a, struct machine *machine,
                      struct literal *const *const *inputs,
                      struct outcome *outcomes, struct status *st);

/* Run one computation in count replicas in lock step: arguments[r][i] with
 * their goals, to results[r].  want_exact: goals shall hold exact values, and
 * inexact values are followed as intervals. */
bool evaluate_group(struct arena *a, struct machine *machine,
                    const struct computation *c, int count, const int *replicas,
                    bool want_exact, const struct outcome *const *arguments,
                    struct outcome *results, struct status *st);

/* A frame of memory that evaluate_release frees; frames nest. */
struct arena *evaluate_frame(struct machine *machine);
void evaluate_release(struct machine *machine);

/* Free what MPFR caches; once, before exit. */
void evaluate_end(void);

#endif
