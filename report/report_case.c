/* report_case.c - cases of a run, and what was wrong with them; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <string.h>

#include "interp/exact/real.h"
#include "report/format.h"
#include "report/report.h"

static const struct store_column case_columns[] = {
    REPORT_RECORD_case(RECORD_COLUMN, struct report_case)};
const struct store_record report_case_record = {
    .name = "case",
    .count = sizeof case_columns / sizeof case_columns[0],
    .columns = case_columns};

int report_case_next(struct report *r, sqlite3_stmt *q, struct report_case *c,
                     struct status *st)
{
    arena_reset(&r->row);
    int rc = sqlite3_step(q);
    if (rc != SQLITE_ROW)
        return rc == SQLITE_DONE
                   ? 0
                   : (store_sql_fail(r->store, "reading cases", st), -1);
    struct arena *a = &r->row;
    *c = (struct report_case){.correct = -1};
    store_record_read(&report_case_record, a, q, c);
    c->message = report_mask_shown(r, a, c->message);
    c->command = report_mask_shown(r, a, c->command);
    c->at = report_mask_shown(r, a, c->at);
    if (!c->status || !report_status_find(c->status)) {
        FAIL(st, INPUT, "is damaged: a result of unknown status");
        return -1;
    }
    return 1;
}

sqlite3_stmt *report_case_failures(struct report *r, int64_t run, int64_t limit,
                                   bool each, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "failures", run, st);
    if (q) {
        sqlite3_bind_int64(q, 2, limit);
        sqlite3_bind_int(q, 3, each);
    }
    return q;
}

bool report_case_list(struct report *r, const struct report_run *run,
                      int64_t limit, report_case_write *write, int64_t *listed,
                      struct status *st)
{
    sqlite3_stmt *q = report_case_failures(r, run->id, limit, false, st);
    struct report_case c;
    int more = 1;
    bool good = q != NULL;
    for (*listed = 0; good && *listed < limit; ++*listed) {
        if ((more = report_case_next(r, q, &c, st)) != 1)
            break;
        good = write(r, run, &c, *listed, st);
    }
    sqlite3_reset(q);
    return good && more >= 0;
}

static bool read_operands(struct report *r, struct store_wrong *w,
                          struct status *st)
{
    enum {
        OPERANDS = 16
    };
    sqlite3_stmt *q = report_query(r, "operands", w->plan, st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 2, w->n);
    int rc, room = 0;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW
           && w->operand_count < OPERANDS) {
        ARENA_GROW(&r->row, w->operands, w->operand_count, room);
        store_record_read(&store_record_tables[STORE_OPERAND], &r->row, q,
                          &w->operands[w->operand_count++]);
    }
    return report_ended(r, q, rc == SQLITE_ROW ? SQLITE_DONE : rc,
                        "reading operands", st);
}

bool report_case_wrongs(struct report *r, int64_t plan, int64_t limit,
                        struct store_wrong **wrongs, int *count,
                        struct status *st)
{
    *count = 0;
    *wrongs = NULL;
    sqlite3_stmt *q = report_query(r, "wrong", plan, st);
    if (!q)
        return false;
    struct store_wrong *list = NULL;
    int rc = SQLITE_DONE, room = 0;
    while (*count < limit && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        ARENA_GROW(&r->row, list, *count, room);
        list[*count] = (struct store_wrong){0};
        store_record_read(&store_record_tables[STORE_WRONG], &r->row, q,
                          &list[(*count)++]);
    }
    TRY(report_ended(r, q, rc == SQLITE_ROW ? SQLITE_DONE : rc,
                     "reading wrong units", st));
    *wrongs = list;
    for (int i = 0; i < *count; i++)
        TRY(read_operands(r, &list[i], st));
    return true;
}

/* Are both zero?  They are not the same one. */
static bool is_other_zero(const struct store_wrong *w)
{
    enum dtype t;
    return w->type && dtype_parse(w->type, strlen(w->type), &t)
           && dtype_class(t) == DTYPE_FLOAT
           && !((w->got | w->want) & ~dtype_mask(t)) && real_is_zero(t, w->got)
           && real_is_zero(t, w->want);
}

const char *report_case_off(struct arena *a, const struct store_wrong *w)
{
    if (is_other_zero(w))
        return "the sign of zero";
    if (w->has_error)
        return arena_printf(a, "%s ulp", format_ulps(a, w->error));
    if (w->has_share)
        return arena_printf(a, "%s of its bound", format_ulps(a, w->share));
    return report_budget_difference(a, w);
}
