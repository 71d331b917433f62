/* compare.c - see compare.h: what is counted, and the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/compare.h"

#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "report/format.h"

/* ---- Reading -------------------------------------------------- */

enum compare_verdict compare_verdict_of(const char *status)
{
    const struct report_status *s = report_status_find(status);
    if (!s || s->tap == TAP_OK_SKIP
        || strcmp(status, verdict_name(VERDICT_MISSING)) == 0)
        return COMPARE_NONE;
    return s->tap == TAP_OK || s->tap == TAP_OK_TODO ? COMPARE_RIGHT
                                                     : COMPARE_WRONG;
}

static struct compare_row *row_of(struct compare *c, const char *op)
{
    for (int i = c->row_count - 1; i >= 0; i--)
        if (strcmp(c->rows[i].op, op) == 0)
            return &c->rows[i];
    ARENA_GROW(c->arena, c->rows, c->row_count, c->row_room);
    struct compare_row *row = &c->rows[c->row_count++];
    memset(row, 0, sizeof *row);
    row->op = arena_text(c->arena, op);
    return row;
}

static void add_verdict(struct compare_cell *cell, const struct report_case *k,
                        enum compare_verdict verdict)
{
    struct report_cell *worst = &cell->worst;
    cell->counts[verdict]++;
    if (!k->has_error || (worst->has_error && worst->error >= llabs(k->error)))
        return;
    worst->has_error = true;
    worst->error = llabs(k->error);
}

/* Those apart, and those wrong together, each up to the limit. */
static void keep(struct compare *c, const struct report_side *sides, bool apart)
{
    const char *name = NULL;
    if ((apart ? c->apart : c->together) > c->limit)
        return;
    ARENA_GROW(c->arena, c->cases, c->case_count, c->case_room);
    struct compare_case *k = &c->cases[c->case_count++];
    memset(k, 0, sizeof *k);
    k->apart = apart;
    for (int i = 0; i < c->run_count; i++) {
        if (!sides[i].here)
            continue;
        const struct report_case *now = &sides[i].now;
        name = now->name;
        k->status[i] = arena_text(c->arena, now->status);
        if (now->has_error)
            k->off[i] = format_short(c->arena, llabs(now->error));
    }
    k->name = arena_text(c->arena, name);
}

static void count(struct compare *c, const struct report_side *sides,
                  const struct report_case *any)
{
    enum compare_verdict verdict[COMPARE_MAX];
    int seen[COMPARE_VERDICTS] = {0};
    struct compare_row *row = row_of(c, any->op);
    row->cases++;
    c->all.cases++;
    for (int i = 0; i < c->run_count; i++) {
        verdict[i] = sides[i].here ? compare_verdict_of(sides[i].now.status)
                                   : COMPARE_NONE;
        seen[verdict[i]]++;
        if (!sides[i].here)
            continue;
        add_verdict(&row->cells[i], &sides[i].now, verdict[i]);
        add_verdict(&c->all.cells[i], &sides[i].now, verdict[i]);
    }
    for (int i = 0; i < c->run_count; i++)
        for (int k = 0; k < c->run_count; k++)
            c->differs[i][k] +=
                verdict[i] == COMPARE_RIGHT && verdict[k] == COMPARE_WRONG;
    bool apart = seen[COMPARE_RIGHT] > 0 && seen[COMPARE_WRONG] > 0;
    bool together = seen[COMPARE_RIGHT] == 0 && seen[COMPARE_WRONG] > 1;
    row->apart += apart;
    c->all.apart += apart;
    c->apart += apart;
    c->together += together;
    if (apart || together)
        keep(c, sides, apart);
}

static int by_kind(const void *x, const void *y)
{
    const struct compare_case *a = x, *b = y;
    return a->apart != b->apart ? b->apart - a->apart
                                : strcmp(a->name, b->name);
}

static int by_name(const void *x, const void *y)
{
    const struct compare_row *a = x, *b = y;
    return strcmp(a->op, b->op);
}

bool compare_read(struct compare *c, struct status *st)
{
    struct report_side sides[COMPARE_MAX] = {{NULL}};
    const struct report_case *any;
    c->all.op = "all";
    report_label(c->arena, c->runs, c->run_count, c->titles);
    for (int i = 0; i < c->run_count; i++) {
        sides[i].report = c->reports[i];
        sides[i].run = c->runs[i];
    }
    while ((any = report_join(sides, c->run_count, st)))
        if (glob_match_any(c->globs, any->name))
            count(c, sides, any);
    report_join_end(sides, c->run_count);
    if (c->case_count > 0)
        qsort(c->cases, (size_t)c->case_count, sizeof *c->cases, by_kind);
    if (c->row_count > 0)
        qsort(c->rows, (size_t)c->row_count, sizeof *c->rows, by_name);
    return st->code == STATUS_OK;
}

/* ---- The table -------------------------------------------------- */

enum {
    OP_WIDTH = 24
};

static void write_row(const struct compare *c, const struct compare_row *row,
                      FILE *out)
{
    struct arena a = ARENA_INIT;
    fprintf(out, "%-*s %7s %7s", OP_WIDTH, row->op,
            format_count(&a, row->cases), format_count(&a, row->apart));
    for (int i = 0; i < c->run_count; i++) {
        const struct compare_cell *cell = &row->cells[i];
        fprintf(out, " | %7s %6s %9s",
                format_count(&a, cell->counts[COMPARE_RIGHT]),
                format_count(&a, cell->counts[COMPARE_WRONG]),
                report_cells_worst(&a, &cell->worst, "-"));
    }
    putc('\n', out);
    arena_free(&a);
}

/* Titles too long for a column are numbers, which a list explains. */
static bool is_numbered(const struct compare *c)
{
    bool wide = false;
    for (int i = 0; i < c->run_count; i++)
        wide = wide || strlen(c->titles[i]) >= OP_WIDTH;
    return wide;
}

static const char *short_title(const struct compare *c, int i)
{
    return is_numbered(c) ? arena_printf(c->arena, "[%d]", i + 1)
                          : c->titles[i];
}

static void write_titles(const struct compare *c, FILE *out)
{
    for (int i = 0; is_numbered(c) && i < c->run_count; i++) {
        fprintf(out, "[%d] ", i + 1);
        format_plain(out, c->titles[i]);
        fputs(i + 1 < c->run_count ? "\n" : "\n\n", out);
    }
}

static void write_table(const struct compare *c, FILE *out)
{
    write_titles(c, out);
    fprintf(out, "%-*s %7s %7s", OP_WIDTH, "", "", "");
    for (int i = 0; i < c->run_count; i++) {
        fputs(" | ", out);
        format_column(out, short_title(c, i), 24);
    }
    fprintf(out, "\n%-*s %7s %7s", OP_WIDTH, "operation", "cases", "differ");
    for (int i = 0; i < c->run_count; i++)
        fprintf(out, " | %7s %6s %9s", "right", "wrong", "worst ulp");
    putc('\n', out);
    for (int i = 0; i < c->row_count; i++)
        write_row(c, &c->rows[i], out);
    write_row(c, &c->all, out);
}

static void write_pairs(const struct compare *c, FILE *out)
{
    fputs("\nCases that the backend of the row gets right and that of the"
          " column wrong:\n",
          out);
    fprintf(out, "%-*s", OP_WIDTH, "");
    for (int k = 0; k < c->run_count; k++) {
        putc(' ', out);
        format_column(out, short_title(c, k), -16);
    }
    putc('\n', out);
    for (int i = 0; i < c->run_count; i++) {
        format_column(out, short_title(c, i), OP_WIDTH);
        for (int k = 0; k < c->run_count; k++)
            if (k == i)
                fprintf(out, " %16s", "-");
            else
                fprintf(out, " %16lld", (long long)c->differs[i][k]);
        putc('\n', out);
    }
}

static void write_cases(const struct compare *c, bool apart, FILE *out)
{
    int64_t count = apart ? c->apart : c->together, written = 0;
    if (count == 0)
        return;
    fprintf(out, "\n%lld %s %s:\n", (long long)count,
            text_plural(count, "case", "cases"),
            apart ? "on which they disagree"
                  : "that every backend that judges them gets wrong");
    for (int i = 0; i < c->case_count; i++) {
        const struct compare_case *k = &c->cases[i];
        if (k->apart != apart)
            continue;
        written++;
        format_plain(out, k->name);
        for (int j = 0; j < c->run_count; j++)
            fprintf(out, "%s %s%s%s%s", j ? " |" : ":",
                    k->status[j] ? k->status[j] : "not planned",
                    k->off[j] ? " (" : "", k->off[j] ? k->off[j] : "",
                    k->off[j] ? " ulp)" : "");
        putc('\n', out);
    }
    if (written < count)
        fprintf(out, "... and %lld more\n", (long long)(count - written));
}

void compare_text(const struct compare *c, FILE *out)
{
    write_table(c, out);
    write_pairs(c, out);
    write_cases(c, true, out);
    write_cases(c, false, out);
}
