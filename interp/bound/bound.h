/* bound.h - programs whose results are bounded as a whole.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Intervals (interp/program/interval.h) take the uses of a value as
 * independent: they do not see that a softmax subtracts one maximum everywhere.
 * Here each result is followed back to every rounding that it depends on, with
 * the product of the slopes in between (bound_node.h), and its range is
 * narrowed to what all of these can move it.  Calls, branches and rounds of
 * loops are followed as they are run.
 */
#ifndef INTERP_BOUND_BOUND_H
#define INTERP_BOUND_BOUND_H

#include "interp/program/evaluate.h"

/* evaluate_program, with narrower ranges (GOAL_RANGE) of results in
 * floating-point types that have a negative zero where the program runs in one
 * replica, and the thread's arithmetic is IEEE 754's, to nearest.  Others keep
 * their ranges, and so do those for which there is too much to follow.
 *
 * Values from which others are computed are narrowed on the way, too: once they
 * are wide, and before an instruction is refused as inadmissible. */
bool bound_program(struct arena *a, struct machine *machine,
                   struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st);
/* What was given for an array of the result: its numbers, or NULL; and which of
 * its units are to be judged, or NULL: all. */
struct bound_result {
    const struct literal *got;
    const bool *open;
};

/* The same, to judge given: one for each array of the result, or NULL.  A range
 * that does not hold what was given, or by which nothing is judged, is left as
 * wide as it is: that decides the same, and in a long softmax each unit depends
 * on the whole row. */
bool bound_given(struct arena *a, struct machine *machine,
                 struct literal *const *const *inputs,
                 const struct bound_result *given, struct outcome *outcomes,
                 struct status *st);

#endif
