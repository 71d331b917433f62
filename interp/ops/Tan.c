/* Tan.c - the tangent of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Tan, mpfr_tan, 0, .complex = complex_tanh_tan);
