/* Ge.c - is each element at least the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_MONOTONE(Ge, 1, -1, .arity = 2, .result = ELEMENTWISE_PRED,
            .pred = integer_ge, .integer = integer_ge, .exact = ieee_ge,
            .parts = ieee_complex_ge, .ordered = true);
