/* report.c - see report.h: opening, choosing runs, reading rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/report.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/embed.h"
#include "report/format.h"

#define OK       REPORT_OK
#define OK_SKIP  REPORT_OK_SKIP
#define OK_TODO  REPORT_OK_TODO
#define NOT_OK   REPORT_NOT_OK
#define NOT_TODO REPORT_NOT_TODO
const struct report_status report_statuses[REPORT_STATUSES] = {
#define VERDICT(id, text, failure, tap, junit, colour, meaning) \
    {text, failure, tap, junit, colour, meaning},
#include "interp/judge/verdict.def"
#undef VERDICT
};
#undef OK
#undef OK_SKIP
#undef OK_TODO
#undef NOT_OK
#undef NOT_TODO

bool report_status_known(int status)
{
    return report_statuses[status].tap == REPORT_NOT_TODO;
}

const struct report_status *report_status_find(const char *name)
{
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (strcmp(report_statuses[i].name, name) == 0)
            return &report_statuses[i];
    return NULL;
}

/* ---- Queries ------------------------------------------------------------- */

bool report_fail(struct report *r, const char *doing, struct status *st)
{
    sqlite3 *db = store_handle(r->store);
    int rc = sqlite3_errcode(db) & 0xff;
    if (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB || rc == SQLITE_ERROR)
        return FAIL(st, INPUT, "is damaged: %s (%s)", sqlite3_errmsg(db),
                    doing);
    return FAIL(st, SYSTEM, "%s: %s", doing, sqlite3_errmsg(db));
}

sqlite3_stmt *report_query(struct report *r, const char *name, int64_t run,
                           struct status *st)
{
    char path[64];
    snprintf(path, sizeof path, "report/%s.sql", name);
    const struct embed_file *sql = embed_find(path);
    sqlite3_stmt *q;
    if (!sql) {
        FAIL(st, SYSTEM, "the program lacks %s", path);
        return NULL;
    }
    if (sqlite3_prepare_v2(store_handle(r->store), sql->text, -1, &q, NULL)
        != SQLITE_OK) {
        report_fail(r, path, st);
        return NULL;
    }
    if (sqlite3_bind_parameter_count(q) > 0)
        sqlite3_bind_int64(q, 1, run);
    return q;
}

/* A column's text in an arena; NULL stays NULL. */
static const char *text_at(struct arena *a, sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? arena_printf(a, "%s", text) : NULL;
}

/* The end of a query: true unless it failed. */
static bool ended(struct report *r, sqlite3_stmt *q, int rc, const char *doing,
                  struct status *st)
{
    bool good = rc == SQLITE_DONE || report_fail(r, doing, st);
    sqlite3_finalize(q);
    return good;
}

/* ---- Runs ---------------------------------------------------------------- */

static void read_run(struct report *r, sqlite3_stmt *q, struct report_run *run)
{
    struct arena *a = r->arena;
    const char **texts[] = {NULL,
                            &run->uuid,
                            &run->started,
                            &run->finished,
                            &run->state,
                            &run->suite_version,
                            &run->case_set_hash,
                            &run->plan_hash,
                            &run->seed,
                            &run->filter,
                            &run->tier,
                            NULL,
                            &run->profile,
                            &run->command,
                            &run->host,
                            &run->note,
                            NULL,
                            NULL,
                            &run->backend,
                            &run->backend_version,
                            &run->backend_path,
                            &run->backend_options,
                            &run->shard};
    for (int i = 0; i < (int)(sizeof texts / sizeof texts[0]); i++)
        if (texts[i])
            *texts[i] = text_at(a, q, i);
    run->id = sqlite3_column_int64(q, 0);
    run->jobs = sqlite3_column_int64(q, 11);
    run->plan_first = sqlite3_column_int64(q, 16);
    run->planned = sqlite3_column_int64(q, 17);
    if (!run->backend)
        run->backend = "?";
}

static bool read_counts(struct report *r, struct report_run *run,
                        struct status *st)
{
    sqlite3_stmt *q = report_query(r, "summary", run->id, st);
    if (!q)
        return false;
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        int64_t status = sqlite3_column_int64(q, 2) - 1;
        if (status < 0 || status >= REPORT_STATUSES)
            continue;
        int64_t n = sqlite3_column_int64(q, 3);
        run->counts[status] += n;
        run->failures += report_statuses[status].failure ? n : 0;
        bool ran = status != REPORT_STATUSES - 1;
        run->ran += ran ? n : 0;
        run->known += report_status_known((int)status) ? n : 0;
        run->judged +=
            ran && report_statuses[status].tap != REPORT_OK_SKIP ? n : 0;
    }
    return ended(r, q, rc, "counting results", st);
}

/* Does "all", "latest", a number or the beginning of a uuid choose run i? */
static bool chosen(const char *which, const struct report_run *run, bool last)
{
    if (strcmp(which, "all") == 0)
        return true;
    if (strcmp(which, "latest") == 0)
        return last;
    char *end;
    long long id = strtoll(which, &end, 10);
    if (*which && !*end && id == run->id)
        return true;
    return strlen(which) >= 4 && run->uuid
           && strncmp(run->uuid, which, strlen(which)) == 0;
}

static bool read_runs(struct report *r, const char *which, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "runs", 0, st);
    if (!q)
        return false;
    int rc, all = 0, room = 0;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        ARENA_GROW(r->arena, r->runs, all, room);
        read_run(r, q, &r->runs[all++]);
    }
    TRY(ended(r, q, rc, "reading the runs", st));
    if (all == 0)
        return FAIL(st, INPUT, "holds no run");
    for (int i = 0; i < all; i++)
        if (chosen(which, &r->runs[i], i == all - 1))
            r->runs[r->run_count++] = r->runs[i];
    if (r->run_count == 0)
        return FAIL(st, INPUT, "holds no run \"%.60s\"", which);
    for (int i = 0; i < r->run_count; i++)
        TRY(read_counts(r, &r->runs[i], st));
    return true;
}

/* "results.db@3": behind the last @, unless a file of the whole name is
 * there. */
static const char *split(struct arena *a, const char *which, const char **path)
{
    const char *mark = strrchr(which, '@');
    FILE *whole = mark ? fopen(which, "rb") : NULL;
    if (whole)
        fclose(whole);
    if (!mark || whole || strchr(mark, '/')) {
        *path = which;
        return "latest";
    }
    *path = arena_printf(a, "%.*s", (int)(mark - which), which);
    return mark + 1;
}

bool report_open(struct report *r, struct arena *a, const char *which,
                 FILE *out, struct status *st)
{
    const char *path, *run = split(a, which, &path);
    *r = (struct report){
        .arena = a, .failure_limit = 200, .wrong_limit = 8, .out = out};
    TRY(store_open(path, STORE_READ, &r->store, st));
    if (read_runs(r, run, st))
        return true;
    if (!st->path)
        st->path = path;
    report_close(r);
    return false;
}

void report_close(struct report *r)
{
    struct status st = {0};
    store_close(r->store, &st);
    r->store = NULL;
    arena_free(&r->row);
}

bool report_write(struct report *r, const char *format, struct status *st)
{
#define FORMAT(name, function, help) \
    if (strcmp(format, name) == 0) \
        return function(r, st);
#include "report/formats.def"
#undef FORMAT
    return FAIL(st, INPUT, "no such format: \"%.60s\"", format);
}

/* ---- Cases --------------------------------------------------------------- */

int report_next(struct report *r, sqlite3_stmt *q, struct report_case *c,
                struct status *st)
{
    arena_reset(&r->row);
    int rc = sqlite3_step(q);
    if (rc != SQLITE_ROW)
        return rc == SQLITE_DONE ? 0
                                 : (report_fail(r, "reading cases", st), -1);
    struct arena *a = &r->row;
    *c = (struct report_case){
        .plan = sqlite3_column_int64(q, 0),
        .name = text_at(a, q, 1),
        .op = text_at(a, q, 2),
        .type = text_at(a, q, 3),
        .status = text_at(a, q, 4),
        .attempt = sqlite3_column_int64(q, 5),
        .time_ns = sqlite3_column_int64(q, 6),
        .units = sqlite3_column_int64(q, 7),
        .bad = sqlite3_column_int64(q, 8),
        .special = sqlite3_column_int64(q, 9),
        .has_error = sqlite3_column_type(q, 10) != SQLITE_NULL,
        .error = sqlite3_column_int64(q, 10),
        .message = text_at(a, q, 11),
        .requirements = text_at(a, q, 12),
        .command = text_at(a, q, 13),
        .at = text_at(a, q, 14),
        .inputs = text_at(a, q, 15),
        .program = text_at(a, q, 16),
        .correct = sqlite3_column_type(q, 17) == SQLITE_NULL
                       ? -1
                       : sqlite3_column_int64(q, 17),
    };
    if (!c->status || !report_status_find(c->status)) {
        FAIL(st, INPUT, "is damaged: a result of unknown status");
        return -1;
    }
    return 1;
}

sqlite3_stmt *report_failures(struct report *r, int64_t run, int64_t limit,
                              bool each, struct status *st)
{
    sqlite3_stmt *q = report_query(r, "failures", run, st);
    if (q) {
        sqlite3_bind_int64(q, 2, limit);
        sqlite3_bind_int(q, 3, each);
    }
    return q;
}

static bool read_operands(struct report *r, int64_t plan,
                          struct report_wrong *w, struct status *st)
{
    enum {
        OPERANDS = 16
    };
    sqlite3_stmt *q = report_query(r, "operands", plan, st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 2, w->n);
    w->operands = arena_new(&r->row, struct store_operand, OPERANDS);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        if (w->operand_count == OPERANDS)
            continue;
        w->operands[w->operand_count++] = (struct store_operand){
            text_at(&r->row, q, 0), (uint64_t)sqlite3_column_int64(q, 1),
            sqlite3_column_type(q, 2) != SQLITE_NULL,
            (uint64_t)sqlite3_column_int64(q, 2)};
    }
    return ended(r, q, rc, "reading operands", st);
}

bool report_wrongs(struct report *r, int64_t plan, int64_t limit,
                   struct report_wrong **wrongs, int *count, struct status *st)
{
    *count = 0;
    *wrongs = NULL;
    sqlite3_stmt *q = report_query(r, "wrong", plan, st);
    if (!q)
        return false;
    struct arena *a = &r->row;
    struct report_wrong *list =
        arena_new(a, struct report_wrong, (size_t)limit + 1);
    int rc = SQLITE_DONE;
    while (*count < limit && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct report_wrong *w = &list[(*count)++];
        w->n = sqlite3_column_int64(q, 0);
        w->replica = sqlite3_column_int64(q, 1);
        w->output = sqlite3_column_int64(q, 2);
        w->place = text_at(a, q, 3);
        w->type = text_at(a, q, 4);
        w->got = (uint64_t)sqlite3_column_int64(q, 5);
        w->want = (uint64_t)sqlite3_column_int64(q, 6);
        w->has_set = sqlite3_column_type(q, 7) != SQLITE_NULL;
        w->low = (uint64_t)sqlite3_column_int64(q, 7);
        w->high = (uint64_t)sqlite3_column_int64(q, 8);
        w->accept = text_at(a, q, 9);
        w->has_error = sqlite3_column_type(q, 10) != SQLITE_NULL;
        w->error = sqlite3_column_int64(q, 10);
        w->has_share = sqlite3_column_type(q, 11) != SQLITE_NULL;
        w->share = sqlite3_column_int64(q, 11);
    }
    TRY(ended(r, q, rc == SQLITE_ROW ? SQLITE_DONE : rc, "reading wrong units",
              st));
    *wrongs = list;
    for (int i = 0; i < *count; i++)
        TRY(read_operands(r, plan, &list[i], st));
    return true;
}

/* ---- Cells --------------------------------------------------------------- */

struct cells {
    struct report_cell *cell;
    int count, room;
};

/* The cell of that operation and type, which come in order. */
static struct report_cell *cell_of(struct report *r, struct cells *cs,
                                   const char *op, const char *type)
{
    for (int i = cs->count - 1; i >= 0; i--)
        if (strcmp(cs->cell[i].op, op) == 0
            && strcmp(cs->cell[i].type, type) == 0)
            return &cs->cell[i];
    ARENA_GROW(r->arena, cs->cell, cs->count, cs->room);
    struct report_cell *c = &cs->cell[cs->count++];
    c->op = arena_printf(r->arena, "%s", op);
    c->type = arena_printf(r->arena, "%s", type);
    return c;
}

static void add_row(struct report *r, struct report_cell *c, sqlite3_stmt *q)
{
    int64_t status = sqlite3_column_int64(q, 2) - 1;
    if (status < 0 || status >= REPORT_STATUSES)
        return;
    int64_t n = sqlite3_column_int64(q, 3);
    c->counts[status] += n;
    c->total += n;
    c->failures += report_statuses[status].failure ? n : 0;
    c->units += sqlite3_column_int64(q, 4);
    c->correct += sqlite3_column_int64(q, 5);
    c->rated += sqlite3_column_int64(q, 10);
    c->special += sqlite3_column_int64(q, 6);
    if (sqlite3_column_type(q, 7) == SQLITE_NULL)
        return;
    int64_t size = sqlite3_column_int64(q, 7);
    if (!c->has_error || size > (c->error < 0 ? -c->error : c->error)) {
        c->error = sqlite3_column_int64(q, 8);
        c->worst_input = text_at(r->arena, q, 9);
    }
    c->has_error = true;
}

static const char *column(sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? text : "";
}

bool report_cells(struct report *r, int64_t run, struct report_cell **cells,
                  int *count, struct status *st)
{
    struct cells cs = {NULL, 0, 0};
    sqlite3_stmt *q = report_query(r, "summary", run, st);
    if (!q)
        return false;
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW)
        add_row(r, cell_of(r, &cs, column(q, 0), column(q, 1)), q);
    TRY(ended(r, q, rc, "summing up", st));
    if (!(q = report_query(r, "shares", run, st)))
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct report_cell *c = cell_of(r, &cs, column(q, 0), column(q, 1));
        c->has_share = true;
        c->share = sqlite3_column_int64(q, 3);
        if (!c->has_error)
            c->worst_input = text_at(r->arena, q, 4);
    }
    TRY(ended(r, q, rc, "summing up sums", st));
    if (!(q = report_query(r, "bins", run, st)))
        return false;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct report_cell *c = cell_of(r, &cs, column(q, 0), column(q, 1));
        int64_t bin = sqlite3_column_int64(q, 2);
        if (bin < -128 || bin > 128)
            continue;
        c->bins[bin + 128] += sqlite3_column_int64(q, 3);
        c->has_bins = true;
    }
    TRY(ended(r, q, rc, "summing up errors", st));
    *cells = cs.cell;
    *count = cs.count;
    return true;
}

const char *report_sentence(struct arena *a, const struct report_run *run)
{
    int64_t missing = run->counts[REPORT_STATUSES - 1];
    int64_t skipped = run->ran - run->judged;
    const char *text, *more = "";
    if (run->ran == 0)
        return "nothing was run";
    if (run->judged == 0)
        return "no case was judged";
    if (run->failures > missing)
        text = arena_printf(a, "%s of %s judged cases failed",
                            format_count(a, run->failures - missing),
                            format_count(a, run->judged));
    else
        text = arena_printf(a, "no failure in %s judged cases",
                            format_count(a, run->judged));
    if (run->known)
        more = arena_printf(a, ", %s known to be wrong",
                            format_count(a, run->known));
    if (missing)
        more =
            arena_printf(a, "%s, %s never run", more, format_count(a, missing));
    if (skipped)
        more = arena_printf(a, "%s, %s not judged", more,
                            format_count(a, skipped));
    return arena_printf(a, "%s%s", text, more);
}

const char *report_off(struct arena *a, const struct report_wrong *w)
{
    if (w->has_error)
        return arena_printf(a, "%s ulp", format_micro(a, w->error));
    if (w->has_share)
        return arena_printf(a, "%s of its bound", format_micro(a, w->share));
    return report_budget_difference(a, w);
}

const char *report_worst(struct arena *a, const struct report_cell *c,
                         const char *none)
{
    if (c->has_error)
        return format_short(a, c->error);
    if (c->has_share)
        return arena_printf(a, "%s E", format_short(a, c->share));
    return none;
}
