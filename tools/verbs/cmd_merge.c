/* cmd_merge.c - assay merge: the shards of a run become one run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "interp/base/text.h"
#include "report/format.h"
#include "runner/store/store_merge.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/recorded.h"

struct options {
    const char *output;
    struct recorded from;
    int64_t limit;
    struct option_words files;
};

static const struct option_row options[] = {
    {"output", 'o', "DATABASE", 0,
     "Database to which the joined run is added; created if missing (required)",
     0, OPTION_TEXT(struct options, output)},
    {"limit", 'n', "N", 0, "Name at most N missing cases (20)", 0,
     OPTION_NUMBER(struct options, limit, 0, INT64_MAX)},
    {"cases", 0, "DIR", 0, "Folder of case files", 0,
     OPTION_TEXT(struct options, from.cases)},
    {"profile", 0, "FILE", 0, "The profile, if it is not a shipped one", 0,
     OPTION_TEXT(struct options, from.profile)},
    {0}};

static void check(void *target, struct argp_state *state)
{
    const struct options *o = target;
    if (!o->output)
        argp_error(state, "expected --output");
    if (!*o->output)
        argp_error(state, "--output: expected a file name");
}

static void print(struct arena *a, const struct options *o,
                  const struct store_merged *m)
{
    printf("%s: %d %s of %d %s, %s %s", o->output, m->runs,
           text_plural(m->runs, "run", "runs"), m->shards,
           text_plural(m->shards, "shard", "shards"),
           format_count(a, m->planned),
           text_plural(m->planned, "case", "cases"));
    if (m->missing == 0)
        puts(", all with a result");
    else
        printf("; %s without a result\n", format_count(a, m->missing));
    for (int i = 1; i <= m->shards; i++)
        if (m->missing_of[i] > 0)
            printf("shard %d/%d: %s of %s cases missing\n", i, m->shards,
                   format_count(a, m->missing_of[i]),
                   format_count(a, m->planned_of[i]));
    for (int64_t i = 0; i < m->missing && i < o->limit; i++)
        printf("  %s\n", m->missing_name[i]);
    if (m->missing > o->limit)
        printf("  ... and %s more\n", format_count(a, m->missing - o->limit));
    if (m->blank > 0)
        printf("skipped: %s%s, in which no run has begun\n", m->blank_name,
               m->blank > 1
                   ? arena_printf(a, " and %d more files", m->blank - 1)
                   : "");
    if (m->repeated > 0)
        printf("%s results of cases that already have one were skipped; "
               "%s of them have a different verdict%s%s\n",
               format_count(a, m->repeated), format_count(a, m->differing),
               m->differs ? ": " : "", m->differs ? m->differs : "");
}

/* A cause is no verdict: without the suite, causes stay as the shards found
 * them. */
static void settle_causes(struct arena *a, const struct options *o)
{
    struct status st = {STATUS_OK};
    if (!merge_causes(a, o->output, &o->from, &st))
        printf("causes: not held against passing cases: %s\n", st.text);
}

int cmd_merge(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE...",
        .help =
            "Join the shards of a run (assay run --shard) into one run, with "
            "the rows that an unsplit run would have.  Every shard in every "
            "database is used; files may be given in any order, and a shard "
            "may occur more than once.  If cases are missing, the joined run "
            "is unfinished: `assay run --resume` on it, with the options of "
            "the shards but without --shard, runs what is missing.  Otherwise "
            "its causes are held against its passing cases, which needs the "
            "suite.\vExit status: 0 every case has a result, whatever its "
            "verdict (see `assay report` and `assay gate`), 1 cases are "
            "missing, 2 usage error, unreadable database or shards of "
            "different runs, 3 the output could not be written.",
        .missing = "expected the databases of shards",
        .several = true,
        .words = offsetof(struct options, files),
        .check = check};
    struct options o = {.limit = 20, .from = {.limits = LIMITS_DEFAULT}};
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct store_merged merged;
    const char *line = option_line(&a, "merge", argc, argv);
    option_parse(&set, argc, argv, &o);
    int result = COMMAND_OK;
    if (store_merge(&a, o.output, o.files.count,
                    (const char *const *)o.files.list, line, &merged, &st)) {
        print(&a, &o, &merged);
        if (merged.missing == 0)
            settle_causes(&a, &o);
        result = merged.missing > 0 ? COMMAND_FAILED : COMMAND_OK;
    } else {
        result = command_fail("merge", &st, NULL);
    }
    arena_free(&a);
    return result;
}
