/* report_remarks.c - what is right with a remark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "report/report.h"

enum {
    REMARKS_MAX = 256 /* names; there are fewer policies */
};

bool report_remarks(struct report *r, int64_t run, struct report_remark **list,
                    int *count, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "remarks", run, st);
    int rc = SQLITE_DONE;
    *count = 0;
    *list = arena_new(r->arena, struct report_remark, REMARKS_MAX);
    if (!q)
        return false;
    while (*count < REMARKS_MAX && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        (*list)[(*count)++] = (struct report_remark){
            arena_text(r->arena, name ? name : ""), sqlite3_column_int64(q, 1),
            sqlite3_column_int64(q, 2)};
    }
    bool good = rc == SQLITE_DONE || rc == SQLITE_ROW
                || store_sql_fail(r->store, "reading remarks", st);
    sqlite3_reset(q);
    return good;
}

bool report_remarks_text(struct report *r, int64_t run, const char **text,
                         struct status *st)
{
    struct report_remark *list;
    int count;
    *text = NULL;
    TRY(report_remarks(r, run, &list, &count, st));
    for (int i = 0; i < count; i++)
        *text = arena_printf(r->arena, "%s%s%s (%s %s)", *text ? *text : "",
                             *text ? ", " : "", list[i].name,
                             format_count(r->arena, list[i].cases),
                             text_plural(list[i].cases, "case", "cases"));
    return true;
}
