/* scatter_round.h - updates by a computation that rounds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_SCATTER_ROUND_H
#define INTERP_OPS_SCATTER_ROUND_H

#include "interp/ops/scatter.h"

enum {
    SCATTER_MOVES_MAX = 6 /* updates or windows whose orders are all tried */
};

/* Replace goals, which hold the values.  One update of an element is judged as
 * the computation alone; of several, in any order, the result lies between the
 * ends of what the orders give. */
bool scatter_round_eval(struct scatter *s, struct goal **goals,
                        struct status *st);

#endif
