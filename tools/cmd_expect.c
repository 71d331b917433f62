/* cmd_expect.c - assay expect: expectations of what a run got wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/json.h"
#include "report/report.h"
#include "runner/plan/expect.h"
#include "tools/command.h"
#include "tools/expect_group.h"

struct arguments {
    const char *keep;
    int count;
    char **databases;
};

static const struct argp_option options[] = {
    {"keep", 'k', "FILE", 0,
     "expectations whose reasons and references are kept", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct arguments *x = state->input;
    switch (key) {
    case 'k':
        x->keep = text;
        return 0;
    case ARGP_KEY_ARGS:
        x->databases = state->argv + state->next;
        x->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which database?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What an expected failure was is the first word of its message. */
static enum verdict_status own_status(const char *status, const char *message)
{
    enum verdict_status s = verdict_find(status);
    if (s == VERDICT_XPASS)
        return VERDICT_PASS;
    if (s != VERDICT_XFAIL || !message)
        return s;
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(message, " "), message);
    return verdict_find(word);
}

struct cases {
    int count, room;
    struct expect_group_case *list;
};

static void add(struct arena *a, struct cases *to,
                const struct expect_group_case *one)
{
    if (to->count == to->room) {
        to->room = to->room ? 2 * to->room : 4096;
        struct expect_group_case *more =
            arena_new(a, struct expect_group_case, (size_t)to->room);
        if (to->count > 0)
            memcpy(more, to->list, (size_t)to->count * sizeof *more);
        to->list = more;
    }
    to->list[to->count++] = *one;
}

static bool read_cases(struct arena *a, struct report *r, struct cases *to,
                       struct status *st)
{
    const struct report_run *run = &r->runs[r->run_count - 1];
    sqlite3 *db = store_handle(r->store);
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(db,
                           "SELECT outcome.name, outcome.status, message"
                           " FROM outcome LEFT JOIN detail USING (plan)"
                           " WHERE run = ?1 ORDER BY plan",
                           -1, &q, NULL)
        != SQLITE_OK)
        return FAIL(st, SYSTEM, "%.200s", sqlite3_errmsg(db));
    sqlite3_bind_int64(q, 1, run->id);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *message = (const char *)sqlite3_column_text(q, 2);
        const struct expect_group_case c = {
            .name = arena_printf(a, "%s", sqlite3_column_text(q, 0)),
            .message = message ? arena_printf(a, "%s", message) : "",
            .status =
                own_status((const char *)sqlite3_column_text(q, 1), message)};
        if (c.status != VERDICT_MISSING)
            add(a, to, &c);
    }
    bool whole = rc == SQLITE_DONE || report_fail(r, "reading cases", st);
    sqlite3_finalize(q);
    return whole;
}

static int by_name(const void *a, const void *b)
{
    const struct expect_group_case *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* A case that several runs have: a failure counts. */
static void drop_doubles(struct cases *c)
{
    int kept = 0;
    qsort(c->list, (size_t)c->count, sizeof *c->list, by_name);
    for (int i = 0; i < c->count; i++) {
        struct expect_group_case *last = kept > 0 ? &c->list[kept - 1] : NULL;
        if (!last || strcmp(last->name, c->list[i].name) != 0)
            c->list[kept++] = c->list[i];
        else if (!verdict_is_failure(last->status))
            *last = c->list[i];
    }
    c->count = kept;
}

static int by_glob(const void *a, const void *b)
{
    const struct expect_line *x = a, *y = b;
    int order = strcmp(x->glob, y->glob);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Of lines in the order of their globs; the first of equal ones. */
static const struct expect_line *kept(const struct expect *keep,
                                      const char *pattern)
{
    int low = 0, high = keep->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(keep->lines[middle].glob, pattern) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found =
        low < keep->count && strcmp(keep->lines[low].glob, pattern) == 0;
    return found ? &keep->lines[low] : NULL;
}

static void write_group(struct arena *a, const struct expect *keep,
                        const struct expect_group *g, bool last)
{
    const struct expect_line *old = kept(keep, g->pattern);
    const char *reason =
        old ? old->reason
            : arena_printf(a, "not explained yet: %.160s", g->example->message);
    bool may = (old && old->may) || g->status == VERDICT_FLAKE
               || g->status == VERDICT_TIMEOUT;
    printf("    {\"pattern\": %s, \"kind\": \"%s%s\",\n     \"reason\": %s",
           json_quote(a, g->pattern), verdict_name(g->status), may ? "?" : "",
           json_quote(a, reason));
    if (old && old->reference)
        printf(",\n     \"reference\": %s", json_quote(a, old->reference));
    printf("}%s\n", last ? "" : ",");
}

static void write_all(struct arena *a, const struct expect *keep,
                      const char *backend, const struct cases *c)
{
    struct expect_group *groups;
    int n = expect_group(a, c->list, c->count, &groups, NULL);
    printf("{\n  \"format\": \"assay-expectations/1\",\n  \"backend\": "
           "%s,\n  \"expect\": [\n",
           json_quote(a, backend));
    for (int i = 0; i < n; i++)
        write_group(a, keep, &groups[i], i == n - 1);
    printf("  ]\n}\n");
}

static bool run(struct arena *a, const struct arguments *x, struct status *st)
{
    struct expect keep = {0};
    struct cases all = {0};
    const char *backend = "";
    if (x->keep)
        TRY(expect_read(a, x->keep, &keep, st));
    if (keep.count > 0)
        qsort(keep.lines, (size_t)keep.count, sizeof *keep.lines, by_glob);
    for (int i = 0; i < x->count; i++) {
        struct report r;
        TRY(report_open(&r, a, x->databases[i], stdout, st));
        bool ok = r.run_count > 0 || FAIL(st, INPUT, "there is no run");
        ok = ok && read_cases(a, &r, &all, st);
        if (ok)
            backend = arena_printf(a, "%s", r.runs[r.run_count - 1].backend);
        report_close(&r);
        if (!ok)
            return false;
    }
    drop_doubles(&all);
    write_all(a, &keep, backend, &all);
    return true;
}

int cmd_expect(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "DATABASE[@RUN]...",
        "Write expectations for what runs got wrong: few patterns of names, "
        "each with the kind of failure, for a person to give reasons.\v"
        "Exit status: 0, or 2 for wrong usage or bad input.",
        NULL,
        NULL,
        NULL};
    struct arguments x = {0};
    struct arena arena = ARENA_INIT;
    struct status st = {0};
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &x) != 0)
        return COMMAND_USAGE;
    bool ok = run(&arena, &x, &st);
    if (!ok)
        fprintf(stderr, "assay expect: %s%s%s\n", st.path ? st.path : "",
                st.path ? ": " : "", st.text);
    arena_free(&arena);
    return ok ? COMMAND_OK : COMMAND_USAGE;
}
