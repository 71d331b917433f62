/* ShiftRightArithmetic.c - elements shifted right, filled with their sign.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_ELEMENTWISE(ShiftRightArithmetic, .arity = 2, .integer = integer_shra,
               .open = true);
