/* Erf.c - the error function of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Erf, mpfr_erf, 1, .complex = NULL, .low = ELEMENTWISE_MINUS_ONE,
            .high = ELEMENTWISE_ONE, .slope = slope_erf);
