/* html_accuracy.c - the errors of results, including those that passed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/format.h"
#include "report/html.h"

/* Bars of the histogram, from the left: below -128 ulps, to -8, -4, -2, -1,
 * -1/2, within 1/2, and so on to the right; the last is NaN or infinity. */
enum {
    BARS = 14,
    MIDDLE = 6,
    SPECIAL = 13,
    HEIGHT = 24,
};

static const char *const bar_names[BARS] = {"below \xe2\x88\x92"
                                            "128",
                                            "\xe2\x88\x92"
                                            "128 to \xe2\x88\x92"
                                            "8",
                                            "\xe2\x88\x92"
                                            "8 to \xe2\x88\x92"
                                            "4",
                                            "\xe2\x88\x92"
                                            "4 to \xe2\x88\x92"
                                            "2",
                                            "\xe2\x88\x92"
                                            "2 to \xe2\x88\x92"
                                            "1",
                                            "\xe2\x88\x92"
                                            "1 to \xe2\x88\x92\xc2\xbd",
                                            "within \xc2\xbd",
                                            "\xc2\xbd to 1",
                                            "1 to 2",
                                            "2 to 4",
                                            "4 to 8",
                                            "8 to 128",
                                            "beyond 128",
                                            "NaN or infinity"};

/* results.sql: a bin to 64 is of eighths, from 65 on of doublings of 8. */
static int bar_of(int bin)
{
    static const int ends[] = {4, 8, 16, 32, 64, 68};
    if (bin == 128)
        return SPECIAL;
    int steps = 0;
    while (steps < MIDDLE && abs(bin) > ends[steps])
        steps++;
    return bin < 0 ? MIDDLE - steps : MIDDLE + steps;
}

/* A bar is as tall as its elements are many, and as the cell's verdict
 * coloured: an error is large or small only by its budget. */
const char *html_accuracy_histogram(struct arena *a,
                                    const struct report_cell *c)
{
    int64_t bars[BARS] = {0}, most = 1;
    const char *words = "", *rects = "";
    for (int i = 0; i < 257; i++)
        bars[bar_of(i - 128)] += c->bins[i];
    for (int i = 0; i < BARS; i++)
        most = bars[i] > most ? bars[i] : most;
    for (int i = 0; i < BARS; i++) {
        /* Logarithmic, so that a single outlier is seen. */
        double share = log2(1 + (double)bars[i]) / log2(1 + (double)most);
        int h = bars[i] ? 3 + (int)(share * (HEIGHT - 3)) : 1;
        const char *n = format_count(a, bars[i]);
        if (bars[i])
            words = arena_printf(a, "%s %s: %s;", words, bar_names[i], n);
        rects = arena_printf(
            a,
            "%s<rect x=\"%d\" y=\"%d\" width=\"9\" height=\"%d\"%s>"
            "<title>%s: %s</title></rect>",
            rects, i * 11 + (i == SPECIAL ? 5 : 0), HEIGHT - h + 1, h,
            bars[i] ? " class=\"has\"" : "", bar_names[i], n);
    }
    return arena_printf(a,
                        "<svg class=\"hist is-%s\" viewBox=\"0 0 158 26\""
                        " role=\"img\" aria-label=\"Errors in ulps:%s\">%s"
                        "</svg>",
                        html_class_of(c), words, rects);
}

/* "f32:3f800000" as a decimal, "c64:3f800000:40000000" as two; other texts stay
 * as they are. */
static const char *input_text(struct arena *a, const char *one)
{
    const char *colon = strchr(one, ':');
    char *end;
    if (!colon)
        return one;
    const char *type = arena_printf(a, "%.*s", (int)(colon - one), one);
    uint64_t bits = strtoull(colon + 1, &end, 16);
    const char *real = format_decimal(a, type, bits);
    if (*end == '\0')
        return real;
    if (*end != ':')
        return one;
    bits = strtoull(end + 1, &end, 16);
    return *end ? one
                : arena_printf(a, "(%s, %s)", real,
                               format_decimal(a, type, bits));
}

/* "f32:3f800000 f32:40000000" as decimals, the patterns in the hint. */
static void add_input(struct page *p, const char *input)
{
    struct arena *a = p->arena;
    const char *c = input ? input : "", *text = "";
    for (int i = 0; *c && i < 4; i++) {
        size_t n = strcspn(c, " ");
        const char *one = arena_printf(a, "%.*s", (int)n, c);
        text = arena_printf(a, "%s%s%.60s", text, i ? ", " : "",
                            input_text(a, one));
        c += n;
        c += strspn(c, " ");
    }
    page_open_as(p, PAGE_CELL, "value")->hint = input;
    if (*text)
        page_say(p, PAGE_LITERAL, "%s", text);
}

/* A number, and what it is sorted by. */
static struct page_node *add_number(struct page *p, const char *text,
                                    int64_t value)
{
    struct page_node *n = page_number(p, text);
    n->sort = arena_printf(p->arena, "%lld", (long long)value);
    return n;
}

static void add_row(struct report *r, struct page *p,
                    const struct html_cells *all, int run,
                    const struct report_cell *c)
{
    struct arena *a = p->arena;
    int64_t worst = c->has_error ? c->error : c->has_share ? c->share : 0;
    struct page_node *row =
        page_open_as(p, PAGE_ROW,
                     arena_printf(a, "%s%s", c->failures ? "" : "clean",
                                  html_class_same(r, c->op)));
    row->op = c->op;
    row->words = c->type;
    page_open(p, PAGE_NAME);
    page_say(p, PAGE_PLAIN, "%s", c->op);
    page_cell(p, PAGE_LITERAL, c->type);
    if (r->run_count > 1)
        page_cell(p, PAGE_PLAIN, all->labels[run]);
    add_number(p, format_count(a, c->units), c->units);
    page_number(p, c->rated ? arena_printf(
                       a, "%s\xc2\xa0%%", format_share(a, c->correct, c->rated))
                            : "")
        ->sort = arena_printf(
        a, "%.9f", c->rated ? (double)c->correct / (double)c->rated : -1);
    add_number(p, report_cells_worst(a, c, ""), worst < 0 ? -worst : worst)
        ->hint = c->has_error   ? format_ulps(a, c->error)
                 : c->has_share ? "of its bound E"
                                : NULL;
    page_number(p, report_budget(a, &r->runs[run], c));
    add_input(p, c->worst_input);
    add_number(p, c->special ? format_count(a, c->special) : "", c->special);
    page_open(p, PAGE_CELL);
    if (c->has_bins)
        page_say(p, PAGE_PICTURE, "%s", html_accuracy_histogram(a, c));
}

static bool is_inexact(const struct report_cell *c)
{
    return c->units > 0
           && (c->correct < c->rated || c->special || c->has_share
               || (c->has_error && c->error != 0));
}

static void begin_table(struct report *r, struct page *p)
{
    static const char *const titles[] = {"Operation",
                                         "Type",
                                         "Backend",
                                         "Compared",
                                         "Correctly rounded",
                                         "Worst, ulps",
                                         "Budget",
                                         "At input",
                                         "NaN, inf",
                                         "Errors, \xe2\x88\x92 to +"};
    struct page_node *table = page_open_as(p, PAGE_TABLE, "wide full sortable");
    table->hint = "Accuracy";
    page_open(p, PAGE_ROW);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (i != 2 || r->run_count > 1)
            page_cell(p, PAGE_PLAIN, titles[i]);
}

/* The rows of run i for its cell k and the same cell of other runs. */
static const struct report_cell *same_cell(const struct html_cells *all,
                                           int run, const struct report_cell *c)
{
    for (int k = 0; k < all->counts[run]; k++)
        if (strcmp(all->cells[run][k].op, c->op) == 0
            && strcmp(all->cells[run][k].type, c->type) == 0)
            return &all->cells[run][k];
    return NULL;
}

/* Has an earlier run an inexact cell of that operation and type? */
static bool seen(const struct html_cells *all, int run,
                 const struct report_cell *c)
{
    for (int i = 0; i < run; i++) {
        const struct report_cell *other = same_cell(all, i, c);
        if (other && is_inexact(other))
            return true;
    }
    return false;
}

/* A cell, and the same of the other runs below it. */
static void add_cell(struct report *r, struct page *p,
                     const struct html_cells *all, const struct report_cell *c)
{
    for (int i = 0; i < r->run_count; i++) {
        const struct report_cell *other = same_cell(all, i, c);
        if (other && other->units > 0)
            add_row(r, p, all, i, other);
    }
}

void html_accuracy(struct report *r, const struct html_cells *all)
{
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    int shown = 0, exact = 0;
    page_heading(p, 2, "accuracy", "Accuracy");
    page_paragraph(
        p, PAGE_SOFT,
        "All results that were compared, right or wrong. The error of a sum, a "
        "transform or a decomposition is a fraction of its bound E. Orders and "
        "random numbers are judged as a whole, and have neither an error nor a "
        "fraction of correctly rounded elements. There are bars where some "
        "result is not correctly rounded; their scale is logarithmic, and "
        "their colour is that of the verdict. The middle bar is within half an "
        "ulp, the next ones end at 1, 2, 4, 8 and 128 ulps, and the separate "
        "one counts NaN or infinity in place of a number.");
    for (int i = 0; i < r->run_count; i++)
        for (int k = 0; k < all->counts[i]; k++) {
            const struct report_cell *c = &all->cells[i][k];
            exact += c->rated > 0 && !is_inexact(c);
            if (!is_inexact(c) || seen(all, i, c))
                continue;
            if (shown++ == 0)
                begin_table(r, p);
            add_cell(r, p, all, c);
        }
    page_open(p, PAGE_PARAGRAPH);
    page_say(p, PAGE_PLAIN,
             "%s pairs of operation and type were exact or correctly rounded"
             " throughout.",
             format_count(&a, exact));
    page_html_part(r->out, p);
    arena_free(&a);
}
