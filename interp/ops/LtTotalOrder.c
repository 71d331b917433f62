/* LtTotalOrder.c - is each element less than the other, in the total order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(LtTotalOrder,
          (.compare = OP_COMPARE_LESS | OP_COMPARE_TOTAL,
           .builtin = "lt_total_order"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_lt,
          .integer = integer_lt, .exact = ieee_total_lt, .bitwise = true);
