/* cmd_explain.c - assay explain: the failures of a run, by cause.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "tools/command.h"
#include "tools/option.h"

struct options {
    const char *which, *glob;
    bool json, all;
};

static const struct argp_option options[] = {
    {"case", 'c', "GLOB", 0, "Only cases whose full name matches", 0},
    {"format", 'f', "text|json", 0, "Output format (text)", 0},
    {"verbose", 'v', NULL, 0, "Every operation and type of a group", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'c':
        o->glob = option_glob(state, "case", arg);
        return 0;
    case 'v':
        o->all = true;
        return 0;
    case 'f':
        o->json = strcmp(arg, "json") == 0;
        if (!o->json && strcmp(arg, "text") != 0)
            argp_error(state, "--format: expected text or json, got '%s'", arg);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "expected one database");
        o->which = arg;
        return 0;
    case ARGP_KEY_END:
        if (!o->which)
            argp_error(state, "expected a database");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int fail(const struct status *st, const char *which)
{
    command_complain("explain", st, which);
    return COMMAND_USAGE;
}

int cmd_explain(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "DATABASE",
        "Group the failures of a run by cause: for each, the number of cases, "
        "the operations and types, and the smallest case with the command that "
        "reruns it.  A cause is a deviation (spec/deviations.md) that gives "
        "every wrong element and that no passing case contradicts.  Where "
        "results are only inaccurate, the size of their errors is given; that "
        "is no cause and counts apart."
        " DATABASE is its latest run; DATABASE@RUN another, as for"
        " `assay report`.\v"
        "Exit status: 0 success, 2 usage error or unreadable database, 3 "
        "output incomplete.",
        NULL,
        NULL,
        NULL};
    struct options o = {0};
    struct arena a = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    int code = COMMAND_OK;
    if (!report_open(&r, &a, o.which, stdout, &st)) {
        code = fail(&st, o.which);
    } else {
        if (!report_explain(&r, o.glob, o.json, o.all, &st))
            code = fail(&st, o.which);
        report_close(&r);
    }
    if (code == COMMAND_OK && (fflush(stdout) != 0 || ferror(stdout)))
        code = COMMAND_BROKEN;
    arena_free(&a);
    return code;
}
