/* Cos.c - the cosine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/program/op_way.h"

OP_FUNCTION(Cos, mpfr_cos, OP_WAY_COS, .complex = complex_exp_cos,
            .steep = steep_cos, .low = ELEMENTWISE_MINUS_ONE,
            .high = ELEMENTWISE_ONE, .slope = slope_cos);
