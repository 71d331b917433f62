/* Le.c - is each element at most the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_MONOTONE(Le, -1, 1, .arity = 2, .result = ELEMENTWISE_PRED,
            .pred = integer_le, .integer = integer_le, .exact = ieee_le,
            .parts = ieee_complex_le, .ordered = true);
