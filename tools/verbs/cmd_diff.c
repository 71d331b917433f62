/* cmd_diff.c - assay diff: what differs between two runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "report/format.h"
#include "report/report.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

struct options {
    struct option_words runs;
    bool json;
    int64_t limit;
};

static const struct option_row options[] = {
    {"json", 'j', NULL, 0, "Print only the counts, as JSON", 0,
     OPTION_FLAG(struct options, json)},
    {"limit", 'n', "N", 0, "List at most N cases (100)", 0,
     OPTION_NUMBER(struct options, limit, 0, INT64_MAX)},
    {0}};

static void check(void *target, struct argp_state *state)
{
    const struct options *o = target;
    if (o->runs.count != 2)
        argp_error(state, "expected two runs");
}

static void write_summary(const struct report_change *c, int64_t limit)
{
    struct arena a = ARENA_INIT;
    int64_t lines = c->worse;
    for (int i = 0; i < GATE_COUNT; i++)
        lines += c->fate[i];
    if (lines > limit)
        printf("... and %s more lines\n", format_count(&a, lines - limit));
    struct report_sum sums[REPORT_SUMS];
    int n = report_since_sums(c, sums);
    printf("%s the same", format_count(&a, c->same));
    for (int i = 0; i < n; i++)
        printf(", %s %s", format_count(&a, sums[i].n), sums[i].text);
    printf("; largest increase of a worst error: %s ulp; fewer correctly "
           "rounded in %s\n",
           format_ulps(&a, c->worst_drift), format_count(&a, c->less_correct));
    arena_free(&a);
}

static int compare_runs(const struct options *o, struct report *before,
                        struct report *after)
{
    struct report_change c;
    struct status st = {STATUS_OK};
    if (!report_diff(before, after, o->json ? NULL : stdout, o->limit, NULL, &c,
                     &st))
        return command_complain("diff", &st, o->runs.list[0]);
    if (o->json) {
        report_diff_json(&c, stdout);
    } else {
        report_diff_identity(&c, before, after, "diff", stdout);
        write_summary(&c, o->limit);
    }
    if (fflush(stdout) != 0 || ferror(stdout))
        return COMMAND_BROKEN;
    bool bad = c.fate[GATE_NEW] || c.fate[GATE_WORSE] || c.fate[GATE_KNOWN]
               || c.fate[GATE_LISTED] || c.fate[GATE_MISSING];
    return bad ? COMMAND_FAILED : COMMAND_OK;
}

int cmd_diff(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "BEFORE AFTER",
        .help =
            "Compare two runs case by case: new failures, passing cases that "
            "are no longer judged, fixed cases, changes of accuracy.  A run is "
            "DATABASE, for its latest, or DATABASE@RUN, as for `assay report`; "
            "both may be in one database.\vExit status: 0 no new failure, 1 "
            "new or worse failures, also known ones, or right cases that the "
            "expectations list, 2 usage error or unreadable database.",
        .several = true,
        .words = offsetof(struct options, runs),
        .check = check};
    struct options o = {.limit = 100};
    struct arena a = ARENA_INIT, b = ARENA_INIT;
    struct report before, after;
    struct status st = {STATUS_OK};
    option_parse(&set, argc, argv, &o);
    int result = COMMAND_USAGE;
    if (!report_open(&before, &a, o.runs.list[0], stdout, &st)) {
        command_complain("diff", &st, o.runs.list[0]);
    } else {
        if (report_open(&after, &b, o.runs.list[1], stdout, &st)) {
            result = compare_runs(&o, &before, &after);
            report_close(&after);
        } else {
            command_complain("diff", &st, o.runs.list[1]);
        }
        report_close(&before);
    }
    arena_free(&a);
    arena_free(&b);
    return result;
}
