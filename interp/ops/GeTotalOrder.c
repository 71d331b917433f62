/* GeTotalOrder.c - is each element at least the other, in the total order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(GeTotalOrder,
          (.compare = OP_COMPARE_GREATER | OP_COMPARE_EQUAL | OP_COMPARE_TOTAL),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_ge,
          .integer = integer_ge, .exact = ieee_total_ge, .bitwise = true);
