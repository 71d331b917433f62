/* fast_root.h - square root, its reciprocal, cube root (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_ROOT_H
#define INTERP_FAST_FAST_ROOT_H

#include "interp/fast/fast.h"

fast_function fast_root_sqrt;
fast_function fast_root_rsqrt;
fast_function fast_root_cbrt;

#endif
