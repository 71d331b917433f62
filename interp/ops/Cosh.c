/* Cosh.c - the hyperbolic cosine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Cosh, mpfr_cosh, OP_VALLEY, .complex = complex_exp_cosh,
            .steep = steep_cosh, .low = ELEMENTWISE_ONE, .slope = slope_cosh);
