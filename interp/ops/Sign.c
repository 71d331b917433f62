/* Sign.c - the sign of each element; of a complex one, z / |z|.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_MONOTONE(Sign, OP_STEPS, 0, .arity = 1, .integer = integer_sign,
            .exact = ieee_sign, .complex = complex_algebra_sign,
            .accuracy_complex = "Sign.complex", .complex_norm = true);
