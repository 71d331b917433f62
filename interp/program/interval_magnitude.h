/* interval_magnitude.h - operands whose magnitudes decide, not their values.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The magnitude of a product, and a modulus, rise with the magnitude of each
 * factor or part.
 */
#ifndef INTERP_PROGRAM_INTERVAL_MAGNITUDE_H
#define INTERP_PROGRAM_INTERVAL_MAGNITUDE_H

#include "interp/goal/goal.h"

/* Instead of two ends, by unit, what lies nearest to zero and farthest from it
 * between them.  *crosses becomes true where a unit may have either sign. */
void interval_magnitude_turn(struct arena *a, struct literal **low,
                             struct literal **high, bool *crosses);
/* Extend results that are products, GOAL_RANGE, to both signs if a factor
 * crosses zero.  False if one may be a NaN: some factors may overflow, and
 * others underflow. */
bool interval_magnitude_signs(struct goal *const *goals, int count,
                              bool crosses);

#endif
