/* check_rows.h - is each row of values and places like one of two?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_CHECK_ROWS_H
#define INTERP_CHECK_CHECK_ROWS_H

#include "interp/goal/goal.h"

/* Values and indices. */
struct check_rows_way {
    struct literal *values, *indices;
};

/* The two results of which each row may be one. */
struct check_rows {
    int64_t k; /* elements of a row */
    struct check_rows_way way[2];
};

/* A goal_check, whose data are a struct check_rows. */
bool check_rows(const struct goal *goal, const struct literal *const *got,
                int n, struct goal_finding *found);

#endif
