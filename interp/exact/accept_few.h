/* accept_few.h - every order of a few terms or factors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_EXACT_ACCEPT_FEW_H
#define INTERP_EXACT_ACCEPT_FEW_H

#include "interp/exact/accept.h"

/* Add what sum->few gives in any order: each step is rounded in the
 * accumulator's type, overflow as the rules say, and the last one's result once
 * more in the type of the set.  A term that is itself a product is rounded
 * before it is added, or fused.  flush: terms that are tiny, results of
 * steps below the accumulator's normal range where that type flushes, and a
 * result, may also be zero.  False, and the
 * set is as it was, if there are too many results to follow. */
bool accept_few_add(struct accept_set *set, enum dtype unit,
                    const struct accept_sum *sum, bool flush,
                    const struct accept_rules *rules);

#endif
