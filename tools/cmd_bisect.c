/* cmd_bisect.c - assay bisect: in which version of a backend a case changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/bisect.h"
#include "tools/bisect_run.h"
#include "tools/command.h"
#include "tools/option.h"

enum {
    KEY_BACKEND_OPTION = 256,
    KEY_CASES,
    KEY_DATABASE,
    KEY_EVERY,
    KEY_FRESH,
    KEY_JSON,
    KEY_NO_SANDBOX,
    KEY_PROFILE,
    KEY_TIER,
    KEY_VERSIONS
};

struct options {
    struct arena *arena;
    struct bisect_run run;
    const char **globs, **pass;
    char **words; /* arguments that are no options */
    int word_count, glob_count;
    const char *versions;
    bool json, verbose;
    int64_t limit;
};

static const struct argp_option options[] = {
    {"backend", 'b', "NAME|PATH", 0,
     "Backend, as for `assay run`, with {} in place of the version", 1},
    {"versions", KEY_VERSIONS, "V1,V2,...", 0, "Versions, oldest first", 1},
    {"backend-option", KEY_BACKEND_OPTION, "KEY=VALUE", 0,
     "Option for the backend (repeatable), in which {} is the version, too", 1},
    {"no-sandbox", KEY_NO_SANDBOX, 0, 0, "As for `assay run`", 1},
    {"jobs", 'j', "N", 0, "Number of cases in parallel (number of processors)",
     1},
    {"every", KEY_EVERY, 0, 0,
     "Run each version on each case, which also finds a change that a later "
     "version reverts",
     1},
    {"fresh", KEY_FRESH, 0, 0, "Use no earlier run of the database", 1},
    {"cases", KEY_CASES, "DIR", 0, "Folder of case files", 2},
    {"filter", 'f', "GLOB", 0,
     "Only cases whose full name matches (repeatable)", 2},
    {"tier", KEY_TIER, "quick|default|full", 0, "Tier to run (default)", 2},
    {"profile", KEY_PROFILE, "NAME|FILE", 0, "Profile to judge by (spec)", 2},
    {"database", KEY_DATABASE, "FILE", 0,
     "Results database of earlier and new runs (results.db)", 3},
    {"limit", 'n', "N", 0, "List at most N cases (100)", 3},
    {"verbose", 'v', 0, 0, "Also list the cases that never changed", 3},
    {"json", KEY_JSON, 0, 0, "Print JSON", 3},
    {0}};

static void pass_on(struct options *o, const char *option, const char *value)
{
    o->pass[o->run.pass_count++] = option;
    if (value)
        o->pass[o->run.pass_count++] = value;
}

/* ---- Which versions ------------------------------------------------------ */

/* Versions and globs, or databases: which of the two was meant? */
static void check_together(struct options *o, struct argp_state *state)
{
    const char *backend = o->run.backend;
    if (!o->versions) {
        if (backend)
            argp_error(state, "--backend needs --versions");
        if (o->word_count == 0)
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
    for (int i = 0; i < o->word_count; i++)
        o->globs[o->glob_count++] = option_glob(state, "filter", o->words[i]);
}

static error_t parse_run(struct options *o, int key, char *text)
{
    switch (key) {
    case KEY_BACKEND_OPTION:
        o->run.backend_options =
            option_joined(o->arena, o->run.backend_options, text);
        return 0;
    case KEY_NO_SANDBOX:
        pass_on(o, "--no-sandbox", NULL);
        return 0;
    case KEY_CASES:
        o->run.plan.cases = text;
        pass_on(o, "--cases", text);
        return 0;
    case KEY_TIER:
        o->run.plan.tier = text;
        return 0;
    case KEY_PROFILE:
        o->run.profile = text;
        return 0;
    case KEY_DATABASE:
        o->run.database = text;
        return 0;
    case KEY_EVERY:
        o->run.every = true;
        return 0;
    case KEY_FRESH:
        o->run.fresh = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'b':
        o->run.backend = text;
        return 0;
    case KEY_VERSIONS:
        o->versions = text;
        return 0;
    case 'f':
        o->globs[o->glob_count++] = option_glob(state, "filter", text);
        return 0;
    case 'j':
        option_number(state, "jobs", text, 1, 1024);
        pass_on(o, "--jobs", text);
        return 0;
    case 'n':
        o->limit = option_number(state, "limit", text, 0, INT64_MAX);
        return 0;
    case 'v':
        o->verbose = true;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARGS:
        o->words = state->argv + state->next;
        o->word_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        check_together(o, state);
        return 0;
    default:
        return parse_run(o, key, text);
    }
}

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
    for (int i = 0; i < o->word_count; i++)
        if (!list_runs(b, &room, o->words[i], &st))
            return command_fail("bisect", &st, NULL);
    if (b->version_count < 2) {
        FAIL(&st, INPUT, "expected at least two runs, got one");
        return command_fail("bisect", &st, o->words[0]);
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
    static const struct argp argp = {
        options,
        parse,
        "DATABASE[@RUN]...\n[GLOB...]",
        "Find the version of a backend in which cases became right or wrong. "
        "With --versions, the first and the last version are run, then those "
        "in the middle on the cases that differ; results that the database "
        "has are not computed again.  Or give the databases of runs, oldest "
        "version first: DATABASE is its latest run, DATABASE@all all of "
        "them.\v"
        "Exit status: 0 no case that was right became wrong, 1 some did, 2 "
        "usage error or unreadable database, 3 a run or the output is "
        "incomplete.",
        NULL,
        NULL,
        NULL};
    struct arena a = ARENA_INIT;
    struct options o = {.arena = &a, .limit = 100};
    struct bisect b = {.arena = &a};
    o.run = (struct bisect_run){
        .backend_options = "", .database = "results.db", .profile = "spec"};
    o.run.plan.tier = "default";
    o.globs = arena_new(&a, const char *, (size_t)argc + 1);
    o.pass = arena_new(&a, const char *, 2 * (size_t)argc + 8);
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    int result = bisect(&b, &o);
    arena_free(&a);
    return result;
}
