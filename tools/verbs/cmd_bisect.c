/* cmd_bisect.c - assay bisect: in which version of a backend a case changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/bisect.h"
#include "tools/verbs/bisect_run.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

struct options {
    struct arena *arena;
    struct bisect_run run;
    const char **globs, **pass;
    struct option_words words;
    int glob_count;
    const char *versions;
    bool json, verbose;
    int64_t limit;
};

static void pass_on(struct options *o, const char *option, const char *value)
{
    o->pass[o->run.pass_count++] = option;
    if (value)
        o->pass[o->run.pass_count++] = value;
}

/* ---- Which versions ------------------------------------------------------ */

/* Versions and globs, or databases: which of the two was meant? */
static void check(void *target, struct argp_state *state)
{
    struct options *o = target;
    const char *backend = o->run.backend;
    if (!o->versions) {
        if (backend)
            argp_error(state, "--backend needs --versions");
        if (o->words.count == 0)
            argp_error(state, "expected --backend and --versions, or results "
                              "databases");
        return;
    }
    if (!backend)
        argp_error(state, "--versions needs --backend");
    if (!strstr(backend, "{}") && !strstr(o->run.backend_options, "{}"))
        argp_error(state,
                   "--backend: expected {} where the version goes, got '%s'",
                   backend);
    for (int i = 0; i < o->words.count; i++)
        o->globs[o->glob_count++] =
            option_glob(state, "filter", o->words.list[i]);
}

static void add_glob(void *target, const struct option_given *g)
{
    struct options *o = target;
    o->globs[o->glob_count++] = option_glob(g->state, g->name, g->text);
}

/* For `assay run`, as it is. */
static void keep(void *target, const struct option_given *g)
{
    struct options *o = target;
    pass_on(o, arena_printf(o->arena, "--%s", g->name), g->text);
}

static void read_cases(void *target, const struct option_given *g)
{
    ((struct options *)target)->run.plan.cases = g->text;
    keep(target, g);
}

static void read_jobs(void *target, const struct option_given *g)
{
    option_number(g->state, g->name, g->text, 1, 1024);
    keep(target, g);
}

static const struct option_row options[] = {
    {"backend", 'b', "NAME|PATH", 0,
     "Backend, as for `assay run`, with {} in place of the version", 1,
     OPTION_TEXT(struct options, run.backend)},
    {"versions", 0, "V1,V2,...", 0, "Versions, oldest first", 1,
     OPTION_TEXT(struct options, versions)},
    {"backend-option", 0, "KEY=VALUE", 0,
     "Option for the backend (repeatable), in which {} is the version, too", 1,
     OPTION_JOINED(struct options, run.backend_options)},
    {"no-sandbox", 0, 0, 0, "As for `assay run`", 1, OPTION_CALL(keep)},
    {"jobs", 'j', "N", 0, "Number of cases in parallel (number of processors)",
     1, OPTION_CALL(read_jobs)},
    {"every", 0, 0, 0,
     "Run each version on each case, which also finds a change that a later "
     "version reverts",
     1, OPTION_FLAG(struct options, run.every)},
    {"fresh", 0, 0, 0, "Use no earlier run of the database", 1,
     OPTION_FLAG(struct options, run.fresh)},
    {"cases", 0, "DIR", 0, "Folder of case files", 2, OPTION_CALL(read_cases)},
    {"filter", 'f', "GLOB", 0,
     "Only cases whose full name matches (repeatable)", 2,
     OPTION_CALL(add_glob)},
    {"tier", 0, "quick|default|full", 0, "Tier to run (default)", 2,
     OPTION_TEXT(struct options, run.plan.tier)},
    {"profile", 0, "NAME|FILE", 0, "Profile to judge by (spec)", 2,
     OPTION_TEXT(struct options, run.profile)},
    {"database", 'd', "FILE", 0,
     "Results database of earlier and new runs (results.db)", 3,
     OPTION_TEXT(struct options, run.database)},
    {"limit", 'n', "N", 0, "List at most N cases (100)", 3,
     OPTION_NUMBER(struct options, limit, 0, INT64_MAX)},
    {"verbose", 'v', 0, 0, "Also list the cases that never changed", 3,
     OPTION_FLAG(struct options, verbose)},
    {"json", 0, 0, 0, "Print JSON", 3, OPTION_FLAG(struct options, json)},
    {0}};

static bool is_version(const struct bisect *b, const char *name, size_t length)
{
    for (int i = 0; i < b->version_count; i++)
        if (strlen(b->versions[i].name) == length
            && memcmp(b->versions[i].name, name, length) == 0)
            return true;
    return false;
}

static void add_version(struct bisect *b, int *room, const char *name,
                        const char *runs)
{
    ARENA_GROW(b->arena, b->versions, b->version_count, *room);
    b->versions[b->version_count++] = (struct bisect_version){name, runs};
}

/* "0.4.1,0.4.2" */
static bool split_versions(struct bisect *b, const char *text,
                           struct status *st)
{
    int room = 0;
    for (;; text++) {
        size_t n = strcspn(text, ",");
        if (n == 0)
            return FAIL(st, INPUT, "--versions: empty version");
        if (is_version(b, text, n))
            return FAIL(st, INPUT, "--versions: duplicate version '%.*s'",
                        (int)n, text);
        add_version(b, &room, arena_printf(b->arena, "%.*s", (int)n, text), "");
        text += n;
        if (!*text)
            break;
    }
    return b->version_count > 1
           || FAIL(st, INPUT, "--versions: expected at least two, got '%s'",
                   b->versions[0].name);
}

/* ---- Databases ----------------------------------------------------------- */

/* Each run of a database is a version: by the backend's own word, or, if that
 * occurs twice, by the run. */
static bool list_runs(struct bisect *b, int *room, const char *which,
                      struct status *st)
{
    struct report r;
    const char *path;
    if (!report_open(&r, b->arena, which, stdout, st)) {
        st->path = st->path ? st->path : which;
        return false;
    }
    report_split(b->arena, which, &path);
    for (int i = 0; i < r.run_count; i++) {
        const struct report_run *run = &r.runs[i];
        const char *name = run->backend_version ? run->backend_version : "?";
        const char *place =
            arena_printf(b->arena, "%s@%lld", path, (long long)run->id);
        if (is_version(b, name, strlen(name)))
            name = arena_printf(b->arena, "%s (%s)", name, place);
        add_version(b, room, name, place);
    }
    report_close(&r);
    return true;
}

static bool read_version(struct bisect *b, int version, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct report r;
    bool ok = report_open(&r, &a, b->versions[version].runs, stdout, st);
    if (ok) {
        ok = bisect_read(b, &r, &r.runs[0], version, true, st);
        report_close(&r);
    }
    arena_free(&a);
    return ok;
}

static int read_databases(struct bisect *b, const struct options *o)
{
    struct status st = {STATUS_OK};
    int room = 0;
    for (int i = 0; i < o->words.count; i++)
        if (!list_runs(b, &room, o->words.list[i], &st))
            return command_fail("bisect", &st, NULL);
    if (b->version_count < 2) {
        FAIL(&st, INPUT, "expected at least two runs, got one");
        return command_fail("bisect", &st, o->words.list[0]);
    }
    b->globs = o->globs;
    for (int i = 0; i < b->version_count; i++)
        if (!read_version(b, i, &st))
            return command_fail("bisect", &st, b->versions[i].runs);
    if (b->case_count > 0)
        return COMMAND_OK;
    FAIL(&st, INPUT, "no case%s", o->glob_count ? " matches" : "");
    return command_fail("bisect", &st, NULL);
}

/* ---- The command --------------------------------------------------------- */

static int run_versions(struct bisect *b, struct options *o)
{
    struct status st = {STATUS_OK};
    if (!split_versions(b, o->versions, &st))
        return command_fail("bisect", &st, NULL);
    pass_on(o, "--tier", o->run.plan.tier);
    pass_on(o, "--profile", o->run.profile);
    o->run.pass = o->pass;
    o->run.plan.filters = o->globs;
    o->run.plan.filter_count = o->glob_count;
    return bisect_run(b, &o->run);
}

static int bisect(struct bisect *b, struct options *o)
{
    int code = o->versions ? run_versions(b, o) : read_databases(b, o);
    if (code != COMMAND_OK)
        return code;
    if (o->json)
        bisect_print_json(b, stdout);
    else
        bisect_print_text(b, o->limit, o->verbose, stdout);
    if (fflush(stdout) != 0 || ferror(stdout))
        return COMMAND_BROKEN;
    return bisect_broke(b) ? COMMAND_FAILED : COMMAND_OK;
}

int cmd_bisect(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE[@RUN]...\n[GLOB...]",
        .help =
            "Find the version of a backend in which cases became right or "
            "wrong. With --versions, the first and the last version are run, "
            "then those in the middle on the cases that differ; results in the "
            "database are reused.  Without it, give the databases of runs, "
            "oldest version first: DATABASE stands for its latest run, "
            "DATABASE@all for all of them.\vExit status: 0 no case that was "
            "right became wrong, 1 some did, 2 usage error or unreadable "
            "database, 3 a run or the output is incomplete.",
        .several = true,
        .words = offsetof(struct options, words),
        .check = check};
    struct arena a = ARENA_INIT;
    struct options o = {.arena = &a, .limit = 100};
    struct bisect b = {.arena = &a};
    o.run = (struct bisect_run){
        .backend_options = "", .database = "results.db", .profile = "spec"};
    o.run.plan.tier = "default";
    o.globs = arena_new(&a, const char *, (size_t)argc + 1);
    o.pass = arena_new(&a, const char *, 2 * (size_t)argc + 8);
    option_parse(&set, argc, argv, &o);
    int result = bisect(&b, &o);
    arena_free(&a);
    return result;
}
