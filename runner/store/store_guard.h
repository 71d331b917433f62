/* store_guard.h - a database in which anything may stand.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Results come from other machines and other people, and SQLite runs what a
 * database's schema says: triggers, views, expressions.  So every database is
 * opened here, and used only if its schema is that of spec/results.sql.
 */
#ifndef RUNNER_STORE_STORE_GUARD_H
#define RUNNER_STORE_STORE_GUARD_H

#include <stdbool.h>

#include "interp/base/status.h"

struct sqlite3;

/* sqlite3_open_v2, with triggers and views off, an untrusted schema, and limits
 * on what a value or an expression may take.  True if it is open; *db is to be
 * closed in any case. */
bool store_guard_open(const char *path, int flags, struct sqlite3 **db);

/* Has a database, of any version, nothing beside the tables and the view of
 * results.sql?  To be asked before anything is read.  Fails with INPUT. */
bool store_guard_names(struct sqlite3 *db, struct status *st);
/* Has one of this version exactly the schema of results.sql, and its statuses?
 * Then its view can be used.  Fails with INPUT. */
bool store_guard_schema(struct sqlite3 *db, struct status *st);

#endif
