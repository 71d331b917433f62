/* LeTotalOrder.c - is each element at most the other, in the total order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(LeTotalOrder,
          (.compare = OP_COMPARE_LESS | OP_COMPARE_EQUAL | OP_COMPARE_TOTAL),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_le,
          .integer = integer_le, .exact = ieee_total_le, .bitwise = true);
