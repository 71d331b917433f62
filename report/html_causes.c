/* html_causes.c - why results are wrong: a row for each cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/format.h"
#include "report/html.h"

enum {
    SHOWN = 6 /* operations, before the rest is folded away */
};

static void write_names(struct report *r, const struct report_names *n)
{
    for (int i = 0; i < n->count; i++) {
        if (i == SHOWN)
            fprintf(r->out, " <details><summary>%d more</summary>",
                    n->count - SHOWN);
        fputs(i && i != SHOWN ? ", " : "", r->out);
        format_xml(r->out, n->list[i], 100);
    }
    if (n->count > SHOWN)
        fputs("</details>", r->out);
}

static void write_row(struct report *r, const struct report_group *g)
{
    struct arena *a = &r->row;
    const char *text = report_group_text(a, g);
    fputs("<tr><th scope=\"row\" class=\"words\"><code>", r->out);
    format_xml(r->out, g->cause, 200);
    fputs("</code>", r->out);
    if (text) {
        fputs("<br>", r->out);
        format_xml(r->out, text, 400);
    }
    fprintf(r->out,
            "</th><td class=\"num\">%s</td><td class=\"num\">%s</td>"
            "<td class=\"words\">",
            format_count(a, g->cases), format_count(a, g->known));
    write_names(r, &g->ops);
    fputs("</td><td class=\"words\">", r->out);
    write_names(r, &g->types);
    fputs("</td><td class=\"words\"><code>", r->out);
    format_xml(r->out, g->name, 300);
    fputs("</code>", r->out);
    if (g->command) {
        fputs("<details><summary>Run again</summary><code>", r->out);
        format_xml(r->out, g->command, 600);
        fputs("</code></details>", r->out);
    }
    fputs("</td></tr>\n", r->out);
    arena_reset(a);
}

static void write_table(struct report *r, const struct report_group *list,
                        int count)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\""
          " aria-label=\"Causes\"><table class=\"wide full\"><thead><tr>"
          "<th scope=\"col\">Cause</th>"
          "<th scope=\"col\" class=\"num\">Cases</th>"
          "<th scope=\"col\" class=\"num\">Known</th>"
          "<th scope=\"col\">Operations</th>"
          "<th scope=\"col\">Types</th><th scope=\"col\">Smallest case</th>"
          "</tr></thead>\n<tbody>\n",
          r->out);
    for (int i = 0; i < count; i++)
        write_row(r, &list[i]);
    fputs("</tbody></table></div>\n", r->out);
}

bool html_causes(struct report *r, struct status *st)
{
    fputs(
        "<h2 id=\"causes\">Causes</h2>\n"
        "<p class=\"soft\">Failed cases, grouped by what explains all of their "
        "wrong elements: a named deviation, a measured accuracy, or how the "
        "case ended.</p>\n",
        r->out);
    for (int i = 0; i < r->run_count; i++) {
        struct report_group *list;
        int count;
        TRY(report_group_list(r, r->runs[i].id, NULL, &list, &count, st));
        if (r->run_count > 1) {
            fputs("<h3>", r->out);
            format_xml(r->out, r->runs[i].backend, 200);
            fprintf(r->out, ", run %lld</h3>\n", (long long)r->runs[i].id);
        }
        if (count > 0)
            write_table(r, list, count);
        else
            fputs("<p>No case failed.</p>\n", r->out);
    }
    return true;
}
