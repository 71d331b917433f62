/* ragged.h - what the ragged operations leave open.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_RAGGED_H
#define INTERP_OPS_RAGGED_H

#include "interp/program/op.h"

/* Is any value right in what no group and no sender writes (policy
 * ragged.outside)? */
bool ragged_is_free(const struct eval *ev);

#endif
