/* lapack_qr.c - QR, and the product of reflectors; see lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/lapack.h"
#include "interp/ops/lapack_call.h"

/* ---- geqrf --------------------------------------------------------------- */

/* The length of column k from its diagonal on, in x. */
static void measure(struct lapack_call *c, int64_t k)
{
    const struct lapack_matrix *m = &c->a;
    mpfr_set_zero(c->x, 1);
    for (int64_t i = k; i < m->rows; i++)
        for (int part = 0; part < m->parts; part++) {
            mpfr_ptr x = lapack_matrix_at(m, i, k) + part;
            mpfr_fma(c->x, x, x, c->x, MPFR_RNDN);
        }
    mpfr_sqrt(c->x, c->x, MPFR_RNDN);
}

static bool is_reduced(const struct lapack_matrix *m, int64_t k)
{
    for (int64_t i = k; i < m->rows; i++)
        for (int part = i == k; part < m->parts; part++)
            if (!mpfr_zero_p(lapack_matrix_at(m, i, k) + part))
                return false;
    return true;
}

/* LAPACK's ?LARFG: the vector that makes column k beta times a unit vector,
 * with beta real and of the other sign than the element of the diagonal. */
static void find_reflector(struct lapack_call *c, int64_t k,
                           const struct lapack_matrix *t)
{
    const struct lapack_matrix *m = &c->a;
    mpfr_ptr alpha = lapack_matrix_at(m, k, k), tau = lapack_matrix_at(t, 0, k);
    mpfr_t scale[2];
    for (int part = 0; part < m->parts; part++)
        mpfr_set_zero(tau + part, 1);
    if (is_reduced(m, k))
        return;
    mpfr_init2(scale[0], LAPACK_MATRIX_BITS);
    mpfr_init2(scale[1], LAPACK_MATRIX_BITS);
    measure(c, k);
    mpfr_copysign(c->y, c->x, alpha, MPFR_RNDN);
    mpfr_neg(c->y, c->y, MPFR_RNDN);
    lapack_matrix_set(m, scale[0], alpha);
    mpfr_sub(scale[0], scale[0], c->y, MPFR_RNDN);
    for (int part = 0; part < m->parts; part++) {
        mpfr_div(tau + part, scale[part], c->y, MPFR_RNDN);
        mpfr_neg(tau + part, tau + part, MPFR_RNDN);
        mpfr_set_zero(alpha + part, 1);
    }
    mpfr_set(alpha, c->y, MPFR_RNDN);
    for (int64_t i = k + 1; i < m->rows; i++)
        lapack_call_divide(c, lapack_matrix_at(m, i, k), scale[0]);
    mpfr_clear(scale[0]);
    mpfr_clear(scale[1]);
}

/* The columns after k times the adjoint of its reflector. */
static void reduce_columns(struct lapack_call *c, int64_t k,
                           const struct lapack_matrix *t)
{
    const struct lapack_matrix *m = &c->a;
    struct lapack_matrix rest;
    lapack_matrix_open(&rest, c->arena, m->rows, m->columns - k - 1, m->parts);
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < rest.rows; i++)
            for (int64_t j = 0; j < rest.columns; j++) {
                mpfr_ptr x = lapack_matrix_at(&rest, i, j);
                mpfr_ptr y = lapack_matrix_at(m, i, k + 1 + j);
                lapack_matrix_set(m, pass ? y : x, pass ? x : y);
            }
        if (pass == 0)
            lapack_matrix_reflect(&rest, m, k, t, true);
    }
    lapack_matrix_close(&rest);
}

bool lapack_qr_eval(struct eval *ev, struct status *st)
{
    struct lapack_call c;
    struct lapack_matrix t;
    TRY(lapack_call_open(&c, ev, st));
    const struct check_lapack *p = c.p;
    int64_t count = lapack_matrix_diagonal(p->rows, p->columns);
    lapack_matrix_open(&t, ev->arena, 1, count, p->parts);
    for (int64_t b = 0; b < p->batches; b++) {
        if (!lapack_call_read(&c, b))
            continue;
        for (int64_t k = 0; k < count; k++) {
            find_reflector(&c, k, &t);
            reduce_columns(&c, k, &t);
        }
        lapack_call_put(&c, 0, b, &c.a);
        lapack_call_put(&c, 1, b, &t);
    }
    lapack_matrix_close(&t);
    lapack_call_close(&c, ev, check_lapack_qr, 0, false);
    return true;
}

/* ---- orgqr --------------------------------------------------------------- */

bool lapack_qr_eval_product(struct eval *ev, struct status *st)
{
    struct lapack_call c;
    struct lapack_matrix t, q;
    TRY(lapack_call_open(&c, ev, st));
    const struct check_lapack *p = c.p;
    const struct shape *s = p->tau->shape;
    int64_t count = s->dims[s->rank - 1], units = count * p->parts;
    lapack_matrix_open(&t, ev->arena, 1, count, p->parts);
    lapack_matrix_open(&q, ev->arena, p->rows, p->columns, p->parts);
    for (int64_t b = 0; b < p->batches; b++) {
        if (!lapack_call_read(&c, b))
            continue;
        lapack_matrix_load(&t, p->tau, b * units);
        lapack_matrix_form(&q, &c.a, &t, count);
        lapack_call_put(&c, 0, b, &q);
    }
    lapack_matrix_close(&q);
    lapack_matrix_close(&t);
    lapack_call_close(&c, ev, check_lapack_qr_product, 0, false);
    return true;
}
