/* deviation_run.h - what a program returns under a deviation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_RUN_H
#define INTERP_DEVIATION_DEVIATION_RUN_H

#include "interp/deviation/deviation.h"

/* evaluate_program under a deviation: the same arguments, in the same arena.
 * Fails with UNSUPPORTED where the deviation does not apply, and like
 * program_infer where the changed program is invalid. */
bool deviation_run(struct arena *a, const struct deviation_use *use,
                   struct machine *machine,
                   struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st);

/* Evaluations that several deviations of one program, its inputs and its mode
 * have in common.  Zero-initialise. */
struct deviation_shared {
    struct arena arena;
    struct deviation_shared_run {
        bool made, good;
        struct machine after;
        struct outcome *outcomes;
        struct status st;
    } plain, exact, goals;
};

void deviation_run_free(struct deviation_shared *s);

/* deviation_run for one deviation after another: the same outcomes, messages
 * and steps, but without an evaluation where those in *s are enough.  The
 * outcomes may be part of *s: they must not be changed. */
bool deviation_run_shared(struct arena *a, struct deviation_shared *s,
                          const struct deviation_use *use,
                          struct machine *machine,
                          struct literal *const *const *inputs,
                          struct outcome *outcomes, struct status *st);

/* The instruction of a program that has no other, and calls no computation;
 * NULL if there are more, or none. */
const struct instruction *deviation_run_single(const struct program *p);

/* evaluate_program for a machine that always asks the same, evaluated once. */
bool deviation_run_goals(struct deviation_shared *s, struct machine *machine,
                         struct literal *const *const *inputs,
                         struct outcome *outcomes, struct status *st);

#endif
