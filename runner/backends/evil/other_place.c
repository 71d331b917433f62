/* other_place.c - does not write its result, but says that it is in an input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++)
        e->outputs[k]->data = (void *)(uintptr_t)e->inputs[0]->data;
    return code;
}
