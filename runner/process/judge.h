/* judge.h - the process that decides what is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_JUDGE_H
#define RUNNER_PROCESS_JUDGE_H

#include "runner/process/job.h"

/* Judge what the worker sends until it has ended; in a forked process, which
 * ends with the returned status. */
int judge_run(const struct job_context *context, struct job *job);

/* Judge one record (of length bytes, which nobody has checked) and fill in a
 * result with its wrong units in the arena. */
struct job_result *judge_record(struct arena *a,
                                const struct job_context *context,
                                const void *record, uint64_t length);

#endif
