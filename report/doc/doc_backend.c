/* doc_backend.c - what backends do with an operation, from their runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "report/doc/doc.h"
#include "report/format.h"
#include "report/html.h"

/* "12 pass, 3 fail" */
static const char *count_words(struct arena *a, const struct report_cell *c)
{
    const char *text = "";
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (c->counts[i])
            text = arena_printf(a, "%s%s%s %s", text, *text ? ", " : "",
                                format_count(a, c->counts[i]),
                                report_statuses[i].name);
    return text;
}

static void add_cell(struct page *p, const struct report *r,
                     const struct report_run *run, const struct report_cell *c)
{
    page_open(p, PAGE_ROW);
    page_cell(p, PAGE_PLAIN,
              arena_printf(p->arena, "%s %s", run->backend,
                           run->backend_version ? run->backend_version : ""));
    page_cell(p, PAGE_PLAIN, run->profile);
    page_cell(p, PAGE_PLAIN, *c->type ? c->type : "-");
    page_cell(p, PAGE_PLAIN, count_words(p->arena, c));
    page_cell(p, PAGE_PLAIN, report_cells_worst(p->arena, c, "-"));
    page_cell(p, PAGE_PLAIN, report_budget(p->arena, run, c));
}

static bool add_report(struct page *p, struct report *r,
                       const struct spec_op *op, bool *any, struct status *st)
{
    static const char *const titles[] = {
        "Backend",           "Profile", "Type", "Verdicts",
        "Worst error (ulp)", "Budget",  NULL};
    for (int i = 0; i < r->run_count; i++) {
        struct report_cell *cells;
        int count;
        TRY(report_cells(r, r->runs[i].id, &cells, &count, st));
        for (int k = 0; k < count; k++) {
            if (strcmp(cells[k].op, op->name) != 0)
                continue;
            if (!*any) {
                page_heading(p, 2, "backends", "What backends do");
                page_table(p, titles);
            }
            *any = true;
            add_cell(p, r, &r->runs[i], &cells[k]);
        }
    }
    return true;
}

static bool add_pictures(struct page *p, struct report *r,
                         const struct spec_op *op, struct status *st)
{
    for (int i = 0; i < r->run_count; i++) {
        struct report_cell *cells;
        int count;
        TRY(report_cells(r, r->runs[i].id, &cells, &count, st));
        for (int k = 0; k < count; k++) {
            const struct report_cell *c = &cells[k];
            if (strcmp(c->op, op->name) != 0 || !c->has_bins)
                continue;
            page_open(p, PAGE_FIGURE);
            page_say(p, PAGE_PLAIN, "%s", html_accuracy_histogram(p->arena, c));
            page_say(p, PAGE_PLAIN, "%s, %s: errors in ulps, small to large",
                     r->runs[i].backend, c->type);
        }
    }
    return true;
}

bool doc_backend(const struct doc *d, struct page *p, const struct spec_op *op,
                 struct status *st)
{
    bool any = false;
    for (int i = 0; i < d->report_count; i++)
        TRY(add_report(p, &d->reports[i], op, &any, st));
    for (int i = 0; i < d->report_count; i++)
        TRY(add_pictures(p, &d->reports[i], op, st));
    return true;
}
