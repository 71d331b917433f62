/* Not.c - the complement of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_ELEMENTWISE(Not, .arity = 1, .pred = integer_pred_not,
               .integer = integer_not);
