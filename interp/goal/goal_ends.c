/* goal_ends.c - see goal_ends.h.  Tests: test_interval.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/goal_ends.h"

static bool is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}

bool goal_ends_before(enum dtype unit, uint64_t a, uint64_t b)
{
    return real_key(unit, a) < real_key(unit, b);
}

bool goal_ends_widen(struct goal_ends *e, enum dtype unit, uint64_t bits)
{
    bool nan = is_nan(unit, bits);
    if (nan != is_nan(unit, e->low))
        return false;
    if (nan)
        return true;
    if (goal_ends_before(unit, bits, e->low))
        e->low = bits;
    if (goal_ends_before(unit, e->high, bits))
        e->high = bits;
    return true;
}

bool goal_ends_of_set(struct goal_ends *e, const struct accept_set *set,
                      enum dtype unit, uint64_t value)
{
    *e = (struct goal_ends){value, value};
    if (set->any)
        return false;
    if (set->nan)
        return set->count == 0 && real_is_nan(unit, value);
    for (int i = 0; i < set->count; i++)
        if (!goal_ends_widen(e, unit, real_from_key(unit, set->range[i].low))
            || !goal_ends_widen(e, unit,
                                real_from_key(unit, set->range[i].high)))
            return false;
    return true;
}
