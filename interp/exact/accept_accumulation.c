/* accept_accumulation.c - how far a sum may be off, whatever its order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every bound is rounded outward.
 */
#include "interp/exact/accept_bound.h"

/* E = magnitude * gamma_k + flushed, rounded up. */
static void error_bound(mpfr_ptr e, mpfr_srcptr magnitude,
                        const struct accept_sum *sum)
{
    int p = dtype_table[sum->accumulator].precision;
    ACCEPT_BOUND(flushed);
    mpfr_set_zero(e, 1);
    if (p > 0 && sum->roundings > 0) {
        /* ku < 1/2 with u = 2^-p is 2k < 2^p; p is at most 53. */
        uint64_t k = (uint64_t)sum->roundings, one = UINT64_C(1) << p;
        mpfr_mul_ui(e, magnitude, k, MPFR_RNDU);
        mpfr_div_ui(e, e, k < one / 2 ? one - k : one, MPFR_RNDU);
    }
    accept_bound_above(flushed, &sum->flushed);
    mpfr_add(e, e, flushed, MPFR_RNDU);
}

/* The largest magnitudes that partial sums of the positive and of the
 * negative terms can have: (M + s) / 2 + E and (M - s) / 2 + E. */
static void partial_sums(mpfr_ptr positive, mpfr_ptr negative,
                         const struct accept_sum *sum)
{
    ACCEPT_BRACKET(s);
    ACCEPT_BOUND(m);
    ACCEPT_BOUND(e);
    accept_bound_magnitude(&s, &sum->sum);
    accept_bound_above(m, &sum->magnitude);
    error_bound(e, m, sum);
    mpfr_ptr same = sum->sum.negative ? negative : positive;
    mpfr_ptr other = sum->sum.negative ? positive : negative;
    mpfr_add(same, m, s.high, MPFR_RNDU);
    mpfr_sub(other, m, s.low, MPFR_RNDU);
    mpfr_div_2ui(same, same, 1, MPFR_RNDU);
    mpfr_div_2ui(other, other, 1, MPFR_RNDU);
    mpfr_add(same, same, e, MPFR_RNDU);
    mpfr_add(other, other, e, MPFR_RNDU);
}

/* Does a magnitude overflow the accumulator? */
static bool overflows(mpfr_srcptr x, enum dtype accumulator)
{
    struct real r = accept_bound_real(x);
    struct real last =
        real_from_bits(accumulator, real_max(accumulator, false));
    return accept_bound_nearest(&r, accumulator)
           > accept_bound_nearest(&last, accumulator);
}

static void overflow_sides(const struct accept_sum *sum, bool *up, bool *down)
{
    ACCEPT_BOUND(positive);
    ACCEPT_BOUND(negative);
    *up = *down = false;
    if (sum->sum.kind > REAL_FINITE || sum->magnitude.kind > REAL_FINITE
        || dtype_class(sum->accumulator) != DTYPE_FLOAT)
        return;
    partial_sums(positive, negative, sum);
    *up = overflows(positive, sum->accumulator);
    *down = overflows(negative, sum->accumulator);
}

bool accept_accumulation_overflows(const struct accept_sum *sum)
{
    bool up, down;
    overflow_sides(sum, &up, &down);
    return up || down;
}

/* All terms have the sum's sign, or there are none. */
static bool is_one_sided(const struct accept_sum *sum)
{
    struct real s = sum->sum;
    bool decided;
    s.negative = false;
    return real_compare(&s, &sum->magnitude, &decided) >= 0;
}

/* Terms that cancel give +0. */
static struct real signed_end(mpfr_srcptr x)
{
    struct real r = accept_bound_real(x);
    if (r.kind == REAL_ZERO)
        r.negative = false;
    return r;
}

/* [s - E, s + E] */
static void ends(struct real *low, struct real *high,
                 const struct accept_sum *sum)
{
    ACCEPT_BRACKET(s);
    ACCEPT_BOUND(m);
    ACCEPT_BOUND(e);
    accept_bound_magnitude(&s, &sum->sum);
    accept_bound_above(m, &sum->magnitude);
    error_bound(e, m, sum);
    bool negative = sum->sum.negative;
    if (negative) {
        mpfr_neg(s.low, s.low, MPFR_RNDN);
        mpfr_neg(s.high, s.high, MPFR_RNDN);
    }
    mpfr_sub(m, negative ? s.high : s.low, e, MPFR_RNDD);
    mpfr_add(e, negative ? s.low : s.high, e, MPFR_RNDU);
    *low = signed_end(m);
    *high = signed_end(e);
    if (!is_one_sided(sum))
        return;
    struct real zero = {.kind = REAL_ZERO, .width = 128, .negative = negative};
    if (negative && !high->negative)
        *high = zero;
    if (!negative && low->negative)
        *low = zero;
}

/* Half an ulp of x, which is not negative. */
static void half_ulp(mpfr_ptr half, mpfr_srcptr x, enum dtype unit)
{
    const struct dtype_info *t = &dtype_table[unit];
    mpfr_exp_t e = mpfr_zero_p(x) ? t->emin : mpfr_get_exp(x) - 1;
    if (e < t->emin)
        e = t->emin;
    mpfr_set_ui_2exp(half, 1, e - t->precision, MPFR_RNDN);
}

bool accept_accumulation_share(const struct accept_sum *sum, enum dtype unit,
                               uint64_t got, int64_t *share)
{
    ACCEPT_BRACKET(s);
    ACCEPT_BOUND(bound);
    ACCEPT_BOUND(half);
    ACCEPT_BOUND(off);
    if (sum->sum.kind > REAL_FINITE || sum->magnitude.kind > REAL_FINITE
        || dtype_class(unit) != DTYPE_FLOAT || !real_is_finite(unit, got))
        return false;
    accept_bound_magnitude(&s, &sum->sum);
    accept_bound_above(half, &sum->magnitude);
    error_bound(bound, half, sum);
    mpfr_add(half, s.high, bound, MPFR_RNDU);
    half_ulp(half, half, unit);
    mpfr_add(bound, bound, half, MPFR_RNDU);
    real_bits_to_mpfr(off, unit, got);
    if (sum->sum.negative)
        mpfr_add(off, off, s.low, MPFR_RNDN);
    else
        mpfr_sub(off, off, s.low, MPFR_RNDN);
    mpfr_mul_ui(off, off, 1000000, MPFR_RNDN);
    mpfr_div(off, off, bound, MPFR_RNDN);
    *share = mpfr_cmp_si(off, REAL_ERROR_MAX) >= 0 ? REAL_ERROR_MAX
             : mpfr_cmp_si(off, -REAL_ERROR_MAX) <= 0
                 ? -REAL_ERROR_MAX
                 : mpfr_get_si(off, MPFR_RNDN);
    return true;
}

static void add_overflow(struct accept_set *set, enum dtype unit,
                         const struct accept_sum *sum,
                         const struct accept_rules *rules)
{
    bool up, down;
    overflow_sides(sum, &up, &down);
    for (int negative = 0; negative < 2; negative++)
        if (negative ? down : up)
            accept_bound_pattern(
                set, unit,
                accept_bound_overflow(unit, negative, rules->overflow), rules);
    if (up && down)
        accept_bound_pattern(set, unit, real_nan(unit, false), rules);
}

void accept_accumulation(struct accept_set *set, enum dtype unit,
                         const struct accept_sum *sum, uint64_t value,
                         const struct accept_rules *rules)
{
    *set = (struct accept_set){0};
    bool finite =
        sum->sum.kind <= REAL_FINITE && sum->magnitude.kind <= REAL_FINITE;
    bool nothing = sum->magnitude.kind == REAL_ZERO
                   && sum->flushed.kind == REAL_ZERO
                   && sum->sum.kind == REAL_ZERO;
    if (finite && !nothing) {
        struct real low, high;
        ends(&low, &high, sum);
        accept_interval(set, unit, &low, &high, value, rules);
        add_overflow(set, unit, sum, rules);
    }
    accept_bound_pattern(set, unit, value, rules);
    if (finite && sum->sum.kind == REAL_ZERO && rules->zero_any_sign
        && real_has_negative_zero(unit)) {
        accept_add(set, unit, real_zero(unit, false));
        accept_add(set, unit, real_zero(unit, true));
    }
}
