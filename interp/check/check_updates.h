/* check_updates.h - does an order of updates explain a result?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A row is what all results have at one element: one pattern a unit.
 */
#ifndef INTERP_CHECK_CHECK_UPDATES_H
#define INTERP_CHECK_CHECK_UPDATES_H

#include "interp/goal/goal.h"

/* Elements whose updates must be explained together, and each result that an
 * order of the updates leaves there. */
struct check_updates_part {
    int64_t slots, *elements;
    int64_t count;
    const uint64_t *results; /* of slots * width patterns each */
};

struct check_updates {
    int n, width; /* arrays; patterns in a row */
    bool one_order;
    int64_t part_count;
    struct check_updates_part *parts;
    unsigned char *open; /* of each element: a part has it */
    unsigned char *hit;  /* has it an update? */
    const struct literal **values;
};

/* A goal_check, whose data are a struct check_updates. */
bool check_updates(const struct goal *goal, const struct literal *const *got,
                   int n, struct goal_finding *found);

/* Equal, or both a NaN. */
bool check_updates_alike(enum dtype unit, uint64_t x, uint64_t y);

#endif
