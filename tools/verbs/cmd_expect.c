/* cmd_expect.c - assay expect: expectations from the failures of a run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/json.h"
#include "report/report.h"
#include "runner/plan/expect.h"
#include "tools/verbs/command.h"
#include "tools/verbs/expect.h"
#include "tools/verbs/option.h"

typedef const struct expect_measure *const *measures;

struct arguments {
    const char *keep;
    struct option_words databases;
};

static const struct option_row options[] = {
    {"keep", 'k', "FILE", 0,
     "Keep what people added to these expectations (references, addresses, "
     "dates, owners, versions, notes), and their question marks",
     0, OPTION_TEXT(struct arguments, keep)},
    {0}};

/* Members that people add to an entry, and no run contains. */
static const struct {
    const char *key;
    size_t at; /* a text in struct expect_line; 0: a list */
} additions[] = {{"reference", offsetof(struct expect_line, reference)},
                 {"url", offsetof(struct expect_line, url)},
                 {"until", offsetof(struct expect_line, until)},
                 {"owner", offsetof(struct expect_line, owner)},
                 {"note", offsetof(struct expect_line, note)},
                 {"versions", 0}};

enum {
    ADDITIONS = sizeof additions / sizeof *additions
};

/* An addition of an entry as JSON; NULL: it has none. */
static const char *addition(struct arena *a, const struct expect_line *line,
                            int n)
{
    const char *text = NULL;
    if (additions[n].at > 0) {
        memcpy(&text, (const char *)line + additions[n].at, sizeof text);
        return text ? json_quote(a, text) : NULL;
    }
    for (int i = 0; i < line->version_count; i++) {
        const char *own = json_quote(a, line->versions[i]);
        text = text ? arena_printf(a, "%s, %s", text, own) : own;
    }
    return text ? arena_printf(a, "[%s]", text) : NULL;
}

/* The addition of all cases, if the kept entries give the same one to each and
 * foresee how it fails; or NULL. */
static const char *kept(struct arena *a, struct expect *keep, measures cases,
                        int count, int n)
{
    const char *text = NULL;
    for (int i = 0; i < count; i++) {
        const struct expect_line *line;
        const char *own = NULL;
        if (expect_apply(keep, cases[i]->name, &cases[i]->found, &line)
            == VERDICT_XFAIL)
            own = addition(a, line, n);
        if (!own || (text && strcmp(text, own) != 0))
            return NULL;
        text = own;
    }
    return text;
}

/* "fail", "crash,fail?" */
static const char *statuses_text(struct arena *a, unsigned statuses, bool may)
{
    const char *text = "";
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (statuses & 1U << v)
            text = arena_printf(a, "%s%s%s", text, *text ? "," : "",
                                verdict_name((enum verdict_status)v));
    return may ? arena_printf(a, "%s?", text) : text;
}

/* "nature" and the sizes; -1: any. */
static const char *nature_text(struct arena *a, unsigned natures, int64_t ulps,
                               int64_t bounds)
{
    const char *names = "", *text;
    for (int n = 0; n < VERDICT_NATURES; n++)
        if (natures & 1U << n)
            names = arena_printf(a, "%s%s%s", names, *names ? "," : "",
                                 verdict_nature_name((enum verdict_nature)n));
    if (!natures)
        return "";
    text = arena_printf(a, ", \"nature\": \"%s\"", names);
    if (natures & 1U << VERDICT_NATURE_ERROR && ulps >= 0)
        text = arena_printf(a, "%s, \"ulps\": %s", text,
                            expect_size_text(a, ulps));
    if (natures & 1U << VERDICT_NATURE_SUM && bounds >= 0)
        text = arena_printf(a, "%s, \"bounds\": %s", text,
                            expect_size_text(a, bounds));
    return text;
}

/* The same of measured cases: the largest errors. */
static const char *measured_nature(struct arena *a, measures cases, int count)
{
    int64_t error = 0, share = 0;
    for (int i = 0; i < count; i++) {
        const struct expect_found *f = &cases[i]->found;
        error = f->error > error ? f->error : error;
        share = f->share > share ? f->share : share;
    }
    return nature_text(a, cases[0]->varies ? 0 : cases[0]->found.natures,
                       expect_size_up(error), expect_size_up(share));
}

static void write_start(struct arena *a, const char *pattern, const char *kind,
                        const char *nature, const char *reason)
{
    printf("    {\"pattern\": %s, \"kind\": \"%s\"%s,\n     \"reason\": %s",
           json_quote(a, pattern), kind, nature, json_quote(a, reason));
}

/* A member, unless it is missing; json is its value. */
static void write_value(const char *key, const char *json)
{
    if (json)
        printf(",\n     \"%s\": %s", key, json);
}

static void write_member(struct arena *a, const char *key, const char *text)
{
    write_value(key, text && *text ? json_quote(a, text) : NULL);
}

static void write_group(struct arena *a, struct expect *keep,
                        const struct expect_measures *all,
                        const struct expect_group *g, bool last)
{
    const struct expect_measure **cases =
        arena_new(a, const struct expect_measure *, (size_t)g->count);
    for (int i = 0; i < g->count; i++)
        cases[i] = &all->list[g->matched[i]];
    write_start(
        a, g->pattern, statuses_text(a, cases[0]->statuses, cases[0]->right),
        measured_nature(a, cases, g->count), expect_reason(a, cases, g->count));
    write_member(a, "cause", expect_reason_cause(cases[0]));
    write_member(a, "message", expect_reason_message(a, cases[0]));
    for (int i = 0; i < ADDITIONS; i++)
        write_value(additions[i].key, kept(a, keep, cases, g->count, i));
    printf("}%s\n", last ? "" : ",");
}

/* A kept entry as it is. */
static void write_line(struct arena *a, const struct expect_line *line,
                       bool last)
{
    write_start(a, line->glob, statuses_text(a, line->statuses, line->may),
                nature_text(a, line->natures, line->ulps, line->bounds),
                line->reason);
    write_member(a, "cause", line->cause);
    write_member(a, "message", line->message);
    for (int i = 0; i < ADDITIONS; i++)
        write_value(additions[i].key, addition(a, line, i));
    printf("}%s\n", last ? "" : ",");
}

/* Entries of other versions stay, and those with a question mark whose cases
 * are right this time.  They stand before the new ones, because the last that
 * matches applies. */
static void write_kept(struct arena *a, struct expect *keep,
                       const struct expect_measures *all, bool last)
{
    bool *stays = arena_new(a, bool, (size_t)keep->count + 1);
    int left = 0;
    for (int i = 0; i < all->count; i++) {
        const struct expect_measure *m = &all->list[i];
        const struct expect_line *line = NULL;
        if (keep->count && !m->statuses)
            expect_apply(keep, m->name, &m->found, &line);
        if (!line || !line->may || stays[line - keep->lines])
            continue;
        stays[line - keep->lines] = true;
    }
    for (int i = 0; i < keep->count; i++) {
        stays[i] = stays[i] || !expect_holds(keep, &keep->lines[i]);
        left += stays[i];
    }
    for (int i = 0; i < keep->count; i++)
        if (stays[i])
            write_line(a, &keep->lines[i], --left == 0 && last);
}

static void write_all(struct arena *a, struct expect *keep, const char *backend,
                      const struct expect_measures *all)
{
    struct expect_group *groups;
    struct expect_group_case *cases =
        arena_new(a, struct expect_group_case, (size_t)all->count + 1);
    for (int i = 0; i < all->count; i++) {
        const struct expect_measure *m = &all->list[i];
        cases[i].name = m->name;
        cases[i].kind = m->statuses ? expect_reason_kind(a, m) : NULL;
    }
    int n = expect_group(a, cases, all->count, &groups, NULL);
    printf("{\n  \"format\": \"assay-expectations/1\",\n  \"backend\": "
           "%s,\n  \"expect\": [\n",
           json_quote(a, backend));
    write_kept(a, keep, all, n == 0);
    for (int i = 0; i < n; i++)
        write_group(a, keep, all, &groups[i], i == n - 1);
    printf("  ]\n}\n");
}

/* Keeps what earlier runs showed of a case, and one run does not: that it may
 * also be right, end in another way, or be wrong in several. */
static void keep_unsteady(struct expect *keep, struct expect_measures *all)
{
    for (int i = 0; i < all->count; i++) {
        struct expect_measure *m = &all->list[i];
        const struct expect_line *line;
        expect_apply(keep, m->name, &m->found, &line);
        bool any = line && line->statuses & 1U << VERDICT_FAIL && !line->natures
                   && !line->cause;
        bool several = line && (line->statuses & (line->statuses - 1)) != 0;
        if (!line || !m->statuses || !(line->may || several || any))
            continue;
        m->statuses |= line->statuses;
        m->right = m->right || line->may;
        m->varies = m->varies || any;
    }
}

static bool write_expectations(struct arena *a, const struct arguments *x,
                               struct status *st)
{
    struct expect keep = {0};
    struct expect_measures all = {0};
    const char *backend = "";
    if (x->keep)
        TRY(expect_read(a, x->keep, &keep, st));
    for (int i = 0; i < x->databases.count; i++) {
        struct report r;
        TRY(report_open(&r, a, x->databases.list[i], stdout, st));
        bool ok = r.run_count > 0 || FAIL(st, INPUT, "no run");
        ok = ok && expect_measure_read(a, &r, &all, st);
        if (ok) {
            const struct report_run *run = &r.runs[r.run_count - 1];
            backend = keep.backend = arena_text(a, run->backend);
            const char *version = run->identity.value[IDENTITY_VERSION];
            keep.version = version ? arena_text(a, version) : NULL;
        }
        report_close(&r);
        if (!ok)
            return false;
    }
    expect_measure_merge(&all);
    keep_unsteady(&keep, &all);
    write_all(a, &keep, backend, &all);
    return true;
}

int cmd_expect(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE[@RUN]...",
        .help = "Write expectations for the failures of runs: few name "
                "patterns, each with the kind of failure, the largest error, "
                "and the measurement as its reason.  A question mark marks "
                "cases on which the runs differ.\vExit status: 0 success, 2 "
                "usage error or invalid input.",
        .missing = "expected a results database",
        .several = true,
        .words = offsetof(struct arguments, databases)};
    struct arguments x = {0};
    struct arena arena = ARENA_INIT;
    struct status st = {0};
    option_parse(&set, argc, argv, &x);
    bool ok = write_expectations(&arena, &x, &st);
    if (!ok)
        command_complain("expect", &st, NULL);
    arena_free(&arena);
    return ok ? COMMAND_OK : COMMAND_USAGE;
}
