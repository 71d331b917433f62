/* verdict_set.c - see verdict_set.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/verdict_set.h"

#include "interp/judge/verdict.h"

/* Is unit i judged with its other half?  Not where a part is infinite or NaN,
 * nor a part that is exactly zero: that is this zero, whatever the other part
 * is, unless it is a difference that a rounded term does not cancel. */
static bool by_norm(const struct rule_basis *b, const struct goal *g,
                    const struct literal *got, int64_t i, uint64_t z[2])
{
    enum dtype unit = rule_unit(g);
    int64_t first = i & ~INT64_C(1);
    if (!b->norm)
        return false;
    for (int k = 0; k < 2; k++) {
        z[k] = literal_get(got, first + k);
        if (g->real.y[first + k].kind > REAL_FINITE
            || !real_is_finite(unit, z[k]))
            return false;
    }
    return g->real.y[i].kind != REAL_ZERO
           || (g->real.cancelled_units && g->real.cancelled_units[i]);
}

/* The two parts of a complex number together, where all of them are finite. */
/* Is unit i right as a part of its whole complex number? */
static bool right_by_norm(const struct rule_basis *b, const struct goal *g,
                          const struct literal *got, int64_t i)
{
    enum dtype unit = rule_unit(g);
    uint64_t z[2];
    return by_norm(b, g, got, i, z)
           && verdict_norm(&g->real.y[i & ~INT64_C(1)], z, unit,
                           goal_budget(g, i, b->budget));
}

/* All that is right for unit i with the other part of got:
 * what its own budget allows, and what the whole number's does. */
void verdict_set_whole(struct accept_set *set, const struct rule_basis *b,
                       const struct goal *g, const struct literal *got,
                       int64_t i)
{
    enum dtype unit = rule_unit(g);
    struct accept_set slice;
    uint64_t z[2];
    rule_of(g)->allow(set, b, g, i, &b->rules);
    if (by_norm(b, g, got, i, z)
        && verdict_norm_set(&slice, &g->real.y[i & ~INT64_C(1)], z,
                            (int)(i & 1), unit, goal_budget(g, i, b->budget)))
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
    const struct rule *rule = rule_of(g);
    struct accept_rules strict = b->rules;
    struct accept_set set = {0};
    if (bits == literal_get(g->value, i) || allowed_besides(g, i, bits))
        return true;
    if (!rule->allow)
        return false;
    if (right_by_norm(b, g, got, i))
        return true;
    strict.subnormal = 0;
    rule->allow(&set, b, g, i, &strict);
    return accept_has(&set, rule_unit(g), bits);
}
