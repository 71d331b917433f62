/* expect_measure.h - how each case of some runs ended, as measured there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_EXPECT_MEASURE_H
#define TOOLS_EXPECT_MEASURE_H

#include "report/report.h"
#include "runner/plan/expect.h"

/* One case, of all runs that have it. */
struct expect_measure {
    const char *name, *op, *type;
    unsigned statuses; /* bits 1 << enum verdict_status, of failures */
    bool right;        /* in one run at least */
    bool varies;       /* wrong otherwise, or by another size, in each run */
    struct expect_found found; /* the worst */
    int64_t units, bad;
    const char *message; /* of a failure */
    const char *input;   /* of the largest error: "f32:3f800000", or NULL */
    const struct store_wrong *example[VERDICT_NATURES]; /* or NULL */
};

struct expect_measures {
    int count, room;
    struct expect_measure *list;
};

/* Add the cases of the latest run of a report that were run. */
bool expect_measure_read(struct arena *a, struct report *r,
                         struct expect_measures *to, struct status *st);
/* Put them in the order of their names, those of one name into one. */
void expect_measure_merge(struct expect_measures *m);

#endif
