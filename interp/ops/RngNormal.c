/* RngNormal - normally distributed numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference adds up 16 uniform numbers and mends the sum's fourth moment;
 * any sample that looks normal is right.  Bins are bounded by quantiles:
 * sixteenths, or quarters where the type has few numbers.
 */
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>

#include "interp/ops/randomness_moments.h"
#include "interp/ops/rng.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    TERMS = 16,
    POINT = 56, /* bits of a fraction of the reference's numbers */
    /* Beyond that many standard deviations lies less than 1e-18. */
    FARTHEST = 9
};

__extension__ typedef __int128 wide;

/* Quantiles of 9/16, ..., 15/16, in parts of 10^-15. */
static const int64_t quantiles[7] = {
    157310684610171, 318639363964375,  488776411114669, 674489750196082,
    887146559018876, 1150349380376008, 1534120544352546};

/* ---- The reference's sample ---------------------------------------------- */

/* The sum of 16 uniform numbers, of variance 16/12; over its deviation it has a
 * fourth cumulant of -6/80, of which z + (z^3 - 3z) / 320 has next to nothing
 * (Cornish, Fisher 1938). */
static int64_t normal(int64_t i)
{
    wide sum = 0;
    for (int k = 0; k < TERMS / 2; k++) {
        uint64_t pair[2];
        rng_pair(i, k, pair);
        sum += (wide)pair[0] + pair[1];
    }
    sum -= (wide)(TERMS / 2) << 64;
    int64_t z = (int64_t)(sum >> (64 - POINT));
    /* times sqrt(3) / 2 */
    z = (int64_t)((wide)z * INT64_C(0x6ed9eba16132a9ce) >> 63);
    wide cube = ((wide)z * z >> POINT) * z >> POINT;
    return z + (int64_t)((cube - 3 * (wide)z) / 320);
}

/* Large samples have mean 0, and a power of two as deviation: those are moved
 * by exponent alone. */
static bool is_scaled(const struct rng *r, int64_t *by)
{
    if (!mpfr_zero_p(r->value[0]) || mpfr_sgn(r->value[1]) <= 0
        || mpfr_min_prec(r->value[1]) != 1)
        return false;
    *by = mpfr_get_exp(r->value[1]) - 1;
    return true;
}

static void draw(const struct rng *r, struct literal *out)
{
    mpfr_t sigma;
    int64_t by;
    bool scaled = is_scaled(r, &by);
    for (int64_t i = 0, n = literal_units(out); scaled && i < n; i++) {
        struct real y = real_from_int(normal(i));
        y.exponent += by - POINT;
        literal_set(out, i, real_round(&y, r->type, REAL_OVERFLOW_TYPE));
    }
    if (scaled)
        return;
    mpfr_init2(sigma, 64);
    mpfr_div_2ui(sigma, r->value[1], POINT, MPFR_RNDN);
    for (int64_t i = 0, n = literal_units(out); i < n; i++) {
        MPFR_DECL_INIT(cut, 128);
        MPFR_DECL_INIT(z, 64);
        mpfr_set_si(z, (long)normal(i), MPFR_RNDN);
        int ternary = mpfr_fma(cut, z, sigma, r->value[0], MPFR_RNDZ);
        struct real y = real_from_mpfr(cut, ternary);
        literal_set(out, i, real_round(&y, r->type, REAL_OVERFLOW_TYPE));
    }
    mpfr_clear(sigma);
}

/* ---- A backend's sample -------------------------------------------------- */

/* (x - mu) / sigma as a number of fixed point, correct to its last bits: too
 * fine for it to matter on which side of a bound of probability 2^-40 more or
 * less an element counts.  False if it is too far. */
static bool standardise(const struct rng *r, uint64_t bits, int64_t *z)
{
    int64_t by;
    if (!real_is_finite(r->type, bits))
        return false;
    if (is_scaled(r, &by)) {
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

/* Which sixteenth z lies in. */
static int bin_of(int64_t z)
{
    wide size = (wide)llabs(z) * 1000000000000000 >> RANDOMNESS_Z_BITS;
    int half = 0;
    while (half < 7 && size >= quantiles[half])
        half++;
    return z < 0 ? 7 - half : 8 + half;
}

/* Bits of a fraction that the numbers within one standard deviation have. */
static int64_t fineness(const struct rng *r)
{
    int p = dtype_table[r->type].precision;
    if (mpfr_zero_p(r->value[0]) || mpfr_zero_p(r->value[1]))
        return p;
    int64_t lost = mpfr_get_exp(r->value[0]) - mpfr_get_exp(r->value[1]);
    return lost > 0 ? p - lost : p;
}

static bool check(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found)
{
    const struct rng *r = g->check.data;
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
     * deviations apart but for those that are nearer to zero, which come as
     * rarely; a backend may also draw from four times fewer. */
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

static bool eval(struct eval *ev, struct status *st)
{
    struct rng *r = rng_open(ev);
    struct literal *value = literal_new(ev->arena, ev->in->shape);
    struct goal *g = goal_of(ev->arena, value, GOAL_BITS);
    /* A deviation below zero is none. */
    if (r->special || mpfr_sgn(r->value[1]) < 0)
        goal_make_free(g);
    else
        goal_make_check(g, check, r, 0);
    if (r->special)
        for (int64_t i = 0, n = literal_units(value); i < n; i++)
            literal_set(value, i, real_nan(r->type, false));
    else
        draw(r, value);
    eval_return_one(ev, g);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    return rng_infer(in, st);
}

static const struct stablehlo_form form = {
    .write = stablehlo_op_rng, .attributes = stablehlo_attribute_rng_normal};

const struct op op_RngNormal = {
    .name = "RngNormal", .infer = infer, .eval = eval, .stablehlo = &form};
