/* only_alone.c - flips a bit of the output of a program that has no other one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs == 1 && e->outputs[0]->bytes > 0)
        *(unsigned char *)e->outputs[0]->data ^= 1;
    return code;
}
