/* report_html.c - a report as one page that needs nothing else.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The page works without its script, which adds a filter by name and buttons
 * that copy.  Every text from the database goes through format_xml.
 */
#include <sqlite3.h>
#include <string.h>

#include "interp/base/embed.h"
#include "report/format.h"
#include "report/html.h"

static void fact(struct report *r, const char *what, const char *text)
{
    if (!text || !*text)
        return;
    fprintf(r->out, "<dt>%s</dt><dd>", what);
    format_xml(r->out, text, 4000);
    fputs("</dd>\n", r->out);
}

static bool write_properties(struct report *r, const struct report_run *run,
                             struct status *st)
{
    sqlite3_stmt *q = report_query(r, "properties", run->id, st);
    if (!q)
        return false;
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        fputs("<dt>", r->out);
        format_xml(r->out, (const char *)sqlite3_column_text(q, 0), 200);
        fputs("</dt><dd>", r->out);
        format_xml(r->out, (const char *)sqlite3_column_text(q, 1), 4000);
        fputs("</dd>\n", r->out);
    }
    bool good =
        rc == SQLITE_DONE || store_sql_fail(r->store, "reading properties", st);
    sqlite3_reset(q);
    return good;
}

static void write_bar(struct report *r, const struct report_run *run)
{
    fputs("<div class=\"bar\" aria-hidden=\"true\">", r->out);
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (run->counts[i])
            fprintf(r->out, "<i class=\"%s\" style=\"flex:%lld\"></i>",
                    html_class(i), (long long)run->counts[i]);
    fputs("</div>\n<ul class=\"chips\">", r->out);
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (run->counts[i])
            fprintf(
                r->out, "<li class=\"chip %s\" title=\"%s\">%s&nbsp;%s</li>",
                html_class(i), report_statuses[i].meaning,
                format_count(&r->row, run->counts[i]), report_statuses[i].name);
    fputs("</ul>\n", r->out);
}

static void write_verdict(struct report *r, const struct report_run *run,
                          const struct report_summary *sum)
{
    struct arena *a = &r->row;
    bool bad = run->failures || run->judged == 0;
    const char *text = report_sentence(a, run);
    const struct claim_facts facts = report_claim(run);
    bool conforms = claim_of(&facts) == CLAIM_CONFORMS;
    fprintf(r->out, "<p class=\"verdict\">%s %c%s</p>\n<p>",
            bad        ? "\xe2\x9c\x97"
            : conforms ? "\xe2\x9c\x93"
                       : "\xe2\x97\x8b",
            *text >= 'a' ? *text - 'a' + 'A' : *text, text + 1);
    format_xml(r->out, claim_line(a, &facts), 0);
    fprintf(r->out, "</p>\n<p class=\"operations\">%s</p>\n",
            report_summary_line(a, sum));
    bool stopped = run->state && strcmp(run->state, "complete") != 0;
    if (!stopped && !run->note)
        return;
    fputs("<p>", r->out);
    if (stopped)
        fprintf(r->out,
                "<span class=\"chip warn\">not finished</span> This run is"
                " incomplete%s",
                run->note ? ": " : ".");
    format_xml(r->out, run->note, 300);
    fputs("</p>\n", r->out);
}

/* Every member, whole; those of an older database are not all recorded. */
static void write_identity(struct report *r, const struct report_run *run)
{
    fputs("</dl></details>\n<details><summary>Identity</summary>\n"
          "<dl class=\"facts\">\n",
          r->out);
    for (int m = 0; m < IDENTITY_COUNT; m++)
        fact(r, identity_label((enum identity_member)m),
             identity_value(&run->identity, (enum identity_member)m));
}

static bool write_run(struct report *r, const struct report_run *run,
                      struct status *st)
{
    const struct claim_facts facts = report_claim(run);
    bool bad = run->failures || run->judged == 0;
    bool conforms = claim_of(&facts) == CLAIM_CONFORMS;
    const char *remarks;
    struct report_summary sum;
    TRY(report_summary(r, run, &sum, st));
    TRY(report_remarks_text(r, run->id, &remarks, st));
    fprintf(r->out, "<section class=\"card run %s\">\n<h2>",
            bad        ? "is-bad"
            : conforms ? "is-ok"
                       : "is-part");
    format_xml(r->out, run->backend, 200);
    fputs(" <span class=\"soft\">", r->out);
    format_xml(r->out, run->backend_version, 200);
    fputs("</span></h2>\n", r->out);
    write_verdict(r, run, &sum);
    write_bar(r, run);
    fputs("<dl class=\"facts\">\n", r->out);
    fact(r, "Profile", run->profile);
    fact(r, "Remarks", remarks);
    fact(r, "Tier", run->tier);
    fact(r, "Filter", run->filter);
    fact(r, "Shard", run->shard);
    fact(r, "Started", run->started);
    fact(r, "Suite", run->suite_version);
    fact(r, "Run again", run->command);
    fputs("</dl>\n<details><summary>More about this run</summary>\n"
          "<dl class=\"facts\">\n",
          r->out);
    fact(r, "Run", arena_printf(&r->row, "%lld", (long long)run->id));
    fact(r, "Identifier", run->uuid);
    fact(r, "Finished", run->finished);
    fact(r, "State", run->state);
    fact(r, "Seed", run->seed);
    fact(r, "Jobs", arena_printf(&r->row, "%lld", (long long)run->jobs));
    fact(r, "Plan", run->plan_hash);
    fact(r, "Backend file", run->backend_path);
    fact(r, "Backend options", run->backend_options);
    TRY(write_properties(r, run, st));
    fact(r, "Host", run->host);
    write_identity(r, run);
    fputs("</dl></details>\n</section>\n", r->out);
    return true;
}

static void write_head(struct report *r)
{
    format_html_head(r->out);
    for (int i = 0; i < r->run_count; i++) {
        fputs(i ? ", " : "", r->out);
        format_xml(r->out, r->runs[i].backend, 60);
    }
    format_html_body(r->out);
    fputs("<header>\n"
          "<h1>Assay: conformance to XLA's operation semantics</h1>\n"
          "<nav aria-label=\"Sections\"><a href=\"#runs\">Runs</a>"
          "<a href=\"#causes\">Causes</a>"
          "<a href=\"#matrix\">Operations</a>"
          "<a href=\"#accuracy\">Accuracy</a>"
          "<a href=\"#failures\">Failures</a>"
          "<a href=\"#known\">Known to be wrong</a></nav>\n</header>\n<main>\n",
          r->out);
}

static void write_filter(struct report *r)
{
    fputs("<div class=\"filter\">\n"
          "<label hidden>Find <input type=\"search\" id=\"find\""
          " placeholder=\"operation, case, type or status\""
          " autocomplete=\"off\"></label>\n"
          "<label><input type=\"checkbox\" id=\"only-failed\">"
          " only operations with failures</label>\n"
          "<label><input type=\"checkbox\" id=\"show-skipped\" checked>"
          " operations that were wholly skipped</label>\n"
          "<span id=\"found\" class=\"soft\" role=\"status\"></span></div>\n",
          r->out);
}

static bool load_cells(struct report *r, struct html_cells *all,
                       struct status *st)
{
    size_t n = (size_t)r->run_count;
    struct report_cell **cells = arena_new(r->arena, struct report_cell *, n);
    int *counts = arena_new(r->arena, int, n);
    for (int i = 0; i < r->run_count; i++)
        TRY(report_cells(r, r->runs[i].id, &cells[i], &counts[i], st));
    *all = (struct html_cells){cells, counts};
    return true;
}

bool report_html(struct report *r, struct status *st)
{
    struct html_cells cells;
    TRY(load_cells(r, &cells, st));
    write_head(r);
    fputs("<div class=\"runs\" id=\"runs\">\n", r->out);
    for (int i = 0; i < r->run_count; i++)
        TRY(write_run(r, &r->runs[i], st));
    fputs("</div>\n", r->out);
    TRY(html_causes(r, st));
    fputs("<h2 id=\"matrix\">Operations</h2>\n", r->out);
    write_filter(r);
    TRY(html_matrix(r, &cells, st));
    html_accuracy(r, &cells);
    TRY(html_failures(r, st));
    TRY(html_known(r, st));
    const struct embed_file *js = embed_find("report/report.js");
    fputs("</main>\n<footer>Made by assay " ASSAY_VERSION
          " from a results database. An ulp is the spacing of the type's"
          " numbers at the exact value.</footer>\n<script>\n",
          r->out);
    fputs(js ? js->text : "", r->out);
    fputs("</script>\n</body>\n</html>\n", r->out);
    return true;
}
