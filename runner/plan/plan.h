/* plan.h - which cases a run has, in which order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All case files are read and expanded before anything runs, and forms are
 * chosen (plan_form.h).  Workers are
 * forked from the process that holds the plan, so a case is a number to them.
 */
#ifndef RUNNER_PLAN_PLAN_H
#define RUNNER_PLAN_PLAN_H

#include "interp/case/case.h"
#include "runner/plan/digest.h"
#include "runner/plan/plan_names.h"

struct plan_options {
    const char *cases; /* folder; NULL: where the suite's own are */
    int filter_count;  /* globs on full names; none: all */
    const char *const *filters;
    int exclude_count; /* globs on full names that are left out */
    const char *const *excludes;
    const struct plan_names *names; /* only these; NULL: all */
    int form_count; /* globs on names of forms: all cases in each; none: those
                       that the tier plans */
    const char *const *forms;
    const char *tier;    /* of spec/tiers.json; NULL: all */
    const char *profile; /* cases of other profiles are left out */
};

struct plan_case {
    const struct case_stub *stub;
    const char *form; /* NULL: as it stands */
    bool alone;       /* not in a batch, says spec/tiers.json */
};

struct plan {
    const char *folder;
    int64_t count;
    struct plan_case *cases;
    int64_t file_count;
    char suite[DIGEST_TEXT]; /* of the folder and the specification */
    int64_t *matched;        /* by filter; 0: it matches no case of the tier */
    bool sampled;            /* the tier takes chosen cases only */
};

/* Where the suite's own cases are, beside the command: where they were
 * installed, or next to the executable's folder; in the arena. */
const char *plan_folder(struct arena *a);
/* Everything lives in the arena.  Fails with INPUT or SYSTEM. */
bool plan_make(struct arena *a, const struct plan_options *options,
               const struct limits *limits, struct plan *plan,
               struct status *st);

/* The choice among the cases of the tier, as an identity records it: the
 * filters, "!GLOB" for what is left out, and the digest of a list; NULL:
 * nothing. */
const char *plan_filter_text(struct arena *a, const struct plan_options *o);

/* The globs on forms, separated by spaces; "": none. */
const char *plan_forms_text(struct arena *a, const struct plan_options *o);

/* Its full name, with that of its form; in the arena. */
const char *plan_name(struct arena *a, const struct plan_case *c);
/* The element type that it is mainly about, or NULL. */
const char *plan_type(struct arena *a, const struct case_stub *stub);

#endif
