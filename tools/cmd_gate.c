/* cmd_gate.c - assay gate: may this change be merged?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/judge/verdict.h"
#include "report/format.h"
#include "report/report.h"
#include "tools/command.h"

struct options {
    const char *which, *baseline;
    int64_t failures, drift, less_correct; /* allowed; -1: any */
    bool unfinished, removed, unsupported;
};

enum {
    OPTION_FAILURES = 256,
    OPTION_DRIFT,
    OPTION_LESS_CORRECT,
    OPTION_UNFINISHED,
    OPTION_REMOVED,
    OPTION_UNSUPPORTED,
    LOST_LISTED = 20
};

static const struct argp_option options[] = {
    {"baseline", 'b', "DATABASE[@RUN]", 0,
     "Earlier run: only regressions against it count", 0},
    {"max-failures", OPTION_FAILURES, "N", 0,
     "Allow N failures, or N new ones with a baseline (0)", 0},
    {"max-drift", OPTION_DRIFT, "ULPS", 0,
     "Allow the worst error of a case to grow by ULPS, or \"any\" (0)", 0},
    {"max-less-correct", OPTION_LESS_CORRECT, "N", 0,
     "Allow N cases with fewer correctly rounded elements (any)", 0},
    {"allow-unfinished", OPTION_UNFINISHED, NULL, 0,
     "Accept an unfinished run: cases that never ran do not count", 0},
    {"allow-removed", OPTION_REMOVED, NULL, 0,
     "Accept that cases of the baseline are missing from the plan", 0},
    {"allow-unsupported", OPTION_UNSUPPORTED, NULL, 0,
     "Accept that passing cases are no longer judged", 0},
    {0}};

/* A decimal with at most six places, in millionths, or a whole number. */
static int64_t read_number(const char *text, int64_t unit,
                           struct argp_state *state)
{
    if (strcmp(text, "any") == 0)
        return -1;
    int64_t value = 0;
    const char *p = text;
    bool digits = false;
    for (; *p >= '0' && *p <= '9' && value < INT64_C(1000000000); p++) {
        value = 10 * value + (*p - '0');
        digits = true;
    }
    value *= unit;
    if (*p == '.' && unit > 1)
        for (p++; *p >= '0' && *p <= '9' && unit > 1; p++) {
            unit /= 10;
            value += unit * (*p - '0');
            digits = true;
        }
    if (*p || !digits)
        argp_error(state, "expected a nonnegative number, got '%s'", text);
    return value;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'b':
        o->baseline = arg;
        return 0;
    case OPTION_FAILURES:
        o->failures = read_number(arg, 1, state);
        return 0;
    case OPTION_DRIFT:
        o->drift = read_number(arg, 1000000, state);
        return 0;
    case OPTION_LESS_CORRECT:
        o->less_correct = read_number(arg, 1, state);
        return 0;
    case OPTION_UNFINISHED:
        o->unfinished = true;
        return 0;
    case OPTION_REMOVED:
        o->removed = true;
        return 0;
    case OPTION_UNSUPPORTED:
        o->unsupported = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "expected one run");
        o->which = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a results database");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int fail(const struct status *st, const char *which)
{
    command_complain("gate", st, which);
    return COMMAND_USAGE;
}

/* Print a reason for failing, if it applies. */
static bool refuse(bool reason, int64_t n, const char *what)
{
    if (!reason)
        return false;
    if (n >= 0)
        printf("gate: %lld %s\n", (long long)n, what);
    else
        printf("gate: %s\n", what);
    return true;
}

static bool exceeds(int64_t n, int64_t allowed)
{
    return allowed >= 0 && n > allowed;
}

/* All reasons are printed, not only the first: hence |= and not ||. */
static bool judge_run(const struct options *o, const struct report_run *run)
{
    bool bad = refuse(run->judged == 0, -1, "no case was judged");
    bad |= refuse(!o->unfinished && run->state
                      && strcmp(run->state, "complete") != 0,
                  -1, "the run is unfinished");
    /* With a baseline, failures that it already had do not count. */
    int64_t missing = run->counts[VERDICT_MISSING];
    int64_t failures = run->failures - missing;
    bad |= refuse(!o->unfinished && missing > 0, missing, "cases never ran");
    if (!o->baseline)
        bad |= refuse(exceeds(failures, o->failures), failures, "cases failed");
    return bad;
}

static bool judge_change(const struct options *o, const struct report_change *c)
{
    struct arena a = ARENA_INIT;
    /* What never ran is another reason, of the run itself. */
    int64_t failures = c->new_failures - c->missing;
    bool bad = refuse(exceeds(failures, o->failures), failures, "new failures");
    if (!o->unsupported && c->lost > LOST_LISTED)
        printf("... and %lld more\n", (long long)c->lost - LOST_LISTED);
    bad |= refuse(!o->unsupported && c->lost > 0, c->lost,
                  "passing cases are no longer judged"
                  " (--allow-unsupported accepts this)");
    bad |= refuse(!o->removed && c->removed > 0, c->removed,
                  "cases are no longer planned");
    bad |= refuse(exceeds(c->less_correct, o->less_correct), c->less_correct,
                  "cases have fewer correctly rounded elements");
    if (exceeds(c->worst_drift, o->drift))
        bad |= refuse(true, c->worse,
                      arena_printf(&a,
                                   "cases are less accurate, by at most %s ulp",
                                   format_ulps(&a, c->worst_drift)));
    arena_free(&a);
    return bad;
}

static int judge(const struct options *o, struct report *r)
{
    struct status st = {STATUS_OK};
    struct arena a = ARENA_INIT;
    struct report before;
    struct report_change c;
    int result = COMMAND_OK;
    bool bad = judge_run(o, &r->runs[0]);
    if (o->baseline) {
        if (!report_open(&before, &a, o->baseline, stdout, &st)) {
            result = fail(&st, o->baseline);
        } else {
            if (report_diff_lost(&before, r, o->unsupported ? NULL : stdout,
                                 LOST_LISTED, &c, &st))
                bad |= judge_change(o, &c);
            else
                result = fail(&st, o->baseline);
            report_close(&before);
        }
    }
    arena_free(&a);
    if (result == COMMAND_OK && bad)
        result = COMMAND_FAILED;
    if (result == COMMAND_OK)
        puts("gate: open");
    return fflush(stdout) == 0 ? result : COMMAND_BROKEN;
}

int cmd_gate(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "DATABASE[@RUN]",
        "Pass or fail a change by the results of a run.  The gate fails if no"
        " case was judged.  Without a baseline it fails on any failure; with"
        " one, on any new failure, any passing case that became unsupported"
        " or exceeds a limit, any case that disappeared, and any loss of"
        " accuracy.\v"
        "Exit status: 0 passed, 1 failed, with a line for each reason, 2 usage"
        " error or unreadable database.",
        NULL,
        NULL,
        NULL};
    struct options o = {.less_correct = -1};
    struct arena arena = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    int result = COMMAND_USAGE;
    if (report_open(&r, &arena, o.which, stdout, &st)) {
        result = judge(&o, &r);
        report_close(&r);
    } else {
        fail(&st, o.which);
    }
    arena_free(&arena);
    return result;
}
