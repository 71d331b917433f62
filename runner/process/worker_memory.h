/* worker_memory.h - how much memory a worker may take.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_WORKER_MEMORY_H
#define RUNNER_PROCESS_WORKER_MEMORY_H

#include <stdint.h>

/* The most bytes that this process ever had. */
int64_t worker_memory_peak(void);
/* Refuse what is far above the limit. */
void worker_memory_limit(int64_t bytes);
/* The runner looks at times; what came and went between them, in calls that
 * took so long, is seen here: more than bytes above the peak of before ends the
 * process. */
void worker_memory_check(int64_t bytes, int64_t before, int64_t took_ns);

#endif
