/* check_words.h - is that a generator's next state, and its output?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_CHECK_WORDS_H
#define INTERP_CHECK_CHECK_WORDS_H

#include "interp/goal/goal.h"

struct check_words {
    const struct literal *state;
    bool draws;         /* the result has elements */
    bool words, philox; /* of that algorithm */
};

/* A goal_check, whose data are a struct check_words. */
bool check_words(const struct goal *g, const struct literal *const *got, int n,
                 struct goal_finding *found);

#endif
