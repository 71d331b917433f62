/* fast_power.h - one number to the power of another (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_POWER_H
#define INTERP_FAST_FAST_POWER_H

#include "interp/fast/fast.h"

fast_function2 fast_power_pow;

#endif
