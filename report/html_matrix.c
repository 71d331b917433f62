/* html_matrix.c - operations against element types, in colour and in words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/dtype.h"
#include "report/format.h"
#include "report/html.h"

/* The columns: element types that occur.  Those that most backends are for come
 * first, where a narrow screen and a sheet of paper show them; then the others
 * in the order of the type table, unknown ones, and "" (no type). */
struct columns {
    int count;
    const char **types;
};

static int rank_of(const char *type)
{
    static const char *const first[] = {"f32", "f64", "bf16", "f16"};
    enum {
        FIRST = sizeof first / sizeof first[0]
    };
    enum dtype t;
    for (int i = 0; i < FIRST; i++)
        if (strcmp(type, first[i]) == 0)
            return i;
    if (!*type)
        return FIRST + DT_COUNT + 1;
    return FIRST
           + (dtype_parse(type, strlen(type), &t) ? (int)t : (int)DT_COUNT);
}

static void add_column(struct columns *c, const char *type)
{
    int at = c->count;
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->types[i], type) == 0)
            return;
    while (at > 0 && rank_of(c->types[at - 1]) > rank_of(type)) {
        c->types[at] = c->types[at - 1];
        at--;
    }
    c->types[at] = type;
    c->count++;
}

static const char *class_of(const struct report_cell *c)
{
    int64_t skip = 0, warn = 0, known = 0;
    for (int i = 0; i < REPORT_STATUSES; i++) {
        const char *class = html_class(i);
        skip += *class == 's' ? c->counts[i] : 0;
        warn += *class == 'w' ? c->counts[i] : 0;
        known += *class == 'k' ? c->counts[i] : 0;
    }
    return c->failures        ? "bad"
           : skip == c->total ? "skip"
           : known            ? "known"
           : warn             ? "warn"
                              : "ok";
}

static const char *symbol_of(const char *class)
{
    switch (*class) {
    case 'b':
        return "\xe2\x9c\x97"; /* ballot x */
    case 'k':
        return "\xe2\x89\xa0"; /* not equal to */
    case 'w':
        return "!";
    case 's':
        return "\xe2\x80\x93"; /* en dash */
    default:
        return "\xe2\x9c\x93"; /* check mark */
    }
}

static void write_counts(struct report *r, const struct report_cell *c)
{
    fprintf(r->out, "%s cases", format_count(&r->row, c->total));
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (c->counts[i])
            fprintf(r->out, ", %s %s", format_count(&r->row, c->counts[i]),
                    report_statuses[i].name);
}

static const char *words_of(const char *class)
{
    switch (*class) {
    case 'b':
        return "failed";
    case 'k':
        return "known to be wrong";
    case 's':
        return "skipped";
    default:
        return "passed";
    }
}

static int64_t known_of(const int64_t *counts)
{
    int64_t n = 0;
    for (int i = 0; i < REPORT_STATUSES; i++)
        n += report_status_known(i) ? counts[i] : 0;
    return n;
}

static void write_cell(struct report *r, const struct report_run *run,
                       const struct report_cell *c)
{
    if (!c) {
        fputs("<td><span class=\"none\" title=\"no case\">\xc2\xb7</span></td>",
              r->out);
        return;
    }
    const char *class = class_of(c);
    int64_t known = known_of(c->counts);
    bool bad = *class == 'b', link = bad || *class == 'k';
    fprintf(r->out,
            link ? "<td><a class=\"%s\" title=\""
                 : "<td><span class=\"%s\" title=\"",
            class);
    write_counts(r, c);
    if (link) {
        fputs("\" href=\"#", r->out);
        if (bad)
            html_failures_anchor(r, run, c->op, c->type);
        else
            fprintf(r->out, "k%lld-", (long long)run->id);
        if (!bad)
            format_xml(r->out, c->op, 0);
    }
    fprintf(r->out, "\">%s&nbsp;%s<span class=\"sr\"> %s</span>%s</td>",
            symbol_of(class),
            format_count(&r->row, bad             ? c->failures
                                  : *class == 'k' ? known
                                                  : c->total),
            words_of(class), link ? "</a>" : "</span>");
    arena_reset(&r->row);
}

static const struct report_cell *find(const struct report_cell *cells,
                                      int count, const char *type)
{
    for (int i = 0; i < count; i++)
        if (strcmp(cells[i].type, type) == 0)
            return &cells[i];
    return NULL;
}

/* What the search finds a row by, besides its operation: types, statuses. */
static void write_words(struct report *r, const struct report_cell *cells,
                        int count)
{
    for (int i = 0; i < REPORT_STATUSES; i++) {
        bool has = false;
        for (int k = 0; k < count; k++)
            has = has || cells[k].counts[i];
        if (has)
            fprintf(r->out, "%s ", report_statuses[i].name);
    }
    for (int k = 0; k < count; k++) {
        format_xml(r->out, cells[k].type, 0);
        putc(' ', r->out);
    }
}

/* One row: count cells of one operation. */
static void write_row(struct report *r, const struct report_run *run,
                      const struct report_cell *cells, int count,
                      const struct columns *columns)
{
    int64_t failures = 0;
    bool skipped = true;
    for (int i = 0; i < count; i++) {
        failures += cells[i].failures;
        skipped = skipped && *class_of(&cells[i]) == 's';
    }
    fprintf(r->out, "<tr class=\"%s%s\" data-op=\"", failures ? "" : "clean",
            skipped ? " skipped" : "");
    format_xml(r->out, cells[0].op, 0);
    fputs("\" data-text=\"", r->out);
    write_words(r, cells, count);
    fputs("\"><th scope=\"row\">", r->out);
    format_xml(r->out, cells[0].op, 0);
    fputs("</th>", r->out);
    for (int i = 0; i < columns->count; i++)
        write_cell(r, run, find(cells, count, columns->types[i]));
    fputs("</tr>\n", r->out);
}

static int same_op(const struct report_cell *cells, int from, int count)
{
    int n = 1;
    while (from + n < count && strcmp(cells[from + n].op, cells[from].op) == 0)
        n++;
    return n;
}

static void write_matrix(struct report *r, const struct report_run *run,
                         const struct report_cell *cells, int count,
                         const struct columns *columns)
{
    fputs("<div class=\"scroll\" tabindex=\"0\" role=\"region\""
          " aria-label=\"Operations by element type\">"
          "<table class=\"matrix\">\n"
          "<thead><tr><th scope=\"col\">Operation</th>",
          r->out);
    for (int i = 0; i < columns->count; i++) {
        fputs("<th scope=\"col\"><span>", r->out);
        format_xml(r->out, *columns->types[i] ? columns->types[i] : "no type",
                   0);
        fputs("</span></th>", r->out);
    }
    fputs("</tr></thead>\n<tbody>\n", r->out);
    for (int i = 0, n; i < count; i += n) {
        n = same_op(cells, i, count);
        write_row(r, run, cells + i, n, columns);
    }
    fputs("</tbody></table></div>\n", r->out);
}

/* ---- Several runs side by side ------------------------------------------- */

struct total {
    int64_t total, failures, skipped, known;
};

static struct total total_of(const struct report_cell *cells, int count,
                             const char *op)
{
    struct total t = {0, 0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (strcmp(cells[i].op, op) != 0)
            continue;
        t.total += cells[i].total;
        t.failures += cells[i].failures;
        t.known += known_of(cells[i].counts);
        for (int s = 0; s < REPORT_STATUSES; s++)
            if (*html_class(s) == 's')
                t.skipped += cells[i].counts[s];
    }
    return t;
}

static void write_total(struct report *r, struct total t)
{
    struct arena *a = &r->row;
    if (t.total == 0)
        fputs("<td class=\"num soft\">no case</td>", r->out);
    else if (t.failures)
        fprintf(r->out,
                "<td class=\"num bad\">\xe2\x9c\x97 %s of %s failed</td>",
                format_count(a, t.failures), format_count(a, t.total));
    else if (t.skipped == t.total)
        fprintf(r->out, "<td class=\"num skip\">\xe2\x80\x93 %s skipped</td>",
                format_count(a, t.total));
    else if (t.known)
        fprintf(r->out,
                "<td class=\"num known\">\xe2\x89\xa0 %s of %s known to be"
                " wrong</td>",
                format_count(a, t.known), format_count(a, t.total));
    else
        fprintf(r->out, "<td class=\"num ok\">\xe2\x9c\x93 %s passed</td>",
                format_count(a, t.total - t.skipped));
    arena_reset(a);
}

static void run_title(struct report *r, const struct report_run *run)
{
    format_xml(r->out, run->backend, 60);
    fputs(" <span class=\"soft\">", r->out);
    format_xml(r->out, run->backend_version, 60);
    fprintf(r->out, ", run %lld</span>", (long long)run->id);
}

/* Is op in an earlier run's cells than run number i's? */
static bool seen(const struct html_cells *all, int run, const char *op)
{
    for (int i = 0; i < run; i++)
        for (int k = 0; k < all->counts[i]; k++)
            if (strcmp(all->cells[i][k].op, op) == 0)
                return true;
    return false;
}

static void write_side_row(struct report *r, const struct html_cells *all,
                           const char *op)
{
    bool clean = true;
    for (int i = 0; i < r->run_count; i++)
        clean = clean && !total_of(all->cells[i], all->counts[i], op).failures;
    fprintf(r->out, "<tr class=\"%s\" data-op=\"", clean ? "clean" : "");
    format_xml(r->out, op, 0);
    fputs("\"><th scope=\"row\">", r->out);
    format_xml(r->out, op, 0);
    fputs("</th>", r->out);
    for (int i = 0; i < r->run_count; i++)
        write_total(r, total_of(all->cells[i], all->counts[i], op));
    fputs("</tr>\n", r->out);
}

static void write_side_by_side(struct report *r, const struct html_cells *all)
{
    fputs("<h3>Side by side</h3>\n<div class=\"scroll\" tabindex=\"0\""
          " role=\"region\" aria-label=\"Runs side by side\">"
          "<table class=\"wide full\">\n"
          "<thead><tr><th scope=\"col\">Operation</th>",
          r->out);
    for (int i = 0; i < r->run_count; i++) {
        fputs("<th scope=\"col\" class=\"num\">", r->out);
        run_title(r, &r->runs[i]);
        fputs("</th>", r->out);
    }
    fputs("</tr></thead>\n<tbody>\n", r->out);
    for (int i = 0; i < r->run_count; i++)
        for (int k = 0, n; k < all->counts[i]; k += n) {
            n = same_op(all->cells[i], k, all->counts[i]);
            if (!seen(all, i, all->cells[i][k].op))
                write_side_row(r, all, all->cells[i][k].op);
        }
    fputs("</tbody></table></div>\n", r->out);
}

bool html_matrix(struct report *r, const struct html_cells *all,
                 struct status *st)
{
    (void)st;
    if (r->run_count > 1)
        write_side_by_side(r, all);
    fputs("<p class=\"soft\"><span class=\"chip ok\">\xe2\x9c\x93 all right"
          "</span> <span class=\"chip warn\">! with remarks</span>"
          " <span class=\"chip bad\">\xe2\x9c\x97 failures</span>"
          " <span class=\"chip known\">\xe2\x89\xa0 known to be wrong</span>"
          " <span class=\"chip skip\">\xe2\x80\x93 skipped</span>"
          " The number counts cases: those that failed or are known to be "
          "wrong if there are any, otherwise all; an underlined number links "
          "to them.</p>\n",
          r->out);
    for (int i = 0; i < r->run_count; i++) {
        int count = all->counts[i];
        struct columns columns = {
            0, arena_new(r->arena, const char *, (size_t)count + 1)};
        for (int k = 0; k < count; k++)
            add_column(&columns, all->cells[i][k].type);
        if (r->run_count > 1) {
            fputs("<h3>", r->out);
            run_title(r, &r->runs[i]);
            fputs("</h3>\n", r->out);
        }
        write_matrix(r, &r->runs[i], all->cells[i], count, &columns);
    }
    return true;
}
