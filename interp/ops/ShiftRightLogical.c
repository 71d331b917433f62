/* ShiftRightLogical.c - elements shifted right, filled with zeros.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_ELEMENTWISE(ShiftRightLogical, .arity = 2, .integer = integer_shrl,
               .open = true);
