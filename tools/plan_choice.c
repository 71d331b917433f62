/* plan_choice.c - see plan_choice.h.  Tests: caselist.t, run.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/plan_choice.h"

#include "report/report.h"
#include "tools/option.h"

enum {
    KEY_CASES = 0x200, /* other than those of case_options.c */
    KEY_CASE_LIST,
    KEY_EXCLUDE,
    KEY_FORM,
    KEY_LAST_FAILED,
    KEY_TIER
};

static const struct argp_option options[] = {
    {"cases", KEY_CASES, "DIR", 0, "Folder of case files", 2},
    {"filter", 'f', "GLOB", 0,
     "Only cases whose full name matches (repeatable)", 2},
    {"exclude", KEY_EXCLUDE, "GLOB", 0,
     "Not the cases whose full name matches (repeatable)", 2},
    {"case-list", KEY_CASE_LIST, "FILE", 0,
     "Only the cases whose full names FILE has, one a line; # begins a comment",
     2},
    {"lf", KEY_LAST_FAILED, 0, 0,
     "Only the cases that failed in the latest run of --database", 2},
    {"last-failed", 0, 0, OPTION_ALIAS, NULL, 2},
    {"form", KEY_FORM, "GLOB", 0,
     "Every case in each form of spec/forms.json whose name matches, instead "
     "of the forms that the tier has for the suite (repeatable)",
     2},
    {"tier", KEY_TIER, "quick|default|full", 0, "Tier to run (default)", 2},
    {0}};

/* One more glob of an option. */
static void add(const char **list, int *count, const char *option,
                const char *text, struct argp_state *state)
{
    if (*count == PLAN_CHOICE_GLOBS)
        argp_error(state, "--%s: more than %d times", option,
                   PLAN_CHOICE_GLOBS);
    list[(*count)++] = option_glob(state, option, text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct plan_choice *c = state->input;
    switch (key) {
    case KEY_CASES:
        c->plan->cases = text;
        return 0;
    case 'f':
        add(c->filters, &c->plan->filter_count, "filter", text, state);
        return 0;
    case KEY_EXCLUDE:
        add(c->excludes, &c->plan->exclude_count, "exclude", text, state);
        return 0;
    case KEY_FORM:
        add(c->forms, &c->plan->form_count, "form", text, state);
        return 0;
    case KEY_CASE_LIST:
        c->case_list = text;
        return 0;
    case KEY_LAST_FAILED:
        c->last_failed = true;
        return 0;
    case KEY_TIER:
        c->plan->tier = text;
        return 0;
    case ARGP_KEY_END:
        if (c->case_list && c->last_failed)
            argp_error(state, "--case-list cannot be combined with --lf");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp plan_choice_argp = {options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL};

void plan_choice_begin(struct plan_choice *c, struct plan_options *plan)
{
    c->plan = plan;
    plan->filters = c->filters;
    plan->forms = c->forms;
    plan->excludes = c->excludes;
}

bool plan_choice_end(struct arena *a, struct plan_choice *c,
                     const char *database, struct status *st)
{
    if (!c->case_list && !c->last_failed)
        return true;
    c->plan->names = &c->names;
    if (c->case_list)
        return plan_names_read(a, c->case_list, &c->names, st);
    struct report_names failed;
    TRY(report_summary_names(a, database, &failed, st));
    c->names.path = "--lf";
    for (int i = 0; i < failed.count; i++)
        plan_names_add(a, &c->names, failed.list[i]);
    plan_names_end(a, &c->names);
    return true;
}
