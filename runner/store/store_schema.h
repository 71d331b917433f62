/* store_schema.h - is this file a results database, and of which version?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_SCHEMA_H
#define RUNNER_STORE_STORE_SCHEMA_H

#include <stdbool.h>

#include "interp/base/status.h"

struct sqlite3;

enum {
    STORE_SCHEMA_VERSION = 7
};

/* Indexes that a complete run adds to results.sql. */
#define STORE_SCHEMA_INDEX \
    "CREATE INDEX IF NOT EXISTS result_status ON result (status)" \
    " WHERE status <> 1"

/* Read the file's header, without SQLite, which might change the file.  *empty
 * is set for a missing or an empty one.  Fails with INPUT if it is something
 * else than a results database, or a newer one. */
bool store_schema_probe(const char *path, bool *empty, struct status *st);
/* Does this errno of open() say that the path is wrong, and not the system? */
bool store_schema_bad_path(int error);

/* Has it neither tables nor data?  SQLite leaves such a file if a run was
 * killed while it created the tables. */
bool store_schema_blank(struct sqlite3 *db);

/* Create the tables in an empty database. */
bool store_schema_create(struct sqlite3 *db, struct status *st);

/* The statements that lead from version to version + 1, or NULL. */
typedef const char *store_schema_step(int version);
const char *store_schema_sql(int version);

/* Upgrade a database to a version, in one transaction. */
bool store_schema_upgrade(struct sqlite3 *db, int version,
                          store_schema_step *step, struct status *st);
/* Its version now; -1 if it cannot be read. */
int store_schema_version(struct sqlite3 *db);

/* Record SQLite's last error: INPUT if the file is at fault. */
bool store_schema_fail(struct sqlite3 *db, const char *doing,
                       struct status *st);

#endif
