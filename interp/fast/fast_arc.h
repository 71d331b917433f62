/* fast_arc.h - inverse trigonometric functions (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_ARC_H
#define INTERP_FAST_FAST_ARC_H

#include "interp/fast/fast.h"

fast_function fast_arc_atan;
fast_function fast_arc_asin;
fast_function fast_arc_acos;

#endif
