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
/* The ends of operand k, NULL where it is exact; where its uses are spread
 * (uses.h), with the zeros that it may be flushed to. */
bool interval_goal_operand(const struct eval *ev, int k, struct literal **low,
                           struct literal **high, struct status *st);
/* Flush the ends of operand k as the instruction does. */
void interval_goal_flush(const struct eval *ev, int k, struct literal **low,
                         struct literal **high);
/* A value that lies between two ends: a GOAL_RANGE, or NULL where they are the
 * same.  Nothing is copied. */
struct goal *interval_goal_between(struct arena *a, struct literal *value,
                                   struct literal *low, struct literal *high);
/* The same as the outcome of an instruction. */
struct outcome interval_goal_outcome(struct arena *a, struct literal *value,
                                     struct literal *low, struct literal *high);

/* The same for element i alone: a copy, as a scalar. */
struct outcome interval_goal_element(struct arena *a,
                                     const struct literal *value,
                                     const struct literal *low,
                                     const struct literal *high, int64_t i);

/* Part k of what a computation of n results returns: of one, all of it. */
struct outcome interval_goal_part(const struct outcome *out, int n, int k);
/* Extend two ends to those of one more outcome, of one array; both are NULL at
 * first, and then copies.  False, and why, if it has no ends, if only one of
 * them is a NaN, or if a discrete value is not the same: why is discrete. */
bool interval_goal_widen(struct arena *a, const struct profile *profile,
                         const struct outcome *by, struct literal **low,
                         struct literal **high, const char *discrete,
                         const char **why);

/* Is it known, without looking at every unit, that a goal allows one pattern
 * for each?  Integers and moved bits are determined; goal may be NULL. */
bool interval_goal_settled(const struct profile *profile,
                           const struct goal *goal);

/* Is every leaf of an outcome known exactly? */
bool interval_goal_exact(struct arena *a, const struct profile *profile,
                         const struct outcome *out);

/* The same goal, where it judges units one by one; for a GOAL_CHECK the ends of
 * its units or, where they have none, NULL, and why in *why. */
const struct goal *interval_goal_by_unit(struct arena *a,
                                         const struct profile *profile,
                                         const struct goal *goal,
                                         const char **why);

/* Extend e to what is allowed for a result y between the corners of a
 * GOAL_REAL. */
bool interval_goal_include(struct goal_ends *e, const struct profile *profile,
                           const struct goal *goal, const struct real *y);

#endif
