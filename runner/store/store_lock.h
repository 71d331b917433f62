/* store_lock.h - one writer to a results database.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lock is a record lock on PATH-lock, so the system drops it when the
 * process ends in whatever way, and worker processes do not inherit it.  (It
 * cannot be on the database itself: closing any descriptor of that file would
 * drop SQLite's own locks.)
 */
#ifndef RUNNER_STORE_STORE_LOCK_H
#define RUNNER_STORE_STORE_LOCK_H

#include <stdbool.h>

#include "interp/base/status.h"

struct store_lock {
    int fd; /* -1: not held */
    char *path;
};

/* Take it; wait that long for it, and report this on standard error.  After
 * that, or on a signal, fail with SYSTEM, naming the process that has it. */
bool store_lock_take(struct store_lock *lock, const char *database, int most_ms,
                     struct status *st);
/* Release it and remove its file. */
void store_lock_drop(struct store_lock *lock);

#endif
