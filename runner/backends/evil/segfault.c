/* segfault.c - writes to address 0.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static int *volatile zero;

/* A sanitizer would end it in another way. */
__attribute__((no_sanitize("undefined"))) static assay_code
execute(assay_backend *b, assay_executable *x, const assay_execution *e,
        assay_error *error)
{
    *(volatile int *)zero = 1;
    return evil_execute(b, x, e, error);
}

EVIL_MAKE(segfault, e)
{
    e->execute = execute;
}
