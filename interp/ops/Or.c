/* Or.c - bitwise or of elements; of truth values, the logical one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Or, (.monoid = &monoid_or, .builtin = "or"), .arity = 2,
          .pred = integer_or, .integer = integer_or);
