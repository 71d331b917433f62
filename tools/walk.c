/* walk.c - see walk.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    DEPTH_MAX = 32
};

/* The part of a path below its last folder "cases", else from fallback on. */
static const char *name_of(struct arena *a, const char *path, size_t fallback)
{
    const char *name = path + fallback;
    for (const char *p = path; (p = strstr(p, "cases/")); p += 6)
        if (p == path || p[-1] == '/')
            name = p + 6;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".json") == 0)
        n -= 5;
    return arena_printf(a, "%.*s", (int)n, name);
}

static void add_file(struct arena *a, struct walk *walk, const char *path,
                     size_t fallback)
{
    if (walk->count == walk->room) {
        int room = walk->room ? 2 * walk->room : 64;
        struct walk_file *more = arena_new(a, struct walk_file, (size_t)room);
        if (walk->count)
            memcpy(more, walk->files, (size_t)walk->count * sizeof *more);
        walk->files = more;
        walk->room = room;
    }
    walk->files[walk->count++] =
        (struct walk_file){.path = arena_printf(a, "%s", path),
                           .name = name_of(a, path, fallback)};
}

static int compare(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
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
    size_t n = strlen(path);
    if (stat(path, &s) != 0)
        return unreadable(a, walk, path, depth, strerror(errno), st);
    if (S_ISDIR(s.st_mode))
        return add_folder(a, walk, path, fallback, depth, st);
    /* A pipe in a folder would be waited for. */
    if (depth == 0
        || (S_ISREG(s.st_mode) && n > 5 && strcmp(path + n - 5, ".json") == 0))
        add_file(a, walk, path, fallback);
    return true;
}

static bool add_folder(struct arena *a, struct walk *walk, const char *path,
                       size_t fallback, int depth, struct status *st)
{
    if (depth > DEPTH_MAX)
        return unreadable(a, walk, path, depth, "folders are nested too deeply",
                          st);
    DIR *d = opendir(path);
    if (!d)
        return unreadable(a, walk, path, depth, strerror(errno), st);
    size_t room = 64, n = 0;
    const char **names = arena_new(a, const char *, room);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        if (n == room) {
            const char **more = arena_new(a, const char *, 2 * room);
            memcpy(more, names, n * sizeof *names);
            names = more;
            room *= 2;
        }
        names[n++] = arena_printf(a, "%s", e->d_name);
    }
    closedir(d);
    qsort(names, n, sizeof *names, compare);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (size_t i = 0; i < n; i++) {
        const char *below =
            arena_printf(a, "%.*s/%s", (int)length, path, names[i]);
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
