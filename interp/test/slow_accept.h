/* slow_accept.h - acceptance sets by trying every pattern, for the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rules of the acceptance set once more, over GMP rationals and one
 * pattern at a time: it knows no ranges, keys, directed rounding or widths.
 * Numbers are times 2^SLOW_SCALE.
 */
#ifndef INTERP_TEST_SLOW_ACCEPT_H
#define INTERP_TEST_SLOW_ACCEPT_H

#include "interp/exact/accept.h"
#include "interp/test/slow_float.h"

enum slow_budget_kind {
    SLOW_EXACT,
    SLOW_CR,
    SLOW_FAITHFUL,
    SLOW_ULP,
    SLOW_XLA
};

struct slow_rules {
    enum slow_budget_kind kind;
    mpq_t ulps, abs, rel; /* abs times 2^SLOW_SCALE */
    bool flush, any_sign, saturate;
    bool clip;
    mpq_t low, high;
};

/* For each pattern: is it right for the number y, which is not 0? */
void slow_accept_value(const struct slow_table *t, const mpq_t y,
                       const struct slow_rules *rules, bool *right);

/* Has a set these patterns, "3f800000 0", and none of those after a '!'? Prints
 * the first that is wrong. */
bool slow_accept_has(const struct accept_set *set, enum dtype type,
                     const char *patterns);

/* Is it one that some number in [low, high] is rounded to? */
bool slow_accept_interval(const struct slow_table *t, const mpq_t low,
                          const mpq_t high, uint64_t bits, bool flush);

#endif
