/* no_op.c - says what it writes and writes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    unsigned char *kept[64] = {NULL};
    int32_t n = evil_outputs < 64 ? evil_outputs : 64;
    for (int32_t k = 0; k < n; k++) {
        kept[k] = malloc((size_t)e->outputs[k]->capacity + 1);
        if (kept[k] != NULL)
            memcpy(kept[k], e->outputs[k]->data,
                   (size_t)e->outputs[k]->capacity);
    }
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < n; k++) {
        assay_output *o = e->outputs[k];
        uint64_t from = 0;
        if (kept[k] != NULL && code == ASSAY_OK && from < o->capacity)
            memcpy((char *)o->data + from, kept[k] + from,
                   (size_t)(o->capacity - from));
        free(kept[k]);
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
