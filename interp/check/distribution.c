/* distribution.c - see distribution.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/distribution.h"

bool distribution_below(const struct distribution *r, uint64_t a, uint64_t b)
{
    /* Zeros of both signs are one number. */
    if (r->is_float && real_is_zero(r->type, a) && real_is_zero(r->type, b))
        return false;
    return real_key(r->type, a) < real_key(r->type, b);
}

int distribution_bin(const struct distribution *r, uint64_t x, int bins)
{
    if (!r->is_float) {
        uint64_t mask = dtype_mask(r->type);
        real_u128 at = (x - r->bits[0]) & mask;
        uint64_t range = (r->bits[1] - r->bits[0]) & mask;
        return (int)(at * (unsigned)bins / range);
    }
    /* 64 bits hold the bounds of the parts wherever the interval is no wider
     * than that, and rounding down leaves them in the upper one. */
    MPFR_DECL_INIT(at, 64);
    MPFR_DECL_INIT(value, 64);
    real_bits_to_mpfr(value, r->type, x);
    mpfr_sub(at, value, r->value[0], MPFR_RNDD);
    mpfr_mul_ui(at, at, (unsigned)bins, MPFR_RNDD);
    mpfr_div(at, at, r->width, MPFR_RNDD);
    long part = mpfr_get_si(at, MPFR_RNDD);
    return part < 0 ? 0 : part >= bins ? bins - 1 : (int)part;
}

int64_t distribution_place(const struct distribution *r, uint64_t x, int bits)
{
    int64_t one = INT64_C(1) << bits;
    if (!r->is_float) {
        uint64_t mask = dtype_mask(r->type);
        real_u128 at = (x - r->bits[0]) & mask;
        uint64_t range = (r->bits[1] - r->bits[0]) & mask;
        return (int64_t)((at << (bits + 1)) / range) - one;
    }
    MPFR_DECL_INIT(at, 64);
    MPFR_DECL_INIT(value, 64);
    real_bits_to_mpfr(value, r->type, x);
    mpfr_sub(at, value, r->value[0], MPFR_RNDD);
    mpfr_div(at, at, r->width, MPFR_RNDD);
    mpfr_mul_2ui(at, at, (unsigned)bits + 1, MPFR_RNDD);
    return mpfr_get_si(at, MPFR_RNDD) - one;
}

int64_t distribution_share(int64_t range, int bins, int which)
{
    /* x * bins / range == which */
    int64_t first = (which * range + bins - 1) / bins;
    int64_t next = ((which + 1) * range + bins - 1) / bins;
    return next - first;
}

int64_t distribution_numbers(const struct distribution *r)
{
    /* The width over the distance of the numbers at the larger end. */
    const struct dtype_info *d = &dtype_table[r->type];
    int64_t most = INT64_C(1) << 40, top = d->emin;
    mpfr_t width;
    mpfr_init2(width, DISTRIBUTION_PRECISION);
    for (int i = 0; i < 2; i++)
        if (!mpfr_zero_p(r->value[i]) && mpfr_get_exp(r->value[i]) - 1 > top)
            top = mpfr_get_exp(r->value[i]) - 1;
    mpfr_mul_2si(width, r->width, d->precision - 1 - top, MPFR_RNDN);
    int64_t n = mpfr_cmp_ui_2exp(width, 1, 40) < 0
                    ? mpfr_get_si(width, MPFR_RNDZ)
                    : most;
    mpfr_clear(width);
    return n;
}

uint64_t distribution_range(const struct distribution *r, uint64_t *low)
{
    enum dtype t = r->type;
    uint64_t a = r->bits[0], b = r->bits[1];
    if (real_key(t, b) <= real_key(t, a))
        return 0;
    *low = a;
    return (b - a) & dtype_mask(t);
}

bool distribution_power(const struct distribution *r, int64_t *by)
{
    if (!mpfr_zero_p(r->value[0]) || mpfr_sgn(r->value[1]) <= 0
        || mpfr_min_prec(r->value[1]) != 1)
        return false;
    *by = mpfr_get_exp(r->value[1]) - 1;
    return true;
}
