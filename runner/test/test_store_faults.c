/* test_store_faults.c - what the database and the disk may do to a store.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Locks of others, a full disk, values and texts at the end of their range,
 * numbers that a damaged file may hold.  Expected results follow from SQLite's
 * documents: sqlite3_backup_finish() reports no lock, abs() of the least
 * integer is an error, a text has at most 10^9 bytes.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/store/store.h"
#include "runner/store/store_copy.h"

static char folder[] = "/tmp/assay-store-XXXXXX", path[128];

static const char *file_at(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* The first column of a query's first row; -99 if there is none. */
static int64_t ask(const char *database, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *q;
    int64_t value = -99;
    if (sqlite3_open_v2(database, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
        if (sqlite3_step(q) == SQLITE_ROW)
            value = sqlite3_column_int64(q, 0);
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
    return value;
}

/* A store with a run of so many cases; *plan is the first. */
static struct store *begin(const char *name, int count, int64_t *run,
                           int64_t *plan)
{
    struct status st = {0};
    struct store *s = NULL;
    const struct store_run info = {.plan_hash = "h"};
    bool good = store_open(file_at(name), STORE_WRITE, &s, &st)
                && store_run_begin(s, &info, run, &st);
    for (int i = 0; good && i < count; i++) {
        const struct store_plan row = {.file = "f", .name = "n", .op = "Add"};
        int64_t id;
        good = store_plan_add(s, &row, &id, &st);
        *plan = id - i;
    }
    OK(good && store_plan_end(s, &st), "%s: a run (%s)", name, st.text);
    return s;
}

static void locked(void)
{
    sqlite3 *from, *writer, *to;
    struct status st = {0};
    int64_t run, plan;
    struct store *s = begin("locked.db", 2, &run, &plan);
    OK(store_run_end(s, run, true, NULL, &st) && store_close(s, &st),
       "a finished database (%s)", st.text);
    sqlite3_open(path, &from);
    sqlite3_open(path, &writer);
    sqlite3_open(":memory:", &to);
    sqlite3_exec(writer, "BEGIN EXCLUSIVE", NULL, NULL, NULL);
    OK(!store_copy_pages(from, to), "what is locked is not copied in part");
    OK(store_intact(path, &st), "and in use, not damaged (%s)", st.text);
    sqlite3_exec(writer, "COMMIT", NULL, NULL, NULL);
    OK(store_copy_pages(from, to), "later all of it is");
    sqlite3_close(from);
    sqlite3_close(writer);
    sqlite3_close(to);
}

static void full(void)
{
    struct status st = {0}, after = {0};
    int64_t run, plan;
    char text[4096], few[64];
    struct store *s = begin("full.db", 200, &run, &plan);
    sqlite3 *db = store_handle(s);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    snprintf(few, sizeof few, "PRAGMA max_page_count = %d",
             (int)ask(path, "PRAGMA page_count") + 20);
    sqlite3_exec(db, few, NULL, NULL, NULL);
    bool good = true;
    int n = 0;
    for (; good && n < 200; n++) {
        const struct store_result r = {.plan = plan + n, .attempt = 1};
        const struct store_detail d = {.plan = plan + n, .message = text};
        good =
            store_result_add(s, &r, &st) && store_add(s, STORE_DETAIL, &d, &st);
    }
    OK(!good && st.code == STATUS_SYSTEM && strstr(st.text, "full"),
       "a full disk is the system's fault (%s)", st.text);
    sqlite3_exec(db, "PRAGMA max_page_count = 100000", NULL, NULL, NULL);
    OK(store_run_end(s, run, false, "the disk is full", &after)
           && store_close(s, &after),
       "when there is room again, the run ends (%s)", after.text);
    EQ_INT(ask(path, "SELECT state = 'stopped' AND note = 'the disk is full'"
                     " FROM run"),
           1, "and says why");
    EQ_INT(ask(path, "SELECT count(*) FROM result WHERE plan NOT IN"
                     " (SELECT plan FROM detail)"),
           0, "and there is no half of a result");
}

static void extremes(void)
{
    static const char euro[] = "\xe2\x82\xac"; /* 3 bytes */
    enum {
        CHARACTERS = 23 << 20
    };
    struct status st = {0};
    int64_t run, plan;
    struct store *s = begin("extremes.db", 2, &run, &plan);
    char *text = malloc((size_t)CHARACTERS * 3 + 1);
    for (size_t i = 0; i < CHARACTERS; i++)
        memcpy(text + 3 * i, euro, 4);
    const struct store_result r = {.plan = plan,
                                   .attempt = 1,
                                   .units = INT64_MAX,
                                   .has_error = true,
                                   .error = INT64_MIN,
                                   .has_share = true,
                                   .share = INT64_MIN};
    const struct store_wrong w = {.plan = plan,
                                  .got = UINT64_MAX,
                                  .has_error = true,
                                  .error = INT64_MIN,
                                  .has_share = true,
                                  .share = INT64_MIN};
    const struct store_detail d = {.plan = plan, .message = text};
    OK(store_result_add(s, &r, &st) && store_wrong_add(s, &w, &st)
           && store_add(s, STORE_DETAIL, &d, &st)
           && store_run_end(s, run, true, NULL, &st) && store_close(s, &st),
       "values at the end of their range (%s)", st.text);
    for (int i = 0; i < 4; i++) {
        char sql[96];
        snprintf(sql, sizeof sql, "SELECT max(abs(%s)) FROM %s",
                 i % 2 ? "share" : "error", i < 2 ? "result" : "wrong");
        EQ_INT(ask(path, sql), INT64_MAX, "%s", sql);
    }
    EQ_INT(ask(path, "SELECT got FROM wrong"), -1, "all bits");
    int64_t bytes = ask(path, "SELECT length(CAST(message AS BLOB))"
                              " FROM detail");
    OK(bytes > 60 << 20 && bytes < 3 * CHARACTERS && bytes % 3 == 0,
       "a text that is not read to its end is cut between two characters");
    free(text);
}

/* What a damaged file says of a plan must not be asked of memory. */
static void lying(void)
{
    static const char *const lies[] = {
        "plan_count = 9223372036854775807", "plan_count = -1",
        "plan_first = -9223372036854775807 - 1", "plan_first = 0",
        "plan_count = 1000000000000000"};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct status st = {0};
        struct store_resumed r;
        struct arena a = ARENA_INIT;
        char sql[96];
        int64_t run, plan;
        struct store *s = begin("lying.db", 3, &run, &plan);
        OK(store_run_end(s, run, false, NULL, &st) && store_close(s, &st),
           "a run that stopped (%s)", st.text);
        snprintf(sql, sizeof sql, "UPDATE run SET %s", lies[i]);
        ask(path, sql);
        OK(!(store_open(path, STORE_WRITE, &s, &st)
             && store_resume(s, &a, "h", 0, 0, &r, &st))
               && st.code == STATUS_INPUT && strstr(st.text, "damaged"),
           "%s: %s", lies[i], st.text);
        store_close(s, &st);
        arena_free(&a);
        unlink(path);
    }
}

int main(void)
{
    if (!mkdtemp(folder))
        return 99;
    locked();
    full();
    extremes();
    lying();
    static const char *const names[] = {"locked.db", "full.db", "extremes.db"};
    for (int i = 0; i < 3; i++)
        unlink(file_at(names[i]));
    rmdir(folder);
    return tap_done();
}
