/* Le.c - is each element at most the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(Le,
          (.monotone = {-1, 1}, .compare = OP_COMPARE_LESS | OP_COMPARE_EQUAL,
           .builtin = "le"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_le,
          .integer = integer_le, .exact = ieee_le, .parts = ieee_complex_le,
          .ordered = true);
