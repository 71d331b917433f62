/* scatter_body.h - updates by any computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The order of updates is free.  Where the result depends on it, a few updates
 * are tried in every order, and each result is right; many are rejected.  A
 * computation that rounds: scatter_round.h.
 */
#ifndef INTERP_OPS_SCATTER_BODY_H
#define INTERP_OPS_SCATTER_BODY_H

#include "interp/ops/scatter.h"

/* Run the computation for every hit: write the values of goals, which hold the
 * operands, and note what else is right there. */
bool scatter_body_eval(struct scatter *s, struct goal **goals,
                       struct status *st);

#endif
