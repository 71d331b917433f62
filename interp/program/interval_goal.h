/* interval_goal.h - from what a goal allows to its two ends, unit by unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_INTERVAL_GOAL_H
#define INTERP_PROGRAM_INTERVAL_GOAL_H

#include "interp/goal/goal_ends.h"
#include "interp/program/interval.h"

/* The ends of what a goal allows under a profile; both NULL if it allows one
 * pattern for each unit.  If there are no such ends, *why is set and false is
 * returned. */
bool interval_goal_ends(struct arena *a, const struct profile *profile,
                        const struct goal *goal, struct literal **low,
                        struct literal **high, const char **why);
/* Is it known, without looking at every unit, that a goal allows one pattern
 * for each?  Integers and moved bits are determined; goal may be NULL. */
bool interval_goal_settled(const struct profile *profile,
                           const struct goal *goal);

/* Is every leaf of an outcome known exactly? */
bool interval_goal_exact(struct arena *a, const struct profile *profile,
                         const struct outcome *out);

/* Extend e to what is allowed for a result y between the corners of a
 * GOAL_REAL. */
bool interval_goal_include(struct goal_ends *e, const struct profile *profile,
                           const struct goal *goal, const struct real *y);

#endif
