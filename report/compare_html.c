/* compare_html.c - several backends side by side, as one page that needs
 * nothing else; see compare.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/compare.h"
#include "report/doc/page.h"
#include "report/format.h"

/* A table whose first columns have these titles, and then one of each run. */
static void add_table(struct page *p, const struct compare *c,
                      const char *label, const char *const *columns)
{
    struct page_node *table = page_table(p, columns);
    table->class = "wide full";
    table->hint = label;
    for (int i = 0; i < c->run_count; i++)
        page_number(p, c->titles[i]);
}

static void add_name(struct page *p, enum page_tone tone, const char *text)
{
    page_open(p, PAGE_ROW);
    page_open(p, PAGE_NAME);
    page_say(p, tone, "%s", text);
}

static void add_cell(struct page *p, const struct compare_cell *cell)
{
    struct arena *a = p->arena;
    int64_t right = cell->counts[COMPARE_RIGHT];
    int64_t wrong = cell->counts[COMPARE_WRONG];
    page_open_as(p, PAGE_CELL,
                 right + wrong == 0 ? "num skip"
                 : wrong            ? "num value bad"
                                    : "num value ok");
    if (right + wrong == 0)
        page_say(p, PAGE_PLAIN, "\xe2\x80\x93");
    else if (wrong)
        page_say(p, PAGE_PLAIN, "\xe2\x9c\x97 %s of %s wrong",
                 format_count(a, wrong), format_count(a, right + wrong));
    else
        page_say(p, PAGE_PLAIN, "\xe2\x9c\x93 %s right",
                 format_count(a, right));
    if (right + wrong > 0 && cell->worst.has_error)
        page_say(p, PAGE_SOFT, "%s ulp", format_short(a, cell->worst.error));
}

static void add_row(struct page *p, const struct compare *c,
                    const struct compare_row *row)
{
    add_name(p, PAGE_PLAIN, row->op);
    page_number(p, format_count(p->arena, row->cases));
    page_number(p, format_count(p->arena, row->apart));
    for (int i = 0; i < c->run_count; i++)
        add_cell(p, &row->cells[i]);
}

static void add_operations(struct page *p, const struct compare *c)
{
    static const char *const titles[] = {"Operation", "Cases", "Disagreements",
                                         NULL};
    page_heading(p, 2, "operations", "Operations");
    page_paragraph(p, PAGE_SOFT,
                   "Cases that a backend gets right or wrong, and its largest"
                   " error. \xe2\x80\x93: no verdict.");
    add_table(p, c, "Operations by backend", titles);
    for (int i = 0; i < c->row_count; i++)
        add_row(p, c, &c->rows[i]);
    add_row(p, c, &c->all);
}

static void add_pairs(struct page *p, const struct compare *c)
{
    static const char *const titles[] = {"right \\ wrong", NULL};
    page_heading(p, 2, "pairs", "Pairwise differences");
    page_paragraph(p, PAGE_SOFT,
                   "Cases that the backend of the row gets right and that of"
                   " the column wrong.");
    add_table(p, c, "Pairs", titles);
    for (int i = 0; i < c->run_count; i++) {
        add_name(p, PAGE_PLAIN, c->titles[i]);
        for (int k = 0; k < c->run_count; k++)
            page_number(p, k == i ? "\xe2\x80\x93"
                                  : arena_printf(p->arena, "%lld",
                                                 (long long)c->differs[i][k]));
    }
}

static void add_case(struct page *p, const struct compare *c,
                     const struct compare_case *k)
{
    add_name(p, PAGE_LITERAL, k->name);
    for (int i = 0; i < c->run_count; i++) {
        const struct report_status *s =
            k->status[i] ? report_status_find(k->status[i]) : NULL;
        page_open_as(p, PAGE_CELL,
                     !s || s->tap == TAP_OK_SKIP ? "num value skip"
                     : s->tap == TAP_OK          ? "num value ok"
                                                 : "num value bad");
        page_say(p, PAGE_PLAIN, "%s",
                 k->status[i] ? k->status[i] : "not planned");
        if (k->off[i])
            page_say(p, PAGE_SOFT, "%s ulp", k->off[i]);
    }
}

static void add_cases(struct page *p, const struct compare *c, bool apart)
{
    static const char *const titles[] = {"Case", NULL};
    int64_t count = apart ? c->apart : c->together, shown = 0;
    page_heading(
        p, 2, apart ? "disagree" : "together",
        arena_printf(p->arena, "%s (%lld)",
                     apart ? "Cases on which they disagree"
                           : "Cases that every backend that judges them gets"
                             " wrong",
                     (long long)count));
    if (count == 0)
        return;
    add_table(p, c, apart ? "Disagreements" : "Wrong everywhere", titles);
    for (int i = 0; i < c->case_count; i++)
        if (c->cases[i].apart == apart) {
            add_case(p, c, &c->cases[i]);
            shown++;
        }
    if (shown < count)
        page_paragraph(p, PAGE_SOFT,
                       arena_printf(p->arena, "The first %lld of %lld.",
                                    (long long)shown, (long long)count));
}

void compare_html(const struct compare *c, FILE *out)
{
    static const char *const sections[] = {
        "disagree", "Disagreements",    "pairs",
        "Pairs",    "operations",       "Operations",
        "together", "Wrong everywhere", NULL};
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    add_cases(p, c, true);
    add_pairs(p, c);
    add_operations(p, c);
    add_cases(p, c, false);
    page_html_begin(out, "Backends side by side",
                    "Assay: backends side by side", sections);
    page_html_part(out, p);
    page_html_end(out,
                  "from results databases. An ulp is the spacing of the type's"
                  " numbers at the exact value.",
                  NULL);
    arena_free(&a);
}
