/* late_write.c - writes into the results of its last execution when it has
 * those of the next one, as a thread would that is late.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static unsigned char *last;
static size_t bytes;

EVIL_EXECUTE(late_write, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (last != NULL)
        memset(last, 0x55, bytes);
    last = code == ASSAY_OK && evil_outputs > 0 ? e->outputs[0]->data : NULL;
    bytes = last != NULL ? (size_t)e->outputs[0]->bytes : 0;
    return code;
}
