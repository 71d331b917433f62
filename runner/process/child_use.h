/* child_use.h - what a process group uses of the machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_CHILD_USE_H
#define RUNNER_PROCESS_CHILD_USE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct child_use {
    int64_t cpu_ms; /* processor time, also of children that were waited for */
    bool computing; /* a thread of theirs runs, or waits for a processor */
    int processes;
};

/* From /proc.  False if there is no such group, or no /proc. */
bool child_use(pid_t group, struct child_use *use);

#endif
