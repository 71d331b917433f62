/* rule_bits.c - GOAL_BITS: a result that is a pattern, such as an integer, a
 * selected operand or its negative.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It is still arithmetic: a NaN may have another pattern, and a subnormal
 * number may be flushed, as the profile says (rule_moved.c is for copies).
 */
#include <string.h>

#include "interp/goal/rule.h"

void rule_bits_set(struct accept_set *set, enum dtype unit, uint64_t value,
                   const struct accept_rules *rules)
{
    accept_bits(set, unit, value);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return;
    if (real_is_nan(unit, value)) {
        memset(set, 0, sizeof *set);
        set->nan = true;
        set->nan_rule = rules->nan;
        set->nan_bits = value;
    } else if (real_is_subnormal(unit, value)
               && rules->subnormal & ACCEPT_FLUSH_RESULTS) {
        bool negative = real_is_negative(unit, value);
        accept_add(set, unit, real_zero(unit, negative));
        if (rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
            accept_add(set, unit, real_zero(unit, !negative));
    }
}

void rule_bits_zeros(struct accept_set *set, enum dtype unit, uint64_t value,
                     const struct accept_rules *rules)
{
    if (rules->zero_any_sign && dtype_class(unit) == DTYPE_FLOAT
        && real_is_zero(unit, value) && real_has_negative_zero(unit)) {
        accept_add(set, unit, real_zero(unit, false));
        accept_add(set, unit, real_zero(unit, true));
    }
}

static void allow(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules)
{
    uint64_t value = literal_get(g->value, i);
    rule_bits_set(set, rule_unit(g), value, rules);
    rule_bits_zeros(set, rule_unit(g), value, rules);
}

/* May the result be flushed?  Where operands may be, too, the next operation
 * treats it as zero anyway (judge_ways.h). */
static bool flushes(const struct accept_rules *rules, enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT
           && rules->subnormal & ACCEPT_FLUSH_RESULTS
           && !(rules->subnormal & ACCEPT_FLUSH_OPERANDS)
           && real_formats[unit].sign != 0;
}

static bool is_subnormal(const struct goal *g, int64_t i)
{
    return real_is_subnormal(rule_unit(g), literal_get(g->value, i));
}

static bool varies(const struct profile *p, const struct goal *g)
{
    enum dtype unit = rule_unit(g);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return false;
    struct accept_rules rules = profile_rules(p, unit);
    int64_t n = flushes(&rules, unit) ? literal_units(g->value) : 0;
    for (int64_t i = 0; i < n; i++)
        if (is_subnormal(g, i))
            return true;
    return false;
}

bool rule_bits_point(struct goal_ends *e, const struct rule_basis *b,
                     const struct goal *g, int64_t i, const char **why)
{
    e->low = e->high = literal_get(g->value, i);
    return true;
}

static bool ends(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why)
{
    enum dtype unit = rule_unit(g);
    rule_bits_point(e, b, g, i, why);
    if (!flushes(&b->rules, unit) || !is_subnormal(g, i))
        return true;
    bool negative = real_is_negative(unit, e->low);
    bool any = b->rules.subnormal & ACCEPT_FLUSH_ANY_SIGN;
    return goal_ends_widen(e, unit, real_zero(unit, negative))
           && (!any || goal_ends_widen(e, unit, real_zero(unit, !negative)));
}

const struct rule rule_bits = {
    .allow = allow, .words = "exact", .varies = varies, .ends = ends};
