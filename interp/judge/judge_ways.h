/* judge_ways.h - the other ways in which a result may be right.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the plain evaluation does not explain may be explained by flushed
 * operands, or by choices that the profile permits with a remark: the reference
 * is evaluated again for each, and what is pending is judged by its goals.
 */
#ifndef INTERP_JUDGE_JUDGE_WAYS_H
#define INTERP_JUDGE_JUDGE_WAYS_H

#include "interp/judge/judge_value.h"

/* The goal of an array; an array without one was passed on unchanged.  Leaves
 * beyond those of the result are the arrays that the replica writes to the
 * outfeed; NULL if there are not as many. */
const struct goal *judge_ways_goal(struct arena *a,
                                   const struct judge_reference *ref,
                                   int replica, int leaf);

/* Explain what the plain goals left pending.  The leaves keep these goals. */
void judge_ways(const struct judge_value *j, struct verdict *v,
                struct verdict_leaf *leaves, int count);

/* Does a permitted choice make the program one that must be refused with this
 * class (STATUS_OK: with any)?  Then that choice's policy; else NULL. */
const char *judge_ways_refuses(struct arena *a, const struct test_case *c,
                               const struct judge_mode *mode, enum code class);

#endif
