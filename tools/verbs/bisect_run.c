/* bisect_run.c - see bisect_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/bisect_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "interp/specification/profile.h"
#include "runner/plugin/plugin.h"
#include "runner/run_identity.h"
#include "tools/verbs/command.h"
#include "tools/verbs/run_child.h"

enum {
    NAMES_MAX = 1000 /* more cases than that are chosen by the user's globs */
};

/* A version's backend, as a run of it is recorded. */
struct version {
    const char *backend, *given; /* the placeholder filled in */
    const char *path, *options;  /* that plugin_find makes of them */
    const char *digests;         /* of its files */
};

struct search {
    struct arena *arena;
    struct bisect *table;
    struct bisect_run *options;
    struct version *versions;
    struct limits limits;
    const char *profile_json;
    char suite[DIGEST_TEXT];
    int64_t since; /* earlier runs are not used */
};

/* ---- Preparing ----------------------------------------------------------- */

/* The text with each {} replaced. */
static const char *fill_in(struct arena *a, const char *text,
                           const char *version)
{
    const char *done = "", *mark;
    while ((mark = strstr(text, "{}"))) {
        done = arena_printf(a, "%s%.*s%s", done, (int)(mark - text), text,
                            version);
        text = mark + 2;
    }
    return arena_printf(a, "%s%s", done, text);
}

static bool find_versions(struct search *s, struct status *st)
{
    const struct bisect_run *o = s->options;
    int n = s->table->version_count;
    s->versions = arena_new(s->arena, struct version, (size_t)n);
    for (int i = 0; i < n; i++) {
        const char *name = s->table->versions[i].name;
        struct version *v = &s->versions[i];
        v->backend = fill_in(s->arena, o->backend, name);
        v->given = fill_in(s->arena, o->backend_options, name);
        TRY(plugin_find(s->arena, v->backend, v->given, &v->path, &v->options,
                        st));
        TRY(run_identity_backend(s->arena, v->path, v->options, &v->digests,
                                 st));
    }
    return true;
}

static bool nothing_planned(const struct search *s, struct status *st)
{
    const struct plan_options *o = &s->options->plan;
    char hint[TEXT_HINT] = "";
    if (o->filter_count == 0)
        return FAIL(st, INPUT, "no case of tier %s", o->tier);
    const char *op =
        arena_printf(s->arena, "%.*s", (int)strcspn(o->filters[0], "/*?[\\@#"),
                     o->filters[0]);
    return FAIL(st, INPUT, "no case of tier %s matches '%.80s'%s%s", o->tier,
                o->filters[0], o->filter_count > 1 ? " or the others" : "",
                spec_op_find(op) ? "" : spec_op_hint(hint, op));
}

/* The names of the chosen cases into the table, and the suite's digest. */
static bool read_plan(struct search *s, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct plan plan;
    bool ok = plan_make(&a, &s->options->plan, &s->limits, &plan, st);
    if (ok) {
        for (int64_t i = 0; i < plan.count; i++)
            bisect_add(s->table, plan_name(&a, &plan.cases[i]));
        memcpy(s->suite, plan.suite, sizeof s->suite);
    }
    arena_free(&a);
    return ok;
}

/* The number of the latest run in the database; 0: none. */
static int64_t latest_run(struct search *s)
{
    struct status st = {STATUS_OK};
    struct report r;
    if (access(s->options->database, F_OK) != 0
        || !report_open(&r, s->arena, s->options->database, stdout, &st))
        return 0;
    int64_t id = r.runs[0].id;
    report_close(&r);
    return id;
}

static bool prepare(struct search *s, struct status *st)
{
    struct bisect_run *o = s->options;
    const struct profile *profile;
    TRY(find_versions(s, st));
    if (!profile_load(s->arena, o->profile, &profile, st)) {
        st->code = STATUS_INPUT; /* also a file that cannot be read */
        return false;
    }
    s->profile_json = run_info_profile(s->arena, profile);
    o->plan.profile = profile_name(profile);
    TRY(read_plan(s, st));
    if (s->table->case_count == 0)
        return nothing_planned(s, st);
    bisect_sort(s->table);
    s->since = o->fresh ? latest_run(s) + 1 : 0;
    return true;
}

/* ---- What is recorded ---------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

/* Is it a run of that version, with the cases and the specification of today?
 */
static bool is_usable(const struct search *s, const struct version *v,
                      const struct report_run *run)
{
    const char *const *its = run->identity.value;
    return run->id >= s->since && is_same(run->backend_path, v->path)
           && is_same(its[IDENTITY_FILE], v->digests)
           && is_same(run->backend_options, v->options)
           && is_same(run->profile_json, s->profile_json)
           && is_same(run->suite_version, ASSAY_VERSION)
           && is_same(its[IDENTITY_SUITE], s->suite);
}

/* Take over what the database has of a version. */
static bool read_runs(struct search *s, int version, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct report r;
    struct bisect_version *v = &s->table->versions[version];
    const char *database = s->options->database, *runs = "";
    if (!report_open(&r, &a, arena_printf(&a, "%s@all", database), stdout,
                     st)) {
        arena_free(&a);
        return false;
    }
    for (int i = 0; i < r.run_count && st->code == STATUS_OK; i++) {
        const struct report_run *run = &r.runs[i];
        if (!is_usable(s, &s->versions[version], run)
            || !bisect_read(s->table, &r, run, version, false, st))
            continue;
        runs = arena_printf(&a, "%s%s%s@%" PRId64, runs, *runs ? ", " : "",
                            database, run->id);
    }
    v->runs = arena_text(s->arena, runs);
    report_close(&r);
    arena_free(&a);
    return st->code == STATUS_OK;
}

/* ---- Running ------------------------------------------------------------- */

static int count_unknown(const struct bisect *b, int version,
                         const bool *wanted, const char **name)
{
    int count = 0;
    for (int i = b->case_count - 1; i >= 0; i--)
        if (wanted[i] && !b->cases[i].cells[version].status) {
            count++;
            *name = b->cases[i].name;
        }
    return count;
}

/* Globs that choose what is wanted: names, which match themselves, if these are
 * few; else the user's. */
static void choose_globs(struct search *s, const bool *wanted,
                         struct run_child *run)
{
    const struct bisect *b = s->table;
    int count = 0;
    const char **names =
        arena_new(s->arena, const char *, (size_t)b->case_count);
    for (int i = 0; i < b->case_count; i++)
        if (wanted[i])
            names[count++] = b->cases[i].name;
    bool few = count < b->case_count && count <= NAMES_MAX;
    run->globs = few ? names : s->options->plan.filters;
    run->glob_count = few ? count : s->options->plan.filter_count;
}

/* Those of every version, and the backend's, in which the version is filled
 * in. */
static void choose_options(struct search *s, const struct version *v,
                           struct run_child *run)
{
    const struct bisect_run *o = s->options;
    const char **all =
        arena_new(s->arena, const char *, (size_t)o->pass_count + 2);
    for (int i = 0; i < o->pass_count; i++)
        all[run->option_count++] = o->pass[i];
    if (*v->given) {
        all[run->option_count++] = "--backend-option";
        all[run->option_count++] = v->given;
    }
    run->options = all;
}

/* The results of a version that are wanted, from the database or a new run. */
static int get_results(struct search *s, int version, const bool *wanted)
{
    const struct bisect_run *o = s->options;
    struct status st = {STATUS_OK}, none = {STATUS_OK};
    const struct version *v = &s->versions[version];
    const char *label = s->table->versions[version].name, *name = "";
    struct run_child run = {.backend = v->backend, .database = o->database};
    choose_globs(s, wanted, &run);
    choose_options(s, v, &run);
    /* A database that cannot be used is what the run complains about. */
    if (access(o->database, F_OK) == 0)
        read_runs(s, version, &none);
    int missing = count_unknown(s->table, version, wanted, &name);
    if (missing == 0)
        return COMMAND_OK;
    fprintf(stderr, "assay bisect: %s: running %d %s\n", label, missing,
            text_plural(missing, "case", "cases"));
    int code = run_child(s->arena, &run);
    if (code != COMMAND_OK && code != COMMAND_FAILED)
        return code;
    if (!read_runs(s, version, &st))
        return command_fail("bisect", &st, o->database);
    missing = count_unknown(s->table, version, wanted, &name);
    if (missing == 0)
        return COMMAND_OK;
    FAIL(&st, SYSTEM, "%s: the run has no result of %d cases, such as %s",
         label, missing, name);
    return command_fail("bisect", &st, NULL);
}

int bisect_run(struct bisect *b, struct bisect_run *o)
{
    struct search s = {
        .arena = b->arena, .table = b, .options = o, .limits = LIMITS_DEFAULT};
    struct status st = {STATUS_OK};
    if (!prepare(&s, &st))
        return command_fail("bisect", &st, NULL);
    bool *wanted = arena_new(s.arena, bool, (size_t)b->case_count);
    int code = COMMAND_OK, version;
    while (code == COMMAND_OK
           && (version = bisect_wanted(b, o->every, wanted)) >= 0)
        code = get_results(&s, version, wanted);
    return code;
}
