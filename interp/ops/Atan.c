/* Atan.c - the inverse tangent of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Atan, mpfr_atan, 1, .complex = complex_inverse_atan,
            .low = ELEMENTWISE_MINUS_HALF_PI, .high = ELEMENTWISE_HALF_PI,
            .slope = slope_atan);
