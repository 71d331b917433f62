/* ErfInv.c - the number whose error function each element is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/enclose.h"
#include "interp/ops/elementwise.h"

/* 0 < a < 1.  Above 1/2 the equation is erfc(y) = 1 - a, where 1 - a is exact,
 * so that nothing cancels. */
struct equation {
    mpfr_t a, rest;
    bool upper;
};

/* Halley's method: the error of each step is the cube of the one before, so
 * the last step tells when it is small enough. */
static void refine(const struct equation *e, mpfr_ptr y)
{
    mpfr_prec_t bits = mpfr_get_prec(y);
    mpfr_t step, t;
    mpfr_init2(step, bits);
    mpfr_init2(t, bits);
    for (int i = 0; i < 20; i++) {
        if (e->upper) {
            mpfr_erfc(step, y, MPFR_RNDN);
            mpfr_sub(step, e->rest, step, MPFR_RNDN);
        } else {
            mpfr_erf(step, y, MPFR_RNDN);
            mpfr_sub(step, step, e->a, MPFR_RNDN);
        }
        mpfr_sqr(t, y, MPFR_RNDN);
        mpfr_exp(t, t, MPFR_RNDN);
        mpfr_mul(step, step, t, MPFR_RNDN);
        mpfr_const_pi(t, MPFR_RNDN);
        mpfr_sqrt(t, t, MPFR_RNDN);
        mpfr_mul(step, step, t, MPFR_RNDN);
        mpfr_div_2ui(step, step, 1, MPFR_RNDN);
        mpfr_mul(t, y, step, MPFR_RNDN);
        mpfr_add_ui(t, t, 1, MPFR_RNDN);
        mpfr_div(step, step, t, MPFR_RNDN);
        mpfr_sub(y, y, step, MPFR_RNDN);
        if (mpfr_zero_p(step)
            || 3 * (mpfr_get_exp(y) - mpfr_get_exp(step)) > bits - 8)
            break;
    }
    mpfr_clear(step);
    mpfr_clear(t);
}

/* Is the root above y (below: under it)?  Both are proved by a sign. */
static bool is_above(const struct equation *e, mpfr_srcptr y, bool above)
{
    mpfr_t t;
    mpfr_init2(t, mpfr_get_prec(y) + 16);
    if (e->upper)
        mpfr_erfc(t, y, above ? MPFR_RNDD : MPFR_RNDU);
    else
        mpfr_erf(t, y, above ? MPFR_RNDU : MPFR_RNDD);
    int order = e->upper ? mpfr_cmp(e->rest, t) : mpfr_cmp(t, e->a);
    mpfr_clear(t);
    return above ? order < 0 : order > 0;
}

/* Near the root: erf(y) is about 9/8 y, and erfc(y) about e^(-3/2 y^2). */
static void start(const struct equation *e, mpfr_ptr y)
{
    mpfr_t t;
    mpfr_init2(t, 64);
    if (e->upper) {
        mpfr_log(t, e->rest, MPFR_RNDN);
        mpfr_mul_si(t, t, -2, MPFR_RNDN);
        mpfr_div_ui(t, t, 3, MPFR_RNDN);
        mpfr_sqrt(t, t, MPFR_RNDN);
    } else {
        mpfr_mul_ui(t, e->a, 8, MPFR_RNDN);
        mpfr_div_ui(t, t, 9, MPFR_RNDN);
    }
    refine(e, t);
    mpfr_set(y, t, MPFR_RNDN);
    mpfr_clear(t);
}

static bool at(const void *what, mpfr_ptr low, mpfr_ptr high)
{
    const struct equation *e = what;
    mpfr_prec_t bits = mpfr_get_prec(low);
    mpfr_t width;

    start(e, low);
    refine(e, low);
    mpfr_init2(width, bits);
    mpfr_div_2si(width, low, bits - 16, MPFR_RNDU);
    mpfr_add(high, low, width, MPFR_RNDU);
    mpfr_sub(low, low, width, MPFR_RNDD);
    mpfr_clear(width);
    return mpfr_sgn(low) > 0 && is_above(e, low, true)
           && is_above(e, high, false);
}

/* Outside of [-1, 1] it is NaN, at the ends infinite. */
static bool settled(mpfr_ptr y, mpfr_srcptr x)
{
    int order = mpfr_cmpabs_ui(x, 1);
    if (mpfr_zero_p(x))
        mpfr_set(y, x, MPFR_RNDN);
    else if (order > 0)
        mpfr_set_nan(y);
    else if (order == 0)
        mpfr_set_inf(y, mpfr_sgn(x));
    else
        return false;
    return true;
}

static int erf_inv(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    struct equation e;
    if (settled(y, x))
        return 0;
    mpfr_init2(e.a, mpfr_get_prec(x));
    mpfr_init2(e.rest, mpfr_get_prec(x));
    mpfr_abs(e.a, x, MPFR_RNDN);
    mpfr_ui_sub(e.rest, 1, e.a, MPFR_RNDN);
    e.upper = mpfr_cmp_ui_2exp(e.a, 1, -1) > 0;
    int ternary = enclose(y, at, &e);
    if (mpfr_signbit(x) && ternary != ENCLOSE_UNDECIDED) {
        mpfr_neg(y, y, MPFR_RNDN);
        ternary = -ternary;
    }
    mpfr_clear(e.a);
    mpfr_clear(e.rest);
    return ternary;
}

OP_FUNCTION(ErfInv, erf_inv, 1, .complex = NULL);
