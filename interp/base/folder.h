/* folder.h - the entries of a folder, and the case files below it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_FOLDER_H
#define INTERP_BASE_FOLDER_H

#include <stdbool.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"

enum {
    FOLDER_DEPTH_MAX = 16 /* folders within folders: a link may lead back */
};

/* Call each with the name of every entry of a folder but hidden ones, as the
 * system lists them, until it returns false.  False if the folder cannot be
 * read: errno says why. */
bool folder_each(const char *path,
                 bool (*each)(void *context, const char *name), void *context);

struct folder {
    int count, room;
    const char **names;
};

/* The names of these entries, in the order of their bytes.  Fails like
 * folder_each. */
bool folder_read(struct arena *a, const char *path, struct folder *folder);

/* The folder of the running executable, "." if it is not known. */
const char *folder_own(struct arena *a);

/* The path of `to`, such as "../cases", from an absolute folder without links:
 * no ".." is left at its beginning. */
const char *folder_beside(struct arena *a, const char *folder, const char *to);
/* The path as a user would write it: from the current folder if it is below. */
const char *folder_shown(const char *path);

/* Does a file's name end in that? */
bool folder_ends(const char *name, const char *end);

/* The length of a file's name without ".json"; 0 if it has another suffix, or
 * nothing else. */
int folder_stem(const char *name);

/* A file *.json; name is its path below the folder, without the suffix. */
struct folder_file {
    const char *path, *name;
    const char *unreadable; /* why, or NULL */
};

struct folder_walk {
    /* Is a file or folder of that name looked into?  NULL: each is. */
    bool (*wanted)(const void *context, const char *name);
    const void *context;
    bool tolerant; /* what an entry is unreadable for is noted in its file */
    int count, room;
    struct folder_file *files;
};

/* Add all files *.json below a folder, in the order of their names; what is no
 * file, as a pipe, is passed over. */
bool folder_walk(struct arena *a, struct folder_walk *walk, const char *path,
                 struct status *st);

#endif
