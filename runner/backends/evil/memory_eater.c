/* memory_eater.c - takes all memory there is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    char *p;
    while ((p = malloc(1 << 24)) != NULL)
        for (int i = 0; i < 1 << 24; i += 4096)
            ((volatile char *)p)[i] = 1;
    abort();
}
