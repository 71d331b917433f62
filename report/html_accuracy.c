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

void html_accuracy_histogram(FILE *out, struct arena *a,
                             const struct report_cell *c)
{
    int64_t bars[BARS] = {0}, most = 1;
    for (int i = 0; i < 257; i++)
        bars[bar_of(i - 128)] += c->bins[i];
    for (int i = 0; i < BARS; i++)
        most = bars[i] > most ? bars[i] : most;
    fputs("<svg class=\"hist\" viewBox=\"0 0 158 26\" role=\"img\""
          " aria-label=\"Errors in ulps:",
          out);
    for (int i = 0; i < BARS; i++)
        if (bars[i])
            fprintf(out, " %s: %s;", bar_names[i], format_count(a, bars[i]));
    fputs("\">", out);
    for (int i = 0; i < BARS; i++) {
        /* Logarithmic, so that a single outlier is seen. */
        double share = log2(1 + (double)bars[i]) / log2(1 + (double)most);
        int h = bars[i] ? 3 + (int)(share * (HEIGHT - 3)) : 1;
        const char *class = i == MIDDLE ? "mid" : "off";
        if (i == SPECIAL || i <= 1 || i >= SPECIAL - 2)
            class = "far";
        fprintf(out,
                "<rect x=\"%d\" y=\"%d\" width=\"9\" height=\"%d\"%s%s%s>"
                "<title>%s: %s</title></rect>",
                i * 11 + (i == SPECIAL ? 5 : 0), HEIGHT - h + 1, h,
                bars[i] ? " class=\"" : "", bars[i] ? class : "",
                bars[i] ? "\"" : "", bar_names[i], format_count(a, bars[i]));
    }
    fputs("</svg>", out);
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

/* "f32:3f800000 f32:40000000" as decimals, the patterns in the title. */
static void write_input(struct report *r, const char *input)
{
    fputs("<td class=\"value\" title=\"", r->out);
    format_xml(r->out, input, 200);
    fputs("\"><code>", r->out);
    const char *p = input ? input : "";
    for (int i = 0; *p && i < 4; i++) {
        size_t n = strcspn(p, " ");
        const char *one = arena_printf(&r->row, "%.*s", (int)n, p);
        const char *text = input_text(&r->row, one);
        fputs(i ? ", " : "", r->out);
        format_xml(r->out, text, 60);
        p += n;
        p += strspn(p, " ");
    }
    fputs("</code></td>", r->out);
}

static void write_row(struct report *r, const struct report_run *run,
                      const struct report_cell *c)
{
    fprintf(r->out, "<tr class=\"%s\" data-op=\"", c->failures ? "" : "clean");
    format_xml(r->out, c->op, 0);
    fputs("\" data-text=\"", r->out);
    format_xml(r->out, c->type, 0);
    fputs("\"><th scope=\"row\">", r->out);
    format_xml(r->out, c->op, 0);
    fputs("</th><td><code>", r->out);
    format_xml(r->out, c->type, 0);
    fputs("</code></td>", r->out);
    if (r->run_count > 1) {
        fputs("<td>", r->out);
        format_xml(r->out, run->backend, 60);
        fprintf(r->out, " <span class=\"soft\">run %lld</span></td>",
                (long long)run->id);
    }
    struct arena *a = &r->row;
    int64_t worst = c->has_error ? c->error : c->has_share ? c->share : 0;
    fprintf(r->out,
            "<td class=\"num\" data-v=\"%lld\">%s</td>"
            "<td class=\"num\" data-v=\"%.9f\">%s%s</td>"
            "<td class=\"num\" data-v=\"%lld\" title=\"%s\">%s</td>"
            "<td class=\"num\">",
            (long long)c->units, format_count(a, c->units),
            c->rated ? (double)c->correct / (double)c->rated : -1,
            c->rated ? format_share(a, c->correct, c->rated) : "",
            c->rated ? "\xc2\xa0%" : "",
            (long long)(worst < 0 ? -worst : worst),
            c->has_error   ? format_ulps(a, c->error)
            : c->has_share ? "of its bound E"
                           : "",
            report_cells_worst(a, c, ""));
    format_xml(r->out, report_budget(a, run, c), 0);
    fputs("</td>", r->out);
    write_input(r, c->worst_input);
    fprintf(r->out, "<td class=\"num\" data-v=\"%lld\">%s</td><td>",
            (long long)c->special,
            c->special ? format_count(&r->row, c->special) : "");
    if (c->has_bins)
        html_accuracy_histogram(r->out, &r->row, c);
    fputs("</td></tr>\n", r->out);
    arena_reset(&r->row);
}

static bool is_inexact(const struct report_cell *c)
{
    return c->units > 0
           && (c->correct < c->rated || c->special || c->has_share
               || (c->has_error && c->error != 0));
}

static void write_head(struct report *r)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\""
          " aria-label=\"Accuracy\"><table class=\"wide full sortable\">\n"
          "<thead><tr><th scope=\"col\">Operation</th>"
          "<th scope=\"col\">Type</th>",
          r->out);
    if (r->run_count > 1)
        fputs("<th scope=\"col\">Backend</th>", r->out);
    fputs("<th scope=\"col\" class=\"num\">Compared</th>"
          "<th scope=\"col\" class=\"num\">Correctly rounded</th>"
          "<th scope=\"col\" class=\"num\">Worst, ulps</th>"
          "<th scope=\"col\" class=\"num\">Budget</th>"
          "<th scope=\"col\">At input</th>"
          "<th scope=\"col\" class=\"num\">NaN, inf</th>"
          "<th scope=\"col\">Errors, \xe2\x88\x92 to +</th></tr></thead>\n"
          "<tbody>\n",
          r->out);
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
static void write_cell(struct report *r, const struct html_cells *all,
                       const struct report_cell *c)
{
    for (int i = 0; i < r->run_count; i++) {
        const struct report_cell *other = same_cell(all, i, c);
        if (other && other->units > 0)
            write_row(r, &r->runs[i], other);
    }
}

void html_accuracy(struct report *r, const struct html_cells *all)
{
    int shown = 0, exact = 0;
    fputs("<h2 id=\"accuracy\">Accuracy</h2>\n"
          "<p class=\"soft\">All results that were compared, right or wrong."
          " The error of a sum, a transform or a decomposition is a fraction of"
          " its bound E; orders and random numbers are judged as a whole, and"
          " have neither an error nor a fraction of correctly rounded elements."
          " Bars cover results that are not correctly rounded throughout; their"
          " scale is logarithmic. The middle bar is within half an ulp, the"
          " next ones end at 1, 2, 4, 8 and 128 ulps, and the separate one"
          " counts NaN or infinity in place of a number.</p>\n",
          r->out);
    for (int i = 0; i < r->run_count; i++)
        for (int k = 0; k < all->counts[i]; k++) {
            const struct report_cell *c = &all->cells[i][k];
            exact += c->rated > 0 && !is_inexact(c);
            if (!is_inexact(c) || seen(all, i, c))
                continue;
            if (shown++ == 0)
                write_head(r);
            write_cell(r, all, c);
        }
    if (shown)
        fputs("</tbody></table></div>\n", r->out);
    fprintf(r->out,
            "<p>%s pairs of operation and type were exact or correctly rounded"
            " throughout.</p>\n",
            format_count(&r->row, exact));
}
