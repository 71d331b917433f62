/* cmd_report.c - assay report: what a results database says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "report/report.h"
#include "tools/command.h"
#include "tools/option.h"

enum {
    KEY_DOCS = 256
};

struct options {
    const char *format, *output, *which, *docs;
    int64_t limit;
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0,
     "Format: text, html, json, markdown, junit, tap or badge (text)", 0},
    {"output", 'o', "FILE", 0, "Write to FILE, replacing it atomically", 0},
    {"limit", 'n', "N", 0, "List at most N failures of a run (200)", 0},
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

static bool is_format(const char *name)
{
#define FORMAT(text, function, help) \
    if (strcmp(name, text) == 0) \
        return true;
#include "report/formats.def"
#undef FORMAT
    return false;
}

static int fail(const struct status *st, const char *path)
{
    command_complain("report", st, path);
    return COMMAND_USAGE;
}

/* Write to a file beside the output, and put that in its place when all of it
 * is there. */
static int write_report(struct report *r, const struct options *o,
                        struct arena *a)
{
    struct status st = {STATUS_OK};
    const char *part = NULL;
    struct stat about;
    if (o->output) {
        /* A device or a pipe is written to; it must not be replaced. */
        bool there = stat(o->output, &about) == 0;
        if (!there || S_ISREG(about.st_mode))
            part = arena_printf(a, "%s.part-%ld", o->output, (long)getpid());
        r->out = fopen(part ? part : o->output, "wb");
        if (!r->out) {
            FAIL(&st, SYSTEM, "cannot be written: %s", strerror(errno));
            return fail(&st, o->output);
        }
    }
    bool good = report_write(r, o->format, &st);
    bool written = fflush(r->out) == 0 && !ferror(r->out);
    int why = errno;
    if (o->output && fclose(r->out) != 0)
        written = false;
    if (part && good && written && rename(part, o->output) != 0) {
        written = false;
        why = errno;
    }
    if (part && !(good && written))
        unlink(part);
    if (!good)
        return fail(&st, o->which);
    if (!written) {
        FAIL(&st, SYSTEM, "cannot be written: %s", strerror(why));
        return fail(&st, o->output ? o->output : "standard output");
    }
    return COMMAND_OK;
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
        " usage error or unreadable database.\n"
        "Colour is used on a terminal, unless NO_COLOR is set.",
        NULL,
        NULL,
        NULL};
    struct options o = {.format = "text", .limit = 200};
    struct arena arena = ARENA_INIT;
    struct report r;
    struct status st = {STATUS_OK};
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    if (!is_format(o.format)) {
        static const char *const names[] = {
#define FORMAT(text, function, help) text,
#include "report/formats.def"
#undef FORMAT
        };
        FAIL(&st, INPUT, "no such format: '%.60s'%s", o.format,
             text_hint((char[TEXT_HINT]){0}, o.format, names,
                       sizeof names / sizeof names[0]));
        return fail(&st, "--format");
    }
    int result = COMMAND_USAGE;
    if (report_open(&r, &arena, o.which, stdout, &st)) {
        r.failure_limit = o.limit;
        r.docs = o.docs;
        r.colour = !o.output && command_colour();
        result = write_report(&r, &o, &arena);
        report_close(&r);
    } else {
        fail(&st, o.which);
    }
    arena_free(&arena);
    return result;
}
