/* Exp.c - the exponential of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Exp, mpfr_exp, 1, .complex = complex_exp_exp, .steep = steep_exp,
            .low = ELEMENTWISE_ZERO, .slope = slope_exp);
