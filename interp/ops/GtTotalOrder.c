/* GtTotalOrder.c - is each element greater than the other, in the total order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(GtTotalOrder,
          (.compare = OP_COMPARE_GREATER | OP_COMPARE_TOTAL,
           .builtin = "gt_total_order"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_gt,
          .integer = integer_gt, .exact = ieee_total_gt, .bitwise = true);
