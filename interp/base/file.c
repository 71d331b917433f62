/* file.c - see file.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/file.h"

#include <stdlib.h>

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
