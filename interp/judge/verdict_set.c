/* verdict_set.c - see verdict.h.  Tests: test_verdict_sets.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/verdict.h"

/* Is a unit judged with its other half?  Not where a part is infinite or NaN,
 * nor a part that is exactly zero: that is this zero, whatever the other part
 * is, unless it is a difference that a rounded term does not cancel.  Units of
 * complex numbers move in pairs: i is the unit of got. */
static bool by_norm(const struct rule_place *at, const struct literal *got,
                    int64_t i, uint64_t z[2])
{
    const struct goal *g = at->goal;
    enum dtype unit = rule_unit(g);
    if (!at->basis.norm || at->rule != &rule_real)
        return false;
    for (int k = 0; k < 2; k++) {
        z[k] = literal_get(got, (i & ~INT64_C(1)) + k);
        if (g->real.y[(at->unit & ~INT64_C(1)) + k].kind > REAL_FINITE
            || !real_is_finite(unit, z[k]))
            return false;
    }
    return g->real.y[at->unit].kind != REAL_ZERO
           || (g->real.cancelled_units && g->real.cancelled_units[at->unit]);
}

/* Is a unit right as a part of its whole complex number? */
static bool right_by_norm(const struct rule_place *at,
                          const struct literal *got, int64_t i)
{
    const struct goal *g = at->goal;
    uint64_t z[2];
    return by_norm(at, got, i, z)
           && verdict_norm(&g->real.y[at->unit & ~INT64_C(1)], z, rule_unit(g),
                           goal_budget(g, at->unit, at->basis.budget));
}

/* All that is right for unit i with the other part of got:
 * what its own budget allows, and what the whole number's does. */
void verdict_set_whole(struct accept_set *set, const struct rule_basis *b,
                       const struct goal *g, const struct literal *got,
                       int64_t i)
{
    const struct rule_place at = rule_place(b, g, i);
    struct accept_set slice;
    uint64_t z[2];
    at.rule->allow(set, &at.basis, at.goal, at.unit, &at.basis.rules);
    if (by_norm(&at, got, i, z)
        && verdict_norm_set(&slice, &at.goal->real.y[at.unit & ~INT64_C(1)], z,
                            (int)(i & 1), rule_unit(g),
                            goal_budget(at.goal, at.unit, at.basis.budget)))
        accept_union(set, &slice);
}

static bool allowed_besides(const struct goal *g, int64_t i, uint64_t got)
{
    if (g->free_units && g->free_units[i])
        return true;
    for (const struct goal_other *o = goal_others(g, i); o; o = o->same)
        if (o->bits == got)
            return true;
    return false;
}

bool verdict_set_has(const struct rule_basis *b, const struct goal *g,
                     const struct literal *got, int64_t i)
{
    uint64_t bits = literal_get(got, i);
    if (bits == literal_get(g->value, i) || allowed_besides(g, i, bits))
        return true;
    const struct rule_place at = rule_place(b, g, i);
    struct accept_rules strict = at.basis.rules;
    struct accept_set set = {0};
    if (!at.rule->allow)
        return false;
    if (right_by_norm(&at, got, i))
        return true;
    strict.subnormal = 0;
    at.rule->allow(&set, &at.basis, at.goal, at.unit, &strict);
    return accept_has(&set, rule_unit(g), bits);
}
