/* store_times.c - see store_times.h.  Tests: shard.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_times.h"

#include "runner/store/store_private.h"

static bool read_times(struct store *s,
                       void each(void *data, const char *file, const char *name,
                                 int variant, int64_t time),
                       void *data, struct status *st)
{
    sqlite3_stmt *q =
        store_prepare(s,
                      "SELECT file.name, plan.name, plan.variant, result.time"
                      " FROM run JOIN plan ON plan.id >= run.plan_first"
                      " AND plan.id < run.plan_first + run.plan_count"
                      " JOIN file ON file.id = plan.file"
                      " JOIN result ON result.plan = plan.id"
                      " WHERE run.id = (SELECT max(id) FROM run"
                      " WHERE id NOT IN (SELECT run FROM sweep))",
                      st);
    if (!q)
        return false;
    int rc;
    bool any = false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        any = true;
        each(data, (const char *)sqlite3_column_text(q, 0),
             (const char *)sqlite3_column_text(q, 1), sqlite3_column_int(q, 2),
             sqlite3_column_int64(q, 3));
    }
    bool good = rc == SQLITE_DONE || store_sql_fail(s, "reading times", st);
    sqlite3_finalize(q);
    if (good && !any) {
        st->path = s->path;
        return FAIL(st, INPUT, "its latest run has no results");
    }
    return good;
}

bool store_times(const char *path,
                 void each(void *data, const char *file, const char *name,
                           int variant, int64_t time),
                 void *data, struct status *st)
{
    struct store *s;
    struct status ignored = {0};
    TRY(store_open(path, STORE_READ, &s, st));
    bool good = read_times(s, each, data, st);
    store_close(s, &ignored);
    return good;
}
