/* overrun.c - writes one byte after each output.
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
        ((unsigned char *)o->data)[o->capacity] ^= 0xff;
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
