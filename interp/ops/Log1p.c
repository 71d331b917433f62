/* Log1p.c - ln(1 + x) of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Log1p, mpfr_log1p, 1, .complex = complex_log_log1p,
            .steep = steep_log1p, .slope = slope_log1p);
