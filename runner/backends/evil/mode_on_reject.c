/* mode_on_reject.c - rejects what it must, and leaves another rounding mode.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fenv.h>

#include "evil.h"

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code != ASSAY_OK)
        fesetround(FE_UPWARD);
    return code;
}

static void evil_make(struct evil *e)
{
    e->compile = compile;
}
