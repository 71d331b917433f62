/* fast_circle.h - sine, cosine, tangent (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_CIRCLE_H
#define INTERP_FAST_FAST_CIRCLE_H

#include "interp/fast/fast.h"

fast_function fast_circle_sin;
fast_function fast_circle_cos;
fast_function fast_circle_tan;

#endif
