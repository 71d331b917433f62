/* html_causes.c - why results are wrong: a row for each cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "report/format.h"
#include "report/html.h"

enum {
    SHOWN = 6 /* names in a cell */
};

static const char *join(struct arena *a, const char *text,
                        const struct report_names *n, int most)
{
    for (int i = 0; i < n->count && i < most; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", n->list[i]);
    if (n->count > most)
        text = arena_printf(a, "%s and %d more", text, n->count - most);
    return text;
}

/* Names beyond those that are shown are in the hint. */
static void add_names(struct page *p, const struct report_names *n)
{
    struct page_node *cell = page_open_as(p, PAGE_CELL, "words");
    page_say(p, PAGE_PLAIN, "%s", join(p->arena, "", n, SHOWN));
    if (n->count > SHOWN)
        cell->hint = join(p->arena, "", n, n->count);
}

/* A cause is as unchanged as its operations. */
static const char *same(const struct report *r, const struct report_group *g)
{
    for (int i = 0; i < g->ops.count; i++)
        if (!*html_class_same(r, g->ops.list[i]))
            return "";
    return r->change ? "same" : "";
}

static void add_group(struct report *r, struct page *p,
                      const struct report_group *g)
{
    struct arena *a = p->arena;
    const char *text = report_group_text(a, g);
    bool known = g->cases == g->known;
    struct page_node *row = page_open_as(
        p, PAGE_ROW,
        arena_printf(a, "%s %s", same(r, g), known ? "clean" : ""));
    row->op = g->cause;
    row->words = arena_printf(a, "%s %s %s %s", text ? text : "", g->name,
                              join(a, "", &g->ops, g->ops.count),
                              join(a, "", &g->types, g->types.count));
    page_open_as(p, PAGE_NAME, "words");
    page_say(p, PAGE_LITERAL, "%s", g->cause);
    if (text)
        page_say(p, PAGE_PLAIN, ": %s", text);
    page_number(p, format_count(a, g->cases))->class =
        known ? "num known" : "num bad";
    page_number(p, format_count(a, g->known));
    add_names(p, &g->ops);
    add_names(p, &g->types);
    page_open_as(p, PAGE_CELL, "words case");
    page_say(p, PAGE_LITERAL, "%s", g->name);
    if (g->command)
        page_say(p, PAGE_SOFT, "%s", g->command);
}

static void add_table(struct report *r, struct page *p,
                      const struct report_group *list, int count)
{
    static const char *const titles[] = {"Cause",      "Cases", "Known",
                                         "Operations", "Types", "Smallest case",
                                         NULL};
    struct page_node *table = page_table(p, titles);
    table->class = "wide full causes";
    table->hint = "Causes";
    for (int i = 0; i < count; i++)
        add_group(r, p, &list[i]);
}

void html_causes(struct report *r, const struct html_cells *all)
{
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    page_heading(p, 2, "causes", "Causes");
    page_paragraph(
        p, PAGE_SOFT,
        "Failed cases, grouped by what explains all of their wrong elements: a "
        "named deviation, a measured accuracy, or how the case ended (# stands "
        "for any number).");
    for (int i = 0; i < r->run_count; i++) {
        if (r->run_count > 1)
            page_heading(p, 3, NULL, all->labels[i]);
        if (all->group_counts[i] > 0)
            add_table(r, p, all->groups[i], all->group_counts[i]);
        else
            page_paragraph(p, PAGE_PLAIN, "No case failed.");
    }
    page_html_part(r->out, p);
    arena_free(&a);
}
