/* check_lapack.c - see check_lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sums are rounded to 512 bits, which is far below what any bound can see.
 */
#include "interp/check/check_lapack.h"

#include <stdio.h>

#include "interp/check/residual.h"

/* ---- Matrices ------------------------------------------------------------ */

void check_lapack_open(struct check_lapack_matrix *m, struct arena *a,
                       int64_t rows, int64_t columns)
{
    *m = (struct check_lapack_matrix){rows, columns, NULL};
    m->at = arena_new(a, mpfr_t, (size_t)(rows * columns) + 1);
    for (int64_t i = 0; i < rows * columns; i++) {
        mpfr_init2(m->at[i], CHECK_LAPACK_BITS);
        mpfr_set_zero(m->at[i], 1);
    }
}

void check_lapack_close(struct check_lapack_matrix *m)
{
    for (int64_t i = 0; i < m->rows * m->columns; i++)
        mpfr_clear(m->at[i]);
}

mpfr_ptr check_lapack_at(const struct check_lapack_matrix *m, int64_t i,
                         int64_t j)
{
    return m->at[i * m->columns + j];
}

/* The unit that the call reads for row i and column j. */
static uint64_t bits_at(const struct check_lapack *p, int64_t batch,
                        bool symmetric, int64_t i, int64_t j)
{
    bool other = symmetric && (p->lower ? i < j : i > j);
    int64_t at = other ? j * p->columns + i : i * p->columns + j;
    return literal_get(p->a, batch * p->rows * p->columns + at);
}

bool check_lapack_finite(const struct check_lapack *p, int64_t batch,
                         bool symmetric)
{
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            if (!real_is_finite(p->unit, bits_at(p, batch, symmetric, i, j)))
                return false;
    return true;
}

void check_lapack_read(const struct check_lapack *p, int64_t batch,
                       bool symmetric, struct check_lapack_matrix *m)
{
    for (int64_t i = 0; i < p->rows; i++)
        for (int64_t j = 0; j < p->columns; j++)
            real_bits_to_mpfr(check_lapack_at(m, i, j), p->unit,
                              bits_at(p, batch, symmetric, i, j));
}

/* The 1-norm: the largest sum of magnitudes of a column. */
static void norm(mpfr_ptr to, const struct check_lapack_matrix *m)
{
    MPFR_DECL_INIT(sum, 128);
    mpfr_set_zero(to, 1);
    for (int64_t j = 0; j < m->columns; j++) {
        mpfr_set_zero(sum, 1);
        for (int64_t i = 0; i < m->rows; i++) {
            mpfr_srcptr x = check_lapack_at(m, i, j);
            if (mpfr_sgn(x) < 0)
                mpfr_sub(sum, sum, x, MPFR_RNDU);
            else
                mpfr_add(sum, sum, x, MPFR_RNDU);
        }
        mpfr_max(to, to, sum, MPFR_RNDU);
    }
}

/* ---- What the judges share ----------------------------------------------- */

struct judge {
    const struct check_lapack *p;
    struct check_lapack_matrix a, rest;
    mpfr_t size, error, bound, t;
};

static void judge_open(struct judge *q, const struct goal *g)
{
    q->p = g->check.data;
    check_lapack_open(&q->a, g->arena, q->p->rows, q->p->columns);
    check_lapack_open(&q->rest, g->arena, q->p->rows, q->p->columns);
    mpfr_inits2(CHECK_LAPACK_BITS, q->size, q->error, q->bound, q->t,
                (mpfr_ptr)0);
}

static void judge_close(struct judge *q)
{
    check_lapack_close(&q->a);
    check_lapack_close(&q->rest);
    mpfr_clears(q->size, q->error, q->bound, q->t, (mpfr_ptr)0);
}

/* The thresholds of LAPACK's test programs, in n u. */
enum {
    FACTORS = 30,
    SYSTEM = 2 * 60
};

/* bound = times n u size, and what underflow may add */
static void set_bound(struct judge *q, int times)
{
    const struct dtype_info *d = &dtype_table[q->p->unit];
    int64_t n = q->p->columns;
    mpfr_mul_ui(q->bound, q->size, (unsigned long)(times * n), MPFR_RNDU);
    mpfr_mul_2si(q->bound, q->bound, -d->precision, MPFR_RNDU);
    residual_tiny(q->t, q->p->unit, true);
    mpfr_mul_ui(q->t, q->t, (unsigned long)(n * (q->p->rows + 1)), MPFR_RNDU);
    mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
}

static bool fail(struct goal_finding *found, int leaf, int64_t unit,
                 const char *why)
{
    found->leaf = leaf;
    found->unit = unit;
    snprintf(found->why, sizeof found->why, "%s", why);
    return false;
}

/* The rest is judged at a unit of the first result. */
static bool is_small(struct judge *q, int64_t unit, const char *why,
                     struct goal_finding *found)
{
    norm(q->error, &q->rest);
    goal_measure(found, unit, q->error, q->bound);
    return mpfr_cmp(q->error, q->bound) <= 0 || fail(found, 0, unit, why);
}

/* Result `place` of the call, or NULL if the program does not pass it on. */
static const struct literal *
result(const struct goal *g, const struct literal *const *got, int n, int place)
{
    int i = place - g->check.place;
    return i >= 0 && i < n ? got[i] : NULL;
}

static void load(const struct judge *q, mpfr_ptr to, const struct literal *l,
                 int64_t i)
{
    real_bits_to_mpfr(to, q->p->unit, literal_get(l, i));
}

static bool all_finite(const struct judge *q, const struct literal *l,
                       int64_t first, int64_t count, int64_t *unit)
{
    for (*unit = first; *unit < first + count; ++*unit)
        if (!real_is_finite(q->p->unit, literal_get(l, *unit)))
            return false;
    return true;
}

/* May a sum of as many terms as the matrix has columns overflow, each as large
 * as a result of the reference? */
static bool may_overflow(const struct judge *q, int64_t batch, int place)
{
    MPFR_DECL_INIT(x, 64);
    MPFR_DECL_INIT(most, 64);
    const struct literal *l = q->p->exact[place];
    int64_t size = literal_units(l) / q->p->batches, first = batch * size;
    real_bits_to_mpfr(most, q->p->unit, real_max(q->p->unit, false));
    mpfr_div_ui(most, most, (unsigned long)q->p->columns, MPFR_RNDD);
    for (int64_t i = first; i < first + size; i++) {
        if (!real_is_finite(q->p->unit, literal_get(l, i)))
            return true;
        load(q, x, l, i);
        if (mpfr_cmpabs(x, most) > 0)
            return true;
    }
    return false;
}

/* Of other operands nothing is known; place: of the results that may overflow.
 */
static bool is_judged(const struct judge *q, int64_t batch, bool symmetric,
                      int place)
{
    return check_lapack_finite(q->p, batch, symmetric)
           && !may_overflow(q, batch, place);
}

/* ---- getrf --------------------------------------------------------------- */

static void swap_rows(const struct check_lapack_matrix *m, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < m->columns; j++)
        mpfr_swap(check_lapack_at(m, i, j), check_lapack_at(m, k, j));
}

/* rest = L U of the factors in one array */
static void multiply(struct judge *q, const struct literal *factors,
                     int64_t first)
{
    MPFR_DECL_INIT(l, 64);
    MPFR_DECL_INIT(u, 64);
    int64_t n = q->p->columns;
    for (int64_t i = 0; i < q->p->rows; i++)
        for (int64_t j = 0; j < n; j++) {
            mpfr_ptr sum = check_lapack_at(&q->rest, i, j);
            mpfr_set_zero(sum, 1);
            for (int64_t k = 0; k <= i && k <= j; k++) {
                load(q, u, factors, first + k * n + j);
                load(q, l, factors, first + i * n + k);
                if (i == k)
                    mpfr_set_ui(l, 1, MPFR_RNDN);
                mpfr_mul(q->t, l, u, MPFR_RNDN);
                mpfr_add(sum, sum, q->t, MPFR_RNDN);
            }
        }
}

/* Rows of a where the pivots put them. */
static bool apply_pivots(struct judge *q, const struct literal *pivots,
                         int64_t batch, int leaf, struct goal_finding *found)
{
    int64_t k = q->p->rows < q->p->columns ? q->p->rows : q->p->columns;
    for (int64_t i = 0; i < k; i++) {
        int64_t row = literal_int(pivots, batch * k + i) - 1;
        if (row < i || row >= q->p->rows)
            return fail(found, leaf, batch * k + i,
                        "a pivot that is no later row");
        if (row != i)
            swap_rows(&q->a, i, row);
    }
    return true;
}

/* Without pivots: row i is the one of a that is nearest to it. */
static void match_rows(struct judge *q)
{
    for (int64_t i = 0; i < q->p->rows; i++) {
        int64_t best = i;
        for (int64_t k = i; k < q->p->rows; k++) {
            mpfr_set_zero(q->t, 1);
            for (int64_t j = 0; j < q->p->columns; j++) {
                mpfr_sub(q->error, check_lapack_at(&q->a, k, j),
                         check_lapack_at(&q->rest, i, j), MPFR_RNDN);
                mpfr_abs(q->error, q->error, MPFR_RNDN);
                mpfr_max(q->t, q->t, q->error, MPFR_RNDN);
            }
            if (k == i || mpfr_cmp(q->t, q->bound) < 0) {
                mpfr_set(q->bound, q->t, MPFR_RNDN);
                best = k;
            }
        }
        swap_rows(&q->a, i, best);
    }
}

/* Partial pivoting leaves no factor above 1; a product by a reciprocal may be
 * rounded twice. */
static bool is_bounded(const struct judge *q, const struct literal *factors,
                       int64_t first, int64_t *unit)
{
    MPFR_DECL_INIT(l, 64);
    MPFR_DECL_INIT(most, 64);
    mpfr_set_ui_2exp(most, 1, 2 - dtype_table[q->p->unit].precision, MPFR_RNDU);
    mpfr_add_ui(most, most, 1, MPFR_RNDU);
    for (int64_t i = 0; i < q->p->rows; i++)
        for (int64_t j = 0; j < i && j < q->p->columns; j++) {
            *unit = first + i * q->p->columns + j;
            load(q, l, factors, *unit);
            if (mpfr_cmpabs(l, most) > 0)
                return false;
        }
    return true;
}

/* The number, from 1, of the first zero of U's diagonal; 0: none. */
static int64_t find_zero(const struct judge *q, const struct literal *factors,
                         int64_t first)
{
    int64_t n = q->p->columns;
    for (int64_t i = 0; i < q->p->rows && i < n; i++)
        if (real_is_zero(q->p->unit, literal_get(factors, first + i * n + i)))
            return i + 1;
    return 0;
}

static bool good_factors(struct judge *q, const struct goal *g,
                         const struct literal *const *got, int n, int64_t b,
                         struct goal_finding *found)
{
    const struct literal *factors = result(g, got, n, 0);
    const struct literal *pivots = result(g, got, n, 1);
    const struct literal *info = result(g, got, n, 2);
    int64_t size = q->p->rows * q->p->columns, unit;
    check_lapack_read(q->p, b, false, &q->a);
    norm(q->size, &q->a);
    if (pivots && !apply_pivots(q, pivots, b, 1 - g->check.place, found))
        return false;
    if (!factors)
        return true;
    if (!all_finite(q, factors, b * size, size, &unit))
        return fail(found, 0, unit, "not finite");
    if (!is_bounded(q, factors, b * size, &unit))
        return fail(found, 0, unit, "a factor of L above 1");
    multiply(q, factors, b * size);
    if (!pivots)
        match_rows(q);
    for (int64_t i = 0; i < size; i++)
        mpfr_sub(q->rest.at[i], q->rest.at[i], q->a.at[i], MPFR_RNDN);
    set_bound(q, FACTORS);
    if (!is_small(q, b * size, "the residual |P A - L U| exceeds 30 n u |A|",
                  found))
        return false;
    if (info && literal_int(info, b) != find_zero(q, factors, b * size))
        return fail(found, 2 - g->check.place, b,
                    "info is not the number of the first zero of U's diagonal");
    return true;
}

bool check_lapack_lu(const struct goal *g, const struct literal *const *got,
                     int n, struct goal_finding *found)
{
    struct judge q;
    bool good = true;
    judge_open(&q, g);
    for (int64_t b = 0; good && b < q.p->batches; b++)
        good = !is_judged(&q, b, false, 0)
               || good_factors(&q, g, got, n, b, found);
    judge_close(&q);
    return good;
}

/* ---- syevd --------------------------------------------------------------- */

/* rest = V diag(w) V^T - A, or V V^T - I without w */
static void compose(struct judge *q, const struct literal *v,
                    const struct literal *w, int64_t b)
{
    MPFR_DECL_INIT(x, 64);
    int64_t n = q->p->columns, first = b * n * n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            mpfr_ptr sum = check_lapack_at(&q->rest, i, j);
            if (w)
                mpfr_neg(sum, check_lapack_at(&q->a, i, j), MPFR_RNDN);
            else
                mpfr_set_si(sum, -(i == j), MPFR_RNDN);
            for (int64_t k = 0; k < n; k++) {
                load(q, x, v, first + i * n + k);
                mpfr_set(q->t, x, MPFR_RNDN);
                load(q, x, v, first + j * n + k);
                mpfr_mul(q->t, q->t, x, MPFR_RNDN);
                if (w) {
                    load(q, x, w, b * n + k);
                    mpfr_mul(q->t, q->t, x, MPFR_RNDN);
                }
                mpfr_add(sum, sum, q->t, MPFR_RNDN);
            }
        }
}

/* Eigenvalues rise, except subnormal ones, which may be taken for zeros; and
 * each is within the bound of the exact one. */
static bool good_values(struct judge *q, const struct literal *w,
                        const struct literal *exact, int leaf, int64_t b,
                        struct goal_finding *found)
{
    int64_t n = q->p->columns;
    for (int64_t k = 0; k < n; k++) {
        load(q, q->t, w, b * n + k);
        load(q, q->error, exact, b * n + k);
        mpfr_sub(q->error, q->error, q->t, MPFR_RNDN);
        mpfr_abs(q->error, q->error, MPFR_RNDN);
        goal_measure(found, b * n + k, q->error, q->bound);
        if (mpfr_cmp(q->error, q->bound) > 0)
            return fail(found, leaf, b * n + k,
                        "an eigenvalue beyond 60 n 2u |A|");
        if (k == 0)
            continue;
        load(q, q->error, w, b * n + k - 1);
        mpfr_sub(q->error, q->error, q->t, MPFR_RNDN);
        residual_tiny(q->t, q->p->unit, true);
        if (mpfr_cmp(q->error, q->t) > 0)
            return fail(found, leaf, b * n + k, "eigenvalues do not rise");
    }
    return true;
}

static bool good_system(struct judge *q, const struct goal *g,
                        const struct literal *const *got, int n, int64_t b,
                        struct goal_finding *found)
{
    const struct literal *v = result(g, got, n, 0);
    const struct literal *w = result(g, got, n, 1);
    const struct literal *info = result(g, got, n, 2);
    const struct literal *const *exact = q->p->exact;
    int64_t size = q->p->columns, unit;
    check_lapack_read(q->p, b, true, &q->a);
    norm(q->size, &q->a);
    if (info && literal_int(info, b) != 0)
        return fail(found, 2 - g->check.place, b, "info is not 0");
    if (w && !all_finite(q, w, b * size, size, &unit))
        return fail(found, 1 - g->check.place, unit, "not finite");
    set_bound(q, SYSTEM);
    if (w && !good_values(q, w, exact[1], 1 - g->check.place, b, found))
        return false;
    if (!v || !q->p->vectors)
        return true;
    if (!all_finite(q, v, b * size * size, size * size, &unit))
        return fail(found, 0, unit, "not finite");
    compose(q, v, w ? w : exact[1], b);
    if (!is_small(q, b * size * size,
                  "the residual |A - V diag(w) V^T| exceeds 60 n 2u |A|",
                  found))
        return false;
    compose(q, v, NULL, b);
    mpfr_set_ui(q->size, 1, MPFR_RNDN);
    set_bound(q, SYSTEM);
    return is_small(q, b * size * size,
                    "vectors are not orthogonal: |I - V V^T| exceeds 60 n 2u",
                    found);
}

bool check_lapack_eigen(const struct goal *g, const struct literal *const *got,
                        int n, struct goal_finding *found)
{
    struct judge q;
    bool good = true;
    judge_open(&q, g);
    for (int64_t b = 0; good && b < q.p->batches; b++)
        good =
            !is_judged(&q, b, true, 1) || good_system(&q, g, got, n, b, found);
    judge_close(&q);
    return good;
}
