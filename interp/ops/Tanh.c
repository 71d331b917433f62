/* Tanh.c - the hyperbolic tangent of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Tanh, mpfr_tanh, 1, .complex = complex_tanh_tanh,
            .steep = steep_tanh, .low = ELEMENTWISE_MINUS_ONE,
            .high = ELEMENTWISE_ONE, .slope = slope_tanh);
