/* check_lapack.h - are those the factors of a matrix?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A factorization is not unique: rows of equal size may be either pivot, an
 * eigenvector has either sign, and those of one eigenvalue any basis.  What
 * LAPACK's own test programs ask of it is judged instead, with their thresholds
 * (LAPACK, TESTING: ?GET01 and ?QRT01 with stest.in, ?SYT21 and ?HET21 with
 * sep.in, ?DRVBD with svd.in), for a matrix of m rows and n columns:
 *
 *     |P A - L U| <= 30 n u |A|                     getrf
 *     |A - V diag(w) V^H| <= 60 n 2u |A|            syevd, heevd
 *     |I - V V^H| <= 60 n 2u                        syevd, heevd
 *     |R - Q^H A| <= 30 m u |A|                     geqrf
 *     |I - Q^H Q| <= 30 m u                         geqrf
 *     |A - U diag(s) V^H| <= 35 max(m, n) 2u |A|    gesdd
 *     |I - U^H U| <= 35 m 2u, |I - V^H V| <= 35 n 2u
 *
 * in the 1-norm, where u is half a unit in the last place of 1.  Q is the
 * product of the reflectors that geqrf returns.  orgqr multiplies them:
 *
 *     |Q - exact Q| <= 30 m u |B|                   orgqr, ungqr
 *
 * where B is I if the exact Q is as orthogonal as geqrf's, else the same
 * product of I + |tau| |v| |v|^T, which bounds the sum of all that is added.
 */
#ifndef INTERP_CHECK_CHECK_LAPACK_H
#define INTERP_CHECK_CHECK_LAPACK_H

#include "interp/check/lapack_matrix.h"
#include "interp/goal/goal.h"
#include "interp/goal/goal_ends.h"

enum {
    CHECK_LAPACK_RESULTS = 5
};

struct check_lapack {
    const struct literal *a;
    const struct literal *tau; /* of orgqr */
    enum dtype unit;
    int parts; /* of an element of a */
    int64_t batches, rows, columns;
    bool symmetric;                                    /* syevd: reads only */
    bool lower;                                        /* this triangle */
    bool vectors;                                      /* are returned */
    const struct literal *exact[CHECK_LAPACK_RESULTS]; /* of the reference */
    /* By result the ends of each unit, where they are bounded; or NULL. */
    struct literal *least[CHECK_LAPACK_RESULTS], *most[CHECK_LAPACK_RESULTS];
    unsigned char *bounded; /* by batch */
};

/* A matrix of a batch, as the call reads it; and are all numbers finite that
 * the call reads of the batch? */
bool check_lapack_finite(const struct check_lapack *p, int64_t batch);
void check_lapack_read(const struct check_lapack *p, int64_t batch,
                       const struct lapack_matrix *m);

/* goal_checks whose data are a struct check_lapack.  Their results are:
 * factors, pivots and info; vectors, eigenvalues and info; R with the vectors
 * of the reflectors below it, and their tau; Q; and (the first result being
 * anything) singular values, U, V^H and info. */
bool check_lapack_lu(const struct goal *g, const struct literal *const *got,
                     int n, struct goal_finding *found);
bool check_lapack_eigen(const struct goal *g, const struct literal *const *got,
                        int n, struct goal_finding *found);
bool check_lapack_qr(const struct goal *g, const struct literal *const *got,
                     int n, struct goal_finding *found);
bool check_lapack_qr_product(const struct goal *g,
                             const struct literal *const *got, int n,
                             struct goal_finding *found);
bool check_lapack_svd(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found);

/* Find ends of factors, pivots and info, where right ones have the same pivots;
 * and of eigenvalues and singular values.  g: the goal of one of these results.
 * (lapack_ends.c) */
void lapack_ends_lu(struct check_lapack *p, const struct goal *g);
void lapack_ends_eigen(struct check_lapack *p, const struct goal *g);
void lapack_ends_svd(struct check_lapack *p, const struct goal *g);
goal_check_ends lapack_ends;

#endif
