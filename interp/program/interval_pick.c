/* interval_pick.c - see interval.h.  Tests: granted.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"
#include "interp/specification/flush.h"

/* Extend e to what is subnormal between two ends. */
static bool include_subnormal(struct goal_ends *e, enum dtype unit,
                              uint64_t low, uint64_t high)
{
    if (real_is_nan(unit, low) || real_is_nan(unit, high))
        return true;
    int64_t most = real_key(unit, real_min_normal(unit)) - 1;
    int64_t least = real_has_negative_zero(unit) ? -1 - most : -most;
    int64_t from = real_key(unit, low), to = real_key(unit, high);
    from = from > least ? from : least;
    to = to < most ? to : most;
    return from > to
           || (goal_ends_widen(e, unit, real_from_key(unit, from))
               && goal_ends_widen(e, unit, real_from_key(unit, to)));
}

/* The same for all units of an operand that unit i of the result may be. */
static bool include_operand(struct goal_ends *e, const struct instruction *in,
                            const struct literal *low,
                            const struct literal *high, int64_t i)
{
    enum dtype unit = dtype_unit(low->shape->dtype);
    int64_t n = literal_units(low), first = 0, end = n;
    if (in->op->elementwise) {
        first = n == 1 ? 0 : i;
        end = first + 1;
    }
    for (int64_t k = first; k < end; k++)
        if (!include_subnormal(e, unit, literal_get(low, k),
                               literal_get(high, k)))
            return false;
    return true;
}

/* May a unit between these ends be a zero? */
static bool meets_zero(const struct goal_ends *e, enum dtype unit)
{
    return !real_is_nan(unit, e->low)
           && !goal_ends_before(unit, real_zero(unit, false), e->low)
           && !goal_ends_before(unit, e->high, real_zero(unit, true));
}

bool interval_pick(const struct eval *ev, struct goal *to,
                   struct literal *const *low, struct literal *const *high,
                   int count)
{
    const struct shape *s = to->value->shape;
    if (!flush_allowed(ev->machine->profile, s, true))
        return true;
    for (int64_t i = 0, n = literal_units(to->value); i < n; i++) {
        struct goal_ends e = {literal_get(to->range.low, i),
                              literal_get(to->range.high, i)};
        if (!meets_zero(&e, s->dtype))
            continue;
        for (int k = 0; k < count; k++)
            if (low[k]->shape->dtype == s->dtype
                && !include_operand(&e, ev->in, low[k], high[k], i))
                return false;
        literal_set(to->range.low, i, e.low);
        literal_set(to->range.high, i, e.high);
    }
    return true;
}
