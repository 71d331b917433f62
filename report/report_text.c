/* report_text.c - a report for a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <string.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "report/report.h"

enum {
    GREEN = 32,
    RED = 31,
    YELLOW = 33,
    CYAN = 36,
    BOLD = 1
};

static void colour(struct report *r, int code)
{
    report_summary_colour(r, code);
}

static void plain(struct report *r)
{
    report_summary_colour(r, 0);
}

static void write_value(struct report *r, const char *what, const char *type,
                        uint64_t bits)
{
    struct arena *a = &r->row;
    const char *hex = format_hexfloat(a, type, bits);
    fprintf(r->out, "      %s %s (%s%s0x%s)\n", what,
            format_decimal(a, type, bits), hex ? hex : "", hex ? ", " : "",
            format_bits(a, type, bits));
}

static bool write_wrongs(struct report *r, const struct report_case *c,
                         struct status *st)
{
    struct store_wrong *w;
    int count;
    TRY(report_case_wrongs(r, c->plan, 2, &w, &count, st));
    for (int i = 0; i < count; i++) {
        fputs("    at ", r->out);
        format_plain(r->out, w[i].place);
        const char *off = report_case_off(&r->row, &w[i]);
        if (off)
            fprintf(r->out, ", off by %s", off);
        putc('\n', r->out);
        for (int k = 0; k < w[i].operand_count; k++)
            write_value(r, "input ", w[i].operands[k].type,
                        w[i].operands[k].bits);
        write_value(r, "got   ", w[i].type, w[i].got);
        write_value(r, "wanted", w[i].type, w[i].want);
    }
    return true;
}

static bool write_failure(struct report *r, const struct report_run *run,
                          const struct report_case *c, int64_t number,
                          struct status *st)
{
    colour(r, report_status_find(c->status)->colour);
    fputs(c->status, r->out);
    plain(r);
    fputs("  ", r->out);
    format_plain(r->out, c->name);
    putc('\n', r->out);
    if (c->message) {
        fputs("    ", r->out);
        format_plain(r->out, c->message);
        putc('\n', r->out);
    }
    const char *cause;
    TRY(report_explain_text(r, c, &cause, st));
    if (cause) {
        fputs("    ", r->out);
        format_plain(r->out, cause);
        putc('\n', r->out);
    }
    TRY(write_wrongs(r, c, st));
    if (c->command) {
        fputs("    run again: ", r->out);
        format_plain(r->out, c->command);
        putc('\n', r->out);
    }
    return true;
}

static bool write_failures(struct report *r, const struct report_run *run,
                           struct status *st)
{
    int64_t n;
    if (run->failures == 0)
        return true;
    TRY(report_case_list(r, run, r->failure_limit, write_failure, &n, st));
    if (n < run->failures)
        fprintf(r->out, "... and %s more failures\n",
                format_count(&r->row, run->failures - n));
    putc('\n', r->out);
    return true;
}

static bool write_known(struct report *r, const struct report_run *run,
                        struct status *st)
{
    struct report_known *k;
    int count;
    TRY(report_known(r, run->id, &k, &count, st));
    for (int i = 0; i < count; i++) {
        fputs(i ? "  " : "known to be wrong:\n  ", r->out);
        format_plain(r->out, k[i].op);
        fprintf(r->out, ", %s %s: ", format_count(&r->row, k[i].count),
                text_plural(k[i].count, "case", "cases"));
        format_plain(r->out, k[i].reason);
        putc('\n', r->out);
    }
    if (count)
        putc('\n', r->out);
    return true;
}

static void write_head(struct report *r, const struct report_run *run,
                       const struct report_summary *s)
{
    colour(r, BOLD);
    format_plain(r->out, run->backend);
    plain(r);
    putc(' ', r->out);
    format_plain(r->out, run->backend_version);
    fputs(" under profile ", r->out);
    format_plain(r->out, run->profile);
    fprintf(r->out, "; run %lld of ", (long long)run->id);
    format_plain(r->out, run->started);
    fputs(", assay ", r->out);
    format_plain(r->out, run->suite_version);
    if (run->shard) {
        fputs("; shard ", r->out);
        format_plain(r->out, run->shard);
    }
    fprintf(r->out, "\n%s\n\n", report_summary_line(&r->row, s));
}

static bool write_remarks(struct report *r, const struct report_run *run,
                          struct status *st)
{
    const char *text;
    TRY(report_remarks_text(r, run->id, &text, st));
    if (!text)
        return true;
    fputs("Right with a remark: ", r->out);
    format_plain(r->out, text);
    fputs("\n\n", r->out);
    return true;
}

static void write_tail(struct report *r, const struct report_run *run)
{
    static const int colours[] = {
        [CLAIM_FAILED] = RED,        [CLAIM_NOTHING] = RED,
        [CLAIM_UNFINISHED] = YELLOW, [CLAIM_KNOWN] = YELLOW,
        [CLAIM_PARTIAL] = CYAN,      [CLAIM_CONFORMS] = GREEN};
    struct arena *a = &r->row;
    const struct claim_facts facts = report_claim(run);
    enum claim claim = claim_of(&facts);
    bool bad = run->failures || run->judged == 0;
    colour(r, colours[claim]);
    fputs(bad ? "FAILED" : claim_word(claim), r->out);
    plain(r);
    fprintf(r->out, ": %s %s", format_count(a, run->planned),
            text_plural(run->planned, "case", "cases"));
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (run->counts[i])
            fprintf(r->out, ", %s %s", format_count(a, run->counts[i]),
                    report_statuses[i].name);
    if (run->ran == 0)
        fputs(" (nothing was run)", r->out);
    else if (run->judged == 0)
        fputs(" (no case was judged)", r->out);
    else if (run->state && strcmp(run->state, "complete") != 0)
        fputs(" (the run did not finish)", r->out);
    putc('\n', r->out);
    if (run->note) {
        format_plain(r->out, run->note);
        putc('\n', r->out);
    }
    format_plain(r->out, claim_line(a, &facts));
    putc('\n', r->out);
    format_plain(r->out, identity_line(a, &run->identity));
    putc('\n', r->out);
    arena_reset(a);
}

bool report_text(struct report *r, struct status *st)
{
    for (int i = 0; i < r->run_count; i++) {
        if (i)
            putc('\n', r->out);
        struct report_summary s;
        TRY(report_summary(r, &r->runs[i], &s, st));
        write_head(r, &r->runs[i], &s);
        report_since_text(r);
        report_summary_table(r, &s, false, 0);
        putc('\n', r->out);
        TRY(write_failures(r, &r->runs[i], st));
        TRY(write_known(r, &r->runs[i], st));
        TRY(write_remarks(r, &r->runs[i], st));
        write_tail(r, &r->runs[i]);
    }
    return true;
}
