/* EqTotalOrder.c - is each element equal to the other, in the total order?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"
#include "interp/program/op_way.h"

OP_TRAITS(EqTotalOrder,
          (.monotone = {OP_WAY_EQUAL, OP_WAY_EQUAL},
           .compare = OP_COMPARE_EQUAL | OP_COMPARE_TOTAL),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_eq,
          .integer = integer_eq, .exact = ieee_total_eq, .bitwise = true);
