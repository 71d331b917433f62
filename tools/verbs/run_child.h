/* run_child.h - `assay run` in a process of its own, for verbs that read what
 * it records.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_RUN_CHILD_H
#define TOOLS_RUN_CHILD_H

#include "interp/base/arena.h"

struct run_child {
    const char *backend, *database;
    const char *const *options; /* of assay run, with their values */
    int option_count;
    const char *const *globs; /* of the cases */
    int glob_count;
};

/* Run it, what it prints on standard error; returns its exit status. */
int run_child(struct arena *a, const struct run_child *run);

#endif
