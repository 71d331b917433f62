/* accept_accumulation.c - the error bound of a sum, whatever its order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every bound is rounded outward.
 */
#include "interp/exact/accept_bound.h"
#include "interp/exact/accept_few.h"

/* x = (1 + sign u)^k, u = 2^-p, rounded towards infinity or zero. */
static void power_of(mpfr_ptr x, int sign, uint64_t k, int p)
{
    mpfr_set_si_2exp(x, sign, -p, MPFR_RNDN);
    mpfr_add_ui(x, x, 1, MPFR_RNDN);
    mpfr_pow_ui(x, x, k, sign > 0 ? MPFR_RNDU : MPFR_RNDD);
}

/* x times g of enum accept_growth, rounded up. */
static void grow(mpfr_ptr x, const struct accept_sum *sum)
{
    /* ku < 1/2 with u = 2^-p is 2k < 2^p; p is at most 53. */
    int p = dtype_table[sum->accumulator].precision;
    uint64_t k = (uint64_t)sum->roundings, one = UINT64_C(1) << p;
    ACCEPT_BOUND(g);
    if (sum->growth == ACCEPT_GROWTH_PRODUCT
        || (sum->growth == ACCEPT_GROWTH_FORMULA && k >= one / 2)) {
        power_of(g, 1, k, p);
        mpfr_sub_ui(g, g, 1, MPFR_RNDU);
        mpfr_mul(x, x, g, MPFR_RNDU);
        return;
    }
    mpfr_mul_ui(x, x, k, MPFR_RNDU);
    mpfr_div_ui(x, x, k < one / 2 ? one - k : one, MPFR_RNDU);
    if (k >= one / 2) {
        power_of(g, 1, 3, p);
        mpfr_mul(x, x, g, MPFR_RNDU);
    }
}

/* Without flushing: E = (magnitude + underflow) * g + underflow, rounded up.
 * What underflow took or added is rounded as often as a term is. */
static void error_bound(mpfr_ptr e, mpfr_srcptr magnitude,
                        const struct accept_sum *sum)
{
    ACCEPT_BOUND(underflow);
    accept_bound_above(underflow, &sum->underflow);
    mpfr_set_zero(e, 1);
    if (sum->roundings > 0 && dtype_class(sum->accumulator) == DTYPE_FLOAT) {
        mpfr_add(e, magnitude, underflow, MPFR_RNDU);
        grow(e, sum);
    }
    mpfr_add(e, e, underflow, MPFR_RNDU);
}

/* The only rounding is that of the result. */
static bool rounds_once(const struct accept_sum *sum, enum dtype unit)
{
    return sum->accumulator == unit && sum->roundings <= 1
           && sum->underflow.kind == REAL_ZERO;
}

/* All terms have the sum's sign, or there are none.  Of a long sum both s and M
 * are known to 128 bits: a term too small to show in them does not matter here,
 * where questions are as coarse as E. */
static bool is_one_sided(const struct accept_sum *sum)
{
    ACCEPT_BOUND(s);
    ACCEPT_BOUND(m);
    accept_bound_above(s, &sum->sum);
    accept_bound_above(m, &sum->magnitude);
    return mpfr_cmp(s, m) >= 0;
}

/* The largest magnitudes that partial sums of the positive and of the
 * negative terms can have: (M + s) / 2 + E and (M - s) / 2 + E, 0 without such
 * terms. */
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
    if (is_one_sided(sum))
        mpfr_set_zero(other, 1);
}

void accept_accumulation_sides(const struct accept_sum *sum, bool *up,
                               bool *down)
{
    ACCEPT_BOUND(positive);
    ACCEPT_BOUND(negative);
    *up = *down = false;
    if (sum->sum.kind > REAL_FINITE || sum->magnitude.kind > REAL_FINITE
        || dtype_class(sum->accumulator) != DTYPE_FLOAT)
        return;
    partial_sums(positive, negative, sum);
    *up = accept_bound_overflows(positive, sum->accumulator);
    *down = accept_bound_overflows(negative, sum->accumulator);
}

/* Terms that cancel give +0. */
static struct real signed_end(mpfr_srcptr x)
{
    struct real r = accept_bound_real(x);
    if (r.kind == REAL_ZERO)
        r.negative = false;
    return r;
}

/* Does a sum that overflows stay at the largest number? */
static bool saturates(const struct accept_sum *sum,
                      const struct accept_rules *rules)
{
    enum dtype unit = sum->accumulator;
    return dtype_class(unit) == DTYPE_FLOAT && !real_has_inf(unit)
           && real_is_finite(
               unit, accept_bound_overflow(unit, false, rules->overflow));
}

/* The loss by saturation of the terms of one sign, whose partial sums come to x
 * at most: all that is beyond the largest number. */
static void forget(mpfr_ptr x, enum dtype unit)
{
    struct real last = real_from_bits(unit, real_max(unit, false));
    ACCEPT_BOUND(most);
    real_to_mpfr(most, &last);
    mpfr_sub(x, x, most, MPFR_RNDU);
    if (mpfr_sgn(x) < 0)
        mpfr_set_zero(x, 1);
}

/* The magnitudes of a product, with E; where a partial product saturates, as
 * little as the largest number times all factors below 1. */
static void product_ends(mpfr_ptr near, mpfr_ptr far,
                         const struct accept_sum *sum, bool saturating)
{
    ACCEPT_BRACKET(y);
    ACCEPT_BOUND(shrink);
    int p = dtype_table[sum->accumulator].precision;
    accept_bound_magnitude(&y, &sum->sum);
    error_bound(far, y.high, sum);
    mpfr_add(far, y.high, far, MPFR_RNDU);
    accept_bound_above(shrink, &sum->underflow);
    mpfr_set(near, shrink, MPFR_RNDN);
    grow(near, sum);
    mpfr_add(near, near, shrink, MPFR_RNDU);
    power_of(shrink, -1, (uint64_t)sum->roundings, p);
    mpfr_mul(y.low, y.low, shrink, MPFR_RNDD);
    mpfr_sub(near, y.low, near, MPFR_RNDD);
    if (saturating && sum->partial & ACCEPT_PARTIAL_INF) {
        struct real last =
            real_from_bits(sum->accumulator, real_max(sum->accumulator, false));
        ACCEPT_BOUND(least);
        real_to_mpfr(least, &last);
        mpfr_mul(shrink, shrink, least, MPFR_RNDD);
        struct real fall = sum->fall;
        real_to_mpfr(least, &fall);
        mpfr_mul(least, least, shrink, MPFR_RNDD);
        mpfr_min(near, near, least, MPFR_RNDD);
    }
}

/* The magnitudes |s| - E and |s| + E of a sum; the first may be negative.  E is
 * 0 if there is only one rounding.  flush: terms and partial sums may be lost,
 * which takes only from sums of one sign. */
static void sum_ends(mpfr_ptr near, mpfr_ptr far, const struct accept_sum *sum,
                     bool once, bool flush, bool saturating)
{
    ACCEPT_BRACKET(s);
    ACCEPT_BOUND(lost);
    ACCEPT_BOUND(own);
    ACCEPT_BOUND(other);
    accept_bound_magnitude(&s, &sum->sum);
    accept_bound_above(near, &sum->magnitude);
    mpfr_set_zero(far, 1);
    mpfr_set_zero(lost, 1);
    if (!once)
        error_bound(far, near, sum);
    if (flush)
        accept_bound_above(lost, &sum->flushed);
    mpfr_sub(near, s.low, far, MPFR_RNDD);
    mpfr_sub(near, near, lost, MPFR_RNDD);
    mpfr_add(far, s.high, far, MPFR_RNDU);
    if (!is_one_sided(sum))
        mpfr_add(far, far, lost, MPFR_RNDU);
    if (!saturating || once)
        return;
    partial_sums(sum->sum.negative ? other : own,
                 sum->sum.negative ? own : other, sum);
    forget(own, sum->accumulator);
    forget(other, sum->accumulator);
    mpfr_sub(near, near, own, MPFR_RNDD);
    mpfr_add(far, far, other, MPFR_RNDU);
}

/* [s - E, s + E]. */
static void ends(struct real *low, struct real *high,
                 const struct accept_sum *sum, bool once, bool flush,
                 const struct accept_rules *rules)
{
    ACCEPT_BOUND(near);
    ACCEPT_BOUND(far);
    bool negative = sum->sum.negative, one_sided = is_one_sided(sum);
    bool product = sum->growth == ACCEPT_GROWTH_PRODUCT && !once;
    if (product)
        product_ends(near, far, sum, saturates(sum, rules));
    else
        sum_ends(near, far, sum, once, flush, saturates(sum, rules));
    if (one_sided && mpfr_sgn(near) < 0)
        mpfr_set_zero(near, 1);
    if (negative) {
        mpfr_neg(near, near, MPFR_RNDN);
        mpfr_neg(far, far, MPFR_RNDN);
    }
    *low = signed_end(negative ? far : near);
    *high = signed_end(negative ? near : far);
    bool loses = (flush && sum->flushed.kind != REAL_ZERO)
                 || sum->underflow.kind != REAL_ZERO;
    if (negative && one_sided && high->kind == REAL_ZERO)
        high->negative = !(loses && sum->plus_zero);
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

/* The error as a fraction of the bound in one accumulator, not yet as a
 * number of millionths: off / bound. */
static void share_of(mpfr_ptr off, const struct accept_sum *sum,
                     enum dtype unit, uint64_t got)
{
    ACCEPT_BRACKET(s);
    ACCEPT_BOUND(bound);
    ACCEPT_BOUND(half);
    accept_bound_magnitude(&s, &sum->sum);
    accept_bound_above(half, &sum->magnitude);
    error_bound(bound, half, sum);
    if (sum->accumulator != unit || rounds_once(sum, unit)) {
        mpfr_add(half, s.high, bound, MPFR_RNDU);
        half_ulp(half, half, unit);
        mpfr_add(bound, bound, half, MPFR_RNDU);
    }
    real_bits_to_mpfr(off, unit, got);
    if (sum->sum.negative)
        mpfr_add(off, off, s.low, MPFR_RNDN);
    else
        mpfr_sub(off, off, s.low, MPFR_RNDN);
    mpfr_mul_ui(off, off, 1000000, MPFR_RNDN);
    mpfr_div(off, off, bound, MPFR_RNDN);
}

bool accept_accumulation_share(const struct accept_sum *sum, enum dtype unit,
                               uint64_t got, int64_t *share)
{
    ACCEPT_BOUND(off);
    ACCEPT_BOUND(other);
    if (sum->sum.kind > REAL_FINITE || sum->magnitude.kind > REAL_FINITE
        || dtype_class(unit) != DTYPE_FLOAT || !real_is_finite(unit, got))
        return false;
    share_of(off, sum, unit, got);
    for (const struct accept_sum *s = sum->also; s; s = s->also) {
        share_of(other, s, unit, got);
        if (mpfr_cmpabs(other, off) < 0)
            mpfr_set(off, other, MPFR_RNDN);
    }
    *share = mpfr_cmp_si(off, REAL_ERROR_MAX) >= 0 ? REAL_ERROR_MAX
             : mpfr_cmp_si(off, -REAL_ERROR_MAX) <= 0
                 ? -REAL_ERROR_MAX
                 : mpfr_get_si(off, MPFR_RNDN);
    return true;
}

void accept_accumulation_error(mpfr_ptr error, const struct accept_sum *sum)
{
    ACCEPT_BOUND(own);
    ACCEPT_BOUND(other);
    mpfr_set_zero(error, 1);
    for (; sum; sum = sum->also) {
        accept_bound_above(other, &sum->magnitude);
        error_bound(own, other, sum);
        accept_bound_above(other, &sum->flushed);
        mpfr_add(own, own, other, MPFR_RNDU);
        mpfr_max(error, error, own, MPFR_RNDU);
    }
}

/* The error that remains where terms are added pairwise. */
static void paired_error(mpfr_ptr error, const struct accept_sum *sum)
{
    ACCEPT_BOUND(own);
    mpfr_set_zero(error, 1);
    for (; sum; sum = sum->also) {
        struct accept_sum paired = *sum;
        paired.also = NULL;
        if (sum->paired > 0 && sum->paired < sum->roundings) {
            paired.roundings = sum->paired;
            paired.growth = ACCEPT_GROWTH_FORMULA;
        }
        accept_accumulation_error(own, &paired);
        mpfr_max(error, error, own, MPFR_RNDU);
    }
}

void accept_accumulation_order_error(mpfr_ptr error,
                                     const struct accept_sum *sum)
{
    ACCEPT_BOUND(paired);
    accept_accumulation_error(error, sum);
    paired_error(paired, sum);
    mpfr_sub(error, error, paired, MPFR_RNDD);
    if (mpfr_sgn(error) < 0)
        mpfr_set_zero(error, 1);
}

/* Is the set, or a part of it, that of all orders of a few terms? */
static bool tries_orders(const struct accept_sum *sum)
{
    for (; sum; sum = sum->also)
        if (sum->few && sum->orders)
            return true;
    return false;
}

int accept_accumulation_order(const struct accept_sum *sum, enum dtype unit)
{
    ACCEPT_BOUND(part);
    ACCEPT_BOUND(bound);
    if (sum->growth == ACCEPT_GROWTH_PRODUCT || sum->paired == 0
        || sum->roundings == 0 || sum->sum.kind > REAL_FINITE
        || sum->magnitude.kind > REAL_FINITE || dtype_class(unit) != DTYPE_FLOAT
        || tries_orders(sum))
        return -1;
    accept_accumulation_error(bound, sum);
    if (sum->accumulator != unit || rounds_once(sum, unit)) {
        accept_bound_above(part, &sum->sum);
        mpfr_add(part, part, bound, MPFR_RNDU);
        half_ulp(part, part, unit);
        mpfr_add(bound, bound, part, MPFR_RNDU);
    }
    if (mpfr_zero_p(bound))
        return -1;
    accept_accumulation_order_error(part, sum);
    mpfr_mul_ui(part, part, 100, MPFR_RNDD);
    mpfr_div(part, part, bound, MPFR_RNDD);
    return (int)mpfr_get_si(part, MPFR_RNDD);
}

static void add_overflow(struct accept_set *set, enum dtype unit,
                         const struct accept_sum *sum,
                         const struct accept_rules *rules)
{
    bool up, down;
    if (saturates(sum, rules))
        return; /* the interval has it */
    accept_accumulation_sides(sum, &up, &down);
    for (int negative = 0; negative < 2; negative++)
        if (negative ? down : up)
            accept_bound_pattern(
                set, unit,
                accept_bound_overflow(unit, negative, rules->overflow), rules);
    if (up && down)
        accept_bound_pattern(set, unit, real_nan(unit, false), rules);
}

/* Adds the results of partial products that overflow or vanish: infinity or
 * zero of its sign, and NaN where both meet. */
static void add_partial(struct accept_set *set, enum dtype unit,
                        const struct accept_sum *sum,
                        const struct accept_rules *rules)
{
    bool negative = sum->sum.negative;
    bool flush = rules->subnormal & ACCEPT_FLUSH_RESULTS
                 && sum->partial & ACCEPT_PARTIAL_TINY;
    bool zero = flush || sum->partial & ACCEPT_PARTIAL_ZERO;
    bool inf = sum->partial & ACCEPT_PARTIAL_INF;
    uint64_t beyond = accept_bound_overflow(unit, negative, rules->overflow);
    bool finite = sum->sum.kind <= REAL_FINITE;
    bool signed_type = real_formats[unit].sign != 0;
    if (inf && sum->sum.kind == REAL_FINITE)
        accept_bound_pattern(set, unit, beyond, rules);
    if (zero && finite && signed_type)
        accept_add(set, unit, real_zero(unit, negative));
    if (flush && finite && signed_type
        && rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
        accept_add(set, unit, real_zero(unit, !negative));
    bool zero_meets = zero || sum->sum.kind == REAL_ZERO;
    bool inf_meets = inf || sum->sum.kind == REAL_INF;
    if ((zero_meets && inf_meets) || sum->partial & ACCEPT_PARTIAL_NAN)
        accept_bound_pattern(set, unit, real_nan(unit, false), rules);
}

/* A sum in a type of a few bits may also be one of f32, where nothing
 * underflows, rounded once more.  What its orders give is less than the bound
 * of numbers that cancel. */
static void add_wide(struct accept_set *set, enum dtype unit,
                     const struct accept_sum *sum, uint64_t value, bool flush,
                     const struct accept_rules *rules)
{
    struct accept_sum wide = *sum;
    struct accept_set other = {0};
    struct real low, high;
    wide.accumulator = DT_f32;
    wide.roundings = sum->wide_roundings;
    wide.underflow.kind = REAL_ZERO;
    if (wide.roundings > 0
        && accept_few_add(&other, unit, &wide, flush, rules)) {
        accept_union(set, &other);
        return;
    }
    ends(&low, &high, &wide, false, false, rules);
    accept_interval(&other, unit, &low, &high, value, rules);
    accept_union(set, &other);
}

/* Numbers from s - E to s + E. */
static void add_interval(struct accept_set *set, enum dtype unit,
                         const struct accept_sum *sum, uint64_t value,
                         bool flush, const struct accept_rules *rules)
{
    struct real low, high;
    bool forgets = sum->partial & ACCEPT_PARTIAL_INF && saturates(sum, rules);
    bool once = rounds_once(sum, unit) && !forgets;
    ends(&low, &high, sum, once, flush, rules);
    if (sum->accumulator == unit && !once)
        accept_between(set, unit, &low, &high, value, rules);
    else
        accept_interval(set, unit, &low, &high, value, rules);
    add_overflow(set, unit, sum, rules);
}

/* The set in one accumulator. */
static void accumulate(struct accept_set *set, enum dtype unit,
                       const struct accept_sum *sum, uint64_t value,
                       const struct accept_rules *rules)
{
    *set = (struct accept_set){0};
    bool finite =
        sum->sum.kind <= REAL_FINITE && sum->magnitude.kind <= REAL_FINITE;
    bool nothing =
        sum->magnitude.kind == REAL_ZERO && sum->flushed.kind == REAL_ZERO
        && sum->underflow.kind == REAL_ZERO && sum->sum.kind == REAL_ZERO;
    bool flush = rules->subnormal != 0, few = sum->few != NULL;
    bool orders = few && sum->orders && finite && !nothing
                  && accept_few_add(set, unit, sum, flush, rules);
    if (orders) {
        add_wide(set, unit, sum, value, flush, rules);
    } else if (finite && !nothing) {
        few = few && !sum->orders && flush;
        add_interval(set, unit, sum, value, flush && !few, rules);
        if (few)
            accept_few_add(set, unit, sum, true, rules);
    }
    accept_bound_pattern(set, unit, value, rules);
    if (!orders)
        add_partial(set, unit, sum, rules);
    if (finite && sum->sum.kind == REAL_ZERO && rules->zero_any_sign
        && real_has_negative_zero(unit)) {
        accept_add(set, unit, real_zero(unit, false));
        accept_add(set, unit, real_zero(unit, true));
    }
}

void accept_accumulation(struct accept_set *set, enum dtype unit,
                         const struct accept_sum *sum, uint64_t value,
                         const struct accept_rules *rules)
{
    accumulate(set, unit, sum, value, rules);
    for (const struct accept_sum *s = sum->also; s; s = s->also) {
        struct accept_set other;
        accumulate(&other, unit, s, value, rules);
        accept_union(set, &other);
    }
}
