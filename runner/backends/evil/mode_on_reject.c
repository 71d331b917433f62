/* mode_on_reject.c - rejects what it must, and leaves another rounding mode.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fenv.h>

#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code != ASSAY_OK)
        fesetround(FE_UPWARD);
    return code;
}
