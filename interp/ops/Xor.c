/* Xor.c - bitwise exclusive or of elements; of truth values, the logical one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Xor, (.monoid = &monoid_xor, .builtin = "xor"), .arity = 2,
          .pred = integer_xor, .integer = integer_xor);
