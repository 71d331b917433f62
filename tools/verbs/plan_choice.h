/* plan_choice.h - the options that choose the cases of a run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PLAN_CHOICE_H
#define TOOLS_PLAN_CHOICE_H

#include "runner/plan/plan.h"
#include "tools/verbs/option.h"

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
