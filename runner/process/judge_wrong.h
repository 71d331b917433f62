/* judge_wrong.h - wrong units, described for the record.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_JUDGE_WRONG_H
#define RUNNER_PROCESS_JUDGE_WRONG_H

#include "interp/judge/judge_reference.h"
#include "runner/process/job.h"

/* The result with its wrong units after it, and the input of the worst one:
 * moved in the arena. */
struct job_result *judge_wrong(struct arena *a, const struct test_case *c,
                               const struct judge_reference *reference,
                               const struct verdict *v,
                               const struct job_result *result);

#endif
