/* Min.c - the smaller of elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"

OP_TRAITS(Min, (.monotone = {1, 1}, .monoid = &monoid_min, .builtin = "min"),
          .arity = 2, .pred = integer_min, .integer = integer_min,
          .exact = ieee_min, .parts = ieee_complex_min, .ordered = true,
          .open = true, .slope = slope_min);
