/* store_private.h - what the files of the store share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_PRIVATE_H
#define RUNNER_STORE_STORE_PRIVATE_H

#include <sqlite3.h>

#include "runner/store/store.h"
#include "runner/store/store_dict.h"
#include "runner/store/store_lock.h"

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
