/* Max.c - the larger of elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Max, (.monotone = {1, 1}, .monoid = &monoid_max, .builtin = "max"),
          .arity = 2, .pred = integer_max, .integer = integer_max,
          .exact = ieee_max, .parts = ieee_complex_max, .ordered = true,
          .open = true, .slope = slope_max);
