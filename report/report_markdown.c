/* report_markdown.c - a report for a comment on a change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <string.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "report/report.h"

/* Text of the database goes through format_markdown: a name or message must
 * not become a link, a mention or HTML in a comment on a change. */
static void write_counts(struct report *r, const struct report_run *run)
{
    fputs("| status | cases |\n| --- | ---: |\n", r->out);
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (run->counts[i])
            fprintf(r->out, "| %s | %s |\n", report_statuses[i].name,
                    format_count(&r->row, run->counts[i]));
    putc('\n', r->out);
}

static void write_cell(struct report *r, const struct report_cell *c)
{
    struct arena *a = &r->row;
    fputs("| ", r->out);
    format_markdown(r->out, c->op);
    fputs(" | ", r->out);
    format_markdown(r->out, c->type);
    fprintf(r->out, " | %s | %s%s%s | %s | %s |\n", format_count(a, c->total),
            c->failures ? "**" : "", format_count(a, c->failures),
            c->failures ? "**" : "", report_cells_worst(a, c, ""),
            c->rated ? format_share(a, c->correct, c->rated) : "");
    arena_reset(a);
}

/* Operations that fail or are inexact; the rest would only fill the page. */
static bool write_cells(struct report *r, const struct report_run *run,
                        struct status *st)
{
    enum {
        ROWS = 200
    };
    struct report_cell *cells;
    int count, shown = 0, hidden = 0;
    TRY(report_cells(r, run->id, &cells, &count, st));
    for (int i = 0; i < count; i++) {
        const struct report_cell *c = &cells[i];
        if (!c->failures && c->correct == c->rated && !c->has_share)
            continue;
        if (shown == ROWS) {
            hidden++;
            continue;
        }
        if (shown++ == 0)
            fputs("| operation | type | cases | failed | worst ulps |"
                  " % correctly rounded |\n"
                  "| --- | --- | ---: | ---: | ---: | ---: |\n",
                  r->out);
        write_cell(r, c);
    }
    if (hidden)
        fprintf(r->out, "\n... and %d more %s.\n", hidden,
                text_plural(hidden, "row", "rows"));
    if (shown)
        putc('\n', r->out);
    return true;
}

static bool write_failure(struct report *r, const struct report_run *run,
                          const struct report_case *c, int64_t number,
                          struct status *st)
{
    if (number == 0)
        fputs("### Failures\n\n", r->out);
    const char *cause;
    struct violations v;
    fprintf(r->out, "- **%s** ", c->status);
    format_markdown(r->out, c->name);
    if (c->message) {
        fputs(": ", r->out);
        format_markdown(r->out, c->message);
    }
    TRY(report_violation(r, run, c, &v, st));
    for (int i = 0; i < v.count; i++) {
        fputs("<br>violates ", r->out);
        format_markdown(r->out, violation_text(&r->row, &v.list[i]));
    }
    TRY(report_explain_text(r, c, &cause, st));
    if (cause) {
        fputs("<br>", r->out);
        format_markdown(r->out, cause);
    }
    const char *also = report_power(r, run, c);
    if (also)
        fprintf(r->out, "<br>would also accept: %s", also);
    if (c->command) {
        fputs("<br><code>", r->out);
        format_markdown(r->out, c->command);
        fputs("</code>", r->out);
    }
    putc('\n', r->out);
    return true;
}

/* The causes with the most cases. */
static bool write_causes(struct report *r, const struct report_run *run,
                         struct status *st)
{
    enum {
        LISTED = 30,
        SHOWN = 6
    };
    struct report_group *list;
    int count;
    TRY(report_group_list(r, run->id, NULL, &list, &count, st));
    if (count > 0)
        fputs("### Causes\n\n| cases | known | cause | operations |\n"
              "| ---: | ---: | --- | --- |\n",
              r->out);
    for (int i = 0; i < count && i < LISTED; i++) {
        const struct report_group *g = &list[i];
        const char *text = report_group_text(&r->row, g);
        fprintf(r->out, "| %s | %s | ", format_count(&r->row, g->cases),
                format_count(&r->row, g->known));
        format_markdown(r->out, g->cause);
        if (text) {
            fputs(": ", r->out);
            format_markdown(r->out, text);
        }
        fprintf(r->out, " | ");
        for (int k = 0; k < g->ops.count && k < SHOWN; k++) {
            fputs(k ? ", " : "", r->out);
            format_markdown(r->out, g->ops.list[k]);
        }
        if (g->ops.count > SHOWN)
            fprintf(r->out, " and %d more", g->ops.count - SHOWN);
        fputs(" |\n", r->out);
        arena_reset(&r->row);
    }
    if (count > LISTED)
        fprintf(r->out, "\n... and %d more (`assay explain`).\n",
                count - LISTED);
    if (count > 0)
        putc('\n', r->out);
    return true;
}

static bool write_failures(struct report *r, const struct report_run *run,
                           struct status *st)
{
    enum {
        LISTED = 50
    };
    int64_t n, limit = LISTED < r->failure_limit ? LISTED : r->failure_limit;
    TRY(report_case_list(r, run, limit, write_failure, &n, st));
    if (n < run->failures)
        fprintf(r->out, "- ... and %s more\n",
                format_count(&r->row, run->failures - n));
    if (n)
        putc('\n', r->out);
    return true;
}

static bool write_known(struct report *r, const struct report_run *run,
                        struct status *st)
{
    enum {
        LISTED = 100
    };
    struct report_known *k;
    int count;
    TRY(report_known(r, run->id, &k, &count, st));
    if (count)
        fputs("### Known to be wrong\n\n"
              "| operation | cases | reason |\n| --- | ---: | --- |\n",
              r->out);
    for (int i = 0; i < count && i < LISTED; i++) {
        fputs("| ", r->out);
        format_markdown(r->out, k[i].op);
        fprintf(r->out, " | %s | ", format_count(&r->row, k[i].count));
        format_markdown(r->out, k[i].shown);
        fputs(" |\n", r->out);
    }
    if (count > LISTED)
        fprintf(r->out, "\n... and %d more %s.\n", count - LISTED,
                text_plural(count - LISTED, "row", "rows"));
    if (count)
        putc('\n', r->out);
    return true;
}

static bool write_run(struct report *r, const struct report_run *run,
                      struct status *st)
{
    struct arena *a = &r->row;
    struct report_summary sum;
    TRY(report_summary(r, run, &sum, st));
    fputs("## ", r->out);
    format_markdown(r->out, run->backend);
    putc(' ', r->out);
    format_markdown(r->out, run->backend_version);
    fprintf(r->out, ": %s\n\n", report_sentence(a, run));
    const struct claim_facts facts = report_claim(run);
    fputs("**", r->out);
    format_markdown(r->out, claim_line(a, &facts));
    fputs("**\n\n", r->out);
    fprintf(r->out, "%s.\n\n", report_summary_line(a, &sum));
    format_markdown(r->out, identity_line(a, &run->identity));
    fputs("; assay ", r->out);
    format_markdown(r->out, run->suite_version);
    fputs(", ", r->out);
    format_markdown(r->out, run->started);
    if (run->shard) {
        fputs("; shard ", r->out);
        format_markdown(r->out, run->shard);
    }
    fputs("\n\n", r->out);
    bool stopped = run->state && strcmp(run->state, "complete") != 0;
    if (stopped)
        fputs("**The run did not finish.** ", r->out);
    if (run->note)
        format_markdown(r->out, run->note);
    if (stopped || run->note)
        fputs("\n\n", r->out);
    const char *remarks;
    TRY(report_remarks_text(r, run->id, &remarks, st));
    if (remarks) {
        fputs("Right with a remark: ", r->out);
        format_markdown(r->out, remarks);
        fputs("\n\n", r->out);
    }
    report_since_markdown(r);
    write_counts(r, run);
    TRY(write_cells(r, run, st));
    TRY(write_causes(r, run, st));
    TRY(write_failures(r, run, st));
    return write_known(r, run, st);
}

bool report_markdown(struct report *r, struct status *st)
{
    report_mask(r);
    for (int i = 0; i < r->run_count; i++)
        TRY(write_run(r, &r->runs[i], st));
    return true;
}
