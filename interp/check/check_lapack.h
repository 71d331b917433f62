/* check_lapack.h - are those the factors of a matrix?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A factorization is not unique: rows of equal size may be either pivot, an
 * eigenvector has either sign, and those of one eigenvalue any basis.  What
 * LAPACK's own test programs ask of it is judged instead, with their thresholds
 * (LAPACK, TESTING: SGET01 and stest.in, SSYT21 and sep.in):
 *
 *     |P A - L U| <= 30 n u |A|            getrf
 *     |A - V diag(w) V^T| <= 60 n 2u |A|   syevd
 *     |I - V V^T| <= 60 n 2u               syevd
 *
 * in the 1-norm, where u is half a unit in the last place of 1.
 */
#ifndef INTERP_CHECK_CHECK_LAPACK_H
#define INTERP_CHECK_CHECK_LAPACK_H

#include <mpfr.h>

#include "interp/goal/goal.h"

enum {
    CHECK_LAPACK_BITS = 512
};

/* A matrix of numbers that are exact, or so near that it cannot show. */
struct check_lapack_matrix {
    int64_t rows, columns;
    mpfr_t *at;
};

struct check_lapack {
    const struct literal *a;
    enum dtype unit;
    int64_t batches, rows, columns;
    bool lower, vectors;            /* of syevd */
    const struct literal *exact[3]; /* results of the reference */
};

void check_lapack_open(struct check_lapack_matrix *m, struct arena *a,
                       int64_t rows, int64_t columns);
void check_lapack_close(struct check_lapack_matrix *m);
mpfr_ptr check_lapack_at(const struct check_lapack_matrix *m, int64_t i,
                         int64_t j);
/* A matrix of a batch, as the call reads it: of syevd (symmetric) one triangle;
 * and are all numbers of that finite? */
bool check_lapack_finite(const struct check_lapack *p, int64_t batch,
                         bool symmetric);
void check_lapack_read(const struct check_lapack *p, int64_t batch,
                       bool symmetric, struct check_lapack_matrix *m);

/* goal_checks whose data are a struct check_lapack.  Their results are factors,
 * pivots and info; and vectors, eigenvalues and info. */
bool check_lapack_lu(const struct goal *g, const struct literal *const *got,
                     int n, struct goal_finding *found);
bool check_lapack_eigen(const struct goal *g, const struct literal *const *got,
                        int n, struct goal_finding *found);

#endif
