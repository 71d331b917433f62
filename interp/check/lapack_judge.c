/* lapack_judge.c - see lapack_judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/lapack_judge.h"

#include <stdio.h>

#include "interp/check/residual.h"

const struct literal *lapack_judge_result(const struct lapack_judge *q,
                                          int place)
{
    int i = place - q->goal->check.place;
    return i >= 0 && i < q->count ? q->got[i] : NULL;
}

int64_t lapack_judge_first(const struct lapack_judge *q, int place,
                           int64_t elements)
{
    enum dtype t = q->p->exact[place]->shape->dtype;
    return q->batch * elements * dtype_units(t);
}

bool lapack_judge_fail(struct lapack_judge *q, int place, int64_t unit,
                       const char *why)
{
    q->found->leaf = place - q->goal->check.place;
    q->found->unit = unit;
    snprintf(q->found->why, sizeof q->found->why, "%s", why);
    return false;
}

bool lapack_judge_load(struct lapack_judge *q, int place, int64_t rows,
                       int64_t columns, struct lapack_matrix *m)
{
    const struct literal *l = lapack_judge_result(q, place);
    int parts = dtype_units(l->shape->dtype);
    int64_t first = lapack_judge_first(q, place, rows * columns);
    lapack_matrix_open(m, q->goal->arena, rows, columns, parts);
    for (int64_t i = 0; i < rows * columns * parts; i++)
        if (!real_is_finite(q->p->unit, literal_get(l, first + i)))
            return lapack_judge_fail(q, place, first + i, "not finite");
    lapack_matrix_load(m, l, first);
    return true;
}

void lapack_judge_bound(struct lapack_judge *q, int times, int64_t n)
{
    int64_t most = q->p->rows > q->p->columns ? q->p->rows : q->p->columns;
    mpfr_mul_ui(q->bound, q->size, (unsigned long)(times * n), MPFR_RNDU);
    mpfr_mul_2si(q->bound, q->bound, -dtype_table[q->p->unit].precision,
                 MPFR_RNDU);
    residual_tiny(q->t, q->p->unit, true);
    mpfr_mul_ui(q->t, q->t, (unsigned long)(n * (most + 1)), MPFR_RNDU);
    mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
}

void lapack_judge_factor(mpfr_ptr most, const struct check_lapack *p)
{
    MPFR_DECL_INIT(root, 64);
    mpfr_set_ui_2exp(most, 1,
                     (p->parts == 1 ? 2 : 4) - dtype_table[p->unit].precision,
                     MPFR_RNDU);
    mpfr_add_ui(most, most, 1, MPFR_RNDU);
    mpfr_sqrt_ui(root, (unsigned long)p->parts, MPFR_RNDU);
    mpfr_mul(most, most, root, MPFR_RNDU);
}

bool lapack_judge_small(struct lapack_judge *q, int place, int64_t unit,
                        const struct lapack_matrix *rest, const char *why)
{
    lapack_matrix_norm(q->error, rest);
    goal_measure(q->found, unit, q->error, q->bound);
    return mpfr_cmp(q->error, q->bound) <= 0
           || lapack_judge_fail(q, place, unit, why);
}

bool lapack_judge_orthogonal(struct lapack_judge *q, int place,
                             const struct lapack_matrix *v, bool rows,
                             int times, const char *why)
{
    struct lapack_matrix rest, one;
    int64_t n = rows ? v->rows : v->columns;
    int64_t m = rows ? v->columns : v->rows;
    lapack_matrix_open(&rest, q->goal->arena, n, n, v->parts);
    lapack_matrix_open(&one, q->goal->arena, n, n, v->parts);
    lapack_matrix_identity(&one);
    lapack_matrix_multiply(&rest, v, !rows, v, rows);
    lapack_matrix_subtract(&rest, &one);
    mpfr_set_ui(q->size, 1, MPFR_RNDN);
    lapack_judge_bound(q, times, m);
    bool good = lapack_judge_small(
        q, place, lapack_judge_first(q, place, m * n), &rest, why);
    lapack_matrix_close(&one);
    lapack_matrix_close(&rest);
    return good;
}

bool lapack_judge_info(struct lapack_judge *q, int place)
{
    const struct literal *info = lapack_judge_result(q, place);
    return !info || literal_int(info, q->batch) == 0
           || lapack_judge_fail(q, place, q->batch, "info is not 0");
}

/* By how much value k is out of order, in error. */
static void disorder(struct lapack_judge *q, const struct lapack_judge_order *o,
                     const struct lapack_matrix *w, int64_t k)
{
    mpfr_sub(q->error, w->at[k - 1], w->at[k], MPFR_RNDN);
    if (o->negative)
        mpfr_neg(q->error, q->error, MPFR_RNDN);
}

static bool good_values(struct lapack_judge *q,
                        const struct lapack_judge_order *o,
                        const struct lapack_matrix *w,
                        const struct lapack_matrix *exact)
{
    int64_t unit = lapack_judge_first(q, 1, w->columns);
    for (int64_t k = 0; k < w->columns; k++, unit++) {
        if (o->negative && mpfr_sgn(w->at[k]) < 0)
            return lapack_judge_fail(q, 1, unit, o->negative);
        mpfr_sub(q->error, exact->at[k], w->at[k], MPFR_RNDN);
        mpfr_abs(q->error, q->error, MPFR_RNDN);
        goal_measure(q->found, unit, q->error, q->bound);
        if (mpfr_cmp(q->error, q->bound) > 0)
            return lapack_judge_fail(q, 1, unit, o->beyond);
        if (k == 0)
            continue;
        disorder(q, o, w, k);
        residual_tiny(q->t, q->p->unit, true);
        if (mpfr_cmp(q->error, q->t) > 0)
            return lapack_judge_fail(q, 1, unit, o->order);
    }
    return true;
}

bool lapack_judge_values(struct lapack_judge *q,
                         const struct lapack_judge_order *o, int64_t count,
                         int64_t n, lapack_judge_rest *rest)
{
    struct lapack_matrix exact, w;
    bool good = lapack_judge_info(q, o->info);
    lapack_matrix_open(&exact, q->goal->arena, 1, count, 1);
    lapack_matrix_load(&exact, q->p->exact[1], q->batch * count);
    lapack_judge_bound(q, o->times, n);
    if (lapack_judge_result(q, 1)) {
        good = lapack_judge_load(q, 1, 1, count, &w) && good
               && good_values(q, o, &w, &exact) && rest(q, &w);
        lapack_matrix_close(&w);
    } else {
        good = good && rest(q, &exact);
    }
    lapack_matrix_close(&exact);
    return good;
}

/* May a sum of as many terms as the matrix has rows or columns overflow, each
 * as large as a result of the reference? */
static bool may_overflow(const struct check_lapack *p, int64_t batch, int place)
{
    MPFR_DECL_INIT(x, 64);
    MPFR_DECL_INIT(most, 64);
    const struct literal *l = p->exact[place];
    int64_t size = literal_units(l) / p->batches, first = batch * size;
    int64_t n = p->rows > p->columns ? p->rows : p->columns;
    real_bits_to_mpfr(most, p->unit, real_max(p->unit, false));
    mpfr_div_ui(most, most, (unsigned long)(n * p->parts), MPFR_RNDD);
    for (int64_t i = first; i < first + size; i++) {
        if (!real_is_finite(p->unit, literal_get(l, i)))
            return true;
        real_bits_to_mpfr(x, p->unit, literal_get(l, i));
        if (mpfr_cmpabs(x, most) > 0)
            return true;
    }
    return false;
}

bool lapack_judge_all(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found, int place,
                      lapack_judge_one *good)
{
    const struct check_lapack *p = g->check.data;
    struct lapack_judge q = {
        .p = p, .goal = g, .got = got, .count = n, .found = found};
    bool all = true;
    lapack_matrix_open(&q.a, g->arena, p->rows, p->columns, p->parts);
    mpfr_inits2(LAPACK_MATRIX_BITS, q.size, q.error, q.bound, q.t, (mpfr_ptr)0);
    for (; all && q.batch < p->batches; q.batch++) {
        if (!check_lapack_finite(p, q.batch) || may_overflow(p, q.batch, place))
            continue;
        check_lapack_read(p, q.batch, &q.a);
        lapack_matrix_norm(q.size, &q.a);
        all = good(&q);
    }
    lapack_matrix_close(&q.a);
    mpfr_clears(q.size, q.error, q.bound, q.t, (mpfr_ptr)0);
    return all;
}
