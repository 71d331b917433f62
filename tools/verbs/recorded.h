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
/* Makes the plan without the run's filters. */
bool recorded_plan(struct arena *a, const struct recorded *from,
                   const struct report_run *run, const struct profile *profile,
                   struct plan *plan, struct status *st);

/* ---- merge_causes.c ------------------------------------------------------ */
/* The causes of a joined run, held against its passing cases.
 *
 * A shard has only a part of the cases that may contradict a cause, so its
 * causes are not held against any (runner/reasons.h). */

/* Settle the causes of the latest run of a database, as an unsplit run would.
 * Fails with INPUT where its suite or its profile are not found, and like the
 * database; then the causes are as the shards found them. */
bool merge_causes(struct arena *a, const char *database,
                  const struct recorded *from, struct status *st);

#endif
