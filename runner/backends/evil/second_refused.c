/* second_refused.c - returns an error when an executable is executed again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    if (evil_earlier == 0)
        return evil_execute(b, x, e, error);
    snprintf(error->text, sizeof error->text, "once is enough");
    return ASSAY_FAILED;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
