/* report.c - see report.h: opening, choosing runs, reading rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/report.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/embed.h"
#include "interp/judge/verdict.h"
#include "report/format.h"

const struct report_status report_statuses[REPORT_STATUSES] = {
#define VERDICT(id, text, failure, tap, junit, colour, meaning) \
    {text, failure, tap, junit, colour, meaning},
#include "interp/judge/verdict.def"
#undef VERDICT
};

bool report_status_known(int status)
{
    return report_statuses[status].tap == TAP_NOT_TODO;
}

bool report_status_wrong(int status)
{
    return (report_statuses[status].tap == TAP_NOT_OK
            || report_status_known(status))
           && status != VERDICT_MISSING;
}

const struct report_status *report_status_find(const char *name)
{
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (strcmp(report_statuses[i].name, name) == 0)
            return &report_statuses[i];
    return NULL;
}

/* ---- Queries ------------------------------------------------------------- */

/* A statement that report_ended() has left for the next query of that text:
 * to prepare "operands" again for each wrong unit took most of the time. */
static sqlite3_stmt *prepared(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q = sqlite3_next_stmt(db, NULL);
    while (q && (sqlite3_stmt_busy(q) || strcmp(sqlite3_sql(q), sql) != 0))
        q = sqlite3_next_stmt(db, q);
    return q;
}

/* Names are literals, so a pointer tells them apart; one name with two of them
 * is only found later. */
static sqlite3_stmt *known(const struct report *r, const char *name)
{
    for (int i = 0; i < REPORT_PREPARED && r->prepared[i].name; i++)
        if (r->prepared[i].name == name
            && !sqlite3_stmt_busy(r->prepared[i].query))
            return r->prepared[i].query;
    return NULL;
}

static void remember(struct report *r, const char *name, sqlite3_stmt *q)
{
    for (int i = 0; i < REPORT_PREPARED; i++)
        if (!r->prepared[i].name || r->prepared[i].query == q) {
            r->prepared[i].name = name;
            r->prepared[i].query = q;
            return;
        }
}

static sqlite3_stmt *find_query(struct report *r, const char *name,
                                struct status *st)
{
    char path[64];
    snprintf(path, sizeof path, "report/%s.sql", name);
    const struct embed_file *sql = embed_find(path);
    if (!sql) {
        FAIL(st, SYSTEM, "this build of assay lacks %s", path);
        return NULL;
    }
    sqlite3 *db = store_handle(r->store);
    sqlite3_stmt *q = prepared(db, sql->text);
    if (!q && sqlite3_prepare_v2(db, sql->text, -1, &q, NULL) != SQLITE_OK) {
        store_sql_fail(r->store, path, st);
        return NULL;
    }
    remember(r, name, q);
    return q;
}

sqlite3_stmt *report_query(struct report *r, const char *name, int64_t run,
                           struct status *st)
{
    sqlite3_stmt *q = known(r, name);
    if (!q)
        q = find_query(r, name, st);
    if (q && sqlite3_bind_parameter_count(q) > 0)
        sqlite3_bind_int64(q, 1, run);
    return q;
}

const char *report_column(struct arena *a, sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? arena_text(a, text) : NULL;
}

const char *report_column_text(sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? text : "";
}

bool report_ended(struct report *r, sqlite3_stmt *q, int rc, const char *doing,
                  struct status *st)
{
    bool good = rc == SQLITE_DONE || store_sql_fail(r->store, doing, st);
    sqlite3_reset(q);
    return good;
}

/* ---- Runs ---------------------------------------------------------------- */

static const struct store_column run_columns[] = {
    REPORT_RECORD_run(RECORD_COLUMN, struct report_run)};
const struct store_record report_run_record = {.name = "run",
                                               .count = sizeof run_columns
                                                        / sizeof run_columns[0],
                                               .columns = run_columns};

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
        bool ran = status != VERDICT_MISSING;
        run->ran += ran ? n : 0;
        run->known += report_status_known((int)status) ? n : 0;
        run->judged +=
            ran && report_statuses[status].tap != TAP_OK_SKIP ? n : 0;
    }
    return report_ended(r, q, rc, "counting results", st);
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
        struct report_run *run = &r->runs[all++];
        store_record_read(&report_run_record, r->arena, q, run);
        run->backend = run->backend ? run->backend : "?";
    }
    TRY(report_ended(r, q, rc, "reading the runs", st));
    if (all == 0)
        return FAIL(st, INPUT, "holds no run");
    for (int i = 0; i < all; i++)
        if (chosen(which, &r->runs[i], i == all - 1))
            r->runs[r->run_count++] = r->runs[i];
    if (r->run_count == 0)
        return FAIL(st, INPUT, "holds no run \"%.60s\"", which);
    for (int i = 0; i < r->run_count; i++)
        TRY(read_counts(r, &r->runs[i], st)
            && identity_read(r->store, r->arena, r->runs[i].id,
                             &r->runs[i].identity, st));
    return true;
}

const char *report_split(struct arena *a, const char *which, const char **path)
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
    const char *path, *run = report_split(a, which, &path);
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
#define FORMAT(name, function, changes, help) \
    if (strcmp(format, name) == 0) \
        return function(r, st);
#include "report/formats.def"
#undef FORMAT
    return FAIL(st, INPUT, "unknown format '%.60s'", format);
}

struct claim_facts report_claim(const struct report_run *run)
{
    int64_t missing = run->counts[VERDICT_MISSING];
    return (struct claim_facts){
        .identity = &run->identity,
        .complete = !run->state || strcmp(run->state, "complete") == 0,
        .shard = run->shard != NULL,
        .planned = run->planned,
        .judged = run->judged,
        .failures = run->failures - missing,
        .known = run->known,
        .missing = missing};
}

const char *report_sentence(struct arena *a, const struct report_run *run)
{
    int64_t missing = run->counts[VERDICT_MISSING];
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
