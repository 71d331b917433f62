/* memory_children.c - takes memory in children, none of them much.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It holds it until it is ended; 1.5 GiB is all it takes.
 */
#include <unistd.h>

#include "evil.h"

enum {
    CHILDREN = 6,
    BYTES = 256 << 20
};

EVIL_EXECUTE(memory_children, b, x, e, error)
{
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            volatile char *p = malloc(BYTES);
            for (size_t k = 0; p && k < BYTES; k += 4096)
                p[k] = 1;
            pause();
        }
    sleep(20);
    return evil_execute(b, x, e, error);
}
