/* Sqrt.c - the square root of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_STEEP(Sqrt, 1, 0, .arity = 1, .real = mpfr_sqrt,
         .complex = complex_algebra_sqrt, .steep = steep_sqrt,
         .accuracy = "arithmetic", .accuracy_complex = "Sqrt.complex",
         .complex_norm = true, .slope = slope_sqrt);
