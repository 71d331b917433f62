/* Sub.c - the difference of elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Sub,
          (.monotone = {1, -1}, .monoid_of_negative = &monoid_add,
           .builtin = "sub"),
          .arity = 2, .fast = FAST_ARITH_SUB, .integer = integer_sub,
          .real2 = mpfr_sub, .complex = complex_algebra_sub,
          .accuracy = "arithmetic", .accuracy_complex = "arithmetic",
          .slope = slope_sub, .slope_parts = slope_parts_sub);
