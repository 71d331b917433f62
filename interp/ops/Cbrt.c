/* Cbrt.c - the cube root of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Cbrt, mpfr_cbrt, 1, .complex = complex_cbrt, .slope = slope_cbrt);
