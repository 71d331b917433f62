/* check_compact.h - a predicate over the elements within actual sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation whose operands have actual sizes is evaluated on compact arrays
 * (interp/ops/dynamic.h); so is the predicate that it names.
 */
#ifndef INTERP_CHECK_CHECK_COMPACT_H
#define INTERP_CHECK_CHECK_COMPACT_H

#include "interp/goal/goal.h"

/* The element of an array of shape s, among the bounds, at which each element
 * of a compact array is. */
int64_t *check_compact_places(struct arena *a, const struct shape *compact,
                              const struct shape *s);

/* A goal_check, whose data are the goals of the compact results: a
 * struct goal *const *. */
bool check_compact(const struct goal *goal, const struct literal *const *got,
                   int n, struct goal_finding *found);

#endif
