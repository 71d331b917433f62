/* bench_store.c - rows a second of the store against a bare insert loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_store [ROWS] [DIRECTORY]
 *
 * Both write the same plan and result rows with prepared statements.  The bare
 * loop has no dictionary, no commits but at the end, and checks nothing.
 * Prints the two speeds, their ratio, and megabytes a million rows.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/base/embed.h"
#include "runner/store/store.h"
#include "tools/benches/bench.h"

static const char *const ops[] = {"Add", "Sin", "DotGeneral", "Reduce"};
static const char *const types[] = {"f32", "bf16", "f64", "s32"};

static void name_of(char name[48], long i)
{
    snprintf(name, 48, "outer@T=%s,N=%ld", types[i / 4 % 4], i);
}

static void die(const char *what, const char *why)
{
    fprintf(stderr, "bench_store: %s: %s\n", what, why);
    exit(2);
}

static double bare(const char *path, long rows)
{
    sqlite3 *db;
    sqlite3_stmt *plan, *result;
    unlink(path);
    if (sqlite3_open(path, &db) != SQLITE_OK
        || sqlite3_exec(db, embed_find("spec/results.sql")->text, 0, 0, 0)
               != SQLITE_OK
        || sqlite3_exec(db,
                        "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
                        0, 0, 0)
               != SQLITE_OK
        || sqlite3_prepare_v2(
               db, "INSERT INTO plan VALUES (?,?,?,?,?,?,?,NULL,NULL)", -1,
               &plan, 0)
               != SQLITE_OK
        || sqlite3_prepare_v2(
               db, "INSERT INTO result VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
               &result, 0)
               != SQLITE_OK)
        die(path, sqlite3_errmsg(db));
    double start = bench_wall();
    sqlite3_exec(db, "BEGIN", 0, 0, 0);
    for (long i = 0; i < rows; i++) {
        char name[48];
        name_of(name, i);
        sqlite3_bind_int64(plan, 1, i + 1);
        sqlite3_bind_int64(plan, 2, i / 4096 % 4 + 1);
        sqlite3_bind_text(plan, 3, name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(plan, 4, i & 1);
        sqlite3_bind_int64(plan, 5, i / 4096 % 4 + 1);
        sqlite3_bind_int64(plan, 6, i / 4 % 4 + 1);
        sqlite3_bind_int64(plan, 7, 1);
        sqlite3_step(plan);
        sqlite3_reset(plan);
    }
    sqlite3_exec(db, "COMMIT; BEGIN", 0, 0, 0);
    for (long i = 0; i < rows; i++) {
        sqlite3_bind_int64(result, 1, i + 1);
        sqlite3_bind_int64(result, 2, 1);
        sqlite3_bind_int64(result, 3, 1);
        sqlite3_bind_int64(result, 4, 1000 + i % 100000);
        sqlite3_bind_int64(result, 5, 1024);
        sqlite3_bind_int64(result, 6, 1000);
        sqlite3_bind_int64(result, 7, 0);
        sqlite3_bind_int64(result, 8, 0);
        sqlite3_bind_int64(result, 9, 730000 + i);
        sqlite3_bind_int64(result, 11, i % 1024);
        sqlite3_bind_text(result, 12, "f32:3f800000", -1, SQLITE_STATIC);
        sqlite3_step(result);
        sqlite3_reset(result);
    }
    sqlite3_exec(db, "COMMIT", 0, 0, 0);
    double taken = bench_wall() - start;
    sqlite3_finalize(plan);
    sqlite3_finalize(result);
    sqlite3_close(db);
    return taken;
}

static double ours(const char *path, long rows)
{
    struct status st = {0};
    struct store *s;
    int64_t run, id;
    unlink(path);
    if (!store_open(path, STORE_WRITE, &s, &st))
        die(path, st.text);
    double start = bench_wall();
    if (!store_run_begin(s, &(struct store_run){.plan_hash = "x"}, &run, &st))
        die(path, st.text);
    for (long i = 0; i < rows; i++) {
        char name[48];
        name_of(name, i);
        struct store_plan p = {.file = ops[i / 4096 % 4],
                               .name = name,
                               .variant = i & 1,
                               .op = ops[i / 4096 % 4],
                               .type = types[i / 4 % 4],
                               .tier = "default"};
        if (!store_plan_add(s, &p, &id, &st))
            die(path, st.text);
    }
    if (!store_plan_end(s, &st))
        die(path, st.text);
    for (long i = 0; i < rows; i++) {
        struct store_result r = {.plan = i + 1,
                                 .attempt = 1,
                                 .time = 1000 + i % 100000,
                                 .units = 1024,
                                 .correct = 1000,
                                 .has_error = true,
                                 .error = 730000 + i,
                                 .worst_unit = i % 1024,
                                 .worst_input = "f32:3f800000"};
        if (!store_result_add(s, &r, &st))
            die(path, st.text);
    }
    if (!store_run_end(s, run, true, NULL, &st))
        die(path, st.text);
    double taken = bench_wall() - start;
    if (!store_close(s, &st))
        die(path, st.text);
    return taken;
}

int main(int argc, char **argv)
{
    long rows = argc > 1 ? strtol(argv[1], NULL, 10) : 200000;
    const char *folder = argc > 2 ? argv[2] : "/tmp";
    char a[512], b[512];
    snprintf(a, sizeof a, "%s/assay-bench-bare-%ld.db", folder, (long)getpid());
    snprintf(b, sizeof b, "%s/assay-bench-ours-%ld.db", folder, (long)getpid());
    if (rows < 1)
        die("usage", "bench_store [ROWS] [DIRECTORY]");
    double plain = bare(a, rows), taken = ours(b, rows);
    struct stat about;
    if (stat(b, &about) != 0)
        die(b, "no database");
    printf("bare   %.0f rows/s\n", 2 * (double)rows / plain);
    printf("store  %.0f rows/s\n", 2 * (double)rows / taken);
    printf("ratio  %.2f\n", plain / taken);
    printf("size   %.1f MB a million cases\n",
           (double)about.st_size / (double)rows);
    unlink(a);
    unlink(b);
    return 0;
}
