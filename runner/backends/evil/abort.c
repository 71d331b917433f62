/* abort.c - aborts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    (void)b, (void)x, (void)e, (void)error;
    abort();
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
