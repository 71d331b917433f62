/* cmd_compare.c - assay compare: several backends side by side.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A backend is run first (run_child.h), and its run is then read from the
 * database like any other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare.h"
#include "report/whole_file.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/run_child.h"

enum {
    RUN_OPTIONS = 16
};

struct options {
    struct arena *arena;
    struct option_words which;
    struct option_words globs;
    const char *database, *html;
    const char *run[RUN_OPTIONS]; /* options for `assay run`, with values */
    int run_count;
    int64_t limit;
};

/* Given again and again, the first ones count. */
static void pass_on(void *target, const struct option_given *g)
{
    struct options *o = target;
    if (o->run_count + 2 > RUN_OPTIONS)
        return;
    o->run[o->run_count++] = arena_printf(o->arena, "--%s", g->name);
    o->run[o->run_count++] = g->text;
}

static void check(void *target, struct argp_state *state)
{
    const struct options *o = target;
    if (o->which.count > COMPARE_MAX)
        argp_error(state, "expected at most %d databases or backends, got %d",
                   COMPARE_MAX, o->which.count);
}

static const struct option_row options[] = {
    {"filter", 'f', "GLOB", 0,
     "Only cases whose full name matches (repeatable)", 0,
     OPTION_GLOBS(struct options, globs, INT32_MAX)},
    {"limit", 'n', "N", 0, "List at most N cases of either kind (100)", 0,
     OPTION_NUMBER(struct options, limit, 0, INT64_MAX)},
    {"html", 0, "FILE", 0, "Also write an HTML page", 0,
     OPTION_TEXT(struct options, html)},
    {"database", 'd', "FILE", 0,
     "Results database for backends that are run (results.db)", 0,
     OPTION_TEXT(struct options, database)},
    {"tier", 0, "quick|default|full", 0, "Tier to run (default)", 0,
     OPTION_CALL(pass_on)},
    {"profile", 0, "NAME|FILE", 0, "Profile to judge by (spec)", 0,
     OPTION_CALL(pass_on)},
    {0}};

/* Is it a results database, perhaps with "@RUN"?  SQLite's files begin with
 * these bytes. */
static bool is_database(struct arena *a, const char *which)
{
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = "";
    const char *path;
    report_split(a, which, &path);
    FILE *f = fopen(path, "rb");
    if (!f)
        return false;
    bool is = fread(start, 1, sizeof start, f) == sizeof start
              && memcmp(start, magic, sizeof magic) == 0;
    fclose(f);
    return is;
}

/* Add one run, with a report of its own: the rows of two runs are read at the
 * same time. */
static int add_run(struct compare *c, const char *which)
{
    struct status st = {STATUS_OK};
    struct report *r = arena_new(c->arena, struct report, 1);
    if (c->run_count == COMPARE_MAX) {
        FAIL(&st, INPUT, "more than %d runs", COMPARE_MAX);
        return command_complain("compare", &st, which);
    }
    if (!report_open(r, c->arena, which, stdout, &st))
        return command_complain("compare", &st, which);
    c->reports[c->run_count] = r;
    c->runs[c->run_count++] = &r->runs[0];
    return COMMAND_OK;
}

/* Add the runs of a database. */
static int add_runs(struct compare *c, const char *which)
{
    struct status st = {STATUS_OK};
    struct report r;
    int code = COMMAND_OK;
    if (!report_open(&r, c->arena, which, stdout, &st))
        return command_complain("compare", &st, which);
    const char *path;
    report_split(c->arena, which, &path);
    for (int i = 0; i < r.run_count && code == COMMAND_OK; i++)
        code = add_run(c, arena_printf(c->arena, "%s@%lld", path,
                                       (long long)r.runs[i].id));
    report_close(&r);
    return code;
}

static int add(struct compare *c, const struct options *o, const char *which)
{
    if (is_database(c->arena, which))
        return add_runs(c, which);
    const struct run_child run = {.backend = which,
                                  .database = o->database,
                                  .options = o->run,
                                  .option_count = o->run_count,
                                  .globs = (const char *const *)o->globs.list,
                                  .glob_count = o->globs.count};
    int code = run_child(c->arena, &run);
    if (code != COMMAND_OK && code != COMMAND_FAILED)
        return code;
    return add_runs(c, arena_printf(c->arena, "%s@latest", o->database));
}

static int write_page(const struct compare *c, const char *path)
{
    struct status st = {STATUS_OK};
    struct whole_file w;
    if (!whole_file_open(&w, path, &st))
        return command_complain("compare", &st, NULL);
    compare_html(c, w.to);
    if (whole_file_close(&w, true, &st))
        return COMMAND_OK;
    command_complain("compare", &st, NULL);
    return COMMAND_BROKEN;
}

static int compare_all(struct compare *c, const struct options *o)
{
    struct status st = {STATUS_OK};
    if (o->html && !whole_file_check("--html", o->html, &st))
        return command_complain("compare", &st, NULL);
    for (int i = 0; i < o->which.count; i++) {
        int code = add(c, o, o->which.list[i]);
        if (code != COMMAND_OK)
            return code;
    }
    if (!compare_read(c, &st))
        return command_complain("compare", &st, NULL);
    if (c->all.cases == 0) {
        FAIL(&st, INPUT, "no case%s", o->globs.count ? " matches" : "");
        return command_complain("compare", &st, NULL);
    }
    compare_text(c, stdout);
    if (o->html) {
        int code = write_page(c, o->html);
        if (code != COMMAND_OK)
            return code;
    }
    return fflush(stdout) != 0 || ferror(stdout) ? COMMAND_BROKEN : COMMAND_OK;
}

int cmd_compare(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE[@RUN]|BACKEND...",
        .help = "Compare several backends: for each operation, how many cases "
                "each gets right and wrong, and its largest error; their "
                "pairwise differences; and the cases on which they disagree.  "
                "DATABASE stands for its latest run, DATABASE@RUN for another, "
                "DATABASE@all for all of them; a BACKEND, as for `assay run "
                "--backend`, is run first.\vExit status: 0 success, also if "
                "they differ, 2 usage error or unreadable database, 3 a run or "
                "the output is incomplete.",
        .missing = "expected databases or backends",
        .several = true,
        .words = offsetof(struct options, which),
        .check = check};
    struct arena a = ARENA_INIT;
    struct options o = {.arena = &a, .limit = 100, .database = "results.db"};
    option_parse(&set, argc, argv, &o);
    struct compare *c = arena_new(&a, struct compare, 1);
    c->arena = &a;
    c->globs = (const char *const *)o.globs.list;
    c->limit = o.limit;
    int result = compare_all(c, &o);
    for (int i = 0; i < c->run_count; i++)
        report_close(c->reports[i]);
    arena_free(&a);
    return result;
}
