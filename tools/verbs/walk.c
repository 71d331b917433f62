/* walk.c - see walk.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/walk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Named by what follows its path's last folder "cases", if there is one. */
static void add_file(struct arena *a, struct walk *walk,
                     struct folder_file file)
{
    const char *name = file.name;
    for (const char *p = file.path; (p = strstr(p, "cases/")); p += 6)
        if (p == file.path || p[-1] == '/')
            name = p + 6;
    int stem = folder_stem(name);
    file.name = arena_printf(a, "%.*s", stem ? stem : (int)strlen(name), name);
    ARENA_GROW(a, walk->files, walk->count, walk->room);
    walk->files[walk->count++] = file;
}

static bool add_folder(struct arena *a, struct walk *walk, const char *path,
                       struct status *st)
{
    struct folder_walk below = {.tolerant = walk->tolerant};
    TRY(folder_walk(a, &below, path, st));
    for (int i = 0; i < below.count; i++)
        add_file(a, walk, below.files[i]);
    return below.count > 0 || FAIL(st, INPUT, "%.200s has no case file", path);
}

bool walk_add(struct arena *a, struct walk *walk, const char *path,
              struct status *st)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return FAIL(st, SYSTEM, "%.200s: %s", path, strerror(errno));
    if (S_ISDIR(s.st_mode))
        return add_folder(a, walk, path, st);
    const char *slash = strrchr(path, '/');
    path = arena_text(a, path);
    add_file(
        a, walk,
        (struct folder_file){path, slash && slash[1] ? slash + 1 : path, NULL});
    return true;
}
