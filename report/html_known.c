/* html_known.c - what is wrong, as the expectations say, and why.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "report/format.h"
#include "report/html.h"

static void add_names(struct page *p, const struct report_known *k)
{
    const char *all = "";
    page_open_as(p, PAGE_CELL, "words");
    page_say(p, PAGE_LITERAL, "%s", k->names[0]);
    if (k->count > 1)
        page_say(p, PAGE_SOFT, " and %s more",
                 format_count(p->arena, k->count - 1));
    for (int i = 0; i < k->count && i < REPORT_KNOWN_NAMES; i++)
        all = arena_printf(p->arena, "%s%s%s", all, i ? "\n" : "", k->names[i]);
    p->open->hint = all;
}

/* The first row of an operation is what its cells in the matrix lead to. */
static void add_row(struct report *r, struct page *p,
                    const struct report_run *run, const struct report_known *k,
                    bool first)
{
    struct arena *a = p->arena;
    const char *same = html_class_same(r, k->op);
    struct page_node *row = page_open_as(p, PAGE_ROW, *same ? same + 1 : NULL);
    row->op = k->op;
    row->words = arena_printf(a, "xfail %s", k->shown);
    page_open(p, PAGE_NAME);
    if (first)
        p->open->id = arena_printf(a, "k%lld-%s", (long long)run->id, k->op);
    page_say(p, PAGE_PLAIN, "%s", k->op);
    page_number(p, format_count(a, k->count));
    page_open_as(p, PAGE_CELL, "words");
    page_say(p, PAGE_PLAIN, "%s", k->shown);
    add_names(p, k);
}

static bool add_run(struct report *r, struct page *p,
                    const struct report_run *run, struct status *st)
{
    static const char *const titles[] = {"Operation", "Cases",
                                         "Expected, and why", "Which", NULL};
    struct report_known *k;
    int count;
    TRY(report_known(r, run->id, &k, &count, st));
    if (count == 0) {
        page_paragraph(p, PAGE_PLAIN, "Nothing.");
        return true;
    }
    struct page_node *table = page_table(p, titles);
    table->class = "wide full";
    table->hint = "Known to be wrong";
    for (int i = 0; i < count; i++)
        add_row(r, p, run, &k[i], i == 0 || strcmp(k[i].op, k[i - 1].op) != 0);
    return true;
}

bool html_known(struct report *r, const struct html_cells *all,
                struct status *st)
{
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    bool good = true;
    page_heading(p, 2, "known", "Known to be wrong");
    page_paragraph(p, PAGE_SOFT,
                   "Wrong results that an expectations file lists (xfail). They"
                   " do not make a run fail.");
    for (int i = 0; good && i < r->run_count; i++) {
        if (r->run_count > 1)
            page_heading(p, 3, NULL, all->labels[i]);
        good = add_run(r, p, &r->runs[i], st);
    }
    page_html_part(r->out, p);
    arena_free(&a);
    return good;
}
