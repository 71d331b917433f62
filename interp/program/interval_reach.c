/* interval_reach.c - see interval.h.  Tests: test_interval.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"

enum {
    REACH_INF = 1 << 16 /* of infinity: beyond every type's exponents */
};

static int compare_reals(const struct real *a, const struct real *b)
{
    bool decided;
    return real_compare(a, b, &decided);
}

/* The budget of a unit may be none at a special value (Exp(0) = 1), or depend
 * on its operands. */
static bool is_special(const struct goal *g, int64_t i)
{
    return g->real.unit_budgets
           || (g->real.exact_units && g->real.exact_units[i]);
}

void interval_reach_extend(struct interval_reach *to, const struct goal *from)
{
    for (int64_t i = 0, n = literal_units(from->value); i < n; i++) {
        const struct real *y = &from->real.y[i];
        struct interval_reach *r = &to[i];
        r->special = r->special || is_special(from, i);
        if (y->kind != REAL_NAN) {
            r->least =
                !r->known || compare_reals(y, &r->least) < 0 ? *y : r->least;
            r->most =
                !r->known || compare_reals(y, &r->most) > 0 ? *y : r->most;
            r->known = true;
        }
        if (y->kind == REAL_ZERO || y->kind == REAL_NAN) {
            r->zero = true;
            continue;
        }
        int64_t e = y->kind == REAL_INF ? REACH_INF : y->exponent;
        r->low = r->used && r->low < e ? r->low : e;
        r->high = r->used && r->high > e ? r->high : e;
        r->used = true;
        r->plus = r->plus || !y->negative;
        r->minus = r->minus || y->negative;
    }
}

bool interval_reach_value(const struct profile *profile, struct goal *to,
                          const struct goal *from, const struct real *y,
                          int64_t i)
{
    struct goal_ends e = {literal_get(to->range.low, i),
                          literal_get(to->range.high, i)};
    if (!interval_goal_include(&e, profile, from, y))
        return false;
    literal_set(to->range.low, i, e.low);
    literal_set(to->range.high, i, e.high);
    return true;
}

/* An ulp is larger from a power of two on: what is allowed there may reach
 * further towards zero than what is allowed at the end. */
static bool include_power(const struct profile *profile, struct goal *to,
                          const struct goal *from,
                          const struct interval_reach *reach, int64_t i)
{
    enum dtype unit = dtype_unit(to->value->shape->dtype);
    int64_t least = dtype_table[unit].emin + 1;
    int64_t k = reach->low + 1 > least ? reach->low + 1 : least;
    if (!reach->used || reach->zero || (reach->plus && reach->minus)
        || k > reach->high)
        return true;
    struct real y = {.kind = REAL_FINITE,
                     .significand = (real_u128)1 << 127,
                     .exponent = k,
                     .width = 128,
                     .negative = reach->minus};
    return interval_reach_value(profile, to, from, &y, i);
}

/* Next to a special value its function has the usual budgets, unless it is
 * constant. */
static bool include_ends(const struct profile *profile, struct goal *to,
                         const struct goal *from,
                         const struct interval_reach *reach, int64_t i)
{
    bool constant = !reach->least.inexact && !reach->most.inexact
                    && compare_reals(&reach->least, &reach->most) == 0;
    if (!reach->known || !reach->special || constant)
        return true;
    return interval_reach_value(profile, to, from, &reach->least, i)
           && interval_reach_value(profile, to, from, &reach->most, i);
}

bool interval_reach_include(const struct profile *profile, struct goal *to,
                            const struct goal *from,
                            const struct interval_reach *reach, int64_t i)
{
    return include_power(profile, to, from, reach, i)
           && include_ends(profile, to, from, reach, i);
}
