/* all_wrong.c - gives the complement of each output: every unit is wrong.
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
        unsigned char *byte = o->data;
        for (uint64_t i = 0; i < o->bytes; i++)
            byte[i] = (unsigned char)~byte[i];
    }
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
