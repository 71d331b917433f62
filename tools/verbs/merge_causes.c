/* merge_causes.c - see recorded.h.  Tests: shard.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner/reasons.h"
#include "tools/verbs/recorded.h"

struct settled {
    struct arena *arena;
    const struct report_run *run;
    struct plan_names names;
    const char **name; /* by plan row */
    struct record record;
};

/* Reads a row of the view. */
static bool read_row(struct settled *x, sqlite3_stmt *q)
{
    int64_t i = sqlite3_column_int64(q, 0) - x->run->plan_first;
    int status = sqlite3_column_int(q, 2) - 1;
    if (i < 0 || i >= x->run->planned)
        return false;
    x->name[i] = arena_text(x->arena, (const char *)sqlite3_column_text(q, 1));
    plan_names_add(x->arena, &x->names, x->name[i]);
    x->record.status[i] = status >= 0 && status < VERDICT_COUNT
                              ? (unsigned char)status
                              : (unsigned char)VERDICT_COUNT;
    return true;
}

/* The names and statuses of all cases; *any if one has a cause. */
static bool read_rows(struct settled *x, struct store *s, bool *any,
                      struct status *st)
{
    size_t n = (size_t)x->run->planned + 1;
    x->name = arena_new(x->arena, const char *, n);
    x->record.status = arena_new(x->arena, unsigned char, n);
    x->record.held = arena_new(x->arena, struct job_result *, n);
    sqlite3_stmt *q = store_prepare(
        s,
        "SELECT outcome.plan, outcome.name, result.status,"
        " EXISTS (SELECT 1 FROM cause WHERE cause.plan = outcome.plan)"
        " FROM outcome LEFT JOIN result ON result.plan = outcome.plan"
        " WHERE run = ? ORDER BY outcome.plan",
        st);
    if (!q)
        return false;
    int rc;
    bool good = true;
    sqlite3_bind_int64(q, 1, x->run->id);
    while (good && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        good = read_row(x, q);
        *any = *any || sqlite3_column_int(q, 3);
    }
    good = good && rc == SQLITE_DONE;
    if (!good)
        store_sql_fail(s, "reading its cases", st);
    sqlite3_finalize(q);
    plan_names_end(x->arena, &x->names);
    return good;
}

/* Is the plan's order that of the rows? */
static bool is_same_plan(const struct settled *x, const struct plan *plan,
                         struct status *st)
{
    bool same = plan->count == x->run->planned;
    for (int64_t i = 0; same && i < plan->count; i++)
        same = strcmp(plan_name(x->arena, &plan->cases[i]), x->name[i]) == 0;
    return same
           || FAIL(st, INPUT, "its cases are not those of the suite, in order");
}

static bool settle(struct settled *x, const char *database,
                   const struct recorded *from, struct status *st)
{
    struct recorded own = *from;
    struct plan plan;
    struct run_options options = {.limits = from->limits};
    struct status mine = {0};
    const struct deviation_table *table;
    struct record *r = &x->record;
    own.names = &x->names;
    TRY(recorded_profile(x->arena, &own, x->run, &r->profile, st)
        && recorded_plan(x->arena, &own, x->run, r->profile, &plan, st)
        && is_same_plan(x, &plan, st) && deviation_read(x->arena, &table, st)
        && store_open(database, STORE_WAIT, &r->store, st));
    r->arena = x->arena;
    r->options = &options;
    r->plan = &plan;
    r->first = x->run->plan_first;
    bool good =
        reasons_settle(r, table, (int)sysconf(_SC_NPROCESSORS_ONLN), st);
    bool closed = store_close(r->store, &mine);
    if (good && !closed)
        *st = mine;
    return good && closed;
}

bool merge_causes(struct arena *a, const char *database,
                  const struct recorded *from, struct status *st)
{
    struct report report;
    struct settled x = {.arena = a};
    bool any = false;
    const char *which = arena_printf(a, "%s@latest", database);
    TRY(report_open(&report, a, which, stdout, st));
    x.run = &report.runs[0];
    bool good = read_rows(&x, report.store, &any, st);
    report_close(&report);
    return good && (!any || settle(&x, database, from, st));
}
