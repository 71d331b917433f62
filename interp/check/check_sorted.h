/* check_sorted.h - are lines sorted, and permutations of the expected ones?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_CHECK_SORTED_H
#define INTERP_CHECK_CHECK_SORTED_H

#include "interp/goal/goal.h"

/* A line is n elements, step apart; a rank's class is the first rank of it. */
struct check_sorted {
    int n;
    int64_t length, step, outer; /* outer * step lines */
    const struct literal **values;
    int64_t *classes; /* of every rank of every line */
    int64_t *ranks;   /* room for two lines */
    /* By line and by rank of the reference: must the row of that rank precede
     * the other?  NULL: any order of the classes will do. */
    unsigned char **before;
};

/* The first element of a line. */
int64_t check_sorted_line(const struct check_sorted *s, int64_t line);

/* A goal_check, whose data are a struct check_sorted. */
bool check_sorted(const struct goal *goal, const struct literal *const *got,
                  int n, struct goal_finding *found);

#endif
