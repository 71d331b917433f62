/* report_summary.c - a run by operations, and what of it comes first.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The end of a run and every form of a report have their figures from here.
 * Tests: report.t.
 */
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "report/report.h"

enum {
    RED = 31,
    GREEN = 32,
    CYAN = 36,
    BOLD = 1,
    OPERATIONS = 20, /* that failed, in a brief summary */
    CAUSES = 3,      /* likewise */
    NAMES = 4        /* of operations, for a cause */
};

void report_summary_colour(struct report *r, int code)
{
    if (r->colour)
        fprintf(r->out, "\033[%dm", code);
}

static void keep_larger(bool *has, int64_t *most, bool has_own, int64_t own)
{
    if (has_own && (!*has || llabs(own) > llabs(*most)))
        *most = own;
    *has = *has || has_own;
}

static void add_cell(struct report_row *row, const struct report_cell *c)
{
    for (int i = 0; i < REPORT_STATUSES; i++) {
        int64_t n = c->counts[i];
        row->counts[i] += n;
        row->known += report_status_known(i) ? n : 0;
        row->skipped += report_statuses[i].tap == TAP_OK_SKIP ? n : 0;
        row->wrong += report_status_wrong(i) ? n : 0;
    }
    row->total += c->total;
    row->failures += c->failures;
    row->rated += c->rated;
    row->correct += c->correct;
    keep_larger(&row->worst.has_error, &row->worst.error, c->has_error,
                c->error);
    keep_larger(&row->worst.has_share, &row->worst.share, c->has_share,
                c->share);
}

bool report_summary(struct report *r, const struct report_run *run,
                    struct report_summary *s, struct status *st)
{
    struct report_cell *cells;
    int count;
    TRY(report_cells(r, run->id, &cells, &count, st));
    *s = (struct report_summary){
        .rows = arena_new(r->arena, struct report_row, (size_t)count + 1)};
    /* Cells come sorted by operation (summary.sql). */
    for (int i = 0; i < count; s->operations++) {
        struct report_row *row = &s->rows[s->operations];
        *row = (struct report_row){.op = cells[i].op};
        for (; i < count && strcmp(cells[i].op, row->op) == 0; i++)
            add_cell(row, &cells[i]);
        row->judged = row->total - row->skipped - row->counts[VERDICT_MISSING];
        s->supported += row->judged > 0;
        s->right += row->judged > 0 && row->wrong == 0
                    && row->counts[VERDICT_MISSING] == 0;
        s->wrong += row->wrong > 0;
        s->failing += row->failures > 0;
        s->expected += row->judged > 0 && row->failures == 0;
    }
    s->unknown = s->operations - s->right - s->wrong;
    return true;
}

const char *report_summary_line(struct arena *a, const struct report_summary *s)
{
    return arena_printf(a, "%d of %d %s supported, %d wholly right",
                        s->supported, s->operations,
                        text_plural(s->operations, "operation", "operations"),
                        s->right);
}

/* Green only if something was judged: a row of only unsupported cases is not a
 * success. */
static void write_row(struct report *r, const struct report_row *row, int width)
{
    struct arena *a = &r->row;
    report_summary_colour(r, row->failures     ? RED
                             : row->judged > 0 ? GREEN
                                               : CYAN);
    format_column(r->out, row->op, width);
    report_summary_colour(r, 0);
    fprintf(r->out, " %9s %9s %6s", format_count(a, row->total),
            format_count(a, row->counts[VERDICT_PASS]),
            format_count(a, row->counts[VERDICT_WARN]));
    if (row->failures)
        report_summary_colour(r, RED);
    fprintf(r->out, " %7s", format_count(a, row->failures));
    report_summary_colour(r, 0);
    fprintf(r->out, " %6s %7s %14s %8s\n", format_count(a, row->known),
            format_count(a, row->skipped),
            report_cells_worst(a, &row->worst, "-"),
            row->rated ? format_share(a, row->correct, row->rated) : "-");
    arena_reset(a);
}

void report_summary_table(struct report *r, const struct report_summary *s,
                          bool failed, int limit)
{
    int width = 9, shown = 0;
    for (int i = 0; i < s->operations; i++) {
        int own = (int)strlen(s->rows[i].op);
        if (own > width && own < 40 && (!failed || s->rows[i].failures > 0))
            width = own;
    }
    report_summary_colour(r, BOLD);
    fprintf(r->out, "%-*s %9s %9s %6s %7s %6s %7s %14s %8s\n", width,
            "operation", "cases", "pass", "warn", "failed", "known", "skipped",
            "worst ulp", "% exact");
    report_summary_colour(r, 0);
    for (int i = 0; i < s->operations; i++)
        if ((!failed || s->rows[i].failures > 0)
            && (limit == 0 || shown++ < limit))
            write_row(r, &s->rows[i], width);
}

/* The operations that failed; the others of which a case was judged are as
 * expected. */
static void write_failing(struct report *r, const struct report_summary *s)
{
    int rest = s->expected;
    if (s->failing > 0) {
        putc('\n', r->out);
        report_summary_table(r, s, true, OPERATIONS);
    }
    if (s->failing > OPERATIONS)
        fprintf(
            r->out, "and %d more %s with failures\n", s->failing - OPERATIONS,
            text_plural(s->failing - OPERATIONS, "operation", "operations"));
    if (rest > 0)
        fprintf(r->out, "%s%d %s as expected\n", s->failing > 0 ? "and " : "",
                rest, text_plural(rest, "operation", "operations"));
}

static void write_cause(struct report *r, const struct report_group *g)
{
    struct arena *a = &r->row;
    const char *text = report_group_text(a, g);
    fprintf(r->out, "%7s  ", format_count(a, g->cases - g->known));
    format_plain(r->out, g->cause);
    if (text) {
        fputs(": ", r->out);
        format_plain(r->out, text);
    }
    for (int i = 0; i < g->ops.count && i < NAMES; i++) {
        fputs(i ? ", " : " (", r->out);
        format_plain(r->out, g->ops.list[i]);
    }
    if (g->ops.count > NAMES)
        fprintf(r->out, " and %d more", g->ops.count - NAMES);
    fputs(g->ops.count ? ")\n" : "\n", r->out);
    if (g->command) {
        fputs("         ", r->out);
        format_plain(r->out, g->command);
        putc('\n', r->out);
    }
    arena_reset(a);
}

/* Those that failures have; a list of known ones is long, and known. */
static bool write_causes(struct report *r, const struct report_run *run,
                         struct status *st)
{
    struct report_group *list;
    int count, causes = 0;
    TRY(report_group_list(r, run->id, NULL, &list, &count, st));
    while (causes < count && list[causes].cases > list[causes].known)
        causes++;
    if (causes > 0)
        fprintf(r->out, "\nfailures by cause%s:\n",
                causes > CAUSES ? arena_printf(
                    &r->row, ", the largest %d of %d", CAUSES, causes)
                                : "");
    for (int i = 0; i < causes && i < CAUSES; i++)
        write_cause(r, &list[i]);
    return true;
}

bool report_summary_brief(struct report *r, const struct report_run *run,
                          bool all, struct status *st)
{
    struct report_summary s;
    TRY(report_summary(r, run, &s, st));
    fprintf(r->out, "%s\n", report_summary_line(&r->row, &s));
    if (all) {
        putc('\n', r->out);
        report_summary_table(r, &s, false, 0);
    } else {
        write_failing(r, &s);
    }
    if (run->failures > 0)
        TRY(write_causes(r, run, st));
    putc('\n', r->out);
    return true;
}

bool report_summary_names(struct arena *a, const char *database,
                          struct report_names *to, struct status *st)
{
    struct report r;
    struct report_case c;
    int more = -1;
    *to = (struct report_names){0};
    TRY(report_open(&r, a, database, NULL, st));
    sqlite3_stmt *q = report_query(&r, "cases", r.runs[0].id, st);
    while (q && (more = report_case_next(&r, q, &c, st)) == 1)
        if (report_status_find(c.status)->failure) {
            ARENA_GROW(a, to->list, to->count, to->room);
            to->list[to->count++] = arena_text(a, c.name);
        }
    int64_t run = r.runs[0].id;
    if (q)
        sqlite3_reset(q);
    report_close(&r);
    TRY(more == 0);
    return to->count > 0
           || FAIL(st, INPUT,
                   "%.200s: no case failed in run %lld, the latest one",
                   database, (long long)run);
}
