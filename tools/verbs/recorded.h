/* recorded.h - what a recorded run was of: its profile and its plan.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_RECORDED_H
#define TOOLS_RECORDED_H

#include "report/report.h"
#include "runner/plan/plan.h"

struct recorded {
    const char *cases;   /* folder; NULL: where the suite's own are */
    const char *profile; /* a file; NULL: the run's is a shipped one */
    const struct plan_names *names; /* cases of the run; NULL: all */
    struct limits limits;
};

/* Both in the arena.  Fail with INPUT if what is found is not what the run was
 * made with. */
bool recorded_profile(struct arena *a, const struct recorded *from,
                      const struct report_run *run,
                      const struct profile **profile, struct status *st);
/* Without the run's filters. */
bool recorded_plan(struct arena *a, const struct recorded *from,
                   const struct report_run *run, const struct profile *profile,
                   struct plan *plan, struct status *st);

#endif
