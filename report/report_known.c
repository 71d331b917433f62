/* report_known.c - what is known to be wrong, by operation and reason.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <string.h>

#include "report/report.h"

static struct report_known *add(struct report *r, struct report_known **list,
                                int *count, int *room, sqlite3_stmt *q)
{
    ARENA_GROW(r->arena, *list, *count, *room);
    struct report_known *k = &(*list)[(*count)++];
    *k = (struct report_known){
        .op = arena_text(r->arena, report_column_text(q, 0)),
        .reason = arena_text(r->arena, report_column_text(q, 1))};
    k->shown = report_mask_shown(r, r->arena, k->reason);
    return k;
}

bool report_known(struct report *r, int64_t run, struct report_known **list,
                  int *count, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "known", run, st);
    int rc, room = 0;
    struct report_known *k = NULL;
    *list = NULL;
    *count = 0;
    if (!q)
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        if (!k || strcmp(k->op, report_column_text(q, 0)) != 0
            || strcmp(k->reason, report_column_text(q, 1)) != 0)
            k = add(r, list, count, &room, q);
        if (k->count < REPORT_KNOWN_NAMES)
            k->names[k->count] = arena_text(r->arena, report_column_text(q, 2));
        k->count++;
    }
    bool good = rc == SQLITE_DONE
                || store_sql_fail(r->store, "reading the known failures", st);
    sqlite3_reset(q);
    return good;
}
