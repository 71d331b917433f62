/* complex_tanh.c - hyperbolic and circular tangent, logistic function.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * With D = sinh^2 x + cos^2 y, a sum of squares that loses nothing near the
 * poles, tanh(x + iy) = (sinh x cosh x + i sin y cos y) / D.
 */
#include "interp/ops/complex.h"
#include "interp/ops/logistic.h"

/* t[0..3] = sinh x, cosh x, sin y, cos y of the point; t[4] = D. */
static void denominator(struct complex_work *w, mpfr_srcptr x, mpfr_srcptr y)
{
    mpfr_sinh_cosh(w->t[0], w->t[1], x, MPFR_RNDN);
    mpfr_sin_cos(w->t[2], w->t[3], y, MPFR_RNDN);
    mpfr_sqr(w->t[4], w->t[0], MPFR_RNDN);
    mpfr_sqr(w->t[5], w->t[3], MPFR_RNDN);
    mpfr_add(w->t[4], w->t[4], w->t[5], MPFR_RNDN);
}

static void step_tanh(struct complex_work *w, mpfr_prec_t prec)
{
    denominator(w, w->z[0].re, w->z[0].im);
    mpfr_mul(w->t[0], w->t[0], w->t[1], MPFR_RNDN);
    mpfr_mul(w->t[2], w->t[2], w->t[3], MPFR_RNDN);
    mpfr_div(w->part[0].value, w->t[0], w->t[4], MPFR_RNDN);
    mpfr_div(w->part[1].value, w->t[2], w->t[4], MPFR_RNDN);
    w->part[0].good = w->part[1].good = prec - 6;
}

/* As x grows the real part nears 1, from above where cos 2y < 0. */
static void step_far(struct complex_work *w, mpfr_prec_t prec)
{
    step_tanh(w, prec);
    mpfr_set_ui(w->part[0].value, 1, MPFR_RNDZ);
    w->part[0].good = COMPLEX_EXACT;
}

/* Sign of cos(2^n y): is it below 0? */
static bool cos_is_negative(struct complex_work *w, mpfr_srcptr y, int n)
{
    complex_precision(w, 64);
    mpfr_mul_2si(w->t[0], y, n, MPFR_RNDN);
    mpfr_cos(w->t[1], w->t[0], MPFR_RNDZ);
    return mpfr_signbit(w->t[1]);
}

/* 0 with the sign of sin 2^n y, times that of x. */
static struct real sine_zero(struct complex_work *w, mpfr_srcptr y, int n)
{
    complex_precision(w, 64);
    mpfr_mul_2si(w->t[0], y, n, MPFR_RNDN);
    mpfr_sin(w->t[1], w->t[0], MPFR_RNDZ);
    return complex_zero(mpfr_signbit(w->t[1]));
}

/* C11 G.6.2.6 (with DR 471: x = 0, y infinite or NaN). */
static bool special_tanh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (complex_is_finite(&w->z[0]))
        return false;
    y[0] = y[1] = complex_nan();
    if (mpfr_inf_p(re)) {
        y[0] = real_from_int(mpfr_signbit(re) ? -1 : 1);
        y[1] = complex_zero(false);
        if (mpfr_number_p(im))
            y[1] = sine_zero(w, im, 1);
        else
            w->signs = 2;
    } else if (mpfr_zero_p(re)) {
        y[0] = complex_real(w, re);
        w->free = true;
    } else if (mpfr_zero_p(im)) {
        y[1] = complex_real(w, im);
    }
    return true;
}

void complex_tanh_tanh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (special_tanh(w, y))
        return;
    if (mpfr_zero_p(im)) {
        y[0] = complex_apply(w, mpfr_tanh, re);
        y[1] = complex_real(w, im);
    } else if (mpfr_zero_p(re)) {
        y[0] = complex_real(w, re);
        y[1] = complex_apply(w, mpfr_tan, im);
    } else if (mpfr_cmpabs_ui(re, (unsigned long)w->width) > 0) {
        complex_clamp(re);
        complex_refine(w, step_far, y);
        y[0] = complex_near_one(w, cos_is_negative(w, im, 1), mpfr_signbit(re));
    } else {
        complex_refine(w, step_tanh, y);
    }
}

/* tan z = -i tanh iz */
void complex_tanh_tan(struct complex_work *w, struct real *y)
{
    complex_turn(w);
    complex_tanh_tanh(w, y);
    complex_turn_back(w, y);
}

/* ---- Logistic ------------------------------------------------------------ */

/* With D at z/2: ((e^x - 1)/2 + cos^2(y/2)) / 2D + i sin(y/2) cos(y/2) / 2D */
static void step_logistic(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_ptr half_x = w->t[6], half_y = w->t[7], a = w->t[8];
    mpfr_div_2ui(half_x, w->z[0].re, 1, MPFR_RNDN);
    mpfr_div_2ui(half_y, w->z[0].im, 1, MPFR_RNDN);
    denominator(w, half_x, half_y);
    mpfr_mul_2ui(w->t[4], w->t[4], 1, MPFR_RNDN);
    mpfr_mul(w->t[2], w->t[2], w->t[3], MPFR_RNDN);
    mpfr_div(w->part[1].value, w->t[2], w->t[4], MPFR_RNDN);
    w->part[1].good = prec - 6;

    mpfr_expm1(a, w->z[0].re, MPFR_RNDN);
    mpfr_div_2ui(a, a, 1, MPFR_RNDN);
    mpfr_exp_t ea = mpfr_get_exp(a), eb = mpfr_get_exp(w->t[5]);
    mpfr_add(a, a, w->t[5], MPFR_RNDN);
    /* Known before the division, which adds a few roundings. */
    int64_t good = complex_good(a, (ea > eb ? ea : eb) + 3, prec);
    mpfr_div(w->part[0].value, a, w->t[4], MPFR_RNDN);
    w->part[0].good = (good < prec - 4 ? good : prec - 4) - 3;
}

static void step_logistic_far(struct complex_work *w, mpfr_prec_t prec)
{
    step_logistic(w, prec);
    mpfr_set_ui(w->part[0].value, 1, MPFR_RNDZ);
    w->part[0].good = COMPLEX_EXACT;
}

static void special_logistic(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    y[0] = y[1] = complex_nan();
    w->free = !complex_has_nan(&w->z[0]) || mpfr_inf_p(re);
    if (!mpfr_inf_p(re) || !mpfr_number_p(im))
        return;
    y[1] = sine_zero(w, im, 0);
    y[0] = mpfr_signbit(re) ? complex_zero(cos_is_negative(w, im, 0))
                            : real_from_int(1);
    w->free = false;
}

/* No C function: the limits of 1 / (1 + exp(-z)) at infinity. */
static void logistic(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (!complex_is_finite(&w->z[0])) {
        special_logistic(w, y);
    } else if (mpfr_zero_p(im)) {
        y[0] = complex_apply(w, logistic_real, re);
        y[1] = complex_real(w, im);
    } else if (mpfr_zero_p(re)) {
        y[0] = real_from_int(1);
        y[0].exponent = -1;
        mpfr_div_2ui(im, im, 1, MPFR_RNDZ);
        y[1] = complex_apply(w, mpfr_tan, im);
        y[1].exponent -= 1;
    } else if (mpfr_cmp_ui(re, (unsigned long)w->width) > 0) {
        complex_clamp(re);
        complex_refine(w, step_logistic_far, y);
        y[0] = complex_near_one(w, cos_is_negative(w, im, 0), false);
    } else {
        complex_clamp(re);
        complex_refine(w, step_logistic, y);
    }
}

void complex_tanh_logistic(struct complex_work *w, struct real *y)
{
    logistic(w, y);
    complex_quotient_zeros(w, y);
}
