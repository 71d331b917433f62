/* overrun_far.c - writes eight bytes, 200 bytes after each output; after a
 * large one, 70 kB.
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
        uint64_t far = o->capacity < 1 << 20 ? 200 : 70000;
        memset((unsigned char *)o->data + o->capacity + far, 0, 8);
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
