/* Asinh.c - the inverse hyperbolic sine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Asinh, mpfr_asinh, 1, .complex = complex_inverse_asinh);
