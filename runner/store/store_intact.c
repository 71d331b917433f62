/* store_intact.c - is what was written still intact?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend without a sandbox, or anything else on the machine, may remove the
 * file, put another in its place or write into it, and SQLite, which has it
 * open and its pages in memory, need not notice.
 */
#include <sqlite3.h>
#include <string.h>

#include "runner/store/store_private.h"

enum {
    BUSY_MS = 1000,
    FAULT_SHOWN = 100
};

bool store_intact_place(struct store *s, struct status *st)
{
    int moved = 0;
    if (sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
            == SQLITE_OK
        && moved)
        return FAIL(st, SYSTEM,
                    "%.200s was removed or replaced while it was written: its "
                    "results are lost",
                    s->path);
    return true;
}

/* The first fault that SQLite names, below its heading. */
static const char *fault_of(const char *text, int *length)
{
    const char *line = strstr(text, "***\n");
    line = line ? line + strlen("***\n") : text;
    *length = (int)strcspn(line, "\n");
    return line;
}

bool store_intact(const char *path, struct status *st)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *check = NULL;
    bool good = false;
    int rc = store_guard_open(path, SQLITE_OPEN_READONLY, &db)
                 ? SQLITE_OK
                 : sqlite3_errcode(db);
    sqlite3_busy_timeout(db, BUSY_MS);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &check, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(check);
    if (rc == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(check, 0);
        good = text && strcmp(text, "ok") == 0;
        int length;
        const char *fault = fault_of(text ? text : "", &length);
        if (!good)
            FAIL(st, SYSTEM, "%.200s was damaged while it was written: %.*s",
                 path, length < FAULT_SHOWN ? length : FAULT_SHOWN, fault);
    } else if ((rc & 0xff) == SQLITE_BUSY) {
        good = true; /* the next run is writing to it, and has checked it */
    } else {
        FAIL(st, SYSTEM, "%.200s was damaged while it was written: %.100s",
             path, sqlite3_errmsg(db));
    }
    sqlite3_finalize(check);
    sqlite3_close(db);
    return good;
}
