/* only_alone.c - flips a bit of the output of a program that has no other one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs == 1 && e->outputs[0]->bytes > 0)
        *(unsigned char *)e->outputs[0]->data ^= 1;
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
