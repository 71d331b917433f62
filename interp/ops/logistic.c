/* logistic.c - see logistic.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/logistic.h"

#include <assert.h>

/* Where the answer is next to 1/2 or 1, or exact: true. */
static bool settled(mpfr_ptr y, mpfr_srcptr x, int *ternary)
{
    mpfr_prec_t p = mpfr_get_prec(y);
    *ternary = 0;
    if (mpfr_nan_p(x)) {
        mpfr_set_nan(y);
    } else if (mpfr_inf_p(x)) {
        mpfr_set_ui(y, mpfr_signbit(x) ? 0 : 1, MPFR_RNDZ);
    } else if (mpfr_zero_p(x)) {
        mpfr_set_ui_2exp(y, 1, -1, MPFR_RNDZ);
    } else if (mpfr_get_exp(x) < -p - 2) { /* 1/2 + x/4 */
        mpfr_set_ui_2exp(y, 1, -1, MPFR_RNDZ);
        if (mpfr_signbit(x))
            mpfr_nextbelow(y);
        *ternary = -1;
    } else if (mpfr_cmp_si(x, p) > 0) { /* 1 - e^-x, e^-x < 2^-p */
        mpfr_set_ui(y, 1, MPFR_RNDZ);
        mpfr_nextbelow(y);
        *ternary = -1;
    } else {
        return false;
    }
    return true;
}

int logistic_real(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rnd)
{
    mpfr_prec_t p = mpfr_get_prec(y);
    int ternary;
    mpfr_t t, u;

    assert(rnd == MPFR_RNDZ);
    if (settled(y, x, &ternary))
        return ternary;
    mpfr_init2(t, p + 32);
    mpfr_init2(u, p + 32);
    for (mpfr_prec_t prec = p + 32;; prec *= 2) {
        mpfr_set_prec(t, prec);
        mpfr_set_prec(u, prec < 64 ? 64 : prec);
        mpfr_neg(u, x, MPFR_RNDN);
        /* Beyond that it is below every type's smallest number. */
        if (mpfr_cmp_si(u, 1 << 20) > 0)
            mpfr_set_si(u, 1 << 20, MPFR_RNDN);
        mpfr_exp(t, u, MPFR_RNDN);
        mpfr_add_ui(t, t, 1, MPFR_RNDN);
        mpfr_ui_div(t, 1, t, MPFR_RNDN);
        /* Three roundings; the value is transcendental, so this ends. */
        if (mpfr_can_round(t, prec - 3, MPFR_RNDN, MPFR_RNDZ, p))
            break;
    }
    mpfr_set(y, t, MPFR_RNDZ);
    mpfr_clears(t, u, (mpfr_ptr)0);
    return -1;
}
