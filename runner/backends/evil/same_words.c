/* same_words.c - moves the state of a generator of random bits by one block,
 * whatever it gave.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code != ASSAY_OK || evil_outputs != 2 || evil_inputs != 1)
        return code;
    const uint64_t *before = e->inputs[0]->data;
    uint64_t *after = e->outputs[0]->data;
    after[1] = before[1] + 1;
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
