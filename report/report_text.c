/* report_text.c - a report for a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

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
    if (r->colour)
        fprintf(r->out, "\033[%dm", code);
}

static void plain(struct report *r)
{
    if (r->colour)
        fputs("\033[0m", r->out);
}

/* Cells of one operation, all types together. */
struct row {
    const char *op;
    int64_t counts[REPORT_STATUSES], total, failures, rated, correct;
    struct report_cell worst; /* only its errors */
};

static void keep_larger(bool *has, int64_t *most, bool has_own, int64_t own)
{
    if (has_own && (!*has || llabs(own) > llabs(*most)))
        *most = own;
    *has = *has || has_own;
}

static void add_cell(struct row *row, const struct report_cell *c)
{
    for (int i = 0; i < REPORT_STATUSES; i++)
        row->counts[i] += c->counts[i];
    row->total += c->total;
    row->failures += c->failures;
    row->rated += c->rated;
    row->correct += c->correct;
    keep_larger(&row->worst.has_error, &row->worst.error, c->has_error,
                c->error);
    keep_larger(&row->worst.has_share, &row->worst.share, c->has_share,
                c->share);
}

static int64_t skipped(const int64_t *counts)
{
    int64_t n = 0;
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (report_statuses[i].tap == REPORT_OK_SKIP)
            n += counts[i];
    return n;
}

/* Green only if something was judged: a row of only unsupported cases is not a
 * success. */
static void write_row(struct report *r, const struct row *row, int width)
{
    struct arena *a = &r->row;
    int64_t skip = skipped(row->counts), known = 0;
    for (int i = 0; i < REPORT_STATUSES; i++)
        known += report_status_known(i) ? row->counts[i] : 0;
    colour(r, row->failures ? RED : row->total > skip ? GREEN : CYAN);
    fprintf(r->out, "%-*s", width, row->op);
    plain(r);
    fprintf(r->out, " %9s %9s %6s", format_count(a, row->total),
            format_count(a, row->counts[0]), format_count(a, row->counts[1]));
    if (row->failures)
        colour(r, RED);
    fprintf(r->out, " %7s", format_count(a, row->failures));
    plain(r);
    fprintf(r->out, " %6s %7s %10s %8s\n", format_count(a, known),
            format_count(a, skip), report_cells_worst(a, &row->worst, "-"),
            row->rated ? format_share(a, row->correct, row->rated) : "-");
    arena_reset(a);
}

static bool write_table(struct report *r, const struct report_run *run,
                        struct status *st)
{
    struct report_cell *cells;
    int count, width = 9;
    TRY(report_cells(r, run->id, &cells, &count, st));
    for (int i = 0; i < count; i++)
        if ((int)strlen(cells[i].op) > width && strlen(cells[i].op) < 40)
            width = (int)strlen(cells[i].op);
    colour(r, BOLD);
    fprintf(r->out, "%-*s %9s %9s %6s %7s %6s %7s %10s %8s\n", width,
            "operation", "cases", "pass", "warn", "failed", "known", "skipped",
            "worst ulp", "% exact");
    plain(r);
    /* Cells come sorted by operation (summary.sql). */
    for (int i = 0; i < count;) {
        struct row row = {.op = cells[i].op};
        for (int j = i; i < count && strcmp(cells[j].op, cells[i].op) == 0; i++)
            add_cell(&row, &cells[i]);
        write_row(r, &row, width);
    }
    putc('\n', r->out);
    return true;
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
    struct report_wrong *w;
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
        fprintf(r->out, ", %s case%s: ", format_count(&r->row, k[i].count),
                k[i].count == 1 ? "" : "s");
        format_plain(r->out, k[i].reason);
        putc('\n', r->out);
    }
    if (count)
        putc('\n', r->out);
    return true;
}

static void write_head(struct report *r, const struct report_run *run)
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
    fputs("\n\n", r->out);
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
    fprintf(r->out, ": %s cases", format_count(a, run->planned));
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
        write_head(r, &r->runs[i]);
        TRY(write_table(r, &r->runs[i], st));
        TRY(write_failures(r, &r->runs[i], st));
        TRY(write_known(r, &r->runs[i], st));
        TRY(write_remarks(r, &r->runs[i], st));
        write_tail(r, &r->runs[i]);
    }
    return true;
}
