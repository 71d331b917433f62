/* rule.c - see rule.h.  Tests: test_verdict_sets.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/rule.h"

#include "gen/policy/arithmetic_contraction.h"
#include "gen/policy/arithmetic_excess_precision.h"
#include "gen/policy/complex_accuracy.h"
#include "gen/policy/function_zero_sign.h"

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
    b.wider = profile_arithmetic_contraction_is_accept(p)
              || profile_arithmetic_excess_precision_is_accept(p);
    if (g->rule != GOAL_REAL)
        return b;
    if (g->real.zero_open && profile_function_zero_sign_is_either(p))
        b.rules.zero_any_sign = true;
    if (g->real.has_budget)
        b.budget = &g->real.budget;
    else if (g->real.accuracy)
        b.budget = profile_budget(p, g->real.accuracy, unit, NULL);
    b.norm = g->real.complex_norm && g->real.y
             && profile_complex_accuracy_is_norm(p);
    return b;
}

bool rule_is_beyond(const struct rule_basis *b, enum dtype unit,
                    const struct real *y, const char **why)
{
    if (!b->wider || y->kind != REAL_FINITE || real_has_inf(unit)
        || real_has_nan(unit))
        return false;
    struct real most = real_from_bits(unit, real_max(unit, false));
    struct real size = *y;
    size.negative = false;
    *why = "may be larger than its type holds";
    bool decided;
    return real_compare(&size, &most, &decided) > 0 || !decided;
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
