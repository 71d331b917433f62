/* endless_log.c - logs without end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    const assay_host *host = evil_of(b)->host;
    volatile int for_ever = 1;
    while (for_ever)
        host->log(host, 1, "is anybody there?");
    return evil_execute(b, x, e, error);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
