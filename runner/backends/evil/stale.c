/* stale.c - gives the result of the execution before this one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static unsigned char last[4096];
static int full;

EVIL_OUTPUT(stale, o)
{
    uint64_t n = o->bytes < sizeof last ? o->bytes : sizeof last;
    unsigned char now[sizeof last];
    memcpy(now, o->data, (size_t)n);
    if (full)
        memcpy(o->data, last, (size_t)n);
    memcpy(last, now, (size_t)n);
    full = 1;
}
