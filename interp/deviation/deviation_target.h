/* deviation_target.h - what of an operation a deviation may name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_TARGET_H
#define INTERP_DEVIATION_DEVIATION_TARGET_H

#include "interp/deviation/deviation.h"
#include "interp/specification/spec.h"

/* Does the operation have that target: an operand, two neighbouring ones
 * ("lhs,rhs"), or an attribute, as the deviation changes one of these? */
bool deviation_target_known(const struct deviation *d, const char *target,
                            const struct spec_op *op);
/* Fail with INPUT, and the nearest known target, if no operation has it. */
bool deviation_target_check(const struct deviation *d, const char *target,
                            struct status *st);
/* May the use change a program of that operation alone?  One without a target,
 * and not of certain operations, may change any. */
bool deviation_target_concerns(const struct deviation_use *use,
                               const struct spec_op *op);

#endif
