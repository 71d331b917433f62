/* deviation_place.h - the places of an operation that a deviation may name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_PLACE_H
#define INTERP_DEVIATION_DEVIATION_PLACE_H

#include "interp/deviation/deviation.h"
#include "interp/specification/spec.h"

/* Does the operation have that place: an operand, two neighbouring ones
 * ("lhs,rhs"), or an attribute, as the deviation changes one of these? */
bool deviation_place_known(const struct deviation *d, const char *place,
                           const struct spec_op *op);
/* Fail with INPUT, and the nearest known place, if no operation has it. */
bool deviation_place_check(const struct deviation *d, const char *place,
                           struct status *st);
/* May the use change a program of that operation alone?  One without a place,
 * and not of certain operations, may change any. */
bool deviation_place_concerns(const struct deviation_use *use,
                              const struct spec_op *op);

#endif
