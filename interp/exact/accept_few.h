/* accept_few.h - all sums of few terms, of which some may be flushed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_EXACT_ACCEPT_FEW_H
#define INTERP_EXACT_ACCEPT_FEW_H

#include "interp/exact/accept.h"

/* Add the possible sums of these terms, in any order, where terms that are
 * tiny, and sums below the normal range, may be flushed. */
void accept_few_add(struct accept_set *set, enum dtype unit,
                    const struct accept_few *few,
                    const struct accept_rules *rules);

#endif
