/* rule_check.c - GOAL_CHECK: a predicate of the operation decides on the whole
 * result: a permutation, a residual, random numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * verdict_check calls it; units have no sets, and ends where the operation
 * bounds them.
 *
 * Tests: test_judge_value.c.
 */
#include "interp/goal/rule.h"

/* Like a rounded result, one with ends is its value until exact ones are asked
 * for. */
static bool varies(const struct profile *p, const struct goal *g)
{
    return !g->check.ends || g->want_exact;
}

static bool ends(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why)
{
    *why = "may be any of several values";
    return g->check.ends && g->check.ends(g, i, e, why);
}

const struct rule rule_check = {
    .words = "predicate", .varies = varies, .ends = ends};
