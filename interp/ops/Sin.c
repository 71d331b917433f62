/* Sin.c - the sine of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"

OP_FUNCTION(Sin, mpfr_sin, 0, .complex = complex_exp_sin, .clip_low = true,
            .clip_high = true, .low = -1, .high = 1);
