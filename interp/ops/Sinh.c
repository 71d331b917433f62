/* Sinh.c - the hyperbolic sine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Sinh, mpfr_sinh, 1, .complex = complex_exp_sinh,
            .steep = steep_cosh, .slope = slope_sinh);
