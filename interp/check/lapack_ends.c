/* lapack_ends.c - what a program may compute from LAPACK's results.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Eigenvalues and singular values are bounded one by one (lapack_judge.c).
 *
 * Factors are known where the pivots are.  Let P A = L U.  Right factors of the
 * same pivots are L (I + X) and (I + Y) U, of P A + E, X strictly lower and Y
 * upper triangular.  With F = L^-1 E U^-1 and Z = X + Y, whose norm is
 * Frobenius',
 *
 *     Z = F - X Y,  |Z| <= |F| + |Z|^2 / 2
 *
 * so |Z| is at most z = 1 - sqrt(1 - 2 |F|) if |F| < 1/2, as E may grow from
 * zero; and |Z_ij| <= |F_ij| + z^2 / 2.  As no column of E has a norm above e,
 * |F_ij| is at most e p_i q_j, where p_i is the largest element of a row of
 * L^-1 and q_j the sum of a column of U^-1.
 *
 * With another pivot at step k there is a factor of the inverse of one that has
 * the right pivots, which is too large if all of these are far enough below 1.
 * This holds for any E, so bounds of P A + E decide it.
 * Tests: lapack.t.
 */
#include "interp/check/check_lapack.h"
#include "interp/check/lapack_judge.h"
#include "interp/check/residual.h"

enum {
    SIZE_BITS = 64,
    LOST_BITS = 100, /* of factors and inverses, in 512 bits */
    ROWS_MAX = 128
};

bool lapack_ends(const struct goal *g, int64_t i, struct goal_ends *e,
                 const char **why)
{
    const struct check_lapack *p = g->check.data;
    int place = g->check.place;
    int64_t units = literal_units(g->value) / p->batches;
    if (!p->least[place] || !p->bounded[i / units])
        return false;
    *e = (struct goal_ends){literal_get(p->least[place], i),
                            literal_get(p->most[place], i)};
    return true;
}

/* x plus or minus a bound, as the ends of a unit. */
static bool put_ends(const struct lapack_judge *q, int place, int64_t unit,
                     mpfr_srcptr x, mpfr_srcptr off)
{
    const struct check_lapack *p = q->p;
    MPFR_DECL_INIT(end, 128);
    bool finite = true;
    for (int up = 0; up < 2; up++) {
        (up ? mpfr_add : mpfr_sub)(end, x, off, up ? MPFR_RNDU : MPFR_RNDD);
        uint64_t bits = residual_end(end, p->unit, up);
        finite = finite && real_is_finite(p->unit, bits);
        literal_set(up ? p->most[place] : p->least[place], unit, bits);
    }
    return finite;
}

static void find_ends(struct check_lapack *p, const struct goal *g,
                      lapack_judge_one *find, int place)
{
    struct goal_finding unused;
    p->bounded = arena_new(g->arena, unsigned char, (size_t)p->batches + 1);
    lapack_judge_all(g, NULL, 0, &unused, place, find);
}

static void make_room(struct check_lapack *p, struct arena *a, int place)
{
    p->least[place] = literal_copy(a, p->exact[place]);
    p->most[place] = literal_copy(a, p->exact[place]);
}

/* ---- Eigenvalues and singular values ------------------------------------- */

/* Each within q->bound of the reference's. */
static bool find_values(struct lapack_judge *q)
{
    const struct literal *exact = q->p->exact[1];
    int64_t n = literal_units(exact) / q->p->batches;
    bool finite = true;
    for (int64_t i = q->batch * n; i < (q->batch + 1) * n; i++) {
        real_bits_to_mpfr(q->t, q->p->unit, literal_get(exact, i));
        finite = put_ends(q, 1, i, q->t, q->bound) && finite;
    }
    q->p->bounded[q->batch] = finite;
    return true;
}

static bool find_eigenvalues(struct lapack_judge *q)
{
    lapack_judge_bound(q, LAPACK_JUDGE_SYSTEM, q->p->columns);
    return find_values(q);
}

static bool find_singular_values(struct lapack_judge *q)
{
    int64_t m = q->p->rows, n = q->p->columns;
    lapack_judge_bound(q, LAPACK_JUDGE_SINGULAR, m > n ? m : n);
    return find_values(q);
}

void lapack_ends_eigen(struct check_lapack *p, const struct goal *g)
{
    make_room(p, g->arena, 1);
    find_ends(p, g, find_eigenvalues, 0);
}

void lapack_ends_svd(struct check_lapack *p, const struct goal *g)
{
    make_room(p, g->arena, 1);
    find_ends(p, g, find_singular_values, 1);
}

/* ---- Factors ------------------------------------------------------------- */

struct factors {
    struct lapack_judge *q;
    struct lapack_matrix f, inverse; /* L and U; their inverses in turn */
    mpfr_t *row, *column;            /* p and q */
    mpfr_t second, t;                /* z^2 / 2 */
};

/* Rows of the operand where the reference's pivots put them. */
static void apply_pivots(struct lapack_judge *q)
{
    int64_t n = q->p->rows;
    for (int64_t i = 0; i < n; i++)
        lapack_matrix_swap_rows(
            &q->a, i, literal_int(q->p->exact[1], q->batch * n + i) - 1);
}

/* y -= x z */
static void subtract(struct factors *w, mpfr_ptr y, mpfr_srcptr x,
                     mpfr_srcptr z)
{
    mpfr_mul(w->q->t, x, z, MPFR_RNDN);
    mpfr_sub(y, y, w->q->t, MPFR_RNDN);
}

/* In f; false: a pivot is zero. */
static bool factorize(struct factors *w)
{
    const struct lapack_matrix *f = &w->f, *a = &w->q->a;
    int64_t n = f->rows;
    for (int64_t i = 0; i < n * n; i++)
        mpfr_set(f->at[i], a->at[i], MPFR_RNDN);
    for (int64_t k = 0; k < n; k++) {
        mpfr_srcptr pivot = lapack_matrix_at(f, k, k);
        if (mpfr_zero_p(pivot))
            return false;
        for (int64_t i = k + 1; i < n; i++) {
            mpfr_ptr l = lapack_matrix_at(f, i, k);
            mpfr_div(l, l, pivot, MPFR_RNDN);
            for (int64_t j = k + 1; j < n; j++)
                subtract(w, lapack_matrix_at(f, i, j), l,
                         lapack_matrix_at(f, k, j));
        }
    }
    return true;
}

/* Column k of L^-1 from the top, or of U^-1 from the bottom. */
static void invert_column(struct factors *w, int64_t k, bool lower)
{
    int64_t n = w->f.rows, step = lower ? 1 : -1;
    for (int64_t i = k; i >= 0 && i < n; i += step) {
        mpfr_ptr x = lapack_matrix_at(&w->inverse, i, k);
        mpfr_set_ui(x, i == k, MPFR_RNDN);
        for (int64_t j = k; j != i; j += step)
            subtract(w, x, lapack_matrix_at(&w->f, i, j),
                     lapack_matrix_at(&w->inverse, j, k));
        if (!lower)
            mpfr_div(x, x, lapack_matrix_at(&w->f, i, i), MPFR_RNDN);
        mpfr_abs(w->t, x, MPFR_RNDU);
        if (lower)
            mpfr_max(w->row[i], w->row[i], w->t, MPFR_RNDU);
        else
            mpfr_add(w->column[k], w->column[k], w->t, MPFR_RNDU);
    }
}

/* The squares of numbers, which become larger by what is lost. */
static void square_all(struct factors *w, mpfr_t *x, mpfr_ptr sum)
{
    mpfr_set_zero(sum, 1);
    for (int64_t i = 0; i < w->f.rows; i++) {
        mpfr_mul_d(x[i], x[i], 1 + 0x1p-40, MPFR_RNDU);
        mpfr_fma(sum, x[i], x[i], sum, MPFR_RNDU);
    }
}

/* p times e, q and z^2 / 2; false: the bound is not known. */
static bool bound_z(struct factors *w)
{
    for (int64_t k = 0; k < w->f.rows; k++) {
        invert_column(w, k, true);
        invert_column(w, k, false);
    }
    for (int64_t i = 0; i < w->f.rows; i++)
        mpfr_mul(w->row[i], w->row[i], w->q->bound, MPFR_RNDU);
    square_all(w, w->row, w->second);
    square_all(w, w->column, w->t);
    mpfr_mul(w->t, w->t, w->second, MPFR_RNDU);
    mpfr_sqrt(w->t, w->t, MPFR_RNDU); /* |F| */
    mpfr_mul_2ui(w->t, w->t, 1, MPFR_RNDU);
    mpfr_ui_sub(w->t, 1, w->t, MPFR_RNDD);
    if (!(mpfr_sgn(w->t) > 0))
        return false;
    mpfr_sqrt(w->t, w->t, MPFR_RNDD);
    mpfr_ui_sub(w->t, 1, w->t, MPFR_RNDU);
    mpfr_sqr(w->second, w->t, MPFR_RNDU);
    mpfr_div_2ui(w->second, w->second, 1, MPFR_RNDU);
    return true;
}

/* How far element i, j of the factors may be off: |L| |X|, or |Y| |U|. */
static void bound_element(struct factors *w, int64_t i, int64_t j, mpfr_ptr off)
{
    MPFR_DECL_INIT(z, SIZE_BITS);
    bool lower = i > j;
    mpfr_set_zero(off, 1);
    for (int64_t k = lower ? j + 1 : i; k <= (lower ? i : j); k++) {
        mpfr_fma(z, w->row[lower ? k : i], w->column[lower ? j : k], w->second,
                 MPFR_RNDU);
        mpfr_abs(w->t,
                 lower ? lapack_matrix_at(&w->f, i, k)
                       : lapack_matrix_at(&w->f, k, j),
                 MPFR_RNDU);
        if (lower && k == i)
            mpfr_set_ui(w->t, 1, MPFR_RNDU);
        mpfr_fma(off, w->t, z, off, MPFR_RNDU);
    }
    mpfr_abs(w->t, lapack_matrix_at(&w->f, i, j), MPFR_RNDU);
    mpfr_div_2ui(w->t, w->t, LOST_BITS, MPFR_RNDU);
    mpfr_add(off, off, w->t, MPFR_RNDU);
}

/* Is L's element so far below 1 that its row is no pivot; is U's diagonal not
 * zero? */
static bool is_decided(struct factors *w, int64_t i, int64_t j, mpfr_srcptr off)
{
    mpfr_abs(w->t, lapack_matrix_at(&w->f, i, j),
             i == j ? MPFR_RNDD : MPFR_RNDU);
    if (i == j)
        return mpfr_cmp(w->t, off) > 0;
    if (i < j)
        return true;
    MPFR_DECL_INIT(most, SIZE_BITS);
    lapack_judge_factor(most, w->q->p);
    mpfr_add(w->t, w->t, off, MPFR_RNDU);
    mpfr_mul(w->t, w->t, most, MPFR_RNDU);
    return mpfr_cmp_ui(w->t, 1) < 0;
}

static bool put_factors(struct factors *w)
{
    int64_t n = w->f.rows, first = w->q->batch * n * n;
    MPFR_DECL_INIT(off, SIZE_BITS);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            bound_element(w, i, j, off);
            if (!is_decided(w, i, j, off)
                || !put_ends(w->q, 0, first + i * n + j,
                             lapack_matrix_at(&w->f, i, j), off))
                return false;
        }
    return true;
}

static bool find_factors(struct lapack_judge *q)
{
    struct arena *a = q->goal->arena;
    int64_t n = q->p->rows;
    struct factors w = {.q = q};
    lapack_matrix_open(&w.f, a, n, n, 1);
    lapack_matrix_open(&w.inverse, a, n, n, 1);
    w.row = residual_numbers(a, n, SIZE_BITS);
    w.column = residual_numbers(a, n, SIZE_BITS);
    mpfr_inits2(SIZE_BITS, w.second, w.t, (mpfr_ptr)0);
    apply_pivots(q);
    lapack_judge_bound(q, LAPACK_JUDGE_FACTORS, n);
    q->p->bounded[q->batch] = factorize(&w) && bound_z(&w) && put_factors(&w);
    mpfr_clears(w.second, w.t, (mpfr_ptr)0);
    residual_clear(w.row, n);
    residual_clear(w.column, n);
    lapack_matrix_close(&w.inverse);
    lapack_matrix_close(&w.f);
    return true;
}

void lapack_ends_lu(struct check_lapack *p, const struct goal *g)
{
    if (p->parts != 1 || p->rows != p->columns || p->rows > ROWS_MAX)
        return;
    for (int place = 0; place < 3; place++)
        make_room(p, g->arena, place);
    find_ends(p, g, find_factors, 0);
}
