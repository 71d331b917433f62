/* scatter_last.h - updates that replace what was there.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The order of updates is free, so any of several updates of one element may be
 * the last.
 */
#ifndef INTERP_OPS_SCATTER_LAST_H
#define INTERP_OPS_SCATTER_LAST_H

#include "interp/ops/scatter.h"

/* Every hit puts its update in place: write the values of goals, which hold
 * the operands, and note what else is right there. */
void scatter_last_eval(struct scatter *s, struct goal **goals);

#endif
