/* child_cgroup.h - a memory limit that the kernel enforces.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The runner checks the memory of a worker periodically (child_memory.h); where
 * it may create control groups (cgroup v2, cgroups(7)) the kernel enforces the
 * limit in between: a group that exceeds its limit is ended as a whole.
 */
#ifndef RUNNER_PROCESS_CHILD_CGROUP_H
#define RUNNER_PROCESS_CHILD_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    CHILD_CGROUP_PATH = 512
};

/* Where, below root ("/sys/fs/cgroup"), may a process make groups of which the
 * memory is limited?  own is the text of its /proc/self/cgroup.  Only reads
 * files.  NULL if folder (of CHILD_CGROUP_PATH bytes) is set, else why there is
 * no such place. */
const char *child_cgroup_find(const char *root, const char *own, char *folder);

/* The same for this process, and tried once: the folder, or NULL. */
const char *child_cgroup_folder(void);

/* Make a group for a process that was just forked, and put it there; all that
 * it forks later is there, too.  path has CHILD_CGROUP_PATH bytes, and is "" if
 * there is none. */
void child_cgroup_enter(char *path, pid_t pid, int64_t bytes);
/* Did the kernel kill a process of the group because it ran out of memory? */
bool child_cgroup_exceeded(const char *path);
/* End what is in the group, and remove it. */
void child_cgroup_leave(char *path);

#endif
