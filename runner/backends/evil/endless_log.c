/* endless_log.c - logs without end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    const assay_host *host = evil_of(b)->host;
    volatile int for_ever = 1;
    while (for_ever)
        host->log(host, 1, "is anybody there?");
    return evil_execute(b, x, e, error);
}
