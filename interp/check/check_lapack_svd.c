/* check_lapack_svd.c - singular values and their bases; see check_lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/check_lapack.h"
#include "interp/check/lapack_judge.h"

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
        good =
            good
            && lapack_judge_orthogonal(q, 2, &u, false, LAPACK_JUDGE_SINGULAR,
                                       "U is not orthogonal: |I - U^H U| "
                                       "exceeds 35 m 2u");
    if (has_v)
        good = good
               && lapack_judge_orthogonal(q, 3, &v, true, LAPACK_JUDGE_SINGULAR,
                                          "V is not orthogonal: |I - V^H V| "
                                          "exceeds 35 n 2u");
    if (has_u)
        lapack_matrix_close(&u);
    if (has_v)
        lapack_matrix_close(&v);
    return good;
}

static bool good_triples(struct lapack_judge *q)
{
    static const struct lapack_judge_order falling = {
        .times = LAPACK_JUDGE_SINGULAR,
        .info = 4,
        .negative = "a negative singular value",
        .beyond = "a singular value beyond 35 max(m, n) 2u |A|",
        .order = "singular values do not fall"};
    int64_t m = q->p->rows, n = q->p->columns;
    return lapack_judge_values(q, &falling, lapack_matrix_diagonal(m, n),
                               m > n ? m : n, good_bases);
}

bool check_lapack_svd(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found)
{
    return lapack_judge_all(g, got, n, found, 1, good_triples);
}
