/* write_program.c - overwrites the program that it compiles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code == ASSAY_OK)
        ((assay_program *)(uintptr_t)p)->outputs = NULL;
    return code;
}

static void evil_make(struct evil *e)
{
    e->compile = compile;
}
