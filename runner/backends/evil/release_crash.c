/* release_crash.c - aborts when it releases a program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host keeps 32 programs.
 */
#include "evil.h"

static void release(assay_backend *b, assay_executable *x)
{
    (void)b, (void)x;
    abort();
}

EVIL_MAKE(release_crash, e)
{
    e->release = release;
}
