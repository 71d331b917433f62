/* plan_names.h - a list of full names, which chooses the cases of a run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PLAN_PLAN_NAMES_H
#define RUNNER_PLAN_PLAN_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"

struct plan_names {
    const char *path; /* where they are from, for messages */
    int64_t count, room;
    const char **names; /* sorted by plan_names_end() */
    unsigned char *met; /* by name: a case has it */
};

/* A file with a name a line; blank lines and those that begin with # count
 * nothing.  Fails with INPUT, also if it has none. */
bool plan_names_read(struct arena *a, const char *path, struct plan_names *to,
                     struct status *st);
void plan_names_add(struct arena *a, struct plan_names *to, const char *name);
/* After the last one. */
void plan_names_end(struct arena *a, struct plan_names *to);

/* Is it one of them?  It is met then. */
bool plan_names_has(const struct plan_names *n, const char *name);
/* May a case of a file or folder of that name be one?  With folder, any case
 * of the same folder counts. */
bool plan_names_below(const struct plan_names *n, const char *name,
                      bool folder);
/* The number of the first name, from that number on, of the plain case in a
 * form; -1: there is none. */
int64_t plan_names_form(const struct plan_names *n, const char *plain,
                        int64_t from);
/* How many no case has, and the first of them. */
int64_t plan_names_unmet(const struct plan_names *n, const char **first);
/* SHA-256 of the sorted names, a line each. */
const char *plan_names_digest(struct arena *a, const struct plan_names *n);

#endif
