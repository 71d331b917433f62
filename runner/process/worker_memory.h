/* worker_memory.h - how much memory a worker may take.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_WORKER_MEMORY_H
#define RUNNER_PROCESS_WORKER_MEMORY_H

#include <stdint.h>

/* The peak memory of this process, in bytes. */
int64_t worker_memory_peak(void);
/* Refuse allocations far above the limit. */
void worker_memory_limit(int64_t bytes);
/* The runner checks periodically; a peak in a call between two checks is
 * detected here: more than bytes above the earlier peak ends the process. */
void worker_memory_check(int64_t bytes, int64_t before, int64_t took_ns);

#endif
