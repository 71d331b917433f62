/* interval_reach.h - which exact results lie between the corners of inexact
 * operands, and what is allowed for them.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A function that is monotone has its least and its greatest value at corners,
 * but what a budget allows around a value between them may reach further than
 * what it allows at the corners.
 */
#ifndef INTERP_PROGRAM_INTERVAL_REACH_H
#define INTERP_PROGRAM_INTERVAL_REACH_H

#include "interp/goal/goal.h"
#include "interp/specification/profile.h"

/* What is known of one unit: all zero before the first corner. */
struct interval_reach {
    int64_t low, high; /* floor(log2) of the magnitudes */
    bool used, zero, plus, minus;
    /* The least and the greatest; special: what is allowed at one of them is
     * not what is allowed next to it. */
    bool known, special;
    struct real least, most;
};

/* Add the exact results of one corner, a GOAL_REAL, to the reach of each unit.
 */
void interval_reach_extend(struct interval_reach *to, const struct goal *from);
/* Extend the ends of unit i of `to`, a GOAL_RANGE, to what is allowed for the
 * results between the corners, or for the result y; from: the goal of a corner.
 * False if that may be a NaN. */
bool interval_reach_include(const struct profile *profile, struct goal *to,
                            const struct goal *from,
                            const struct interval_reach *reach, int64_t i);
bool interval_reach_value(const struct profile *profile, struct goal *to,
                          const struct goal *from, const struct real *y,
                          int64_t i);

#endif
