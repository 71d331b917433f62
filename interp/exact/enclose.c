/* enclose.c - see enclose.h.  Tests: flint.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/enclose.h"

/* Does every number strictly between two positive ones truncate to y? */
static bool decided(mpfr_ptr y, mpfr_srcptr low, mpfr_srcptr high)
{
    if (mpfr_sgn(low) < 0 || mpfr_sgn(high) <= 0)
        return false;
    mpfr_set(y, low, MPFR_RNDZ);
    if (!mpfr_regular_p(y))
        return false;
    mpfr_t next;
    mpfr_init2(next, mpfr_get_prec(y));
    mpfr_set(next, y, MPFR_RNDZ);
    mpfr_nextabove(next);
    bool one = mpfr_lessequal_p(high, next);
    mpfr_clear(next);
    return one;
}

int enclose(mpfr_ptr y, enclose_at *at, const void *what)
{
    int ternary = ENCLOSE_UNDECIDED;
    mpfr_t low, high;
    mpfr_init2(low, 2);
    mpfr_init2(high, 2);
    for (mpfr_prec_t bits = mpfr_get_prec(y) + 32;
         bits <= ENCLOSE_BITS && ternary == ENCLOSE_UNDECIDED; bits *= 2) {
        mpfr_set_prec(low, bits);
        mpfr_set_prec(high, bits);
        if (!at(what, low, high))
            continue;
        if (decided(y, low, high)) {
            ternary = -1;
            continue;
        }
        mpfr_neg(low, low, MPFR_RNDN);
        mpfr_neg(high, high, MPFR_RNDN);
        if (decided(y, high, low)) {
            mpfr_neg(y, y, MPFR_RNDN);
            ternary = 1;
        }
    }
    if (ternary == ENCLOSE_UNDECIDED)
        mpfr_set_nan(y); /* the last try is still there */
    mpfr_clear(low);
    mpfr_clear(high);
    return ternary;
}
