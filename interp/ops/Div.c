/* Div.c - the quotient of elements; of integers, towards zero.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_STEEP(Div, OP_EITHER, OP_NONZERO, .arity = 2, .integer = integer_div,
         .real2 = mpfr_div, .complex = complex_algebra_div, .steep = steep_div,
         .complex_norm = true, .accuracy = "arithmetic",
         .accuracy_complex = "Div.complex", .open = true, .slope = slope_div);
