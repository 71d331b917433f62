/* cholesky_bound.c - how far a right factor is from the exact one.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A right factor of A = L L^H is the exact factor L (I + X) of A + E, X lower
 * triangular.  With F = L^-1 E L^-H, X + X^H = F - X X^H, so
 *
 *     |X| <= (|F| + |X|^2) / sqrt(2)
 *
 * in Frobenius' norm: a real diagonal has half of its sum, and of two elements
 * beside it X has one.  E may grow from zero, and X with it, so |X| is at most
 * the lesser root, x = (1 - sqrt(1 - 2 |F|)) / sqrt(2), if |F| < 1/2.  Element
 * by element |X| <= |F| + x^2, half of that on the diagonal.
 *
 * L = D S, the rows of S having norm 1.  In 256 bits S^-1, whose norm is below
 * 2^27 where rounding loses no pivot, is off by far less than 2^-40 of it.
 * Tests: tools/test/decomposed.t.
 */
#include "interp/check/check.h"
#include "interp/check/residual.h"
#include "interp/goal/goal_ends.h"

enum {
    BITS = 256,
    SIZE_BITS = 64,
    LOST_BITS = 40, /* of S^-1 */
    ROWS_MAX = 128  /* of larger matrices this takes too long */
};

struct factor {
    const struct check_cholesky *p;
    int64_t batch;
    mpfr_t *s, *inverse; /* S and S^-1: parts, by rows */
    mpfr_t *scale;       /* D */
    mpfr_t *sizes;       /* of S^-1 */
    mpfr_t *e, *f;       /* sizes of D^-1 E D^-1, and of F */
    mpfr_t sum, trace, t;
};

/* The modulus of a number, rounded up. */
static void size_of(mpfr_ptr to, mpfr_t *z, int parts)
{
    if (parts == 2)
        mpfr_hypot(to, z[0], z[1], MPFR_RNDU);
    else
        mpfr_abs(to, z[0], MPFR_RNDU);
}

/* ---- The inverse --------------------------------------------------------- */

static void scale_rows(struct factor *q)
{
    int64_t width = q->p->n * q->p->parts;
    for (int64_t i = 0; i < q->p->n; i++) {
        mpfr_t *row = q->s + i * width;
        mpfr_set_zero(q->sum, 1);
        for (int64_t j = 0; j < width; j++) {
            mpfr_sqr(q->t, row[j], MPFR_RNDN);
            mpfr_add(q->sum, q->sum, q->t, MPFR_RNDN);
        }
        mpfr_sqrt(q->scale[i], q->sum, MPFR_RNDN);
        for (int64_t j = 0; j < width; j++)
            mpfr_div(row[j], row[j], q->scale[i], MPFR_RNDN);
    }
}

/* z -= x y */
static void subtract_product(struct factor *q, mpfr_t *z, mpfr_t *x, mpfr_t *y)
{
    for (int i = 0; i < q->p->parts; i++)
        for (int k = 0; k < q->p->parts; k++) {
            mpfr_mul(q->t, x[i], y[k], MPFR_RNDN);
            if (i && k)
                mpfr_neg(q->t, q->t, MPFR_RNDN);
            mpfr_sub(z[i ^ k], z[i ^ k], q->t, MPFR_RNDN);
        }
}

/* By forward substitution, and the sum of the squares of its elements. */
static void invert(struct factor *q)
{
    int64_t n = q->p->n;
    int c = q->p->parts;
    mpfr_set_zero(q->trace, 1);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = k; i < n; i++) {
            mpfr_t *z = &q->inverse[(i * n + k) * c];
            mpfr_set_ui(z[0], i == k, MPFR_RNDN);
            for (int64_t j = k; j < i; j++)
                subtract_product(q, z, &q->s[(i * n + j) * c],
                                 &q->inverse[(j * n + k) * c]);
            for (int part = 0; part < c; part++) {
                mpfr_div(z[part], z[part], q->s[(i * n + i) * c], MPFR_RNDN);
                mpfr_sqr(q->t, z[part], MPFR_RNDN);
                mpfr_add(q->trace, q->trace, q->t, MPFR_RNDU);
            }
        }
}

/* With H = S S^H, which has a diagonal of ones, rounding cannot make a pivot
 * vanish if n gamma / (1 - gamma) is below the least eigenvalue of H, which is
 * at least 1 / trace(H^-1); or below that divided by margin. */
static bool may_break_down(struct factor *q, const struct real *exact,
                           unsigned long margin)
{
    const struct check_cholesky *p = q->p;
    const struct dtype_info *d = &dtype_table[p->unit];
    /* Squares that underflow are another way to lose a pivot. */
    for (int64_t i = 0; i < p->n; i++)
        if (2 * exact[(i * p->n + i) * p->parts].exponent
            < d->emin + d->precision + 8)
            return true;
    residual_gamma(q->sum, 2 * check_cholesky_roundings(p), p->unit);
    mpfr_mul_ui(q->sum, q->sum, (unsigned long)p->n, MPFR_RNDU);
    mpfr_mul(q->sum, q->sum, q->trace, MPFR_RNDU);
    mpfr_mul_ui(q->sum, q->sum, margin, MPFR_RNDU);
    return !(mpfr_cmp_ui(q->sum, 1) < 0);
}

/* ---- Ends ---------------------------------------------------------------- */

/* How far a part of a(i, j) may be from the one that the factor is of. */
static void add_width(const struct factor *q, int64_t i, int64_t j,
                      mpfr_ptr sum)
{
    const struct check_cholesky *p = q->p;
    const struct literal *ends[] = {p->low, p->high};
    MPFR_DECL_INIT(a, 64);
    MPFR_DECL_INIT(end, 64);
    MPFR_DECL_INIT(far, 64);
    for (int part = 0; part < p->parts; part++) {
        int64_t at =
            check_cholesky_element(p, q->batch * p->n * p->n, i, j) * p->parts
            + part;
        real_bits_to_mpfr(a, p->unit, literal_get(p->a, at));
        mpfr_set_zero(far, 1);
        for (int k = 0; k < 2; k++) {
            real_bits_to_mpfr(end, p->unit, literal_get(ends[k], at));
            mpfr_sub(end, end, a, MPFR_RNDA);
            mpfr_abs(end, end, MPFR_RNDU);
            mpfr_max(far, far, end, MPFR_RNDU);
        }
        mpfr_add(sum, sum, far, MPFR_RNDU);
    }
}

/* D^-1 E D^-1; false: it is not bounded. */
static bool find_errors(struct factor *q)
{
    const struct check_cholesky *p = q->p;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_ptr e = q->e[i * p->n + j];
            if (!check_cholesky_residual(p, q->batch * p->n * p->n, i, j, e))
                return false;
            mpfr_mul_ui(e, e, (unsigned long)p->parts, MPFR_RNDU);
            add_width(q, i, j, e);
            mpfr_mul(q->t, q->scale[i], q->scale[j], MPFR_RNDD);
            mpfr_div(e, e, q->t, MPFR_RNDU);
            mpfr_mul_d(e, e, 1 + 0x1p-40, MPFR_RNDU); /* of D */
            mpfr_set(q->e[j * p->n + i], e, MPFR_RNDU);
        }
    return true;
}

static void find_sizes(struct factor *q)
{
    int64_t n = q->p->n;
    mpfr_sqrt(q->sum, q->trace, MPFR_RNDU);
    mpfr_mul_2si(q->sum, q->sum, -LOST_BITS, MPFR_RNDU);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_ptr to = q->sizes[i * n + j];
            size_of(to, &q->inverse[(i * n + j) * q->p->parts], q->p->parts);
            mpfr_add(to, to, q->sum, MPFR_RNDU);
        }
}

/* The sizes of F = S^-1 (D^-1 E D^-1) S^-H, and in sum its norm. */
static void find_f(struct factor *q)
{
    int64_t n = q->p->n;
    mpfr_t *half = residual_numbers(q->p->arena, n * n, SIZE_BITS);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            mpfr_ptr to = half[i * n + j];
            mpfr_set_zero(to, 1);
            for (int64_t k = 0; k <= i; k++)
                mpfr_fma(to, q->sizes[i * n + k], q->e[k * n + j], to,
                         MPFR_RNDU);
        }
    mpfr_set_zero(q->sum, 1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            mpfr_ptr to = q->f[i * n + j];
            mpfr_set_zero(to, 1);
            for (int64_t k = 0; k <= j; k++)
                mpfr_fma(to, half[i * n + k], q->sizes[j * n + k], to,
                         MPFR_RNDU);
            mpfr_fma(q->sum, to, to, q->sum, MPFR_RNDU);
        }
    mpfr_sqrt(q->sum, q->sum, MPFR_RNDU);
    residual_clear(half, n * n);
}

/* f becomes the sizes of X; false: they are not known. */
static bool find_x(struct factor *q)
{
    int64_t n = q->p->n;
    mpfr_mul_2ui(q->sum, q->sum, 1, MPFR_RNDU);
    mpfr_ui_sub(q->sum, 1, q->sum, MPFR_RNDD);
    if (mpfr_sgn(q->sum) <= 0)
        return false;
    mpfr_sqrt(q->sum, q->sum, MPFR_RNDD);
    mpfr_ui_sub(q->sum, 1, q->sum, MPFR_RNDU);
    mpfr_sqr(q->sum, q->sum, MPFR_RNDU);
    mpfr_div_2ui(q->sum, q->sum, 1, MPFR_RNDU); /* x^2 */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_ptr x = q->f[i * n + j];
            mpfr_add(x, x, q->sum, MPFR_RNDU);
            mpfr_div_2ui(x, x, i == j, MPFR_RNDU);
        }
    return true;
}

/* A part of l(i, j), which is right within sum. */
static bool put_ends(struct factor *q, int64_t i, int64_t j, int part,
                     const struct real *exact)
{
    const struct check_cholesky *p = q->p;
    int64_t at =
        check_cholesky_element(p, q->batch * p->n * p->n, i, j) * p->parts
        + part;
    bool turned = part == 1 && !p->lower;
    bool finite = true;
    MPFR_DECL_INIT(end, 128);
    for (int up = 0; up < 2; up++) {
        real_to_mpfr(q->t, exact);
        if (turned)
            mpfr_neg(q->t, q->t, MPFR_RNDN);
        (up ? mpfr_add : mpfr_sub)(end, q->t, q->sum,
                                   up ? MPFR_RNDU : MPFR_RNDD);
        uint64_t bits = residual_end(end, p->unit, up);
        finite = finite && real_is_finite(p->unit, bits);
        literal_set(up ? p->most : p->least, at, bits);
    }
    return finite;
}

/* |L' - L| <= |L| |X| */
static bool put_all_ends(struct factor *q, const struct real *exact)
{
    int64_t n = q->p->n;
    int c = q->p->parts;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_set_zero(q->sum, 1);
            for (int64_t k = j; k <= i; k++) {
                size_of(q->t, &q->s[(i * n + k) * c], c);
                mpfr_fma(q->sum, q->t, q->f[k * n + j], q->sum, MPFR_RNDU);
            }
            /* Elements of S are not above 1; the exact ones were cut off. */
            mpfr_add_d(q->sum, q->sum, 0x1p-100, MPFR_RNDU);
            mpfr_mul(q->sum, q->sum, q->scale[i], MPFR_RNDU);
            for (int part = 0; part < c; part++) {
                bool zero = i == j && part == 1;
                if (zero)
                    mpfr_set_zero(q->sum, 1);
                if (!put_ends(q, i, j, part, &exact[(i * n + j) * c + part]))
                    return false;
            }
        }
    return true;
}

enum check_cholesky_state cholesky_bound(const struct check_cholesky *p,
                                         int64_t batch, const struct real *l,
                                         unsigned long margin)
{
    int64_t all = p->n * p->n, units = all * p->parts;
    struct factor q = {.p = p, .batch = batch};
    q.s = residual_numbers(p->arena, units, BITS);
    q.inverse = residual_numbers(p->arena, units, BITS);
    q.scale = residual_numbers(p->arena, p->n, BITS);
    mpfr_inits2(BITS, q.sum, q.trace, q.t, (mpfr_ptr)0);
    for (int64_t i = 0; i < units; i++)
        real_to_mpfr(q.s[i], &l[i]);
    scale_rows(&q);
    invert(&q);
    bool hard = may_break_down(&q, l, margin);
    if (!hard && p->least && p->n <= ROWS_MAX) {
        q.sizes = residual_numbers(p->arena, all, SIZE_BITS);
        q.e = residual_numbers(p->arena, all, SIZE_BITS);
        q.f = residual_numbers(p->arena, all, SIZE_BITS);
        bool known = find_errors(&q);
        if (known) {
            find_sizes(&q);
            find_f(&q);
        }
        p->bounded[batch] = known && find_x(&q) && put_all_ends(&q, l);
        residual_clear(q.sizes, all);
        residual_clear(q.e, all);
        residual_clear(q.f, all);
    }
    residual_clear(q.s, units);
    residual_clear(q.inverse, units);
    residual_clear(q.scale, p->n);
    mpfr_clears(q.sum, q.trace, q.t, (mpfr_ptr)0);
    return hard ? CHECK_CHOLESKY_DIFFICULT : CHECK_CHOLESKY_DEFINITE;
}

bool cholesky_bound_ends(const struct goal *g, int64_t i, struct goal_ends *e,
                         const char **why)
{
    const struct check_cholesky *p = g->check.data;
    int64_t all = p->n * p->n * p->parts, batch = i / all;
    if (p->state[batch] == CHECK_CHOLESKY_DIFFICULT)
        *why = "may be a NaN or a number";
    if (p->state[batch] != CHECK_CHOLESKY_DEFINITE || !p->bounded[batch])
        return false;
    if (g->check.apart[i]) {
        *e = (struct goal_ends){real_zero(p->unit, true),
                                real_zero(p->unit, false)};
        return p->zero_other;
    }
    *e = (struct goal_ends){literal_get(p->least, i), literal_get(p->most, i)};
    return true;
}
