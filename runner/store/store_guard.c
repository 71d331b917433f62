/* store_guard.c - see store_private.h.  report/test/untrusted.t tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/arena.h"
#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

enum {
    VALUE_BYTES = 80 << 20, /* more than store.c writes in one column */
    SQL_BYTES = 1 << 20,
    PATTERN_BYTES = 1000, /* of LIKE and GLOB: matching is exponential */
    DEPTH = 200           /* of an expression */
};

bool store_guard_open(const char *path, int flags, sqlite3 **db)
{
    static const struct {
        int what, value;
    } limits[] = {{SQLITE_LIMIT_LENGTH, VALUE_BYTES},
                  {SQLITE_LIMIT_SQL_LENGTH, SQL_BYTES},
                  {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_BYTES},
                  {SQLITE_LIMIT_EXPR_DEPTH, DEPTH},
                  {SQLITE_LIMIT_ATTACHED, 0},
                  {SQLITE_LIMIT_TRIGGER_DEPTH, 0}},
      settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
    *db = NULL;
    /* SQLite does not take a name that begins so for a file's. */
    bool special = !(flags & SQLITE_OPEN_MEMORY)
                   && (path[0] == ':' || strncmp(path, "file:", 5) == 0);
    char *name = sqlite3_mprintf("%s%s", special ? "./" : "", path);
    int rc = name ? sqlite3_open_v2(name, db, flags, NULL) : SQLITE_NOMEM;
    sqlite3_free(name);
    if (rc != SQLITE_OK)
        return false;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(*db, settings[i].what, settings[i].value, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(*db, limits[i].what, limits[i].value);
    return true;
}

/* ---- The schema as text -------------------------------------------------- */

/* Copies a text without comments, and without blanks that mean nothing. */
static char *squeeze(struct arena *a, const char *sql)
{
    char *to = arena_alloc(a, strlen(sql) + 1), *end = to;
    bool blank = false;
    for (const char *c = sql; *c; c++) {
        if (c[0] == '-' && c[1] == '-') {
            c += strcspn(c, "\n");
            blank = true;
            if (!*c)
                break;
        } else if (strchr(" \t\r\n", *c)) {
            blank = true;
        } else if (*c == '\'' || *c == '"') {
            size_t n = 1 + strcspn(c + 1, *c == '"' ? "\"" : "'");
            n += c[n] != '\0';
            memcpy(end, c, n);
            end += n;
            c += n - 1;
            blank = false;
        } else {
            if (blank && end > to && !strchr("(,)", *c)
                && !strchr("(,)", end[-1]))
                *end++ = ' ';
            *end++ = *c;
            blank = false;
        }
    }
    *end = '\0';
    return to;
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* A table's definitions in alphabetical order, as an upgrade appends columns
 * after constraints.  Their own order is in columns_sql. */
static const char *sort_definitions(struct arena *a, char *sql)
{
    char *open = strchr(sql, '('), *close = strrchr(sql, ')');
    const char **parts = NULL, *sorted = "";
    int count = 0, room = 0, depth = 0;
    if (!open || !close || close < open)
        return sql;
    char *start = open + 1;
    bool quoted = false;
    for (char *c = start; c <= close; c++) {
        quoted ^= *c == '\'' || *c == '"';
        if (quoted)
            continue;
        depth += (*c == '(') - (*c == ')');
        if ((*c == ',' && depth == 0) || c == close) {
            ARENA_GROW(a, parts, count, room);
            parts[count++] = arena_printf(a, "%.*s", (int)(c - start), start);
            start = c + 1;
        }
    }
    if (count > 0)
        qsort(parts, (size_t)count, sizeof *parts, by_text);
    for (int i = 0; i < count; i++)
        sorted = arena_printf(a, "%s%s,", sorted, parts[i]);
    return arena_printf(a, "%.*s(%s%s", (int)(open - sql), sql, sorted, close);
}

static const char *column(struct arena *a, sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? arena_text(a, text) : "";
}

/* One thing of a schema. */
struct object {
    const char *type, *name, *table, *sql;
};

struct schema {
    struct object *objects;
    int count, room;
};

static bool read_objects(struct arena *a, sqlite3 *db, struct schema *to,
                         struct status *st)
{
    sqlite3_stmt *q;
    int rc = sqlite3_prepare_v2(db,
                                "SELECT type, name, tbl_name, sql"
                                " FROM sqlite_schema ORDER BY type, name",
                                -1, &q, NULL);
    while (rc == SQLITE_OK && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        ARENA_GROW(a, to->objects, to->count, to->room);
        struct object *o = &to->objects[to->count++];
        *o = (struct object){.type = column(a, q, 0),
                             .name = column(a, q, 1),
                             .table = column(a, q, 2)};
        char *sql = squeeze(a, column(a, q, 3));
        o->sql = strcmp(o->type, "table") == 0 ? sort_definitions(a, sql) : sql;
        rc = SQLITE_OK;
    }
    bool good =
        rc == SQLITE_DONE || store_schema_fail(db, "reading its schema", st);
    sqlite3_finalize(q);
    return good;
}

/* The result of a query, as one text. */
static bool read_text(struct arena *a, sqlite3 *db, const char *sql,
                      const char **to, struct status *st)
{
    sqlite3_stmt *q;
    int rc = sqlite3_prepare_v2(db, sql, -1, &q, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(q);
    *to = rc == SQLITE_ROW ? column(a, q, 0) : "";
    bool good =
        rc == SQLITE_ROW || store_schema_fail(db, "reading its schema", st);
    sqlite3_finalize(q);
    return good;
}

/* Tables with their columns in order. */
static const char columns_sql[] =
    "SELECT group_concat(m.name || '.' || c.name || ' ' || c.hidden) FROM"
    " (SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name) m,"
    " pragma_table_xinfo(m.name) c";
static const char statuses_sql[] =
    "SELECT group_concat(id || ' ' || name || ' ' || failure) FROM"
    " (SELECT * FROM status ORDER BY id LIMIT 1000)";

/* The schema that a database must have. */
struct expected {
    struct schema schema;
    const char *columns, *statuses;
};

/* Reads the schema that this version of assay creates. */
static bool read_expected(struct arena *a, struct expected *to,
                          struct status *st)
{
    sqlite3 *db;
    bool good = sqlite3_open(":memory:", &db) == SQLITE_OK
                || FAIL(st, SYSTEM, "out of memory");
    good =
        good && store_schema_create(db, st)
        && (sqlite3_exec(db, STORE_SCHEMA_INDEX, NULL, NULL, NULL) == SQLITE_OK
            || store_schema_fail(db, "creating an index", st))
        && read_objects(a, db, &to->schema, st)
        && read_text(a, db, columns_sql, &to->columns, st)
        && read_text(a, db, statuses_sql, &to->statuses, st);
    sqlite3_close(db);
    return good;
}

/* ---- Comparing ----------------------------------------------------------- */

static const struct object *same_object(const struct schema *s,
                                        const struct object *o)
{
    for (int i = 0; i < s->count; i++)
        if (strcmp(s->objects[i].type, o->type) == 0
            && strcmp(s->objects[i].name, o->name) == 0
            && strcmp(s->objects[i].table, o->table) == 0)
            return &s->objects[i];
    return NULL;
}

static bool refuse(const struct object *o, const char *what, struct status *st)
{
    return FAIL(st, INPUT, "the %.20s '%.60s' %s spec/results.sql", o->type,
                o->name, what);
}

/* Each of a's is one of b's.  optional: but indices, as a run that is not
 * complete has none, and those of keys come with their tables. */
static bool only(const struct schema *a, const struct schema *b, bool optional,
                 const char *missing, struct status *st)
{
    for (int i = 0; i < a->count; i++) {
        const struct object *o = &a->objects[i];
        if (!same_object(b, o) && !(optional && strcmp(o->type, "index") == 0))
            return refuse(o, missing, st);
    }
    return true;
}

/* A virtual table may have any name, and its module runs when it is used. */
static bool is_plain(const struct object *o)
{
    return strcmp(o->type, "table") != 0
           || strncmp(o->sql, "CREATE TABLE ", 13) == 0;
}

static bool check_names(const struct schema *found, const struct schema *by,
                        struct status *st)
{
    TRY(only(found, by, false, "is not in", st));
    for (int i = 0; i < found->count; i++)
        if (!is_plain(&found->objects[i]))
            return refuse(&found->objects[i], "is not that of", st);
    return true;
}

static bool check_texts(const struct schema *found, const struct schema *by,
                        struct status *st)
{
    for (int i = 0; i < found->count; i++)
        if (strcmp(found->objects[i].sql,
                   same_object(by, &found->objects[i])->sql)
            != 0)
            return refuse(&found->objects[i], "is not that of", st);
    return only(by, found, true, "is missing, but in", st);
}

/* False, and what differs from results.sql. */
static bool check_same(const char *found, const char *by, const char *what,
                       struct status *st)
{
    return strcmp(found, by) == 0
           || FAIL(st, INPUT, "%s not those of spec/results.sql", what);
}

static bool compare_schema(sqlite3 *db, bool exactly, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct schema found = {0};
    struct expected by = {.columns = NULL};
    const char *text;
    bool good = read_expected(&a, &by, st) && read_objects(&a, db, &found, st)
                && check_names(&found, &by.schema, st);
    if (good && exactly)
        good = check_texts(&found, &by.schema, st)
               && read_text(&a, db, columns_sql, &text, st)
               && check_same(text, by.columns, "the columns are", st)
               && read_text(&a, db, statuses_sql, &text, st)
               && check_same(text, by.statuses,
                             "the rows of the table 'status' are", st);
    arena_free(&a);
    return good;
}

bool store_guard_names(sqlite3 *db, struct status *st)
{
    return compare_schema(db, false, st);
}

/* Each case belongs to one run: else joining them would take as long as both
 * numbers multiplied. */
static bool runs_apart(sqlite3 *db, struct status *st)
{
    sqlite3_stmt *q;
    int rc =
        sqlite3_prepare_v2(db,
                           "SELECT total(max(CAST(plan_count AS INTEGER), 0)) >"
                           " (SELECT count(*) FROM plan) FROM run",
                           -1, &q, NULL);
    rc = rc == SQLITE_OK ? sqlite3_step(q) : rc;
    bool good =
        rc == SQLITE_ROW || store_schema_fail(db, "reading its runs", st);
    if (good && sqlite3_column_int(q, 0))
        good = FAIL(st, INPUT,
                    "is damaged: its runs have more cases than "
                    "there are in its plan");
    sqlite3_finalize(q);
    return good;
}

bool store_guard_schema(sqlite3 *db, struct status *st)
{
    TRY(compare_schema(db, true, st) && runs_apart(db, st));
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 1, NULL);
    return true;
}
