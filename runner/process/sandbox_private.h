/* sandbox_private.h - what the files of the sandbox share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROCESS_SANDBOX_PRIVATE_H
#define RUNNER_PROCESS_SANDBOX_PRIVATE_H

#include <stdbool.h>

/* ---- sandbox_calls.c: system calls by seccomp ---------------------------- */
/* Seccomp restricts what Landlock does not: other processes, terminals, the
 * network, System V objects, attributes of files, the machine. */

struct sandbox_calls {
    bool signals;  /* refuse signals to others, and */
    bool truncate; /* truncate(2): Landlock does neither */
    bool notices;  /* ask about calls that are refused, or may be because of
                      the files that they change (sandbox_notice.h) */
};

/* Permanently, for the calling process and all that it starts.  It must not be
 * able to gain privileges.  *listener is where the calls are asked about, or
 * -1.  False if the kernel refuses a filter. */
bool sandbox_calls_enter(const struct sandbox_calls *how, int *listener);

/* ---- sandbox_files.c: files by Landlock ---------------------------------- */
/* Landlock restricts which files a process may open, on kernels that have it
 * (landlock(7)).  sandbox_mounts.c does it where there is none. */

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

/* ---- sandbox_mounts.c: read-only files without Landlock ------------------ */
/* A process can get a view of all files of its own, in a user namespace, where
 * unprivileged users may create one (user_namespaces(7)), and make every mount
 * in it read-only (mount_setattr(2), Linux 5.12).  Devices can still be written
 * to, as far as their modes allow.  Afterwards it has no capability, also if it
 * is root's: files that only root's privilege opened stay closed. */

/* Does it work here?  Tried once, in a process of its own. */
bool sandbox_mounts_offered(void);
/* For the calling process, which must have one thread, and all that it starts:
 * only what is below scratch can be written; "": nothing.  On failure errno is
 * set, and the process is of no further use. */
bool sandbox_mounts_enter(const char *scratch);

#endif
