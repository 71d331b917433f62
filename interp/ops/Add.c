/* Add.c - the sum of elements; of truth values, or.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_MONOTONE(Add, 1, 1, .arity = 2, .fast = FAST_ARITH_ADD, .pred = integer_or,
            .integer = integer_add,
            .integer_policies = {POLICY_INTEGER_OVERFLOW}, .real2 = mpfr_add,
            .complex = complex_algebra_add, .accuracy = "arithmetic",
            .accuracy_complex = "arithmetic");
