/* cmd_report.c - assay report: reports of a results database.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "report/report.h"
#include "report/whole_file.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

static const char *const formats[] = {
#define FORMAT(text, function, changes, help) text,
#include "report/formats.def"
#undef FORMAT
};

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

static const struct option_row options[] = {
    {"format", 'f', "FORMAT", 0,
     "Format:"
#define FORMAT(text, function, changes, help) " " text
#include "report/formats.def"
#undef FORMAT
     " (text)",
     0, OPTION_TEXT(struct options, format)},
    {"output", 'o', "FILE", 0, "Write to FILE, replacing it atomically", 0,
     OPTION_TEXT(struct options, output)},
    {"limit", 'n', "N", 0, "List at most N failures of a run (200)", 0,
     OPTION_NUMBER(struct options, limit, 0, INT64_MAX)},
    {"since", 0, "DATABASE[@RUN]", 0,
     "Also say what changed since this run, in these formats:"
#define SINCE(text) " " text
#define ALONE(text)
#define FORMAT(text, function, changes, help) changes(text)
#include "report/formats.def"
#undef FORMAT
#undef ALONE
#undef SINCE
     ,
     0, OPTION_TEXT(struct options, since)},
    {"docs", 0, "URL|DIR", 0,
     "In HTML, link each failure to the operation's page in a site that `assay "
     "doc --site` wrote; a folder is relative to the report",
     0, OPTION_TEXT(struct options, docs)},
    {0}};

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

static int write_to(struct report *r, const struct options *o)
{
    struct status st = {STATUS_OK};
    struct whole_file w;
    if (!o->output)
        return report_write(r, o->format, &st)
                   ? COMMAND_OK
                   : command_complain("report", &st, o->which);
    if (!whole_file_open(&w, o->output, &st))
        return command_complain("report", &st, NULL);
    r->out = w.to;
    bool good = report_write(r, o->format, &st);
    if (whole_file_close(&w, good, &st))
        return COMMAND_OK;
    int code = command_complain("report", &st, good ? NULL : o->which);
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
        int code = command_complain("report", &st, o->which);
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
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE[@RUN]",
        .help =
            "Write a report of a run, by default the latest.  RUN is a number, "
            "a prefix of a uuid, \"latest\", or \"all\" to show all runs of "
            "the database side by side.\vExit status: 0 success, even if cases "
            "failed (see `assay gate`), 2 usage error or unreadable database, "
            "3 the report could not be written completely.\nColour is used on "
            "a terminal, unless NO_COLOR is set.",
        .missing = "expected a results database",
        .surplus = "expected one database",
        .word = offsetof(struct options, which)};
    struct options o = {.format = "text", .limit = 200};
    struct arena arena = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    option_parse(&set, argc, argv, &o);
    if (!is_format(o.format, &st))
        return command_complain("report", &st, "--format");
    if (o.since && !tells_changes(o.format)) {
        FAIL(&st, INPUT, "--format %s has no place for what changed", o.format);
        return command_complain("report", &st, "--since");
    }
    int result = COMMAND_USAGE;
    if (report_open(&r, &arena, o.which, stdout, &st)) {
        r.failure_limit = o.limit;
        r.docs = o.docs;
        r.colour = !o.output && command_colour();
        result = write_report(&r, &o);
        report_close(&r);
    } else {
        command_complain("report", &st, o.which);
    }
    arena_free(&arena);
    return result;
}
