/* fast_angle.h - the angle of a point (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_ANGLE_H
#define INTERP_FAST_FAST_ANGLE_H

#include "interp/fast/fast.h"

fast_function2 fast_angle_atan2;

#endif
