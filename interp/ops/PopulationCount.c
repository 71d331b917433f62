/* PopulationCount.c - the set bits of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"

OP_ELEMENTWISE(PopulationCount, .arity = 1, .integer = integer_popcount);
