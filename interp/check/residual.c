/* residual.c - see residual.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/residual.h"

#include "interp/exact/real.h"

mpfr_prec_t residual_precision(enum dtype unit)
{
    const struct dtype_info *d = &dtype_table[unit];
    return 2 * (d->emax - d->emin + d->precision) + 192;
}

void residual_tiny(mpfr_ptr x, enum dtype unit, bool flush)
{
    const struct dtype_info *d = &dtype_table[unit];
    mpfr_set_ui_2exp(x, 1, flush ? d->emin : d->emin - d->precision + 1,
                     MPFR_RNDU);
}

void residual_gamma(mpfr_ptr x, int64_t roundings, enum dtype accumulator)
{
    uint64_t one = UINT64_C(1) << dtype_table[accumulator].precision;
    uint64_t k = (uint64_t)roundings;
    mpfr_set_ui(x, k, MPFR_RNDU);
    mpfr_div_ui(x, x, k < one / 2 ? one - k : one, MPFR_RNDU);
}

mpfr_t *residual_numbers(struct arena *a, int64_t count, mpfr_prec_t bits)
{
    mpfr_t *to = arena_new(a, mpfr_t, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) {
        mpfr_init2(to[i], bits);
        mpfr_set_zero(to[i], 1);
    }
    return to;
}

void residual_clear(mpfr_t *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        mpfr_clear(numbers[i]);
}

uint64_t residual_end(mpfr_srcptr x, enum dtype unit, bool up)
{
    struct real end = real_from_mpfr(x, 0);
    end.negative = end.kind == REAL_ZERO ? !up : end.negative;
    return (up ? real_round_up : real_round_down)(&end, unit);
}
