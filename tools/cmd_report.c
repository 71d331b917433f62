/* cmd_report.c - assay report: reports of a results database.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "report/report.h"
#include "report/whole_file.h"
#include "tools/command.h"
#include "tools/option.h"

enum {
    KEY_DOCS = 256,
    KEY_SINCE
};

static const char *const formats[] = {
#define FORMAT(text, function, changes, help) text,
#include "report/formats.def"
#undef FORMAT
};

/* ", text, html ...": those that say what changed. */
static const char tellers[] =
#define SINCE(text) ", " text
#define ALONE(text)
#define FORMAT(text, function, changes, help) changes(text)
#include "report/formats.def"
#undef FORMAT
#undef ALONE
#undef SINCE
    ;

/* " text html ..." */
static const char names[] =
#define FORMAT(text, function, changes, help) " " text
#include "report/formats.def"
#undef FORMAT
    ;

enum {
    FORMATS = sizeof formats / sizeof formats[0]
};

struct options {
    const char *format, *output, *which, *docs, *since;
    int64_t limit;
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "Format:", 0},
    {"output", 'o', "FILE", 0, "Write to FILE, replacing it atomically", 0},
    {"limit", 'n', "N", 0, "List at most N failures of a run (200)", 0},
    {"since", KEY_SINCE, "DATABASE[@RUN]", 0,
     "Also say what changed since this run", 0},
    {"docs", KEY_DOCS, "URL|DIR", 0,
     "In HTML, link each failure to the operation's page in a site that `assay "
     "doc --site` wrote; a folder is relative to the report",
     0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'f':
        o->format = arg;
        return 0;
    case 'o':
        o->output = arg;
        return 0;
    case 'n':
        o->limit = option_number(state, "limit", arg, 0, INT64_MAX);
        return 0;
    case KEY_DOCS:
        o->docs = arg;
        return 0;
    case KEY_SINCE:
        o->since = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            argp_error(state, "expected one database");
        o->which = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a results database");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int fail(const struct status *st, const char *path)
{
    command_complain("report", st, path);
    return COMMAND_USAGE;
}

static bool is_format(const char *name, struct status *st)
{
    char hint[TEXT_HINT];
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(name, formats[i]) == 0)
            return true;
    return FAIL(st, INPUT, "no such format: '%.60s'%s; expected one of%s", name,
                text_hint(hint, name, formats, FORMATS), names);
}

static bool tells_changes(const char *name)
{
#define SINCE true
#define ALONE false
#define FORMAT(text, function, changes, help) \
    if (strcmp(name, text) == 0) \
        return changes;
#include "report/formats.def"
#undef FORMAT
#undef ALONE
#undef SINCE
    return false;
}

/* The help lists the rows of formats.def; the caller frees it. */
static char *help(int key, const char *text, void *input)
{
    (void)input;
    if ((key != 'f' && key != KEY_SINCE) || !text)
        return (char *)(uintptr_t)text;
    size_t n = strlen(text) + sizeof names + sizeof tellers + sizeof " (text)";
    char *own = malloc(n);
    if (own && key == 'f')
        snprintf(own, n, "%s%s (text)", text, names);
    else if (own)
        snprintf(own, n, "%s (%s)", text, tellers + 2);
    return own;
}

static int write_to(struct report *r, const struct options *o)
{
    struct status st = {STATUS_OK};
    struct whole_file w;
    if (!o->output)
        return report_write(r, o->format, &st) ? COMMAND_OK
                                               : fail(&st, o->which);
    if (!whole_file_open(&w, o->output, &st))
        return fail(&st, NULL);
    r->out = w.to;
    bool good = report_write(r, o->format, &st);
    if (whole_file_close(&w, good, &st))
        return COMMAND_OK;
    int code = fail(&st, good ? NULL : o->which);
    return good ? COMMAND_BROKEN : code;
}

/* Open the run that r is compared with, and compare. */
static bool open_before(struct report *r, const struct options *o,
                        struct report *before, struct status *st)
{
    struct report_change *change = arena_new(r->arena, struct report_change, 1);
    if (r->run_count > 1)
        return FAIL(st, INPUT, "--since needs one run, got %d", r->run_count);
    if (report_open(before, r->arena, o->since, NULL, st)) {
        r->before = before;
        if (before->run_count > 1)
            FAIL(st, INPUT, "--since needs one run, got %d", before->run_count);
    }
    if (st->code != STATUS_OK) {
        st->path = st->path ? st->path : o->since;
        return false;
    }
    r->change = change;
    return report_diff(before, r, NULL, 0, r->arena, change, st);
}

static int write_report(struct report *r, const struct options *o)
{
    struct status st = {STATUS_OK};
    struct report before = {0};
    if (o->since && !open_before(r, o, &before, &st)) {
        int code = fail(&st, o->which);
        if (r->before)
            report_close(&before);
        return code;
    }
    int code = write_to(r, o);
    if (r->before)
        report_close(&before);
    return code;
}

int cmd_report(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "DATABASE[@RUN]",
        "Write a report of a run, by default the latest.  RUN is a number,"
        " a prefix of a uuid, \"latest\", or \"all\" to"
        " show all runs of the database side by side.\v"
        "Exit status: 0 success, even if cases failed (see `assay gate`), 2"
        " usage error or unreadable database, 3 the report could not be written"
        " completely.\n"
        "Colour is used on a terminal, unless NO_COLOR is set.",
        NULL,
        help,
        NULL};
    struct options o = {.format = "text", .limit = 200};
    struct arena arena = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    if (!is_format(o.format, &st))
        return fail(&st, "--format");
    if (o.since && !tells_changes(o.format)) {
        FAIL(&st, INPUT, "--format %s has no place for what changed", o.format);
        return fail(&st, "--since");
    }
    int result = COMMAND_USAGE;
    if (report_open(&r, &arena, o.which, stdout, &st)) {
        r.failure_limit = o.limit;
        r.docs = o.docs;
        r.colour = !o.output && command_colour();
        result = write_report(&r, &o);
        report_close(&r);
    } else {
        fail(&st, o.which);
    }
    arena_free(&arena);
    return result;
}
