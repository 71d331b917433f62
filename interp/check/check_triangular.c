/* check_triangular.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/check/check.h"
#include "interp/check/residual.h"
#include "interp/check/triangular_bound.h"

/* ---- Positions ----------------------------------------------------------- */

int64_t check_triangular_a(const void *context, int64_t i, int64_t j,
                           bool *conjugate)
{
    const struct check_triangular_place *at = context;
    const struct check_triangular *p = at->p;
    if (i < j)
        return -1;
    if (i == j && p->unit_diagonal)
        return -2;
    *conjugate = p->conjugate;
    if (!p->lower) {
        i = p->n - 1 - i;
        j = p->n - 1 - j;
    }
    return at->batch * p->n * p->n + (p->swap ? j * p->n + i : i * p->n + j);
}

int64_t check_triangular_b(const void *context, int64_t i, int64_t j,
                           bool *conjugate)
{
    const struct check_triangular_place *at = context;
    const struct check_triangular *p = at->p;
    int64_t column = at->column + j, first = at->batch * p->n * p->columns;
    if (!p->lower)
        i = p->n - 1 - i;
    return first + (p->left ? i * p->columns + column : column * p->n + i);
}

/* ---- Sums for the judge -------------------------------------------------- */

struct judge {
    const struct check_triangular *p;
    struct check_triangular_place at;
    mpfr_t sum[2][2], x, y;          /* exact; sums by part and end */
    mpfr_t m, t, bound, tiny;        /* rounded up */
    mpfr_t widest, largest;          /* norms of t and of x */
    struct triangular_bound inverse; /* while results are judged */
};

static void judge_open(struct judge *q, const struct check_triangular *p)
{
    q->p = p;
    mpfr_inits2(residual_precision(p->unit), q->sum[0][0], q->sum[0][1],
                q->sum[1][0], q->sum[1][1], q->x, q->y, (mpfr_ptr)0);
    mpfr_inits2(128, q->m, q->t, q->bound, q->tiny, q->widest, q->largest,
                (mpfr_ptr)0);
    residual_tiny(q->tiny, p->unit, p->flush);
}

static void judge_close(struct judge *q)
{
    mpfr_clears(q->sum[0][0], q->sum[0][1], q->sum[1][0], q->sum[1][1], q->x,
                q->y, q->m, q->t, q->bound, q->tiny, q->widest, q->largest,
                (mpfr_ptr)0);
}

/* How many ends are looked at. */
static int ends_of(const struct check_triangular *p)
{
    return p->inexact ? 2 : 1;
}

/* The least (end 0) or the greatest value of one part of t(i, j), exactly. */
static void load_a(const struct judge *q, mpfr_ptr to, int64_t i, int64_t j,
                   int part, int end)
{
    bool conjugate = false;
    int64_t e = check_triangular_a(&q->at, i, j, &conjugate);
    mpfr_set_ui(to, e == -2 && part == 0, MPFR_RNDN);
    if (e < 0)
        return;
    bool turns = part == 1 && conjugate;
    real_bits_to_mpfr(to, q->p->unit,
                      literal_get(q->p->a_ends[turns ? 1 - end : end],
                                  e * q->p->parts + part));
    if (turns)
        mpfr_neg(to, to, MPFR_RNDN);
}

static int64_t unit_of(const struct judge *q, int64_t i, int part)
{
    bool conjugate;
    return check_triangular_b(&q->at, i, 0, &conjugate) * q->p->parts + part;
}

/* The greatest |re| + |im| of t(i, j), rounded up. */
static void size_of_a(struct judge *q, mpfr_ptr to, int64_t i, int64_t j)
{
    mpfr_set_zero(to, 1);
    for (int part = 0; part < q->p->parts; part++) {
        load_a(q, q->x, i, j, part, 0);
        if (q->p->inexact) {
            load_a(q, q->y, i, j, part, 1);
            if (mpfr_cmpabs(q->x, q->y) < 0)
                mpfr_swap(q->x, q->y);
        }
        mpfr_abs(q->x, q->x, MPFR_RNDN);
        mpfr_add(to, to, q->x, MPFR_RNDU);
    }
}

/* Is the least |re| + |im| of t(i, i) that of a normal number?  It is in q->t,
 * rounded down. */
static bool is_diagonal_normal(struct judge *q, int64_t i)
{
    mpfr_set_zero(q->t, 1);
    for (int part = 0; part < q->p->parts; part++) {
        load_a(q, q->x, i, i, part, 0);
        load_a(q, q->y, i, i, part, 1);
        if (mpfr_sgn(q->x) * mpfr_sgn(q->y) <= 0)
            continue;
        if (mpfr_cmpabs(q->x, q->y) > 0)
            mpfr_swap(q->x, q->y);
        mpfr_abs(q->x, q->x, MPFR_RNDN);
        mpfr_add(q->t, q->t, q->x, MPFR_RNDD);
    }
    return mpfr_cmp_ui_2exp(q->t, 1, dtype_table[q->p->unit].emin) >= 0;
}

/* Can no step overflow, or divide by a tiny number? */
static bool is_tame(struct judge *q, const struct real *x)
{
    const struct check_triangular *p = q->p;
    const struct dtype_info *d = &dtype_table[p->unit];
    bool tame = true;
    for (int64_t i = 0; i < p->n && tame; i++) {
        mpfr_set_zero(q->m, 1);
        for (int64_t j = 0; j <= i; j++) {
            size_of_a(q, q->t, i, j);
            tame = tame && (i != j || mpfr_cmp_ui_2exp(q->t, 1, d->emin) >= 0);
            for (int part = 0; part < p->parts; part++) {
                real_to_mpfr(q->bound, &x[j * p->parts + part]);
                mpfr_abs(q->bound, q->bound, MPFR_RNDU);
                tame = tame && mpfr_cmp_ui_2exp(q->bound, 1, d->emax - 2) < 0;
                mpfr_mul(q->bound, q->bound, q->t, MPFR_RNDU);
                mpfr_add(q->m, q->m, q->bound, MPFR_RNDU);
            }
        }
        tame = tame && mpfr_cmp_ui_2exp(q->m, 1, d->emax - 2) < 0;
    }
    return tame;
}

bool check_triangular_tame(const struct check_triangular_place *at,
                           const struct real *x)
{
    struct judge q;
    judge_open(&q, at->p);
    q.at = *at;
    bool tame = is_tame(&q, x);
    judge_close(&q);
    return tame;
}

/* The greatest |re| + |im| of b(i), rounded up. */
static void size_of_b(struct judge *q, mpfr_ptr to, int64_t i)
{
    mpfr_set_zero(to, 1);
    for (int part = 0; part < q->p->parts; part++) {
        int64_t unit = unit_of(q, i, part);
        real_bits_to_mpfr(q->x, q->p->unit, literal_get(q->p->b_ends[0], unit));
        real_bits_to_mpfr(q->y, q->p->unit, literal_get(q->p->b_ends[1], unit));
        if (mpfr_cmpabs(q->x, q->y) < 0)
            mpfr_swap(q->x, q->y);
        mpfr_abs(q->x, q->x, MPFR_RNDN);
        mpfr_add(to, to, q->x, MPFR_RNDU);
    }
}

/* By substitution with sizes, x[i] is the greatest that |re| + |im| of x(i) may
 * be: that of a quotient of complex numbers is at most twice the quotient of
 * theirs. */
static bool is_tame_between(struct judge *q, mpfr_t *x)
{
    const struct check_triangular *p = q->p;
    mpfr_exp_t most = dtype_table[p->unit].emax - 2;
    for (int64_t i = 0; i < p->n; i++) {
        mpfr_set_zero(q->m, 1);
        for (int64_t j = 0; j < i; j++) {
            size_of_a(q, q->t, i, j);
            mpfr_fma(q->m, q->t, x[j], q->m, MPFR_RNDU);
        }
        size_of_b(q, q->t, i);
        mpfr_add(x[i], q->m, q->t, MPFR_RNDU);
        if (!is_diagonal_normal(q, i))
            return false;
        mpfr_div(x[i], x[i], q->t, MPFR_RNDU);
        mpfr_mul_ui(x[i], x[i], (unsigned long)p->parts, MPFR_RNDU);
        size_of_a(q, q->t, i, i);
        mpfr_fma(q->m, q->t, x[i], q->m, MPFR_RNDU);
        if (mpfr_cmp_ui_2exp(x[i], 1, most) >= 0
            || mpfr_cmp_ui_2exp(q->m, 1, most) >= 0)
            return false;
    }
    return true;
}

bool check_triangular_tame_between(const struct check_triangular_place *at)
{
    struct judge q;
    int64_t n = at->p->n;
    mpfr_t *x = arena_new(at->p->arena, mpfr_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        mpfr_init2(x[i], 128);
    judge_open(&q, at->p);
    q.at = *at;
    bool tame = is_tame_between(&q, x);
    judge_close(&q);
    for (int64_t i = 0; i < n; i++)
        mpfr_clear(x[i]);
    return tame;
}

/* ---- A backend's result -------------------------------------------------- */

/* What is to be subtracted from the ends of a sum (added, if turned) for
 * t(i, j).first * x(j).second: its greatest value from the least sum. */
static void take_product(struct judge *q, const struct literal *got, int64_t i,
                         int64_t j, int first, int second, bool turned)
{
    mpfr_t *sum = q->sum[first ^ second];
    real_bits_to_mpfr(q->y, q->p->unit,
                      literal_get(got, unit_of(q, j, second)));
    for (int end = 0; end < ends_of(q->p); end++) {
        bool least = (end == 1) != turned;
        bool falls = mpfr_signbit(q->y) != 0;
        load_a(q, q->x, i, j, first, least == falls);
        mpfr_mul(q->x, q->x, q->y, MPFR_RNDN);
        if (turned)
            mpfr_neg(q->x, q->x, MPFR_RNDN);
        mpfr_sub(sum[end], sum[end], q->x, MPFR_RNDN);
    }
}

/* Replaces the ends of what a residual may be by its least magnitude, in the
 * first. */
static void find_distance(const struct judge *q, mpfr_t *sum)
{
    if (q->p->inexact && mpfr_sgn(sum[0]) <= 0) {
        mpfr_swap(sum[0], sum[1]);
        if (mpfr_sgn(sum[0]) >= 0)
            mpfr_set_zero(sum[0], 1);
    }
    mpfr_abs(sum[0], sum[0], MPFR_RNDN);
}

/* |re| + |im| of row i of the column of x, rounded up. */
static void size_of_x(struct judge *q, mpfr_ptr to, const struct literal *x,
                      int64_t i)
{
    mpfr_set_zero(to, 1);
    for (int part = 0; part < q->p->parts; part++) {
        real_bits_to_mpfr(q->y, q->p->unit,
                          literal_get(x, unit_of(q, i, part)));
        mpfr_abs(q->y, q->y, MPFR_RNDN);
        mpfr_add(to, to, q->y, MPFR_RNDU);
    }
}

/* The least magnitudes of the parts of b - t x in row i, and in m the sum of
 * the greatest magnitudes. */
static void residual(struct judge *q, const struct literal *got, int64_t i)
{
    const struct check_triangular *p = q->p;
    mpfr_set_zero(q->m, 1);
    for (int end = 0; end < ends_of(p); end++) {
        mpfr_set_zero(q->sum[1][end], 1);
        for (int part = 0; part < p->parts; part++)
            real_bits_to_mpfr(q->sum[part][end], p->unit,
                              literal_get(p->b_ends[end], unit_of(q, i, part)));
    }
    for (int64_t j = 0; j <= i; j++) {
        take_product(q, got, i, j, 0, 0, false);
        if (p->parts == 2) {
            take_product(q, got, i, j, 1, 1, true);
            take_product(q, got, i, j, 0, 1, false);
            take_product(q, got, i, j, 1, 0, false);
        }
        size_of_a(q, q->t, i, j);
        for (int part = 0; part < p->parts; part++) {
            real_bits_to_mpfr(q->y, p->unit,
                              literal_get(got, unit_of(q, j, part)));
            mpfr_abs(q->y, q->y, MPFR_RNDN);
            mpfr_mul(q->bound, q->y, q->t, MPFR_RNDU);
            mpfr_add(q->m, q->m, q->bound, MPFR_RNDU);
            if (p->flush) {
                /* An element of a may count as zero. */
                mpfr_mul(q->bound, q->y, q->tiny, MPFR_RNDU);
                mpfr_add(q->m, q->m, q->bound, MPFR_RNDU);
            }
        }
    }
    find_distance(q, q->sum[0]);
    find_distance(q, q->sum[1]);
}

/* The norms of t and of the column of x. */
static void norms(struct judge *q, const struct literal *got)
{
    const struct check_triangular *p = q->p;
    mpfr_set_zero(q->widest, 1);
    mpfr_set_zero(q->largest, 1);
    for (int64_t i = 0; i < p->n; i++) {
        mpfr_set_zero(q->m, 1);
        for (int64_t j = 0; j <= i; j++) {
            size_of_a(q, q->t, i, j);
            mpfr_add(q->m, q->m, q->t, MPFR_RNDU);
        }
        mpfr_max(q->widest, q->widest, q->m, MPFR_RNDU);
        size_of_x(q, q->m, got, i);
        mpfr_max(q->largest, q->largest, q->m, MPFR_RNDU);
    }
}

/* Prepares what an inverse of the current matrix allows. */
static void open_matrix(struct judge *q)
{
    const struct check_triangular *p = q->p;
    int64_t n = q->inverse.n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++)
                load_a(q, q->inverse.t[(i * n + j) * p->parts + part], i, j,
                       part, 0);
    triangular_bound_matrix(&q->inverse, p->unit, p->accumulator, q->tiny);
}

/* The same for the column at work, whose exact result has been rounded. */
static void open_column(struct judge *q, const struct literal *rounded)
{
    if (!q->inverse.known)
        return;
    residual_gamma(q->t, 1, q->p->unit);
    mpfr_add_ui(q->t, q->t, 1, MPFR_RNDU);
    for (int64_t i = 0; i < q->inverse.n; i++) {
        mpfr_ptr x = q->inverse.x[i];
        size_of_x(q, x, rounded, i);
        mpfr_mul(x, x, q->t, MPFR_RNDU);
    }
    triangular_bound_rows(&q->inverse);
}

static int64_t roundings(const struct check_triangular *p)
{
    /* Where rows do not count, a quotient may be a product by an inverse. */
    int64_t k = p->n - (p->unit_diagonal && p->row_wise) + !p->row_wise;
    return p->parts == 1 ? k : 4 * k;
}

/* Gamma of all roundings of a row. */
static void find_gamma(struct judge *q, mpfr_ptr to)
{
    const struct check_triangular *p = q->p;
    residual_gamma(to, roundings(p), p->accumulator);
    if (p->accumulator != p->unit) {
        residual_gamma(q->t, 2, p->unit);
        mpfr_add(to, to, q->t, MPFR_RNDU);
    }
}

/* What underflow may add to a row: a smallest number for each product, and that
 * much in x, times its factor. */
static void find_lost(struct judge *q, mpfr_ptr to, int64_t i)
{
    const struct check_triangular *p = q->p;
    mpfr_set_ui(to, (unsigned long)(i * p->parts), MPFR_RNDU);
    for (int64_t j = p->flush ? 0 : i; j <= i; j++) {
        if (i == j && p->unit_diagonal && !p->flush)
            continue;
        size_of_a(q, q->t, i, j);
        mpfr_add(to, to, q->t, MPFR_RNDU);
    }
    if (p->flush)
        mpfr_add_ui(to, to, 1, MPFR_RNDU); /* b itself */
    mpfr_mul(to, to, q->tiny, MPFR_RNDU);
}

void check_triangular_row(const struct check_triangular_place *at, int64_t i,
                          mpfr_ptr gamma, mpfr_ptr lost)
{
    struct judge q;
    judge_open(&q, at->p);
    q.at = *at;
    find_gamma(&q, gamma);
    find_lost(&q, lost, i);
    judge_close(&q);
}

/* gamma |t| |x|, and what underflow may add. */
static bool good_row(struct judge *q, const struct literal *got, int64_t i,
                     struct goal_finding *found)
{
    const struct check_triangular *p = q->p;
    residual(q, got, i);
    if (!p->row_wise)
        mpfr_mul(q->m, q->widest, q->largest, MPFR_RNDU);
    find_gamma(q, q->bound);
    mpfr_mul(q->bound, q->bound, q->m, MPFR_RNDU);
    find_lost(q, q->m, i);
    mpfr_add(q->bound, q->bound, q->m, MPFR_RNDU);
    if (q->inverse.known)
        mpfr_min(q->bound, q->bound, q->inverse.row[i], MPFR_RNDU);
    mpfr_max(q->t, q->sum[0][0], q->sum[1][0], MPFR_RNDU);
    goal_measure(found, unit_of(q, i, 0), q->t, q->bound);
    return mpfr_cmp(q->t, q->bound) <= 0;
}

static bool column_is_finite(const struct judge *q, const struct literal *got,
                             int64_t *unit)
{
    for (int64_t i = 0; i < q->p->n; i++)
        for (int part = 0; part < q->p->parts; part++) {
            *unit = unit_of(q, i, part);
            if (!real_is_finite(q->p->unit, literal_get(got, *unit)))
                return false;
        }
    return true;
}

/* Has element i of a column a part that is NaN or, unless nan is set, infinite?
 */
static bool is_special(const struct judge *q, const struct literal *column,
                       int64_t i, bool nan)
{
    bool any = false;
    for (int part = 0; part < q->p->parts; part++) {
        uint64_t bits = literal_get(column, unit_of(q, i, part));
        any = any
              || (nan ? real_is_nan(q->p->unit, bits)
                      : !real_is_finite(q->p->unit, bits));
    }
    return any;
}

/* Is t(i, j) a number that nobody takes for zero? */
static bool counts(const struct judge *q, int64_t i, int64_t j)
{
    bool conjugate, any = false;
    int64_t e = check_triangular_a(&q->at, i, j, &conjugate);
    for (int part = 0; e >= 0 && part < q->p->parts; part++) {
        uint64_t bits = literal_get(q->p->a, e * q->p->parts + part);
        any = any
              || (!real_is_zero(q->p->unit, bits)
                  && !(q->p->flush && real_is_subnormal(q->p->unit, bits)));
    }
    return any;
}

enum special {
    NUMBER, /* or not determined */
    NOT_FINITE,
    IS_NAN
};

/* The effect of b on an element of x: that element of b has a factor. */
static enum special special_of(const struct judge *q, int64_t i)
{
    bool nan = q->p->parts == 1 && is_special(q, q->p->b, i, true);
    return nan                                ? IS_NAN
           : is_special(q, q->p->b, i, false) ? NOT_FINITE
                                              : NUMBER;
}

/* Raise what rows below row j must be to what row j makes them.
 *
 * By substitution, x(i) is b(i) less terms t(i, j) x(j), over a number that is
 * finite and not zero; a factor that is zero may be skipped.  Where rows do not
 * count, x may be a product by an inverse, and an element of that may be zero
 * though t(i, j) is not: b(j) counts where no right inverse has a zero. */
static void pass_on(struct judge *q, unsigned char *must, int64_t j)
{
    enum special from =
        q->p->row_wise ? (enum special)must[j] : special_of(q, j);
    bool ready = q->p->row_wise;
    for (int64_t i = j + 1; i < q->p->n; i++) {
        if (must[i] >= from || (!q->p->row_wise && !q->inverse.known))
            continue;
        if (!ready)
            triangular_bound_impulse(&q->inverse, j);
        ready = true;
        if (q->p->row_wise ? counts(q, i, j)
                           : triangular_bound_apart(&q->inverse, i, j))
            must[i] = (unsigned char)from;
    }
}

static bool good_special(struct judge *q, const struct goal *g,
                         const struct literal *got, struct goal_finding *found)
{
    int64_t n = q->p->n;
    unsigned char *must = arena_new(g->arena, unsigned char, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        must[i] = (unsigned char)special_of(q, i);
    for (int64_t j = 0; j < n; j++)
        pass_on(q, must, j);
    for (int64_t i = 0; i < n; i++) {
        bool nan = must[i] == IS_NAN;
        if (must[i] == NUMBER || is_special(q, got, i, nan))
            continue;
        bool own = is_special(q, q->p->b, i, false);
        found->unit = unit_of(q, i, 0);
        snprintf(found->why, sizeof found->why, "b is %s %s: expected %s",
                 nan ? "NaN" : "not finite",
                 own ? "here" : "in a row that this one depends on",
                 nan ? "NaN" : "an infinity or NaN");
        return false;
    }
    return true;
}

static bool good_column(struct judge *q, const struct goal *g,
                        const struct literal *got,
                        enum check_triangular_state state,
                        struct goal_finding *found)
{
    bool finite = column_is_finite(q, got, &found->unit);
    if (state == CHECK_TRIANGULAR_SINGULAR && q->p->special_due && finite) {
        snprintf(found->why, sizeof found->why,
                 "a is singular: expected an infinity or NaN");
        return false;
    }
    if (state == CHECK_TRIANGULAR_SPECIAL)
        return good_special(q, g, got, found);
    if (state != CHECK_TRIANGULAR_SOLVED)
        return true;
    if (!finite) {
        snprintf(found->why, sizeof found->why, "not finite");
        return false;
    }
    if (!q->p->row_wise) {
        norms(q, got);
        open_column(q, g->value);
    }
    for (int64_t i = 0; i < q->p->n; i++) {
        if (good_row(q, got, i, found))
            continue;
        found->unit = unit_of(q, i, 0);
        snprintf(found->why, sizeof found->why,
                 "the residual exceeds the rounding error");
        return false;
    }
    return true;
}

bool check_triangular(const struct goal *g, const struct literal *const *got,
                      int n, struct goal_finding *found)
{
    const struct check_triangular *p = g->check.data;
    struct judge q;
    bool good = true;
    judge_open(&q, p);
    /* What an inverse allows is known for one matrix. */
    triangular_bound_open(&q.inverse, g->arena,
                          p->row_wise || p->inexact ? 0 : p->n, p->parts);
    for (int64_t i = 0; good && i < p->batches * p->columns; i++) {
        q.at =
            (struct check_triangular_place){p, i / p->columns, i % p->columns};
        if (q.at.column == 0)
            open_matrix(&q);
        good = good_column(&q, g, got[0], p->state[i], found);
    }
    triangular_bound_close(&q.inverse);
    judge_close(&q);
    return good;
}
