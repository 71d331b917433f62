/* interval_magnitude.c - see interval.h.  Tests: intervals.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/goal_ends.h"
#include "interp/program/interval.h"

void interval_magnitude_turn(struct arena *a, struct literal **low,
                             struct literal **high, bool *crosses)
{
    enum dtype unit = dtype_unit((*low)->shape->dtype);
    uint64_t plus = real_zero(unit, false), minus = real_zero(unit, true);
    struct literal *near = literal_copy(a, *low), *far = literal_copy(a, *high);
    for (int64_t k = 0, n = literal_units(near); k < n; k++) {
        uint64_t first = literal_get(near, k), last = literal_get(far, k);
        if (first == last || !goal_ends_before(unit, first, plus))
            continue;
        bool both = goal_ends_before(unit, minus, last);
        bool down =
            !both
            || goal_ends_before(unit, last, first ^ real_formats[unit].sign);
        literal_set(near, k, both ? plus : last);
        literal_set(far, k, down ? first : last);
        *crosses = *crosses || both;
    }
    *low = near;
    *high = far;
}

struct literal *interval_magnitude_middle(struct arena *a,
                                          const struct literal *low,
                                          const struct literal *high)
{
    enum dtype unit = dtype_unit(low->shape->dtype);
    uint64_t zero = real_zero(unit, false);
    struct literal *middle = literal_copy(a, low);
    for (int64_t i = 0, n = literal_units(low); i < n; i++) {
        uint64_t first = literal_get(low, i), last = literal_get(high, i);
        if (first != last && !goal_ends_before(unit, zero, first))
            literal_set(middle, i,
                        goal_ends_before(unit, last, zero) ? last : zero);
    }
    return middle;
}

bool interval_magnitude_signs(struct goal *const *goals, int count,
                              bool crosses)
{
    for (int i = 0; i < count; i++) {
        struct goal *g = goals[i];
        enum dtype unit = g ? dtype_unit(g->value->shape->dtype) : DT_pred;
        if (!(dtype_class(unit) == DTYPE_FLOAT))
            continue;
        for (int64_t k = 0, n = literal_units(g->value); k < n; k++) {
            struct goal_ends e = {literal_get(g->range.low, k),
                                  literal_get(g->range.high, k)},
                             own = e;
            if (own.low == own.high)
                continue;
            uint64_t sign = real_formats[unit].sign;
            if (crosses
                && (!goal_ends_widen(&e, unit, own.low ^ sign)
                    || !goal_ends_widen(&e, unit, own.high ^ sign)))
                return false;
            bool zero =
                !goal_ends_before(unit, real_zero(unit, false), e.low)
                && !goal_ends_before(unit, e.high, real_zero(unit, true));
            if (zero && (real_is_inf(unit, e.low) || real_is_inf(unit, e.high)))
                return false;
            literal_set(g->range.low, k, e.low);
            literal_set(g->range.high, k, e.high);
        }
    }
    return true;
}
