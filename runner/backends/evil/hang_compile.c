/* hang_compile.c - never returns from compile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    volatile int for_ever = 1;
    while (for_ever)
        pause();
    return evil_compile(b, p, x, error);
}

static void evil_make(struct evil *e)
{
    e->compile = compile;
}
