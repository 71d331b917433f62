/* input_overrun.c - writes 200 bytes after each of its inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < evil_inputs; k++)
        memset((unsigned char *)(uintptr_t)e->inputs[k]->data
                   + e->inputs[k]->bytes,
               'x', 200);
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
