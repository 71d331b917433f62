/* flip_bit.c - flips the lowest bit of the last byte of each output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++) {
        assay_output *o = e->outputs[k];
        if (o->bytes > 0)
            ((unsigned char *)o->data)[o->bytes - 1] ^= 1;
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
