/* rounding_mode.c - leaves another rounding direction behind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fenv.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    fesetround(FE_UPWARD);
    return code;
}
