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

/* One row of numbers; NULL where a number is not there. */
static bool insert(struct store *s, const char *sql, int count,
                   const int64_t *number, const bool *there, struct status *st)
{
    sqlite3_stmt *q = store_prepare(s, sql, st);
    if (!q)
        return false;
    for (int i = 0; i < count; i++)
        if (!there || there[i])
            sqlite3_bind_int64(q, i + 1, number[i]);
    bool good = sqlite3_step(q) == SQLITE_DONE
                || store_sql_fail(s, "adding a part of a sweep", st);
    sqlite3_finalize(q);
    return good;
}

bool store_sweep_part_add(struct store *s, int64_t sweep,
                          const struct store_sweep_part *p, const int64_t *bins,
                          struct status *st)
{
    const struct monotone_part *m = &p->order;
    const int64_t number[] = {sweep,
                              (int64_t)p->first,
                              p->count,
                              p->correct,
                              p->bad,
                              p->special,
                              p->error,
                              (int64_t)p->worst_input,
                              p->time_ns,
                              (int64_t)p->worst_second,
                              m->breaks,
                              (int64_t)m->input,
                              (int64_t)m->first,
                              (int64_t)m->last};
    const bool there[] = {true,         true,
                          true,         true,
                          true,         true,
                          p->has_error, p->has_error,
                          true,         p->has_error && p->has_second,
                          m->counted,   m->counted && m->breaks > 0,
                          m->counted,   m->counted};
    TRY(store_begin(s, st));
    TRY(insert(s,
               "INSERT INTO sweep_part (sweep, first, count, correct, bad,"
               " special, error, worst_input, time, worst_second, breaks,"
               " break_input, first_result, last_result)"
               " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
               14, number, there, st));
    for (int i = 0; i < BIN_COUNT; i++) {
        const int64_t bin[] = {sweep, i + BIN_FIRST, bins[i]};
        if (bins[i] > 0)
            TRY(insert(s,
                       "INSERT INTO sweep_bin (sweep, bin, count)"
                       " VALUES (?,?,?) ON CONFLICT (sweep, bin)"
                       " DO UPDATE SET count = count + excluded.count",
                       3, bin, NULL, st));
    }
    return store_tick(s, st);
}

bool store_sweep_read(struct store *s, int64_t sweep, store_sweep_each *each,
                      void *self, int64_t *bins, struct status *st)
{
    int rc;
    sqlite3_stmt *q = store_prepare(
        s,
        "SELECT first, count, correct, bad, special, error, worst_input, time,"
        " worst_second, breaks, break_input, first_result, last_result"
        " FROM sweep_part WHERE sweep = ? ORDER BY first",
        st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, sweep);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const struct store_sweep_part p = {
            .first = (uint64_t)sqlite3_column_int64(q, 0),
            .count = sqlite3_column_int64(q, 1),
            .correct = sqlite3_column_int64(q, 2),
            .bad = sqlite3_column_int64(q, 3),
            .special = sqlite3_column_int64(q, 4),
            .has_error = sqlite3_column_type(q, 5) != SQLITE_NULL,
            .error = sqlite3_column_int64(q, 5),
            .worst_input = (uint64_t)sqlite3_column_int64(q, 6),
            .time_ns = sqlite3_column_int64(q, 7),
            .has_second = sqlite3_column_type(q, 8) != SQLITE_NULL,
            .worst_second = (uint64_t)sqlite3_column_int64(q, 8),
            .order = {.counted = sqlite3_column_type(q, 9) != SQLITE_NULL,
                      .breaks = sqlite3_column_int64(q, 9),
                      .input = (uint64_t)sqlite3_column_int64(q, 10),
                      .first = (uint64_t)sqlite3_column_int64(q, 11),
                      .last = (uint64_t)sqlite3_column_int64(q, 12)}};
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
