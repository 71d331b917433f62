/* same_words.c - moves the state of a generator of random bits by one block,
 * whatever it gave.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code != ASSAY_OK || evil_outputs != 2 || evil_inputs != 1)
        return code;
    const uint64_t *before = e->inputs[0]->data;
    uint64_t *after = e->outputs[0]->data;
    after[1] = before[1] + 1;
    return code;
}
