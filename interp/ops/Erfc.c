/* Erfc.c - 1 - erf(x) of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Erfc, mpfr_erfc, -1, .complex = NULL, .low = ELEMENTWISE_ZERO,
            .high = ELEMENTWISE_TWO, .slope = slope_erfc);
