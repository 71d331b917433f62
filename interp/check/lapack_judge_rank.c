/* lapack_judge_rank.c - which info an LU factorization may give, without its
 * factors; see lapack_judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * info = k says that the first k columns of A + E have not the rank k, where
 * |E| is the bound of the residual.  With X A = I for these columns of A, there
 * is a v with v = -X E v, and so |X| |E| >= 1.  And a column of zeros stays
 * one.
 */
#include "interp/check/lapack_judge.h"

/* In column c of [A X]: the largest element below becomes 1, all others 0.
 * False: there is none. */
static bool eliminate(const struct lapack_matrix *w, int64_t c,
                      const struct lapack_matrix *scratch)
{
    mpfr_ptr inverse = lapack_matrix_at(scratch, 0, 0);
    mpfr_ptr factor = lapack_matrix_at(scratch, 0, 1);
    mpfr_ptr size = lapack_matrix_at(scratch, 0, 2);
    mpfr_ptr most = lapack_matrix_at(scratch, 0, 3);
    int64_t pivot = c;
    mpfr_set_zero(most, 1);
    for (int64_t i = c; i < w->rows; i++) {
        lapack_matrix_magnitude(size, w, i, c);
        if (mpfr_cmp(size, most) <= 0)
            continue;
        mpfr_set(most, size, MPFR_RNDN);
        pivot = i;
    }
    if (mpfr_zero_p(most))
        return false;
    lapack_matrix_swap_rows(w, c, pivot);
    /* 1 / z is the conjugate of z over the square of its magnitude. */
    mpfr_sqr(most, most, MPFR_RNDN);
    for (int part = 0; part < w->parts; part++)
        mpfr_div(inverse + part, lapack_matrix_at(w, c, c) + part, most,
                 MPFR_RNDN);
    for (int64_t j = c; j < w->columns; j++)
        lapack_matrix_scale(w, lapack_matrix_at(w, c, j), inverse, true);
    for (int64_t i = 0; i < w->rows; i++) {
        if (i == c)
            continue;
        for (int part = 0; part < w->parts; part++)
            mpfr_neg(factor + part, lapack_matrix_at(w, i, c) + part,
                     MPFR_RNDN);
        for (int64_t j = c; j < w->columns; j++)
            lapack_matrix_add(w, lapack_matrix_at(w, i, j), factor, false,
                              lapack_matrix_at(w, c, j));
    }
    return true;
}

/* Have the first k columns of A + E the rank k for all E of size bound? */
static bool keeps_rank(struct lapack_judge *q, int64_t k)
{
    struct arena *arena = q->goal->arena;
    struct lapack_matrix w, x, scratch;
    int64_t m = q->a.rows;
    int parts = q->a.parts;
    lapack_matrix_open(&w, arena, m, k + m, parts);
    lapack_matrix_open(&x, arena, k, m, parts);
    lapack_matrix_open(&scratch, arena, 1, 4, parts);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < k; j++)
            lapack_matrix_set(&w, lapack_matrix_at(&w, i, j),
                              lapack_matrix_at(&q->a, i, j));
        mpfr_set_ui(lapack_matrix_at(&w, i, k + i), 1, MPFR_RNDN);
    }
    bool full = true;
    for (int64_t c = 0; c < k && full; c++)
        full = eliminate(&w, c, &scratch);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < m; j++)
            lapack_matrix_set(&x, lapack_matrix_at(&x, i, j),
                              lapack_matrix_at(&w, i, k + j));
    lapack_matrix_norm(q->t, &x);
    mpfr_mul(q->t, q->t, q->bound, MPFR_RNDU);
    /* Half, for what 512 bits round. */
    full = full && mpfr_cmp_d(q->t, 0.5) < 0;
    lapack_matrix_close(&w);
    lapack_matrix_close(&x);
    lapack_matrix_close(&scratch);
    return full;
}

/* The number, from 1, of the first column of zeros up to that one; 0: none. */
static int64_t zero_column(struct lapack_judge *q, int64_t last)
{
    for (int64_t j = 0; j < last; j++) {
        bool zero = true;
        for (int64_t i = 0; i < q->a.rows && zero; i++) {
            lapack_matrix_magnitude(q->t, &q->a, i, j);
            zero = mpfr_zero_p(q->t) != 0;
        }
        if (zero)
            return j + 1;
    }
    return 0;
}

bool lapack_judge_rank(struct lapack_judge *q, int place, int times)
{
    const struct literal *l = lapack_judge_result(q, place);
    int64_t rows = q->a.rows, columns = q->a.columns;
    int64_t last = lapack_matrix_diagonal(rows, columns);
    if (!l)
        return true;
    int64_t info = literal_int(l, q->batch), zero = zero_column(q, last);
    if (info < 0 || info > last)
        return lapack_judge_fail(q, place, q->batch,
                                 "info is no column of U's diagonal");
    if (zero > 0 && (info == 0 || info > zero))
        return lapack_judge_fail(q, place, q->batch,
                                 "info passes over a column of zeros");
    lapack_judge_bound(q, times, columns);
    return info == 0 || !keeps_rank(q, info)
           || lapack_judge_fail(q, place, q->batch,
                                "info says that columns are dependent which "
                                "are far from it");
}
