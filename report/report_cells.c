/* report_cells.c - sums for each operation and element type; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <string.h>

#include "report/format.h"
#include "report/report.h"

struct cells {
    struct report_cell *cell;
    int count, room;
};

/* The cell of that operation and type, which come in order. */
static struct report_cell *cell_of(struct report *r, struct cells *cs,
                                   const char *op, const char *type)
{
    for (int i = cs->count - 1; i >= 0; i--)
        if (strcmp(cs->cell[i].op, op) == 0
            && strcmp(cs->cell[i].type, type) == 0)
            return &cs->cell[i];
    ARENA_GROW(r->arena, cs->cell, cs->count, cs->room);
    struct report_cell *c = &cs->cell[cs->count++];
    c->op = arena_text(r->arena, op);
    c->type = arena_text(r->arena, type);
    return c;
}

static void add_row(struct report *r, struct report_cell *c, sqlite3_stmt *q)
{
    int64_t status = sqlite3_column_int64(q, 2) - 1;
    if (status < 0 || status >= REPORT_STATUSES)
        return;
    int64_t n = sqlite3_column_int64(q, 3);
    c->counts[status] += n;
    c->total += n;
    c->failures += report_statuses[status].failure ? n : 0;
    c->units += sqlite3_column_int64(q, 4);
    c->correct += sqlite3_column_int64(q, 5);
    c->rated += sqlite3_column_int64(q, 10);
    c->special += sqlite3_column_int64(q, 6);
    if (report_statuses[status].tap == TAP_OK)
        c->rejected += sqlite3_column_int64(q, 11);
    if (sqlite3_column_type(q, 7) == SQLITE_NULL)
        return;
    int64_t size = sqlite3_column_int64(q, 7);
    if (!c->has_error || size > (c->error < 0 ? -c->error : c->error)) {
        c->error = sqlite3_column_int64(q, 8);
        c->worst_input = report_column(r->arena, q, 9);
    }
    c->has_error = true;
}

static bool sum_up(struct report *r, int64_t run, struct cells *cs,
                   struct status *st)
{
    sqlite3_stmt *q = report_query(r, "summary", run, st);
    if (!q)
        return false;
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW)
        add_row(
            r,
            cell_of(r, cs, report_column_text(q, 0), report_column_text(q, 1)),
            q);
    TRY(report_ended(r, q, rc, "summing up", st));
    if (!(q = report_query(r, "shares", run, st)))
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct report_cell *c =
            cell_of(r, cs, report_column_text(q, 0), report_column_text(q, 1));
        c->has_share = true;
        c->share = sqlite3_column_int64(q, 3);
        if (!c->has_error)
            c->worst_input = report_column(r->arena, q, 4);
    }
    TRY(report_ended(r, q, rc, "adding up the errors of sums", st));
    if (!(q = report_query(r, "bins", run, st)))
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct report_cell *c =
            cell_of(r, cs, report_column_text(q, 0), report_column_text(q, 1));
        int64_t bin = sqlite3_column_int64(q, 2);
        if (bin < -128 || bin > 128)
            continue;
        c->bins[bin + 128] += sqlite3_column_int64(q, 3);
        c->has_bins = true;
    }
    TRY(report_ended(r, q, rc, "adding up the errors", st));
    return true;
}

/* A site asks for them on each of its pages. */
bool report_cells(struct report *r, int64_t run, struct report_cell **cells,
                  int *count, struct status *st)
{
    struct cells cs = {NULL, 0, 0};
    struct report_run *kept = NULL;
    for (int i = 0; i < r->run_count; i++)
        if (r->runs[i].id == run)
            kept = &r->runs[i];
    if (kept && kept->cells)
        cs = (struct cells){kept->cells, kept->cell_count, 0};
    else
        TRY(sum_up(r, run, &cs, st));
    if (kept) {
        kept->cells = cs.cell;
        kept->cell_count = cs.count;
    }
    *cells = cs.cell;
    *count = cs.count;
    return true;
}

const char *report_cells_worst(struct arena *a, const struct report_cell *c,
                               const char *none)
{
    if (c->has_error)
        return format_short(a, c->error);
    if (c->has_share)
        return arena_printf(a, "%s E", format_short(a, c->share));
    return none;
}
