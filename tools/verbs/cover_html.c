/* cover_html.c - see cover.h; tools/test/deviations.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A matrix of deviations against operations, whose cells lead to a table for
 * each operation with the first case of each deviation.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report/doc/page.h"
#include "tools/verbs/cover.h"

/* Marks and classes by fate: the worst of a deviation's places is shown. */
static const struct {
    const char *mark, *class;
    int rank;
} looks[COVER_FATES] = {
    [COVER_REJECTED] = {"\xe2\x9c\x93", "ok", 1},
    [COVER_SURVIVES] = {"\xe2\x9c\x97", "bad", 4},
    [COVER_PERMITTED] = {"p", "warn", 3},
    [COVER_EQUIVALENT] = {"=", "known", 2},
};

/* The row of that deviation whose fate counts most; NULL if there is none. */
static const struct cover_row *find_worst(const struct cover_row *r,
                                          const struct deviation *d)
{
    const struct cover_row *worst = NULL;
    for (; r; r = r->next)
        if (r->what == d && r->cases > 0
            && (!worst
                || looks[cover_row_fate(r)].rank
                       > looks[cover_row_fate(worst)].rank))
            worst = r;
    return worst;
}

static bool occurs(struct cover_row *const *rows, const struct deviation *d)
{
    for (int i = 0; i < spec_op_count(); i++)
        if (find_worst(rows[i], d))
            return true;
    return false;
}

/* "rejected by 3" */
static const char *words(struct arena *a, const struct cover_row *r)
{
    enum cover_fate fate = cover_row_fate(r);
    return fate == COVER_REJECTED ? arena_printf(
               a, "%s by %" PRId64, cover_row_word(fate), r->rejected)
                                  : cover_row_word(fate);
}

static void add_cell(struct page *p, const char *op, const struct cover_row *r)
{
    struct page_node *cell = page_open(p, PAGE_CELL);
    if (!r)
        return;
    enum cover_fate fate = cover_row_fate(r);
    cell->class = looks[fate].class;
    cell->hint =
        arena_printf(p->arena, "%s %s: %s", op, r->name, words(p->arena, r));
    page_link(p, arena_printf(p->arena, "#%s", op), looks[fate].mark);
}

static void add_matrix(struct page *p, const struct deviation_table *table,
                       struct cover_row *const *rows)
{
    static const char *const titles[] = {"deviation", NULL};
    struct page_node *matrix = page_table(p, titles);
    matrix->class = "matrix";
    matrix->hint = "Deviations and operations";
    for (int i = 0; i < spec_op_count(); i++)
        if (rows[i])
            page_cell(p, PAGE_LITERAL, spec_op_at(i)->name);
    for (int k = 0; k < table->count; k++) {
        const struct deviation *d = &table->rows[k];
        if (!occurs(rows, d))
            continue;
        page_open(p, PAGE_ROW);
        page_open(p, PAGE_NAME)->hint = d->text;
        page_say(p, PAGE_PLAIN, "%s", d->id);
        for (int i = 0; i < spec_op_count(); i++)
            if (rows[i])
                add_cell(p, spec_op_at(i)->name, find_worst(rows[i], d));
    }
}

/* A case's name; its file is what comes before the last slash that is not
 * behind an "@". */
static void add_case(struct page *p, const char *name, const char *folder)
{
    size_t n = strcspn(name, "@");
    while (n > 0 && name[n] != '/')
        n--;
    if (folder && n > 0)
        page_link(
            p,
            arena_printf(p->arena, "file://%s/%.*s.json", folder, (int)n, name),
            name);
    else
        page_say(p, PAGE_PLAIN, "%s", name);
}

static void add_row(struct page *p, const struct cover_row *r,
                    const char *folder)
{
    enum cover_fate fate = cover_row_fate(r);
    page_open(p, PAGE_ROW);
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_PLAIN, "%s", r->name);
    page_open_as(p, PAGE_CELL, looks[fate].class);
    page_say(p, PAGE_PLAIN, "%s", words(p->arena, r));
    page_open(p, PAGE_CELL);
    if (r->first || r->other)
        add_case(p, r->first ? r->first : r->other, folder);
    page_open_as(p, PAGE_CELL, "words");
    page_say(p, PAGE_PLAIN, "%s",
             fate == COVER_PERMITTED    ? r->policy
             : fate == COVER_EQUIVALENT ? r->why
                                        : "");
}

static void add_operation(struct page *p, const char *op,
                          const struct cover_row *r, const char *folder)
{
    static const char *const titles[] = {"deviation", "fate", "first case",
                                         "reason", NULL};
    page_heading(p, 2, op, op);
    page_table(p, titles)->hint = op;
    for (; r; r = r->next)
        if (r->cases > 0)
            add_row(p, r, folder);
}

void cover_html(const struct deviation_table *table,
                struct cover_row *const *rows,
                const int64_t counts[COVER_FATES], const char *folder)
{
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    page_open_as(p, PAGE_LIST, "chips");
    for (int f = 0; f < COVER_FATES; f++) {
        page_open_as(p, PAGE_ITEM, arena_printf(&a, "chip %s", looks[f].class));
        page_say(p, PAGE_PLAIN, "%s %" PRId64 " %s", looks[f].mark, counts[f],
                 cover_row_word((enum cover_fate)f));
    }
    add_matrix(p, table, rows);
    for (int i = 0; i < spec_op_count(); i++)
        if (rows[i])
            add_operation(p, spec_op_at(i)->name, rows[i], folder);
    page_html_begin(stdout, "Deviations",
                    "Which wrong backends would be caught?", NULL);
    page_html_part(stdout, p);
    page_html_end(stdout, "from the cases and the deviations.", NULL);
    arena_free(&a);
}
