/* input_underrun.c - writes 200 bytes before each of its inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < evil_inputs; k++)
        memset((unsigned char *)(uintptr_t)e->inputs[k]->data - 200, 'x', 200);
    return code;
}
