/* Or.c - bitwise or of elements; of truth values, the logical one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_ELEMENTWISE(Or, .arity = 2, .pred = integer_or, .integer = integer_or);
