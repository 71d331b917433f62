/* Sin.c - the sine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/program/op_way.h"

OP_FUNCTION(Sin, mpfr_sin, OP_WAY_SIN, .complex = complex_exp_sin,
            .steep = steep_cos, .low = ELEMENTWISE_MINUS_ONE,
            .high = ELEMENTWISE_ONE, .slope = slope_sin);
