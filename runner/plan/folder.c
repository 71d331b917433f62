/* folder.c - see folder.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

bool folder_read(struct arena *a, const char *path, struct folder *folder)
{
    DIR *d = opendir(path);
    if (!d)
        return false;
    *folder = (struct folder){0};
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        ARENA_GROW(a, folder->names, folder->count, folder->room);
        folder->names[folder->count++] = arena_printf(a, "%s", e->d_name);
    }
    closedir(d);
    if (folder->count > 0)
        qsort(folder->names, (size_t)folder->count, sizeof *folder->names,
              by_name);
    return true;
}

int folder_stem(const char *name)
{
    size_t n = strlen(name);
    return n > 5 && strcmp(name + n - 5, ".json") == 0 ? (int)n - 5 : 0;
}
