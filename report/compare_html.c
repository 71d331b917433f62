/* compare_html.c - several backends side by side, as one page that needs
 * nothing else; see compare.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/compare.h"
#include "report/format.h"

static void write_title(const struct compare *c, int i, FILE *out)
{
    fputs("<th scope=\"col\" class=\"num\">", out);
    format_xml(out, c->titles[i], 0);
    fputs("</th>", out);
}

/* The beginning of a table whose first columns have these titles, and then one
 * of each run. */
static void begin_table(const struct compare *c, const char *label,
                        const char *columns, FILE *out)
{
    fprintf(out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\""
            " aria-label=\"%s\"><table class=\"wide full\">\n<thead><tr>%s",
            label, columns);
    for (int i = 0; i < c->run_count; i++)
        write_title(c, i, out);
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}

static void write_cell(struct arena *a, const struct compare_cell *cell,
                       FILE *out)
{
    int64_t right = cell->counts[COMPARE_RIGHT];
    int64_t wrong = cell->counts[COMPARE_WRONG];
    if (right + wrong == 0) {
        fputs("<td class=\"num skip\">\xe2\x80\x93</td>", out);
        return;
    }
    fprintf(out, "<td class=\"num %s\">", wrong ? "bad" : "ok");
    if (wrong)
        fprintf(out, "\xe2\x9c\x97 %s of %s wrong", format_count(a, wrong),
                format_count(a, right + wrong));
    else
        fprintf(out, "\xe2\x9c\x93 %s right", format_count(a, right));
    if (cell->worst.has_error)
        fprintf(out, "<br>%s ulp", format_short(a, cell->worst.error));
    fputs("</td>", out);
}

static void write_row(const struct compare *c, const struct compare_row *row,
                      FILE *out)
{
    struct arena a = ARENA_INIT;
    fputs("<tr><th scope=\"row\">", out);
    format_xml(out, row->op, 0);
    fprintf(out, "</th><td class=\"num\">%s</td><td class=\"num\">%s</td>",
            format_count(&a, row->cases), format_count(&a, row->apart));
    for (int i = 0; i < c->run_count; i++)
        write_cell(&a, &row->cells[i], out);
    fputs("</tr>\n", out);
    arena_free(&a);
}

static void write_operations(const struct compare *c, FILE *out)
{
    fputs("<h2 id=\"operations\">Operations</h2>\n"
          "<p class=\"soft\">Cases that a backend gets right or wrong, and its"
          " largest error. \xe2\x80\x93: no verdict.</p>\n",
          out);
    begin_table(c, "Operations by backend",
                "<th scope=\"col\">Operation</th>"
                "<th scope=\"col\" class=\"num\">Cases</th>"
                "<th scope=\"col\" class=\"num\">Disagreements</th>",
                out);
    for (int i = 0; i < c->row_count; i++)
        write_row(c, &c->rows[i], out);
    write_row(c, &c->all, out);
    end_table(out);
}

static void write_pairs(const struct compare *c, FILE *out)
{
    fputs("<h2 id=\"pairs\">Pairwise differences</h2>\n<p class=\"soft\">Cases"
          " that the backend of the row gets right and that of the column"
          " wrong.</p>\n",
          out);
    begin_table(c, "Pairs", "<th scope=\"col\">right \\ wrong</th>", out);
    for (int i = 0; i < c->run_count; i++) {
        fputs("<tr><th scope=\"row\">", out);
        format_xml(out, c->titles[i], 0);
        fputs("</th>", out);
        for (int k = 0; k < c->run_count; k++)
            if (k == i)
                fputs("<td class=\"num soft\">\xe2\x80\x93</td>", out);
            else
                fprintf(out, "<td class=\"num\">%lld</td>",
                        (long long)c->differs[i][k]);
        fputs("</tr>\n", out);
    }
    end_table(out);
}

static void write_case(const struct compare *c, const struct compare_case *k,
                       FILE *out)
{
    fputs("<tr><th scope=\"row\"><code>", out);
    format_xml(out, k->name, 200);
    fputs("</code></th>", out);
    for (int i = 0; i < c->run_count; i++) {
        const struct report_status *s =
            k->status[i] ? report_status_find(k->status[i]) : NULL;
        const char *class = !s || s->tap == TAP_OK_SKIP ? "skip"
                            : s->tap == TAP_OK          ? "ok"
                                                        : "bad";
        fprintf(out, "<td class=\"num %s\">", class);
        format_xml(out, k->status[i] ? k->status[i] : "not planned", 0);
        if (k->off[i])
            fprintf(out, "<br>%s ulp", k->off[i]);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void write_cases(const struct compare *c, bool apart, FILE *out)
{
    int64_t count = apart ? c->apart : c->together, written = 0;
    fprintf(out, "<h2 id=\"%s\">%s (%lld)</h2>\n",
            apart ? "disagree" : "together",
            apart ? "Cases on which they disagree"
                  : "Cases that every backend that judges them gets wrong",
            (long long)count);
    if (count == 0)
        return;
    begin_table(c, apart ? "Disagreements" : "Wrong everywhere",
                "<th scope=\"col\">Case</th>", out);
    for (int i = 0; i < c->case_count; i++)
        if (c->cases[i].apart == apart) {
            write_case(c, &c->cases[i], out);
            written++;
        }
    end_table(out);
    if (written < count)
        fprintf(out, "<p class=\"soft\">The first %lld of %lld.</p>\n",
                (long long)written, (long long)count);
}

void compare_html(const struct compare *c, FILE *out)
{
    format_html_head(out);
    fputs("Backends side by side", out);
    format_html_body(out);
    fputs("<header>\n"
          "<h1>Assay: backends side by side</h1>\n"
          "<nav aria-label=\"Sections\"><a href=\"#disagree\">Disagreements</a>"
          "<a href=\"#pairs\">Pairs</a><a href=\"#operations\">Operations</a>"
          "<a href=\"#together\">Wrong everywhere</a></nav>\n"
          "</header>\n<main>\n",
          out);
    write_cases(c, true, out);
    write_pairs(c, out);
    write_operations(c, out);
    write_cases(c, false, out);
    fputs("</main>\n<footer>Made by assay " ASSAY_VERSION
          " from results databases. An ulp is the spacing of the type's"
          " numbers at the exact value.</footer>\n</body>\n</html>\n",
          out);
}
