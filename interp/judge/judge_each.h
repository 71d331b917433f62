/* judge_each.h - the values of a program, each on what its operands were given.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The sets of a program grow from instruction to instruction, and may be too
 * wide for what uses them.  Where a backend has returned the values of all
 * instructions (run --steps), each is judged as a program of its own whose
 * operands are the values that were returned for them.
 */
#ifndef INTERP_JUDGE_JUDGE_EACH_H
#define INTERP_JUDGE_JUDGE_EACH_H

#include "interp/judge/judge_value.h"

/* The context of judge_each. */
struct judge_each {
    const struct literal *const *given; /* arrays of the result, in order */
    /* Instructions whose values count as right because they could not be
     * evaluated: how many in the last evaluation, and why the first. */
    int refused;
    const char *why;
};

/* The arrays that were given for the result of a program whose result is a
 * tuple of values of its instructions; NULL: it is not that, one of its arrays
 * has another layout, or instructions do more than compute. */
const struct literal *const *judge_each_given(struct arena *a,
                                              const struct program *p,
                                              const struct judge_given *given,
                                              int count);

/* A judge_evaluate: the outcome of the tuple whose elements were evaluated on
 * what was given. */
bool judge_each(void *context, struct arena *a, struct machine *machine,
                struct literal *const *const *inputs, struct outcome *outcomes,
                struct status *st);

#endif
