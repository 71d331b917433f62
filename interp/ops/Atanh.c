/* Atanh.c - the inverse hyperbolic tangent of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Atanh, mpfr_atanh, 1, .complex = complex_inverse_atanh);
