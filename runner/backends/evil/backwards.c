/* backwards.c - leaves the direction flag set, which x86's string instructions
 * read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
#if defined __x86_64__
    __asm__ volatile("std" ::: "cc", "memory");
#endif
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
