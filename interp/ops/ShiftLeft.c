/* ShiftLeft.c - elements shifted left.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_ELEMENTWISE(ShiftLeft, .arity = 2, .integer = integer_shl, .open = true);
