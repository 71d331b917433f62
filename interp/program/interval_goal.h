/* interval_goal.h - from what a goal allows to its two ends, unit by unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_INTERVAL_GOAL_H
#define INTERP_PROGRAM_INTERVAL_GOAL_H

#include "interp/program/interval.h"

/* The ends of what a goal allows under a profile; both NULL if it allows one
 * pattern for each unit.  *why is set, and false returned, if there are no
 * such ends. */
bool interval_goal_ends(struct arena *a, const struct profile *profile,
                        const struct goal *goal, struct literal **low,
                        struct literal **high, const char **why);

/* Does it take no profile to see that a goal allows one pattern for each unit?
 * What integers and moved bits give is settled; goal may be NULL. */
bool interval_goal_settled(const struct profile *profile,
                           const struct goal *goal);

/* Is every leaf of an outcome known exactly? */
bool interval_goal_exact(struct arena *a, const struct profile *profile,
                         const struct outcome *out);

/* One unit's ends, as patterns. */
struct interval_ends {
    uint64_t low, high;
};

/* Does a come before b?  Never asked of NaN. */
bool interval_goal_before(enum dtype unit, uint64_t a, uint64_t b);
/* Make e reach to bits too; false where only one of them is a NaN. */
bool interval_goal_widen(struct interval_ends *e, enum dtype unit,
                         uint64_t bits);

/* As interval_goal_ends, for a goal of one corner of what the operands may be:
 * where the budget depends on the operands, the widest of its budgets counts,
 * for between two corners there may be operands of any of them. */
bool interval_goal_corner(struct arena *a, const struct profile *profile,
                          const struct goal *goal, struct literal **low,
                          struct literal **high, const char **why);
/* Make e reach to what is allowed for a result y of such a corner. */
bool interval_goal_include(struct interval_ends *e,
                           const struct profile *profile,
                           const struct goal *goal, const struct real *y);

#endif
