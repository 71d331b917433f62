/* goal_gather.h - goals made of units of other goals.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation that evaluates a computation for each element of its result
 * keeps what the computation says of each: the rounding of an exact value stays
 * one, instead of becoming all that lies between its neighbours.
 */
#ifndef INTERP_GOAL_GOAL_GATHER_H
#define INTERP_GOAL_GOAL_GATHER_H

#include "interp/goal/goal.h"

/* A goal of that value that differs from another in its units alone; they have
 * none of the other's details yet. */
struct goal *goal_gather_like(struct arena *a, struct literal *value,
                              const struct goal *from);
/* Give unit i of a goal like from the details of unit `at`, not its value. */
void goal_gather_put(struct goal *g, int64_t i, const struct goal *from,
                     int64_t at);

struct goal_gather;

/* For a result of that shape, every unit of which is gathered. */
struct goal_gather *goal_gather_open(struct arena *a,
                                     const struct shape *shape);
/* Unit i is unit `at` of value, which that goal judges, as it is now; goal
 * NULL: it was given to the program.  Not of a GOAL_CHECK.  Units of one goal
 * follow each other from 0 on: as many are undecided as in it, at most. */
void goal_gather_unit(struct goal_gather *to, int64_t i,
                      const struct literal *value, const struct goal *goal,
                      int64_t at);
/* The goal of all of them. */
struct goal *goal_gather_close(struct goal_gather *to);

#endif
