/* lapack.c - LU and eigenvalues; see lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One valid factorization, computed in 512 bits; others are right, too
 * (check_lapack.h).
 */
#include "interp/ops/lapack.h"

#include "interp/ops/lapack_call.h"

/* ---- getrf --------------------------------------------------------------- */

/* By magnitude; of complex numbers, as LAPACK does, by |re| + |im|. */
static void weigh(mpfr_ptr to, const struct lapack_matrix *m, int64_t i,
                  int64_t k)
{
    mpfr_srcptr x = lapack_matrix_at(m, i, k);
    mpfr_abs(to, x, MPFR_RNDN);
    if (m->parts == 1)
        return;
    if (mpfr_sgn(x + 1) < 0)
        mpfr_sub(to, to, x + 1, MPFR_RNDN);
    else
        mpfr_add(to, to, x + 1, MPFR_RNDN);
}

static int64_t find_pivot(struct lapack_call *c, int64_t k)
{
    int64_t best = k;
    weigh(c->x, &c->a, k, k);
    for (int64_t i = k + 1; i < c->a.rows; i++) {
        weigh(c->y, &c->a, i, k);
        if (mpfr_cmp(c->y, c->x) <= 0)
            continue;
        mpfr_swap(c->x, c->y);
        best = i;
    }
    return best;
}

/* Row i less its factor times row k; the factor stays in its place. */
static void reduce_row(struct lapack_call *c, int64_t i, int64_t k, mpfr_ptr l)
{
    const struct lapack_matrix *m = &c->a;
    mpfr_ptr factor = lapack_matrix_at(m, i, k);
    lapack_call_divide(c, factor, lapack_matrix_at(m, k, k));
    for (int part = 0; part < m->parts; part++)
        mpfr_neg(l + part, factor + part, MPFR_RNDN);
    for (int64_t j = k + 1; j < m->columns; j++)
        lapack_matrix_add(m, lapack_matrix_at(m, i, j), l, false,
                          lapack_matrix_at(m, k, j));
}

/* Gauss with partial pivoting, in place; the first zero pivot's number. */
static int64_t eliminate(struct lapack_call *c, int64_t first)
{
    const struct lapack_matrix *m = &c->a;
    int64_t info = 0;
    mpfr_t l[2];
    mpfr_init2(l[0], LAPACK_MATRIX_BITS);
    mpfr_init2(l[1], LAPACK_MATRIX_BITS);
    for (int64_t k = 0; k < m->rows && k < m->columns; k++) {
        int64_t pivot = find_pivot(c, k);
        goal_bits(c->goals[1], first + k, (uint64_t)(pivot + 1));
        lapack_matrix_swap_rows(m, k, pivot);
        weigh(c->x, m, k, k);
        if (mpfr_zero_p(c->x))
            info = info ? info : k + 1;
        for (int64_t i = k + 1; !mpfr_zero_p(c->x) && i < m->rows; i++)
            reduce_row(c, i, k, l[0]);
    }
    mpfr_clear(l[0]);
    mpfr_clear(l[1]);
    return info;
}

bool lapack_eval_getrf(struct eval *ev, struct status *st)
{
    struct lapack_call c;
    TRY(lapack_call_open(&c, ev, st));
    const struct check_lapack *p = c.p;
    int64_t k = lapack_matrix_diagonal(p->rows, p->columns);
    for (int64_t b = 0; b < p->batches; b++) {
        int64_t info = 0;
        if (lapack_call_read(&c, b)) {
            info = eliminate(&c, b * k);
            lapack_call_put(&c, 0, b, &c.a);
        } else {
            for (int64_t i = 0; i < k; i++)
                goal_bits(c.goals[1], b * k + i, (uint64_t)(i + 1));
        }
        goal_bits(c.goals[2], b, (uint64_t)info);
    }
    lapack_call_close(&c, ev, check_lapack_lu, 0, false);
    lapack_call_ends(&c, ev, 0, 3, lapack_ends_lu);
    return true;
}

/* ---- syevd --------------------------------------------------------------- */

/* Make a(i, j) zero by a rotation of rows and columns. */
static void rotate(struct lapack_call *c, const struct lapack_matrix *v,
                   int64_t i, int64_t j)
{
    const struct lapack_matrix *m = &c->a;
    if (m->parts == 2) {
        mpfr_t off[2];
        mpfr_init2(off[0], LAPACK_MATRIX_BITS);
        mpfr_init2(off[1], LAPACK_MATRIX_BITS);
        lapack_matrix_set(m, off[0], lapack_matrix_at(m, i, j));
        lapack_call_turn(c, m, false, j, off[0], true);
        lapack_call_turn(c, m, true, j, off[0], false);
        lapack_call_turn(c, v, false, j, off[0], true);
        mpfr_clear(off[0]);
        mpfr_clear(off[1]);
    }
    lapack_call_find_rotation(c, lapack_matrix_at(m, i, i),
                              lapack_matrix_at(m, i, j),
                              lapack_matrix_at(m, j, j));
    lapack_call_rotate(c, m, false, i, j);
    lapack_call_rotate(c, m, true, i, j);
    lapack_call_rotate(c, v, false, i, j);
}

/* One sweep; false: nothing was left to do. */
static bool sweep(struct lapack_call *c, const struct lapack_matrix *v,
                  mpfr_srcptr least)
{
    bool any = false;
    for (int64_t i = 0; i < v->columns; i++)
        for (int64_t j = i + 1; j < v->columns; j++) {
            lapack_matrix_magnitude(c->t, &c->a, i, j);
            if (mpfr_cmp(c->t, least) <= 0)
                continue;
            any = true;
            rotate(c, v, i, j);
        }
    return any;
}

static void diagonalize(struct lapack_call *c, const struct lapack_matrix *v)
{
    mpfr_t least;
    mpfr_init2(least, 64);
    lapack_matrix_identity(v);
    lapack_matrix_norm(least, &c->a);
    mpfr_mul_2si(least, least, 32 - LAPACK_MATRIX_BITS, MPFR_RNDU);
    for (int i = 0; i < 64 && sweep(c, v, least); i++)
        ;
    mpfr_clear(least);
}

/* Eigenvalues, rising, in w, and their vectors as columns in that order. */
static void sort_system(struct lapack_call *c, const struct lapack_matrix *v,
                        const struct lapack_matrix *w)
{
    int64_t n = v->columns;
    for (int64_t k = 0; k < n; k++)
        mpfr_set(w->at[k], lapack_matrix_at(&c->a, k, k), MPFR_RNDN);
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t j = k + 1; j < n; j++)
            if (mpfr_cmp(w->at[j], w->at[best]) < 0)
                best = j;
        lapack_matrix_swap_columns(w, k, best);
        lapack_matrix_swap_columns(v, k, best);
    }
}

bool lapack_eval_syevd(struct eval *ev, struct status *st)
{
    struct lapack_call c;
    struct lapack_matrix v, w;
    TRY(lapack_call_open(&c, ev, st));
    c.p->symmetric = true;
    int64_t n = c.p->columns;
    lapack_matrix_open(&v, ev->arena, n, n, c.p->parts);
    lapack_matrix_open(&w, ev->arena, 1, n, 1);
    bool finite = true;
    for (int64_t b = 0; b < c.p->batches; b++) {
        goal_bits(c.goals[2], b, 0);
        if (!lapack_call_read(&c, b)) {
            finite = false;
            continue;
        }
        diagonalize(&c, &v);
        sort_system(&c, &v, &w);
        lapack_call_put(&c, 0, b, &v);
        lapack_call_put(&c, 1, b, &w);
    }
    lapack_matrix_close(&w);
    lapack_matrix_close(&v);
    lapack_call_close(&c, ev, check_lapack_eigen, 0, finite);
    lapack_call_ends(&c, ev, 1, 1, lapack_ends_eigen);
    return true;
}
