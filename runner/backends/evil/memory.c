/* memory.c - plugins that take more memory than they may.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All but the first hold 1.5 GiB until they are ended.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "evil.h"

enum {
    MEMORY = 1536 << 20
};

/* Takes all memory there is. */
EVIL_EXECUTE(memory_eater, b, x, e, error)
{
    char *p;
    while ((p = malloc(1 << 24)) != NULL)
        for (int i = 0; i < 1 << 24; i += 4096)
            ((volatile char *)p)[i] = 1;
    abort();
}

/* Takes memory in children, none of them much. */
EVIL_EXECUTE(memory_children, b, x, e, error)
{
    for (int i = 0; i < 6; i++)
        if (fork() == 0) {
            volatile char *p = malloc(MEMORY / 6);
            for (size_t k = 0; p && k < MEMORY / 6; k += 4096)
                p[k] = 1;
            pause();
        }
    sleep(20);
    return evil_execute(b, x, e, error);
}

/* Takes memory in a file of no name that it maps nowhere. */
EVIL_EXECUTE(memory_file, b, x, e, error)
{
    static char chunk[1 << 20];
    int fd = memfd_create("evil", 0);
    for (int i = 0; fd >= 0 && i < MEMORY >> 20; i++)
        if (write(fd, chunk, sizeof chunk) != sizeof chunk)
            break;
    sleep(20);
    return evil_execute(b, x, e, error);
}

/* Takes memory in a mapping that it could share. */
EVIL_EXECUTE(memory_shared, b, x, e, error)
{
    char *p = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t k = 0; p != MAP_FAILED && k < MEMORY; k += 4096)
        ((volatile char *)p)[k] = 1;
    sleep(20);
    return evil_execute(b, x, e, error);
}
