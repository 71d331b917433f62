/* check_triangular.h - is that the solution of a triangular system?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every form is t x = b with a lower triangular t, whose rows may be read
 * backwards.  A result is judged by its residual (Higham, Accuracy and
 * Stability of Numerical Algorithms, theorem 8.5).
 */
#ifndef INTERP_CHECK_CHECK_TRIANGULAR_H
#define INTERP_CHECK_CHECK_TRIANGULAR_H

#include "interp/goal/goal.h"

enum check_triangular_state {
    CHECK_TRIANGULAR_SOLVED,
    CHECK_TRIANGULAR_FREE,    /* overflow, or an a that is not finite */
    CHECK_TRIANGULAR_SPECIAL, /* a b that is not finite */
    CHECK_TRIANGULAR_SINGULAR /* policy triangular-solve.singular */
};

struct check_triangular {
    struct arena *arena;
    const struct literal *a, *b;
    enum dtype unit, accumulator;
    int64_t n, columns, batches;
    int parts;
    bool left, lower, unit_diagonal, swap, conjugate;
    bool flush, row_wise, special_due; /* as the profile chooses */
    unsigned char *state;              /* of each column of each batch */
};

/* One column of one batch. */
struct check_triangular_place {
    const struct check_triangular *p;
    int64_t batch, column;
};

/* A goal_check, whose data are a struct check_triangular. */
bool check_triangular(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found);

/* The elements of a and b that t(i, j) and b(i, j) are, of the place that
 * context is: -1 for a zero, -2 for a one; is t(i, j) conjugated? */
int64_t check_triangular_a(const void *context, int64_t i, int64_t j,
                           bool *conjugate);
int64_t check_triangular_b(const void *context, int64_t i, int64_t j,
                           bool *conjugate);

/* Can no step overflow, or divide by next to nothing, with the solution x? */
bool check_triangular_tame(const struct check_triangular_place *at,
                           const struct real *x);

#endif
