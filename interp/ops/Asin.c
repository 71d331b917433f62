/* Asin.c - the inverse sine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Asin, mpfr_asin, 1, .complex = complex_inverse_asin,
            .low = ELEMENTWISE_MINUS_HALF_PI, .high = ELEMENTWISE_HALF_PI);
