/* twin.c - forks in a call, and both processes return from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    static int forked; /* once: twins that fork would fill the machine */
    if (!forked++ && fork() < 0)
        return ASSAY_FAILED;
    return evil_execute(b, x, e, error);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
