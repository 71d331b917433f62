/* fuzz_database.c - a results database with anything in it, to all who read it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says what the others are: the file itself; bytes put into a
 * valid one; or values put into its columns, without a constraint, which no
 * SQLite would call damage.  report in every form, diff, gate and expect must
 * end with an exit status that is documented.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/judge/verdict.h"
#include "runner/store/store.h"
#include "tools/verbs/command.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum {
    FILE_MAX = 1 << 20,
    VALUES_MAX = 16
};

static char path[] = "/tmp/assay-fuzz-XXXXXX", valid[64];
static unsigned char template[FILE_MAX];
static size_t template_bytes;
static int nowhere;

static void end(void)
{
    unlink(path);
    unlink(valid);
}

/* ---- A valid database ---------------------------------------------------- */

static bool add_case(struct store *s, int i, struct status *st)
{
    struct store_result r = {.plan = i + 1,
                             .status = i % 3 ? 2 : 0,
                             .attempt = 1,
                             .units = 3,
                             .correct = i,
                             .bad = i % 3,
                             .has_error = true,
                             .error = 1500000 * i,
                             .worst_input = "f32:3f800000 f32:40000000"};
    struct store_detail d = {.plan = i + 1,
                             .message = "1 of 3 units are wrong",
                             .requirements = "Add.value",
                             .command = "assay run --filter x",
                             .at = "cases/Add/rules.json:1:2",
                             .inputs =
                                 "[{\"shape\": \"f32[1]\", \"data\": [1]}]",
                             .program = "{\"op\": \"Add\"}"};
    struct store_operand o = {.type = "f32", .bits = 0x3f800000};
    struct store_wrong w = {.plan = i + 1,
                            .place = "[0]",
                            .type = "f32",
                            .got = 0x7fc00000,
                            .want = 0x3f800000,
                            .has_low = true,
                            .has_high = true,
                            .low = 0x3f7fffff,
                            .high = 0x3f800001,
                            .has_error = true,
                            .error = -2500000,
                            .operand_count = 1,
                            .operands = &o};
    TRY(store_result_add(s, &r, st));
    TRY(store_add(s, STORE_BIN,
                  &(struct store_bin){.plan = i + 1,
                                      .bin = verdict_bin(1500000 * i),
                                      .count = 3},
                  st));
    return i % 3 == 0
           || (store_add(s, STORE_DETAIL, &d, st)
               && store_wrong_add(s, &w, st));
}

static bool fill(struct store *s, struct status *st)
{
    static const char *const names[] = {"a", "b@T=f32", "c", "d", "e"};
    struct store_property p = {"device", "none"};
    struct store_run run = {.suite_version = "1",
                            .case_set_hash = "0",
                            .plan_hash = "1",
                            .tier = "quick",
                            .jobs = 1,
                            .profile = "spec",
                            .profile_json = "{}",
                            .command = "assay run",
                            .host = "{\"cpu\": \"x\"}",
                            .backend = "mine",
                            .backend_version = "1",
                            .backend_path = "mine.so",
                            .property_count = 1,
                            .properties = &p};
    int64_t number, plan;
    TRY(store_run_begin(s, &run, &number, st));
    for (int i = 0; i < 5; i++) {
        struct store_plan c = {.file = i < 3 ? "Add/rules" : "Sin/random",
                               .name = names[i],
                               .variant = i == 2,
                               .op = i < 3 ? "Add" : "Sin",
                               .type = i == 4 ? NULL : "f32",
                               .tier = "quick"};
        TRY(store_plan_add(s, &c, &plan, st));
    }
    TRY(store_plan_end(s, st));
    for (int i = 0; i < 4; i++)
        TRY(add_case(s, i, st));
    return store_run_end(s, number, true, NULL, st);
}

static void make_template(void)
{
    struct status st = {STATUS_OK};
    struct store *s;
    int fd = mkstemp(path);
    snprintf(valid, sizeof valid, "%s.valid", path);
    nowhere = open("/dev/null", O_WRONLY);
    if (fd < 0 || nowhere < 0)
        abort();
    close(fd);
    if (!store_open(valid, STORE_WRITE, &s, &st) || !fill(s, &st)
        || !store_close(s, &st)) {
        fprintf(stderr, "%s\n", st.text);
        abort();
    }
    FILE *f = fopen(valid, "rb");
    template_bytes = f ? fread(template, 1, sizeof template, f) : 0;
    if (!template_bytes || fclose(f) != 0)
        abort();
    atexit(end);
}

/* ---- What is wrong with it ----------------------------------------------- */

static void write_file(const unsigned char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0)
        abort();
}

/* Offset, of two bytes, and byte. */
static void write_bytes(const unsigned char *data, size_t size)
{
    static unsigned char own[FILE_MAX];
    memcpy(own, template, template_bytes);
    for (; size >= 3; data += 3, size -= 3)
        own[(data[0] | (size_t)data[1] << 8) * 7 % template_bytes] = data[2];
    write_file(own, template_bytes);
}

static void bind(sqlite3_stmt *q, const unsigned char *data, size_t size)
{
    int64_t number = 0;
    double real;
    memcpy(&number, data, size < 8 ? size : 8);
    memcpy(&real, &number, sizeof real);
    switch (size > 0 ? data[0] % 6 : 0) {
    case 0:
        sqlite3_bind_null(q, 1);
        break;
    case 1:
        sqlite3_bind_int64(q, 1, number >> 8);
        break;
    case 2:
        sqlite3_bind_int64(q, 1, data[0] & 8 ? INT64_MIN : INT64_MAX);
        break;
    case 3:
        sqlite3_bind_double(q, 1, real);
        break;
    case 4:
        sqlite3_bind_blob(q, 1, data, (int)size, SQLITE_TRANSIENT);
        break;
    default:
        sqlite3_bind_text(q, 1, (const char *)data, (int)size,
                          SQLITE_TRANSIENT);
    }
}

/* The column that a number means, of all columns of all tables. */
static bool choose(sqlite3 *db, unsigned number, char *sql, size_t room)
{
    sqlite3_stmt *q;
    const char *text =
        "SELECT 'UPDATE ' || m.name || ' SET ' || c.name || ' = ?1 WHERE (' ||"
        " (SELECT name FROM pragma_table_info(m.name) WHERE pk = 1) ||"
        " ' + ?2) % 3 = 0'"
        " FROM sqlite_schema m, pragma_table_info(m.name) c"
        " WHERE m.type = 'table' ORDER BY 1 LIMIT 1 OFFSET ?1";
    if (sqlite3_prepare_v2(db, text, -1, &q, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int(q, 1, (int)(number % 120));
    bool found = sqlite3_step(q) == SQLITE_ROW;
    if (found)
        snprintf(sql, room, "%s", sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    return found;
}

/* Column, row, length, and a value of that length. */
static void write_values(const unsigned char *data, size_t size)
{
    char sql[256];
    sqlite3 *db;
    sqlite3_stmt *q;
    write_file(template, template_bytes);
    if (sqlite3_open(path, &db) != SQLITE_OK)
        abort();
    sqlite3_exec(db,
                 "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = 0;"
                 "PRAGMA ignore_check_constraints = 1; BEGIN",
                 NULL, NULL, NULL);
    for (int i = 0; size >= 3 && i < VALUES_MAX; i++) {
        size_t n = data[2] < size - 3 ? data[2] : size - 3;
        if (choose(db, data[0], sql, sizeof sql)
            && sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
            bind(q, data + 3, n);
            sqlite3_bind_int(q, 2, data[1]);
            sqlite3_step(q);
            sqlite3_finalize(q);
        }
        data += 3 + n;
        size -= 3 + n;
    }
    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(db);
}

/* ---- Who reads it -------------------------------------------------------- */

/* words end with NULL. */
static void try_command(command *verb, const char *const *words)
{
    char *argv[8] = {NULL};
    int argc = 0;
    for (; words[argc]; argc++)
        argv[argc] = (char *)(uintptr_t)words[argc];
    fflush(stdout);
    fflush(stderr);
    int out = dup(1), err = dup(2);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    int code = verb(argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    if (code != COMMAND_OK && code != COMMAND_FAILED && code != COMMAND_USAGE
        && code != COMMAND_BROKEN) {
        fprintf(stderr, "%s ends with %d\n", argv[0], code);
        abort();
    }
}

static void read_all(void)
{
    static const char *const formats[] = {
#define FORMAT(text, function, changes, help) "--format=" text,
#include "report/formats.def"
#undef FORMAT
    };
    static char all[80];
    snprintf(all, sizeof all, "%s@all", path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        try_command(cmd_report, (const char *[]){"assay report", formats[i],
                                                 i % 2 ? all : path, NULL});
    static const struct {
        command *verb;
        const char *words[5];
    } others[] = {
        {cmd_diff, {"assay diff", valid, path, NULL}},
        {cmd_diff, {"assay diff", path, valid, NULL}},
        {cmd_gate, {"assay gate", path, "--baseline", valid, NULL}},
        {cmd_gate, {"assay gate", path, NULL}},
        {cmd_expect, {"assay expect", path, NULL}},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        try_command(others[i].verb, others[i].words);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (!template_bytes)
        make_template();
    if (size < 1 || size > FILE_MAX)
        return 0;
    if (data[0] % 3 == 0)
        write_file(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        write_bytes(data + 1, size - 1);
    else
        write_values(data + 1, size - 1);
    read_all();
    return 0;
}
