/* rounding_mode.c - leaves another rounding direction behind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fenv.h>

#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    fesetround(FE_UPWARD);
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
