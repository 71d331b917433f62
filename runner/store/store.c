/* store.c - see store.h: opening and closing, plans, results.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every insertion is a statement that is prepared once, on first use.  The
 * journal is a write-ahead log while a run goes on, so that readers see it
 * grow, and is folded back when the store is closed: a finished database is
 * one plain file.
 */
#include "runner/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runner/store/store_copy.h"
#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

enum {
    COMMIT_RESULTS = 1000,
    COMMIT_NS = 50 * 1000 * 1000,
    BUSY_MS = 10000,
    LOCK_WAIT_MS = 60000
};

/* Rows of verdict.def are numbered from 1 in the database. */
enum {
    VERDICTS = 0
#define VERDICT(...) +1
#include "interp/judge/verdict.def"
#undef VERDICT
};

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Every failure in this file names the database. */
static bool at(struct store *s, struct status *st)
{
    if (!st->path)
        st->path = s->path;
    return false;
}

bool store_sql_fail(struct store *s, const char *doing, struct status *st)
{
    store_schema_fail(s->db, doing, st);
    return at(s, st);
}

bool store_exec(struct store *s, const char *sql, struct status *st)
{
    if (sqlite3_exec(s->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return store_sql_fail(s, sql, st);
    return true;
}

/* ---- Opening and closing ------------------------------------------------ */

static bool check_whole(struct store *s, struct status *st)
{
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(s->db, "PRAGMA quick_check(1)", -1, &q, NULL)
        != SQLITE_OK)
        return store_sql_fail(s, "checking it", st);
    int rc = sqlite3_step(q);
    const char *text = (const char *)sqlite3_column_text(q, 0);
    bool good = rc == SQLITE_ROW && text && strcmp(text, "ok") == 0;
    if (!good && rc == SQLITE_ROW) {
        FAIL(st, INPUT, "is damaged: %.180s", text ? text : "?");
        for (char *c = st->text; *c; c++)
            if (*c == '\n')
                *c = ' ';
    } else if (!good)
        store_sql_fail(s, "checking it", st);
    sqlite3_finalize(q);
    return good || at(s, st);
}

/* Go on with a copy in memory, which may be changed. */
static bool copy(struct store *s, struct status *st)
{
    sqlite3 *copied;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
    if (!store_guard_open(":memory:", flags, &copied)
        || !store_copy_pages(s->db, copied)) {
        store_schema_fail(copied, "copying it", st);
        sqlite3_close(copied);
        return at(s, st);
    }
    sqlite3_close(s->db);
    s->db = copied;
    return true;
}

/* An older database is brought up to date, and texts that are not to be shown
 * are replaced: both in a copy. */
static bool open_read(struct store *s, struct status *st)
{
    bool dirty;
    if (!store_guard_open(s->path, SQLITE_OPEN_READONLY, &s->db))
        return store_sql_fail(s, "opening it", st);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    TRY(store_copy_open(s->path, &s->db, st) || at(s, st));
    if (store_schema_blank(s->db))
        return FAIL(st, INPUT, "is empty") || at(s, st);
    TRY(store_guard_names(s->db, st) || at(s, st));
    TRY(check_whole(s, st));
    bool old = store_schema_version(s->db) != STORE_SCHEMA_VERSION;
    if (old)
        TRY(copy(s, st)
            && (store_schema_upgrade(s->db, STORE_SCHEMA_VERSION,
                                     store_schema_sql, st)
                || at(s, st)));
    TRY((store_guard_schema(s->db, st) && store_clean_needed(s->db, &dirty, st))
        || at(s, st));
    if (!dirty)
        return true;
    TRY(old || copy(s, st));
    return (store_clean(s->db, st) && store_guard_schema(s->db, st))
           || at(s, st);
}

static bool open_write(struct store *s, int wait_ms, struct status *st)
{
    bool empty = false;
    TRY(store_lock_take(&s->lock, s->path, wait_ms, st) || at(s, st));
    /* Another writer may have created it meanwhile. */
    TRY(store_schema_probe(s->path, &empty, st) || at(s, st));
    s->writable = true;
    int flags = SQLITE_OPEN_READWRITE | (empty ? SQLITE_OPEN_CREATE : 0);
    if (!store_guard_open(s->path, flags, &s->db))
        return store_sql_fail(s, "opening it", st);
    sqlite3_busy_timeout(s->db, BUSY_MS);
    empty = empty || store_schema_blank(s->db);
    TRY(!empty || store_schema_create(s->db, st) || at(s, st));
    TRY(store_guard_names(s->db, st) || at(s, st));
    TRY(empty || check_whole(s, st));
    int version = store_schema_version(s->db);
    TRY(version >= STORE_SCHEMA_VERSION || !store_schema_sql(version)
        || store_copy_keep(s->db, s->path, version, st) || at(s, st));
    TRY((store_schema_upgrade(s->db, STORE_SCHEMA_VERSION, store_schema_sql, st)
         && store_guard_schema(s->db, st))
        || at(s, st));
    return store_exec(
        s,
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -32768;"
        "PRAGMA temp_store = MEMORY",
        st);
}

bool store_open(const char *path, enum store_mode mode, struct store **store,
                struct status *st)
{
    *store = NULL;
    struct store *s = calloc(1, sizeof *s);
    if (!s)
        return FAIL(st, SYSTEM, "out of memory");
    s->path = path;
    s->lock.fd = -1;
    s->file.table = "file";
    s->op.table = "op";
    s->type.table = "type";
    s->tier.table = "tier";
    bool empty = false;
    bool good = strcmp(path, ":memory:") != 0
                    ? store_schema_probe(path, &empty, st)
                    : FAIL(st, INPUT, "expected the name of a file");
    good = good || at(s, st);
    if (good && empty && (mode == STORE_READ || mode == STORE_RESUME)) {
        good = FAIL(st, INPUT, "no such results database, or it is empty");
        at(s, st);
    }
    if (good)
        good = mode == STORE_READ
                   ? open_read(s, st)
                   : open_write(s, mode == STORE_WRITE ? 0 : LOCK_WAIT_MS, st);
    if (good)
        *store = s;
    else
        store_close(s, st);
    return good;
}

bool store_close(struct store *s, struct status *st)
{
    if (!s)
        return true;
    /* An incomplete plan is rolled back. */
    if (s->planning)
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    bool good = s->planning || store_flush(s, st);
    store_dict_free(&s->file);
    store_dict_free(&s->op);
    store_dict_free(&s->type);
    store_dict_free(&s->tier);
    /* Statements that a report has prepared, and left for its next query. */
    for (sqlite3_stmt *q; s->db && (q = sqlite3_next_stmt(s->db, NULL));)
        sqlite3_finalize(q);
    /* A reader may hold it back; then the journal stays, which is as good. */
    if (s->writable && s->db && good)
        sqlite3_exec(s->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(s->db);
    store_lock_drop(&s->lock);
    free(s);
    return good;
}

sqlite3 *store_handle(struct store *s)
{
    return s->db;
}

/* ---- Transactions and statements ---------------------------------------- */

bool store_begin(struct store *s, struct status *st)
{
    /* SQLite itself takes one back when the disk is full. */
    if (s->open && !sqlite3_get_autocommit(s->db))
        return true;
    TRY(store_exec(s, "BEGIN IMMEDIATE", st));
    s->open = true;
    s->pending = 0;
    s->begun_ns = now_ns();
    return true;
}

bool store_flush(struct store *s, struct status *st)
{
    if (!s->open)
        return true;
    s->open = false;
    if (store_exec(s, "COMMIT", st))
        return true;
    /* Else the next one could not begin. */
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return false;
}

bool store_tick(struct store *s, struct status *st)
{
    if (!s->open || s->planning || now_ns() - s->begun_ns < COMMIT_NS)
        return true;
    return store_flush(s, st);
}

sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct status *st)
{
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        store_sql_fail(s, sql, st);
    return q;
}

/* A statement that is prepared once. */
static sqlite3_stmt *prepared(struct store *s, sqlite3_stmt **q,
                              const char *sql, struct status *st)
{
    if (!*q)
        *q = store_prepare(s, sql, st);
    return *q;
}

static void put_int(sqlite3_stmt *q, int i, bool present, int64_t value)
{
    if (present)
        sqlite3_bind_int64(q, i, value);
    else
        sqlite3_bind_null(q, i);
}

/* Run an insertion, ready for the next one. */
static bool finish(struct store *s, sqlite3_stmt *q, struct status *st)
{
    int rc = sqlite3_step(q);
    bool good = rc == SQLITE_DONE || store_sql_fail(s, "writing a row", st);
    sqlite3_reset(q);
    return good;
}

bool store_once(struct store *s, const char *sql, int texts,
                const char *const *text, int numbers, const int64_t *number,
                int64_t *value, struct status *st)
{
    sqlite3_stmt *q = store_prepare(s, sql, st);
    if (!q)
        return false;
    for (int i = 0; i < texts; i++)
        store_record_text(q, i + 1, text[i]);
    for (int i = 0; i < numbers; i++)
        sqlite3_bind_int64(q, texts + i + 1, number[i]);
    int rc = sqlite3_step(q);
    if (rc == SQLITE_ROW && value)
        *value = sqlite3_column_int64(q, 0);
    bool good =
        rc == SQLITE_ROW || rc == SQLITE_DONE || store_sql_fail(s, sql, st);
    sqlite3_finalize(q);
    return good;
}

/* ---- Backends and plans -------------------------------------------------- */

bool store_backend_set(struct store *s, int64_t run, const char *version,
                       int property_count,
                       const struct store_property *properties,
                       struct status *st)
{
    TRY(store_begin(s, st));
    const char *text = store_or_empty(version);
    TRY(store_once(s, "UPDATE backend SET version = ? WHERE run = ?", 1, &text,
                   1, &run, NULL, st));
    TRY(store_once(s, "DELETE FROM property WHERE run = ?", 0, NULL, 1, &run,
                   NULL, st));
    for (int i = 0; i < property_count; i++) {
        const char *pair[] = {store_or_empty(properties[i].key),
                              store_or_empty(properties[i].value)};
        TRY(store_once(s,
                       "INSERT OR REPLACE INTO property (key, value, run)"
                       " VALUES (?,?,?)",
                       2, pair, 1, &run, NULL, st));
    }
    return true;
}

bool store_plan_add(struct store *s, const struct store_plan *p, int64_t *plan,
                    struct status *st)
{
    int64_t file, op, type = 0, tier = 0;
    if (!p->file || !p->name || !p->op)
        return FAIL(st, SYSTEM, "a planned case without a name") || at(s, st);
    TRY(store_dict_id(&s->file, s->db, p->file, &file, st) || at(s, st));
    TRY(store_dict_id(&s->op, s->db, p->op, &op, st) || at(s, st));
    TRY(!p->type || store_dict_id(&s->type, s->db, p->type, &type, st)
        || at(s, st));
    TRY(!p->tier || store_dict_id(&s->tier, s->db, p->tier, &tier, st)
        || at(s, st));
    sqlite3_stmt *q = prepared(
        s, &s->insert_plan, "INSERT INTO plan VALUES (?,?,?,?,?,?,?,?,?)", st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->next);
    sqlite3_bind_int64(q, 2, file);
    store_record_text(q, 3, p->name);
    sqlite3_bind_int64(q, 4, p->variant);
    sqlite3_bind_int64(q, 5, op);
    put_int(q, 6, type != 0, type);
    put_int(q, 7, tier != 0, tier);
    put_int(q, 8, p->shard > 0, p->place);
    put_int(q, 9, p->shard > 0, p->shard);
    TRY(finish(s, q, st));
    s->planned += !p->elsewhere;
    *plan = s->next++;
    return true;
}

bool store_plan_end(struct store *s, struct status *st)
{
    TRY(store_once(
        s, "UPDATE run SET state = 'running', plan_count = ? WHERE id = ?", 0,
        NULL, 2, (int64_t[]){s->planned, s->run}, NULL, st));
    s->planning = false;
    return store_flush(s, st);
}

/* ---- Results ------------------------------------------------------------- */

/* The row as it is kept: what was not compared or measured is NULL. */
static void bind_result(sqlite3_stmt *q, const struct store_result *result)
{
    struct store_result r = *result;
    r.status++;
    if (r.units < 0)
        r.correct = r.bad = r.special = -1;
    if (!r.has_error && !r.has_share) {
        r.worst_unit = -1;
        r.worst_input = NULL;
    }
    if (r.flags == 0)
        r.flags = -1;
    store_record_bind(&store_record_tables[STORE_RESULT], q, &r);
}

bool store_result_add(struct store *s, const struct store_result *r,
                      struct status *st)
{
    if (r->plan < s->first || r->plan >= s->first + s->planned || r->status < 0
        || r->status >= VERDICTS) {
        FAIL(st, SYSTEM, "a result for an unplanned case (%lld)",
             (long long)r->plan);
        return at(s, st);
    }
    if (s->pending >= COMMIT_RESULTS
        || (s->open && now_ns() - s->begun_ns >= COMMIT_NS))
        TRY(store_flush(s, st));
    TRY(store_begin(s, st));
    s->pending++;
    sqlite3_stmt *q = prepared(s, &s->insert[STORE_RESULT],
                               store_record_tables[STORE_RESULT].insert, st);
    if (!q)
        return false;
    bind_result(q, r);
    int rc = sqlite3_step(q);
    if (rc == SQLITE_DONE) {
        sqlite3_reset(q);
        return true;
    }
    bool again = sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_PRIMARYKEY
                 || sqlite3_extended_errcode(s->db) == SQLITE_CONSTRAINT_ROWID;
    if (!again)
        store_sql_fail(s, "writing a result", st);
    sqlite3_reset(q);
    /* Remove what an earlier attempt left. */
    for (int i = 0; again && i < STORE_TABLES; i++)
        again = store_remove(s, (enum store_table)i, r->plan, st);
    return again && finish(s, q, st);
}

bool store_add(struct store *s, enum store_table table, const void *row,
               struct status *st)
{
    sqlite3_stmt *q =
        prepared(s, &s->insert[table], store_record_tables[table].insert, st);
    if (!q || !store_begin(s, st))
        return false;
    store_record_bind(&store_record_tables[table], q, row);
    return finish(s, q, st);
}

bool store_wrong_add(struct store *s, const struct store_wrong *w,
                     struct status *st)
{
    TRY(store_add(s, STORE_WRONG, w, st));
    for (int k = 0; k < w->operand_count; k++) {
        w->operands[k].plan = w->plan;
        w->operands[k].n = w->n;
        w->operands[k].k = k;
        TRY(store_add(s, STORE_OPERAND, &w->operands[k], st));
    }
    return true;
}

bool store_remove(struct store *s, enum store_table table, int64_t plan,
                  struct status *st)
{
    sqlite3_stmt *q =
        prepared(s, &s->remove[table], store_record_tables[table].remove, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, plan);
    return finish(s, q, st);
}
