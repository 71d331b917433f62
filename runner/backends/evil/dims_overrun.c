/* dims_overrun.c - writes 200 bytes after the sizes of its first output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs > 0)
        memset(e->outputs[0]->sizes + e->outputs[0]->rank_capacity, 0x7f, 200);
    return code;
}
