/* store_resume.c - see store.h: continuing a run that did not finish.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_private.h"

static bool find_unfinished(struct store *s, const char *plan_hash, int shard,
                            int shards, struct store_resumed *r,
                            struct status *st)
{
    sqlite3_stmt *q =
        store_prepare(s,
                      "SELECT id, plan_first, plan_count,"
                      " (SELECT coalesce(max(id), 0) FROM plan) FROM run"
                      " WHERE plan_hash = ? AND coalesce(shard, 0) = ?"
                      " AND coalesce(shards, 0) = ?"
                      " AND state IN ('running', 'stopped')"
                      " ORDER BY id DESC LIMIT 1",
                      st);
    if (!q)
        return false;
    sqlite3_bind_text(q, 1, plan_hash, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 2, shard);
    sqlite3_bind_int(q, 3, shards);
    int rc = sqlite3_step(q);
    if (rc == SQLITE_ROW) {
        r->run = sqlite3_column_int64(q, 0);
        r->first = sqlite3_column_int64(q, 1);
        r->count = sqlite3_column_int64(q, 2);
    }
    bool good = rc == SQLITE_ROW || rc == SQLITE_DONE
                || store_sql_fail(s, "looking for an unfinished run", st);
    int64_t last = rc == SQLITE_ROW ? sqlite3_column_int64(q, 3) : 0;
    sqlite3_finalize(q);
    if (good && r->run
        && (r->first < 1 || r->count < 0 || r->first - 1 > last - r->count)) {
        st->path = s->path;
        return FAIL(st, INPUT, "is damaged: its plan lacks cases of run %lld",
                    (long long)r->run);
    }
    return good;
}

static bool mark_done(struct store *s, struct store_resumed *r,
                      struct status *st)
{
    sqlite3_stmt *q =
        store_prepare(s,
                      "SELECT plan FROM result WHERE plan >= ? AND plan < ?"
                      " AND coalesce(flags, 0) & ? = 0",
                      st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, r->first);
    sqlite3_bind_int64(q, 2, r->first + r->count);
    sqlite3_bind_int(q, 3, STORE_HELD);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        r->done[sqlite3_column_int64(q, 0) - r->first] = 1;
        r->done_count++;
    }
    bool good = rc == SQLITE_DONE || store_sql_fail(s, "reading results", st);
    sqlite3_finalize(q);
    return good;
}

/* The latest unfinished run of that shard, of whatever plan; 0: none. */
static bool find_other(struct store *s, int shard, int shards, int64_t *run,
                       struct status *st)
{
    return store_once(s,
                      "SELECT coalesce(max(id), 0) FROM run"
                      " WHERE coalesce(shard, 0) = ?"
                      " AND coalesce(shards, 0) = ?"
                      " AND state IN ('running', 'stopped')"
                      " AND id NOT IN (SELECT run FROM sweep)",
                      0, NULL, 2, (int64_t[]){shard, shards}, run, st);
}

bool store_resume(struct store *s, struct arena *a, const char *plan_hash,
                  int shard, int shards, struct store_resumed *r,
                  struct status *st)
{
    *r = (struct store_resumed){0};
    TRY(store_flush(s, st));
    TRY(find_unfinished(s, plan_hash, shard, shards, r, st));
    if (!r->run)
        return find_other(s, shard, shards, &r->other, st);
    r->done = arena_new(a, unsigned char, (size_t)r->count + 1);
    TRY(mark_done(s, r, st));
    s->run = r->run;
    s->first = r->first;
    s->planned = r->count;
    TRY(store_begin(s, st));
    TRY(store_once(
        s,
        "UPDATE run SET state = 'running', finished = NULL, note = NULL"
        " WHERE id = ?",
        0, NULL, 1, &r->run, NULL, st));
    return store_flush(s, st);
}
