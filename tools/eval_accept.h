/* eval_accept.h - acceptance sets as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EVAL_ACCEPT_H
#define TOOLS_EVAL_ACCEPT_H

#include "interp/exact/goal.h"
#include "interp/program/profile.h"

/* The set of each of the first count units of a goal that has exact values:
 * values and ranges in decimal, such as "1", "[0.9999999, 1.0000001]", "nan",
 * "-0 | 0", "any", or "predicate" for a check over the whole result. */
const char **eval_accept_texts(struct arena *a, const struct profile *p,
                               const struct goal *goal, int64_t count);

/* In words: "exact", "correctly rounded (arithmetic)", "accumulation", ... */
const char *eval_accept_words(struct arena *a, const struct profile *p,
                              const struct goal *goal);

#endif
