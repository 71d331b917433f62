/* Tan.c - the tangent of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/program/op_way.h"

OP_FUNCTION(Tan, mpfr_tan, OP_WAY_TAN, .complex = complex_tanh_tan,
            .steep = steep_tan);
