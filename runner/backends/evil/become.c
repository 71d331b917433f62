/* become.c - becomes another program, which ends well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    (void)b, (void)x, (void)e, (void)error;
    execl("/bin/true", "true", (char *)NULL);
    return ASSAY_OK;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
