/* write_inputs.c - changes its inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < evil_inputs; k++)
        if (e->inputs[k]->bytes > 0)
            *(unsigned char *)e->inputs[k]->data ^= 1;
    return code;
}
