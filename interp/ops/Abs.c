/* Abs.c - the absolute value of each element; of a complex one, its modulus.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_MONOTONE(Abs, OP_VALLEY, 0, .arity = 1, .result = ELEMENTWISE_COMPONENT,
            .integer = integer_abs, .exact = ieee_abs, .bitwise = true,
            .complex = complex_algebra_abs, .accuracy_complex = "Abs.complex",
            .slope = slope_abs, .slope_parts = slope_parts_abs);
