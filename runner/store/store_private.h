/* store_private.h - what the files of the store share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_PRIVATE_H
#define RUNNER_STORE_STORE_PRIVATE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interp/base/status.h"
#include "runner/store/store.h"

/* ---- store_clean.c ------------------------------------------------------- */
/* Texts of a database that are not to be shown as they are.
 *
 * A database that somebody else has made may have control characters, invalid
 * UTF-8 or NUL in its texts, which would reach terminals, pages and files
 * through everything that prints them.  So readers do not get them. */

/* Has any of its values characters that are not to be shown (text.h)? */
bool store_clean_needed(struct sqlite3 *db, bool *needed, struct status *st);
/* Replace them, in a copy that is nobody else's: U+FFFD; a space for a line
 * feed or tab, but in columns whose texts have lines. */
bool store_clean(struct sqlite3 *db, struct status *st);

/* ---- store_dict.c: a dictionary table: each text once, with a number ----- */

struct store_dict_entry {
    char *text; /* NULL: free */
    int64_t id;
};

/* Zero-initialise, with the table's name. */
struct store_dict {
    const char *table;
    size_t count, room; /* room is a power of two, or 0 */
    struct store_dict_entry *entries;
    const struct store_dict_entry *last; /* the last answer */
};

/* The number of a text, which is added if it is new. */
bool store_dict_id(struct store_dict *dict, struct sqlite3 *db,
                   const char *text, int64_t *id, struct status *st);
void store_dict_free(struct store_dict *dict);

/* ---- store_guard.c: a database in which anything may stand --------------- */
/* Results come from other machines and other people, and SQLite runs what a
 * database's schema says: triggers, views, expressions.  So every database is
 * opened here, and used only if its schema is that of spec/results.sql. */

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

/* ---- store_lock.c: one writer to a results database ---------------------- */
/* The lock is a record lock on PATH-lock, so the system drops it when the
 * process ends in whatever way, and worker processes do not inherit it.  (It
 * cannot be on the database itself: closing any descriptor of that file would
 * drop SQLite's own locks.) */

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

/* ---- store.c ------------------------------------------------------------- */

struct store {
    sqlite3 *db;
    const char *path; /* the caller's string */
    struct store_lock lock;
    bool writable;
    struct store_dict file, op, type, tier;
    sqlite3_stmt *insert[STORE_TABLES], *insert_plan, *remove[STORE_TABLES];
    bool open;           /* a transaction is */
    int pending;         /* results in it */
    int64_t begun_ns;    /* when it began */
    int64_t run;         /* the one being written, or 0 */
    int64_t first, next; /* its plan ids */
    int64_t planned;     /* of which its own, the first ones */
    bool planning;
};

static inline const char *store_or_empty(const char *text)
{
    return text ? text : "";
}

/* A text that is not too long; NULL stays NULL. */
void store_record_text(sqlite3_stmt *q, int i, const char *text);
bool store_exec(struct store *s, const char *sql, struct status *st);
/* Begin a transaction unless one is open. */
bool store_begin(struct store *s, struct status *st);
/* A statement that is used once: its texts and then its numbers are bound in
 * order.  *value is its first column, if it gives a row. */
bool store_once(struct store *s, const char *sql, int texts,
                const char *const *text, int numbers, const int64_t *number,
                int64_t *value, struct status *st);

#endif
