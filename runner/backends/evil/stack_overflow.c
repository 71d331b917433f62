/* stack_overflow.c - recurses without end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static int (*volatile deeper)(int n);

static int recurse(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return deeper(n + 1) + frame[0];
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    if (deeper(1) == 0)
        return ASSAY_FAILED;
    return evil_execute(b, x, e, error);
}

EVIL_MAKE(stack_overflow, e)
{
    deeper = recurse;
    e->execute = execute;
}
