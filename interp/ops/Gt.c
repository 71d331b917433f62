/* Gt.c - is each element greater than the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(Gt,
          (.monotone = {1, -1}, .compare = OP_COMPARE_GREATER, .builtin = "gt"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_gt,
          .integer = integer_gt, .exact = ieee_gt, .parts = ieee_complex_gt,
          .ordered = true);
