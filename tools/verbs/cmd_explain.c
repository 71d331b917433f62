/* cmd_explain.c - assay explain: the failures of a run, by cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "report/report.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

struct options {
    const char *which, *glob;
    bool json, all;
};

static const struct option_row options[] = {
    {"case", 'c', "GLOB", 0, "Only cases whose full name matches", 0,
     OPTION_GLOB(struct options, glob)},
    {"format", 'f', "text|json", 0, "Output format (text)", 0,
     OPTION_CHOICE(struct options, json, NULL)},
    {"verbose", 'v', NULL, 0, "Every operation and type of a group", 0,
     OPTION_FLAG(struct options, all)},
    {0}};

int cmd_explain(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE",
        .help = "Group the failures of a run by cause: for each, the number of "
                "cases, the operations and types, and the smallest case with "
                "the command that reruns it.  A cause is a deviation "
                "(spec/deviations.md) that gives every wrong element and that "
                "no passing case contradicts.  Results that are only "
                "inaccurate are grouped by operation and type, with the size "
                "of their errors: that is no cause, and is counted apart.  "
                "DATABASE stands for its latest run, DATABASE@RUN for another, "
                "as for `assay report`.\vExit status: 0 success, 2 usage error "
                "or unreadable database, 3 output incomplete.",
        .missing = "expected a database",
        .surplus = "expected one database",
        .word = offsetof(struct options, which)};
    struct options o = {0};
    struct arena a = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    option_parse(&set, argc, argv, &o);
    int code = COMMAND_OK;
    if (!report_open(&r, &a, o.which, stdout, &st)) {
        code = command_complain("explain", &st, o.which);
    } else {
        if (!report_explain(&r, o.glob, o.json, o.all, &st))
            code = command_complain("explain", &st, o.which);
        report_close(&r);
    }
    if (code == COMMAND_OK && (fflush(stdout) != 0 || ferror(stdout)))
        code = COMMAND_BROKEN;
    arena_free(&a);
    return code;
}
