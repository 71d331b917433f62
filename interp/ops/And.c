/* And.c - bitwise and of elements; of truth values, the logical one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(And, (.monoid = &monoid_and, .builtin = "and"), .arity = 2,
          .pred = integer_and, .integer = integer_and);
