/* complex_inverse.c - inverse circular and hyperbolic functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * After Hull, Fairgrieve and Tang: with r = |z + 1|, s = |z - 1| and
 * a = (r + s) / 2, for x, y >= 0,
 *
 *     asin z = atan2(x, sqrt((a - x)(a + x))) + i log1p(a - 1 + sqrt(a^2 - 1))
 *
 * where a - x and a - 1 are sums of terms that are not negative, so nothing
 * cancels.  The others follow.  Unless x or y is 0 no component is a number of
 * finitely many bits.
 */
#include "interp/ops/complex.h"

/* t[0] = |x|, t[1] = a - 1, t[2] = a - |x|, t[3] = a; a dozen roundings. */
static void ellipse(struct complex_work *w)
{
    mpfr_ptr x = w->t[0], am1 = w->t[1], ax = w->t[2], a = w->t[3];
    mpfr_ptr plus = w->t[4], minus = w->t[5], r = w->t[6], s = w->t[7];
    mpfr_ptr sum = w->t[8];
    mpfr_srcptr im = w->z[0].im;

    mpfr_abs(x, w->z[0].re, MPFR_RNDN);
    mpfr_add_ui(plus, x, 1, MPFR_RNDN);
    mpfr_sub_ui(minus, x, 1, MPFR_RNDN);
    bool outside = mpfr_sgn(minus) > 0;
    mpfr_abs(minus, minus, MPFR_RNDN);
    mpfr_hypot(r, plus, im, MPFR_RNDN);
    mpfr_hypot(s, minus, im, MPFR_RNDN);
    mpfr_add(a, r, s, MPFR_RNDN);
    mpfr_div_2ui(a, a, 1, MPFR_RNDN);
    /* r -> r - (x + 1), sum -> s + |x - 1|, s -> s - |x - 1| */
    mpfr_add(sum, s, minus, MPFR_RNDN);
    mpfr_sqr(s, im, MPFR_RNDN);
    mpfr_add(r, r, plus, MPFR_RNDN);
    mpfr_div(r, s, r, MPFR_RNDN);
    mpfr_div(s, s, sum, MPFR_RNDN);
    mpfr_add(am1, r, outside ? sum : s, MPFR_RNDN);
    mpfr_add(ax, r, outside ? s : sum, MPFR_RNDN);
    mpfr_div_2ui(am1, am1, 1, MPFR_RNDN);
    mpfr_div_2ui(ax, ax, 1, MPFR_RNDN);
}

/* part[0] = angle between x and sqrt((a - x)(a + x)), from the imaginary axis
 * or, for acos, from the real one; part[1] = |Im|. */
static void step(struct complex_work *w, mpfr_prec_t prec, bool acos)
{
    mpfr_ptr x = w->t[0], am1 = w->t[1], ax = w->t[2], a = w->t[3];
    mpfr_ptr q = w->t[4], t = w->t[5];
    ellipse(w);
    mpfr_add(q, a, x, MPFR_RNDN);
    mpfr_mul(q, q, ax, MPFR_RNDN);
    mpfr_sqrt(q, q, MPFR_RNDN);
    mpfr_setsign(x, x, mpfr_signbit(w->z[0].re), MPFR_RNDN);
    if (acos)
        mpfr_atan2(w->part[0].value, q, x, MPFR_RNDN);
    else
        mpfr_atan2(w->part[0].value, x, q, MPFR_RNDN);
    mpfr_add_ui(t, a, 1, MPFR_RNDN);
    mpfr_mul(t, t, am1, MPFR_RNDN);
    mpfr_sqrt(t, t, MPFR_RNDN);
    mpfr_add(t, t, am1, MPFR_RNDN);
    mpfr_log1p(w->part[1].value, t, MPFR_RNDN);
    w->part[0].good = w->part[1].good = prec - 8;
}

static void step_asin(struct complex_work *w, mpfr_prec_t prec)
{
    step(w, prec, false);
}

static void step_acos(struct complex_work *w, mpfr_prec_t prec)
{
    step(w, prec, true);
}

/* C11 G.6.1.1 and, turned, G.6.2.2: values at infinities and NaN; the real
 * part of the inverse sine or cosine, and |Im|. */
static bool special(struct complex_work *w, struct real *y, bool acos)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (complex_is_finite(&w->z[0]))
        return false;
    y[0] = y[1] = complex_nan();
    if (mpfr_inf_p(re) || mpfr_inf_p(im)) {
        y[1] = complex_inf(false);
        if (mpfr_nan_p(im))
            w->signs |= 2;
    }
    if (mpfr_nan_p(re) || (mpfr_nan_p(im) && !mpfr_zero_p(re)))
        return true;
    mpfr_ptr one = w->t[0];
    mpfr_set_prec(one, 64);
    mpfr_set_ui(one, 1, MPFR_RNDZ);
    if (mpfr_nan_p(im)) /* re is 0 */
        y[0] =
            acos ? complex_apply2(w, mpfr_atan2, one, re) : complex_real(w, re);
    else {
        mpfr_abs(one, im, MPFR_RNDZ);
        y[0] = acos ? complex_apply2(w, mpfr_atan2, one, re)
                    : complex_apply2(w, mpfr_atan2, re, one);
    }
    return true;
}

/* On an axis one function of one number gives each part. */
static bool on_axis(struct complex_work *w, struct real *y, bool acos)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im, t = w->t[0];
    mpfr_set_prec(t, 64);
    if (mpfr_zero_p(im)) {
        if (mpfr_cmpabs_ui(re, 1) <= 0) {
            y[0] = complex_apply(w, acos ? mpfr_acos : mpfr_asin, re);
            y[1] = complex_zero(false);
            return true;
        }
        mpfr_set_zero(t, 1);
        y[0] = acos ? complex_apply2(w, mpfr_atan2, t, re)
                    : complex_apply2(w, mpfr_atan2, re, t);
        mpfr_abs(t, re, MPFR_RNDZ);
        y[1] = complex_apply(w, mpfr_acosh, t);
        return true;
    }
    if (!mpfr_zero_p(re))
        return false;
    mpfr_set_ui(t, 1, MPFR_RNDZ);
    y[0] = acos ? complex_apply2(w, mpfr_atan2, t, re) : complex_real(w, re);
    mpfr_abs(t, im, MPFR_RNDZ);
    y[1] = complex_apply(w, mpfr_asinh, t);
    return true;
}

/* Both, with the imaginary part's sign: that of y, and for acos the other. */
static void inverse(struct complex_work *w, struct real *y, bool acos)
{
    bool negative = (mpfr_signbit(w->z[0].im) != 0) != acos;
    if (!special(w, y, acos) && !on_axis(w, y, acos)) {
        complex_refine(w, acos ? step_acos : step_asin, y);
    }
    if (y[1].kind != REAL_NAN)
        y[1].negative = negative;
}

void complex_inverse_asin(struct complex_work *w, struct real *y)
{
    inverse(w, y, false);
}

void complex_inverse_acos(struct complex_work *w, struct real *y)
{
    inverse(w, y, true);
}

/* asinh z = -i asin iz (C11 G.7). */
void complex_inverse_asinh(struct complex_work *w, struct real *y)
{
    complex_turn(w);
    inverse(w, y, false);
    complex_turn_back(w, y);
}

/* acosh z = +-i acos z, with a real part that is not negative. */
void complex_inverse_acosh(struct complex_work *w, struct real *y)
{
    bool negative = mpfr_signbit(w->z[0].im);
    bool nan = mpfr_nan_p(w->z[0].im);
    inverse(w, y, true);
    struct real re = y[0];
    y[0] = y[1];
    y[1] = re;
    y[0].negative = false;
    if (y[1].kind != REAL_NAN)
        y[1].negative = negative && !nan;
    w->signs = nan && y[1].kind != REAL_NAN ? 2 : 0;
}

/* ---- Inverse tangents ---------------------------------------------------- */

static struct real half(struct real y)
{
    if (y.kind == REAL_FINITE)
        y.exponent -= 1;
    return y;
}

/* Re atanh = log1p(4|x| / ((1 - |x|)^2 + y^2)) / 4, of |x|. */
static void step_atanh(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_ptr x = w->t[0], d = w->t[1], s = w->t[2];
    mpfr_abs(x, w->z[0].re, MPFR_RNDN);
    mpfr_ui_sub(d, 1, x, MPFR_RNDN);
    mpfr_sqr(d, d, MPFR_RNDN);
    mpfr_sqr(s, w->z[0].im, MPFR_RNDN);
    mpfr_add(d, d, s, MPFR_RNDN);
    mpfr_div(x, x, d, MPFR_RNDN);
    mpfr_mul_2ui(x, x, 2, MPFR_RNDN);
    mpfr_log1p(w->part[0].value, x, MPFR_RNDN);
    mpfr_div_2ui(w->part[0].value, w->part[0].value, 2, MPFR_RNDN);
    w->part[0].good = prec - 6;
    mpfr_set_zero(w->part[1].value, 1);
}

/* Im atanh = atan2(2y, (1 - x)(1 + x) - y^2) / 2, of exact numbers. */
static struct real angle(struct complex_work *w)
{
    mpfr_ptr one = w->t[0], n = w->t[1];
    mpfr_set_prec(one, 2);
    mpfr_set_ui(one, 1, MPFR_RNDZ);
    complex_exact_sub(w->t[2], one, w->z[0].re);
    complex_exact_add(w->t[3], one, w->z[0].re);
    complex_exact_mul(w->t[4], w->t[2], w->t[3]);
    complex_exact_mul(w->t[5], w->z[0].im, w->z[0].im);
    complex_exact_sub(n, w->t[4], w->t[5]);
    if (mpfr_zero_p(n))
        mpfr_set_zero(n, 1);
    mpfr_set_prec(w->t[2], mpfr_get_prec(w->z[0].im));
    mpfr_mul_2ui(w->t[2], w->z[0].im, 1, MPFR_RNDZ);
    return half(complex_apply2(w, mpfr_atan2, w->t[2], n));
}

/* C11 G.6.2.3. */
static bool special_atanh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im, one = w->t[0];
    if (complex_is_finite(&w->z[0]))
        return false;
    y[0] = y[1] = complex_nan();
    if (mpfr_inf_p(im) || (mpfr_inf_p(re) && !mpfr_nan_p(im))) {
        mpfr_set_prec(one, 64);
        mpfr_set_inf(one, mpfr_signbit(im) ? -1 : 1);
        mpfr_set_zero(w->t[1], 1);
        y[0] = complex_zero(!mpfr_nan_p(re) && mpfr_signbit(re));
        y[1] = complex_apply2(w, mpfr_atan2, one, w->t[1]);
        w->signs = mpfr_nan_p(re) ? 1 : 0;
    } else if (mpfr_inf_p(re)) {
        y[0] = complex_zero(mpfr_signbit(re));
    } else if (mpfr_zero_p(re)) {
        y[0] = complex_real(w, re);
    }
    return true;
}

void complex_inverse_atanh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    bool negative = mpfr_signbit(re);
    if (special_atanh(w, y))
        return;
    if (mpfr_zero_p(im) && mpfr_cmpabs_ui(re, 1) <= 0) {
        y[0] = complex_apply(w, mpfr_atanh, re);
    } else if (mpfr_zero_p(re)) {
        y[0] = complex_real(w, re);
    } else {
        complex_refine(w, step_atanh, y);
        y[0].negative = negative;
    }
    y[1] = angle(w);
}

/* atan z = -i atanh iz */
void complex_inverse_atan(struct complex_work *w, struct real *y)
{
    complex_turn(w);
    complex_inverse_atanh(w, y);
    complex_turn_back(w, y);
}
