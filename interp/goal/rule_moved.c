/* rule_moved.c - GOAL_MOVED: a copy, of which every bit counts, those of NaN
 * too.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Only a NaN that arithmetic gave before it was moved (nan_units) may be one
 * of those that the profile allows.  Units whose sets moved with them (sources)
 * are judged there: rule_place.
 *
 * Tests: test_verdict_sets.c.
 */
#include "interp/goal/rule.h"

static void allow(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules)
{
    uint64_t value = literal_get(g->value, i);
    if (g->nan_units && g->nan_units[i])
        rule_bits_set(set, rule_unit(g), value, rules);
    else
        accept_bits(set, rule_unit(g), value);
}

static bool varies(const struct profile *p, const struct goal *g)
{
    return g->sources != NULL;
}

const struct rule rule_moved = {.allow = allow,
                                .words = "exact",
                                .varies = varies,
                                .ends = rule_bits_point};
