/* rule_sum.c - GOAL_SUM: an accumulation in any order, within the error bound
 * of its terms.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Integer sums are exact and have no sums; nor has a goal that was not asked
 * for them (want_exact).
 *
 * Tests: test_judge_ways.c.
 */
#include "interp/goal/rule.h"

/* Any NaN besides a sum. */
static void add_nan(struct accept_set *set, const struct goal *g, int64_t i,
                    const struct accept_rules *rules)
{
    if (!g->nan_units || !g->nan_units[i] || set->nan)
        return;
    set->nan = true;
    set->nan_rule = rules->nan;
    set->nan_bits = real_nan(rule_unit(g), false);
}

static void allow(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules)
{
    if (!g->sum.sums) {
        rule_bits.allow(set, b, g, i, rules);
        return;
    }
    accept_accumulation(set, rule_unit(g), &g->sum.sums[i],
                        literal_get(g->value, i), rules);
    add_nan(set, g, i, rules);
}

static bool share(const struct goal *g, int64_t i, uint64_t got, int64_t *share)
{
    enum dtype unit = rule_unit(g);
    return g->sum.sums && rule_is_finite(unit, literal_get(g->value, i))
           && accept_accumulation_share(&g->sum.sums[i], unit, got, share);
}

static bool ends(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = literal_get(g->value, i);
    struct accept_set set = {0};
    if (dtype_class(unit) != DTYPE_FLOAT || !g->sum.sums)
        return rule_bits_point(e, b, g, i, why);
    if ((g->nan_units && g->nan_units[i])
        || rule_is_beyond(b, unit, &g->sum.sums[i].sum, why))
        return false;
    accept_accumulation(&set, unit, &g->sum.sums[i], value, &b->rules);
    if (!goal_ends_of_set(e, &set, unit, value))
        return false;
    /* In a wider type the sum lies between its neighbours. */
    const struct real *y = &g->sum.sums[i].sum;
    return y->kind != REAL_FINITE || !b->wider
           || (goal_ends_widen(e, unit, real_round_down(y, unit))
               && goal_ends_widen(e, unit, real_round_up(y, unit)));
}

const struct rule rule_sum = {.allow = allow,
                              .measure = RULE_SHARE,
                              .error = share,
                              .words = "accumulation",
                              .varies = rule_real_varies,
                              .ends = ends};
