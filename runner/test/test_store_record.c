/* test_store_record.c - results.sql is written by hand: is it record.def?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/store/store_sweep.h"

/* The first number that a query gives. */
static int64_t ask(struct store *s, const char *sql)
{
    struct status st = {STATUS_OK};
    sqlite3_stmt *q = store_prepare(s, sql, &st);
    int64_t n = -1;
    if (q && sqlite3_step(q) == SQLITE_ROW)
        n = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return n;
}

static void check_column(struct store *s, const char *table,
                         const struct store_column *c)
{
    char sql[256];
    bool text = c->kind == RECORD_TEXT || c->kind == RECORD_WORD;
    bool null = c->kind == RECORD_TEXT || c->kind == RECORD_NATURAL || c->has;
    snprintf(sql, sizeof sql,
             "SELECT type = '%s' AND (pk OR \"notnull\" <> %d)"
             " FROM pragma_table_info('%s') WHERE name = '%s'",
             text ? "TEXT" : "INTEGER", null, table, c->name);
    EQ_INT(ask(s, sql), 1, "%s.%s is as record.def says", table, c->name);
}

/* What is written comes back, by the names of the columns. */
static void check_round(struct store *s)
{
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct store_operand in = {.plan = 1, .n = 2, .k = 3, .type = "c64"};
    struct store_operand out = {.k = 7};
    sqlite3_stmt *q = store_prepare(
        s, "SELECT NULL AS imaginary, 'c64' AS type, -1 AS bits, 3 AS other",
        &st);
    if (q && sqlite3_step(q) == SQLITE_ROW)
        store_record_read(&store_record_tables[STORE_OPERAND], &a, q, &out);
    OK(out.bits == UINT64_MAX && !out.has_imaginary && out.type
           && strcmp(out.type, in.type) == 0 && out.k == 7,
       "a query fills the members that it has");
    sqlite3_finalize(q);
    in.has_imaginary = true;
    in.imaginary = 5;
    q = store_prepare(s, store_record_tables[STORE_OPERAND].insert, &st);
    store_record_bind(&store_record_tables[STORE_OPERAND], q, &in);
    char *bound = sqlite3_expanded_sql(q);
    OK(bound && strstr(bound, "(1,2,3,'c64',0,5)"), "a row is bound in order");
    sqlite3_free(bound);
    sqlite3_finalize(q);
    arena_free(&a);
}

int main(void)
{
    static char folder[] = "/tmp/assay-test-record-XXXXXX", path[64];
    struct status st = {STATUS_OK};
    struct store *s;
    if (!mkdtemp(folder))
        return 99;
    snprintf(path, sizeof path, "%s/r.db", folder);
    OK(store_open(path, STORE_WRITE, &s, &st), "a database (%s)", st.text);
    for (int t = 0; t <= STORE_TABLES; t++) {
        const struct store_record *r = t < STORE_TABLES
                                           ? &store_record_tables[t]
                                           : &store_sweep_part_record;
        char sql[96];
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM pragma_table_info('%s')", r->name);
        EQ_INT(ask(s, sql), r->count, "%s has no other column", r->name);
        for (int i = 0; i < r->count; i++)
            check_column(s, r->name, &r->columns[i]);
    }
    check_round(s);
    OK(store_close(s, &st), "closed (%s)", st.text);
    unlink(path);
    rmdir(folder);
    return tap_done();
}
