/* lapack_judge.h - what the judges of LAPACK's factorizations share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_LAPACK_JUDGE_H
#define INTERP_CHECK_LAPACK_JUDGE_H

#include "interp/check/check_lapack.h"

/* The thresholds of LAPACK's test programs, in n u. */
enum {
    LAPACK_JUDGE_FACTORS = 30,
    LAPACK_JUDGE_SYSTEM = 2 * 60,
    LAPACK_JUDGE_SINGULAR = 2 * 35
};

/* The judge of one matrix of a batch.  Each function that may find something
 * wrong returns false, and the finding says what and where. */
struct lapack_judge {
    const struct check_lapack *p;
    const struct goal *goal;
    const struct literal *const *got;
    int count;
    struct goal_finding *found;
    int64_t batch;
    struct lapack_matrix a; /* the operand */
    mpfr_t size, error, bound, t;
};

/* Is the matrix right, whose numbers are finite and small enough? */
typedef bool lapack_judge_one(struct lapack_judge *q);

/* Judge each matrix but those of which nothing is known: with a number that is
 * not finite, or where a sum of so many terms as large as the reference's
 * result `place` may overflow. */
bool lapack_judge_all(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found, int place,
                      lapack_judge_one *good);

/* Result `place` of the call, or NULL if the program does not pass it on. */
const struct literal *lapack_judge_result(const struct lapack_judge *q,
                                          int place);
/* The first unit of this batch there, of a matrix of so many elements. */
int64_t lapack_judge_first(const struct lapack_judge *q, int place,
                           int64_t elements);
/* A matrix of that result, which is there; it must be finite.  The caller
 * closes it in any case. */
bool lapack_judge_load(struct lapack_judge *q, int place, int64_t rows,
                       int64_t columns, struct lapack_matrix *m);

bool lapack_judge_fail(struct lapack_judge *q, int place, int64_t unit,
                       const char *why);
/* bound = times n u size, and what underflow may add */
void lapack_judge_bound(struct lapack_judge *q, int times, int64_t n);
/* The largest magnitude that partial pivoting leaves in L: 1, or of complex
 * numbers, which are compared by |re| + |im|, the root of 2; and what rounding
 * adds, as a product by a reciprocal may be rounded twice. */
void lapack_judge_factor(mpfr_ptr most, const struct check_lapack *p);
/* The norm of rest against the bound; what is wrong is so at a unit. */
bool lapack_judge_small(struct lapack_judge *q, int place, int64_t unit,
                        const struct lapack_matrix *rest, const char *why);
/* |I - V^H V|, or |I - V V^H| (rows), of a result whose elements have size 1.
 */
bool lapack_judge_orthogonal(struct lapack_judge *q, int place,
                             const struct lapack_matrix *v, bool rows,
                             int times, const char *why);
/* info, if it is there, is 0 */
bool lapack_judge_info(struct lapack_judge *q, int place);
/* Values that result 1 has in an order. */
struct lapack_judge_order {
    int times; /* their bound, as for lapack_judge_bound */
    int info;  /* which result is info */
    /* They fall, and what is said of one that is negative; NULL: they rise. */
    const char *negative;
    const char *beyond, *order; /* of one that is beyond the bound, or not in
                                   this order */
};
/* Is what else the call returns right, with these values? */
typedef bool lapack_judge_rest(struct lapack_judge *q,
                               const struct lapack_matrix *values);
/* Is each of so many values within times n u size of the exact one, and in
 * order (except subnormal ones, which may be taken for zeros), info 0, and the
 * rest right?  Without that result the exact values take its place. */
bool lapack_judge_values(struct lapack_judge *q,
                         const struct lapack_judge_order *o, int64_t count,
                         int64_t n, lapack_judge_rest *rest);
/* info, if it is there, may be that of an LU factorization whose residual is
 * within lapack_judge_bound.  (lapack_judge_rank.c) */
bool lapack_judge_rank(struct lapack_judge *q, int place, int times);

#endif
