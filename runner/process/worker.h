/* worker.h - the process that runs cases through a backend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_WORKER_H
#define RUNNER_PROCESS_WORKER_H

#include "runner/process/job.h"

/* Run cases until there are none left; in a forked process, which ends with
 * the returned status. */
int worker_run(const struct job_context *context, struct job *job);

/* Is this one of the cases that are executed twice? */
bool worker_samples(uint64_t seed, int64_t number);

#endif
