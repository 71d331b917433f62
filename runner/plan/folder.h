/* folder.h - the entries of a folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLAN_FOLDER_H
#define RUNNER_PLAN_FOLDER_H

#include <stdbool.h>

#include "interp/base/arena.h"

enum {
    FOLDER_DEPTH_MAX = 16 /* folders within folders: a link may lead back */
};

struct folder {
    int count, room;
    const char **names;
};

/* The names of a folder's entries but for hidden ones, in the order of their
 * bytes.  False if it cannot be read: errno says why. */
bool folder_read(struct arena *a, const char *path, struct folder *folder);

/* The length of a file's name without ".json"; 0 if it has another suffix, or
 * nothing else. */
int folder_stem(const char *name);

#endif
