/* outfeed_malformed.c - what it writes to an outfeed has no element type.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static const assay_execution *running;

static void spoil(void *context, int32_t replica, const assay_tensor *value)
{
    assay_shape shape = *value->shape;
    assay_tensor other = *value;
    (void)context;
    shape.dtype = "none";
    other.shape = &shape;
    running->outfeed(running->outfeed_context, replica, &other);
}

EVIL_EXECUTE(outfeed_malformed, b, x, e, error)
{
    assay_execution other = *e;
    running = e;
    other.outfeed = spoil;
    return evil_execute(b, x, &other, error);
}
