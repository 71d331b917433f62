/* fickle.c - gives a wrong value the first time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (!evil_first_time())
        return code;
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++)
        if (e->outputs[k]->bytes > 0)
            *(unsigned char *)e->outputs[k]->data ^= 1;
    return code;
}
