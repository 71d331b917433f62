/* complex_exp.c - the exponential and functions that are products with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * exp(x + iy) = e^x cos y + i e^x sin y, sinh and cosh likewise: products of
 * correctly rounded factors.  Unless x or y is 0, no component is ever a
 * number of finitely many bits (Lindemann and Weierstrass), so refining ends.
 */
#include "interp/ops/complex.h"

/* e^x, sinh x or cosh x times cos y and sin y: two roundings each. */
static void multiply(struct complex_work *w, mpfr_srcptr re, mpfr_srcptr im,
                     mpfr_prec_t prec)
{
    mpfr_sin_cos(w->t[2], w->t[3], w->z[0].im, MPFR_RNDN);
    mpfr_mul(w->part[0].value, re, w->t[3], MPFR_RNDN);
    mpfr_mul(w->part[1].value, im, w->t[2], MPFR_RNDN);
    w->part[0].good = w->part[1].good = prec - 4;
}

/* For a finite operand: f(x) and y where y is zero, cos y and sin y where x is,
 * else as step refines both. */
static void finite(struct complex_work *w, complex_call1 *f, complex_step *step,
                   struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    complex_clamp(re);
    if (mpfr_zero_p(im)) {
        y[0] = complex_apply(w, f, re);
        y[1] = complex_real(w, im);
    } else if (mpfr_zero_p(re)) {
        y[0] = complex_apply(w, mpfr_cos, im);
        y[1] = complex_apply(w, mpfr_sin, im);
    } else {
        complex_refine(w, step, y);
    }
}

/* An infinite or zero radius, for x infinite and y finite. */
static void radial(struct complex_work *w, struct real re, struct real im,
                   struct real *y)
{
    mpfr_ptr angle = w->z[0].im;
    complex_precision(w, 64);
    mpfr_sin_cos(w->t[2], w->t[3], angle, MPFR_RNDZ);
    y[0] = complex_times(re, w->t[3]);
    y[1] = mpfr_zero_p(angle)
               ? complex_zero(im.negative != (mpfr_signbit(angle) != 0))
               : complex_times(im, w->t[2]);
}

static void step_exp(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_exp(w->t[0], w->z[0].re, MPFR_RNDN);
    multiply(w, w->t[0], w->t[0], prec);
}

/* C11 G.6.3.1. */
static bool special_exp(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (complex_is_finite(&w->z[0]))
        return false;
    y[0] = y[1] = complex_nan();
    if (mpfr_inf_p(re)) {
        bool left = mpfr_signbit(re);
        struct real radius = left ? complex_zero(false) : complex_inf(false);
        if (mpfr_number_p(im)) {
            radial(w, radius, radius, y);
        } else {
            y[0] = radius;
            y[1] = left ? radius : complex_nan();
            w->signs = left ? 3 : 1;
        }
    } else if (mpfr_nan_p(re) && mpfr_zero_p(im)) {
        y[1] = complex_real(w, im);
    }
    return true;
}

void complex_exp_exp(struct complex_work *w, struct real *y)
{
    if (!special_exp(w, y))
        finite(w, mpfr_exp, step_exp, y);
}

/* re: (e^x - 1) cos y - 2 sin^2(y/2), which may cancel. */
static void step_expm1(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_ptr a = w->t[4], b = w->t[5];
    step_exp(w, prec);
    mpfr_expm1(w->t[0], w->z[0].re, MPFR_RNDN);
    mpfr_mul(a, w->t[0], w->t[3], MPFR_RNDN);
    mpfr_div_2ui(b, w->z[0].im, 1, MPFR_RNDN);
    mpfr_sin(b, b, MPFR_RNDN);
    mpfr_sqr(b, b, MPFR_RNDN);
    mpfr_mul_2ui(b, b, 1, MPFR_RNDN);
    mpfr_sub(w->part[0].value, a, b, MPFR_RNDN);
    if (mpfr_zero_p(a)) {
        w->part[0].good = prec - 4;
        return;
    }
    mpfr_exp_t ea = mpfr_get_exp(a), eb = mpfr_get_exp(b);
    w->part[0].good =
        complex_good(w->part[0].value, (ea > eb ? ea : eb) + 4, prec);
}

void complex_exp_expm1(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (special_exp(w, y)) {
        if (y[0].kind == REAL_ZERO) {
            y[0] = real_from_int(-1);
            w->signs &= 2;
        }
        return;
    }
    complex_clamp(re);
    if (mpfr_zero_p(im)) {
        y[0] = complex_apply(w, mpfr_expm1, re);
        y[1] = complex_real(w, im);
        /* -0 stays, as in the real function, or is exp(z) - 1. */
        w->signs = mpfr_zero_p(re) && mpfr_signbit(re) ? 1 : 0;
        return;
    }
    if (mpfr_cmp_si(re, -(long)w->width) >= 0) {
        complex_refine(w, step_expm1, y);
        return;
    }
    /* -1 + e^x cos y */
    complex_refine(w, step_exp, y);
    y[0] = complex_near_one(w, y[0].negative, true);
}

/* ---- Hyperbolic and circular --------------------------------------------- */

static void step_sinh(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_sinh_cosh(w->t[0], w->t[1], w->z[0].re, MPFR_RNDN);
    multiply(w, w->t[0], w->t[1], prec);
}

static void step_cosh(struct complex_work *w, mpfr_prec_t prec)
{
    mpfr_sinh_cosh(w->t[0], w->t[1], w->z[0].re, MPFR_RNDN);
    multiply(w, w->t[1], w->t[0], prec);
}

/* C11 G.6.2.5. */
static bool special_sinh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (complex_is_finite(&w->z[0]))
        return false;
    y[0] = y[1] = complex_nan();
    if (mpfr_inf_p(re) && mpfr_number_p(im)) {
        bool left = mpfr_signbit(re);
        radial(w, complex_inf(left), complex_inf(false), y);
    } else if (mpfr_inf_p(re) || mpfr_zero_p(re)) {
        y[0] = complex_real(w, re);
        w->signs = 1;
    } else if (mpfr_zero_p(im)) {
        y[1] = complex_real(w, im);
    }
    return true;
}

void complex_exp_sinh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (special_sinh(w, y))
        return;
    finite(w, mpfr_sinh, step_sinh, y);
    if (mpfr_zero_p(re) && !mpfr_zero_p(im)) /* +-0 cos y */
        y[0] = complex_zero(y[0].negative != (mpfr_signbit(re) != 0));
}

/* C11 G.6.2.4. */
static bool special_cosh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (complex_is_finite(&w->z[0]))
        return false;
    y[0] = y[1] = complex_nan();
    if (mpfr_inf_p(re)) {
        bool left = mpfr_signbit(re);
        y[0] = complex_inf(false);
        if (mpfr_number_p(im))
            radial(w, complex_inf(false), complex_inf(left), y);
        else
            w->signs = mpfr_inf_p(im) ? 1 : 0;
    } else if (mpfr_zero_p(re) || mpfr_zero_p(im)) {
        y[1] = complex_zero(false);
        w->signs = 2;
    }
    return true;
}

void complex_exp_cosh(struct complex_work *w, struct real *y)
{
    mpfr_ptr re = w->z[0].re, im = w->z[0].im;
    if (special_cosh(w, y))
        return;
    complex_clamp(re);
    if (!mpfr_zero_p(re) && !mpfr_zero_p(im)) {
        complex_refine(w, step_cosh, y);
        return;
    }
    struct real sin = complex_apply(w, mpfr_sin, im);
    y[1] = complex_zero(sin.negative != (mpfr_signbit(re) != 0));
    y[0] = mpfr_zero_p(im) ? complex_apply(w, mpfr_cosh, re)
                           : complex_apply(w, mpfr_cos, im);
}

/* sin z = -i sinh iz, cos z = cosh iz (C11 G.7). */
void complex_exp_sin(struct complex_work *w, struct real *y)
{
    complex_turn(w);
    complex_exp_sinh(w, y);
    complex_turn_back(w, y);
}

void complex_exp_cos(struct complex_work *w, struct real *y)
{
    complex_turn(w);
    complex_exp_cosh(w, y);
}
