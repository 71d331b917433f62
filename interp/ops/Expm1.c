/* Expm1.c - e^x - 1 of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Expm1, mpfr_expm1, 1, .complex = complex_exp_expm1,
            .steep = steep_exp, .low = ELEMENTWISE_MINUS_ONE,
            .slope = slope_exp);
