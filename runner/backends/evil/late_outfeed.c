/* late_outfeed.c - outfeeds when the execution that it is for is over.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * As a queue that another thread empties would; here it is emptied by the next
 * execution, so that it happens each time.
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    static void (*late)(void *context, int32_t replica, const assay_tensor *t);
    static void *context;
    if (late && e->inputs)
        late(context, 0, e->inputs[0]);
    late = e->outfeed;
    context = e->outfeed_context;
    return evil_execute(b, x, e, error);
}
