/* rule_free.c - GOAL_FREE: every value is right, because no document says
 * which one.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_judge_ways.c.
 */
#include <string.h>

#include "interp/goal/rule.h"

static void allow(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules)
{
    memset(set, 0, sizeof *set);
    set->any = true;
}

bool rule_free_varies(const struct profile *p, const struct goal *g)
{
    return true;
}

const struct rule rule_free = {
    .allow = allow, .words = "any", .varies = rule_free_varies};
