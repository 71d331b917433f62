/* plan_choice.c - see case_options.h.  Tests: caselist.t, run.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/report.h"
#include "tools/verbs/case_options.h"

static void read_cases(void *target, const struct option_given *g)
{
    struct plan_choice *c = target;
    c->plan->cases = g->text;
}

static void read_tier(void *target, const struct option_given *g)
{
    struct plan_choice *c = target;
    c->plan->tier = g->text;
}

static const struct option_row options[] = {
    {"cases", 0, "DIR", 0, "Folder of case files", 2, OPTION_CALL(read_cases)},
    {"filter", 'f', "GLOB", 0,
     "Only cases whose full name matches (repeatable)", 2,
     OPTION_GLOBS(struct plan_choice, filters, PLAN_CHOICE_GLOBS)},
    {"exclude", 0, "GLOB", 0,
     "Not the cases whose full name matches (repeatable)", 2,
     OPTION_GLOBS(struct plan_choice, excludes, PLAN_CHOICE_GLOBS)},
    {"case-list", 0, "FILE", 0,
     "Only the cases that FILE lists by full name, one a line; # begins a "
     "comment",
     2, OPTION_TEXT(struct plan_choice, case_list)},
    {"lf", 0, 0, 0,
     "Only the cases that failed in the latest run of --database", 2,
     OPTION_FLAG(struct plan_choice, last_failed)},
    {"last-failed", 0, 0, OPTION_ALIAS, NULL, 2,
     OPTION_FLAG(struct plan_choice, last_failed)},
    {"form", 0, "GLOB", 0,
     "Every case in each form of spec/forms.json whose name matches, instead "
     "of the forms that the tier has for the suite; none: no form "
     "(repeatable)",
     2, OPTION_GLOBS(struct plan_choice, forms, PLAN_CHOICE_GLOBS)},
    {"tier", 0, "quick|default|full", 0, "Tier to run (default)", 2,
     OPTION_CALL(read_tier)},
    {0}};

static void check(void *target, struct argp_state *state)
{
    const struct plan_choice *c = target;
    if (c->case_list && c->last_failed)
        argp_error(state, "--case-list cannot be combined with --lf");
}

const struct option_set plan_choice_options = {.options = options,
                                               .check = check};

void plan_choice_begin(struct plan_choice *c, struct plan_options *plan)
{
    c->plan = plan;
}

bool plan_choice_end(struct arena *a, struct plan_choice *c,
                     const char *database, struct status *st)
{
    struct plan_options *p = c->plan;
    p->filters = (const char *const *)c->filters.list;
    p->filter_count = c->filters.count;
    p->excludes = (const char *const *)c->excludes.list;
    p->exclude_count = c->excludes.count;
    p->forms = (const char *const *)c->forms.list;
    p->form_count = c->forms.count;
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
