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

#include "interp/base/text.h"
#include "runner/store/store_clean.h"
#include "runner/store/store_copy.h"
#include "runner/store/store_guard.h"
#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

enum {
    COMMIT_RESULTS = 1000,
    COMMIT_NS = 50 * 1000 * 1000,
    BUSY_MS = 10000,
    LOCK_WAIT_MS = 60000,
    TEXT_MAX = 64 << 20,
};

static const char *const insert_sql[INSERT_COUNT] = {
    [INSERT_PLAN] = "INSERT INTO plan VALUES (?,?,?,?,?,?,?,?,?)",
    [INSERT_RESULT] = "INSERT INTO result VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [INSERT_DETAIL] = "INSERT INTO detail VALUES (?,?,?,?,?,?,?)",
    [INSERT_WRONG] = "INSERT INTO wrong VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    [INSERT_OPERAND] = "INSERT INTO operand VALUES (?,?,?,?,?,?)",
    [INSERT_BIN] = "INSERT INTO bin VALUES (?,?,?)",
    [INSERT_REMARK] = "INSERT INTO remark VALUES (?,?,?)",
    [INSERT_CAUSE] = "INSERT INTO cause VALUES (?,?,?,?,?,?,?)",
    [DELETE_CAUSES] = "DELETE FROM cause WHERE plan = ?",
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
    bool good = store_schema_probe(path, &empty, st) || at(s, st);
    if (good && empty && mode == STORE_READ) {
        good = FAIL(st, INPUT, "no such results database, or it is empty");
        at(s, st);
    }
    if (good)
        good = mode == STORE_READ
                   ? open_read(s, st)
                   : open_write(s, mode == STORE_WAIT ? LOCK_WAIT_MS : 0, st);
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
    for (int i = 0; i < INSERT_COUNT; i++)
        sqlite3_finalize(s->insert[i]);
    store_dict_free(&s->file);
    store_dict_free(&s->op);
    store_dict_free(&s->type);
    store_dict_free(&s->tier);
    /* What a report has prepared, and left for its next query. */
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

static sqlite3_stmt *insertion(struct store *s, enum insertion which,
                               struct status *st)
{
    if (!s->insert[which])
        s->insert[which] = store_prepare(s, insert_sql[which], st);
    return s->insert[which];
}

/* A text too long for any reader is truncated, between
 * characters: SQLite has a limit, and refuses the row beyond it. */
static int length_of(const char *text)
{
    size_t n = strnlen(text, TEXT_MAX);
    if (n == TEXT_MAX)
        while (n > TEXT_MAX - 4 && text_inside(text[n]))
            n--;
    return (int)n;
}

static void put_text(sqlite3_stmt *q, int i, const char *text)
{
    if (text)
        sqlite3_bind_text(q, i, text, length_of(text), SQLITE_STATIC);
    else
        sqlite3_bind_null(q, i);
}

static void put_int(sqlite3_stmt *q, int i, bool present, int64_t value)
{
    if (present)
        sqlite3_bind_int64(q, i, value);
    else
        sqlite3_bind_null(q, i);
}

/* abs() of SQLite fails for the least integer. */
static void put_size(sqlite3_stmt *q, int i, bool present, int64_t value)
{
    put_int(q, i, present, value < -INT64_MAX ? -INT64_MAX : value);
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
        put_text(q, i + 1, text[i]);
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
    sqlite3_stmt *q = insertion(s, INSERT_PLAN, st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, s->next);
    sqlite3_bind_int64(q, 2, file);
    put_text(q, 3, p->name);
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

/* Remove what an earlier attempt left. */
static bool forget(struct store *s, int64_t plan, struct status *st)
{
    static const char *const sql[] = {"DELETE FROM result WHERE plan = ?",
                                      "DELETE FROM detail WHERE plan = ?",
                                      "DELETE FROM operand WHERE plan = ?",
                                      "DELETE FROM wrong WHERE plan = ?",
                                      "DELETE FROM bin WHERE plan = ?",
                                      "DELETE FROM remark WHERE plan = ?",
                                      "DELETE FROM cause WHERE plan = ?"};
    for (size_t i = 0; i < sizeof sql / sizeof sql[0]; i++)
        TRY(store_once(s, sql[i], 0, NULL, 1, &plan, NULL, st));
    return true;
}

static void bind_result(sqlite3_stmt *q, const struct store_result *r)
{
    bool compared = r->units >= 0;
    sqlite3_bind_int64(q, 1, r->plan);
    sqlite3_bind_int(q, 2, r->verdict + 1);
    sqlite3_bind_int(q, 3, r->attempt);
    sqlite3_bind_int64(q, 4, r->time_ns);
    put_int(q, 5, compared, r->units);
    put_int(q, 6, compared && r->correct >= 0, r->correct);
    put_int(q, 7, compared, r->bad);
    put_int(q, 8, compared, r->special);
    put_size(q, 9, r->has_error, r->error_micro_ulps);
    put_size(q, 10, r->has_share, r->share_micro);
    bool measured = r->has_error || r->has_share;
    put_int(q, 11, measured && r->worst_unit >= 0, r->worst_unit);
    put_text(q, 12, measured ? r->worst_input : NULL);
    put_int(q, 13, r->flags != 0, r->flags);
}

bool store_result_add(struct store *s, const struct store_result *r,
                      struct status *st)
{
    if (r->plan < s->first || r->plan >= s->first + s->planned || r->verdict < 0
        || r->verdict >= VERDICTS) {
        FAIL(st, SYSTEM, "a result for an unplanned case (%lld)",
             (long long)r->plan);
        return at(s, st);
    }
    if (s->pending >= COMMIT_RESULTS
        || (s->open && now_ns() - s->begun_ns >= COMMIT_NS))
        TRY(store_flush(s, st));
    TRY(store_begin(s, st));
    s->pending++;
    sqlite3_stmt *q = insertion(s, INSERT_RESULT, st);
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
    return again && forget(s, r->plan, st) && finish(s, q, st);
}

bool store_detail_add(struct store *s, const struct store_detail *d,
                      struct status *st)
{
    sqlite3_stmt *q = insertion(s, INSERT_DETAIL, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, d->plan);
    put_text(q, 2, d->message);
    put_text(q, 3, d->requirements);
    put_text(q, 4, d->command);
    put_text(q, 5, d->at);
    put_text(q, 6, d->inputs);
    put_text(q, 7, d->program);
    return finish(s, q, st);
}

static bool add_operand(struct store *s, const struct store_wrong *w, int k,
                        struct status *st)
{
    sqlite3_stmt *q = insertion(s, INSERT_OPERAND, st);
    if (!q)
        return false;
    const struct store_operand *o = &w->operands[k];
    sqlite3_bind_int64(q, 1, w->plan);
    sqlite3_bind_int(q, 2, w->n);
    sqlite3_bind_int(q, 3, k);
    put_text(q, 4, store_or_empty(o->type));
    sqlite3_bind_int64(q, 5, (int64_t)o->bits);
    put_int(q, 6, o->complex, (int64_t)o->imaginary);
    return finish(s, q, st);
}

bool store_wrong_add(struct store *s, const struct store_wrong *w,
                     struct status *st)
{
    sqlite3_stmt *q = insertion(s, INSERT_WRONG, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, w->plan);
    sqlite3_bind_int(q, 2, w->n);
    sqlite3_bind_int(q, 3, w->replica);
    sqlite3_bind_int(q, 4, w->output);
    put_text(q, 5, store_or_empty(w->place));
    put_text(q, 6, store_or_empty(w->type));
    sqlite3_bind_int64(q, 7, (int64_t)w->got);
    sqlite3_bind_int64(q, 8, (int64_t)w->want);
    put_int(q, 9, w->has_set, (int64_t)w->low);
    put_int(q, 10, w->has_set, (int64_t)w->high);
    put_text(q, 11, w->accept);
    put_size(q, 12, w->has_error, w->error_micro_ulps);
    put_size(q, 13, w->has_share, w->share_micro);
    TRY(finish(s, q, st));
    for (int k = 0; k < w->operand_count; k++)
        TRY(add_operand(s, w, k, st));
    return true;
}

bool store_bin_add(struct store *s, int64_t plan, int bin, int64_t count,
                   struct status *st)
{
    sqlite3_stmt *q = insertion(s, INSERT_BIN, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, plan);
    sqlite3_bind_int(q, 2, bin);
    sqlite3_bind_int64(q, 3, count);
    return finish(s, q, st);
}

bool store_remark_add(struct store *s, int64_t plan, const char *name,
                      int64_t units, struct status *st)
{
    sqlite3_stmt *q = insertion(s, INSERT_REMARK, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, plan);
    put_text(q, 2, name);
    sqlite3_bind_int64(q, 3, units);
    return finish(s, q, st);
}

bool store_cause_add(struct store *s, const struct store_cause *c,
                     struct status *st)
{
    sqlite3_stmt *q = insertion(s, INSERT_CAUSE, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, c->plan);
    sqlite3_bind_int(q, 2, c->n);
    put_text(q, 3, c->name);
    put_text(q, 4, c->text);
    sqlite3_bind_int64(q, 5, c->units);
    sqlite3_bind_int64(q, 6, c->moved);
    sqlite3_bind_int(q, 7, c->exact);
    return finish(s, q, st);
}

bool store_causes_delete(struct store *s, int64_t plan, struct status *st)
{
    sqlite3_stmt *q = insertion(s, DELETE_CAUSES, st);
    if (!q || !store_begin(s, st))
        return false;
    sqlite3_bind_int64(q, 1, plan);
    return finish(s, q, st);
}
