/* cmd_doc.c - assay doc: what the specification says of an operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "report/doc/doc.h"
#include "runner/plan/plan.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

enum {
    DATABASES_MAX = 16
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
    int word_count;
    struct option_words databases;
};

static const struct option_row options[] = {
    {"format", 'f', "text|markdown|html", 0, "Format of the page (text)", 0,
     OPTION_CHOICE(struct options, form, NULL)},
    {"database", 'd', "DATABASE[@RUN]", 0,
     "Also show the results of the backend of this run (repeatable)", 0,
     OPTION_LIST(struct options, databases, DATABASES_MAX)},
    {"cases", 'c', "DIR", 0,
     "Folder of cases from which examples are taken (the suite's own)", 0,
     OPTION_TEXT(struct options, cases)},
    {"site", 0, "DIR", 0,
     "Write every page as HTML to this folder, with a search box", 0,
     OPTION_TEXT(struct options, site)},
    {0}};

static void add_word(void *target, const struct option_given *g)
{
    struct options *o = target;
    if (o->word_count == 2)
        argp_error(g->state, "expected one page, got also '%s'", g->text);
    o->words[o->word_count++] = g->text;
}

static void check(void *target, struct argp_state *state)
{
    const struct options *o = target;
    if (o->site && o->word_count)
        argp_error(state, "--site cannot be combined with a page");
}

static const struct option_set set = {
    .options = options,
    .arguments = "[OP|policies|profile NAME|DOCUMENT]",
    .help = "Print what the specification says about an operation: operands, "
            "attributes, rules, errors, policies, budgets and examples.  "
            "Without a name, list the operations.\vDOCUMENT is a document of "
            "spec/, without its suffix: verdicts; or assay, python, findings, "
            "findings-numpy.\nColour is used on a terminal, unless NO_COLOR is "
            "set.\nExit status: 0 success, 2 usage error, unknown page or "
            "invalid input, 3 the site could not be written completely.",
    .read = add_word,
    .check = check};

/* *place is the database at fault, for the message. */
static bool open_reports(const struct options *o, struct doc *d,
                         const char **place, struct status *st)
{
    d->reports =
        arena_new(d->arena, struct report, (size_t)o->databases.count + 1);
    for (int i = 0; i < o->databases.count; i++) {
        *place = o->databases.list[i];
        TRY(report_open(&d->reports[i], d->arena, o->databases.list[i], stdout,
                        st));
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
    option_parse(&set, argc, argv, &o);
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
