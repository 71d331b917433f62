/* exit_quietly.c - ends its process, and says that all is well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    (void)b, (void)x, (void)e, (void)error;
    exit(0);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
