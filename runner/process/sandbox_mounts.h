/* sandbox_mounts.h - read-only files without Landlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A process can get a view of all files of its own, in a user namespace, where
 * unprivileged users may create one (user_namespaces(7)), and make every mount
 * in it read-only (mount_setattr(2), Linux 5.12).  Devices can still be written
 * to, as far as their modes allow.  Afterwards it has no capability, also if it
 * is root's: files that only root's privilege opened stay closed.
 */
#ifndef RUNNER_PROCESS_SANDBOX_MOUNTS_H
#define RUNNER_PROCESS_SANDBOX_MOUNTS_H

#include <stdbool.h>

/* Does it work here?  Tried once, in a process of its own. */
bool sandbox_mounts_offered(void);
/* For the calling process, which must have one thread, and all that it starts:
 * only what is below scratch can be written; "": nothing.  On failure errno is
 * set, and the process is of no further use. */
bool sandbox_mounts_enter(const char *scratch);

#endif
