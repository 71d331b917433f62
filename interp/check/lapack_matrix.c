/* lapack_matrix.c - see lapack_matrix.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums are rounded to 512 bits, which is far below what any bound can see.
 */
#include "interp/check/lapack_matrix.h"

#include "interp/exact/real.h"

void lapack_matrix_open(struct lapack_matrix *m, struct arena *a, int64_t rows,
                        int64_t columns, int parts)
{
    int64_t units = rows * columns * parts;
    *m = (struct lapack_matrix){rows, columns, parts, NULL};
    m->at = arena_new(a, mpfr_t, (size_t)units + 1);
    for (int64_t i = 0; i < units; i++) {
        mpfr_init2(m->at[i], LAPACK_MATRIX_BITS);
        mpfr_set_zero(m->at[i], 1);
    }
}

void lapack_matrix_close(struct lapack_matrix *m)
{
    for (int64_t i = 0; i < m->rows * m->columns * m->parts; i++)
        mpfr_clear(m->at[i]);
}

mpfr_ptr lapack_matrix_at(const struct lapack_matrix *m, int64_t i, int64_t j)
{
    return m->at[(i * m->columns + j) * m->parts];
}

void lapack_matrix_magnitude(mpfr_ptr to, const struct lapack_matrix *m,
                             int64_t i, int64_t j)
{
    mpfr_srcptr x = lapack_matrix_at(m, i, j);
    if (m->parts == 1)
        mpfr_abs(to, x, MPFR_RNDU);
    else
        mpfr_hypot(to, x, x + 1, MPFR_RNDU);
}

void lapack_matrix_load(const struct lapack_matrix *m, const struct literal *l,
                        int64_t first)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    for (int64_t i = 0; i < m->rows * m->columns * m->parts; i++)
        real_bits_to_mpfr(m->at[i], unit, literal_get(l, first + i));
}

void lapack_matrix_identity(const struct lapack_matrix *m)
{
    for (int64_t i = 0; i < m->rows * m->columns * m->parts; i++)
        mpfr_set_zero(m->at[i], 1);
    for (int64_t i = 0; i < m->rows && i < m->columns; i++)
        mpfr_set_ui(lapack_matrix_at(m, i, i), 1, MPFR_RNDN);
}

static void swap(const struct lapack_matrix *m, mpfr_ptr x, mpfr_ptr y)
{
    for (int part = 0; part < m->parts; part++)
        mpfr_swap(x + part, y + part);
}

void lapack_matrix_swap_rows(const struct lapack_matrix *m, int64_t i,
                             int64_t k)
{
    for (int64_t j = 0; i != k && j < m->columns; j++)
        swap(m, lapack_matrix_at(m, i, j), lapack_matrix_at(m, k, j));
}

void lapack_matrix_swap_columns(const struct lapack_matrix *m, int64_t j,
                                int64_t k)
{
    for (int64_t i = 0; j != k && i < m->rows; i++)
        swap(m, lapack_matrix_at(m, i, j), lapack_matrix_at(m, i, k));
}

void lapack_matrix_set(const struct lapack_matrix *m, mpfr_ptr z, mpfr_srcptr x)
{
    for (int part = 0; part < m->parts; part++)
        mpfr_set(z + part, x + part, MPFR_RNDN);
}

/* re, im += x y, where minus says which imaginary parts are negated */
static void add(mpfr_ptr z, mpfr_srcptr x, bool minus_x, mpfr_srcptr y,
                bool minus_y, int parts)
{
    MPFR_DECL_INIT(t, LAPACK_MATRIX_BITS);
    mpfr_fma(z, x, y, z, MPFR_RNDN);
    if (parts == 1)
        return;
    mpfr_mul(t, x + 1, y + 1, MPFR_RNDN);
    (minus_x != minus_y ? mpfr_add : mpfr_sub)(z, z, t, MPFR_RNDN);
    mpfr_mul(t, x, y + 1, MPFR_RNDN);
    (minus_y ? mpfr_sub : mpfr_add)(z + 1, z + 1, t, MPFR_RNDN);
    mpfr_mul(t, x + 1, y, MPFR_RNDN);
    (minus_x ? mpfr_sub : mpfr_add)(z + 1, z + 1, t, MPFR_RNDN);
}

void lapack_matrix_add(const struct lapack_matrix *m, mpfr_ptr z, mpfr_srcptr x,
                       bool conjugate, mpfr_srcptr y)
{
    add(z, x, conjugate, y, false, m->parts);
}

void lapack_matrix_scale(const struct lapack_matrix *m, mpfr_ptr z,
                         mpfr_srcptr x, bool conjugate)
{
    MPFR_DECL_INIT(re, LAPACK_MATRIX_BITS);
    MPFR_DECL_INIT(im, LAPACK_MATRIX_BITS);
    mpfr_mul(re, z, x, MPFR_RNDN);
    if (m->parts == 2) {
        mpfr_mul(im, z + 1, x + 1, MPFR_RNDN);
        (conjugate ? mpfr_add : mpfr_sub)(re, re, im, MPFR_RNDN);
        mpfr_mul(im, z, x + 1, MPFR_RNDN);
        mpfr_mul(z + 1, z + 1, x, MPFR_RNDN);
        (conjugate ? mpfr_sub : mpfr_add)(z + 1, z + 1, im, MPFR_RNDN);
    }
    mpfr_set(z, re, MPFR_RNDN);
}

void lapack_matrix_multiply(const struct lapack_matrix *c,
                            const struct lapack_matrix *a, bool adjoint_a,
                            const struct lapack_matrix *b, bool adjoint_b)
{
    int64_t terms = adjoint_a ? a->rows : a->columns;
    for (int64_t i = 0; i < c->rows; i++)
        for (int64_t j = 0; j < c->columns; j++) {
            mpfr_ptr sum = lapack_matrix_at(c, i, j);
            for (int part = 0; part < c->parts; part++)
                mpfr_set_zero(sum + part, 1);
            for (int64_t k = 0; k < terms; k++)
                add(sum,
                    adjoint_a ? lapack_matrix_at(a, k, i)
                              : lapack_matrix_at(a, i, k),
                    adjoint_a,
                    adjoint_b ? lapack_matrix_at(b, j, k)
                              : lapack_matrix_at(b, k, j),
                    adjoint_b, c->parts);
        }
}

void lapack_matrix_subtract(const struct lapack_matrix *from,
                            const struct lapack_matrix *m)
{
    for (int64_t i = 0; i < m->rows * m->columns * m->parts; i++)
        mpfr_sub(from->at[i], from->at[i], m->at[i], MPFR_RNDN);
}

/* z, of as many parts, is minus tau (v^H column j of m). */
static void project(mpfr_ptr z, const struct lapack_matrix *m, int64_t j,
                    const struct lapack_matrix *f, int64_t k,
                    const struct lapack_matrix *t, bool adjoint)
{
    lapack_matrix_set(m, z, lapack_matrix_at(m, k, j));
    for (int64_t i = k + 1; i < m->rows; i++)
        lapack_matrix_add(m, z, lapack_matrix_at(f, i, k), true,
                          lapack_matrix_at(m, i, j));
    lapack_matrix_scale(m, z, lapack_matrix_at(t, 0, k), adjoint);
    for (int part = 0; part < m->parts; part++)
        mpfr_neg(z + part, z + part, MPFR_RNDN);
}

void lapack_matrix_reflect(const struct lapack_matrix *m,
                           const struct lapack_matrix *f, int64_t k,
                           const struct lapack_matrix *t, bool adjoint)
{
    mpfr_t z[2];
    mpfr_init2(z[0], LAPACK_MATRIX_BITS);
    mpfr_init2(z[1], LAPACK_MATRIX_BITS);
    for (int64_t j = 0; j < m->columns; j++) {
        project(z[0], m, j, f, k, t, adjoint);
        mpfr_ptr first = lapack_matrix_at(m, k, j);
        for (int part = 0; part < m->parts; part++)
            mpfr_add(first + part, first + part, z[part], MPFR_RNDN);
        for (int64_t i = k + 1; i < m->rows; i++)
            lapack_matrix_add(m, lapack_matrix_at(m, i, j),
                              lapack_matrix_at(f, i, k), false, z[0]);
    }
    mpfr_clear(z[0]);
    mpfr_clear(z[1]);
}

void lapack_matrix_form(const struct lapack_matrix *q,
                        const struct lapack_matrix *f,
                        const struct lapack_matrix *t, int64_t count)
{
    lapack_matrix_identity(q);
    for (int64_t k = count - 1; k >= 0; k--)
        lapack_matrix_reflect(q, f, k, t, false);
}

void lapack_matrix_norm(mpfr_ptr to, const struct lapack_matrix *m)
{
    MPFR_DECL_INIT(sum, 128);
    MPFR_DECL_INIT(x, 128);
    mpfr_set_zero(to, 1);
    for (int64_t j = 0; j < m->columns; j++) {
        mpfr_set_zero(sum, 1);
        for (int64_t i = 0; i < m->rows; i++) {
            lapack_matrix_magnitude(x, m, i, j);
            mpfr_add(sum, sum, x, MPFR_RNDU);
        }
        mpfr_max(to, to, sum, MPFR_RNDU);
    }
}
