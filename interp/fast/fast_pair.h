/* fast_pair.h - arithmetic of two operands (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_PAIR_H
#define INTERP_FAST_FAST_PAIR_H

#include "interp/fast/fast.h"

fast_function2 fast_pair_add;
fast_function2 fast_pair_sub;
fast_function2 fast_pair_mul;
fast_function2 fast_pair_div;
fast_function2 fast_pair_rem;

#endif
