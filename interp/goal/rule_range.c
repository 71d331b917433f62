/* rule_range.c - GOAL_RANGE: what a program may give whose operands are not
 * known exactly.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ends enclose every right result (interp/program/interval.c), so there is
 * no exact value to measure an error from.
 *
 * Tests: test_judge_ways.c.
 */
#include <string.h>

#include "interp/goal/rule.h"

/* The zeros that subnormal numbers between the ends may be flushed to, by
 * sign: plus in zeros[0]. */
static void find_flushed(enum dtype unit, uint64_t low, uint64_t high,
                         const struct accept_rules *rules, bool zeros[2])
{
    uint64_t normal = real_min_normal(unit), sign = real_formats[unit].sign;
    int64_t first = real_key(unit, low), last = real_key(unit, high);
    bool any = rules->subnormal & ACCEPT_FLUSH_ANY_SIGN;
    zeros[0] = zeros[1] = false;
    if (!(rules->subnormal & ACCEPT_FLUSH_RESULTS) || sign == 0)
        return;
    bool up = last > real_key(unit, 0) && first < real_key(unit, normal);
    bool down = first < real_key(unit, real_zero(unit, true))
                && last > real_key(unit, normal | sign);
    zeros[0] = up || (down && any);
    zeros[1] = down || (up && any);
}

static void add_flushed(struct accept_set *set, enum dtype unit, uint64_t low,
                        uint64_t high, const struct accept_rules *rules)
{
    bool zeros[2];
    find_flushed(unit, low, high, rules, zeros);
    for (int s = 0; s < 2; s++)
        if (zeros[s])
            accept_add(set, unit, real_zero(unit, s == 1));
}

static void allow(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules)
{
    enum dtype unit = rule_unit(g);
    uint64_t value = literal_get(g->value, i);
    uint64_t low = literal_get(g->range.low, i);
    uint64_t high = literal_get(g->range.high, i);
    if (rule_is_nan(unit, value) || rule_is_nan(unit, low)
        || rule_is_nan(unit, high)) {
        rule_bits_set(set, unit, value, rules);
        return;
    }
    memset(set, 0, sizeof *set);
    set->count = 1;
    set->range[0].low = real_key(unit, low);
    set->range[0].high = real_key(unit, high);
    if (dtype_class(unit) == DTYPE_FLOAT)
        add_flushed(set, unit, low, high, rules);
    rule_bits_zeros(set, unit, value, rules);
}

static bool ends(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why)
{
    enum dtype unit = rule_unit(g);
    bool zeros[2] = {false, false};
    e->low = literal_get(g->range.low, i);
    e->high = literal_get(g->range.high, i);
    if (e->low != e->high && dtype_class(unit) == DTYPE_FLOAT
        && !real_is_nan(unit, e->low))
        find_flushed(unit, e->low, e->high, &b->rules, zeros);
    for (int s = 0; s < 2; s++)
        if (zeros[s] && !goal_ends_widen(e, unit, real_zero(unit, s == 1)))
            return false;
    return true;
}

const struct rule rule_range = {.allow = allow,
                                .words = "interval",
                                .varies = rule_free_varies,
                                .ends = ends};
