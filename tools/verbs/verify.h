/* verify.h - the verdicts of a run, derived again from the recorded bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_VERIFY_H
#define TOOLS_VERIFY_H

#include "report/report.h"
#include "runner/plan/expect.h"
#include "runner/plan/plan.h"
#include "tools/verbs/archive.h"

struct verify {
    struct arena *arena;
    struct report *report; /* of one run */
    const struct plan *plan;
    const struct limits *limits;
    const struct profile *profile;
    struct expect *expect; /* no lines: there was no file */
    const struct archive_member *bits;
    int bits_count;
    int64_t shown; /* differences that are printed, at most */
    /* The outcome, in cases. */
    int64_t derived;                /* as recorded */
    int64_t ended[REPORT_STATUSES]; /* no result to judge: how they ended */
    int64_t differs;                /* another verdict, or other figures */
};

/* Judge all that was recorded, and compare.  Differences are printed.  Fails
 * with INPUT if the files are not what they should be. */
bool verify_run(struct verify *v, struct status *st);

#endif
