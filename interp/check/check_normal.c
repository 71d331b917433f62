/* check_normal.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "interp/check/check.h"
#include "interp/check/distribution.h"
#include "interp/check/randomness_moments.h"

enum {
    /* Beyond that many standard deviations lies less than 1e-18. */
    FARTHEST = 9
};

__extension__ typedef __int128 wide;

/* Quantiles of 9/16, ..., 15/16, in parts of 10^-15. */
static const int64_t quantiles[7] = {
    157310684610171, 318639363964375,  488776411114669, 674489750196082,
    887146559018876, 1150349380376008, 1534120544352546};

/* (x - mu) / sigma as a number of fixed point, correct to its last bits: too
 * fine for it to matter on which side of a bound of probability 2^-40 more or
 * less an element counts.  False if it is too far. */
static bool standardise(const struct distribution *r, uint64_t bits, int64_t *z)
{
    int64_t by;
    if (!real_is_finite(r->type, bits))
        return false;
    if (distribution_power(r, &by)) {
        struct real y = real_from_bits(r->type, bits);
        int64_t down = 127 - RANDOMNESS_Z_BITS - (y.exponent - by);
        *z = y.kind == REAL_ZERO || down > 127 ? 0
             : down < 64                       ? INT64_MAX
                         : (int64_t)(y.significand >> down);
        *z = y.negative ? -*z : *z;
        return llabs(*z) <= (int64_t)FARTHEST << RANDOMNESS_Z_BITS;
    }
    MPFR_DECL_INIT(x, 64);
    real_bits_to_mpfr(x, r->type, bits);
    mpfr_sub(x, x, r->value[0], MPFR_RNDN);
    if (mpfr_zero_p(x)) {
        *z = 0;
        return true;
    }
    if (mpfr_zero_p(r->value[1]))
        return false;
    mpfr_div(x, x, r->value[1], MPFR_RNDN);
    if (mpfr_cmpabs_ui(x, FARTHEST) > 0)
        return false;
    mpfr_mul_2ui(x, x, RANDOMNESS_Z_BITS, MPFR_RNDN);
    *z = (int64_t)mpfr_get_si(x, MPFR_RNDN);
    return true;
}

/* Returns the sixteenth that z lies in. */
static int bin_of(int64_t z)
{
    wide size = (wide)llabs(z) * 1000000000000000 >> RANDOMNESS_Z_BITS;
    int half = 0;
    while (half < 7 && size >= quantiles[half])
        half++;
    return z < 0 ? 7 - half : 8 + half;
}

/* Bits of a fraction that the numbers within one standard deviation have. */
static int64_t fineness(const struct distribution *r)
{
    int p = dtype_table[r->type].precision;
    if (mpfr_zero_p(r->value[0]) || mpfr_zero_p(r->value[1]))
        return p;
    int64_t lost = mpfr_get_exp(r->value[0]) - mpfr_get_exp(r->value[1]);
    return lost > 0 ? p - lost : p;
}

bool check_normal(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found)
{
    const struct distribution *r = g->check.data;
    int64_t count = literal_units(got[0]), fine = fineness(r);
    unsigned char *bin = arena_new(g->arena, unsigned char, (size_t)count + 1);
    uint64_t *patterns = arena_new(g->arena, uint64_t, (size_t)count + 1);
    int64_t *z = arena_new(g->arena, int64_t, (size_t)count + 1);
    struct randomness test = {.n = count, .bin = bin};
    found->leaf = 0;
    test.bins = fine >= 16 ? 16 : fine >= 7 ? 4 : 1;
    for (int i = 0; i < test.bins; i++)
        test.weight[i] = 1;
    for (found->unit = 0; found->unit < count; ++found->unit) {
        patterns[found->unit] = literal_get(got[0], found->unit);
        if (!standardise(r, patterns[found->unit], &z[found->unit])) {
            snprintf(found->why, sizeof found->why,
                     "more than %d standard deviations from the mean",
                     (int)FARTHEST);
            return false;
        }
        bin[found->unit] =
            (unsigned char)(bin_of(z[found->unit]) / (16 / test.bins));
    }
    found->unit = 0;
    if (mpfr_zero_p(r->value[1]) || test.bins == 1)
        return true;
    /* The density is at most 0.4, and numbers lie at least 2^(1 - fine)
     * deviations apart except for those that are nearer to zero, which are just
     * as rare; a backend may also draw from four times fewer. */
    int64_t few = (fine < 40 ? fine : 40) - 2;
    /* Rounding moves the mean by 2^-fine deviations at most; a sample's own is
     * some n^-1/2 off. */
    bool enough = fine >= 32 || count >> 2 * fine == 0;
    return randomness_test(&test, found->why, sizeof found->why)
           && (!enough
               || randomness_moments_normal(z, count, found->why,
                                            sizeof found->why))
           && randomness_distinct(patterns, count, UINT64_C(1) << few,
                                  found->why, sizeof found->why);
}
