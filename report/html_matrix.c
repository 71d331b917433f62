/* html_matrix.c - operations against element types, in colour and in words.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What needs work comes first: operations with the most failures, then those
 * with the most known ones.  Those of which nothing was judged are names below
 * the table.  Tests: page.t.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/base/text.h"
#include "report/format.h"
#include "report/html.h"

/* The columns: element types that occur.  Those that most backends are for come
 * first, where a narrow screen and a sheet of paper show them; then the others
 * in the order of the type table, unknown ones, and "" (no type). */
struct columns {
    int count;
    const char **types;
};

static int rank_of(const char *type)
{
    static const char *const first[] = {"f32", "f64", "bf16", "f16"};
    enum {
        FIRST = sizeof first / sizeof first[0]
    };
    enum dtype t;
    for (int i = 0; i < FIRST; i++)
        if (strcmp(type, first[i]) == 0)
            return i;
    if (!*type)
        return FIRST + DT_COUNT + 1;
    return FIRST
           + (dtype_parse(type, strlen(type), &t) ? (int)t : (int)DT_COUNT);
}

static void add_column(struct columns *c, const char *type)
{
    int at = c->count;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->types[i], type) == 0)
            return;
    while (at > 0 && rank_of(c->types[at - 1]) > rank_of(type)) {
        c->types[at] = c->types[at - 1];
        at--;
    }
    c->types[at] = type;
    c->count++;
}

/* The meaning of a cell's colour, as a sign, in a word, and in the legend. */
static const struct {
    const char *class, *sign, *word, *text;
} signs[] = {
    {"ok", "\xe2\x9c\x93", "passed", "all right"},
    {"warn", "!", "passed", "right, with remarks"},
    {"reject", "\xe2\x8a\x98", "rejections only",
     "right in rejecting invalid programs; no value was judged"},
    {"bad", "\xe2\x9c\x97", "failed", "failures"},
    {"known", "\xe2\x89\xa0", "known to be wrong", "known to be wrong"},
    {"skip", "\xe2\x80\x93", "skipped", "skipped"},
};

static size_t sign_of(const char *class)
{
    size_t i = 0;
    while (strcmp(signs[i].class, class) != 0)
        i++;
    return i;
}

static int64_t known_of(const int64_t *counts)
{
    int64_t n = 0;
    for (int i = 0; i < REPORT_STATUSES; i++)
        n += report_status_known(i) ? counts[i] : 0;
    return n;
}

static const char *counts_text(struct arena *a, const struct report_cell *c)
{
    const char *text = arena_printf(a, "%s %s", format_count(a, c->total),
                                    text_plural(c->total, "case", "cases"));
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (c->counts[i])
            text = arena_printf(a, "%s, %s %s", text,
                                format_count(a, c->counts[i]),
                                report_statuses[i].name);
    return text;
}

static void add_cell(struct page *p, const struct report_run *run,
                     const struct report_cell *c)
{
    struct arena *a = p->arena;
    if (!c) {
        page_open_as(p, PAGE_CELL, "none")->hint = "no case";
        page_say(p, PAGE_PLAIN, "\xc2\xb7");
        return;
    }
    const char *class = html_class_of(c);
    size_t i = sign_of(class);
    bool bad = *class == 'b', known = *class == 'k';
    int64_t n = bad ? c->failures : known ? known_of(c->counts) : c->total;
    const char *text =
        arena_printf(a, "%s\xc2\xa0%s", signs[i].sign, format_count(a, n));
    page_open_as(p, PAGE_CELL, class)->hint = counts_text(a, c);
    if (bad)
        page_link(p,
                  arena_printf(a, "#%s",
                               html_failures_anchor(a, run, c->op, c->type)),
                  text);
    else if (known)
        page_link(p, arena_printf(a, "#k%lld-%s", (long long)run->id, c->op),
                  text);
    else
        page_say(p, PAGE_PLAIN, "%s", text);
    page_say(p, PAGE_UNSEEN, " %s", signs[i].word);
}

/* One operation: its sums, and its cells. */
struct line {
    const struct report_row *row;
    const struct report_cell *cells;
    int count;
};

static const struct report_cell *cell_of_type(const struct line *l,
                                              const char *type)
{
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->cells[i].type, type) == 0)
            return &l->cells[i];
    return NULL;
}

/* The words by which the filter finds a row, besides its operation: types,
 * statuses. */
static const char *words(struct arena *a, const struct line *l)
{
    const char *text = "";
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (l->row->counts[i])
            text = arena_printf(a, "%s%s ", text, report_statuses[i].name);
    for (int k = 0; k < l->count; k++)
        text = arena_printf(a, "%s%s ", text, l->cells[k].type);
    return text;
}

static void add_line(struct report *r, struct page *p,
                     const struct report_run *run, const struct line *l,
                     const struct columns *columns)
{
    const char *op = l->row->op;
    struct page_node *row = page_open_as(
        p, PAGE_ROW,
        arena_printf(p->arena, "%s%s", l->row->failures ? "" : "clean",
                     html_class_same(r, op)));
    row->op = op;
    row->words = words(p->arena, l);
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_PLAIN, "%s", op);
    for (int i = 0; i < columns->count; i++)
        add_cell(p, run, cell_of_type(l, columns->types[i]));
}

static int larger_first(int64_t x, int64_t y)
{
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Those with the most failures first, then the most that is known to be wrong,
 * then with remarks. */
static int by_need(const void *a, const void *b)
{
    const struct report_row *x = ((const struct line *)a)->row;
    const struct report_row *y = ((const struct line *)b)->row;
    int order = larger_first(x->failures, y->failures);
    order = order ? order : larger_first(x->known, y->known);
    order =
        order ? order
              : larger_first(x->counts[VERDICT_WARN], y->counts[VERDICT_WARN]);
    return order ? order : strcmp(x->op, y->op);
}

/* Cells come by operation, as the rows of a summary do. */
static struct line *make_lines(struct arena *a, const struct report_summary *s,
                               const struct report_cell *cells, int count)
{
    struct line *lines = arena_new(a, struct line, (size_t)s->operations + 1);
    for (int i = 0, k = 0; i < s->operations; i++) {
        int from = k;
        while (k < count && strcmp(cells[k].op, s->rows[i].op) == 0)
            k++;
        lines[i] = (struct line){&s->rows[i], &cells[from], k - from};
    }
    if (s->operations > 1)
        qsort(lines, (size_t)s->operations, sizeof *lines, by_need);
    return lines;
}

/* Was nothing of it judged, and nothing to be judged missing? */
static bool is_skipped(const struct line *l)
{
    return l->row->judged == 0 && l->row->failures == 0;
}

static void add_skipped(struct report *r, struct page *p,
                        const struct line *lines, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++)
        n += is_skipped(&lines[i]);
    if (n == 0)
        return;
    page_open_as(p, PAGE_FOLD, "skipped");
    page_say(p, PAGE_PLAIN, "%d %s of which no case was judged", n,
             text_plural(n, "operation", "operations"));
    page_open_as(p, PAGE_LIST, "names");
    for (int i = 0; i < count; i++) {
        if (!is_skipped(&lines[i]))
            continue;
        struct page_node *item =
            page_open_as(p, PAGE_ITEM,
                         arena_printf(p->arena, "clean%s",
                                      html_class_same(r, lines[i].row->op)));
        item->op = lines[i].row->op;
        item->words = words(p->arena, &lines[i]);
        page_say(p, PAGE_PLAIN, "%s (%s)", lines[i].row->op,
                 format_count(p->arena, lines[i].row->total));
    }
    page_close(p);
}

static bool add_run(struct report *r, struct page *p,
                    const struct html_cells *all, int run, struct status *st)
{
    struct arena *a = p->arena;
    struct report_summary s;
    const struct report_cell *cells = all->cells[run];
    TRY(report_summary(r, &r->runs[run], &s, st));
    const struct line *lines = make_lines(a, &s, cells, all->counts[run]);
    struct columns c = {
        0, arena_new(a, const char *, (size_t)all->counts[run] + 1)};
    for (int i = 0; i < s.operations; i++)
        for (int k = 0; k < lines[i].count && !is_skipped(&lines[i]); k++)
            add_column(&c, lines[i].cells[k].type);
    if (r->run_count > 1)
        page_heading(p, 3, NULL, all->labels[run]);
    if (c.count > 0) {
        struct page_node *table = page_open_as(p, PAGE_TABLE, "matrix");
        table->hint = "Operations by element type";
        page_open(p, PAGE_ROW);
        page_cell(p, PAGE_PLAIN, "Operation");
        for (int i = 0; i < c.count; i++)
            page_cell(p, PAGE_LITERAL, *c.types[i] ? c.types[i] : "no type");
    }
    for (int i = 0; i < s.operations; i++)
        if (!is_skipped(&lines[i]))
            add_line(r, p, &r->runs[run], &lines[i], &c);
    add_skipped(r, p, lines, s.operations);
    return true;
}

/* ---- Several runs side by side ------------------------------------------- */

static const struct report_row *row_of(const struct report_summary *s,
                                       const char *op)
{
    for (int i = 0; i < s->operations; i++)
        if (strcmp(s->rows[i].op, op) == 0)
            return &s->rows[i];
    return NULL;
}

static void add_total(struct page *p, const struct report_row *t)
{
    struct arena *a = p->arena;
    if (!t)
        page_number(p, "no case")->class = "num soft";
    else if (t->failures)
        page_number(p, arena_printf(a, "\xe2\x9c\x97 %s of %s failed",
                                    format_count(a, t->failures),
                                    format_count(a, t->total)))
            ->class
            = "num bad";
    else if (t->skipped == t->total)
        page_number(p, arena_printf(a, "\xe2\x80\x93 %s skipped",
                                    format_count(a, t->total)))
            ->class
            = "num skip";
    else if (t->known)
        page_number(p,
                    arena_printf(a, "\xe2\x89\xa0 %s of %s known to be wrong",
                                 format_count(a, t->known),
                                 format_count(a, t->total)))
            ->class
            = "num known";
    else
        page_number(p, arena_printf(a, "\xe2\x9c\x93 %s passed",
                                    format_count(a, t->total - t->skipped)))
            ->class
            = "num ok";
}

static void add_side(struct page *p, const struct report_summary *sums,
                     int count, const char *op)
{
    bool clean = true;
    for (int i = 0; i < count; i++) {
        const struct report_row *own = row_of(&sums[i], op);
        clean = clean && !(own && own->failures);
    }
    page_open_as(p, PAGE_ROW, clean ? "clean" : NULL)->op = op;
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_PLAIN, "%s", op);
    for (int i = 0; i < count; i++)
        add_total(p, row_of(&sums[i], op));
}

/* Each operation once, in the order in which the runs have them. */
static bool add_side_by_side(struct report *r, struct page *p,
                             const struct html_cells *all, struct status *st)
{
    struct report_summary *sums =
        arena_new(p->arena, struct report_summary, (size_t)r->run_count);
    page_heading(p, 3, NULL, "Side by side");
    struct page_node *table = page_open_as(p, PAGE_TABLE, "wide full");
    table->hint = "Runs side by side";
    page_open(p, PAGE_ROW);
    page_cell(p, PAGE_PLAIN, "Operation");
    for (int i = 0; i < r->run_count; i++) {
        TRY(report_summary(r, &r->runs[i], &sums[i], st));
        page_number(p, all->labels[i]);
    }
    for (int i = 0; i < r->run_count; i++)
        for (int k = 0; k < sums[i].operations; k++) {
            const char *op = sums[i].rows[k].op;
            bool seen = false;
            for (int before = 0; before < i; before++)
                seen = seen || row_of(&sums[before], op);
            if (!seen)
                add_side(p, sums, r->run_count, op);
        }
    return true;
}

static void add_legend(struct page *p)
{
    page_open_as(p, PAGE_LIST, "chips");
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        page_open_as(p, PAGE_ITEM,
                     arena_printf(p->arena, "chip %s", signs[i].class));
        page_say(p, PAGE_PLAIN, "%s %s", signs[i].sign, signs[i].text);
    }
    page_paragraph(
        p, PAGE_SOFT,
        "The number counts cases: those that failed or are known to be wrong if"
        " there are any, otherwise all. What needs work comes first.");
}

static bool add_all(struct report *r, struct page *p,
                    const struct html_cells *all, struct status *st)
{
    page_heading(p, 2, "matrix", "Operations");
    if (r->run_count > 1)
        TRY(add_side_by_side(r, p, all, st));
    add_legend(p);
    for (int i = 0; i < r->run_count; i++)
        TRY(add_run(r, p, all, i, st));
    return true;
}

bool html_matrix(struct report *r, const struct html_cells *all,
                 struct status *st)
{
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    bool good = add_all(r, p, all, st);
    page_html_part(r->out, p);
    arena_free(&a);
    return good;
}
