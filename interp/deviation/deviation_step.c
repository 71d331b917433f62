/* deviation_step.c - see deviation_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"

enum {
    TF32_BITS = 11,   /* of significand, with the hidden one */
    EXACT_BITS = 256, /* holds the sum of two neighbours exactly */
};

static uint64_t flush(enum dtype unit, const struct real *y, uint64_t bits,
                      enum dtype via)
{
    return real_is_subnormal(unit, bits)
               ? real_zero(unit, real_is_negative(unit, bits))
               : bits;
}

static uint64_t flush_positive(enum dtype unit, const struct real *y,
                               uint64_t bits, enum dtype via)
{
    return real_is_subnormal(unit, bits) ? real_zero(unit, false) : bits;
}

static uint64_t round_down(enum dtype unit, const struct real *y, uint64_t bits,
                           enum dtype via)
{
    return y->kind == REAL_FINITE ? real_round_down(y, unit) : bits;
}

static uint64_t round_up(enum dtype unit, const struct real *y, uint64_t bits,
                         enum dtype via)
{
    return y->kind == REAL_FINITE ? real_round_up(y, unit) : bits;
}

static uint64_t round_toward_zero(enum dtype unit, const struct real *y,
                                  uint64_t bits, enum dtype via)
{
    return y->negative ? round_up(unit, y, bits, via)
                       : round_down(unit, y, bits, via);
}

static uint64_t round_away(enum dtype unit, const struct real *y, uint64_t bits,
                           enum dtype via)
{
    return y->negative ? round_down(unit, y, bits, via)
                       : round_up(unit, y, bits, via);
}

static uint64_t ties_away(enum dtype unit, const struct real *y, uint64_t bits,
                          enum dtype via)
{
    if (y->kind != REAL_FINITE || y->inexact)
        return bits;
    uint64_t low = real_round_down(y, unit), high = real_round_up(y, unit);
    if (!real_is_finite(unit, low) || !real_is_finite(unit, high))
        return bits;
    mpfr_t a, b, twice;
    mpfr_inits2(EXACT_BITS, a, b, twice, (mpfr_ptr)0);
    real_bits_to_mpfr(a, unit, low);
    real_bits_to_mpfr(b, unit, high);
    real_to_mpfr(twice, y);
    mpfr_mul_ui(twice, twice, 2, MPFR_RNDN);
    /* Exact, as the two are neighbours: no rounding makes it a tie. */
    mpfr_add(a, a, b, MPFR_RNDN);
    if (low != high && mpfr_equal_p(a, twice))
        bits = y->negative ? low : high;
    mpfr_clears(a, b, twice, (mpfr_ptr)0);
    return bits;
}

static uint64_t through(enum dtype unit, const struct real *y, uint64_t bits,
                        enum dtype via)
{
    if (y->kind != REAL_FINITE || unit == via)
        return bits;
    uint64_t first = real_round(y, via, REAL_OVERFLOW_TYPE);
    struct real rounded = real_from_bits(via, first);
    return real_round(&rounded, unit, REAL_OVERFLOW_TYPE);
}

/* Exponents are those of f32, so only the significand is rounded. */
static uint64_t tf32(enum dtype unit, const struct real *y, uint64_t bits,
                     enum dtype via)
{
    if (y->kind != REAL_FINITE)
        return bits;
    mpfr_t x, narrow;
    mpfr_init2(x, EXACT_BITS);
    mpfr_init2(narrow, TF32_BITS);
    real_to_mpfr(x, y);
    mpfr_set(narrow, x, MPFR_RNDN);
    struct real rounded = real_from_mpfr(narrow, 0);
    mpfr_clears(x, narrow, (mpfr_ptr)0);
    return real_round(&rounded, unit, REAL_OVERFLOW_TYPE);
}

static uint64_t positive_zero(enum dtype unit, const struct real *y,
                              uint64_t bits, enum dtype via)
{
    return real_is_zero(unit, bits) ? real_zero(unit, false) : bits;
}

static uint64_t nan_to_zero(enum dtype unit, const struct real *y,
                            uint64_t bits, enum dtype via)
{
    return real_is_nan(unit, bits) ? real_zero(unit, false) : bits;
}

static uint64_t nan_to_inf(enum dtype unit, const struct real *y, uint64_t bits,
                           enum dtype via)
{
    return real_is_nan(unit, bits) && real_has_inf(unit) ? real_inf(unit, false)
                                                         : bits;
}

static uint64_t inf_to_max(enum dtype unit, const struct real *y, uint64_t bits,
                           enum dtype via)
{
    return real_is_inf(unit, bits)
               ? real_max(unit, real_is_negative(unit, bits))
               : bits;
}

/* A finite number that overflows, but infinities stay. */
static uint64_t overflow_to_max(enum dtype unit, const struct real *y,
                                uint64_t bits, enum dtype via)
{
    return y->kind == REAL_FINITE && !real_is_finite(unit, bits)
               ? real_max(unit, y->negative)
               : bits;
}

/* Infinity, too.  Elsewhere what overflows is infinity or NaN already. */
static uint64_t overflow_to_zero(enum dtype unit, const struct real *y,
                                 uint64_t bits, enum dtype via)
{
    uint64_t max = real_max(unit, y->negative);
    bool over = y->kind == REAL_INF;
    if (bits != max || real_has_inf(unit))
        return bits;
    if (y->kind == REAL_FINITE) {
        mpfr_t a, b, x;
        mpfr_inits2(EXACT_BITS, a, b, x, (mpfr_ptr)0);
        real_bits_to_mpfr(a, unit, max);
        real_bits_to_mpfr(b, unit, max - 1); /* sign and magnitude */
        real_to_mpfr(x, y);
        /* A tie between it and the next pattern goes to even. */
        mpfr_sub(b, a, b, MPFR_RNDN);
        mpfr_sub(x, x, a, MPFR_RNDN);
        mpfr_mul_ui(x, x, 2, MPFR_RNDN);
        int far = mpfr_cmpabs(x, b);
        over = mpfr_sgn(x) * mpfr_sgn(a) > 0
               && (far > 0 || (far == 0 && (max & 1)));
        mpfr_clears(a, b, x, (mpfr_ptr)0);
    }
    return over ? real_zero(unit, y->negative) : bits;
}

static uint64_t max_to_inf(enum dtype unit, const struct real *y, uint64_t bits,
                           enum dtype via)
{
    bool negative = real_is_negative(unit, bits);
    return real_has_inf(unit) && bits == real_max(unit, negative)
               ? real_inf(unit, negative)
               : bits;
}

static uint64_t quiet_nan(enum dtype unit, const struct real *y, uint64_t bits,
                          enum dtype via)
{
    return real_is_nan(unit, bits) ? bits | real_formats[unit].quiet : bits;
}

static uint64_t flush_quiet(enum dtype unit, const struct real *y,
                            uint64_t bits, enum dtype via)
{
    return quiet_nan(unit, y, flush(unit, y, bits, via), via);
}

static uint64_t standard_nan(enum dtype unit, const struct real *y,
                             uint64_t bits, enum dtype via)
{
    return real_is_nan(unit, bits) ? real_nan(unit, false) : bits;
}

static uint64_t signed_nan(enum dtype unit, const struct real *y, uint64_t bits,
                           enum dtype via)
{
    return real_is_nan(unit, bits)
               ? real_nan(unit, real_is_negative(unit, bits))
               : bits;
}

/* The sign is lost, and every other bit set. */
static uint64_t ones_nan(enum dtype unit, const struct real *y, uint64_t bits,
                         enum dtype via)
{
    return real_is_nan(unit, bits) ? real_formats[unit].magnitude : bits;
}

static const struct deviation_step steps[] = {
    {"flush", flush, DT_COUNT},
    {"flush-positive", flush_positive, DT_COUNT},
    {"round-down", round_down, DT_COUNT},
    {"round-up", round_up, DT_COUNT},
    {"round-toward-zero", round_toward_zero, DT_COUNT},
    {"round-away", round_away, DT_COUNT},
    {"ties-away", ties_away, DT_COUNT},
    {"via-f32", through, DT_f32},
    {"via-f64", through, DT_f64},
    {"via-bf16", through, DT_bf16},
    {"via-f16", through, DT_f16},
    {"tf32", tf32, DT_COUNT},
    {"positive-zero", positive_zero, DT_COUNT},
    {"nan-to-zero", nan_to_zero, DT_COUNT},
    {"nan-to-inf", nan_to_inf, DT_COUNT},
    {"inf-to-max", inf_to_max, DT_COUNT},
    {"overflow-to-max", overflow_to_max, DT_COUNT},
    {"overflow-to-zero", overflow_to_zero, DT_COUNT},
    {"max-to-inf", max_to_inf, DT_COUNT},
    {"quiet-nan", quiet_nan, DT_COUNT},
    {"flush-quiet", flush_quiet, DT_COUNT},
    {"standard-nan", standard_nan, DT_COUNT},
    {"signed-nan", signed_nan, DT_COUNT},
    {"ones-nan", ones_nan, DT_COUNT},
    {NULL, NULL, DT_COUNT},
};

const struct deviation_step *deviation_step_find(const char *name)
{
    for (const struct deviation_step *s = steps; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}
