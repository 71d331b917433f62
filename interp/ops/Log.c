/* Log.c - the natural logarithm of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Log, mpfr_log, 1, .complex = complex_log_log, .steep = steep_log,
            .slope = slope_log);
