/* test_store.c - the results database, with files of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values are those put in, the rows of verdict.def, and SQLite's file
 * format (the header's application id and user version).
 */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interp/base/json.h"
#include "interp/judge/verdict.h"
#include "interp/test/tap.h"
#include "runner/store/store.h"
#include "runner/store/store_schema.h"

static char folder[64], path[128];

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
    if (sqlite3_open_v2(database, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
        if (sqlite3_step(q) == SQLITE_ROW)
            value = sqlite3_column_int64(q, 0);
        sqlite3_finalize(q);
    }
    sqlite3_close(db);
    return value;
}

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        exit(99);
}

static size_t read_file(const char *name, unsigned char *data, size_t room)
{
    FILE *f = fopen(name, "rb");
    size_t n = f ? fread(data, 1, room, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static int64_t begin(struct store *s, const char *hash, int rows,
                     struct status *st)
{
    struct store_property property = {"flags", "-O2"};
    struct store_run info = {.suite_version = "0.1.0",
                             .plan_hash = hash,
                             .seed = UINT64_MAX,
                             .jobs = 2,
                             .profile = "spec",
                             .profile_json = "{}",
                             .backend = "native",
                             .property_count = 1,
                             .properties = &property};
    int64_t run = 0, plan;
    OK(store_run_begin(s, &info, &run, st), "a run begins (%s)", st->text);
    for (int i = 0; i < rows; i++) {
        char name[32];
        snprintf(name, sizeof name, "case@N=%d", i);
        struct store_plan p = {.file = i < 2 ? "Add/shapes" : "Sin/rounding",
                               .name = name,
                               .variant = i & 1,
                               .op = i < 2 ? "Add" : "Sin",
                               .type = i == 2 ? NULL : "f32",
                               .tier = "quick"};
        if (!store_plan_add(s, &p, &plan, st))
            return 0;
    }
    OK(store_plan_end(s, st), "its plan is whole (%s)", st->text);
    return run;
}

static int64_t first_plan(const char *database, int64_t run)
{
    char sql[96];
    snprintf(sql, sizeof sql, "SELECT plan_first FROM run WHERE id = %lld",
             (long long)run);
    return ask(database, sql);
}

static bool add_one(struct store *s, int64_t plan, int verdict, int attempt,
                    struct status *st)
{
    struct store_result r = {.plan = plan,
                             .status = verdict,
                             .attempt = attempt,
                             .units = 10,
                             .correct = 9,
                             .has_error = true,
                             .error = -1500000,
                             .worst_unit = 3,
                             .worst_input = "f32:3f800000"};
    return store_result_add(s, &r, st);
}

/* ---- A run from beginning to end ----------------------------------------- */

static void check_rows(const char *db)
{
    EQ_INT(ask(db, "SELECT count(*) FROM outcome"), 4, "four rows planned");
    EQ_INT(ask(db, "SELECT count(*) FROM outcome WHERE status = 'missing'"), 1,
           "a planned case without a result is missing");
    EQ_INT(ask(db, "SELECT failure FROM outcome WHERE status = 'missing'"), 1,
           "which is a failure");
    EQ_INT(ask(db, "SELECT count(*) FROM outcome"
                   " WHERE name = 'Add/shapes/case@N=1#constant'"),
           1, "a name has its file before it and its variant after it");
    EQ_INT(ask(db, "SELECT error FROM outcome WHERE status = 'fail'"), -1500000,
           "the error keeps its sign");
    EQ_INT(ask(db, "SELECT got = -1 AND low IS NULL FROM wrong"), 1,
           "64 bits are kept, an absent set is NULL");
    EQ_INT(ask(db, "SELECT imaginary FROM operand WHERE k = 1"), 7,
           "a complex operand keeps both parts");
    EQ_INT(ask(db, "SELECT count FROM bin WHERE bin = -13"), 5,
           "the histogram's row");
    EQ_INT(ask(db, "SELECT seed = '18446744073709551615' FROM run"), 1,
           "a seed has all its 64 bits");
    EQ_INT(ask(db, "SELECT length(uuid) FROM run"), 36, "a run has a uuid");
    EQ_INT(ask(db, "SELECT value = '-O2' FROM property"), 1,
           "the backend's property");
    EQ_INT(ask(db, "SELECT state = 'complete' AND finished >= started"
                   " FROM run"),
           1, "the run is complete");
}

static void test_run(void)
{
    struct status st = {0};
    struct store *s;
    const char *db = file_at("run.db");
    OK(store_open(db, STORE_WRITE, &s, &st), "a database is made (%s)",
       st.text);
    int64_t run = begin(s, "h", 4, &st), plan = first_plan(db, run);
    OK(add_one(s, plan, 0, 1, &st) && add_one(s, plan + 1, 2, 1, &st)
           && add_one(s, plan + 2, 1, 1, &st),
       "three results (%s)", st.text);
    OK(add_one(s, plan + 1, 2, 1, &st), "one of them again (%s)", st.text);
    struct store_detail d = {.plan = plan + 1, .message = "wrong"};
    OK(store_add(s, STORE_DETAIL, &d, &st), "a detail (%s)", st.text);
    struct store_operand operand[] = {
        {.type = "f32", .bits = 1},
        {.type = "c64", .bits = 2, .has_imaginary = true, .imaginary = 7}};
    struct store_wrong w = {.plan = plan + 1,
                            .place = "[3]",
                            .type = "f64",
                            .got = UINT64_MAX,
                            .operand_count = 2,
                            .operands = operand};
    OK(store_wrong_add(s, &w, &st), "a wrong unit (%s)", st.text);
    struct store_bin bin = {.plan = plan + 1, .bin = -13, .count = 5};
    OK(store_add(s, STORE_BIN, &bin, &st), "a bin (%s)", st.text);
    OK(!add_one(s, plan + 4, 0, 1, &st), "no result for what is not planned");
    st = (struct status){0};
    OK(store_run_end(s, run, true, NULL, &st), "the run ends (%s)", st.text);
    OK(store_close(s, &st), "the store closes (%s)", st.text);
    check_rows(db);
    char side[160];
    snprintf(side, sizeof side, "%s-wal", db);
    OK(access(side, F_OK) != 0, "a finished database is one file: no journal");
    snprintf(side, sizeof side, "%s-lock", db);
    OK(access(side, F_OK) != 0, "and no lock");
}

static void test_attempts(void)
{
    struct status st = {0};
    struct store *s;
    const char *db = file_at("attempts.db");
    OK(store_open(db, STORE_WRITE, &s, &st), "a database (%s)", st.text);
    int64_t run = begin(s, "h", 2, &st), plan = first_plan(db, run);
    OK(add_one(s, plan, 2, 1, &st)
           && store_add(s, STORE_DETAIL, &(struct store_detail){.plan = plan},
                        &st)
           && store_add(s, STORE_BIN, &(struct store_bin){.plan = plan}, &st),
       "a failed attempt (%s)", st.text);
    OK(add_one(s, plan, 0, 2, &st), "a second one (%s)", st.text);
    OK(store_run_end(s, run, false, "why", &st) && store_close(s, &st),
       "closed (%s)", st.text);
    EQ_INT(ask(db, "SELECT attempt FROM result"), 2, "the second stands");
    EQ_INT(ask(db, "SELECT (SELECT count(*) FROM detail)"
                   " + (SELECT count(*) FROM bin)"),
           0, "nothing is left of the first");
    EQ_INT(ask(db, "SELECT note = 'why' AND state = 'stopped' FROM run"), 1,
           "a stopped run says why");
}

/* ---- The tables agree ---------------------------------------------------- */

static void test_verdicts(void)
{
    struct status st = {0};
    struct store *s;
    const char *db = file_at("verdicts.db");
    OK(store_open(db, STORE_WRITE, &s, &st) && store_close(s, &st), "made");
    int n = 0;
    char sql[256];
#define VERDICT(id, text, failure, tap, junit, colour, meaning) \
    sqlite3_snprintf(sizeof sql, sql, \
                     "SELECT name = %Q AND failure = %d AND meaning = %Q" \
                     " FROM status WHERE id = %d", \
                     text, failure, meaning, ++n); \
    EQ_INT(ask(db, sql), 1, "status %s is row %d of verdict.def", text, n);
#include "interp/judge/verdict.def"
#undef VERDICT
    EQ_INT(ask(db, "SELECT count(*) FROM status"), n, "and no more");
    snprintf(sql, sizeof sql,
             "SELECT sql LIKE '%%status BETWEEN 1 AND %d)%%' FROM sqlite_schema"
             " WHERE name = 'result'",
             n);
    EQ_INT(ask(db, sql), 1, "the CHECK of result.status covers them");
}

static void test_bins(void)
{
    /* By the definition in results.sql, by hand. */
    EQ_INT(verdict_bin(0), 0, "no error");
    EQ_INT(verdict_bin(1), 1, "the least error");
    EQ_INT(verdict_bin(125000), 1, "an eighth");
    EQ_INT(verdict_bin(125001), 2, "more than an eighth");
    EQ_INT(verdict_bin(-500000), -4, "minus a half");
    EQ_INT(verdict_bin(8000000), 64, "8 ulps");
    EQ_INT(verdict_bin(8000001), 65, "more than 8");
    EQ_INT(verdict_bin(16000000), 65, "16 ulps");
    EQ_INT(verdict_bin(16000001), 66, "more than 16");
    OK(verdict_bin(INT64_MAX) <= VERDICT_BIN_LAST
           && verdict_bin(INT64_MIN) >= -VERDICT_BIN_LAST,
       "the largest errors have bins");
    bool good = true;
    for (int64_t e = 1; e < INT64_MAX / 3; e *= 3)
        good = good && verdict_bin(e) <= verdict_bin(3 * e)
               && verdict_bin(-e) == -verdict_bin(e);
    OK(good, "bins are monotone and symmetric");
}

/* ---- What is not ours ---------------------------------------------------- */

/* Opening must fail with INPUT and those words, and change nothing. */
static void refuse(const char *what, const char *database, const char *words)
{
    static unsigned char before[1 << 20], after[1 << 20];
    size_t size = read_file(database, before, sizeof before);
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        struct status st = {0};
        struct store *s;
        OK(!store_open(database, (enum store_mode)mode, &s, &st) && !s,
           "%s is refused", what);
        OK(st.code == STATUS_INPUT && strstr(st.text, words), "with words (%s)",
           st.text);
        EQ_STR(st.path, database, "and its path");
        size_t now = read_file(database, after, sizeof after);
        OK(now == size && memcmp(before, after, size) == 0,
           "and left as it was");
        char lock[160];
        snprintf(lock, sizeof lock, "%s-lock", database);
        OK(access(lock, F_OK) != 0, "with no lock left behind");
    }
}

static void test_foreign(void)
{
    struct status st = {0};
    struct store *s;
    sqlite3 *db;
    const char *name = file_at("text");
    write_file(name, "hello\n", 6);
    refuse("a text", name, "not a results database");
    name = file_at("foreign.db");
    sqlite3_open(name, &db);
    sqlite3_exec(db, "CREATE TABLE run (x)", NULL, NULL, NULL);
    sqlite3_close(db);
    refuse("a database of others", name, "not of results");
    refuse("a folder", folder, "not a regular file");

    name = file_at("newer.db");
    OK(store_open(name, STORE_WRITE, &s, &st) && store_close(s, &st), "made");
    sqlite3_open(name, &db);
    sqlite3_exec(db, "PRAGMA user_version = 999", NULL, NULL, NULL);
    sqlite3_close(db);
    refuse("a newer one", name, "newer assay: schema version 999");
    sqlite3_open(name, &db);
    sqlite3_exec(db, "PRAGMA user_version = 1; DROP TABLE result", NULL, NULL,
                 NULL);
    sqlite3_close(db);
    refuse("one that lacks a table", name, "is damaged");
    OK(!store_open(file_at("none.db"), STORE_READ, &s, &st)
           && st.code == STATUS_INPUT,
       "a missing one is not made by reading (%s)", st.text);
    OK(access(file_at("none.db"), F_OK) != 0, "indeed");
}

static void test_damaged(void)
{
    static unsigned char data[1 << 20];
    struct status st = {0};
    struct store *s;
    const char *name = file_at("damaged.db");
    OK(store_open(name, STORE_WRITE, &s, &st), "made (%s)", st.text);
    begin(s, "h", 3000, &st);
    store_close(s, &st);
    size_t size = read_file(name, data, sizeof data);
    OK(size > 8 * 4096, "of several pages");
    unsigned char page[4096];
    memcpy(page, data + size - 3 * 4096, 4096);
    memset(data + size - 3 * 4096, 0xa5, 4096);
    write_file(name, data, size);
    refuse("one with a bad page", name, "is damaged");
    memcpy(data + size - 3 * 4096, page, 4096);
    write_file(name, data, size / 2 / 4096 * 4096);
    refuse("a truncated one", name, "is damaged");
    /* Whatever byte is wrong, opening ends, with or without a message. */
    for (size_t at = 0; at < 100; at++) {
        unsigned char was = data[at];
        data[at] ^= 0xff;
        write_file(name, data, size);
        st = (struct status){0};
        if (store_open(name, STORE_READ, &s, &st))
            store_close(s, &st);
        data[at] = was;
    }
    OK(true, "every byte of the header may be wrong");
    write_file(name, "", 0);
    OK(store_open(name, STORE_WRITE, &s, &(struct status){0})
           && store_close(s, &st),
       "an empty file may become a database");
    sqlite3 *db;
    name = file_at("killed.db");
    sqlite3_open(name, &db);
    sqlite3_exec(db, "PRAGMA application_id = 0x41737361", NULL, NULL, NULL);
    sqlite3_close(db);
    st = (struct status){0};
    OK(!store_open(name, STORE_READ, &s, &st) && strstr(st.text, "is empty"),
       "one without tables has nothing to read (%s)", st.text);
    OK(store_open(name, STORE_WRITE, &s, &(struct status){0})
           && store_close(s, &st),
       "one without tables may become a database");
    OK(store_open(name, STORE_READ, &s, &(struct status){0})
           && store_close(s, &st),
       "and is one then");
}

/* ---- Versions ------------------------------------------------------------ */

enum {
    NOW = STORE_SCHEMA_VERSION /* three made-up versions follow it */
};

static const char *step(int version)
{
    static const char *const steps[] = {
        "ALTER TABLE run ADD COLUMN colour TEXT DEFAULT 'blue'",
        "UPDATE run SET colour = 'red'; CREATE TABLE extra (x)",
        "CREATE TABLE half (x); SELECT nonsense",
    };
    return version >= NOW && version < NOW + 3 ? steps[version - NOW] : NULL;
}

static void test_versions(void)
{
    struct status st = {0};
    struct store *s;
    sqlite3 *db;
    const char *name = file_at("versions.db");
    OK(store_open(name, STORE_WRITE, &s, &st), "made (%s)", st.text);
    begin(s, "h", 1, &st);
    store_close(s, &st);
    sqlite3_open(name, &db);
    OK(store_schema_upgrade(db, NOW + 2, step, &st), "two steps (%s)", st.text);
    EQ_INT(store_schema_version(db), NOW + 2, "the version says so");
    OK(!store_schema_upgrade(db, NOW + 3, step, &st), "a step that fails (%s)",
       st.text);
    EQ_INT(store_schema_version(db), NOW + 2, "is taken back");
    sqlite3_close(db);
    EQ_INT(ask(name, "SELECT colour = 'red' FROM run"), 1, "rows are kept");
    EQ_INT(ask(name, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'"),
           0, "nothing is left of the failed step");
}

/* A database of version 1 lacks the table remark: reading and writing bring it
 * up to date, and reading leaves the file alone. */
static void test_version_1(void)
{
    struct status st = {0};
    struct store *s;
    sqlite3 *db;
    const char *name = file_at("version1.db");
    OK(store_open(name, STORE_WRITE, &s, &st), "made (%s)", st.text);
    begin(s, "h", 1, &st);
    store_close(s, &st);
    sqlite3_open(name, &db);
    sqlite3_exec(db,
                 "DROP TABLE remark; DROP TABLE cause; DROP TABLE identity;"
                 "ALTER TABLE run DROP COLUMN shard;"
                 "ALTER TABLE run DROP COLUMN shards;"
                 "ALTER TABLE run DROP COLUMN whole;"
                 "ALTER TABLE plan DROP COLUMN place;"
                 "ALTER TABLE plan DROP COLUMN shard;"
                 "ALTER TABLE sweep DROP COLUMN hunt;"
                 "ALTER TABLE sweep_part DROP COLUMN worst_second;"
                 "ALTER TABLE sweep_part DROP COLUMN breaks;"
                 "ALTER TABLE sweep_part DROP COLUMN break_input;"
                 "ALTER TABLE sweep_part DROP COLUMN first_result;"
                 "ALTER TABLE sweep_part DROP COLUMN last_result;"
                 "PRAGMA user_version = 1",
                 NULL, NULL, NULL);
    sqlite3_close(db);
    OK(store_open(name, STORE_READ, &s, &st), "version 1 is read (%s)",
       st.text);
    OK(sqlite3_exec(store_handle(s), "SELECT * FROM remark", NULL, NULL, NULL)
           == SQLITE_OK,
       "as if it had remarks");
    OK(sqlite3_exec(store_handle(s), "SELECT * FROM cause", NULL, NULL, NULL)
           == SQLITE_OK,
       "and causes");
    store_close(s, &st);
    EQ_INT(ask(name, "PRAGMA user_version"), 1, "and is not changed by that");
    OK(store_open(name, STORE_WRITE, &s, &st), "and written to (%s)", st.text);
    store_close(s, &st);
    EQ_INT(ask(name, "PRAGMA user_version"), NOW,
           "which brings it to this version");
    EQ_INT(ask(name, "SELECT count(*) FROM plan"), 1, "with its rows");
}

/* ---- Several processes --------------------------------------------------- */

/* The writing process: half of its results, then it waits to be killed. */
static bool write_half(const char *name, int rows)
{
    struct status st = {0};
    struct store *s;
    int64_t run = 0, plan = 0;
    struct store_run info = {.plan_hash = "same"};
    struct store_plan p = {
        .file = "f", .name = "n", .op = "Add", .type = "f32"};
    TRY(store_open(name, STORE_WRITE, &s, &st));
    TRY(store_run_begin(s, &info, &run, &st));
    for (int i = 0; i < rows; i++)
        TRY(store_plan_add(s, &p, &plan, &st));
    TRY(store_plan_end(s, &st));
    for (int i = 0; i < rows / 2; i++)
        TRY(add_one(s, plan - rows + 1 + i, 0, 1, &st));
    struct timespec rest = {0, 60 * 1000 * 1000};
    nanosleep(&rest, NULL);
    return store_tick(s, &st);
}

static pid_t start_writer(const char *name, int rows)
{
    int pipes[2];
    char c;
    fflush(stdout);
    if (pipe(pipes) != 0)
        exit(99);
    pid_t pid = fork();
    if (pid == 0) {
        c = write_half(name, rows) ? 'y' : 'n';
        if (write(pipes[1], &c, 1) != 1)
            _exit(9);
        for (;;)
            pause();
    }
    if (read(pipes[0], &c, 1) != 1 || c != 'y')
        exit(99);
    close(pipes[0]);
    close(pipes[1]);
    return pid;
}

static void test_resume(const char *name)
{
    struct status st = {0};
    struct store *s;
    struct arena a = ARENA_INIT;
    struct store_resumed r;
    OK(store_open(name, STORE_WRITE, &s, &st), "its lock is gone (%s)",
       st.text);
    OK(store_resume(s, &a, "other", 0, 0, &r, &st) && r.run == 0
           && store_resume(s, &a, "same", 1, 2, &r, &st) && r.run == 0,
       "another plan is not resumed, nor a whole run as a shard");
    OK(store_resume(s, &a, "same", 0, 0, &r, &st) && r.run == 1, "the same is");
    EQ_INT(r.count, 5000, "its plan");
    EQ_INT(r.done_count, 2500, "what is done of it");
    OK(r.done[0] && r.done[2499] && !r.done[2500], "and which");
    OK(add_one(s, r.first + 2500, 0, 1, &st), "it continues (%s)", st.text);
    OK(store_run_end(s, r.run, true, NULL, &st) && store_close(s, &st),
       "and ends (%s)", st.text);
    EQ_INT(ask(name, "SELECT count(*) FROM result"), 2501, "with one more");
    OK(store_open(name, STORE_WRITE, &s, &st)
           && store_resume(s, &a, "same", 0, 0, &r, &st) && r.run == 0,
       "a complete run is not resumed");
    int64_t run = begin(s, "second", 4, &st);
    OK(store_close(s, &st), "a second run in it (%s)", st.text);
    EQ_INT(run, 2, "has the next number");
    EQ_INT(first_plan(name, 2), 5001, "and the next rows");
    arena_free(&a);
}

static void test_processes(void)
{
    struct status st = {0};
    struct store *s;
    const char *name = file_at("processes.db");
    pid_t pid = start_writer(name, 5000);
    OK(!store_open(name, STORE_WRITE, &s, &st) && st.code == STATUS_SYSTEM,
       "there is one writer");
    char who[32];
    snprintf(who, sizeof who, "process %ld ", (long)pid);
    OK(strstr(st.text, who), "and it is named (%s)", st.text);
    st = (struct status){0};
    OK(store_open(name, STORE_READ, &s, &st), "readers go on (%s)", st.text);
    store_close(s, &st);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    EQ_INT(ask(name, "SELECT count(*) FROM result"), 2500,
           "a killed writer loses no row that is older than 50 ms");
    EQ_INT(ask(name, "SELECT count(*) FROM run WHERE state = 'running'"), 1,
           "its run is unfinished");
    test_resume(name);
}

/* A plan that was begun, and no more, leaves nothing. */
static void test_half_plan(void)
{
    struct status st = {0};
    struct store *s;
    int64_t run, plan;
    const char *name = file_at("half.db");
    OK(store_open(name, STORE_WRITE, &s, &st)
           && store_run_begin(s, &(struct store_run){.plan_hash = "h"}, &run,
                              &st)
           && store_plan_add(
               s, &(struct store_plan){.file = "f", .name = "n", .op = "Add"},
               &plan, &st)
           && store_close(s, &st),
       "half a plan (%s)", st.text);
    EQ_INT(ask(name, "SELECT count(*) FROM run"), 0, "is no run");
}

static void test_host(void)
{
    struct arena a = ARENA_INIT;
    struct status st = {0};
    const struct json *root;
    const char *text = store_host(&a, "off", "none");
    const char *features = NULL;
    int64_t n = 0;
    OK(json_parse(&a, "host", text, strlen(text), &root, &st)
           && json_int(&a, json_member(root, "processors"), &n, &st) && n > 0,
       "the host's facts are JSON (%s)", text);
    OK(json_string(&a, json_member(root, "features"), &features, &st),
       "the processor's features are text (%s)", st.text);
#ifdef __x86_64__
    EQ_INT(features && strstr(features, "avx2") != NULL,
           __builtin_cpu_supports("avx2") != 0,
           "avx2 is named where the compiler's own check finds it");
#endif
    arena_free(&a);
}

int main(void)
{
    snprintf(folder, sizeof folder, "/tmp/assay-test-store-XXXXXX");
    if (!mkdtemp(folder))
        return 99;
    test_run();
    test_attempts();
    test_verdicts();
    test_bins();
    test_foreign();
    test_damaged();
    test_versions();
    test_version_1();
    test_processes();
    test_half_plan();
    test_host();
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? tap_done() : 99;
}
