/* record_detail.h - a result's rows in the database.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RECORD_DETAIL_H
#define RUNNER_RECORD_DETAIL_H

#include "runner/plan/expect.h"
#include "runner/process/job.h"
#include "runner/store/store.h"

/* What a person gets a case again by. */
struct record_origin {
    const char *command; /* that runs it alone */
    const char *program; /* that it was made of, or NULL: it is in a file */
};

/* Its row of record.def; the texts are the result's. */
struct store_result record_detail_row(int64_t plan, enum verdict_status status,
                                      const struct job_result *result);

bool record_detail(struct arena *a, struct store *store, int64_t plan,
                   const struct plan_case *c, enum verdict_status status,
                   const struct job_result *result,
                   const struct record_origin *origin, struct status *st);

/* The requirements that a case says it covers, separated by spaces; or NULL. */
const char *record_detail_covers(struct arena *a, const struct json *node);

/* What the expectations need to know of a result. */
struct expect_found record_detail_found(const struct job_result *result);

#endif
