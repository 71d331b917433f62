/* html_known.c - what is wrong, as the expectations say, and why.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "report/format.h"
#include "report/html.h"

static void write_names(struct report *r, const struct report_known *k)
{
    fputs("<details><summary>", r->out);
    format_xml(r->out, k->names[0], 200);
    fputs("</summary><ul class=\"names\">", r->out);
    for (int i = 0; i < k->count && i < REPORT_KNOWN_NAMES; i++) {
        fputs("<li><code>", r->out);
        format_xml(r->out, k->names[i], 500);
        fputs("</code></li>", r->out);
    }
    fputs("</ul>", r->out);
    if (k->count > REPORT_KNOWN_NAMES)
        fprintf(r->out, "<p class=\"soft\">and %s more</p>",
                format_count(&r->row, k->count - REPORT_KNOWN_NAMES));
    fputs("</details>", r->out);
}

/* The first row of an operation is what its cells in the matrix lead to. */
static void write_row(struct report *r, const struct report_run *run,
                      const struct report_known *k, bool first)
{
    fputs("<tr data-op=\"", r->out);
    format_xml(r->out, k->op, 0);
    fputs("\" data-text=\"xfail ", r->out);
    format_xml(r->out, k->reason, 0);
    fputs("\"><th scope=\"row\"", r->out);
    if (first) {
        fprintf(r->out, " id=\"k%lld-", (long long)run->id);
        format_xml(r->out, k->op, 0);
        putc('"', r->out);
    }
    putc('>', r->out);
    format_xml(r->out, k->op, 0);
    fprintf(r->out, "</th><td class=\"num\">%s</td><td class=\"words\">",
            format_count(&r->row, k->count));
    format_xml(r->out, k->reason, 600);
    fputs("</td><td>", r->out);
    write_names(r, k);
    fputs("</td></tr>\n", r->out);
    arena_reset(&r->row);
}

static bool write_run(struct report *r, const struct report_run *run,
                      struct status *st)
{
    struct report_known *k;
    int count;
    TRY(report_known(r, run->id, &k, &count, st));
    if (count == 0) {
        fputs("<p>Nothing.</p>\n", r->out);
        return true;
    }
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\""
          " aria-label=\"Known to be wrong\"><table class=\"wide full\">"
          "<thead><tr><th scope=\"col\">Operation</th>"
          "<th scope=\"col\" class=\"num\">Cases</th>"
          "<th scope=\"col\">Expected, and why</th>"
          "<th scope=\"col\">Which</th></tr></thead>\n<tbody>\n",
          r->out);
    for (int i = 0; i < count; i++)
        write_row(r, run, &k[i], i == 0 || strcmp(k[i].op, k[i - 1].op) != 0);
    fputs("</tbody></table></div>\n", r->out);
    return true;
}

bool html_known(struct report *r, struct status *st)
{
    fputs("<h2 id=\"known\">Known to be wrong</h2>\n"
          "<p class=\"soft\">Wrong results that an expectations file lists"
          " (xfail). They do not make a run fail.</p>\n",
          r->out);
    for (int i = 0; i < r->run_count; i++) {
        if (r->run_count > 1) {
            fputs("<h3>", r->out);
            format_xml(r->out, r->runs[i].backend, 100);
            fprintf(r->out, " <span class=\"soft\">run %lld</span></h3>\n",
                    (long long)r->runs[i].id);
        }
        TRY(write_run(r, &r->runs[i], st));
    }
    return true;
}
