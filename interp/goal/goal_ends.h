/* goal_ends.h - the smallest and the largest pattern that one unit may have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_GOAL_GOAL_ENDS_H
#define INTERP_GOAL_GOAL_ENDS_H

#include "interp/exact/accept.h"

/* Both included.  NaN has no place in the order: both are NaN, or neither. */
struct goal_ends {
    uint64_t low, high;
};

/* Does a come before b?  Not for NaN. */
bool goal_ends_before(enum dtype unit, uint64_t a, uint64_t b);
/* Extend e to bits; false if only one of them is a NaN. */
bool goal_ends_widen(struct goal_ends *e, enum dtype unit, uint64_t bits);
/* The ends of a set of which value is a member; false if it has none, because
 * it holds every pattern, or NaN as well as numbers. */
bool goal_ends_of_set(struct goal_ends *e, const struct accept_set *set,
                      enum dtype unit, uint64_t value);

#endif
