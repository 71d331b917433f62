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

static uint64_t flush(const struct deviation_rounding *r)
{
    return real_is_subnormal(r->unit, r->bits)
               ? real_zero(r->unit, real_is_negative(r->unit, r->bits))
               : r->bits;
}

static uint64_t flush_positive(const struct deviation_rounding *r)
{
    return real_is_subnormal(r->unit, r->bits) ? real_zero(r->unit, false)
                                               : r->bits;
}

static uint64_t round_down(const struct deviation_rounding *r)
{
    return r->y->kind == REAL_FINITE ? real_round_down(r->y, r->unit) : r->bits;
}

static uint64_t round_up(const struct deviation_rounding *r)
{
    return r->y->kind == REAL_FINITE ? real_round_up(r->y, r->unit) : r->bits;
}

static uint64_t round_toward_zero(const struct deviation_rounding *r)
{
    return r->y->negative ? round_up(r) : round_down(r);
}

static uint64_t round_away(const struct deviation_rounding *r)
{
    return r->y->negative ? round_down(r) : round_up(r);
}

static uint64_t ties_away(const struct deviation_rounding *r)
{
    if (r->y->kind != REAL_FINITE || r->y->inexact)
        return r->bits;
    uint64_t low = real_round_down(r->y, r->unit),
             high = real_round_up(r->y, r->unit);
    if (!real_is_finite(r->unit, low) || !real_is_finite(r->unit, high))
        return r->bits;
    mpfr_t a, b, twice;
    mpfr_inits2(EXACT_BITS, a, b, twice, (mpfr_ptr)0);
    real_bits_to_mpfr(a, r->unit, low);
    real_bits_to_mpfr(b, r->unit, high);
    real_to_mpfr(twice, r->y);
    mpfr_mul_ui(twice, twice, 2, MPFR_RNDN);
    /* Exact, as the two are neighbours: no rounding makes it a tie. */
    mpfr_add(a, a, b, MPFR_RNDN);
    bool tie = low != high && mpfr_equal_p(a, twice);
    mpfr_clears(a, b, twice, (mpfr_ptr)0);
    return !tie ? r->bits : r->y->negative ? low : high;
}

static uint64_t through(const struct deviation_rounding *r)
{
    if (r->y->kind != REAL_FINITE || r->unit == r->via)
        return r->bits;
    uint64_t first = real_round(r->y, r->via, REAL_OVERFLOW_TYPE);
    struct real rounded = real_from_bits(r->via, first);
    return real_round(&rounded, r->unit, REAL_OVERFLOW_TYPE);
}

/* Exponents are those of f32, so only the significand is rounded. */
static uint64_t tf32(const struct deviation_rounding *r)
{
    if (r->y->kind != REAL_FINITE)
        return r->bits;
    mpfr_t x, narrow;
    mpfr_init2(x, EXACT_BITS);
    mpfr_init2(narrow, TF32_BITS);
    real_to_mpfr(x, r->y);
    mpfr_set(narrow, x, MPFR_RNDN);
    struct real rounded = real_from_mpfr(narrow, 0);
    mpfr_clears(x, narrow, (mpfr_ptr)0);
    return real_round(&rounded, r->unit, REAL_OVERFLOW_TYPE);
}

static uint64_t positive_zero(const struct deviation_rounding *r)
{
    return real_is_zero(r->unit, r->bits) ? real_zero(r->unit, false) : r->bits;
}

static uint64_t nan_to_zero(const struct deviation_rounding *r)
{
    return real_is_nan(r->unit, r->bits) ? real_zero(r->unit, false) : r->bits;
}

static uint64_t nan_to_inf(const struct deviation_rounding *r)
{
    return real_is_nan(r->unit, r->bits) && real_has_inf(r->unit)
               ? real_inf(r->unit, false)
               : r->bits;
}

static uint64_t inf_to_max(const struct deviation_rounding *r)
{
    return real_is_inf(r->unit, r->bits)
               ? real_max(r->unit, real_is_negative(r->unit, r->bits))
               : r->bits;
}

/* A finite number that overflows, but infinities stay. */
static uint64_t overflow_to_max(const struct deviation_rounding *r)
{
    return r->y->kind == REAL_FINITE && !real_is_finite(r->unit, r->bits)
               ? real_max(r->unit, r->y->negative)
               : r->bits;
}

/* Infinity, too.  Elsewhere what overflows is infinity or NaN already. */
static uint64_t overflow_to_zero(const struct deviation_rounding *r)
{
    uint64_t max = real_max(r->unit, r->y->negative);
    bool over = r->y->kind == REAL_INF;
    if (r->bits != max || real_has_inf(r->unit))
        return r->bits;
    if (r->y->kind == REAL_FINITE) {
        mpfr_t a, b, x;
        mpfr_inits2(EXACT_BITS, a, b, x, (mpfr_ptr)0);
        real_bits_to_mpfr(a, r->unit, max);
        real_bits_to_mpfr(b, r->unit, max - 1); /* sign and magnitude */
        real_to_mpfr(x, r->y);
        /* A tie between it and the next pattern goes to even. */
        mpfr_sub(b, a, b, MPFR_RNDN);
        mpfr_sub(x, x, a, MPFR_RNDN);
        mpfr_mul_ui(x, x, 2, MPFR_RNDN);
        int far = mpfr_cmpabs(x, b);
        over = mpfr_sgn(x) * mpfr_sgn(a) > 0
               && (far > 0 || (far == 0 && (max & 1)));
        mpfr_clears(a, b, x, (mpfr_ptr)0);
    }
    return over ? real_zero(r->unit, r->y->negative) : r->bits;
}

static uint64_t max_to_inf(const struct deviation_rounding *r)
{
    bool negative = real_is_negative(r->unit, r->bits);
    return real_has_inf(r->unit) && r->bits == real_max(r->unit, negative)
               ? real_inf(r->unit, negative)
               : r->bits;
}

static uint64_t quiet_nan(const struct deviation_rounding *r)
{
    return real_is_nan(r->unit, r->bits) ? r->bits | real_formats[r->unit].quiet
                                         : r->bits;
}

static uint64_t flush_quiet(const struct deviation_rounding *r)
{
    struct deviation_rounding flushed = *r;
    flushed.bits = flush(r);
    return quiet_nan(&flushed);
}

static uint64_t standard_nan(const struct deviation_rounding *r)
{
    return real_is_nan(r->unit, r->bits) ? real_nan(r->unit, false) : r->bits;
}

static uint64_t signed_nan(const struct deviation_rounding *r)
{
    return real_is_nan(r->unit, r->bits)
               ? real_nan(r->unit, real_is_negative(r->unit, r->bits))
               : r->bits;
}

/* The sign is lost, and every other bit set. */
static uint64_t ones_nan(const struct deviation_rounding *r)
{
    return real_is_nan(r->unit, r->bits) ? real_formats[r->unit].magnitude
                                         : r->bits;
}

static const struct deviation_step steps[] = {
    {"flush", flush, DT_COUNT, false},
    {"flush-positive", flush_positive, DT_COUNT, false},
    {"round-down", round_down, DT_COUNT, true},
    {"round-up", round_up, DT_COUNT, true},
    {"round-toward-zero", round_toward_zero, DT_COUNT, true},
    {"round-away", round_away, DT_COUNT, true},
    {"ties-away", ties_away, DT_COUNT, true},
    {"via-f32", through, DT_f32, true},
    {"via-f64", through, DT_f64, true},
    {"via-bf16", through, DT_bf16, true},
    {"via-f16", through, DT_f16, true},
    {"tf32", tf32, DT_COUNT, true},
    {"positive-zero", positive_zero, DT_COUNT, false},
    {"nan-to-zero", nan_to_zero, DT_COUNT, false},
    {"nan-to-inf", nan_to_inf, DT_COUNT, false},
    {"inf-to-max", inf_to_max, DT_COUNT, false},
    {"overflow-to-max", overflow_to_max, DT_COUNT, true},
    {"overflow-to-zero", overflow_to_zero, DT_COUNT, true},
    {"max-to-inf", max_to_inf, DT_COUNT, false},
    {"quiet-nan", quiet_nan, DT_COUNT, false},
    {"flush-quiet", flush_quiet, DT_COUNT, false},
    {"standard-nan", standard_nan, DT_COUNT, false},
    {"signed-nan", signed_nan, DT_COUNT, false},
    {"ones-nan", ones_nan, DT_COUNT, false},
    {NULL, NULL, DT_COUNT, false},
};

const struct deviation_step *deviation_step_find(const char *name)
{
    for (const struct deviation_step *s = steps; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}
