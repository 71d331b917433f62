/* memory_eater.c - takes all memory there is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    (void)b, (void)x, (void)e, (void)error;
    char *p;
    while ((p = malloc(1 << 24)) != NULL)
        for (int i = 0; i < 1 << 24; i += 4096)
            ((volatile char *)p)[i] = 1;
    abort();
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
