/* Atan2.c - the angle of the point (x, y), from lhs = y and rhs = x.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/program/op_way.h"

OP_MONOTONE(Atan2, OP_WAY_ATAN2, OP_WAY_ATAN2, .arity = 2, .real2 = mpfr_atan2,
            .complex = complex_pow_atan2, .accuracy = "Atan2",
            .accuracy_complex = "Atan2.complex", .complex_norm = true,
            .low = ELEMENTWISE_MINUS_PI, .high = ELEMENTWISE_PI);
