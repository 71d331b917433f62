/* scatter_apply.h - updates combined with the existing elements, in any order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_SCATTER_APPLY_H
#define INTERP_OPS_SCATTER_APPLY_H

#include "interp/ops/scatter.h"

/* Make goals, one an operand, for hits that are known. */
bool scatter_apply(struct scatter *s, struct goal **goals, struct status *st);

/* Does c give its last n arguments? */
bool scatter_apply_is_last(const struct computation *c, int n);

#endif
