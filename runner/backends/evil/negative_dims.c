/* negative_dims.c - gives dimensions that cannot be: the least and the largest
 * integer by turns.
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
        for (int32_t i = 0; i < o->rank; i++)
            o->dims[i] = o->sizes[i] = i % 2 ? INT64_MAX : INT64_MIN;
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
