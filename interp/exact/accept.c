/* accept.c - the acceptance set: which bit patterns are right.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A set for a value is found among magnitudes, the results being on y's side of
 * zero, and reversed if y is negative.
 */
#include "interp/exact/accept.h"

#include "interp/exact/accept_bound.h"

/* ---- Sets ---------------------------------------------------------------- */

static void remove_range(struct accept_set *set, int i)
{
    set->count--;
    for (; i < set->count; i++)
        set->range[i] = set->range[i + 1];
}

/* Make one range of the two that are nearest to each other. */
static void join_nearest(struct accept_set *set)
{
    int best = 0;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i + 1 < set->count; i++) {
        uint64_t gap =
            (uint64_t)set->range[i + 1].low - (uint64_t)set->range[i].high;
        if (gap < least) {
            least = gap;
            best = i;
        }
    }
    set->range[best].high = set->range[best + 1].high;
    remove_range(set, best + 1);
    set->undecided = true;
}

/* Ranges stay sorted, with gaps between them. */
static void add_range(struct accept_set *set, int64_t low, int64_t high)
{
    if (set->count == ACCEPT_RANGES)
        join_nearest(set);
    int i = 0;
    while (i < set->count && set->range[i].high < low
           && set->range[i].high + 1 < low)
        i++;
    while (i < set->count
           && (set->range[i].low <= high || set->range[i].low - 1 <= high)) {
        low = set->range[i].low < low ? set->range[i].low : low;
        high = set->range[i].high > high ? set->range[i].high : high;
        remove_range(set, i);
    }
    for (int j = set->count++; j > i; j--)
        set->range[j] = set->range[j - 1];
    set->range[i].low = low;
    set->range[i].high = high;
}

void accept_bits(struct accept_set *set, enum dtype unit, uint64_t bits)
{
    *set = (struct accept_set){0};
    accept_add(set, unit, bits);
}

/* A NaN's pattern has a key beyond infinity's, except for the one NaN of the
 * types where it is the pattern of -0. */
void accept_add(struct accept_set *set, enum dtype unit, uint64_t bits)
{
    if (!real_is_nan(unit, bits)) {
        add_range(set, real_key(unit, bits), real_key(unit, bits));
    } else if (!set->nan) {
        set->nan = true;
        set->nan_rule = ACCEPT_NAN_PAYLOAD;
        set->nan_bits = bits;
    } else if (dtype_table[unit].special != DTYPE_FNUZ) {
        add_range(set, real_key(unit, bits), real_key(unit, bits));
    }
}

void accept_union(struct accept_set *set, const struct accept_set *other)
{
    set->any |= other->any;
    set->undecided |= other->undecided;
    for (int i = 0; i < other->count; i++)
        add_range(set, other->range[i].low, other->range[i].high);
    if (!other->nan)
        return;
    if (!set->nan) {
        set->nan_rule = other->nan_rule;
        set->nan_bits = other->nan_bits;
    } else if (set->nan_rule == ACCEPT_NAN_PAYLOAD
               && other->nan_rule == ACCEPT_NAN_PAYLOAD
               && set->nan_bits != other->nan_bits) {
        set->nan_rule = ACCEPT_NAN_ANY;
    } else if (other->nan_rule < set->nan_rule) {
        set->nan_rule = other->nan_rule;
    }
    set->nan = true;
}

static bool has_nan(const struct accept_set *set, enum dtype unit,
                    uint64_t bits)
{
    switch (set->nan_rule) {
    case ACCEPT_NAN_ANY:
        return true;
    case ACCEPT_NAN_QUIET:
        return !real_is_signalling(unit, bits);
    case ACCEPT_NAN_CANONICAL:
        return bits == real_nan(unit, false) || bits == real_nan(unit, true);
    case ACCEPT_NAN_PAYLOAD:
        break;
    }
    return bits == set->nan_bits;
}

bool accept_has(const struct accept_set *set, enum dtype unit, uint64_t bits)
{
    if (set->any)
        return true;
    if (real_is_nan(unit, bits)) {
        if (set->nan && has_nan(set, unit, bits))
            return true;
        if (dtype_table[unit].special == DTYPE_FNUZ)
            return false;
    }
    int64_t key = real_key(unit, bits);
    for (int i = 0; i < set->count; i++)
        if (set->range[i].low <= key && key <= set->range[i].high)
            return true;
    return false;
}

/* ---- Magnitudes ---------------------------------------------------------- */

/* Magnitudes that are right: patterns without sign. */
struct magnitudes {
    uint64_t low, high; /* none if low > high */
    bool overflow;      /* and what overflow gives */
    bool undecided;
    bool tiny; /* a number below the smallest normal is within the budget */
};

/* The smallest pattern >= x, or > x if open; one beyond the last if there is
 * none. */
static uint64_t ceiling(mpfr_srcptr x, bool open, enum dtype unit)
{
    struct real r = accept_bound_real(x);
    struct real last = real_from_bits(unit, real_max(unit, false));
    bool decided;
    int order = real_compare(&r, &last, &decided);
    r.negative = false; /* of a zero */
    if (order > 0)
        return real_max(unit, false) + 1;
    uint64_t up = real_round_up(&r, unit);
    struct real at = real_from_bits(unit, up);
    bool reached = real_compare(&at, &r, &decided) == 0 && decided;
    return up + (open && reached);
}

/* The largest pattern <= x, or < x if open; x > 0.  *none if there is none. */
static uint64_t floor_of(mpfr_srcptr x, bool open, enum dtype unit, bool *none)
{
    struct real r = accept_bound_real(x);
    uint64_t down = real_round_down(&r, unit);
    struct real at = real_from_bits(unit, down);
    bool decided;
    int order = real_compare(&at, &r, &decided);
    bool beyond = decided && (order > 0 || (order == 0 && open));
    *none = beyond && down == 0;
    return down - (beyond && down > 0);
}

/* Does rounding x to nearest overflow?  below: some number just below x, but
 * not x itself; above: all numbers above x. */
static bool overflows(mpfr_srcptr x, bool below, bool above, enum dtype unit)
{
    struct real limit = real_from_bits(unit, real_max(unit, false));
    ACCEPT_BOUND(threshold);
    ACCEPT_BOUND(half);
    real_to_mpfr(threshold, &limit);
    mpfr_set_ui_2exp(half, 1,
                     dtype_table[unit].emax - dtype_table[unit].precision,
                     MPFR_RNDN);
    mpfr_add(threshold, threshold, half, MPFR_RNDN);
    int order = mpfr_cmp(x, threshold);
    if (order != 0)
        return order > 0;
    /* A tie goes to the even pattern, or up where no pattern is even. */
    bool tie =
        (real_max(unit, false) & 1) != 0 || dtype_table[unit].precision == 1;
    return above || (tie && !below);
}

/* Is an exact number wanted: |x - y| <= d for y and d in their brackets?  low
 * and high become brackets of y - d, which may be negative, and of y + d; d is
 * open only where y is.  between does not ask whether low's upper end is. */
static void widen(struct accept_bracket *low, struct accept_bracket *high,
                  const struct accept_bracket *y,
                  const struct accept_bracket *d)
{
    low->low_open =
        mpfr_sub(low->low, y->low, d->high, MPFR_RNDD) != 0 || y->low_open;
    mpfr_sub(low->high, y->high, d->low, MPFR_RNDU);
    high->low_open =
        mpfr_add(high->low, y->low, d->low, MPFR_RNDD) != 0 || y->low_open;
    high->high_open =
        mpfr_add(high->high, y->high, d->high, MPFR_RNDU) != 0 || y->high_open;
}

/* Patterns between two bracketed ends; where an end is not decided, the
 * farther one. */
static struct magnitudes between(const struct accept_bracket *low,
                                 const struct accept_bracket *high,
                                 enum dtype unit)
{
    struct magnitudes m = {.low = 0};
    bool none, near_none;
    if (mpfr_sgn(low->high) > 0) {
        if (mpfr_sgn(low->low) + low->low_open > 0)
            m.low = ceiling(low->low, low->low_open, unit);
        m.undecided = m.low != ceiling(low->high, false, unit);
    }
    m.high = floor_of(high->high, high->high_open, unit, &none);
    m.undecided |= m.high != floor_of(high->low, false, unit, &near_none)
                   || none != near_none;
    if (none) {
        m.low = 1;
        m.high = 0;
    }
    m.overflow = overflows(high->high, high->high_open, false, unit);
    m.undecided |=
        m.overflow != overflows(high->low, false, high->low_open, unit);
    m.tiny = mpfr_cmp_ui_2exp(low->low, 1, dtype_table[unit].emin) < 0;
    return m;
}

/* ---- Budgets ------------------------------------------------------------- */

/* A budget in |y|: the larger of a fixed part and a part of |y|. */
static void parts(mpfr_ptr fixed, mpfr_ptr factor, const struct real *y,
                  enum dtype unit, const struct accept_budget *budget)
{
    const struct dtype_info *t = &dtype_table[unit];
    ACCEPT_BOUND(ulps);
    accept_bound_above(fixed, &budget->abs);
    accept_bound_above(ulps, &budget->ulps);
    accept_bound_above(factor, &budget->rel);
    if (budget->kind == ACCEPT_XLA) {
        mpfr_mul_2si(ulps, ulps, 1 - t->precision, MPFR_RNDU);
        mpfr_max(factor, factor, ulps, MPFR_RNDU);
        return;
    }
    int64_t e = y->exponent;
    e = e < t->emin ? t->emin : e > t->emax + 2 ? t->emax + 2 : e;
    mpfr_mul_2si(ulps, ulps, (long)(e - t->precision + 1), MPFR_RNDU);
    mpfr_max(fixed, fixed, ulps, MPFR_RNDU);
}

/* low = y * (1 - factor), high = y * (1 + factor); no less than 0. */
static void scale(struct accept_bracket *low, struct accept_bracket *high,
                  const struct accept_bracket *y, mpfr_srcptr factor)
{
    ACCEPT_BRACKET(f);
    f.low_open = mpfr_ui_sub(f.low, 1, factor, MPFR_RNDD) != 0;
    mpfr_ui_sub(f.high, 1, factor, MPFR_RNDU);
    if (mpfr_sgn(f.low) < 0) {
        mpfr_set_zero(f.low, 1);
        mpfr_set_zero(f.high, 1);
    }
    low->low_open = mpfr_mul(low->low, y->low, f.low, MPFR_RNDD) != 0
                    || y->low_open || f.low_open;
    mpfr_mul(low->high, y->high, f.high, MPFR_RNDU);
    f.low_open = mpfr_add_ui(f.low, factor, 1, MPFR_RNDD) != 0;
    f.high_open = mpfr_add_ui(f.high, factor, 1, MPFR_RNDU) != 0;
    high->low_open = mpfr_mul(high->low, y->low, f.low, MPFR_RNDD) != 0
                     || y->low_open || f.low_open;
    high->high_open = mpfr_mul(high->high, y->high, f.high, MPFR_RNDU) != 0
                      || y->high_open || f.high_open;
}

static struct magnitudes within_budget(const struct real *y, enum dtype unit,
                                       const struct accept_budget *budget)
{
    ACCEPT_BRACKET(exact);
    ACCEPT_BRACKET(d);
    ACCEPT_BRACKET(low);
    ACCEPT_BRACKET(high);
    ACCEPT_BOUND(fixed);
    ACCEPT_BOUND(factor);
    accept_bound_magnitude(&exact, y);
    parts(fixed, factor, y, unit, budget);
    mpfr_mul(d.low, exact.low, factor, MPFR_RNDD);
    mpfr_mul(d.high, exact.high, factor, MPFR_RNDU);
    if (mpfr_cmp(d.low, fixed) > 0) {
        scale(&low, &high, &exact, factor);
    } else {
        mpfr_set(d.low, fixed, MPFR_RNDD);
        mpfr_max(d.high, d.high, fixed, MPFR_RNDU);
        widen(&low, &high, &exact, &d);
    }
    return between(&low, &high, unit);
}

/* The two neighbours of y, of which the upper may be one beyond the largest
 * number; beyond the overflow threshold only overflow. */
static struct magnitudes neighbours(const struct real *y, enum dtype unit)
{
    ACCEPT_BRACKET(b);
    accept_bound_magnitude(&b, y);
    struct magnitudes m = between(&b, &b, unit);
    uint64_t down = m.high, up = m.low;
    bool over = overflows(b.low, false, b.low_open, unit);
    if (y->exponent < dtype_table[unit].emin && real_formats[unit].sign == 0)
        down = up = 0; /* there is no zero below */
    m.undecided = down > up || up - down > 1 || over != m.overflow;
    m.low = down < up ? down : up;
    m.high = down < up ? up : down;
    if (over) {
        m.low = 1;
        m.high = 0;
    }
    return m;
}

/* ---- The set of a value -------------------------------------------------- */

static int64_t turned(enum dtype unit, uint64_t magnitude, bool negative)
{
    if (!negative)
        return (int64_t)magnitude;
    return real_has_negative_zero(unit) ? -1 - (int64_t)magnitude
                                        : -(int64_t)magnitude;
}

static void add_zero(struct accept_set *set, enum dtype unit, bool negative,
                     const struct accept_rules *rules)
{
    accept_add(set, unit, real_zero(unit, negative));
    if (rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
        accept_add(set, unit, real_zero(unit, !negative));
}

static void add_magnitudes(struct accept_set *set, enum dtype unit,
                           bool negative, const struct magnitudes *m,
                           const struct accept_rules *rules)
{
    set->undecided |= m->undecided;
    if (m->low <= m->high) {
        int64_t a = turned(unit, m->low, negative);
        int64_t b = turned(unit, m->high, negative);
        accept_bound_add(set, unit, negative ? b : a, negative ? a : b, rules);
    }
    if (m->overflow)
        accept_bound_pattern(
            set, unit, accept_bound_overflow(unit, negative, rules->overflow),
            rules);
}

/* The key of the function's end: patterns beyond it are wrong.  An end that no
 * type has, such as pi/2, is rounded outwards: a result next to it may well be
 * rounded beyond it. */
static int64_t end_key(const struct real *end, enum dtype unit, bool low)
{
    if (end->kind == REAL_INF
        || (real_formats[unit].sign == 0 && end->negative))
        return end->negative ? INT64_MIN : INT64_MAX;
    if (end->kind == REAL_ZERO && real_formats[unit].sign != 0)
        return real_key(unit, real_zero(unit, low));
    if (end->kind == REAL_ZERO)
        return 0;
    return real_key(unit, low != end->inexact ? real_round_up(end, unit)
                                              : real_round_down(end, unit));
}

static void clip(struct accept_set *set, enum dtype unit,
                 const struct accept_rules *rules)
{
    int64_t low = end_key(&rules->low, unit, true);
    int64_t high = end_key(&rules->high, unit, false);
    for (int i = set->count - 1; i >= 0; i--) {
        if (set->range[i].low < low)
            set->range[i].low = low;
        if (set->range[i].high > high)
            set->range[i].high = high;
        if (set->range[i].low > set->range[i].high)
            remove_range(set, i);
    }
}

/* y is zero, infinite or NaN, or of a sign that the type lacks. */
static bool is_exact(const struct real *y, enum dtype unit,
                     const struct accept_budget *budget)
{
    return y->kind != REAL_FINITE || budget->kind == ACCEPT_EXACT
           || (real_formats[unit].sign == 0 && y->negative);
}

/* Is |y| beyond the largest finite number? */
static bool is_beyond(const struct real *y, enum dtype unit)
{
    struct real last = real_from_bits(unit, real_max(unit, false)), m = *y;
    bool decided;
    m.negative = false;
    return real_compare(&m, &last, &decided) > 0;
}

/* Halfway between two numbers of a type of one digit: 1.5 times a power. */
static bool is_tie(const struct real *y, enum dtype unit)
{
    return dtype_table[unit].precision == 1 && !y->inexact
           && y->significand == (real_u128)3 << 126;
}

/* Adds to the set of a finite number what named policies allow. */
static void relax(struct accept_set *set, enum dtype unit, const struct real *y,
                  const struct accept_budget *budget,
                  const struct accept_rules *rules)
{
    bool exact = is_exact(y, unit, budget);
    if (y->kind != REAL_FINITE)
        return;
    if (rules->underflow && y->exponent < dtype_table[unit].emin
        && real_formats[unit].sign != 0) {
        uint64_t sign = y->negative ? real_formats[unit].sign : 0;
        accept_add(set, unit, real_zero(unit, y->negative));
        accept_add(set, unit, real_min_normal(unit) | sign);
    }
    if (rules->neighbours && !exact && budget->kind != ACCEPT_CR
        && is_beyond(y, unit)) {
        accept_add(set, unit, real_max(unit, y->negative));
        accept_bound_pattern(
            set, unit,
            accept_bound_overflow(unit, y->negative, rules->overflow), rules);
    }
    if (rules->tie_either && !exact && is_tie(y, unit) && !is_beyond(y, unit)) {
        accept_add(set, unit, real_round_down(y, unit));
        accept_add(set, unit, real_round_up(y, unit));
    }
}

/* All that a tolerance covers, on both sides of zero. */
static void add_tolerance(struct accept_set *set, enum dtype unit,
                          const struct real *y,
                          const struct accept_budget *budget,
                          const struct accept_rules *rules)
{
    ACCEPT_BRACKET(exact);
    ACCEPT_BOUND(d);
    ACCEPT_BOUND(factor);
    struct accept_rules open = *rules;
    struct accept_set all;
    accept_bound_magnitude(&exact, y);
    parts(d, factor, y, unit, budget);
    mpfr_mul(factor, factor, exact.high, MPFR_RNDU);
    mpfr_max(d, d, factor, MPFR_RNDU);
    mpfr_sub(exact.low, exact.low, d, MPFR_RNDD);
    mpfr_add(exact.high, exact.high, d, MPFR_RNDU);
    bool beyond = accept_bound_overflows(exact.high, unit);
    if (y->negative) {
        mpfr_neg(exact.low, exact.low, MPFR_RNDN);
        mpfr_neg(exact.high, exact.high, MPFR_RNDN);
        mpfr_swap(exact.low, exact.high);
    }
    struct real low = accept_bound_real(exact.low);
    struct real high = accept_bound_real(exact.high);
    open.clip = false;
    uint64_t value = real_round(y, unit, rules->overflow);
    accept_between(&all, unit, &low, &high, value, &open);
    if (beyond)
        accept_bound_pattern(
            &all, unit,
            accept_bound_overflow(unit, y->negative, rules->overflow), rules);
    accept_union(set, &all);
}

void accept_value(struct accept_set *set, enum dtype unit, const struct real *y,
                  uint64_t value, const struct accept_budget *budget,
                  const struct accept_rules *rules)
{
    *set = (struct accept_set){.any = budget->kind == ACCEPT_ANY};
    if (set->any)
        return;
    struct magnitudes m = {.low = 1, .high = 0};
    if (!is_exact(y, unit, budget)) {
        if (budget->kind == ACCEPT_FAITHFUL)
            m = neighbours(y, unit);
        else if (budget->kind != ACCEPT_CR)
            m = within_budget(y, unit, budget);
        add_magnitudes(set, unit, y->negative, &m, rules);
        accept_bound_pattern(set, unit, real_round(y, unit, rules->overflow),
                             rules);
    }
    bool tiny = y->kind == REAL_FINITE
                && (m.tiny || y->exponent < dtype_table[unit].emin);
    if (tiny && (rules->subnormal & ACCEPT_FLUSH_RESULTS)
        && real_formats[unit].sign != 0)
        add_zero(set, unit, y->negative, rules);
    relax(set, unit, y, budget, rules);
    if (rules->clip)
        clip(set, unit, rules);
    if (budget->both_sides && !is_exact(y, unit, budget))
        add_tolerance(set, unit, y, budget, rules);
    accept_bound_pattern(set, unit, value, rules);
    if (rules->zero_any_sign && real_has_negative_zero(unit)
        && (y->kind == REAL_ZERO || real_is_zero(unit, value))) {
        accept_add(set, unit, real_zero(unit, false));
        accept_add(set, unit, real_zero(unit, true));
    }
}

/* ---- The set of an interval ---------------------------------------------- */

static bool is_below(const struct real *a, const struct real *b)
{
    bool decided;
    return real_compare(a, b, &decided) < 0 || !decided;
}

static void flush_interval(struct accept_set *set, enum dtype unit,
                           const struct real *low, const struct real *high,
                           const struct accept_rules *rules)
{
    struct real normal = real_from_bits(unit, real_min_normal(unit));
    struct real minus = normal;
    minus.negative = true;
    bool crosses_up = high->kind != REAL_ZERO && !high->negative;
    bool crosses_down = low->kind != REAL_ZERO && low->negative;
    if (real_formats[unit].sign == 0)
        return;
    if (crosses_up && is_below(low, &normal))
        add_zero(set, unit, false, rules);
    if (crosses_down && is_below(&minus, high))
        add_zero(set, unit, true, rules);
}

/* Fills what both kinds of interval share: keys from first to last, numbers
 * between low and high that may be flushed, and the function's range. */
static void fill_interval(struct accept_set *set, enum dtype unit,
                          const struct real *low, const struct real *high,
                          int64_t first, int64_t last,
                          const struct accept_rules *rules)
{
    accept_bound_add(set, unit, first, last, rules);
    if (rules->subnormal & ACCEPT_FLUSH_RESULTS)
        flush_interval(set, unit, low, high, rules);
    if (rules->clip)
        clip(set, unit, rules);
}

void accept_interval(struct accept_set *set, enum dtype unit,
                     const struct real *low, const struct real *high,
                     uint64_t value, const struct accept_rules *rules)
{
    *set = (struct accept_set){0};
    if (low->kind != REAL_NAN && high->kind != REAL_NAN)
        fill_interval(set, unit, low, high, accept_bound_nearest(low, unit),
                      accept_bound_nearest(high, unit), rules);
    accept_bound_pattern(set, unit, value, rules);
}

void accept_between(struct accept_set *set, enum dtype unit,
                    const struct real *low, const struct real *high,
                    uint64_t value, const struct accept_rules *rules)
{
    *set = (struct accept_set){0};
    int64_t first = accept_bound_inward(low, unit, true);
    int64_t last = accept_bound_inward(high, unit, false);
    fill_interval(set, unit, low, high, first, last, rules);
    accept_bound_pattern(set, unit, value, rules);
}
