/* Neg.c - each element with the other sign.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_MONOTONE(Neg, -1, 0, .arity = 1, .integer = integer_neg, .exact = ieee_neg,
            .bitwise = true, .parts = ieee_complex_neg, .slope = slope_neg,
            .slope_parts = slope_parts_neg);
