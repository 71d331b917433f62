/* close_crash.c - aborts when it is closed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static void close_badly(assay_backend *b)
{
    (void)b;
    abort();
}

EVIL_MAKE(close_crash, e)
{
    e->backend.close = close_badly;
}
