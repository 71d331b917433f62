/* Ge.c - is each element at least the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"

OP_TRAITS(Ge,
          (.monotone = {1, -1},
           .compare = OP_COMPARE_GREATER | OP_COMPARE_EQUAL, .builtin = "ge"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_ge,
          .integer = integer_ge, .exact = ieee_ge, .parts = ieee_complex_ge,
          .ordered = true);
