/* accept_text.h - acceptance sets as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_JUDGE_ACCEPT_TEXT_H
#define INTERP_JUDGE_ACCEPT_TEXT_H

#include "interp/goal/goal.h"
#include "interp/judge/verdict.h"

/* Between the parts of a set. */
#define ACCEPT_TEXT_OR " | "

/* The set of each of the first count units of a goal that has exact values:
 * values and ranges in decimal, such as "1", "[0.9999999, 1.0000001]", "nan",
 * "-0 | 0", "any", or "predicate" for a check over the whole result. */
const char **accept_text_texts(struct arena *a, const struct profile *p,
                               const struct goal *goal, int64_t count);

/* The same sets themselves: take is called for each of the first count units,
 * as if it were wrong. */
typedef void accept_text_take(void *context, const struct verdict_wrong *unit);
void accept_text_each(struct arena *a, const struct profile *p,
                      const struct goal *goal, int64_t count,
                      accept_text_take *take, void *context);

/* The set of one wrong unit, in the same form. */
const char *accept_text_wrong(struct arena *a, const struct goal *g,
                              const struct verdict_wrong *w);

/* The part of the half-width of unit i's set for which the order of additions
 * accounts, in percent: "at least 87 %"; NULL: none, or not known. */
const char *accept_text_order(struct arena *a, const struct goal *g, int64_t i);

/* In words: "exact", "correctly rounded (arithmetic)", "accumulation", ...;
 * "any" where no unit is judged. */
const char *accept_text_words(struct arena *a, const struct profile *p,
                              const struct goal *goal);

#endif
