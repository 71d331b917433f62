/* atlas_html.c - see atlas.h: the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/atlas.h"
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
static void write_bars(const struct atlas_row *r, int decades, FILE *out)
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
            fprintf(out,
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                    "fill=\"var(--bar-%s)\"/>",
                    k * BAR, HEIGHT - h, BAR, h, column[k].bad ? "bad" : "ok");
    }
}

static void write_plot(struct arena *a, const struct atlas_row *r, FILE *out)
{
    if (r->point_count == 0)
        return;
    int decades = decades_of(llabs(r->error));
    int half = HEIGHT - height_of(HALF, decades) * HEIGHT / 1000;
    fprintf(
        out,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
        "aria-label=\"Largest error over the input, at most %s ulps\">",
        ATLAS_COLUMNS * BAR, HEIGHT, ATLAS_COLUMNS * BAR, HEIGHT,
        format_ulps(a, llabs(r->error)));
    write_bars(r, decades, out);
    fprintf(out,
            "<line x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\" "
            "stroke=\"currentColor\" stroke-dasharray=\"2 3\"/></svg>",
            ATLAS_COLUMNS * BAR, half, half);
}

/* ---- The table ----------------------------------------------------------- */

static void write_name(const struct atlas_row *r, FILE *out)
{
    fputs("<tr><th scope=\"row\">", out);
    format_xml(out, r->op, 60);
    if (*r->of) {
        fputs("<br><span class=\"soft\">", out);
        format_xml(out, r->of, 80);
        fputs("</span>", out);
    }
    fprintf(out, "</th><td><code>%s</code></td><td>",
            dtype_table[r->type].name);
    format_xml(out, r->backend, 60);
    fputs("<br><span class=\"soft\">", out);
    format_xml(out, r->version, 60);
    fputs("</span></td>", out);
}

/* Results out of order; empty where the function is not known to be monotone.
 */
static void write_order(struct arena *a, const struct atlas_row *r, FILE *out)
{
    fputs("<td class=\"num\" title=\"", out);
    format_xml(out, atlas_break(a, r, true), 100);
    fprintf(out, "\">%s</td><td>",
            r->ordered ? format_count(a, r->breaks) : "");
}

static void write_row(struct arena *a, const struct atlas_row *r, FILE *out)
{
    write_name(r, out);
    fprintf(out,
            "<td class=\"num\" data-v=\"%" PRId64 "\">%s</td>"
            "<td class=\"%s\">%s</td><td class=\"value\" title=\"",
            (int64_t)llabs(r->error),
            r->has_error ? format_ulps(a, llabs(r->error)) : "0",
            r->certified ? "ok" : "warn",
            r->certified ? "certified"
            : r->hunted  ? "lower bound, hunted"
                         : "lower bound");
    if (r->has_error) {
        format_xml(out, atlas_input(a, r, false), 100);
        fputs("\"><code>", out);
        format_xml(out, atlas_input(a, r, true), 100);
        fputs("</code>", out);
    } else {
        fputs("\">", out);
    }
    fprintf(out,
            "</td><td class=\"num\">%s%s</td><td class=\"num\">%s</td>"
            "<td class=\"num\">%s</td><td class=\"num\" data-v=\"%" PRId64
            "\">%s</td>",
            r->sampled ? format_share(a, r->correct, r->sampled) : "",
            r->sampled ? "\xc2\xa0%" : "",
            r->special ? format_count(a, r->special) : "",
            r->bad ? format_count(a, r->bad) : "", r->inputs,
            format_count(a, r->inputs));
    write_order(a, r, out);
    write_plot(a, r, out);
    fputs("</td></tr>\n", out);
}

static void write_head(FILE *out)
{
    static const char *const titles[] = {
        "Operation", "Type",     "Backend",           "Largest error, ulps",
        "Evidence",  "At input", "Correctly rounded", "NaN, inf",
        "Outside",   "Inputs",   "Out of order",      "Error over the input"};
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
          "aria-label=\"Accuracy\"><table class=\"wide full\">\n<thead><tr>",
          out);
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        fprintf(out, "<th scope=\"col\">%s</th>", titles[i]);
    fputs("</tr></thead>\n<tbody>\n", out);
}

void atlas_html(const struct atlas *t, FILE *out)
{
    struct arena a = ARENA_INIT;
    format_html_head(out);
    fputs("Accuracy atlas", out);
    format_html_body(out);
    fputs("<header>\n<h1>Assay: accuracy atlas</h1>\n</header>\n<main>\n"
          "<p>The largest error of each function, in ulps of the exact value."
          " <b>Certified</b>: every input was judged. <b>Lower bound</b>: some"
          " were, or a search looked for the worst one. Results that are"
          " correctly rounded are counted over sweeps only, since a search"
          " prefers bad inputs. <b>Out of order</b>: where a function rises,"
          " results that are below that of the next smaller input (above,"
          " where it falls); counted where neighbouring inputs were swept."
          " Each plot has the inputs in the order of their"
          " values, least to greatest, by bit patterns; the largest error of"
          " each column, from 0.01 ulp on a logarithmic scale; red where a"
          " result is outside its acceptance set; the line is half an"
          " ulp.</p>\n",
          out);
    write_head(out);
    for (int i = 0; i < t->count; i++) {
        write_row(&a, &t->rows[i], out);
        arena_reset(&a);
    }
    fputs(
        "</tbody></table></div>\n</main>\n<footer>Made by assay " ASSAY_VERSION
        " from sweeps and hunts in results databases.</footer>\n"
        "</body>\n</html>\n",
        out);
    arena_free(&a);
}
