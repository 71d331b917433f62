/* Ne.c - is each element different from the other?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"
#include "interp/program/op_way.h"

OP_TRAITS(Ne,
          (.monotone = {OP_WAY_EQUAL, OP_WAY_EQUAL},
           .compare = OP_COMPARE_LESS | OP_COMPARE_GREATER, .builtin = "ne"),
          .arity = 2, .result = ELEMENTWISE_PRED, .pred = integer_ne,
          .integer = integer_ne, .exact = ieee_ne, .parts = ieee_complex_ne);
