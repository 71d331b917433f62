/* Acos.c - the inverse cosine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Acos, mpfr_acos, -1, .complex = complex_inverse_acos,
            .low = ELEMENTWISE_ZERO, .high = ELEMENTWISE_PI);
