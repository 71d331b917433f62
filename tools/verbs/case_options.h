/* case_options.h - options of every verb that makes or evaluates cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_CASE_OPTIONS_H
#define TOOLS_CASE_OPTIONS_H

#include "runner/plan/plan.h"
#include "tools/verbs/option.h"

/* --limit-...: its target is a struct limits. */
extern const struct option_set case_options_limit;
/* --custom-call makes its function known to the process
 * (runner/plugin/custom_call.h); it has no target. */
extern const struct option_set case_options_custom;

/* Both, as the first children of a verb whose target has a member limits. */
#define CASE_OPTIONS(of) \
    {&case_options_limit, offsetof(of, limits)}, \
    { \
        &case_options_custom, 0 \
    }

/* ---- plan_choice.c: the options that choose the cases of a run ----------- */

enum {
    PLAN_CHOICE_GLOBS = 4096 /* of one option */
};

struct plan_choice {
    struct plan_options *plan; /* what is filled in */
    struct option_words filters, forms, excludes;
    const char *case_list;
    struct plan_names names;
    bool last_failed;
};

/* Their target is a struct plan_choice that began. */
extern const struct option_set plan_choice_options;

void plan_choice_begin(struct plan_choice *c, struct plan_options *plan);
/* After parsing: set what was chosen, and read the names that a file or the
 * latest run of the database has. */
bool plan_choice_end(struct arena *a, struct plan_choice *c,
                     const char *database, struct status *st);

#endif
