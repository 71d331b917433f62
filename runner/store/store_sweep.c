/* store_sweep.c - see store_sweep.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_sweep.h"

#include <stddef.h>

#include "runner/store/store_private.h"

enum {
    BIN_FIRST = -127,
    BIN_COUNT = 256,
};

bool store_sweep_begin(struct store *s, int64_t run,
                       const struct store_sweep *info, int64_t *sweep,
                       struct status *st)
{
    int64_t op, type;
    TRY(store_begin(s, st));
    TRY(store_dict_id(&s->op, s->db, info->op, &op, st));
    TRY(store_dict_id(&s->type, s->db, info->type, &type, st));
    const char *text[] = {info->variant, info->points};
    TRY(store_once(s,
                   "INSERT INTO sweep (variant, points, run, op, type, hunt)"
                   " VALUES (?,?,?,?,?,?)",
                   2, text, 4, (int64_t[]){run, op, type, info->hunt}, NULL,
                   st));
    *sweep = sqlite3_last_insert_rowid(s->db);
    return store_flush(s, st);
}

bool store_sweep_find(struct store *s, int64_t run, int64_t *sweep,
                      struct status *st)
{
    *sweep = 0;
    return store_once(s, "SELECT id FROM sweep WHERE run = ?", 0, NULL, 1, &run,
                      sweep, st);
}

bool store_sweep_list(struct store *s, struct arena *a, const char *plan_hash,
                      int64_t **sweeps, int *count, struct status *st)
{
    int rc, room = 0;
    *sweeps = NULL;
    *count = 0;
    sqlite3_stmt *q = store_prepare(
        s,
        "SELECT sweep.id FROM sweep JOIN run ON run.id = sweep.run"
        " WHERE run.plan_hash = ? ORDER BY sweep.id",
        st);
    if (!q)
        return false;
    sqlite3_bind_text(q, 1, plan_hash, -1, SQLITE_STATIC);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        ARENA_GROW(a, *sweeps, *count, room);
        (*sweeps)[(*count)++] = sqlite3_column_int64(q, 0);
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE
           || store_sql_fail(s, "looking for parts of a sweep", st);
}

static const struct store_column part_columns[] = {
    {RECORD_INT, "sweep", NULL, offsetof(struct store_sweep_part, sweep), 0},
    RECORD_sweep_part(RECORD_COLUMN, struct store_sweep_part)};
const struct store_record store_sweep_part_record = {
    "sweep_part",
    sizeof part_columns / sizeof *part_columns,
    part_columns,
    RECORD_INSERT(sweep_part, sweep),
    RECORD_SELECT(sweep_part, sweep) " ORDER BY first",
    NULL};

bool store_sweep_part_add(struct store *s, const struct store_sweep_part *p,
                          const int64_t *bins, struct status *st)
{
    TRY(store_begin(s, st));
    sqlite3_stmt *q = store_prepare(s, store_sweep_part_record.insert, st);
    if (!q)
        return false;
    store_record_bind(&store_sweep_part_record, q, p);
    bool good = sqlite3_step(q) == SQLITE_DONE
                || store_sql_fail(s, "adding a part of a sweep", st);
    sqlite3_finalize(q);
    for (int i = 0; good && i < BIN_COUNT; i++)
        good = bins[i] == 0
               || store_once(s,
                             "INSERT INTO sweep_bin (sweep, bin, count)"
                             " VALUES (?,?,?) ON CONFLICT (sweep, bin)"
                             " DO UPDATE SET count = count + excluded.count",
                             0, NULL, 3,
                             (int64_t[]){p->sweep, i + BIN_FIRST, bins[i]},
                             NULL, st);
    return good && store_tick(s, st);
}

bool store_sweep_read(struct store *s, int64_t sweep, store_sweep_each *each,
                      void *self, int64_t *bins, struct status *st)
{
    int rc;
    sqlite3_stmt *q = store_prepare(s, store_sweep_part_record.select, st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, sweep);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct store_sweep_part p = {0};
        store_record_read(&store_sweep_part_record, NULL, q, &p);
        each(self, &p);
    }
    sqlite3_finalize(q);
    if (rc != SQLITE_DONE)
        return store_sql_fail(s, "reading a sweep", st);
    q = store_prepare(s, "SELECT bin, count FROM sweep_bin WHERE sweep = ?",
                      st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, sweep);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        int i = sqlite3_column_int(q, 0) - BIN_FIRST;
        if (i >= 0 && i < BIN_COUNT)
            bins[i] += sqlite3_column_int64(q, 1);
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || store_sql_fail(s, "reading a sweep", st);
}
