/* walk.h - the case files that a command line names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_WALK_H
#define TOOLS_WALK_H

#include "interp/base/folder.h"

/* Each file's name is its path below a folder "cases", without suffix, or, if
 * there is no such folder in its path, below the folder that was named. */
struct walk {
    bool tolerant; /* what a folder's entry is unreadable for is noted */
    int count, room;
    struct folder_file *files;
};

/* Add a file, or all *.json below a folder in the order of their names.  Fails
 * with SYSTEM, and with INPUT for a folder that cannot be read or has none. */
bool walk_add(struct arena *a, struct walk *walk, const char *path,
              struct status *st);

#endif
