/* triangular_bound.c - see triangular_bound.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * T^-1 is computed with 128 bits; its relative errors, below n 2^-126 N, are
 * covered by the roundings that g has in excess, and sums are rounded up.
 * Tests: tools/test/bounds.t.
 */
#include "interp/check/triangular_bound.h"

enum {
    BITS = 128,
    ROWS_MAX = 128, /* of larger ones the inverse takes too long */
    EXCESS = 8 /* roundings: the scaling by a diagonal, those of this file */
};

void triangular_bound_open(struct triangular_bound *b, struct arena *a,
                           int64_t n, int parts)
{
    b->n = n <= ROWS_MAX ? n : 0;
    b->parts = parts;
    b->known = false;
    int64_t all = b->n * b->n;
    b->t = residual_numbers(a, all * parts, BITS);
    b->inverse = residual_numbers(a, all * parts, BITS);
    b->sizes = residual_numbers(a, all, BITS);
    b->grown = residual_numbers(a, all, BITS);
    b->x = residual_numbers(a, b->n, BITS);
    b->row = residual_numbers(a, b->n, BITS);
    mpfr_inits2(BITS, b->gamma, b->underflow, b->s, b->u, b->v, (mpfr_ptr)0);
}

void triangular_bound_close(struct triangular_bound *b)
{
    int64_t all = b->n * b->n;
    residual_clear(b->t, all * b->parts);
    residual_clear(b->inverse, all * b->parts);
    residual_clear(b->sizes, all);
    residual_clear(b->grown, all);
    residual_clear(b->x, b->n);
    residual_clear(b->row, b->n);
    mpfr_clears(b->gamma, b->underflow, b->s, b->u, b->v, (mpfr_ptr)0);
}

/* |re| + |im|, rounded up. */
static void size_of(mpfr_ptr to, mpfr_t *z, int parts)
{
    mpfr_abs(to, z[0], MPFR_RNDU);
    if (parts == 2 && mpfr_signbit(z[1]))
        mpfr_sub(to, to, z[1], MPFR_RNDU);
    else if (parts == 2)
        mpfr_add(to, to, z[1], MPFR_RNDU);
}

/* z -= x y */
static void subtract_product(struct triangular_bound *b, mpfr_t *z, mpfr_t *x,
                             mpfr_t *y)
{
    for (int i = 0; i < b->parts; i++)
        for (int k = 0; k < b->parts; k++) {
            mpfr_mul(b->s, x[i], y[k], MPFR_RNDN);
            if (i && k)
                mpfr_neg(b->s, b->s, MPFR_RNDN);
            mpfr_sub(z[i ^ k], z[i ^ k], b->s, MPFR_RNDN);
        }
}

/* z /= x; for complex numbers z conj(x) / |x|^2. */
static void divide(struct triangular_bound *b, mpfr_t *z, mpfr_t *x)
{
    if (b->parts == 1) {
        mpfr_div(z[0], z[0], x[0], MPFR_RNDN);
        return;
    }
    mpfr_fmma(b->s, x[0], x[0], x[1], x[1], MPFR_RNDN);
    mpfr_fmma(b->u, z[0], x[0], z[1], x[1], MPFR_RNDN);
    mpfr_fmms(b->v, z[1], x[0], z[0], x[1], MPFR_RNDN);
    mpfr_div(z[0], b->u, b->s, MPFR_RNDN);
    mpfr_div(z[1], b->v, b->s, MPFR_RNDN);
}

static void invert(struct triangular_bound *b)
{
    int64_t n = b->n;
    int c = b->parts;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            mpfr_t *z = &b->inverse[(i * n + j) * c];
            mpfr_set_ui(z[0], i == j, MPFR_RNDN);
            if (c == 2)
                mpfr_set_zero(z[1], 1);
            for (int64_t k = j; k < i; k++)
                subtract_product(b, z, &b->t[(i * n + k) * c],
                                 &b->inverse[(k * n + j) * c]);
            divide(b, z, &b->t[(i * n + i) * c]);
        }
}

/* N and the sums of all elements of |T| in u, of |T^-1| in v and of N in s. */
static void grow(struct triangular_bound *b)
{
    int64_t n = b->n;
    int c = b->parts;
    mpfr_set_zero(b->u, 1);
    mpfr_set_zero(b->v, 1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            size_of(b->sizes[i * n + j], &b->t[(i * n + j) * c], c);
            mpfr_add(b->u, b->u, b->sizes[i * n + j], MPFR_RNDU);
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k <= i; k++) {
            size_of(b->s, &b->inverse[(i * n + k) * c], c);
            mpfr_add(b->v, b->v, b->s, MPFR_RNDU);
            for (int64_t j = 0; j <= k; j++) {
                mpfr_ptr to = b->grown[i * n + j];
                if (j == k)
                    mpfr_set_zero(to, 1);
                mpfr_fma(to, b->s, b->sizes[k * n + j], to, MPFR_RNDU);
            }
        }
    mpfr_set_zero(b->s, 1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            mpfr_add(b->s, b->s, b->grown[i * n + j], MPFR_RNDU);
}

/* Each operation may lose tiny, or take an operand of that size for zero; each
 * loss is multiplied by elements of T, X, b or x at most twice each.  Far too
 * large, and of no account unless numbers are near the underflow threshold:
 * 64 n^2 tiny (1 + |T|)^3 (1 + |X|)^2, times (1 + |x|)^2 for each column. */
static void add_up_underflow(struct triangular_bound *b, mpfr_srcptr tiny)
{
    mpfr_add_ui(b->u, b->u, 1, MPFR_RNDU);
    mpfr_mul_2ui(b->v, b->v, 1, MPFR_RNDU); /* |X| <= 2 |T^-1| */
    mpfr_add_ui(b->v, b->v, 1, MPFR_RNDU);
    mpfr_pow_ui(b->u, b->u, 3, MPFR_RNDU);
    mpfr_sqr(b->v, b->v, MPFR_RNDU);
    mpfr_mul(b->underflow, b->u, b->v, MPFR_RNDU);
    mpfr_mul(b->underflow, b->underflow, tiny, MPFR_RNDU);
    mpfr_mul_ui(b->underflow, b->underflow, 64 * (unsigned long)(b->n * b->n),
                MPFR_RNDU);
}

void triangular_bound_matrix(struct triangular_bound *b, enum dtype unit,
                             enum dtype accumulator, mpfr_srcptr tiny)
{
    b->known = false;
    if (b->n == 0)
        return;
    int64_t k = 2 * b->n + EXCESS;
    residual_gamma(b->gamma, b->parts == 1 ? k : 4 * k, accumulator);
    if (accumulator != unit) {
        /* Each element of X and of x, and what the diagonal scales. */
        residual_gamma(b->s, b->parts == 1 ? EXCESS : 4 * EXCESS, unit);
        mpfr_add(b->gamma, b->gamma, b->s, MPFR_RNDU);
    }
    invert(b);
    grow(b);
    mpfr_mul(b->s, b->s, b->gamma, MPFR_RNDU);
    b->known = mpfr_cmp_d(b->s, 0.5) < 0;
    add_up_underflow(b, tiny);
}

/* y = x + g N y, z = N y, row = g |T| z + what underflow may add. */
void triangular_bound_rows(struct triangular_bound *b)
{
    int64_t n = b->n;
    mpfr_set_ui(b->v, 1, MPFR_RNDU);
    for (int64_t i = 0; i < n; i++)
        mpfr_add(b->v, b->v, b->x[i], MPFR_RNDU);
    mpfr_sqr(b->v, b->v, MPFR_RNDU);
    mpfr_mul(b->v, b->v, b->underflow, MPFR_RNDU);
    for (int64_t i = 0; i < n; i++) {
        mpfr_ptr own = b->grown[i * n + i], y = b->x[i];
        mpfr_set_zero(b->s, 1);
        for (int64_t j = 0; j < i; j++)
            mpfr_fma(b->s, b->grown[i * n + j], b->x[j], b->s, MPFR_RNDU);
        mpfr_fma(y, b->gamma, b->s, y, MPFR_RNDU);
        mpfr_mul(b->u, b->gamma, own, MPFR_RNDU);
        mpfr_ui_sub(b->u, 1, b->u, MPFR_RNDD);
        mpfr_div(y, y, b->u, MPFR_RNDU);
        mpfr_fma(b->row[i], own, y, b->s, MPFR_RNDU); /* z */
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        mpfr_set_zero(b->s, 1);
        for (int64_t j = 0; j <= i; j++)
            mpfr_fma(b->s, b->sizes[i * n + j], b->row[j], b->s, MPFR_RNDU);
        mpfr_fma(b->row[i], b->s, b->gamma, b->v, MPFR_RNDU);
    }
}

void triangular_bound_impulse(struct triangular_bound *b, int64_t j)
{
    int64_t n = b->n;
    for (int64_t i = 0; i < j; i++)
        mpfr_set_zero(b->x[i], 1);
    for (int64_t i = j; i < n; i++)
        size_of(b->x[i], &b->inverse[(i * n + j) * b->parts], b->parts);
    triangular_bound_rows(b);
}

/* x' is off by T^-1 (b - T x'), each part of which is within row.  Twice that
 * covers the errors of this inverse. */
bool triangular_bound_apart(struct triangular_bound *b, int64_t i, int64_t j)
{
    int64_t n = b->n;
    int c = b->parts;
    mpfr_set_zero(b->u, 1);
    for (int64_t k = 0; k <= i; k++) {
        size_of(b->s, &b->inverse[(i * n + k) * c], c);
        mpfr_fma(b->u, b->s, b->row[k], b->u, MPFR_RNDU);
    }
    mpfr_mul_ui(b->u, b->u, 2 * (unsigned long)c, MPFR_RNDU);
    size_of(b->s, &b->inverse[(i * n + j) * c], c);
    return mpfr_greater_p(b->s, b->u);
}
