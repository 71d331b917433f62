/* Acosh.c - the inverse hyperbolic cosine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Acosh, mpfr_acosh, 1, .complex = complex_inverse_acosh,
            .low = ELEMENTWISE_ZERO);
