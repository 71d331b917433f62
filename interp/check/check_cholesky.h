/* check_cholesky.h - is that a Cholesky decomposition?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result is judged by its residual, component by component (Higham, Accuracy
 * and Stability of Numerical Algorithms, theorems 10.3, 10.4 and 10.7).
 */
#ifndef INTERP_CHECK_CHECK_CHOLESKY_H
#define INTERP_CHECK_CHECK_CHOLESKY_H

#include "interp/goal/goal.h"

enum check_cholesky_state {
    CHECK_CHOLESKY_DEFINITE,  /* every algorithm succeeds */
    CHECK_CHOLESKY_DIFFICULT, /* definite, and one may break down */
    CHECK_CHOLESKY_INDEFINITE /* no rule holds */
};

struct check_cholesky {
    struct arena *arena;
    const struct literal *a;
    enum dtype unit, accumulator;
    int64_t n, batches;
    int parts;
    bool lower;
    bool flush, nan_due, zero_other; /* as the profile chooses */
    unsigned char *state;            /* of each matrix */
};

/* A goal_check, whose data are a struct check_cholesky. */
bool check_cholesky(const struct goal *g, const struct literal *const *got,
                    int n, struct goal_finding *found);

/* The element of the array that holds l(i, j), or a(i, j), i >= j, of the
 * matrix that begins at first. */
int64_t check_cholesky_element(const struct check_cholesky *p, int64_t first,
                               int64_t i, int64_t j);
/* How many roundings there are on the way to an element, at most. */
int64_t check_cholesky_roundings(const struct check_cholesky *p);

#endif
