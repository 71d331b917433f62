/* check_last.h - is each element the value of an update that may be its last?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_CHECK_LAST_H
#define INTERP_CHECK_CHECK_LAST_H

#include "interp/goal/goal.h"

/* An update that replaces an element. */
struct check_last_hit {
    int64_t element, update; /* of the operands, of the updates */
    int64_t window;          /* updates of one window are applied together */
    bool optional;           /* the window may be left out */
};

struct check_last {
    int n;            /* arrays: operands, updates and values */
    bool one_order;   /* one order of windows explains all elements */
    int64_t elements; /* of an operand */
    int64_t windows;
    int64_t count;                     /* of hits */
    const struct check_last_hit *hits; /* by element */
    const struct literal **operands, **updates;
};

/* A goal_check, whose data are a struct check_last. */
bool check_last(const struct goal *goal, const struct literal *const *got,
                int n, struct goal_finding *found);

#endif
