/* BesselI1e.c - e^-|x| I1(x) of each element, I1 the modified Bessel function
 * of the first kind and of order 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/enclose.h"
#include "interp/ops/elementwise.h"
#include "interp/program/op_way.h"

/* Add the terms of x/2 sum (x^2/4)^k / (k! (k+1)!), all positive, and multiply
 * by e^-x.  Returns how many there were, 0 if too many.  Each term is at most
 * half of the one before when the last is below 2^-bits of the sum, so those
 * left out are less than it. */
static long add_series(mpfr_ptr y, mpfr_srcptr x)
{
    mpfr_prec_t bits = mpfr_get_prec(y);
    long count = 0;
    mpfr_t t, r;
    mpfr_init2(t, bits);
    mpfr_init2(r, bits);
    mpfr_div_2ui(t, x, 1, MPFR_RNDN);
    mpfr_sqr(r, t, MPFR_RNDN);
    mpfr_set(y, t, MPFR_RNDN);
    for (long k = 1; k < 16 * bits && count == 0; k++) {
        mpfr_mul(t, t, r, MPFR_RNDN);
        mpfr_div_ui(t, t, (unsigned long)k, MPFR_RNDN);
        mpfr_div_ui(t, t, (unsigned long)k + 1, MPFR_RNDN);
        mpfr_add(y, y, t, MPFR_RNDN);
        if (mpfr_get_exp(t) < mpfr_get_exp(y) - bits - 1
            && mpfr_cmp_ui(r, (unsigned long)k * (unsigned long)k / 2) < 0)
            count = k;
    }
    mpfr_neg(r, x, MPFR_RNDN);
    mpfr_exp(t, r, MPFR_RNDN);
    mpfr_mul(y, y, t, MPFR_RNDN);
    mpfr_clear(t);
    mpfr_clear(r);
    return count;
}

/* For x of at least bits: 1 / sqrt(2 pi x) times the sum of (-1)^k a_k / x^k
 * (DLMF 10.40.1, 10.17.1).  By 10.34.2 and 10.40.11 the terms from the l-th on
 * are less than 16 (l + 2) |a_l / x^l|, and what e^-2x multiplies is less than
 * 2. */
static long add_expansion(mpfr_ptr y, mpfr_srcptr x)
{
    mpfr_prec_t bits = mpfr_get_prec(y);
    long count = 0;
    mpfr_t t, u;
    mpfr_init2(t, bits);
    mpfr_init2(u, bits);
    mpfr_set_ui(t, 1, MPFR_RNDN);
    mpfr_set_ui(y, 0, MPFR_RNDN);
    for (long k = 1; k < 2 * bits && count == 0; k++) {
        mpfr_add(y, y, t, MPFR_RNDN);
        mpfr_mul_si(t, t, (2 * k - 1) * (2 * k - 1) - 4, MPFR_RNDN);
        mpfr_div_ui(t, t, 8 * (unsigned long)k, MPFR_RNDN);
        mpfr_div(t, t, x, MPFR_RNDN);
        mpfr_mul_ui(u, t, 16 * (unsigned long)(k + 2), MPFR_RNDN);
        if (mpfr_get_exp(u) < -bits)
            count = k;
    }
    mpfr_const_pi(u, MPFR_RNDN);
    mpfr_mul(u, u, x, MPFR_RNDN);
    mpfr_mul_2ui(u, u, 1, MPFR_RNDN);
    mpfr_sqrt(u, u, MPFR_RNDN);
    mpfr_div(y, y, u, MPFR_RNDN);
    mpfr_clear(t);
    mpfr_clear(u);
    return count;
}

/* The relative error is less than (8 n + 64) 2^-bits: there are n terms, each
 * with at most 4 n roundings, and n roundings in the sum, which has no
 * cancellation. */
static bool at(const void *what, mpfr_ptr low, mpfr_ptr high)
{
    mpfr_srcptr x = what;
    mpfr_prec_t bits = mpfr_get_prec(low);
    long n = mpfr_cmp_ui(x, (unsigned long)bits) < 0 ? add_series(low, x)
                                                     : add_expansion(low, x);
    if (n == 0)
        return false;
    mpfr_t width;
    mpfr_init2(width, bits);
    mpfr_mul_ui(width, low, 8 * (unsigned long)n + 64, MPFR_RNDU);
    mpfr_div_2si(width, width, bits, MPFR_RNDU);
    mpfr_add(high, low, width, MPFR_RNDU);
    mpfr_sub(low, low, width, MPFR_RNDD);
    mpfr_clear(width);
    return true;
}

static int bessel_i1e(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    if (!mpfr_regular_p(x)) { /* 0, and the limit 0 */
        mpfr_set_zero(y, mpfr_signbit(x) ? -1 : 1);
        return 0;
    }
    mpfr_t a;
    mpfr_init2(a, mpfr_get_prec(x));
    mpfr_abs(a, x, MPFR_RNDN);
    int ternary = enclose(y, at, a);
    if (mpfr_signbit(x) && ternary != ENCLOSE_UNDECIDED) {
        mpfr_neg(y, y, MPFR_RNDN);
        ternary = -ternary;
    }
    mpfr_clear(a);
    return ternary;
}

OP_FUNCTION(BesselI1e, bessel_i1e, OP_WAY_BESSEL, .complex = NULL);
