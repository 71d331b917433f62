/* report_tap.c - Test Anything Protocol, version 13.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Several runs are one stream, each name with its backend before it.
 */
#include <sqlite3.h>

#include "report/format.h"
#include "report/report.h"

static void write_member(FILE *out, const char *key, const char *text)
{
    if (!text)
        return;
    fprintf(out, "  %s: ", key);
    format_json(out, text); /* JSON's strings are YAML's */
    putc('\n', out);
}

static bool write_block(struct report *r, const struct report_case *c,
                        struct status *st)
{
    struct store_wrong *w;
    int count;
    struct arena *a = &r->row;
    TRY(report_case_wrongs(r, c->plan, 1, &w, &count, st));
    fputs("  ---\n", r->out);
    write_member(r->out, "status", c->status);
    write_member(r->out, "at", c->at);
    write_member(r->out, "message", c->message);
    write_member(r->out, "requirements", c->requirements);
    if (count) {
        write_member(r->out, "place", w->place);
        write_member(r->out, "type", w->type);
        write_member(r->out, "got", format_decimal(a, w->type, w->got));
        write_member(r->out, "got_bits", format_bits(a, w->type, w->got));
        write_member(r->out, "want", format_decimal(a, w->type, w->want));
        write_member(r->out, "want_bits", format_bits(a, w->type, w->want));
        if (w->has_error)
            write_member(r->out, "error_ulps", format_ulps(a, w->error));
        if (w->has_share)
            write_member(r->out, "error_bounds", format_ulps(a, w->share));
    }
    write_member(r->out, "again", c->command);
    fputs("  ...\n", r->out);
    return true;
}

static bool write_case(struct report *r, const struct report_run *run,
                       const struct report_case *c, int64_t number,
                       struct status *st)
{
    const struct report_status *s = report_status_find(c->status);
    tap_line(r->out, number, r->run_count > 1 ? run->backend : NULL, c->name,
             (enum verdict_status)(s - report_statuses),
             c->message ? c->message : s->meaning);
    return !s->failure || write_block(r, c, st);
}

/* Writes comments, which a reader of the stream passes over. */
static bool write_claim(struct report *r, const struct report_run *run,
                        struct status *st)
{
    const struct claim_facts facts = report_claim(run);
    struct report_summary sum;
    TRY(report_summary(r, run, &sum, st));
    fprintf(r->out, "# %s\n# ", report_summary_line(&r->row, &sum));
    format_plain(r->out, claim_line(&r->row, &facts));
    fputs("\n# ", r->out);
    format_plain(r->out, identity_line(&r->row, &run->identity));
    putc('\n', r->out);
    return true;
}

bool report_tap(struct report *r, struct status *st)
{
    int64_t total = 0, number = 0;
    for (int i = 0; i < r->run_count; i++)
        total += r->runs[i].planned;
    fprintf(r->out, "TAP version 13\n1..%lld%s\n", (long long)total,
            total ? "" : " # SKIP nothing was planned");
    for (int i = 0; i < r->run_count; i++)
        TRY(write_claim(r, &r->runs[i], st));
    for (int i = 0; i < r->run_count; i++) {
        sqlite3_stmt *q = report_query(r, "cases", r->runs[i].id, st);
        if (!q)
            return false;
        struct report_case c;
        int more;
        bool good = true;
        while (good && (more = report_case_next(r, q, &c, st)) == 1)
            good = write_case(r, &r->runs[i], &c, ++number, st);
        sqlite3_reset(q);
        TRY(good && more == 0);
    }
    return true;
}
