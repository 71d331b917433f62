/* walk.c - see walk.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/walk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/plan/folder.h"

/* The part of a path below its last folder "cases", else from fallback on. */
static const char *name_of(struct arena *a, const char *path, size_t fallback)
{
    const char *name = path + fallback;
    for (const char *p = path; (p = strstr(p, "cases/")); p += 6)
        if (p == path || p[-1] == '/')
            name = p + 6;
    int stem = folder_stem(name);
    return arena_printf(a, "%.*s", stem ? stem : (int)strlen(name), name);
}

static void add_file(struct arena *a, struct walk *walk, const char *path,
                     size_t fallback)
{
    ARENA_GROW(a, walk->files, walk->count, walk->room);
    walk->files[walk->count++] =
        (struct walk_file){.path = arena_printf(a, "%s", path),
                           .name = name_of(a, path, fallback)};
}

static bool add_folder(struct arena *a, struct walk *walk, const char *path,
                       size_t fallback, int depth, struct status *st);

/* An entry of a folder, not the path that was named, may be passed over. */
static bool unreadable(struct arena *a, struct walk *walk, const char *path,
                       int depth, const char *why, struct status *st)
{
    if (!walk->tolerant || depth == 0)
        return FAIL(st, SYSTEM, "%.200s: %s", path, why);
    add_file(a, walk, path, 0);
    walk->files[walk->count - 1].unreadable = arena_printf(a, "%s", why);
    return true;
}

static bool add_entry(struct arena *a, struct walk *walk, const char *path,
                      size_t fallback, int depth, struct status *st)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return unreadable(a, walk, path, depth, strerror(errno), st);
    if (S_ISDIR(s.st_mode))
        return add_folder(a, walk, path, fallback, depth, st);
    /* A pipe in a folder would be waited for. */
    if (depth == 0 || (S_ISREG(s.st_mode) && folder_stem(path)))
        add_file(a, walk, path, fallback);
    return true;
}

static bool add_folder(struct arena *a, struct walk *walk, const char *path,
                       size_t fallback, int depth, struct status *st)
{
    struct folder folder;
    if (depth > FOLDER_DEPTH_MAX)
        return unreadable(a, walk, path, depth, "folders are nested too deeply",
                          st);
    if (!folder_read(a, path, &folder))
        return unreadable(a, walk, path, depth, strerror(errno), st);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (int i = 0; i < folder.count; i++) {
        const char *below =
            arena_printf(a, "%.*s/%s", (int)length, path, folder.names[i]);
        TRY(add_entry(a, walk, below, depth == 0 ? length + 1 : fallback,
                      depth + 1, st));
    }
    return true;
}

bool walk_add(struct arena *a, struct walk *walk, const char *path,
              struct status *st)
{
    const char *slash = strrchr(path, '/');
    size_t fallback = slash && slash[1] ? (size_t)(slash + 1 - path) : 0;
    int before = walk->count;
    TRY(add_entry(a, walk, path, fallback, 0, st));
    return walk->count > before
           || FAIL(st, INPUT, "%.200s has no case file", path);
}
