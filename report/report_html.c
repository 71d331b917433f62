/* report_html.c - a report as one page that needs nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The page works without its script, which adds a filter, kept in the address,
 * sorting, and buttons that copy.  Every text from the database goes through
 * format_xml, and none names a folder of the machine (report_mask()).
 */
#include "interp/base/embed.h"
#include "report/html.h"

static void write_head(struct report *r)
{
    static const char *const sections[] = {
        "runs",     "Runs",       "causes",   "Causes",
        "matrix",   "Operations", "accuracy", "Accuracy",
        "failures", "Failures",   "known",    "Known to be wrong",
        NULL};
    const char *title = "";
    for (int i = 0; i < r->run_count; i++)
        title = arena_printf(r->arena, "%s%s%s", title, i ? ", " : "",
                             r->runs[i].backend);
    page_html_begin(r->out, title,
                    "Assay: conformance to XLA's operation semantics",
                    sections);
}

static void write_filter(struct report *r)
{
    fputs("<div class=\"filter\">\n"
          "<label hidden>Find <input type=\"search\" id=\"find\""
          " placeholder=\"operation, cause, case, type or status\""
          " autocomplete=\"off\"></label>\n"
          "<label><input type=\"checkbox\" id=\"only-failed\">"
          " only operations with failures</label>\n",
          r->out);
    if (r->change)
        fputs("<label><input type=\"checkbox\" id=\"only-changed\">"
              " only what changed</label>\n",
              r->out);
    fputs("<span id=\"found\" class=\"soft\" role=\"status\"></span></div>\n",
          r->out);
}

static bool load(struct report *r, struct html_cells *all, struct status *st)
{
    struct arena *a = r->arena;
    size_t n = (size_t)r->run_count;
    struct report_cell **cells = arena_new(a, struct report_cell *, n);
    struct report_group **groups = arena_new(a, struct report_group *, n);
    int *counts = arena_new(a, int, 2 * n), *group_counts = counts + n;
    const struct report_run **runs = arena_new(a, const struct report_run *, n);
    const char **labels = arena_new(a, const char *, n);
    for (int i = 0; i < r->run_count; i++) {
        int64_t id = r->runs[i].id;
        runs[i] = &r->runs[i];
        TRY(report_cells(r, id, &cells[i], &counts[i], st)
            && report_group_list(r, id, NULL, &groups[i], &group_counts[i],
                                 st));
    }
    report_label(a, runs, r->run_count, labels);
    *all = (struct html_cells){cells, counts, groups, group_counts, labels};
    return true;
}

bool report_html(struct report *r, struct status *st)
{
    struct html_cells cells;
    report_mask(r);
    TRY(load(r, &cells, st));
    write_head(r);
    fputs("<div class=\"runs\" id=\"runs\">\n", r->out);
    for (int i = 0; i < r->run_count; i++)
        TRY(html_run(r, &cells, i, st));
    fputs("</div>\n", r->out);
    write_filter(r);
    html_causes(r, &cells);
    TRY(html_matrix(r, &cells, st));
    html_accuracy(r, &cells);
    TRY(html_failures(r, &cells, st));
    TRY(html_known(r, &cells, st));
    const struct embed_file *js = embed_find("report/report.js");
    page_html_end(r->out,
                  "from a results database. An ulp is the spacing of the type's"
                  " numbers at the exact value.",
                  js ? js->text : NULL);
    return true;
}
