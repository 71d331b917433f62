/* file.c - see file.h.  Tests: test_case.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/memory.h"

char *file_read(FILE *f, size_t limit, size_t *length)
{
    char *text = NULL;
    size_t room = 0, got = 0;
    do {
        if (!MEMORY_GROW(text, got, room)) {
            free(text);
            return NULL;
        }
        got += fread(text + got, 1, room - got, f);
    } while (got == room && got <= limit);
    *length = got;
    return text;
}

bool file_put(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ssize_t n = (ssize_t)strlen(text);
    bool good = fd >= 0 && write(fd, text, (size_t)n) == n;
    if (fd >= 0)
        close(fd);
    return good;
}
