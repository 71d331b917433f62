/* folder.c - see folder.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "interp/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096
};

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

bool folder_each(const char *path,
                 bool (*each)(void *context, const char *name), void *context)
{
    DIR *d = opendir(path);
    bool more = true;
    if (!d)
        return false;
    for (const struct dirent *e; more && (e = readdir(d));)
        more = e->d_name[0] == '.' || each(context, e->d_name);
    closedir(d);
    return true;
}

struct reading {
    struct arena *arena;
    struct folder *folder;
};

static bool add_name(void *context, const char *name)
{
    const struct reading *r = context;
    struct folder *f = r->folder;
    ARENA_GROW(r->arena, f->names, f->count, f->room);
    f->names[f->count++] = arena_text(r->arena, name);
    return true;
}

bool folder_read(struct arena *a, const char *path, struct folder *folder)
{
    struct reading r = {a, folder};
    *folder = (struct folder){0};
    TRY(folder_each(path, add_name, &r));
    if (folder->count > 0)
        qsort(folder->names, (size_t)folder->count, sizeof *folder->names,
              by_name);
    return true;
}

const char *folder_own(struct arena *a)
{
    char *path = arena_alloc(a, PATH_BYTES);
    ssize_t n = readlink("/proc/self/exe", path, PATH_BYTES - 1);
    if (n > 0) {
        path[n] = '\0';
    } else {
        /* Where there is no /proc, it is the name that the kernel was given at
         * the start. */
        const char *name = (const char *)getauxval(AT_EXECFN);
        if (!name || !realpath(name, path))
            return ".";
    }
    char *slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    return path;
}

const char *folder_beside(struct arena *a, const char *folder, const char *to)
{
    size_t n = strlen(folder);
    while (folder[0] == '/' && strncmp(to, "../", 3) == 0) {
        while (n > 0 && folder[--n] != '/')
            ;
        to += 3;
    }
    return arena_printf(a, "%.*s/%s", (int)n, folder, to);
}

const char *folder_shown(const char *path)
{
    char here[PATH_BYTES];
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    return n > 1 && strncmp(path, here, n) == 0 && path[n] == '/' && path[n + 1]
               ? path + n + 1
               : path;
}

bool folder_ends(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n >= m && strcmp(name + n - m, end) == 0;
}

int folder_stem(const char *name)
{
    return folder_ends(name, ".json") ? (int)strlen(name) - 5 : 0;
}

/* ---- Below a folder ------------------------------------------------------ */

static void add_file(struct arena *a, struct folder_walk *w, const char *path,
                     const char *name, const char *unreadable)
{
    ARENA_GROW(a, w->files, w->count, w->room);
    w->files[w->count++] = (struct folder_file){path, name, unreadable};
}

/* An entry of the folder, not the folder itself, may be skipped. */
static bool unreadable(struct arena *a, struct folder_walk *w, const char *path,
                       const char *name, const char *why, struct status *st)
{
    if (!w->tolerant || name[0] == '\0')
        return FAIL(st, INPUT, "%.200s: %s", path, why);
    add_file(a, w, path, name, arena_text(a, why));
    return true;
}

static bool walk_below(struct arena *a, struct folder_walk *w, const char *path,
                       const char *name, int depth, struct status *st);

static bool walk_entry(struct arena *a, struct folder_walk *w, const char *path,
                       const char *name, int depth, struct status *st)
{
    struct stat s;
    int stem = folder_stem(name);
    if (stat(path, &s) != 0)
        return unreadable(a, w, path, name, strerror(errno), st);
    bool folder = S_ISDIR(s.st_mode);
    if (!folder && !(stem && S_ISREG(s.st_mode)))
        return true;
    if (!folder)
        name = arena_printf(a, "%.*s", stem, name);
    if (w->wanted && !w->wanted(w->context, name))
        return true;
    if (folder)
        return walk_below(a, w, path, name, depth, st);
    add_file(a, w, path, name, NULL);
    return true;
}

static bool walk_below(struct arena *a, struct folder_walk *w, const char *path,
                       const char *name, int depth, struct status *st)
{
    struct folder folder;
    if (depth > FOLDER_DEPTH_MAX)
        return unreadable(a, w, path, name, "folders are nested too deeply",
                          st);
    if (!folder_read(a, path, &folder))
        return unreadable(a, w, path, name, strerror(errno), st);
    for (int i = 0; i < folder.count; i++) {
        const char *entry = folder.names[i];
        TRY(walk_entry(
            a, w, arena_printf(a, "%s/%s", path, entry),
            arena_printf(a, "%s%s%s", name, name[0] ? "/" : "", entry),
            depth + 1, st));
    }
    return true;
}

bool folder_walk(struct arena *a, struct folder_walk *walk, const char *path,
                 struct status *st)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return walk_below(a, walk, arena_printf(a, "%.*s", (int)length, path), "",
                      0, st);
}
