/* atlas_html.c - see atlas.h: the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/atlas.h"
#include "report/doc/page.h"
#include "report/format.h"

enum {
    HEIGHT = 48,
    BAR = 2,        /* width of a column */
    LOWEST = 10000, /* the axis begins at 0.01 ulp */
    DECADES_MAX = 19,
    HALF = 500000
};

/* ---- Plots --------------------------------------------------------------- */

/* Where an error is between 0.01 ulp and 10^decades times that, in thousandths:
 * linear within a decade is good enough for 48 pixels. */
static int height_of(int64_t error, int decades)
{
    int64_t unit = LOWEST;
    int whole = 0;
    if (error < LOWEST)
        return 0;
    for (; error / unit >= 10 && whole < decades; whole++)
        unit *= 10;
    double part = (double)(error - unit) / (double)unit * 1000 / 9;
    int at = (whole * 1000 + (part < 1000 ? (int)part : 1000)) / decades;
    return at < 1000 ? at : 1000;
}

static int decades_of(int64_t most)
{
    int decades = 2;
    for (int64_t top = LOWEST * 100; top < most && decades < 14; decades++)
        top *= 10;
    return decades;
}

/* The largest error of each column; red where a result is outside its set. */
static void add_bars(struct page *p, const struct atlas_row *r, int decades)
{
    struct {
        int64_t error;
        bool any, bad;
    } column[ATLAS_COLUMNS] = {0};
    int64_t low = r->points[0].key, high = low;
    for (int64_t i = 0; i < r->point_count; i++) {
        low = r->points[i].key < low ? r->points[i].key : low;
        high = r->points[i].key > high ? r->points[i].key : high;
    }
    double span = (double)high - (double)low + 1;
    for (int64_t i = 0; i < r->point_count; i++) {
        double at = ((double)r->points[i].key - (double)low) / span;
        int k = (int)(at * ATLAS_COLUMNS);
        k = k < ATLAS_COLUMNS ? k : ATLAS_COLUMNS - 1;
        column[k].any = true;
        column[k].bad |= r->points[i].bad > 0;
        if (r->points[i].error > column[k].error)
            column[k].error = r->points[i].error;
    }
    for (int k = 0; k < ATLAS_COLUMNS; k++) {
        int h = 1 + height_of(column[k].error, decades) * (HEIGHT - 1) / 1000;
        if (column[k].any)
            page_say(p, PAGE_PICTURE,
                     "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                     "fill=\"var(--bar-%s)\"/>",
                     k * BAR, HEIGHT - h, BAR, h, column[k].bad ? "bad" : "ok");
    }
}

static void add_plot(struct page *p, const struct atlas_row *r)
{
    page_open(p, PAGE_CELL);
    if (r->point_count == 0)
        return;
    int decades = decades_of(llabs(r->error));
    int half = HEIGHT - height_of(HALF, decades) * HEIGHT / 1000;
    page_say(
        p, PAGE_PICTURE,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
        " aria-label=\"Largest error over the input, at most %s ulps\">",
        ATLAS_COLUMNS * BAR, HEIGHT, ATLAS_COLUMNS * BAR, HEIGHT,
        format_ulps(p->arena, llabs(r->error)));
    add_bars(p, r, decades);
    page_say(p, PAGE_PICTURE,
             "<line x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\" "
             "stroke=\"currentColor\" stroke-dasharray=\"2 3\"/></svg>",
             ATLAS_COLUMNS * BAR, half, half);
}

/* ---- The table ----------------------------------------------------------- */

static void add_name(struct page *p, const struct atlas_row *r)
{
    page_open(p, PAGE_ROW);
    page_open_as(p, PAGE_NAME, "stack");
    page_say(p, PAGE_PLAIN, "%s", r->op);
    if (*r->of)
        page_say(p, PAGE_SOFT, "%s", r->of);
    page_cell(p, PAGE_LITERAL, dtype_table[r->type].name);
    page_open_as(p, PAGE_CELL, "stack");
    page_say(p, PAGE_PLAIN, "%s", r->backend);
    page_say(p, PAGE_SOFT, "%s", r->version);
}

/* A count, by which its column is sorted. */
static void add_number(struct page *p, int64_t by, const char *text)
{
    page_number(p, text)->sort = arena_printf(p->arena, "%" PRId64, by);
}

static void add_error(struct page *p, const struct atlas_row *r)
{
    add_number(p, llabs(r->error),
               r->has_error ? format_ulps(p->arena, llabs(r->error)) : "0");
    page_open_as(p, PAGE_CELL, r->certified ? "ok" : "warn");
    page_say(p, PAGE_PLAIN, "%s",
             r->certified ? "certified"
             : r->hunted  ? "lower bound, hunted"
                          : "lower bound");
    struct page_node *at = page_open_as(p, PAGE_CELL, "value");
    if (!r->has_error)
        return;
    at->hint = atlas_input(p->arena, r, false);
    page_say(p, PAGE_LITERAL, "%s", atlas_input(p->arena, r, true));
}

static void add_row(struct page *p, const struct atlas_row *r)
{
    struct arena *a = p->arena;
    add_name(p, r);
    add_error(p, r);
    page_number(p, r->sampled
                       ? arena_printf(a, "%s\xc2\xa0%%",
                                      format_share(a, r->correct, r->sampled))
                       : "");
    page_number(p, r->special ? format_count(a, r->special) : "");
    page_number(p, r->bad ? format_count(a, r->bad) : "");
    add_number(p, r->inputs, format_count(a, r->inputs));
    /* Empty where the function is not known to be monotone. */
    page_number(p, r->ordered ? format_count(a, r->breaks) : "")->hint =
        atlas_break(a, r, true);
    add_plot(p, r);
}

static void add_text(struct page *p)
{
    page_paragraph(p, PAGE_PLAIN,
                   "The largest error of each function, in ulps of the exact"
                   " value. ");
    page_say(p, PAGE_STRONG, "Certified");
    page_say(p, PAGE_PLAIN, ": every input was judged. ");
    page_say(p, PAGE_STRONG, "Lower bound");
    page_say(p, PAGE_PLAIN,
             ": some were, or a search looked for the worst one. Results that"
             " are correctly rounded are counted over sweeps only, since a"
             " search prefers bad inputs. ");
    page_say(p, PAGE_STRONG, "Out of order");
    page_say(
        p, PAGE_PLAIN,
        ": results below that of the next smaller input where a function "
        "rises, and above it where the function falls; counted where "
        "neighbouring inputs were swept. Each plot has the inputs in the order "
        "of their values, least to greatest, by bit patterns; the largest "
        "error of each column, from 0.01 ulp on a logarithmic scale; red where "
        "a result is outside its acceptance set; the line is half an ulp.");
}

void atlas_html(const struct atlas *t, FILE *out)
{
    static const char *const titles[] = {
        "Operation", "Type",     "Backend",           "Largest error, ulps",
        "Evidence",  "At input", "Correctly rounded", "NaN, inf",
        "Outside",   "Inputs",   "Out of order",      "Error over the input",
        NULL};
    struct arena a = ARENA_INIT;
    struct page *p = page_part(&a);
    add_text(p);
    struct page_node *table = page_table(p, titles);
    table->class = "wide full";
    table->hint = "Accuracy";
    for (int i = 0; i < t->count; i++)
        add_row(p, &t->rows[i]);
    page_html_begin(out, "Accuracy atlas", "Assay: accuracy atlas", NULL);
    page_html_part(out, p);
    page_html_end(out, "from sweeps and hunts in results databases.", NULL);
    arena_free(&a);
}
