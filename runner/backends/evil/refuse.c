/* refuse.c - gives an error where a value is expected.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    (void)b, (void)x, (void)e;
    snprintf(error->text, sizeof error->text, "it is too early in the day");
    return ASSAY_FAILED;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
