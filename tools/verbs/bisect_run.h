/* bisect_run.h - the runs that a search over versions needs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result that the database already has is taken from there, if it is of the
 * same backend, options, profile and suite, of cases that come from files with
 * the same contents, and not older than the backend's file.
 */
#ifndef TOOLS_BISECT_RUN_H
#define TOOLS_BISECT_RUN_H

#include "report/bisect.h"
#include "runner/plan/plan.h"

struct bisect_run {
    const char *backend;         /* {} stands for the version */
    const char *backend_options; /* here, too; "" for none */
    const char *database, *profile;
    struct plan_options plan;
    const char *const *pass; /* further options of assay run, with values */
    int pass_count;
    bool every; /* run each version on each case */
    bool fresh; /* take nothing from earlier runs */
};

/* Fill the table of bisect's versions.  Returns the exit status, and has
 * complained if that is not COMMAND_OK. */
int bisect_run(struct bisect *b, struct bisect_run *o);

#endif
