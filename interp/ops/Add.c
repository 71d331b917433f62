/* Add.c - the sum of elements; of truth values, or.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Add, (.monotone = {1, 1}, .monoid = &monoid_add, .builtin = "add"),
          .arity = 2, .fast = FAST_ARITH_ADD, .pred = integer_or,
          .integer = integer_add, .real2 = mpfr_add,
          .complex = complex_algebra_add, .accuracy = "arithmetic",
          .accuracy_complex = "arithmetic", .slope = slope_add,
          .slope_parts = slope_parts_add);
