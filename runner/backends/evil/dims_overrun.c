/* dims_overrun.c - writes 200 bytes after the sizes of its first output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs > 0)
        memset(e->outputs[0]->sizes + e->outputs[0]->rank_capacity, 0x7f, 200);
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
