/* control.h - what control flow shares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_CONTROL_H
#define INTERP_OPS_CONTROL_H

#include "interp/program/eval.h"

/* Run the attribute "computation" on the operands: an op.eval_group. */
bool control_call(struct eval *evs, int count, struct status *st);

/* Run one of several computations in each replica, those of one together:
 * choice[i] for evs[i], on operand first + choice[i]. */
bool control_branches(struct eval *evs, int count,
                      const struct computation *const *branches,
                      const int *choice, int first, struct status *st);

#endif
