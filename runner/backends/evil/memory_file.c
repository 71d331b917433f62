/* memory_file.c - takes memory in a file of no name that it maps nowhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It holds it until it is ended; 1.5 GiB is all it takes.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "evil.h"

enum {
    CHUNK = 1 << 20,
    CHUNKS = 1536
};

EVIL_EXECUTE(memory_file, b, x, e, error)
{
    static char chunk[CHUNK];
    int fd = memfd_create("evil", 0);
    for (int i = 0; fd >= 0 && i < CHUNKS; i++)
        if (write(fd, chunk, CHUNK) != CHUNK)
            break;
    sleep(20);
    return evil_execute(b, x, e, error);
}
