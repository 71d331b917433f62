/* Mul.c - the product of elements; of truth values, and.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/complex_ranges.h"
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Mul,
          (.monotone = {OP_EITHER, OP_EITHER}, .monoid = &monoid_mul,
           .builtin = "mul", .ranges = complex_ranges_mul),
          .arity = 2, .fast = FAST_ARITH_MUL, .pred = integer_and,
          .integer = integer_mul, .real2 = mpfr_mul,
          .complex = complex_algebra_mul, .complex_norm = true,
          .accuracy = "arithmetic", .accuracy_complex = "Mul.complex",
          .slope = slope_mul, .slope_parts = slope_parts_mul);
