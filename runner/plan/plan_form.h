/* plan_form.h - which cases are planned in which forms.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cases of one folder are those of one operation; each has its own covering
 * array (form_cover.h), so that another operation changes none.
 */
#ifndef RUNNER_PLAN_PLAN_FORM_H
#define RUNNER_PLAN_PLAN_FORM_H

#include "interp/case/case.h"

struct plan_forming {
    struct arena *arena; /* of what is given */
    const struct limits *limits;
    /* A case in a form, which can be made. */
    void (*give)(void *context, const struct case_stub *stub, const char *form);
    void *context;
};

/* The covering array of the cases: of classes of forms, or of each. */
bool plan_form_array(const struct plan_forming *f, int64_t count,
                     const struct case_stub *const *stubs, bool each,
                     struct status *st);
/* A case in every form of which the name matches one of the globs. */
bool plan_form_all(const struct plan_forming *f, const struct case_stub *stub,
                   int count, const char *const *globs, struct status *st);
/* A case in a form, if it can be made so. */
void plan_form_one(const struct plan_forming *f, const struct case_stub *stub,
                   const char *form);

#endif
