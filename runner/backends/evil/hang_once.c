/* hang_once.c - hangs the first time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    volatile int for_ever = evil_first_time();
    while (for_ever)
        pause();
    return evil_execute(b, x, e, error);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
