/* verdict_set.h - what is right for one unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A goal's rule says what is right for a unit alone (interp/goal/rule.h). Where
 * a profile judges complex numbers as a whole, a part may also be right
 * together with the other part that the backend returned.
 */
#ifndef INTERP_JUDGE_VERDICT_SET_H
#define INTERP_JUDGE_VERDICT_SET_H

#include "interp/goal/rule.h"

/* Is unit i of got right by this goal, without a flushed operand or result? */
bool verdict_set_has(const struct rule_basis *b, const struct goal *g,
                     const struct literal *got, int64_t i);

/* All that is right for unit i with the other part of got: alone, and as a part
 * of the whole number.  Not for a goal that is judged as a whole. */
void verdict_set_whole(struct accept_set *set, const struct rule_basis *b,
                       const struct goal *g, const struct literal *got,
                       int64_t i);

#endif
