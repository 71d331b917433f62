/* store_clean.c - see store_private.h.  report/test/untrusted.t tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/arena.h"
#include "interp/base/text.h"
#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

/* Columns whose texts may have several lines. */
static bool has_lines(const char *name)
{
    static const char *const names[] = {"command", "host", "inputs",
                                        "profile_json", "program"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* How many bytes the character at text has; *instead is what to show for it,
 * NULL for itself. */
static size_t measure(const char *text, const char *end, bool lines,
                      const char **instead)
{
    size_t n = 1;
    *instead = NULL;
    if (*text >= ' ' && *text <= '~')
        return 1;
    if (text < end && *text && text_shows(text, &n))
        return n;
    bool space = *text == '\n' || *text == '\t';
    if (!space || !lines)
        *instead = space ? " " : "\xef\xbf\xbd";
    return n;
}

/* shown(value, lines): is there nothing to replace? */
static void shown(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *text = (const char *)sqlite3_value_text(values[0]), *instead;
    const char *end = text ? text + sqlite3_value_bytes(values[0]) : NULL;
    bool lines = sqlite3_value_int(values[1]) != 0, good = true;
    (void)count;
    while (good && text < end) {
        text += measure(text, end, lines, &instead);
        good = !instead;
    }
    sqlite3_result_int(context, good);
}

/* clean(value, lines): the value with that replaced. */
static void clean(sqlite3_context *context, int count, sqlite3_value **values)
{
    const char *text = (const char *)sqlite3_value_text(values[0]), *instead;
    size_t bytes = text ? (size_t)sqlite3_value_bytes(values[0]) : 0;
    bool lines = sqlite3_value_int(values[1]) != 0;
    char *to = malloc(3 * bytes + 1), *end = to;
    (void)count;
    if (!to) {
        sqlite3_result_error_nomem(context);
        return;
    }
    for (const char *last = text + bytes; text < last;) {
        size_t n = measure(text, last, lines, &instead);
        size_t m = instead ? strlen(instead) : n;
        memcpy(end, instead ? instead : text, m);
        end += m;
        text += n;
    }
    sqlite3_result_text(context, to, (int)(end - to), free);
}

/* For the column that a statement is at.  Numbers, which most values are, are
 * not looked at. */
static const char *statement(struct arena *a, sqlite3_stmt *columns,
                             bool replace)
{
    const char *table = (const char *)sqlite3_column_text(columns, 0);
    const char *name = (const char *)sqlite3_column_text(columns, 1);
    const char *dirty = arena_printf(
        a, "typeof(\"%s\") IN ('text', 'blob') AND NOT shown(\"%s\", %d)", name,
        name, has_lines(name));
    return replace ? arena_printf(a,
                                  "UPDATE \"%s\" SET \"%s\" ="
                                  " clean(\"%s\", %d) WHERE %s",
                                  table, name, name, has_lines(name), dirty)
                   : arena_printf(a, "SELECT 1 FROM \"%s\" WHERE %s LIMIT 1",
                                  table, dirty);
}

/* Look at each column, or replace what is in it.  *any: was something found? */
static bool each_column(sqlite3 *db, bool replace, bool *any, struct status *st)
{
    static const char sql[] =
        "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name)"
        " c WHERE m.type = 'table'";
    struct arena a = ARENA_INIT;
    sqlite3_stmt *columns = NULL, *q = NULL;
    const int kind = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    *any = false;
    int rc = sqlite3_create_function_v2(db, "shown", 2, kind, NULL, shown, NULL,
                                        NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function_v2(db, "clean", 2, kind, NULL, clean, NULL,
                                        NULL, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, sql, -1, &columns, NULL);
    while (rc == SQLITE_OK && !*any
           && (rc = sqlite3_step(columns)) == SQLITE_ROW) {
        sqlite3_finalize(q);
        rc = sqlite3_prepare_v2(db, statement(&a, columns, replace), -1, &q,
                                NULL);
        rc = rc == SQLITE_OK ? sqlite3_step(q) : rc;
        *any = rc == SQLITE_ROW;
        rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    bool good = *any || rc == SQLITE_DONE
                || store_schema_fail(db, "reading its texts", st);
    sqlite3_finalize(q);
    sqlite3_finalize(columns);
    arena_free(&a);
    return good;
}

bool store_clean_needed(sqlite3 *db, bool *dirty, struct status *st)
{
    return each_column(db, false, dirty, st);
}

bool store_clean(sqlite3 *db, struct status *st)
{
    bool any;
    /* The state of a run is one of a few words. */
    sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL);
    return each_column(db, true, &any, st);
}
