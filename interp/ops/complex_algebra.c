/* complex_algebra.c - sums, products, quotients, moduli and square roots.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Products and quotients are one rounding of exact sums of products.  Square
 * roots are approximated well, and where that does not decide, the one number
 * in question is compared with the root exactly.
 */
#include "interp/ops/complex.h"

void complex_algebra_add(struct complex_work *w, struct real *y)
{
    y[0] = complex_apply2(w, mpfr_add, w->z[0].re, w->z[1].re);
    y[1] = complex_apply2(w, mpfr_add, w->z[0].im, w->z[1].im);
}

void complex_algebra_sub(struct complex_work *w, struct real *y)
{
    y[0] = complex_apply2(w, mpfr_sub, w->z[0].re, w->z[1].re);
    y[1] = complex_apply2(w, mpfr_sub, w->z[0].im, w->z[1].im);
}

/* ---- Products and quotients: C11 G.5.1, with exact intermediate values --- */

static bool has_inf(const struct complex_number *z)
{
    return mpfr_inf_p(z->re) || mpfr_inf_p(z->im);
}

/* An infinity becomes a unit, the rest a zero, signs kept. */
static void box_one(mpfr_ptr x)
{
    bool one = mpfr_inf_p(x), negative = !mpfr_nan_p(x) && mpfr_signbit(x);
    mpfr_set_zero(x, 1);
    if (one)
        mpfr_set_ui(x, 1, MPFR_RNDZ);
    if (negative)
        mpfr_neg(x, x, MPFR_RNDZ);
}

static void box(struct complex_number *z)
{
    box_one(z->re);
    box_one(z->im);
}

static void nan_to_zero(struct complex_number *z)
{
    if (mpfr_nan_p(z->re))
        mpfr_set_zero(z->re, 1);
    if (mpfr_nan_p(z->im))
        mpfr_set_zero(z->im, 1);
}

/* t[4] + i t[5] = z0 * z1, or z0 * conj(z1), exactly. */
static void product(struct complex_work *w, bool conjugate)
{
    complex_exact_mul(w->t[0], w->z[0].re, w->z[1].re);
    complex_exact_mul(w->t[1], w->z[0].im, w->z[1].im);
    complex_exact_mul(w->t[2], w->z[0].re, w->z[1].im);
    complex_exact_mul(w->t[3], w->z[0].im, w->z[1].re);
    /* x * y - x * y is 0 as long as both are rounded alike; fused into one, the
     * other's rounding is left, and so is that of a quotient by which Smith's
     * division multiplies.  Terms that are zero leave nothing. */
    w->cancelled =
        (mpfr_zero_p(w->t[0]) ? 0U : 1U) | (mpfr_zero_p(w->t[2]) ? 0U : 2U);
    if (conjugate) {
        complex_exact_add(w->t[4], w->t[0], w->t[1]);
        complex_exact_sub(w->t[5], w->t[3], w->t[2]);
    } else {
        complex_exact_sub(w->t[4], w->t[0], w->t[1]);
        complex_exact_add(w->t[5], w->t[2], w->t[3]);
    }
}

void complex_algebra_mul(struct complex_work *w, struct real *y)
{
    product(w, false);
    y[0] = complex_real(w, w->t[4]);
    y[1] = complex_real(w, w->t[5]);
    if (y[0].kind != REAL_NAN || y[1].kind != REAL_NAN)
        return;
    bool infinite = has_inf(&w->z[0]) || has_inf(&w->z[1]);
    if (!infinite)
        return;
    for (int i = 0; i < 2; i++) {
        if (has_inf(&w->z[i])) {
            box(&w->z[i]);
            nan_to_zero(&w->z[1 - i]);
        }
    }
    product(w, false);
    y[0] = complex_times(complex_inf(false), w->t[4]);
    y[1] = complex_times(complex_inf(false), w->t[5]);
}

static void divide(struct complex_work *w, struct real *y)
{
    mpfr_ptr norm = w->t[6];
    product(w, true);
    complex_exact_mul(w->t[0], w->z[1].re, w->z[1].re);
    complex_exact_mul(w->t[1], w->z[1].im, w->z[1].im);
    complex_exact_add(norm, w->t[0], w->t[1]);
    y[0] = complex_apply2(w, mpfr_div, w->t[4], norm);
    y[1] = complex_apply2(w, mpfr_div, w->t[5], norm);
    if (y[0].kind != REAL_NAN || y[1].kind != REAL_NAN)
        return;
    struct complex_number *a = &w->z[0], *b = &w->z[1];
    if (mpfr_zero_p(norm) && !(mpfr_nan_p(a->re) && mpfr_nan_p(a->im))) {
        struct real inf = complex_inf(mpfr_signbit(b->re));
        y[0] = complex_times(inf, a->re);
        y[1] = complex_times(inf, a->im);
    } else if (has_inf(a) && complex_is_finite(b)) {
        box(a);
        product(w, true);
        y[0] = complex_times(complex_inf(false), w->t[4]);
        y[1] = complex_times(complex_inf(false), w->t[5]);
    } else if (has_inf(b) && complex_is_finite(a)) {
        box(b);
        product(w, true);
        y[0] = complex_times(complex_zero(false), w->t[4]);
        y[1] = complex_times(complex_zero(false), w->t[5]);
    }
}

void complex_algebra_div(struct complex_work *w, struct real *y)
{
    divide(w, y);
    complex_quotient_zeros(w, y);
}

void complex_algebra_abs(struct complex_work *w, struct real *y)
{
    y[0] = complex_apply2(w, mpfr_hypot, w->z[0].re, w->z[0].im);
}

/* ---- Square roots -------------------------------------------------------- */

/* The equation of a component's magnitude v: v^2 * 2 * scale = |z| + sign *
 * |x|, or, for quotients, v^2 * |z|^2 = x^2. */
enum root {
    ROOT_BIG,     /* sqrt((|z| + |x|) / 2) */
    ROOT_SMALL,   /* sqrt((|z| - |x|) / 2) */
    ROOT_BIG_INV, /* the first / |z| */
    ROOT_SMALL_INV,
    ROOT_RE, /* |x| / |z| */
    ROOT_IM,
};

/* t[7] = |z|^2, exactly. */
static void norm(struct complex_work *w)
{
    complex_exact_mul(w->t[5], w->z[0].re, w->z[0].re);
    complex_exact_mul(w->t[6], w->z[0].im, w->z[0].im);
    complex_exact_add(w->t[7], w->t[5], w->t[6]);
}

/* Sign of c - v, exactly, for c > 0. */
static int compare_root(struct complex_work *w, mpfr_srcptr c, enum root root)
{
    mpfr_ptr norm2 = w->t[7], left = w->t[8], t = w->t[9], u = w->t[10];
    norm(w);
    complex_exact_mul(t, c, c);
    if (root == ROOT_RE || root == ROOT_IM) {
        complex_exact_mul(left, t, norm2);
        return mpfr_cmp(left, w->t[root == ROOT_RE ? 5 : 6]);
    }
    if (root == ROOT_BIG_INV || root == ROOT_SMALL_INV) {
        complex_exact_mul(u, t, norm2);
        mpfr_swap(t, u);
    }
    mpfr_mul_2ui(t, t, 1, MPFR_RNDZ);
    /* |z| against 2 scale c^2 -+ |x| */
    mpfr_set_prec(u, mpfr_get_prec(w->z[0].re));
    bool big = root == ROOT_BIG || root == ROOT_BIG_INV;
    mpfr_abs(u, w->z[0].re, MPFR_RNDZ);
    if (big)
        complex_exact_sub(left, t, u);
    else
        complex_exact_add(left, t, u);
    if (mpfr_sgn(left) <= 0)
        return -1;
    complex_exact_mul(t, left, left);
    return mpfr_cmp(t, norm2);
}

/* Decide a component from its approximation. */
static struct real decide(struct complex_work *w, mpfr_srcptr value,
                          int64_t good, enum root root, bool negative)
{
    struct complex_part part = {.good = good};
    struct real y;
    mpfr_init2(part.value, mpfr_get_prec(value));
    mpfr_set(part.value, value, MPFR_RNDN);
    if (!complex_settle(w, &part, &y)) {
        mpfr_set(w->out, value, MPFR_RNDN);
        int order = compare_root(w, w->out, root);
        if (order > 0)
            mpfr_nextbelow(w->out);
        y = real_from_mpfr(w->out, order);
    }
    mpfr_clear(part.value);
    y.negative = negative;
    return y;
}

void complex_algebra_sign(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    if (complex_has_nan(z) || !complex_is_finite(z)) {
        y[0] = y[1] = complex_nan();
        w->free = !complex_has_nan(z);
        return;
    }
    if (mpfr_zero_p(z->re) && mpfr_zero_p(z->im)) {
        y[0] = complex_real(w, z->re);
        y[1] = complex_real(w, z->im);
        return;
    }
    mpfr_prec_t prec = w->width + 64;
    complex_precision(w, prec);
    mpfr_hypot(w->t[0], z->re, z->im, MPFR_RNDN);
    mpfr_div(w->t[1], z->re, w->t[0], MPFR_RNDN);
    mpfr_abs(w->t[1], w->t[1], MPFR_RNDN);
    mpfr_div(w->t[2], z->im, w->t[0], MPFR_RNDN);
    mpfr_abs(w->t[2], w->t[2], MPFR_RNDN);
    y[0] = decide(w, w->t[1], prec - 4, ROOT_RE, mpfr_signbit(z->re));
    y[1] = decide(w, w->t[2], prec - 4, ROOT_IM, mpfr_signbit(z->im));
}

/* t[1] and t[2]: the larger and smaller part of sqrt(z); t[0] = |z|. */
static mpfr_prec_t approximate_root(struct complex_work *w)
{
    mpfr_prec_t prec = w->width + 64;
    complex_precision(w, prec);
    mpfr_hypot(w->t[0], w->z[0].re, w->z[0].im, MPFR_RNDN);
    mpfr_abs(w->t[3], w->z[0].re, MPFR_RNDN);
    mpfr_add(w->t[1], w->t[0], w->t[3], MPFR_RNDN);
    mpfr_div_2ui(w->t[1], w->t[1], 1, MPFR_RNDN);
    mpfr_sqrt(w->t[1], w->t[1], MPFR_RNDN);
    mpfr_abs(w->t[3], w->z[0].im, MPFR_RNDN);
    mpfr_div(w->t[2], w->t[3], w->t[1], MPFR_RNDN);
    mpfr_div_2ui(w->t[2], w->t[2], 1, MPFR_RNDN);
    return prec;
}

/* C11 G.6.4.2. */
static bool special_sqrt(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    bool minus = mpfr_signbit(z->im);
    if (mpfr_inf_p(z->im)) {
        y[0] = complex_inf(false);
        y[1] = complex_inf(minus);
    } else if (mpfr_inf_p(z->re)) {
        bool left = mpfr_signbit(z->re);
        bool nan = mpfr_nan_p(z->im);
        y[0] = left ? nan ? complex_nan() : complex_zero(false)
                    : complex_inf(false);
        y[1] = left  ? complex_inf(minus && !nan)
               : nan ? complex_nan()
                     : complex_zero(minus);
        w->signs = left && nan ? 2 : 0;
    } else if (complex_has_nan(z)) {
        y[0] = y[1] = complex_nan();
    } else if (mpfr_zero_p(z->re) && mpfr_zero_p(z->im)) {
        y[0] = complex_zero(false);
        y[1] = complex_zero(minus);
    } else {
        return false;
    }
    return true;
}

void complex_algebra_sqrt(struct complex_work *w, struct real *y)
{
    if (special_sqrt(w, y))
        return;
    bool left = mpfr_signbit(w->z[0].re), minus = mpfr_signbit(w->z[0].im);
    int64_t good = approximate_root(w) - 4;
    struct real big = decide(w, w->t[1], good, ROOT_BIG, left && minus);
    approximate_root(w);
    struct real small = decide(w, w->t[2], good, ROOT_SMALL, !left && minus);
    y[0] = left ? small : big;
    y[1] = left ? big : small;
}

/* No document gives the value at zero and infinity. */
void complex_algebra_rsqrt(struct complex_work *w, struct real *y)
{
    struct complex_number *z = &w->z[0];
    bool left = mpfr_signbit(z->re), plus = !mpfr_signbit(z->im);
    if (complex_has_nan(z) || !complex_is_finite(z)) {
        bool inf = has_inf(z);
        y[0] = inf ? complex_zero(false) : complex_nan();
        y[1] = inf ? complex_zero(plus) : complex_nan();
        w->free = inf;
        return;
    }
    if (mpfr_zero_p(z->re) && mpfr_zero_p(z->im)) {
        y[0] = complex_inf(false);
        y[1] = complex_nan();
        w->free = true;
        return;
    }
    int64_t good = approximate_root(w) - 6;
    mpfr_div(w->t[1], w->t[1], w->t[0], MPFR_RNDN);
    struct real big = decide(w, w->t[1], good, ROOT_BIG_INV, left && plus);
    approximate_root(w);
    mpfr_div(w->t[2], w->t[2], w->t[0], MPFR_RNDN);
    struct real small = decide(w, w->t[2], good, ROOT_SMALL_INV, !left && plus);
    y[0] = left ? small : big;
    y[1] = left ? big : small;
    complex_quotient_zeros(w, y);
}
