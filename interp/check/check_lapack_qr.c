/* check_lapack_qr.c - QR, and the product of reflectors; see check_lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/check_lapack.h"
#include "interp/check/lapack_judge.h"

/* ---- geqrf --------------------------------------------------------------- */

/* Is H unitary?  |I - H^H H| is | |tau|^2 |v|^2 - 2 re tau | |v|^2 in the
 * 2-norm; not above 30 m u. */
static bool is_unitary(struct lapack_judge *q, const struct lapack_matrix *f,
                       int64_t k, const struct lapack_matrix *t)
{
    mpfr_ptr size = q->size, error = q->error;
    mpfr_set_ui(size, 1, MPFR_RNDN);
    for (int64_t i = k + 1; i < f->rows; i++)
        for (int part = 0; part < f->parts; part++) {
            mpfr_ptr v = lapack_matrix_at(f, i, k) + part;
            mpfr_fma(size, v, v, size, MPFR_RNDN);
        }
    lapack_matrix_magnitude(error, t, 0, k);
    mpfr_sqr(error, error, MPFR_RNDN);
    mpfr_mul(error, error, size, MPFR_RNDN);
    mpfr_mul_2ui(q->t, lapack_matrix_at(t, 0, k), 1, MPFR_RNDN);
    mpfr_sub(error, error, q->t, MPFR_RNDN);
    mpfr_mul(error, error, size, MPFR_RNDN);
    mpfr_abs(error, error, MPFR_RNDN);
    mpfr_set_ui(size, 1, MPFR_RNDN);
    lapack_judge_bound(q, LAPACK_JUDGE_FACTORS, f->rows);
    return mpfr_cmp(error, q->bound) <= 0;
}

/* The triangle R, as many rows as f has. */
static void read_triangle(const struct lapack_matrix *r,
                          const struct lapack_matrix *f)
{
    for (int64_t i = 0; i < f->rows; i++)
        for (int64_t j = i; j < f->columns; j++)
            lapack_matrix_set(f, lapack_matrix_at(r, i, j),
                              lapack_matrix_at(f, i, j));
}

/* R - Q^H A with Q's reflectors */
static bool good_reflectors(struct lapack_judge *q,
                            const struct lapack_matrix *f,
                            const struct lapack_matrix *r)
{
    struct lapack_matrix t;
    int64_t k = lapack_matrix_diagonal(f->rows, f->columns);
    bool good = lapack_judge_load(q, 1, 1, k, &t);
    for (int64_t i = 0; good && i < k; i++) {
        good = is_unitary(q, f, i, &t);
        goal_measure(q->found, lapack_judge_first(q, 1, k) + i * t.parts,
                     q->error, q->bound);
        if (!good)
            lapack_judge_fail(
                q, 1, lapack_judge_first(q, 1, k) + i * t.parts,
                "a reflector is not unitary: |I - H^H H| exceeds 30 m u");
    }
    lapack_matrix_norm(q->size, &q->a);
    for (int64_t i = 0; good && i < k; i++)
        lapack_matrix_reflect(&q->a, f, i, &t, true);
    lapack_matrix_subtract(&q->a, r);
    lapack_judge_bound(q, LAPACK_JUDGE_FACTORS, f->rows);
    good = good
           && lapack_judge_small(
               q, 0, lapack_judge_first(q, 0, f->rows * f->columns), &q->a,
               "the residual |R - Q^H A| exceeds 30 m u |A|");
    lapack_matrix_close(&t);
    return good;
}

/* Without tau: R^H R - A^H A.  With R = Q^H A + E, each of its elements is a
 * sum of two products of a column of Q^H A and one of E, and one of two columns
 * of A and Q Q^H - I; a column has n of them.  In the 2-norm, which the 1-norm
 * bounds, Q changes the length of no column by more than 30 m u. */
static bool good_squares(struct lapack_judge *q, const struct lapack_matrix *r)
{
    struct lapack_matrix rest, due;
    int64_t n = r->columns;
    lapack_matrix_open(&rest, q->goal->arena, n, n, r->parts);
    lapack_matrix_open(&due, q->goal->arena, n, n, r->parts);
    lapack_matrix_multiply(&rest, r, true, r, false);
    lapack_matrix_multiply(&due, &q->a, true, &q->a, false);
    lapack_matrix_subtract(&rest, &due);
    lapack_matrix_norm(q->size, &q->a);
    mpfr_sqr(q->size, q->size, MPFR_RNDU);
    mpfr_mul_ui(q->size, q->size, (unsigned long)(3 * n), MPFR_RNDU);
    lapack_judge_bound(q, LAPACK_JUDGE_FACTORS, r->rows);
    bool good =
        lapack_judge_small(q, 0, lapack_judge_first(q, 0, r->rows * n), &rest,
                           "|R^H R - A^H A| exceeds 30 m u * 3 n |A|^2");
    lapack_matrix_close(&due);
    lapack_matrix_close(&rest);
    return good;
}

static bool good_qr(struct lapack_judge *q)
{
    struct lapack_matrix f, r;
    if (!lapack_judge_result(q, 0))
        return true;
    bool good = lapack_judge_load(q, 0, q->p->rows, q->p->columns, &f);
    lapack_matrix_open(&r, q->goal->arena, f.rows, f.columns, f.parts);
    read_triangle(&r, &f);
    good = good
           && (lapack_judge_result(q, 1) ? good_reflectors(q, &f, &r)
                                         : good_squares(q, &r));
    lapack_matrix_close(&r);
    lapack_matrix_close(&f);
    return good;
}

bool check_lapack_qr(const struct goal *g, const struct literal *const *got,
                     int n, struct goal_finding *found)
{
    return lapack_judge_all(g, got, n, found, 0, good_qr);
}

/* ---- orgqr --------------------------------------------------------------- */

/* The norm of the product of I + |tau| |v| |v|^T. */
static void norm_of_magnitudes(struct lapack_judge *q,
                               const struct lapack_matrix *t)
{
    struct lapack_matrix f, m, b;
    lapack_matrix_open(&f, q->goal->arena, q->a.rows, q->a.columns, 1);
    lapack_matrix_open(&m, q->goal->arena, 1, t->columns, 1);
    lapack_matrix_open(&b, q->goal->arena, q->a.rows, q->a.columns, 1);
    for (int64_t i = 0; i < f.rows; i++)
        for (int64_t j = 0; j < f.columns; j++)
            lapack_matrix_magnitude(lapack_matrix_at(&f, i, j), &q->a, i, j);
    for (int64_t j = 0; j < m.columns; j++) {
        lapack_matrix_magnitude(m.at[j], t, 0, j);
        mpfr_neg(m.at[j], m.at[j], MPFR_RNDN);
    }
    lapack_matrix_form(&b, &f, &m, t->columns);
    lapack_matrix_norm(q->size, &b);
    lapack_matrix_close(&b);
    lapack_matrix_close(&m);
    lapack_matrix_close(&f);
}

/* Q less the product of the operands' reflectors */
static bool good_difference(struct lapack_judge *q,
                            const struct lapack_matrix *got,
                            const struct lapack_matrix *t)
{
    struct lapack_matrix due;
    bool unitary = true;
    for (int64_t k = 0; unitary && k < t->columns; k++)
        unitary = is_unitary(q, &q->a, k, t);
    mpfr_set_ui(q->size, 1, MPFR_RNDN);
    if (!unitary)
        norm_of_magnitudes(q, t);
    lapack_matrix_open(&due, q->goal->arena, got->rows, got->columns,
                       got->parts);
    lapack_matrix_form(&due, &q->a, t, t->columns);
    lapack_matrix_subtract(&due, got);
    lapack_judge_bound(q, LAPACK_JUDGE_FACTORS, got->rows);
    bool good = lapack_judge_small(
        q, 0, lapack_judge_first(q, 0, got->rows * got->columns), &due,
        "Q differs from the reflectors' product by more than 30 m u");
    lapack_matrix_close(&due);
    return good;
}

static bool good_product(struct lapack_judge *q)
{
    struct lapack_matrix got, t;
    const struct literal *tau = q->p->tau;
    int64_t k = literal_units(tau) / q->p->batches / q->p->parts;
    if (!lapack_judge_result(q, 0))
        return true;
    lapack_matrix_open(&t, q->goal->arena, 1, k, q->p->parts);
    lapack_matrix_load(&t, tau, q->batch * k * q->p->parts);
    bool good = lapack_judge_load(q, 0, q->p->rows, q->p->columns, &got)
                && good_difference(q, &got, &t);
    lapack_matrix_close(&got);
    lapack_matrix_close(&t);
    return good;
}

bool check_lapack_qr_product(const struct goal *g,
                             const struct literal *const *got, int n,
                             struct goal_finding *found)
{
    return lapack_judge_all(g, got, n, found, 0, good_product);
}
