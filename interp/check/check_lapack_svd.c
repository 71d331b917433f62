/* check_lapack_svd.c - singular values and their bases; see check_lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/check_lapack.h"
#include "interp/check/lapack_judge.h"
#include "interp/check/residual.h"

/* The threshold of LAPACK's test programs, in n u. */
enum {
    SINGULAR = 2 * 35
};

/* Singular values fall, none is negative, each is within the bound. */
static bool good_singular_values(struct lapack_judge *q,
                                 const struct lapack_matrix *s,
                                 const struct lapack_matrix *exact)
{
    int64_t first = lapack_judge_first(q, 1, s->columns);
    for (int64_t k = 0; k < s->columns; k++) {
        if (mpfr_sgn(s->at[k]) < 0)
            return lapack_judge_fail(q, 1, first + k,
                                     "a negative singular value");
        mpfr_sub(q->error, exact->at[k], s->at[k], MPFR_RNDN);
        mpfr_abs(q->error, q->error, MPFR_RNDN);
        goal_measure(q->found, first + k, q->error, q->bound);
        if (mpfr_cmp(q->error, q->bound) > 0)
            return lapack_judge_fail(
                q, 1, first + k, "a singular value beyond 35 max(m, n) 2u |A|");
        if (k == 0)
            continue;
        mpfr_sub(q->error, s->at[k], s->at[k - 1], MPFR_RNDN);
        residual_tiny(q->t, q->p->unit, true);
        if (mpfr_cmp(q->error, q->t) > 0)
            return lapack_judge_fail(q, 1, first + k,
                                     "singular values do not fall");
    }
    return true;
}

/* U diag(s) V^H - A, of the first columns of U and rows of V^H */
static bool good_triple(struct lapack_judge *q, const struct lapack_matrix *u,
                        const struct lapack_matrix *s,
                        const struct lapack_matrix *v)
{
    struct lapack_matrix scaled, rest;
    int64_t k = s->columns;
    lapack_matrix_open(&scaled, q->goal->arena, u->rows, v->rows, u->parts);
    for (int64_t i = 0; i < u->rows; i++)
        for (int64_t j = 0; j < k; j++)
            for (int part = 0; part < u->parts; part++)
                mpfr_mul(lapack_matrix_at(&scaled, i, j) + part,
                         lapack_matrix_at(u, i, j) + part, s->at[j], MPFR_RNDN);
    lapack_matrix_open(&rest, q->goal->arena, u->rows, v->columns, u->parts);
    lapack_matrix_multiply(&rest, &scaled, false, v, false);
    lapack_matrix_subtract(&rest, &q->a);
    bool good = lapack_judge_small(
        q, 2, lapack_judge_first(q, 2, u->rows * u->columns), &rest,
        "the residual |A - U diag(s) V^H| exceeds 35 max(m, n) 2u |A|");
    lapack_matrix_close(&rest);
    lapack_matrix_close(&scaled);
    return good;
}

/* U and V^H; one of them may be missing. */
static bool good_bases(struct lapack_judge *q, const struct lapack_matrix *s)
{
    struct lapack_matrix u = {.at = NULL}, v = {.at = NULL};
    int64_t m = q->p->rows, n = q->p->columns;
    bool has_u = lapack_judge_result(q, 2), has_v = lapack_judge_result(q, 3);
    const struct shape *us = q->p->exact[2]->shape;
    const struct shape *vs = q->p->exact[3]->shape;
    bool good = true;
    if (!q->p->vectors)
        return true;
    if (has_u)
        good = lapack_judge_load(q, 2, m, us->dims[us->rank - 1], &u);
    if (has_v)
        good = lapack_judge_load(q, 3, vs->dims[vs->rank - 2], n, &v) && good;
    if (has_u && has_v)
        good = good && good_triple(q, &u, s, &v);
    if (has_u)
        good = good
               && lapack_judge_orthogonal(q, 2, &u, false, SINGULAR,
                                          "U is not orthogonal: |I - U^H U| "
                                          "exceeds 35 m 2u");
    if (has_v)
        good = good
               && lapack_judge_orthogonal(q, 3, &v, true, SINGULAR,
                                          "V is not orthogonal: |I - V^H V| "
                                          "exceeds 35 n 2u");
    if (has_u)
        lapack_matrix_close(&u);
    if (has_v)
        lapack_matrix_close(&v);
    return good;
}

static bool good_values(struct lapack_judge *q)
{
    struct lapack_matrix exact, s;
    int64_t m = q->p->rows, n = q->p->columns;
    int64_t k = lapack_matrix_diagonal(m, n);
    bool there = lapack_judge_result(q, 1), good = lapack_judge_info(q, 4);
    lapack_matrix_open(&exact, q->goal->arena, 1, k, 1);
    lapack_matrix_load(&exact, q->p->exact[1], q->batch * k);
    lapack_judge_bound(q, SINGULAR, m > n ? m : n);
    if (there) {
        good = lapack_judge_load(q, 1, 1, k, &s) && good
               && good_singular_values(q, &s, &exact) && good_bases(q, &s);
        lapack_matrix_close(&s);
    } else {
        good = good && good_bases(q, &exact);
    }
    lapack_matrix_close(&exact);
    return good;
}

bool check_lapack_svd(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found)
{
    return lapack_judge_all(g, got, n, found, 1, good_values);
}
