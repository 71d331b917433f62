/* rule.c - see rule.h.  Tests: test_verdict_sets.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/goal/rule.h"

#include "gen/policy/arithmetic_contraction.h"
#include "gen/policy/arithmetic_excess_precision.h"
#include "gen/policy/complex_accuracy.h"
#include "gen/policy/convert_nan_to_finite.h"
#include "gen/policy/function_zero_sign.h"
#include "gen/policy/max_signed_zero.h"

const struct rule *rule_of(const struct goal *g)
{
    static const struct rule *const rows[] = {
        [GOAL_BITS] = &rule_bits,   [GOAL_MOVED] = &rule_moved,
        [GOAL_REAL] = &rule_real,   [GOAL_SUM] = &rule_sum,
        [GOAL_RANGE] = &rule_range, [GOAL_CHECK] = &rule_check,
        [GOAL_FREE] = &rule_free};
    return rows[g->rule];
}

bool rule_frees_nan(const struct profile *p)
{
    switch (profile_convert_nan_to_finite(p)) {
    case CONVERT_NAN_TO_FINITE_ANY:
        return true;
    case CONVERT_NAN_TO_FINITE_TYPE:
        break;
    }
    return false;
}

bool rule_swaps_zeros(const struct profile *p)
{
    switch (profile_max_signed_zero(p)) {
    case MAX_SIGNED_ZERO_EITHER:
        return true;
    case MAX_SIGNED_ZERO_ORDERED:
        break;
    }
    return false;
}

bool rule_exceeds(const struct profile *p)
{
    switch (profile_arithmetic_excess_precision(p)) {
    case ARITHMETIC_EXCESS_PRECISION_ACCEPT:
        return true;
    case ARITHMETIC_EXCESS_PRECISION_REJECT:
        break;
    }
    return false;
}

static bool may_fuse(const struct profile *p)
{
    switch (profile_arithmetic_contraction(p)) {
    case ARITHMETIC_CONTRACTION_ACCEPT:
        return true;
    case ARITHMETIC_CONTRACTION_REJECT:
        break;
    }
    return false;
}

/* Are complex numbers judged as a whole? */
static bool takes_norm(const struct profile *p)
{
    switch (profile_complex_accuracy(p)) {
    case COMPLEX_ACCURACY_NORM:
        return true;
    case COMPLEX_ACCURACY_COMPONENT:
        break;
    }
    return false;
}

static bool frees_zeros(const struct profile *p)
{
    switch (profile_function_zero_sign(p)) {
    case FUNCTION_ZERO_SIGN_EITHER:
        return true;
    case FUNCTION_ZERO_SIGN_RULE:
        break;
    }
    return false;
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
    b.wider = may_fuse(p) || rule_exceeds(p);
    if (g->rule != GOAL_REAL)
        return b;
    if (g->real.zero_open && frees_zeros(p))
        b.rules.zero_any_sign = true;
    if (g->real.has_budget)
        b.budget = &g->real.budget;
    else if (g->real.accuracy)
        b.budget = profile_budget(p, g->real.accuracy, unit, NULL);
    b.norm = g->real.complex_norm && g->real.y && takes_norm(p);
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
