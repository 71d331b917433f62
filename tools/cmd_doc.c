/* cmd_doc.c - assay doc: what the specification says of an operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <stdio.h>

#include "report/doc/doc.h"
#include "runner/plan/plan.h"
#include "tools/command.h"
#include "tools/option.h"

enum {
    DATABASES_MAX = 16,
    KEY_SITE = 256
};

enum form {
    TEXT,
    MARKDOWN,
    HTML
};

struct options {
    enum form form;
    const char *site, *cases;
    const char *words[2]; /* the page's name */
    int word_count, database_count;
    const char *databases[DATABASES_MAX];
};

static const struct argp_option options[] = {
    {"format", 'f', "text|markdown|html", 0, "Format of the page (text)", 0},
    {"database", 'd', "DATABASE[@RUN]", 0,
     "Also show the results of the backend of this run (repeatable)", 0},
    {"cases", 'c', "DIR", 0,
     "Folder of cases from which examples are taken (the suite's own)", 0},
    {"site", KEY_SITE, "DIR", 0,
     "Write every page as HTML to this folder, with a search box", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    static const char *const forms[] = {"text", "markdown", "html"};
    struct options *o = state->input;
    switch (key) {
    case 'f':
        o->form = (enum form)option_choice(state, "format", text, forms, 3);
        return 0;
    case 'd':
        if (o->database_count == DATABASES_MAX)
            argp_error(state, "more than %d databases", DATABASES_MAX);
        o->databases[o->database_count++] = text;
        return 0;
    case 'c':
        o->cases = text;
        return 0;
    case KEY_SITE:
        o->site = text;
        return 0;
    case ARGP_KEY_ARG:
        if (o->word_count == 2)
            argp_error(state, "expected one page, got also '%s'", text);
        o->words[o->word_count++] = text;
        return 0;
    case ARGP_KEY_END:
        if (o->site && o->word_count)
            argp_error(state, "--site cannot be combined with a page");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "[OP|policies|profile NAME|DOCUMENT]",
    "Print what the specification says about an operation: operands, "
    "attributes,"
    " rules, errors, policies, budgets and examples.  Without a name, list the"
    " operations.\v"
    "DOCUMENT is a document of spec/, without its suffix: verdicts; or assay,"
    " python, findings, findings-numpy.\n"
    "Colour is used on a terminal, unless NO_COLOR is set.\n"
    "Exit status: 0 success, 2 usage error, unknown page or invalid input, 3 "
    "the site could not be written completely.",
    NULL,
    NULL,
    NULL};

/* *place is the database at fault, for the message. */
static bool open_reports(const struct options *o, struct doc *d,
                         const char **place, struct status *st)
{
    d->reports =
        arena_new(d->arena, struct report, (size_t)o->database_count + 1);
    for (int i = 0; i < o->database_count; i++) {
        *place = o->databases[i];
        TRY(report_open(&d->reports[i], d->arena, o->databases[i], stdout, st));
        d->report_count++;
    }
    *place = NULL;
    return true;
}

static bool print_page(const struct options *o, const struct doc *d,
                       struct status *st)
{
    struct page *p;
    /* Pages have names of one word, but for "profile NAME". */
    const char *name = arena_printf(
        d->arena, "%s%s%s", o->word_count ? o->words[0] : "",
        o->word_count > 1 ? " " : "", o->word_count > 1 ? o->words[1] : "");
    TRY(doc_page(d, name, &p, st));
    if (o->form == HTML)
        page_html(stdout, p, false);
    else if (o->form == MARKDOWN)
        page_markdown(stdout, p);
    else
        page_plain(stdout, p, command_colour());
    return true;
}

int cmd_doc(int argc, char **argv)
{
    struct options o = {.form = TEXT};
    struct arena arena = ARENA_INIT;
    struct doc d = {.arena = &arena};
    struct status st = {STATUS_OK};
    const char *place = NULL;
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    d.cases = o.cases ? o.cases : plan_folder(&arena);
    int pages = 0;
    bool good = spec_load(&st) && doc_known_load(&d, &st)
                && open_reports(&o, &d, &place, &st)
                && (o.site ? doc_site(&d, o.site, &pages, &st)
                           : print_page(&o, &d, &st));
    if (good && o.site)
        printf("%d pages: %s/index.html\n", pages, o.site);
    for (int i = 0; i < d.report_count; i++)
        report_close(&d.reports[i]);
    if (!good)
        command_complain("doc", &st, place);
    arena_free(&arena);
    if (good)
        return COMMAND_OK;
    return o.site && st.code == STATUS_SYSTEM ? COMMAND_BROKEN : COMMAND_USAGE;
}
