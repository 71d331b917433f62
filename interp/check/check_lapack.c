/* check_lapack.c - LU and eigenvalues; see check_lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * lapack_judge.c has what these share with check_lapack_qr.c.
 */
#include "interp/check/check_lapack.h"

#include "interp/check/lapack_judge.h"

/* ---- The operand --------------------------------------------------------- */

/* The first unit of an element of the operand that the call reads for row i and
 * column j; *other: it stands in the other triangle, conjugated. */
static int64_t unit_of(const struct check_lapack *p, int64_t batch, int64_t i,
                       int64_t j, bool *other)
{
    *other = p->symmetric && (p->lower ? i < j : i > j);
    int64_t at = *other ? j * p->columns + i : i * p->columns + j;
    return (batch * p->rows * p->columns + at) * p->parts;
}

/* The diagonal of a Hermitian matrix is real, whatever stands there. */
static bool is_read(const struct check_lapack *p, int64_t i, int64_t j,
                    int part)
{
    return part == 0 || !p->symmetric || i != j;
}

bool check_lapack_finite(const struct check_lapack *p, int64_t batch)
{
    bool other;
    int64_t units = p->tau ? literal_units(p->tau) / p->batches : 0;
    for (int64_t i = batch * units; i < (batch + 1) * units; i++)
        if (!real_is_finite(p->unit, literal_get(p->tau, i)))
            return false;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            for (int part = 0; part < p->parts; part++)
                if (is_read(p, i, j, part)
                    && !real_is_finite(
                        p->unit,
                        literal_get(p->a,
                                    unit_of(p, batch, i, j, &other) + part)))
                    return false;
    return true;
}

void check_lapack_read(const struct check_lapack *p, int64_t batch,
                       const struct lapack_matrix *m)
{
    bool other;
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            for (int part = 0; part < p->parts; part++) {
                int64_t unit = unit_of(p, batch, i, j, &other) + part;
                mpfr_ptr x = lapack_matrix_at(m, i, j) + part;
                if (!is_read(p, i, j, part))
                    mpfr_set_zero(x, 1);
                else
                    real_bits_to_mpfr(x, p->unit, literal_get(p->a, unit));
                if (other && part == 1)
                    mpfr_neg(x, x, MPFR_RNDN);
            }
}

/* ---- getrf --------------------------------------------------------------- */

/* rest = L U of the factors in one matrix */
static void multiply(struct lapack_judge *q, const struct lapack_matrix *f,
                     const struct lapack_matrix *rest)
{
    struct lapack_matrix l, u;
    int64_t k = lapack_matrix_diagonal(f->rows, f->columns);
    lapack_matrix_open(&l, q->goal->arena, f->rows, k, f->parts);
    lapack_matrix_open(&u, q->goal->arena, k, f->columns, f->parts);
    lapack_matrix_identity(&l);
    for (int64_t i = 0; i < f->rows; i++)
        for (int64_t j = 0; j < f->columns; j++)
            lapack_matrix_set(f,
                              j < i ? lapack_matrix_at(&l, i, j)
                                    : lapack_matrix_at(&u, i, j),
                              lapack_matrix_at(f, i, j));
    lapack_matrix_multiply(rest, &l, false, &u, false);
    lapack_matrix_close(&u);
    lapack_matrix_close(&l);
}

/* Rows of a where the pivots put them. */
static bool apply_pivots(struct lapack_judge *q)
{
    const struct literal *pivots = lapack_judge_result(q, 1);
    int64_t k = lapack_matrix_diagonal(q->p->rows, q->p->columns);
    for (int64_t i = 0; pivots && i < k; i++) {
        int64_t row = literal_int(pivots, q->batch * k + i) - 1;
        if (row < i || row >= q->p->rows)
            return lapack_judge_fail(q, 1, q->batch * k + i,
                                     "a pivot that is no later row");
        lapack_matrix_swap_rows(&q->a, i, row);
    }
    return true;
}

/* The largest difference of row k of a and row i of rest. */
static void distance(mpfr_ptr to, struct lapack_judge *q, int64_t k,
                     const struct lapack_matrix *rest, int64_t i)
{
    mpfr_set_zero(to, 1);
    for (int64_t j = 0; j < rest->columns; j++)
        for (int part = 0; part < rest->parts; part++) {
            mpfr_sub(q->error, lapack_matrix_at(&q->a, k, j) + part,
                     lapack_matrix_at(rest, i, j) + part, MPFR_RNDN);
            mpfr_abs(q->error, q->error, MPFR_RNDN);
            mpfr_max(to, to, q->error, MPFR_RNDN);
        }
}

/* Without pivots: row i is the one of a that is nearest to it. */
static void match_rows(struct lapack_judge *q, const struct lapack_matrix *rest)
{
    for (int64_t i = 0; i < rest->rows; i++) {
        int64_t best = i;
        for (int64_t k = i; k < rest->rows; k++) {
            distance(q->t, q, k, rest, i);
            if (k == i || mpfr_cmp(q->t, q->bound) < 0) {
                mpfr_set(q->bound, q->t, MPFR_RNDN);
                best = k;
            }
        }
        lapack_matrix_swap_rows(&q->a, i, best);
    }
}

static bool is_bounded(struct lapack_judge *q, const struct lapack_matrix *f)
{
    MPFR_DECL_INIT(most, 64);
    lapack_judge_factor(most, q->p);
    int64_t first = lapack_judge_first(q, 0, f->rows * f->columns);
    for (int64_t i = 0; i < f->rows; i++)
        for (int64_t j = 0; j < i && j < f->columns; j++) {
            lapack_matrix_magnitude(q->t, f, i, j);
            if (mpfr_cmp(q->t, most) > 0)
                return lapack_judge_fail(
                    q, 0, first + (i * f->columns + j) * f->parts,
                    f->parts == 1 ? "a factor of L above 1"
                                  : "a factor of L above the root of 2");
        }
    return true;
}

/* info is the number, from 1, of the first zero of U's diagonal; 0: none. */
static bool good_info(struct lapack_judge *q, const struct lapack_matrix *f)
{
    const struct literal *info = lapack_judge_result(q, 2);
    int64_t zero = 0;
    for (int64_t i = lapack_matrix_diagonal(f->rows, f->columns) - 1; i >= 0;
         i--) {
        lapack_matrix_magnitude(q->t, f, i, i);
        if (mpfr_zero_p(q->t))
            zero = i + 1;
    }
    return !info || literal_int(info, q->batch) == zero
           || lapack_judge_fail(
               q, 2, q->batch,
               "info is not the number of the first zero of U's diagonal");
}

static bool good_product(struct lapack_judge *q, const struct lapack_matrix *f)
{
    struct lapack_matrix rest;
    lapack_matrix_open(&rest, q->goal->arena, f->rows, f->columns, f->parts);
    multiply(q, f, &rest);
    if (!lapack_judge_result(q, 1))
        match_rows(q, &rest);
    lapack_matrix_subtract(&rest, &q->a);
    lapack_judge_bound(q, LAPACK_JUDGE_FACTORS, f->columns);
    bool good = lapack_judge_small(
        q, 0, lapack_judge_first(q, 0, f->rows * f->columns), &rest,
        "the residual |P A - L U| exceeds 30 n u |A|");
    lapack_matrix_close(&rest);
    return good;
}

static bool good_factors(struct lapack_judge *q)
{
    struct lapack_matrix f;
    if (!apply_pivots(q))
        return false;
    if (!lapack_judge_result(q, 0))
        return lapack_judge_rank(q, 2, LAPACK_JUDGE_FACTORS);
    bool good = lapack_judge_load(q, 0, q->p->rows, q->p->columns, &f)
                && is_bounded(q, &f) && good_product(q, &f) && good_info(q, &f);
    lapack_matrix_close(&f);
    return good;
}

bool check_lapack_lu(const struct goal *g, const struct literal *const *got,
                     int n, struct goal_finding *found)
{
    return lapack_judge_all(g, got, n, found, 0, good_factors);
}

/* ---- syevd --------------------------------------------------------------- */

/* V diag(w) V^H - A */
static bool good_residual(struct lapack_judge *q, const struct lapack_matrix *v,
                          const struct lapack_matrix *w)
{
    struct lapack_matrix scaled, rest;
    int64_t n = v->columns;
    lapack_matrix_open(&scaled, q->goal->arena, n, n, v->parts);
    lapack_matrix_open(&rest, q->goal->arena, n, n, v->parts);
    for (int64_t i = 0; i < n * n * v->parts; i++)
        mpfr_mul(scaled.at[i], v->at[i], w->at[i / v->parts % n], MPFR_RNDN);
    lapack_matrix_multiply(&rest, &scaled, false, v, true);
    lapack_matrix_subtract(&rest, &q->a);
    bool good = lapack_judge_small(
        q, 0, lapack_judge_first(q, 0, n * n), &rest,
        "the residual |A - V diag(w) V^H| exceeds 60 n 2u |A|");
    lapack_matrix_close(&rest);
    lapack_matrix_close(&scaled);
    return good;
}

static bool good_vectors(struct lapack_judge *q, const struct lapack_matrix *w)
{
    struct lapack_matrix v;
    int64_t n = q->p->columns;
    if (!lapack_judge_result(q, 0) || !q->p->vectors)
        return true;
    bool good = lapack_judge_load(q, 0, n, n, &v) && good_residual(q, &v, w)
                && lapack_judge_orthogonal(
                    q, 0, &v, true, LAPACK_JUDGE_SYSTEM,
                    "vectors are not orthogonal: |I - V V^H| exceeds 60 n 2u");
    lapack_matrix_close(&v);
    return good;
}

static bool good_system(struct lapack_judge *q)
{
    static const struct lapack_judge_order rising = {
        .times = LAPACK_JUDGE_SYSTEM,
        .info = 2,
        .beyond = "an eigenvalue beyond 60 n 2u |A|",
        .order = "eigenvalues do not rise"};
    int64_t n = q->p->columns;
    return lapack_judge_values(q, &rising, n, n, good_vectors);
}

bool check_lapack_eigen(const struct goal *g, const struct literal *const *got,
                        int n, struct goal_finding *found)
{
    return lapack_judge_all(g, got, n, found, 1, good_system);
}
