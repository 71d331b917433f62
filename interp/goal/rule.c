/* rule.c - see rule.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/rule.h"

const struct rule *rule_of(const struct goal *g)
{
    static const struct rule *const rows[] = {
        [GOAL_BITS] = &rule_bits,   [GOAL_MOVED] = &rule_moved,
        [GOAL_REAL] = &rule_real,   [GOAL_SUM] = &rule_sum,
        [GOAL_RANGE] = &rule_range, [GOAL_CHECK] = &rule_check,
        [GOAL_FREE] = &rule_free};
    return rows[g->rule];
}

struct rule_basis rule_basis(const struct profile *p, const struct goal *g)
{
    static const struct accept_budget correctly_rounded = {.kind = ACCEPT_CR};
    enum dtype unit = rule_unit(g);
    struct rule_basis b = {.profile = p,
                           .budget = &correctly_rounded,
                           .rules = profile_rules(p, unit)};
    if (g->clip) {
        b.rules.clip = true;
        b.rules.low = g->clip_low;
        b.rules.high = g->clip_high;
    }
    b.wider = profile_takes(p, CHOICE_ARITHMETIC_CONTRACTION_ACCEPT)
              || profile_takes(p, CHOICE_ARITHMETIC_EXCESS_PRECISION_ACCEPT);
    if (g->rule != GOAL_REAL)
        return b;
    if (g->real.zero_open && profile_takes(p, CHOICE_FUNCTION_ZERO_SIGN_EITHER))
        b.rules.zero_any_sign = true;
    if (g->real.has_budget)
        b.budget = &g->real.budget;
    else if (g->real.accuracy)
        b.budget = profile_budget(p, g->real.accuracy, unit, NULL);
    b.norm = g->real.complex_norm && g->real.y
             && profile_takes(p, CHOICE_COMPLEX_ACCURACY_NORM);
    return b;
}

struct rule_place rule_place(const struct rule_basis *b, const struct goal *g,
                             int64_t i)
{
    struct rule_place at = {.unit = i};
    at.goal = goal_source(g, &at.unit);
    at.rule = rule_keeps(at.goal, at.unit) ? &rule_moved : rule_of(at.goal);
    at.basis = at.goal == g ? *b : rule_basis(b->profile, at.goal);
    at.basis.rules.subnormal &= b->rules.subnormal;
    return at;
}
