/* Lt.c - is each element less than the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(Lt,
          (.monotone = {-1, 1}, .compare = OP_COMPARE_LESS, .builtin = "lt"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_lt,
          .integer = integer_lt, .exact = ieee_lt, .parts = ieee_complex_lt,
          .ordered = true);
