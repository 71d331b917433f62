/* embed.c - see embed.h.  Tests: test_store.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/embed.h"

#include <string.h>

const struct embed_file *embed_find(const char *path)
{
    for (const struct embed_file *f = embed_files; f->path; f++)
        if (strcmp(f->path, path) == 0)
            return f;
    return NULL;
}
