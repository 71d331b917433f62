/* store_copy.h - reading a database in a read-only folder.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_COPY_H
#define RUNNER_STORE_STORE_COPY_H

#include <stdbool.h>

#include "interp/base/status.h"

struct sqlite3;

/* A run that was killed leaves a write-ahead log, and to read it SQLite must
 * write beside the database.  Where it cannot, open a copy of both instead,
 * which has no name any more; else leave *db alone.  Fails with SYSTEM. */
bool store_copy_open(const char *path, struct sqlite3 **db, struct status *st);

/* Copy all of it into another; false if not all of it was copied, as when
 * somebody holds a lock.  The error is to's. */
bool store_copy_pages(struct sqlite3 *from, struct sqlite3 *to);

/* Keep a copy of a database of an older version next to it: PATH.v1, or
 * PATH.v1-2 and so on if that is there.  It gets its name only when it is
 * complete.
 */
bool store_copy_keep(struct sqlite3 *db, const char *path, int version,
                     struct status *st);

#endif
