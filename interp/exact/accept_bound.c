/* accept_bound.c - bounds on a real number, for acceptance sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_accept_edges.c.
 */
#include "interp/exact/accept_bound.h"

/* r with an exponent that MPFR can add to and multiply without overflow. */
static struct real within_reach(const struct real *r)
{
    struct real c = *r;
    c.negative = false;
    if (c.exponent > ACCEPT_BOUND_EXPONENT)
        c.exponent = ACCEPT_BOUND_EXPONENT;
    if (c.exponent < -ACCEPT_BOUND_EXPONENT)
        c.exponent = -ACCEPT_BOUND_EXPONENT;
    return c;
}

void accept_bound_above(mpfr_ptr x, const struct real *r)
{
    struct real c = within_reach(r);
    real_to_mpfr(x, &c);
    if (!c.inexact)
        return;
    ACCEPT_BOUND(step);
    mpfr_set_ui_2exp(step, 1, (mpfr_exp_t)(c.exponent + 1 - c.width),
                     MPFR_RNDN);
    mpfr_add(x, x, step, MPFR_RNDU);
}

void accept_bound_magnitude(struct accept_bracket *b, const struct real *r)
{
    struct real c = within_reach(r);
    real_to_mpfr(b->low, &c);
    accept_bound_above(b->high, &c);
    b->low_open = b->high_open = c.inexact;
}

struct real accept_bound_real(mpfr_srcptr x)
{
    return real_from_mpfr(x, 0);
}

/* Keys of finite patterns. */
static int64_t last_key(enum dtype unit)
{
    return real_key(unit, real_max(unit, false));
}

static int64_t first_key(enum dtype unit)
{
    if (real_formats[unit].sign == 0)
        return 0;
    return real_key(unit, real_max(unit, true));
}

int64_t accept_bound_nearest(const struct real *r, enum dtype unit)
{
    int64_t beyond = r->negative ? first_key(unit) - 1 : last_key(unit) + 1;
    if (r->kind == REAL_INF)
        return beyond;
    if (real_formats[unit].sign == 0 && (r->negative || r->kind == REAL_ZERO))
        return first_key(unit) - 1;
    uint64_t bits = real_round(r, unit, REAL_OVERFLOW_TYPE);
    if (!real_is_finite(unit, bits))
        return beyond;
    return real_key(unit, bits);
}

int64_t accept_bound_inward(const struct real *r, enum dtype unit, bool up)
{
    struct real last = real_from_bits(unit, real_max(unit, r->negative));
    bool decided, unsigned_type = real_formats[unit].sign == 0;
    int order = real_compare(r, &last, &decided);
    if (r->kind == REAL_FINITE && (r->negative ? order < 0 : order > 0)) {
        if (r->negative)
            return up ? first_key(unit) : first_key(unit) - 1;
        return up ? last_key(unit) + 1 : last_key(unit);
    }
    if (unsigned_type && (r->negative || r->kind == REAL_ZERO))
        return up ? first_key(unit) : first_key(unit) - 1;
    return real_key(unit,
                    up ? real_round_up(r, unit) : real_round_down(r, unit));
}

bool accept_bound_overflows(mpfr_srcptr x, enum dtype unit)
{
    struct real r = accept_bound_real(x);
    struct real last = real_from_bits(unit, real_max(unit, false));
    return accept_bound_nearest(&r, unit) > accept_bound_nearest(&last, unit);
}

uint64_t accept_bound_overflow(enum dtype unit, bool negative,
                               enum real_overflow overflow)
{
    struct real huge = real_from_int(negative ? -1 : 1);
    huge.exponent = ACCEPT_BOUND_EXPONENT;
    return real_round(&huge, unit, overflow);
}

void accept_bound_pattern(struct accept_set *set, enum dtype unit,
                          uint64_t bits, const struct accept_rules *rules)
{
    if (!real_is_nan(unit, bits)) {
        accept_add(set, unit, bits);
        return;
    }
    if (set->nan && set->nan_rule <= rules->nan)
        return;
    set->nan = true;
    set->nan_rule = rules->nan;
    set->nan_bits = bits;
}

void accept_bound_add(struct accept_set *set, enum dtype unit, int64_t low,
                      int64_t high, const struct accept_rules *rules)
{
    int64_t first = first_key(unit), last = last_key(unit);
    if (low > high)
        return;
    if (low < first)
        accept_bound_pattern(set, unit,
                             accept_bound_overflow(unit, true, rules->overflow),
                             rules);
    if (high > last)
        accept_bound_pattern(
            set, unit, accept_bound_overflow(unit, false, rules->overflow),
            rules);
    struct accept_set range = {.count = 1};
    range.range[0].low = low < first ? first : low;
    range.range[0].high = high > last ? last : high;
    if (range.range[0].low <= range.range[0].high)
        accept_union(set, &range);
}
