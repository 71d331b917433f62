/* sandbox_files.h - files by Landlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Landlock restricts which files a process may open, on kernels that have it
 * (landlock(7)).  sandbox_mounts.h does it where there is none.
 */
#ifndef RUNNER_PROCESS_SANDBOX_FILES_H
#define RUNNER_PROCESS_SANDBOX_FILES_H

#include <stdbool.h>

/* Versions of Landlock that add what the sandbox asks for. */
enum {
    SANDBOX_FILES_REFER = 2,
    SANDBOX_FILES_TRUNCATE = 3,
    SANDBOX_FILES_TCP = 4,
    SANDBOX_FILES_DEVICES = 5,
    SANDBOX_FILES_SCOPES = 6 /* signals, abstract sockets */
};

/* The version that this kernel has, 0 if none. */
int sandbox_files_version(void);
/* Only what is below scratch ("": nothing) and /dev/null can be written; what
 * is below /dev cannot be read, but for harmless devices and shared memory.
 * Permanently, for the calling process and all that it starts. */
bool sandbox_files_enter(const char *scratch, int version);

#endif
