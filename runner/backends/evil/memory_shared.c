/* memory_shared.c - takes memory in a mapping that it could share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It holds it until it is ended; 1.5 GiB is all it takes.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "evil.h"

enum {
    BYTES = 1536 << 20
};

EVIL_EXECUTE(memory_shared, b, x, e, error)
{
    char *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t k = 0; p != MAP_FAILED && k < BYTES; k += 4096)
        ((volatile char *)p)[k] = 1;
    sleep(20);
    return evil_execute(b, x, e, error);
}
