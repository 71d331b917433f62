/* file.c - see file.h.  Tests: test_case.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/memory.h"

enum {
    FILE_BYTES_MAX = 64 << 20
};

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

bool file_whole(const char *path, char **text, size_t *length,
                struct status *st)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
    char *to = file_read(f, FILE_BYTES_MAX, length);
    bool ok = to || FAIL(st, SYSTEM, "out of memory");
    if (ok && ferror(f))
        ok = FAIL(st, INPUT, "%.200s: %s", path, strerror(errno));
    if (ok && *length > FILE_BYTES_MAX)
        ok = FAIL(st, INPUT, "%.200s: larger than the limit of %d bytes", path,
                  FILE_BYTES_MAX);
    fclose(f);
    if (!ok)
        free(to);
    else
        to[*length] = '\0';
    *text = ok ? to : NULL;
    return ok;
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
